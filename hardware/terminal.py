"""A strip that is seen in a terminal: the board as coloured dots."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TextIO

from companion.rules import Board
from hardware.lights import Colour
from hardware.strip import Pixels, spot_colours
from hardware.wiring import Wiring

_LIT, _UNLIT = "●", "·"


def obeys(out: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Tell whether ``out`` leads to a terminal that moves its cursor as it is told."""
    known = os.environ if environment is None else environment
    return out.isatty() and known.get("TERM", "") != "dumb"


def colourful(out: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Tell whether colours may be written to ``out``: to a terminal, unless ``NO_COLOR`` is set
    (https://no-color.org); with ``FORCE_COLOR`` to anything."""
    known = os.environ if environment is None else environment
    if known.get("NO_COLOR"):
        return False
    return bool(known.get("FORCE_COLOR")) or obeys(out, known)


class TerminalStrip:
    """Draws the board to ``out`` whenever the frame changes; ``in_place`` over the last one, with
    ``colours`` in those of the LEDs."""

    def __init__(
        self,
        board: Board,
        wiring: Wiring,
        out: TextIO,
        in_place: bool = True,
        colours: bool = True,
    ) -> None:
        left, top = (min(spot.centre[k] for spot in board.spots.values()) for k in (0, 1))
        # Half a pitch a line and a quarter a character: hexagons stay in their rows.
        self._at = {
            spot.name: (
                round((spot.centre[0] - left) * 3.46 / board.pitch),
                round((spot.centre[1] - top) * 2 / board.pitch),
            )
            for spot in board.spots.values()
        }
        self._wiring, self._out = wiring, out
        self._in_place, self._colours = in_place, colours
        self._rows = 1 + max(row for _, row in self._at.values())
        self._width = 1 + max(column for column, _ in self._at.values())
        self._shown: Pixels | None = None

    def show(self, pixels: Sequence[Colour]) -> None:
        """Draw the frame if it differs from the last one."""
        frame = tuple(pixels)
        if frame == self._shown:
            return
        if self._shown is not None and self._in_place:
            self._out.write(f"\x1b[{self._rows}A")
        self._shown = frame
        self._out.write(self.drawing(frame))
        self._out.flush()

    def drawing(self, pixels: Pixels) -> str:
        """Return the board as lines of text."""
        lit = spot_colours(pixels, self._wiring)
        lines = [[" "] * self._width for _ in range(self._rows)]
        for spot, (column, row) in self._at.items():
            lines[row][column] = _UNLIT
            if colour := lit.get(spot):
                red, green, blue = colour
                dot = f"\x1b[38;2;{red};{green};{blue}m{_LIT}\x1b[0m" if self._colours else _LIT
                lines[row][column] = dot
        end = "\x1b[K\n" if self._in_place else "\n"
        return "".join("".join(line).rstrip() + end for line in lines)

    def close(self) -> None:
        """Leave the terminal as it is: nothing is alight any more."""
