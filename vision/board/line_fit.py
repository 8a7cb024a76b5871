"""A camera fitted to the lines of a board, and how surely they lie where it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from vision.board.calibrate import Camera, Points, fit_camera
from vision.board.fit import parabola
from vision.board.printed_lines import (
    Complex,
    Gray,
    PrintedLines,
    line_field,
    responses,
)
from vision.board.raster import halved

FINEST = 40.0
"""Pixels a cell; larger pictures are made smaller first."""
STAGES = ((0.35, 0), (0.3, 0), (0.22, 1), (0.15, 1), (0.12, 2), (0.1, 2))
"""How far lines are searched, in cells, and how many terms of the lens are fitted."""
SEEN = 0.15
"""Agreement below which a line is not there."""
PLAIN = 0.35
"""Agreement from which on a line plainly is there."""
NEAR = (-0.06, -0.03, 0.0, 0.03, 0.06)
"""Cells by which a line may be off."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A picture in which lines are looked for, ``shrink`` times smaller than ``size``."""

    field: Complex
    shrink: int
    size: tuple[int, int]

    @classmethod
    def of(cls, gray: Gray, cell: float) -> Self:
        """Make it of a picture in which a cell is ``cell`` pixels wide."""
        size, shrink = (gray.shape[1], gray.shape[0]), 1
        while cell / shrink > FINEST:
            shrink *= 2
        return cls(line_field(halved(gray, shrink)), shrink, size)

    def small(self, camera: Camera) -> Camera:
        """Return how ``camera`` sees the board in the small picture."""
        rows, columns = self.field.shape
        return camera.zoomed(1 / self.shrink, 1 / self.shrink, (columns, rows))

    def large(self, camera: Camera) -> Camera:
        """Return the opposite of :meth:`small`."""
        return camera.zoomed(self.shrink, self.shrink, self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How well a picture shows the lines where a camera sees them.

    ``mean`` over all lines, -1 to 1; ``share``: how many are plainly there; ``margin``: by how
    much those that tell the place from the next one agree more than the ones that would be there
    if the board lay a cell farther (the least over all ways); ``rival``: how the picture would
    show it there.
    """

    mean: float
    share: float
    margin: float
    rival: Camera


def fit_to_lines(sight: Sight, lines: PrintedLines, camera: Camera) -> Camera:
    """Fit ``camera``, off by a third of a cell at most, to the lines in the picture."""
    camera = sight.small(camera)
    cell, middles = camera.pixels_per_mm() * lines.cell, lines.ends.mean(1)
    for reach, terms in STAGES:
        far = max(2.0, np.ceil(reach * cell))
        offsets = np.arange(-far, far + 1)
        agree, across = responses(sight.field, camera, lines.ends, offsets)
        off, likeness = _tops(agree, offsets, max(2.0, reach * cell) * 0.7)
        weight = likeness**2 * (likeness > SEEN)
        if np.count_nonzero(weight) < 10:
            break
        there = camera.project(middles) + across * off[:, None]
        scale = max(1.0, float(np.median(np.abs(off[weight > 0]))) * 1.5)
        for _ in range(2):
            stray = ((camera.project(middles) - there) * across).sum(1) / scale
            robust = weight / (1 + stray**2) ** 2
            camera = fit_camera(middles, there, camera.size, robust, terms, camera, across)
    return sight.large(camera)


def _tops(agree: Points, offsets: Points, usual: float) -> tuple[Points, Points]:
    """Return where each line agrees best, to a part of a pixel, near ones first, and how well."""
    agree = np.maximum(agree, 0) * np.exp(-0.5 * (offsets / usual) ** 2)
    each, top = np.arange(len(agree)), agree.argmax(1)
    inner = top.clip(1, len(offsets) - 2)
    part = parabola(np.stack([agree[each, inner + step] for step in (-1, 0, 1)]))
    return np.asarray(offsets[inner] + part), np.asarray(agree[each, top])


def agreement(sight: Sight, lines: PrintedLines, camera: Camera) -> Agreement:
    """Return how well the picture agrees with ``camera``."""
    small = sight.small(camera)
    offsets = np.array(NEAR) * small.pixels_per_mm() * lines.cell

    def there(ends: Points, seen: Camera) -> Points:
        return np.asarray(responses(sight.field, seen, ends, offsets)[0].max(1))

    own, margin, beside = there(lines.ends, small), np.inf, camera
    for rival in lines.rivals:
        its = there(lines.ends[rival.new], small.moved(np.eye(2), rival.way))
        ahead = float(own[rival.gone].mean() - its.mean())
        if ahead < margin:
            margin, beside = ahead, camera.moved(np.eye(2), rival.way)
    return Agreement(float(own.mean()), float((own > PLAIN).mean()), margin, beside)
