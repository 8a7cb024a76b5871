"""The replay photograph: what the table looked like around an action, before and after."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.rules import BadInput, Board
from vision.board.calibrate import Camera
from vision.frames import Image
from vision.pictures import to_jpeg

LONGEST_SIDE = 640
"""Pixels of the longer side: enough to recognise a piece on a phone, small enough to keep a
photograph of every action."""


def photograph(image: Image, camera: Camera, board: Board, spots: Iterable[str]) -> bytes:
    """Return the part of ``image`` around ``spots`` as JPEG, at most 640 pixels long.

    Raises:
        BadInput: no spot is named, or none of them lies in the picture.
    """
    height, width = image.shape[:2]
    margin = board.pitch
    corners = [
        (x + dx, y + dy)
        for spot in spots
        for x, y in board[spot].outline
        for dx, dy in ((-margin, -margin), (margin, margin))
    ]
    if not corners:
        raise BadInput("a photograph needs at least one spot")
    pixels = np.asarray(camera.project(corners))
    left, top = np.floor(pixels.min(axis=0)).astype(int)
    right, bottom = np.ceil(pixels.max(axis=0)).astype(int)
    crop = image[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
    if not crop.size:
        raise BadInput(f"{', '.join(spots)} lie outside the picture")
    shrink = LONGEST_SIDE / max(crop.shape[:2])
    if shrink < 1:
        crop = cv2.resize(crop, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return to_jpeg(crop, 80)
