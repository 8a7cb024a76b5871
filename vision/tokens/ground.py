"""A board seen from above as logarithms of light on a small raster, so that it can be compared in
any light.

The change of light is the local median of the difference between two pictures: what is put down or
taken away covers less than half of any neighbourhood.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.fit import coarse, match, rectify
from vision.board.light_meter import WHITE
from vision.board.raster import DARK, Floats, Raster, across, edge_of, in_view, raster_over, worst
from vision.board.refind import moved_cameras
from vision.frames import Image
from vision.light.bands import Bands
from vision.light.changes import added_light, local_median, without
from vision.light.hard import commonest, hard_light

PER_PITCH = 10
"""Raster points a pitch."""
MARGIN = 1.0
"""Pitches watched round the board: what reaches in from outside is a hand."""
STRIPED = 0.17
"""Share of the board along which hard light may end. A patch of sun has 0.07 to 0.12 of it, a
blind's stripes 0.2 and more: of what stands on so fine ones nothing can be told."""
PLAINER = 0.75
"""Part of the mean difference that hard light may leave, to be taken for what changed: sun leaves
0.4 to 0.7 of it, and where bands of a lamp lie instead 0.9 and more are left."""
MUCH = 0.3
"""Change of the logarithm of light that counts no more than a greater one: men who came or went."""
ROUNDS, FLAT = 10, 0.01
"""For the light over the board: rounds of weighted least squares, and the logarithm of light below
which a spot's deviation counts as none."""
INNER = 0.4
"""Pitches: half the side of the square over which the change of a spot is measured."""
DISC = 0.36
"""Pitches: the radius of the disc by which a spot is judged: a man's foot, with how far he may
stand off the middle."""
ELSEWHERE = 0.02
"""Pitches by which a board must have moved to be followed."""
FARTHER = 2.0
"""Pitches beyond the watched margin in which a board is searched for after a kick."""
ROUGHLY, EXACTLY, LIKE = (0.25, 0.06), (0.55, 0.03), 0.6
"""For the first and the last pass of following a board: the share of patches that must agree, and
their error in pitches at most; and the correlation that they must have (LIKE). A hand leaves fewer
patches, at their old place; a board fitted two squares off has larger errors."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """How two pictures on the raster differ (height, width, 3), in logarithms of light: the
    ``difference`` without any change of light, as small as it can be, and the ``rest`` with what is
    smooth of it. Where hard light may end, the difference may be another: ``open`` tells what is to
    be added in the brightest light, in the likeliest, and in the darkest; None where there is no
    hard light."""

    difference: Floats
    rest: Floats
    open: tuple[Floats, Floats, Floats] | None = None

    @property
    def told(self) -> NDArray[np.bool_]:
        """Return the mask of the points (height, width) of which the light leaves nothing open."""
        if self.open is None:
            return np.ones(self.difference.shape[:2], np.bool_)
        return across(np.logical_and, self.open[0] == self.open[2])


class Ground:
    """Lays pictures of one board on the raster and compares them in any light.

    ``grid`` is where every point of the raster lies (height, width, 2), in millimetres; ``valid``
    tells which are in the picture, ``rim`` which of those are at its edge or that of the raster.
    """

    def __init__(self, board: Board, camera: Camera) -> None:
        self._board = board
        self.names = tuple(board.spots)
        self._raster = raster_over(board, PER_PITCH, MARGIN)
        middles = self._raster.to_pixels(np.array([s.centre for s in board.spots.values()]))
        self._middles = np.round(middles).astype(np.int64)
        reach = int(INNER * PER_PITCH)
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        self._squares = self._around(x.ravel(), y.ravel())
        inside = np.hypot(x, y).ravel() <= DISC * PER_PITCH
        self._discs = self._squares[:, inside]
        around = np.stack([x.ravel(), y.ravel()], 1)[inside] / PER_PITCH
        self.basis = np.asarray(np.c_[np.ones(len(around)), around], np.float32)
        """Planes over the points of a disc (m, 3): 1, x and y in pitches from its middle."""
        left, top, right, bottom = board.bounds
        corners = self._raster.to_pixels(np.array([(left, top), (right, bottom)]))
        (x0, y0), (x1, y1) = np.round(corners).astype(int)
        shape = self._raster.height, self._raster.width
        self.on_board = np.zeros(shape, np.bool_)
        self.on_board[y0 : y1 + 1, x0 : x1 + 1] = True
        rows, columns = np.mgrid[: shape[0], : shape[1]]
        at = np.stack([columns.ravel(), rows.ravel()], 1).astype(np.float64)
        self.grid = np.asarray(self._raster.to_board(at).reshape(*shape, 2), np.float32)
        self._at_spots = self._middles[:, 1], self._middles[:, 0]
        x, y = ((at - at.mean(0)) / np.ptp(self._middles, 0).max() * 2).T
        self._bends = np.stack([np.ones(len(x)), x, y, x * x, x * y, y * y], 1).reshape(*shape, 6)
        self.look_through(camera)

    def look_through(self, camera: Camera) -> None:
        """Lay pictures through ``camera`` from now on."""
        self.camera = camera
        self.valid = in_view(camera, self._raster, 0)
        self.rim = edge_of(self.valid)
        places = self.grid.reshape(-1, 2).astype(np.float64)
        self._bands = Bands(camera, places, self.valid.ravel(), self._board.pitch / PER_PITCH)

    def follow(self, image: Image, before: Floats) -> Iterator[Camera]:
        """Yield where the board may have moved, the nearest place first; ``before`` is how it was
        laid on the raster before."""
        model, keep = np.ascontiguousarray(before[..., 1]), self.camera
        middles = np.array([spot.centre for spot in self._board.spots.values()])
        for start in self._starts(image, model, keep):
            if found := self._refined(image, model, start):
                moved = np.linalg.norm(found.project(middles) - keep.project(middles), axis=1).max()
                if moved < ELSEWHERE * keep.pixels_per_mm() * self._board.pitch:
                    return
                yield found

    def _starts(self, image: Image, model: Floats, camera: Camera) -> Iterator[Camera]:
        """Yield where to look: where it was, and where the whole board is found farther away than
        it is watched, as after a kick by a whole square, where its print fits as well."""
        yield camera
        wide = raster_over(self._board, PER_PITCH, MARGIN + FARTHER)
        rim = round(FARTHER * PER_PITCH)
        spare = (
            (rim, wide.height - model.shape[0] - rim),
            (rim, wide.width - model.shape[1] - rim),
        )
        padded = np.pad(model, spare, mode="edge")
        flat = np.ascontiguousarray(self._flat(image, camera, wide)[..., 1])
        yield from moved_cameras(padded, flat, wide, self._board, camera)

    def _refined(self, image: Image, model: Floats, camera: Camera) -> Camera | None:
        """Refine ``camera`` to a picture laid before; None where that does not fit."""
        for reach, agree, close in ((0.75, *ROUGHLY), (0.3, *EXACTLY)):
            seen = np.ascontiguousarray(self._flat(image, camera, self._raster)[..., 1])
            fit = match(model, seen, self._raster, self._board, camera, 1.0, reach, 0)
            if not (fit.share > agree and fit.error < close and fit.likeness > LIKE):
                return None
            camera = fit.camera
        return camera

    def kept(self, image: Image) -> Image:
        """Return of a picture what it takes to lay it on the raster again: a small part of it."""
        return coarse(image, self.camera, self._raster)

    def table(
        self, image: Image, then: Camera, hidden: NDArray[np.bool_]
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Return how the table beside the board was in a picture in which the board lay elsewhere,
        at ``then``, on the raster where the board lies now, and where that shows it: the points
        that then were ``hidden``, by the board or its men, tell nothing."""
        shrink = self.camera.size[0] / image.shape[1]
        mask = np.zeros(image.shape[:2], np.uint8)
        for outline in cv2.findContours(
            hidden.view(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )[0]:
            places = self._raster.to_board(outline[:, 0].astype(np.float64))
            pixels = (then.project(places) + 0.5) / shrink - 0.5
            cv2.fillPoly(mask, [np.round(pixels).astype(np.int32)], (1,))
        columns, rows = self._raster.maps(self.camera, shrink)
        unknown = np.asarray(cv2.remap(mask, columns, rows, cv2.INTER_LINEAR))
        shows = cv2.dilate(unknown, np.ones((5, 5), np.uint8)) == 0
        return self.lay(image), np.asarray(shows & self.valid)

    def lay(self, image: Image) -> Floats:
        """Return the picture on the raster, in logarithms of light (height, width, 3)."""
        return self._flat(image, self.camera, self._raster)

    @staticmethod
    def _flat(image: Image, camera: Camera, raster: Raster) -> Floats:
        flat = rectify(image, camera, raster)
        return np.asarray(np.log(cv2.GaussianBlur(flat, (0, 0), 0.6) + DARK), np.float32)

    def difference(self, now: Floats, then: Floats) -> Floats:
        """Return the difference of two pictures on the raster with the change of light taken out,
        (height, width, 3)."""
        return self.compare(now, then).difference

    def beside(self, now: Floats, then: Floats) -> Floats:
        """Return the difference of two pictures on the raster with the mean change of the board's
        light taken out, or that of a lamp at its side, whichever leaves least, (height, width, 3):
        what is large beside the board stays in it."""
        rest = self.compare(now, then).rest
        lights = np.median(rest[self.on_board], 0), self._bending(rest)
        left = np.stack([np.asarray(rest - light, np.float32) for light in lights])
        least = np.stack([worst(one) for one in left]).argmin(0)
        some = np.take_along_axis(left, least[None, ..., None], 0)[0]
        return np.asarray(some * self.valid[..., None])

    def shown_also(self, valid: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which points a picture shows, too, of whose points these were ``valid``: all but
        those, with their edge, that have come into the picture since."""
        new = (self.valid & ~valid).astype(np.uint8)
        return np.asarray(cv2.dilate(new, np.ones((5, 5), np.uint8)) == 0, np.bool_)

    def _banded(self, now: Floats, then: Floats) -> Floats:
        """Return ``then`` with the bands in it that are seen in the later picture. Dark places show
        them less."""
        bands = np.exp(self._bands.of(now - then))
        return np.asarray(np.log((np.exp(then) - DARK) * bands + DARK), np.float32)

    def _bending(self, rest: Floats) -> Floats:
        """Return the light that changed most of the spots, and goes on beside the board: a surface
        of the second order, fitted to the difference ``rest`` by least absolute deviations."""
        seen = self.valid.ravel()[self._squares].mean(1) > 0.5
        places, levels = self._bends[self._at_spots][seen], np.median(self.spots(rest)[seen], 1)
        weights = np.ones((len(places), 1))
        for _ in range(ROUNDS):
            bend = np.linalg.lstsq(places * weights, levels * weights, rcond=None)[0]
            off = np.abs(levels - places @ bend).max(1, keepdims=True)
            weights = np.maximum(off, FLAT) ** -0.5
        return np.asarray(self._bends @ bend, np.float32)

    def compare(self, now: Floats, then: Floats) -> Comparison:
        """Return how two pictures on the raster differ, without the change of light, and without a
        veil or the bands that are seen in the later one."""
        banded = self._banded(now, then)
        rests = now - then, now - banded, self._unveiled(now, then) - then
        evens = [self._in_even_light(rest) for rest in rests]
        seen = self.valid & self.on_board
        plain, bands_left, unveiled = (float(np.median(np.abs(off[seen]))) for off in evens)
        # A hand may be half a veil.
        best = 2 if 2 * unveiled < min(plain, bands_left) else int(bands_left < plain)
        found = Comparison(evens[best], rests[best])
        if (hard := self._in_hard_light(now, then)) is None:
            return found
        # Where it ends is a small part of the board, and does not show in the median.
        plain, lit = (
            float(np.minimum(np.abs(c.difference[seen]), MUCH).mean()) for c in (found, hard)
        )
        return hard if lit < PLAINER * plain else found

    def _in_hard_light(self, now: Floats, then: Floats) -> Comparison | None:
        """Compare two pictures without sun, or a shadow, with hard edges; None where there is none,
        or where it leaves open what men are on the board."""
        one, other = (np.maximum(np.exp(p) - DARK, 0).astype(np.float32) for p in (now, then))
        seen = self.valid & self.on_board
        gain = np.exp(commonest(np.log(one[seen] + 2) - np.log(other[seen] + 2)))
        one = np.asarray(one / gain, np.float32)
        white = np.broadcast_to(np.asarray(WHITE / gain, np.float32), one.shape)
        light = hard_light(one, other, self.valid, PER_PITCH, white, men=True)
        if (ends := light.ends) is None or not 0 < light.edges[seen].mean() < STRIPED:
            return None
        even = np.asarray(np.log(light.removed(one, other, white) + DARK), np.float32)
        brightest, likeliest, darkest = (
            np.asarray((np.log(one / f + DARK) - even) * ends.unknown[..., None], np.float32)
            for f in (ends.most, light.factor, ends.least)
        )
        rest = even - then
        return Comparison(self._in_even_light(rest), rest, (brightest, likeliest, darkest))

    def _unveiled(self, now: Floats, then: Floats) -> Floats:
        """Return the later picture without a light that adds, as a lamp's that the board mirrors:
        without the local median of what is more in linear light."""
        one, other = (np.asarray(np.exp(p) - DARK, np.float32) for p in (now, then))
        even = without(one, added_light(one, other, self.valid, PER_PITCH))
        return np.asarray(np.log(even + DARK), np.float32)

    def _in_even_light(self, rest: Floats) -> Floats:
        """Return the difference ``rest`` of two pictures without its local median."""
        light = local_median(100 * rest, self.valid, PER_PITCH) / 100
        return np.asarray(rest - light, np.float32) * self.valid[..., None]

    def spots(self, picture: Floats) -> Floats:
        """Return the pixels of every spot (n, m, …), in the order of ``names``."""
        return np.asarray(picture.reshape(-1, *picture.shape[2:])[self._squares], np.float32)

    def disc(self, picture: Floats, index: int) -> Floats:
        """Return the points (m, …) of one spot's disc."""
        return np.asarray(picture.reshape(-1, *picture.shape[2:])[self._discs[index]])

    def within(self, mask: NDArray[np.bool_], index: int) -> NDArray[np.bool_]:
        """Return which points (m,) of one spot's disc are within a ``mask`` of the raster."""
        return np.asarray(mask.ravel()[self._discs[index]])

    def places(self) -> Floats:
        """Return where the points of all discs lie (n, m, 2), in millimetres."""
        return np.asarray(self.grid.reshape(-1, 2)[self._discs])

    def amounts(self, difference: Floats) -> Floats:
        """Return the change of each spot: the mean over its square of the channel that changed
        most."""
        return np.asarray(self.spots(worst(difference)).mean(1), np.float32)

    def square(self, picture: Floats, index: int) -> Floats:
        """Return a copy of the pixels (m, 3) of one spot."""
        return np.asarray(picture.reshape(-1, 3)[self._squares[index]])

    def put(self, picture: Floats, index: int, pixels: Floats) -> None:
        """Write the pixels (m, 3) of one spot into ``picture``."""
        picture.reshape(-1, 3)[self._squares[index]] = pixels

    def sloping(self, here: NDArray[np.int64], levels: Floats) -> Floats:
        """Return the ``levels`` (m, 3) of the spots of the numbers ``here`` as a plane that slopes
        over the board, at every spot (n, 3)."""
        size = np.ptp(self._middles[:, 0]) / 2
        places = np.c_[np.ones(len(self._middles)), self._middles / size]
        plane = np.linalg.lstsq(places[here], levels, rcond=None)[0]
        return np.asarray(places @ plane, np.float32)

    def under(self, labels: NDArray[np.int32], spot: str) -> NDArray[np.int32]:
        """Return which of the ``labels`` of the raster's points (height, width) are found on the
        disc of ``spot``."""
        return np.asarray(np.unique(labels.ravel()[self._discs[self.names.index(spot)]]))

    def _around(self, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.int64]:
        columns, rows = self._middles[:, :1] + x, self._middles[:, 1:] + y
        return np.asarray(rows * self._raster.width + columns)


def bare_ground(
    board: Board, ground: Ground, picture: Floats, covered: Collection[str], own: bool = True
) -> Floats:
    """Return ``picture`` with bare spots in place of the ``covered`` ones: the median pattern of
    bare spots of their shade, as bright as a plane fitted to those says. Bare spots keep what they
    show, unless they no longer match their ``own`` earlier picture."""
    pixels, result = ground.spots(picture), picture.copy()
    bare = np.array([name not in covered for name in ground.names])
    shades = np.array([board[name].shade for name in ground.names])
    for shade in dict.fromkeys(shades):
        here = np.flatnonzero(bare & (shades == shade))
        if len(here) < 4:
            here = np.flatnonzero(bare) if bare.any() else np.arange(len(bare))
        level = np.median(pixels[here], 1)
        everywhere = ground.sloping(here, level)
        pattern = np.median(pixels[here] - level[:, None], 0)
        for index in np.flatnonzero((~bare | (not own)) & (shades == shade)):
            ground.put(result, int(index), pattern + everywhere[index])
    return result
