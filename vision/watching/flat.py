"""Shrunken pictures and rasters of even size: what makes comparing frames cheap."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.board.raster import Floats, Raster
from vision.frames import Image


def whole_cells(raster: Raster, coarse: int) -> Raster:
    """Return ``raster`` widened so that its width and height are multiples of ``coarse`` points;
    means over such cells are cheap."""
    width, height = (-(-side // coarse) * coarse for side in (raster.width, raster.height))
    return replace(raster, width=width, height=height)


def shrunk(most: float) -> int:
    """Return the factor to shrink a picture by: the greatest of 1, 2, 3, 4, 6, 8, 12 … that is not
    more than ``most``."""
    power = 1
    while 2 * power <= most:
        power *= 2
    return 3 * power // 2 if 1 < power <= most / 1.5 else power


def smaller(image: Image, shrink: int) -> Image:
    """Return the picture shrunk by the factor ``shrink`` of :func:`shrunk`. Reading pixels is what
    costs, so from a factor of four on every second row is left out, and so on."""
    width, height = image.shape[1] // shrink, image.shape[0] // shrink
    if shrink < 4:
        small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)
    # Rows at equal distances, on the whole half a pixel below the middle of what they stand for.
    rows = image[shrink // 4 :: shrink // 2][: 2 * height, : shrink * width]
    size = (shrink * width // 2, height)
    small = cv2.resize(rows, size, interpolation=cv2.INTER_AREA)
    if shrink > 4:
        # Else columns between would be left out, and edges be wherever a bump shifted them.
        small = cv2.blur(small, (3, 1))
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def means(image: Image, size: tuple[int, int]) -> Image:
    """Return the picture in ``size`` (width, height): means of some pixels, which are enough."""
    some = cv2.resize(image, (4 * size[0], 4 * size[1]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.resize(some, size, interpolation=cv2.INTER_AREA), np.uint8)


def lightness(image: Image, width: int, blur: int) -> Floats:
    """Return the picture in grey, at least ``width`` pixels wide if it is, and smoothed over
    ``blur`` of them."""
    small = cv2.cvtColor(smaller(image, shrunk(image.shape[1] / width)), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.blur(small, (blur, blur)), np.float32)
