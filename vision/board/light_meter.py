"""The light meter: what a player should change at lamp, camera or markers, in plain words.

A pure function of one picture and of where the board lies in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.rules import Board
from vision.board.calibrate import SQUARE, Camera, Points
from vision.board.fit import rectify
from vision.board.raster import Floats, Raster, raster_over
from vision.board.viewpoint import leaning
from vision.frames import Image

PER_PITCH = 16
"""Raster points a pitch: enough for edges, cheap enough for every picture."""
FEW, ENOUGH = 16.0, 24.0
"""Pixels to a cell: below FEW nothing can be read, from ENOUGH on everything can."""
CARD_FEW, CARD_ENOUGH = 50.0, 80.0
"""Pixels to the width of a card: below CARD_FEW faces cannot be told apart, from CARD_ENOUGH on all
can, also through a soft lens."""
DARK, DIM = 45.0, 80.0
"""Lightness (0 to 255) of the lightest tenth of the board: below DARK it is too dark to read, below
DIM rather dark."""
WHITE = 250.0
"""Lightness (0 to 255) from which on a pixel is overexposed: whatever is brighter looks alike."""
GLARING = 0.5
"""Share of a cell that is overexposed, from which on its token cannot be read."""
BLURRED = 0.40
"""Sharpness lost (0 none, 1 all; see :func:`blurredness`) from which on faces cannot be told
apart."""
TOP = 0.3
"""Pitches round the middle of a tall token's top that must be in the picture for the token to be
known."""
NAMED = 4
"""Cells that a remark names; further ones are only counted."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to mend: ``kind`` is a word for programs, ``text`` a sentence for people,
    ``bad`` tells that nothing can be read before it is mended."""

    kind: str
    text: str
    bad: bool = False


def light_meter(
    image: Image, camera: Camera | None, board: Board, unseen: tuple[int, ...] = ()
) -> tuple[Remark, ...]:
    """Return what is wrong with the picture, the worst first; nothing for a good one.

    Without ``camera`` only light and markers are judged. ``unseen`` are the printed markers that
    should be in the picture and are not found.
    """
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    if camera is None:
        return (*_darkness(gray), *_markers(unseen))
    raster = raster_over(board, PER_PITCH, 0.0)
    flat = rectify(gray, camera, raster)
    cells = _cells(flat, raster, board)
    remarks = [
        *_framing(camera, board),
        *_pixels(camera, board),
        *_darkness(np.concatenate(list(cells.values()))),
        *_glare(cells),
        *_blur(flat, cells),
        *_markers(unseen),
    ]
    return tuple(sorted(remarks, key=lambda remark: not remark.bad))


def pixels_a_cell(camera: Camera, board: Board) -> float:
    """Return how many pixels a pitch is long where the board is farthest from the camera."""
    larger = [
        cv2.contourArea(camera.project(spot.outline).astype(np.float32))
        / cv2.contourArea(np.array(spot.outline, np.float32))
        for spot in board.spots.values()
    ]
    return float(np.sqrt(np.percentile(larger, 5)) * board.pitch)


def _framing(camera: Camera, board: Board) -> Iterator[Remark]:
    spots = board.spots.values()
    outside = [s.name for s in spots if _beyond(camera, np.array(s.outline))]
    if outside:
        yield Remark(
            "outside",
            f"{_named(outside)} reach beyond the picture: raise the camera or turn it.",
            bad=True,
        )
    elif board.token_height:
        yield from _headroom(camera, board)


def _headroom(camera: Camera, board: Board) -> Iterator[Remark]:
    """Tops of tall tokens are seen farther from the point under the camera than their feet."""
    under, slope = leaning(camera, board.token_height)
    foot = np.array(under)
    square = TOP * board.pitch * SQUARE
    centres = {spot.name: np.array(spot.centre) for spot in board.spots.values()}
    tops = {name: at + slope * (at - foot) for name, at in centres.items()}
    if hidden := [name for name, top in tops.items() if _beyond(camera, top + square)]:
        yield Remark(
            "outside",
            f"What stands on {_named(hidden)} reaches beyond the picture: raise the camera or "
            "turn it.",
        )


def _beyond(camera: Camera, points: Points) -> bool:
    """Tell whether any of these board points lies beyond the picture."""
    pixels = camera.project(points)
    return bool((pixels < 0).any() or (pixels >= camera.size).any())


def _pixels(camera: Camera, board: Board) -> Iterator[Remark]:
    pixels, what, tokens, few, enough = pixels_a_cell(camera, board), "cell", "pieces", FEW, ENOUGH
    if board.card_width:
        pixels *= board.card_width / board.pitch
        what, tokens, few, enough = "card", "cards", CARD_FEW, CARD_ENOUGH
    if pixels < enough:
        bad = pixels < few
        need = "cannot be told apart" if bad else "are hard to tell apart"
        yield Remark(
            "small",
            f"A {what} is only {pixels:.0f} pixels wide, so {tokens} {need}: bring the camera "
            f"nearer, or choose a larger picture; {enough:.0f} and more are good.",
            bad,
        )


def _darkness(seen: Floats | Image) -> Iterator[Remark]:
    light = float(np.percentile(seen, 90))
    if light < DARK:
        yield Remark("dark", "It is too dark to tell the pieces apart: switch a lamp on.", True)
    elif light < DIM:
        yield Remark("dark", "It is rather dark: more light gives a calmer picture.")


def _glare(cells: dict[str, Floats]) -> Iterator[Remark]:
    washed = [name for name, seen in cells.items() if float((seen >= WHITE).mean()) > GLARING]
    if len(washed) > 0.2 * len(cells):
        yield Remark(
            "glare",
            "Most of the board is washed out by light: dim the lamp, or move it aside.",
            bad=len(washed) > 0.5 * len(cells),
        )
    elif washed:
        yield Remark(
            "glare", f"A lamp is mirrored on {_named(washed)}: move the lamp or the camera aside."
        )


def _blur(flat: Floats, cells: dict[str, Floats]) -> Iterator[Remark]:
    contrast = float(np.concatenate(list(cells.values())).std())
    if contrast > 6 and blurredness(flat) > BLURRED:
        yield Remark(
            "blur",
            "The picture is blurred: wipe the lens, focus on the board, or hold the camera still.",
        )


def _markers(unseen: tuple[int, ...]) -> Iterator[Remark]:
    if len(unseen) == 1:
        yield Remark(
            "markers",
            f"Marker {unseen[0]} is not found: uncover it, light it evenly and keep its white rim "
            "free.",
        )
    elif unseen:
        numbers = ", ".join(map(str, unseen))
        yield Remark(
            "markers",
            f"Markers {numbers} are not found: uncover them, light them evenly and keep their "
            "white rims free.",
        )


def blurredness(flat: Floats) -> float:
    """Return how much sharpness is lost, 0 to 1: how little the picture changes when it is
    blurred once more (Crete, Dolmiere, Ladret and Nicolas 2007)."""
    lost = []
    for size in ((9, 1), (1, 9)):
        again = np.asarray(cv2.blur(flat, size), np.float32)
        axis = 1 if size[0] > 1 else 0
        own = np.abs(np.diff(flat, axis=axis))
        other = np.abs(np.diff(again, axis=axis))
        gone = np.maximum(0.0, own - other).sum()
        lost.append(1.0 - float(gone / max(float(own.sum()), 1e-6)))
    return max(lost)


def _cells(flat: Floats, raster: Raster, board: Board) -> dict[str, Floats]:
    """Return the lightness of the middle of every spot, flat."""
    reach = max(2, int(0.3 * board.pitch / raster.step))
    cells = {}
    for spot in board.spots.values():
        x, y = np.round(raster.to_pixels(np.array([spot.centre]))[0]).astype(int)
        part = flat[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        cells[spot.name] = np.asarray(part, np.float32).ravel()
    return cells


def _named(spots: list[str]) -> str:
    if len(spots) <= NAMED:
        return ", ".join(spots)
    return f"{', '.join(spots[:NAMED])} and {len(spots) - NAMED} more"
