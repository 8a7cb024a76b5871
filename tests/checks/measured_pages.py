"""Pages of a PDF as pixels, and what is measured on them: nothing here knows how they are drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import cv2
import numpy as np
import pypdfium2

from vision.board.printing import DICTIONARY

MARGIN, GLUED = 12.0, 10.0
"""Millimetres that a page's drawing keeps from its edges, and that the next page covers of it: what
the guide tells people who glue pages."""
RULER = 100.0
CLOSER = 25.0
"""Pixels a millimetre where something small is measured: filled areas are drawn up to a pixel too
large."""
Box = tuple[float, float, float, float]


class Fit(NamedTuple):
    """How points in millimetres came to lie on a page: ``scale`` times their size, none farther
    than ``off`` millimetres of the page from its place; ``place`` tells where one came to lie, in
    pixels (n, 2)."""

    scale: float
    off: float
    matrix: Any

    def place(self, points: Any) -> Any:
        points = np.asarray(points, float)
        return points @ self.matrix[:, :2].T + self.matrix[:, 2]


class PrintedPage:
    """A page of the PDF ``document``, ``dots`` pixels a millimetre: ``size`` in millimetres, and
    the ``picture`` (height, width, 3), blue, green and red."""

    def __init__(self, page: Any, dots: float) -> None:
        self.dots, self._page = dots, page
        self.size = tuple(length * 25.4 / 72 for length in page.get_size())
        rendered = page.render(scale=dots * 25.4 / 72).to_numpy()[:, :, :3]
        self.picture = np.ascontiguousarray(rendered)
        self._letters = page.get_textpage()
        self.text: str = self._letters.get_text_bounded()

    @cached_property
    def captions(self) -> tuple[tuple[str, Box], ...]:
        """What is written, and its left, top, right and bottom in millimetres."""
        count, letter, box = (getattr(self._letters, name) for name in
                              ("count_chars", "get_text_range", "get_charbox"))  # fmt: skip
        return tuple(self._captions((letter(n, 1), box(n)) for n in range(count())))

    @property
    def grey(self) -> Any:
        return cv2.cvtColor(self.picture, cv2.COLOR_BGR2GRAY)

    def _captions(self, letters: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Box]]:
        """Yield what is written and its left, top, right and bottom in millimetres: letters in a
        line with no gap between them that is wider than they are high."""
        words, box = "", None
        for letter, (left, low, right, high) in letters:
            if letter in "\r\n" or (
                box and letter != " " and left - box[2] > 6 * (box[3] - box[1])
            ):
                if box:
                    yield words.strip(), self._from_above(box)
                words, box = "", None
            if letter not in " \r\n":
                old = box or (left, low, right, high)
                box = (min(old[0], left), min(old[1], low), max(old[2], right), max(old[3], high))
            words += letter
        if box:
            yield words.strip(), self._from_above(box)

    def _from_above(self, box: Box) -> Box:
        left, low, right, high = (value * 25.4 / 72 for value in box)
        return left, self.size[1] - high, right, self.size[1] - low

    def ruler(self) -> float:
        """Return how long the longest line in the lower margin is, in millimetres."""
        foot = self.grey[-round(self.dots * (MARGIN - 1)) : -round(self.dots * 4)]
        lengths = [ink[-1] - ink[0] + 1 for row in foot < 128 if len(ink := np.flatnonzero(row))]
        return float(max(lengths) / self.dots)

    def closer(self, left: float, top: float, right: float, bottom: float, dots: float) -> Any:
        """Return what lies within a box of millimetres, ``dots`` pixels each."""
        edges = left, self.size[1] - bottom, self.size[0] - right, top
        crop = tuple(edge * 72 / 25.4 for edge in edges)
        return self._page.render(scale=dots * 25.4 / 72, crop=crop).to_numpy()[:, :, :3]

    def drawing(self) -> Any:
        """Return the picture within the margins."""
        edge = round(self.dots * MARGIN)
        return self.picture[edge:-edge, edge:-edge]


def pages(path: Any, dots: float) -> Iterator[PrintedPage]:
    """Yield the pages of the PDF at ``path``."""
    for page in pypdfium2.PdfDocument(path):
        yield PrintedPage(page, dots)


def glued(path: Any, dots: float) -> Any:
    """Return the pages of a sheet glued together, each where its title says."""
    found = {}
    for page in pages(path, dots):
        told = re.search(r"row (\d+) of (\d+), column (\d+) of (\d+)", page.text)
        row, _, column, _ = map(int, told.groups()) if told else (1, 1, 1, 1)
        found[row - 1, column - 1] = page.drawing()
    high, wide = next(iter(found.values())).shape[:2]
    step = dots * GLUED
    rows, columns = (max(place[axis] for place in found) + 1 for axis in (0, 1))
    shape = (round(rows * (high - step) + step), round(columns * (wide - step) + step), 3)
    sheet = np.full(shape, 255, np.uint8)
    for (row, column), part in sorted(found.items()):
        y, x = round(row * (high - step)), round(column * (wide - step))
        sheet[y : y + high, x : x + wide] = part
    return sheet


def markers_of(picture: Any) -> dict[int, Any]:
    """Return the corners (4, 2) in pixels of every marker that OpenCV finds."""
    aruco: Any = cv2.aruco
    options = aruco.DetectorParameters()
    options.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
    dictionary = aruco.getPredefinedDictionary(getattr(aruco, DICTIONARY))
    corners, numbers, _ = aruco.ArucoDetector(dictionary, options).detectMarkers(picture)
    found = zip([] if numbers is None else numbers.ravel(), corners, strict=True)
    return {int(number): quad.reshape(4, 2) for number, quad in found}


def side_of(page: PrintedPage, quad: Any) -> float:
    """Return the side in millimetres of the upright marker at ``quad``, looked at more closely: the
    root of all that its black rim holds."""
    low, high = quad.min(axis=0) / page.dots - 1, quad.max(axis=0) / page.dots + 1
    dark = cv2.cvtColor(page.closer(*low, *high, CLOSER), cv2.COLOR_BGR2GRAY) < 136
    rims, _ = cv2.findContours(dark.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = cv2.drawContours(np.zeros(dark.shape, np.uint8), rims, -1, 1, cv2.FILLED)
    return float(np.sqrt(whole.sum())) / CLOSER


def rings(picture: Any, radius: float) -> Any:
    """Return the middles (n, 2) of all black rings of that radius, in pixels."""
    half = int(radius + 3)
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    kernel = (np.abs(np.hypot(x, y) - radius) < 1).astype(np.float32)
    # Red ways of strips are hardly dark in red.
    dark = 255 - picture[:, :, 2].astype(np.float32)
    ringed = cv2.filter2D(dark, -1, kernel / kernel.sum())
    peaks = (ringed == cv2.dilate(ringed, np.ones((half, half)))) & (ringed > 0.7 * ringed.max())
    _, _, _, middles = cv2.connectedComponentsWithStats(peaks.astype(np.uint8))
    return middles[1:]


def fitted(told: Any, seen: Any, dots: float) -> Fit:
    """Return how points (n, 2) in millimetres came to lie where they were ``seen``, in pixels."""
    matrix, _ = cv2.estimateAffinePartial2D(np.asarray(told, float), np.asarray(seen, float))
    there = Fit(0.0, 0.0, matrix).place(told)
    scale = float(np.hypot(*matrix[:, 0]))
    return Fit(scale / dots, float(np.linalg.norm(there - seen, axis=1).max()) / dots, matrix)


def ring_of(page: PrintedPage, middle: Any) -> float:
    """Return the diameter in millimetres of the black ring about ``middle`` (pixels), some 6 mm
    wide, looked at more closely in the four directions in which no lines cross it."""
    low = middle / page.dots - 5
    grey = cv2.cvtColor(page.closer(*low, *(low + 10), CLOSER), cv2.COLOR_BGR2GRAY)
    reach = np.arange(2.5, 3.5, 0.01)
    widths = []
    for turn in np.radians((45, 135, 225, 315)):
        ray = (5 + np.outer(reach, (np.cos(turn), np.sin(turn)))) * CLOSER - 0.5
        along = cv2.remap(grey, ray[None].astype(np.float32), None, cv2.INTER_LINEAR)[0]
        widths.append(reach[along < 128].mean())
    return 2 * float(np.mean(widths))


def pieces_of(page: PrintedPage) -> list[tuple[float, float]]:
    """Return width and height in millimetres of everything printed apart, row by row."""
    ink = (page.drawing() < 250).any(axis=2).astype(np.uint8)
    rims, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [box for box in map(cv2.boundingRect, rims) if min(box[2:]) > 5 * page.dots]
    high = max(box[3] for box in boxes)
    boxes.sort(key=lambda box: (round((box[1] + box[3] / 2) / high * 2), box[0]))
    return [(wide / page.dots, tall / page.dots) for _, _, wide, tall in boxes]


def patch(picture: Any, outline: Any) -> tuple[Any, float]:
    """Return the middle (2,) and the area, in pixels, of the patch of one colour in the middle of
    ``outline`` (n, 2)."""
    low, high = outline.min(axis=0).astype(int) - 10, outline.max(axis=0).astype(int) + 11
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    mask = np.zeros((part.shape[0] + 2, part.shape[1] + 2), np.uint8)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE | 1 << 8
    x, y = np.round(outline.mean(axis=0)).astype(int) - low
    cv2.floodFill(part, mask, (int(x), int(y)), 0, (6,) * 3, (6,) * 3, flags)
    rows, columns = np.nonzero(mask[1:-1, 1:-1])
    return np.array((columns.mean(), rows.mean())) + low, float(len(rows))
