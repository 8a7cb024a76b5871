"""The levels of the players that think ahead. Loaded by whoever only offers them."""

LEVELS = (60, 240, 900, 3_500, 12_000, 40_000)
"""Positions that levels 1 to 6 look at for one action, unless a budget is given."""
LEVEL_NAMES = tuple(f"level:{number + 1}" for number in range(len(LEVELS)))
"""What players of these levels are called, the weakest first."""
ADVISER = 3
"""The level of who advises a person, and of who looks a second time at what one has done."""
