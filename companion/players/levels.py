"""The levels of the players that think ahead. Loaded by whoever only offers them."""

STEP = 4
"""How many times as many positions each level looks at as the one below."""
LEVELS = tuple(STEP**number for number in range(3, 9))
"""Positions that levels 1 to 6 look at for one action, unless a budget is given."""
OVERLOOKED = (*(0.5**number for number in range(1, len(LEVELS))), 0.0)
"""The share of the actions at hand that each level overlooks, half as many as the one below: people
err so, and a level is weaker than the next by more than what it costs the next in time."""
LEVEL_NAMES = tuple(f"level:{number + 1}" for number in range(len(LEVELS)))
"""What players of these levels are called, the weakest first."""
ADVISER = 3
"""The level of who advises a person, and of who looks a second time at what one has done; what is
looked at for advice is never overlooked."""
