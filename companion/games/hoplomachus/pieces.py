"""Unit dice as numbers by colour, weakest first (HV-1.3, HV-1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

COLOURS = ("yellow", "green", "blue", "purple", "red")
BLANK, HIT, CRIT = range(3)
FACES = ("blank", "hit", "crit")
INKS = ("#d9a90f", "#2f7d46", "#2b62b8", "#74409c", "#b8262b")
"""The colours as pages draw them."""
NUMBER = (4, 4, 4, 4, 1)
"""How many dice of each colour there are."""
SIDES = ((4, 1, 1), (3, 2, 1), (2, 3, 1), (1, 4, 1), (0, 5, 1))
"""How many sides of a die of each colour show a blank, a hit, a crit."""
RESERVE_AT_START = (2, 2, 2, 2, 1)

Dice = tuple[int, ...]
"""How many dice of each colour."""
NONE: Dice = (0, 0, 0, 0, 0)
Shown = tuple[tuple[int, int, int], ...]
"""How many dice of each colour show a blank, a hit, a crit."""
NOTHING_SHOWN: Shown = ((0, 0, 0),) * 5


def plus(dice: Dice, more: Dice, sign: int = 1) -> Dice:
    """Return the sum of two heaps of dice, or their difference for ``sign`` -1."""
    return tuple(one + sign * other for one, other in zip(dice, more, strict=True))


def one(colour: int) -> Dice:
    """Return a single die."""
    return tuple(int(colour == other) for other in range(5))


def within(dice: Dice, most: int | None = None) -> Iterator[Dice]:
    """Yield every choice from ``dice``, none included, of at most ``most`` dice."""
    for chosen in product(*(range(count + 1) for count in dice)):
        if most is None or sum(chosen) <= most:
            yield chosen


def rolls(dice: Dice) -> Iterator[Shown]:
    """Yield every outcome of a roll of ``dice``, dice of a colour not told apart."""
    return product(*(tuple(_shown(colour, count)) for colour, count in enumerate(dice)))


def _shown(colour: int, count: int) -> Iterator[tuple[int, int, int]]:
    for hits in range(count + 1):
        for crits in range(count + 1 - hits):
            blanks = count - hits - crits
            if not blanks or SIDES[colour][BLANK]:
                yield blanks, hits, crits


def weakest(dice: Dice) -> int | None:
    """Return the weakest colour there is, None of none (HV-8.1)."""
    return next((colour for colour, count in enumerate(dice) if count), None)


def nearest(dice: Dice, colour: int, step: int) -> int | None:
    """Return the nearest stronger (``step`` 1) or weaker (-1) colour in ``dice`` (HV-8.3)."""
    found = range(colour + 1, 5) if step > 0 else range(colour - 1, -1, -1)
    return next((other for other in found if dice[other]), None)


def in_words(dice: Dice) -> str:
    """Return ``yellow blue blue``."""
    return " ".join(COLOURS[colour] for colour in expanded(dice))


def expanded(dice: Dice) -> Iterator[int]:
    """Yield the colour of each die."""
    for colour, count in enumerate(dice):
        yield from [colour] * count


def counted(colours: Iterable[int]) -> Dice:
    """Return the heap of dice of ``colours``."""
    listed = list(colours)
    return tuple(listed.count(colour) for colour in range(5))


def roll_in_words(shown: Shown) -> str:
    """Return ``yellow=hit blue=blank blue=crit``."""
    return " ".join(
        f"{COLOURS[colour]}={FACES[face]}"
        for colour, counts in enumerate(shown)
        for face in range(3)
        for _ in range(counts[face])
    )
