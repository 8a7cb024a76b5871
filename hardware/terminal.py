"""A strip that is seen in a terminal: the board as coloured dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from companion.rules import Board
from hardware.lights import Colour
from hardware.strip import Pixels, spot_colours
from hardware.wiring import Wiring

_LIT, _UNLIT = "●", "·"


class TerminalStrip:
    """Draws the board to ``out`` whenever the frame changes; ``in_place`` over the last one."""

    def __init__(self, board: Board, wiring: Wiring, out: TextIO, in_place: bool = True) -> None:
        left, top = (min(spot.centre[k] for spot in board.spots.values()) for k in (0, 1))
        # Half a pitch a line and a quarter a character: hexagons stay in their rows.
        self._at = {
            spot.name: (
                round((spot.centre[0] - left) * 3.46 / board.pitch),
                round((spot.centre[1] - top) * 2 / board.pitch),
            )
            for spot in board.spots.values()
        }
        self._wiring, self._out, self._in_place = wiring, out, in_place
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
        """Return the board as lines of text with colours."""
        lit = spot_colours(pixels, self._wiring)
        lines = [[" "] * self._width for _ in range(self._rows)]
        for spot, (column, row) in self._at.items():
            lines[row][column] = _UNLIT
            if colour := lit.get(spot):
                red, green, blue = colour
                lines[row][column] = f"\x1b[38;2;{red};{green};{blue}m{_LIT}\x1b[0m"
        return "".join("".join(line).rstrip() + "\x1b[K\n" for line in lines)

    def close(self) -> None:
        """Leave the terminal as it is: nothing is alight any more."""
