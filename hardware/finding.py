"""The walk-through: light LED after LED, be told which spot is lit, and know the wiring.

A pure value that grows by answers; whoever asks lights what :meth:`Walk.pixels` says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from companion.rules import BadInput, Board
from hardware.strip import Pixels
from hardware.wiring import COLOURS, LIMIT_MA, Part, Wiring

_BRIGHT, _DARK = (0, 160, 0), (0, 0, 0)
_TEST = ((160, 0, 0), (0, 160, 0), (0, 0, 160))
_LETTERS = "RGB"


@dataclass(frozen=True)
class Walk:
    """A walk through the ``count`` LEDs of a strip under ``board``.

    ``answers`` holds the spot of every LED asked so far, None for one under no spot.
    """

    board: Board
    count: int
    answers: tuple[str | None, ...] = field(default=())

    @property
    def done(self) -> bool:
        """Tell whether every LED has been asked for."""
        return len(self.answers) == self.count

    def pixels(self) -> Pixels:
        """Return the strip with the LED that is asked for alone alight; dark when done."""
        return tuple(_BRIGHT if led == len(self.answers) else _DARK for led in range(self.count))

    def answer(self, spot: str | None) -> Walk:
        """Return the walk one LED on.

        Raises:
            BadInput: the board has no such spot.
        """
        if spot is not None:
            spot = self.board[spot].name
        return replace(self, answers=(*self.answers, spot))

    def back(self) -> Walk:
        """Return the walk one LED back; the first LED stays the first."""
        return replace(self, answers=self.answers[:-1])

    def guess(self) -> str | None:
        """Return the spot that a straight strip lights next: as far on from the last spot as
        that was from the one before; None where there is none or it is taken."""
        named = [spot for spot in self.answers[-2:] if spot]
        if len(named) < 2 or named[0] == named[1]:
            return None
        (x, y), (u, v) = (self.board[spot].centre for spot in named)
        found = self.board.at((2 * u - x, 2 * v - y))
        return found.name if found and found.name not in self.answers else None

    def wiring(
        self, colours: str = COLOURS, lights: str = "", limit_ma: float = LIMIT_MA
    ) -> Wiring:
        """Return the wiring that the answers describe.

        Raises:
            BadInput: a cell of the board never lit up.
        """
        return wiring_of(self.board, self.answers, Part(self.count, lights, limit_ma, colours))


def wiring_of(board: Board, answers: Sequence[str | None], strip: Part | None = None) -> Wiring:
    """Return the wiring that the answers of a walk describe; None for an LED that lights no spot.

    Raises:
        BadInput: an answer that is no spot, or a cell that never lit up.
    """
    leds: dict[str, tuple[int, ...]] = {}
    for index, spot in enumerate(answers):
        if spot is not None:
            leds[spot] = (*leds.get(spot, ()), index)
    wiring = Wiring(MappingProxyType(leds), len(answers), (strip,) if strip else ())
    wiring.check(board)
    return wiring


def colour_test(count: int) -> Pixels:
    """Return the strip with its first three LEDs red, green and blue, as far as it has three."""
    return tuple(_TEST[led] if led < 3 else _DARK for led in range(count))


def colours_seen(first: str, second: str, third: str) -> str:
    """Return the order in which the LEDs take their colours, by the colours (``R``, ``G``, ``B``)
    that :func:`colour_test` was seen to show.

    Raises:
        BadInput: not one of each.
    """
    seen = [first.upper(), second.upper(), third.upper()]
    if Counter(seen) != Counter(_LETTERS):
        raise BadInput("name the colours of the first three LEDs, one each of r, g and b")
    # What is sent as GRB: the value meant for letter X comes out as the colour seen for X.
    shown = dict(zip(_LETTERS, seen, strict=True))
    return "".join(shown[letter] for letter in COLOURS)
