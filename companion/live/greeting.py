"""Tells where a new table is found: by its lights, and by speech if the machine has a voice.

For each digit as many cells light up as it says (ten for a zero), in rows of five; a blue cell
stands for a dot, two for the colon before the port.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from types import MappingProxyType

from companion.rules import Board
from hardware.lights import Light, LightFrame

SHOWN, DARK, PAUSE = 1.6, 0.5, 3.0
"""Seconds for which a sign is lit, for which it is dark after that, and after which the whole
address is shown again."""
DIGIT = Light((0, 220, 70), "steady", "address", "the table's address")
MARK = Light((0, 0, 255), "steady", "address", "the table's address")
_ROW = 5


def counting_cells(board: Board) -> tuple[str, ...]:
    """Return ten cells to count by: two rows of five in the middle of the board."""
    cells = [spot for spot in board.spots.values() if spot.kind == "cell"] or [
        *board.spots.values()
    ]
    rows: dict[int, list[tuple[float, str]]] = {}
    for spot in cells:
        rows.setdefault(round(spot.centre[1]), []).append((spot.centre[0], spot.name))
    middle = sorted(rows, key=abs)
    chosen: list[str] = []
    for height in sorted(middle[: max(2, 10 // max(1, min(_ROW, len(rows[middle[0]]))))]):
        row = sorted(rows[height])
        start = max(0, (len(row) - _ROW) // 2)
        chosen += [name for _, name in row[start : start + _ROW]]
    return tuple(chosen[:10])


def sign(character: str, cells: Sequence[str]) -> LightFrame:
    """Return how one character of an address is lit."""
    if character.isdecimal():
        lit, light = cells[: int(character) or 10], DIGIT
    else:
        lit, light = cells[: 2 if character == ":" else 1], MARK
    return MappingProxyType(dict.fromkeys(lit, light))


class Greeting:
    """Shows ``address`` (digits, dots and a colon) again and again."""

    def __init__(self, board: Board, address: str, clock: Callable[[], float]) -> None:
        cells = counting_cells(board)
        self._signs = [sign(character, cells) for character in address]
        self._clock, self._began = clock, clock()

    def frame(self) -> LightFrame:
        """Return what is lit now."""
        each = SHOWN + DARK
        passed = (self._clock() - self._began) % (each * len(self._signs) + PAUSE)
        place, within = divmod(passed, each)
        if place >= len(self._signs) or within >= SHOWN:
            return MappingProxyType({})
        return self._signs[int(place)]


def spoken(address: str) -> str:
    """Return an address in words that a voice reads digit by digit."""
    names = {".": "dot", ":": "colon"}
    said = " ".join(names.get(character, character) for character in address)
    return f"The table is ready. Open {said} on your phone. Again: {said}."


def say_aloud(words: str) -> bool:
    """Begin to speak, if this machine has a voice; return whether it has."""
    program = shutil.which("espeak-ng") or shutil.which("espeak")
    if program is None:
        return False
    import subprocess

    subprocess.Popen(
        [program, "-s", "120", words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return True
