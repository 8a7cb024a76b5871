"""The levels of the players that think ahead. Loaded by whoever only offers them."""

STEP = 4
"""How many times as many positions each level looks at as the one below."""
LEVELS = tuple(STEP**number for number in range(3, 9))
"""Positions that levels 1 to 6 look at for one action, unless a budget is given."""
OVERLOOKED = (0.95, 0.85, 0.65, 0.45, 0.2, 0.0)
"""The share of the actions at hand that each level overlooks: people err so, and a level is weaker
than the next by more than what it costs the next in time. What each wins of the one below by these
is told in ``docs/players.md``."""
LEVEL_NAMES = tuple(f"level:{number + 1}" for number in range(len(LEVELS)))
"""What players of these levels are called, the weakest first."""
ADVISER = 3
"""The level of who advises a person, and of who looks a second time at what one has done; what is
looked at for advice is never overlooked."""
