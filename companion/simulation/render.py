"""Painting a table as a camera sees it, by tiles, so that a moved token costs a few of them.

Light is kept apart from paint: ``paint`` is what is printed and laid down, kept only of tiles that
LEDs shine on, ``light`` what falls on it, and LEDs add their own. Shapes are (height, width, 3),
blue-green-red, 0 to 255.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board, Drawing, Point, Stroke
from companion.simulation.ink import Ink, Model, circle, draw_ink, fill, fixed, inks
from companion.simulation.sensor import Levels, RoomLight
from companion.simulation.tabletop import LyingPiece
from companion.simulation.troubles import Colour
from vision.board.optics import Array, Optics
from vision.board.printing import mat_half, printed, shade
from vision.frames import Image

_TILE = 164
_WALLS = 4, 24
"""The fewest and the most layers in which the side of a token is drawn, one for each millimetre."""
_OBJECTS = {
    "cup": Model(
        (
            Stroke(circle(38.0), fill="#dfe6ea"),
            Stroke(circle(34.0), fill="#7c5a3f"),
            Stroke(circle(31.0), fill="#3c2415"),
        ),
        85.0,
    ),
    "phone": Model(
        (
            Stroke(((-37.0, -75.0), (37.0, -75.0), (37.0, 75.0), (-37.0, 75.0)), fill="#26262a"),
            Stroke(((-34.0, -70.0), (34.0, -70.0), (34.0, 70.0), (-34.0, 70.0)), fill="#15181f"),
        ),
        9.0,
    ),
    "paper": Model(
        (Stroke(((-52.0, -74.0), (52.0, -74.0), (52.0, 74.0), (-52.0, 74.0)), fill="#eeece4"),),
        0.3,
    ),
}
"""What people leave on a table, in millimetres."""
_SUN = (0.55, 0.35)
"""Where shadows fall: millimetres right and down for each millimetre of height."""
_CORE = 0.16
"""How far from its middle, squared, the core of an LED is seen at all."""

Box = tuple[int, int, int, int]
Things = Mapping[str, tuple[str | LyingPiece, Point]]
"""What else lies there, by any name: which object or token, and where, in millimetres."""


@dataclass(frozen=True, eq=False)
class _Thing:
    """A prism on the table: its points on the table, the box of pixels it may colour."""

    model: Model
    points: Array
    box: Box
    depth: float


class _Painted(NamedTuple):
    """What is printed and laid down on one tile, and how far things cover its pixels, 0 to 255;
    None: nothing lies there."""

    paint: Image
    cover: NDArray[np.uint8] | None


class Painter:
    """Keeps the picture of a table up to date. Nothing here is random but the seeded grain."""

    def __init__(
        self, board: Board, draw: Callable[[str], Drawing], optics: Optics, seed: int
    ) -> None:
        self._board = board
        self._draw = draw
        self._seed = seed
        self._models: dict[str, Model] = {}
        width, height = optics.view.image_size
        self._size = width, height
        self._fine = 3 if width >= 1000 else 4
        self._tiles = [
            (x, y, min(x + _TILE, width), min(y + _TILE, height))
            for y in range(0, height, _TILE)
            for x in range(0, width, _TILE)
        ]
        self._painted: dict[Box, _Painted] = {}
        self._lit: Image = np.empty((height, width, 3), np.uint8)
        self.look_from(optics)

    def look_from(self, optics: Optics) -> None:
        """Move the camera or the board: everything is painted anew."""
        self.optics = optics
        self._things: dict[str, tuple[object, _Thing]] = {}
        self._glow: dict[str, tuple[Colour, Box]] = {}
        self._light: RoomLight | None = None
        self._background: Image = np.empty_like(self._lit)
        strokes = inks(printed(self._board, optics.view), optics)
        for tile in self._tiles:
            x0, y0, x1, y1 = tile
            self._background[y0:y1, x0:x1] = self._print(tile, strokes)
        self._add_grain()
        self._painted.clear()

    def update(
        self,
        pieces: Mapping[str, LyingPiece],
        glow: Mapping[str, Colour],
        light: RoomLight,
        things: Things | None = None,
    ) -> Image:
        """Return the picture of ``pieces`` and other ``things`` under ``light`` with lit LEDs; the
        array is the painter's own and changes with the next call."""
        stale = self._changed_things(pieces, things or {})
        for tile in stale:
            self._painted.pop(tile, None)
        if light is not self._light:
            self._light = light
            stale = set(self._tiles)
        stale |= self._changed_glow(glow)
        for tile in stale:
            self._light_tile(tile, light)
        return self._lit

    def model(self, token: str) -> Model:
        """Return the token's drawing as a prism."""
        if token not in self._models:
            drawing = self._draw(token)
            self._models[token] = Model(drawing, self.optics.view.thickness)
        return self._models[token]

    def put(self, image: Image, model: Model, points: Array, ground: float, light: Levels) -> None:
        """Draw a prism held ``ground`` millimetres above the table straight into ``image``,
        under ``light`` (blue, green, red)."""
        both = [self.optics.project(points, ground + rise) for rise in (0, model.height)]
        x0, y0, x1, y1 = self._clip(np.vstack(both), 2)
        if x1 <= x0 or y1 <= y0:
            return
        canvas = _enlarge(image[y0:y1, x0:x1], self._fine)
        mask = np.zeros(canvas.shape[:2], np.uint8)
        self._draw_prism(canvas, mask, model, points, (x0, y0), ground)
        shown = np.minimum(canvas * light, 255).astype(np.uint8)
        covered = mask[:, :, None] > 0
        canvas = np.where(covered, shown, canvas)
        image[y0:y1, x0:x1] = _reduce(canvas, (x1 - x0, y1 - y0))

    # -- print -----------------------------------------------------------------------

    def _print(self, tile: Box, strokes: list[Ink]) -> Image:
        x0, y0, x1, y1 = tile
        size = ((y1 - y0) * self._fine, (x1 - x0) * self._fine, 3)
        canvas: Image = np.empty(size, np.uint8)
        canvas[:] = shade(self.optics.view.table)
        for ink in strokes:
            left, top, right, bottom = ink.box
            if left < x1 and right > x0 and top < y1 and bottom > y0:
                draw_ink(canvas, ink, (x0, y0), self._fine)
        return _reduce(canvas, (x1 - x0, y1 - y0))

    def _add_grain(self) -> None:
        """Give wood and paper a grain that lies on the table and moves with it."""
        chance = np.random.default_rng(self._seed)
        span, side = 1.6, 1400
        grain = chance.normal(0, 5.0, (side, side)).astype(np.float32)
        coarse = cv2.resize(chance.normal(0, 1.0, (side, 24)).astype(np.float32), (side, side))
        streaks = np.asarray(cv2.GaussianBlur(coarse, (0, 0), 1.5)) * 9
        half = mat_half(self._board, self.optics.view)
        inner = round(side / span / 2)
        middle = slice(side // 2 - inner, side // 2 + inner)
        if self.optics.view.mat:
            streaks[middle, middle] = 0
        texture = np.clip(128 + grain + streaks, 0, 255).astype(np.uint8)
        edge = half * span
        corners = [(-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge)]
        inside = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
        near = self.optics.project([(0.5 * x, 0.5 * y) for x, y in corners])
        matrix = cv2.getPerspectiveTransform(
            (inside - side / 2) / 2 + side / 2, near.astype(np.float32)
        )
        warped = cv2.warpPerspective(
            texture, matrix, self._size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        scaled = cv2.multiply(
            self._background, cv2.merge([warped, warped, warped]), scale=1 / 128.0
        )
        self._background = np.asarray(scaled, np.uint8)

    # -- things ----------------------------------------------------------------------

    def _changed_things(self, pieces: Mapping[str, LyingPiece], things: Things) -> set[Box]:
        wanted: dict[str, object] = dict(pieces)
        # No spot has such a name, so a cup can stand on top of a token.
        wanted |= {f"{name} too": thing for name, thing in things.items()}
        gone = [key for key, (old, _) in self._things.items() if wanted.get(key) != old]
        dirty = [self._things.pop(key)[1].box for key in gone]
        for key, value in wanted.items():
            if key not in self._things:
                thing = self._stand(key, value)
                self._things[key] = (value, thing)
                dirty.append(thing.box)
        return self._tiles_under(dirty)

    def _stand(self, key: str, value: object) -> _Thing:
        kind, (x, y) = value if isinstance(value, tuple) else (value, self._board[key].centre)
        if isinstance(kind, LyingPiece):
            model, centre, turn = self.model(kind.token), (x + kind.dx, y + kind.dy), kind.turn
            model = model.on_edge() if kind.edge else model
        else:
            model, centre, turn = _OBJECTS[str(kind)], (x, y), 0.0
        points = model.placed(centre, turn)
        shadow = points + np.array(_SUN) * model.height
        box = self._clip(
            np.vstack(
                [self.optics.project(points, h) for h in (0.0, model.height)]
                + [self.optics.project(shadow)]
            ),
            8,
        )
        return _Thing(model, points, box, self.optics.depth(centre))

    def _paint_tile(self, tile: Box) -> _Painted:
        x0, y0, x1, y1 = tile
        near = [thing for _, thing in self._things.values() if _overlap(thing.box, tile)]
        if not near:
            return _Painted(self._background[y0:y1, x0:x1], None)
        canvas = _enlarge(self._background[y0:y1, x0:x1], self._fine)
        shadow = np.zeros(canvas.shape[:2], np.uint8)
        for thing in near:
            for part in (0.35, 1.0):
                moved = thing.points + np.array(_SUN) * thing.model.height * part
                cast = fixed(self.optics.project(moved), (x0, y0), self._fine)
                _silhouette(shadow, thing.model, cast, 120)
        soft = cv2.blur(shadow, (2 * self._fine + 1, 2 * self._fine + 1))
        canvas = np.asarray(
            cv2.multiply(canvas, cv2.merge([255 - soft] * 3), scale=1 / 255.0), np.uint8
        )
        mask = np.zeros(canvas.shape[:2], np.uint8)
        for thing in sorted(near, key=lambda thing: -thing.depth):
            self._draw_prism(canvas, mask, thing.model, thing.points, (x0, y0), 0.0)
        size = x1 - x0, y1 - y0
        return _Painted(_reduce(canvas, size), _reduce(mask, size))

    def _draw_prism(
        self,
        canvas: Image,
        mask: NDArray[np.uint8],
        model: Model,
        points: Array,
        origin: tuple[int, int],
        ground: float,
    ) -> None:
        levels = min(max(_WALLS[0], math.ceil(model.height)), _WALLS[1])
        heights = ground + model.height * np.arange(levels + 1) / levels
        *walls, pixels = self._raised(points, heights)
        for layer in fixed(np.array(walls), origin, self._fine):
            _silhouette(canvas, model, layer, model.edge)
            _silhouette(mask, model, layer, 255)
        top = ground + model.height
        scale = self.optics.scale((float(points[0, 0]), float(points[0, 1])), top)
        for stroke, part in model.parts(pixels):
            ink = Ink(
                part,
                shade(stroke.fill) if stroke.fill else None,
                shade(stroke.colour) if stroke.colour and stroke.width else None,
                stroke.width * scale,
                stroke.closed,
                (0.0, 0.0, 0.0, 0.0),
            )
            draw_ink(canvas, ink, origin, self._fine)
        _silhouette(mask, model, fixed(pixels, origin, self._fine), 255)

    def _raised(self, points: Array, heights: Array) -> Array:
        """Return the pixels (heights, n, 2) of the points (n, 2) at each height."""
        every = np.tile(points, (len(heights), 1)), np.repeat(heights, len(points))
        return self.optics.project(*every).reshape(len(heights), *points.shape)

    # -- light -----------------------------------------------------------------------

    def _changed_glow(self, glow: Mapping[str, Colour]) -> set[Box]:
        lit = {spot: colour for spot, colour in glow.items() if any(colour)}
        old = {spot: colour for spot, (colour, _) in self._glow.items()}
        changed = [spot for spot in {**lit, **old} if lit.get(spot) != old.get(spot)]
        dirty = []
        for spot in changed:
            if spot in self._glow:
                dirty.append(self._glow.pop(spot)[1])
            if spot in lit:
                x, y = self.optics.project([self._board[spot].centre])[0]
                reach = 1.1 * self._led_pixels(self._board[spot].centre)
                box = self._clip(np.array([(x - reach, y - reach), (x + reach, y + reach)]), 1)
                self._glow[spot] = (lit[spot], box)
                dirty.append(box)
        return self._tiles_under(dirty)

    def _led_pixels(self, centre: Point) -> float:
        return 0.6 * self._board.pitch * self.optics.scale(centre)

    def _light_tile(self, tile: Box, light: RoomLight) -> None:
        x0, y0, x1, y1 = tile
        near = [(spot, colour) for spot, (colour, box) in self._glow.items() if _overlap(box, tile)]
        painted = self._painted.pop(tile, None) or self._paint_tile(tile)
        seen = painted.paint * light.over(tile)
        if near:
            # An LED that pulses asks for the same paint many times a second; else none is kept.
            self._painted[tile] = painted
            through: Levels | float = 1.0
            if painted.cover is not None:
                through = 1 - 0.88 / 255 * painted.cover[:, :, None].astype(np.float32)
            for spot, colour in near:
                seen += self._led(spot, colour, tile) * through
        self._lit[y0:y1, x0:x1] = np.minimum(seen, 255).astype(np.uint8)

    def _led(self, spot: str, colour: Colour, tile: Box) -> Levels:
        """Return what an LED under ``spot`` adds: a core that burns out to white, and a halo."""
        centre = self._board[spot].centre
        u, v = self.optics.project([centre])[0]
        x0, y0, x1, y1 = tile
        size = self._led_pixels(centre)
        across = ((np.arange(x0, x1) - u) / size) ** 2
        down = ((np.arange(y0, y1) - v) / size) ** 2
        tint = np.array(colour[::-1], np.float32)
        halo = np.outer(np.exp(-down / 0.12), np.exp(-across / 0.12)).astype(np.float32)
        seen = halo[:, :, None] * (tint * 0.4)
        bright = np.ix_(down < _CORE, across < _CORE)
        core = np.exp(-(((down[:, None] + across)[bright] / 0.04) ** 2)).astype(np.float32)
        seen[bright] += core[:, :, None] * (tint * 0.8 + float(max(colour)) * 0.5)
        return np.asarray(seen, np.float32)

    # -- boxes -----------------------------------------------------------------------

    def _clip(self, pixels: Array, margin: int) -> Box:
        low = np.floor(pixels.min(axis=0)).astype(int) - margin
        high = np.ceil(pixels.max(axis=0)).astype(int) + margin
        width, height = self._size
        return max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])

    def _tiles_under(self, boxes: Iterable[Box]) -> set[Box]:
        marked = list(boxes)
        return {tile for tile in self._tiles if any(_overlap(box, tile) for box in marked)}


def _silhouette(
    canvas: NDArray[np.uint8],
    model: Model,
    pixels: NDArray[np.int32],
    colour: int | tuple[int, int, int],
) -> None:
    first = 0
    for stroke in model.strokes:
        if stroke.fill:
            fill(canvas, pixels[first : first + len(stroke.points)], colour)
        first += len(stroke.points)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _enlarge(image: Image, fine: int) -> Image:
    size = image.shape[1] * fine, image.shape[0] * fine
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _reduce(image: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
