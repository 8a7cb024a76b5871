"""Finds a board by its print alone: without markers, without taps, in any turn."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.rules import Board, Drawing
from vision.board.calibrate import Camera
from vision.board.facing import shows_print, ways_round
from vision.board.line_fit import Agreement, Sight, agreement, fit_to_lines
from vision.board.line_search import likely_places
from vision.board.printed_lines import Gray, PrintedLines, lines_of, turned
from vision.frames import Image

LARGEST = 1800
"""Pixels of the longer side of the picture that is searched."""
STEPS = 3
"""Times that a board is moved on by a cell where that agrees better."""
THERE, AHEAD = 0.65, 0.2
"""What makes a place certain: the share of lines that are plainly there, and the margin over any
place a cell farther. Over 70 boards and photographs the least were 0.77 and 0.24; where there was
no such board, none had more than 0.48 with a margin over 0.1; a grid half as large had 0.62."""
ALONE = 0.75
"""The share of lines that is enough where no other place comes into question: where none a cell
farther looks alike, of the zones of a mat 0.77 were there under a hand, elsewhere at most 0.64;
where somebody said how a board lies, a grid half a cell off, or half as large, had 0.7 at most."""
EASY = 0.8, 0.3
"""The same, beyond which no other place is looked at, and lines are enough. Below, colours of the
print have to be there, too: on a board that is set up, a grid half as high had 0.76."""


def find_board(image: Image, board: Board, men: Mapping[str, Drawing]) -> tuple[Camera, ...]:
    """Find ``board`` in ``image``, anywhere and in any turn; nothing where that is not certain.

    More than one camera is returned where the board lies there for certain, but the picture does
    not tell which way round. ``men`` are the drawings of what stands on its spots at the set-up.
    """
    lines = lines_of(board)
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    scale = max(1.0, max(gray.shape) / LARGEST)
    if scale > 1:
        less = (round(gray.shape[1] / scale), round(gray.shape[0] / scale))
        gray = np.asarray(cv2.resize(gray, less, interpolation=cv2.INTER_AREA), np.uint8)
    found = _place(gray, lines)
    if found is None:
        return ()
    agree, camera = found
    size = (image.shape[1], image.shape[0])
    camera = camera.zoomed(size[0] / gray.shape[1], size[1] / gray.shape[0], size)
    if agree.share < EASY[0] and not shows_print(image, board, camera, lines):
        return ()
    turns = ways_round(image, board, camera, lines, men)
    return tuple(turned(camera, lines, turn / lines.fold) for turn in turns)


def _place(gray: Gray, lines: PrintedLines) -> tuple[Agreement, Camera] | None:
    best: tuple[Agreement, Camera] | None = None
    for start in likely_places(gray, lines):
        if not within(start, lines):
            continue
        sight = Sight.of(gray, start.pixels_per_mm() * lines.cell)
        now = settled(sight, lines, start)
        if now is None:
            continue
        if best is None or now[0].mean > best[0].mean:
            best = now
        if now[0].share > EASY[0] and now[0].margin > EASY[1]:
            break
    if best is None:
        return None
    there = THERE if lines.rivals else ALONE
    return best if best[0].share > there and best[0].margin > AHEAD else None


def settled(sight: Sight, lines: PrintedLines, start: Camera) -> tuple[Agreement, Camera] | None:
    """Fit a camera to the lines, and move on by a cell as long as the lines agree better there."""
    best: tuple[Agreement, Camera] | None = None
    for _ in range(STEPS):
        camera = fit_to_lines(sight, lines, start)
        if not within(camera, lines):
            return best
        agree = agreement(sight, lines, camera)
        if best is not None and agree.mean <= best[0].mean:
            return best
        best, start = (agree, camera), agree.rival
        if agree.margin > 0:
            return best
    return best


def within(camera: Camera, lines: PrintedLines) -> bool:
    """Tell whether the board is seen from above, most of it in the picture, and not as a speck."""
    if not np.isfinite(camera.homography).all():
        return False
    middles = lines.ends.mean(1)
    pixels, (width, height) = camera.project(middles), camera.size
    inside = (pixels > 0).all(1) & (pixels < (width, height)).all(1)
    area = np.linalg.det(camera.homography)
    return bool(
        camera.spreads(middles).all()
        and area > 0
        and inside.mean() > THERE
        and camera.pixels_per_mm() * lines.extent > min(width, height) / 5
    )
