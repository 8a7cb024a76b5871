"""Whether a board lies where a table file says: points that were tapped or typed may be wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from companion.rules import BadInput, Board, Drawing, say
from vision.board.calibrate import Camera, away, camera_from_table
from vision.board.calibration import PULL
from vision.board.facing import set_up_ways
from vision.board.find import AHEAD, ALONE, find_board, settled
from vision.board.line_fit import Sight
from vision.board.printed_lines import PrintedLines, lines_of, turned
from vision.frames import Image, TableFile

NONE = 0.42
"""Share of lines below which the picture does not show the board there. Of 66 photographs of other
things, busy ones among them, the edges agreed with 0.38 at most; of boards that were half hidden
with 0.44 or so."""
HALF = 0.5
"""Share of the spots that have to be in the picture."""


def confirmed_camera(
    image: Image,
    board: Board,
    table: TableFile,
    men: Callable[[], Mapping[str, Drawing]] = dict,
) -> Camera:
    """Find the board by the table file as :func:`camera_from_table`; points that are off by half a
    cell are put right by the lines of the print. ``men`` draws what should stand on its
    spots; markers need none of it.

    Raises:
        BadInput: the table file does not say where the board lies, or says it wrong: mirrored,
            outside the picture, cells away from it, or where the picture shows no board; or the
            men stand on other sides of the board than it says.
    """
    camera, lines = camera_from_table(board, table, image), lines_of(board)
    # Markers confirm themselves. Lines of an irregular board need not be printed.
    if "markers" in table or not lines.rivals:
        return camera
    field = "corners" if "corners" in table else "taps"
    camera = _at_its_place(image, board, camera, lines, field)
    if 0 not in set_up_ways(image, board, camera, men()):
        raise BadInput(
            say("the pieces stand on other sides of the board than the {field} of the table file "
                "say; calibrate again, or set them up the other way round", field=field)
        )  # fmt: skip
    return camera


def _at_its_place(
    image: Image, board: Board, camera: Camera, lines: PrintedLines, field: str
) -> Camera:
    """Return ``camera``, by points of a ``field`` of the table file, as the lines of the print put
    it right."""
    seen = camera.project(np.array([spot.centre for spot in board.spots.values()]))
    if ((seen > 0) & (seen < camera.size)).all(1).mean() < HALF:
        raise BadInput(
            say("by the {field} of the table file most of the board lies outside the picture; "
                "calibrate again", field=field)
        )  # fmt: skip
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    near = settled(Sight.of(gray, camera.pixels_per_mm() * lines.cell), lines, camera)
    plain = near is not None and near[0].share > ALONE and near[0].margin > AHEAD
    if near is not None and plain and away(near[1], camera, board) < PULL:
        return near[1]
    # How a board lies round is not asked here: the table file may say it otherwise than its print.
    ways = (turned(one, lines, turn / lines.fold)
            for one in find_board(image, board, {})[:1] for turn in lines.turns)  # fmt: skip
    found = [(away(one, camera, board), one) for one in ways]
    far, other = min(found, key=lambda pair: pair[0], default=(0.0, camera))
    if far > PULL:
        raise BadInput(
            say("the {field} of the table file are wrong by up to {count} cells: the picture shows "
                "the board elsewhere; calibrate again", field=field, count=round(far, 1))
        )  # fmt: skip
    if not found and (near is None or near[0].share < NONE):
        raise BadInput(
            say("where the {field} of the table file put the board, the picture does not show it; "
                "uncover the board, or calibrate again", field=field)
        )  # fmt: skip
    return other
