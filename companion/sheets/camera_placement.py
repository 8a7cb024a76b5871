"""Where a camera has to stand, and what a board needs: the tables of the build guide.

``python -m companion.sheets.camera_placement docs/build.md`` writes them anew from the boards'
own geometry.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.games import find_game, games
from companion.rules import Board
from companion.sheets.contents import PrintOrder, board_sheet
from companion.sheets.paper import divided, fitting_scale
from hardware.budget import budgets
from hardware.wiring import default_wiring
from vision.board.light_meter import ENOUGH
from vision.board.optics import CameraView, Optics, fit_view

LEAN = 25.0
"""Degrees by which a camera beside the board is tilted."""


@dataclass(frozen=True, slots=True)
class CameraLens:
    """A camera: how far it sees across, in degrees, and its usual picture in pixels."""

    name: str
    across: float
    size: tuple[int, int]

    @property
    def focal(self) -> float:
        """Return the focal length in picture widths: half the width over its tangent."""
        return 0.5 / math.tan(math.radians(self.across) / 2)


def across_of_lens(focal_mm: float, sensor_mm: float) -> float:
    """Return how far a lens sees across, in degrees, by its focal length and the sensor's width."""
    return 2 * math.degrees(math.atan(sensor_mm / 2 / focal_mm))


LENSES = (
    CameraLens("Pi Camera Module 3", 66.0, (2304, 1296)),
    CameraLens("Pi Camera Module 3 Wide", 102.0, (2304, 1296)),
    CameraLens("Pi Camera Module 2", 62.2, (1640, 1232)),
    CameraLens("Pi HQ Camera, 6 mm lens", across_of_lens(6.0, 6.287), (2028, 1520)),
    CameraLens("USB webcam, 1080p, 78° corner to corner", 70.4, (1920, 1080)),
    CameraLens("USB webcam, 720p, 60° across", 60.0, (1280, 720)),
)
"""Cameras with the angles that their makers give; that of the HQ camera follows from its sensor,
6.287 mm wide."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a camera stands: its ``height`` over the board and how far ``beside`` its middle, in
    millimetres, and how many ``pixels`` a cell is wide where it is farthest."""

    height: float
    beside: float
    pixels: float


def site(board: Board, lens: CameraLens, lean: float) -> Site:
    """Return where ``lens`` sees the whole of ``board`` with its corner markers."""
    view = CameraView(
        image_size=lens.size, tilt=lean, turn=0.0, roll=0.0, lens=lens.focal, distortion=0.0
    )
    fitted = fit_view(board, replace(view, marks="markers"))
    optics = Optics(fitted)
    farthest = min(optics.scale(spot.centre) for spot in board.spots.values())
    x, y, z = optics.eye
    return Site(-float(z), float(math.hypot(x, y)), farthest * board.pitch)


def camera_rows(name: str) -> Iterator[str]:
    """Yield the rows of the camera table for one game's board."""
    game = find_game(name)
    board = game.board(game.setup())
    for lens in LENSES:
        above, leaning = site(board, lens, 0.0), site(board, lens, LEAN)
        good = "" if min(above.pixels, leaning.pixels) >= ENOUGH else " (too few)"
        yield (
            f"| {game.title} | {lens.name} | {above.height / 10:.0f} cm | {above.pixels:.0f} | "
            f"{leaning.height / 10:.0f} cm up, {leaning.beside / 10:.0f} cm from the middle | "
            f"{leaning.pixels:.0f}{good} |"
        )


def board_row(name: str) -> str:
    """Return what one game's board needs: paper, LEDs, the current of the brightest frame."""
    game = find_game(name)
    order = PrintOrder(game, game.setup())
    board, sheet = order.board, board_sheet(order)
    left, top, right, bottom = board.bounds
    pages = len(divided(sheet, "a4").pages)
    fitted = fitting_scale(sheet, "a2") * board.pitch
    wiring = default_wiring(board)
    drawn = budgets(game, order.setup, wiring)[0].brightest if wiring.count else 0.0
    return (
        f"| {game.title} | {board.pitch:g} mm | {right - left:.0f} × {bottom - top:.0f} mm | "
        f"{sheet.size[0]:.0f} × {sheet.size[1]:.0f} mm | {pages} | {fitted:.1f} mm | "
        f"{wiring.count or '–'} | {f'{drawn / 1000:.1f} A' if drawn else '–'} |"
    )


def tables(names: Sequence[str]) -> dict[str, str]:
    """Return every computed table by its name, as Markdown."""
    boards = [
        "| game | a cell | the board | with markers | pages A4 | a cell on one A2 | LEDs "
        "| brightest frame |",
        "|---|---|---|---|---|---|---|---|",
        *map(board_row, names),
    ]
    cameras = [
        "| game | camera | straight above | pixels a cell | leaning in by 25° | pixels a cell |",
        "|---|---|---|---|---|---|",
        *(row for name in names for row in camera_rows(name)),
    ]
    return {"boards": "\n".join(boards), "cameras": "\n".join(cameras)}


def filled(text: str, made: dict[str, str]) -> str:
    """Return ``text`` with each table between its marks, as ``<!-- boards -->``, replaced."""
    for name, table in made.items():
        mark = f"<!-- {name} -->"
        if text.count(mark) == 2:
            before, _, after = text.split(mark)
            text = f"{before}{mark}\n{table}\n{mark}{after}"
    return text


def main(arguments: Sequence[str]) -> int:
    """Write the tables of every game into the guides that are named."""
    made = tables(tuple(games()))
    for name in arguments:
        path = Path(name)
        path.write_text(filled(path.read_text(encoding="utf-8"), made), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
