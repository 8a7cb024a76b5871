"""Recordings as another room would have given them: sun, blinds, lamps, colours, people beside the
board, worn prints and poor cameras, each drawn by a seed.

Light is added and multiplied in linear light, as it is in a room. The first picture is the one that
the reader starts on; what appears or changes does so from a later one on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games import table_game
from companion.journal import Journal
from companion.live.replay import replay
from companion.runtime.files import read_json
from companion.table import Table
from vision.board.calibrate import camera_from_table
from vision.board.raster import Floats
from vision.frames import Frame, Image
from vision.readers import open_reader
from vision.sources.sources import open_source

Alter = Callable[[Floats, int], Floats]
"""A picture in linear light (height, width, 3), 0 to 1, and its number in; the altered one out."""
GAMMA = 2.2
WARM, COOL = (0.75, 0.95, 1.15), (1.15, 1.0, 0.85)
"""Blue, green and red of light from the sun or a lamp, and from the sky."""


class Room:
    """One way in which a room alters the ``count`` pictures of a recording, drawn by ``seed``.

    ``rim`` is the outline of the board in the first picture (n, 2), ``pitch`` that of its spots, in
    pixels; ``size`` is width and height.
    """

    def __init__(
        self, kind: str, seed: int, count: int, rim: Floats, pitch: float, size: tuple[int, int]
    ) -> None:
        self._chance = random.Random(f"{kind} {seed}")
        self._count, self._rim, self._pitch, self._size = count, rim, pitch, size
        self._since = self._chance.randint(1, max(1, count // 3))
        self._alter = KINDS[kind](self)

    def alter(self, image: Image, index: int) -> Image:
        """Return picture number ``index`` as the room shows it."""
        levels = np.arange(256) / 255
        linear = np.asarray(cv2.LUT(image, (levels**GAMMA).astype(np.float32)), np.float32)
        back = np.clip(self._alter(linear, index), 0, 1) ** (1 / GAMMA)
        return np.asarray(np.round(back * 255), np.uint8)

    # -- light -------------------------------------------------------------------------

    def sun(self) -> Alter:
        """A patch of sun with hard edges comes and stays."""
        return self._shining([(0, 0)], self._panes(1))

    def wandering_sun(self) -> Alter:
        """The same wanders, some pixels each picture."""
        step = self._pitch * self._chance.uniform(0.05, 0.4)
        return self._shining([(step * k, 0.4 * step * k) for k in range(self._count)],
                             self._panes(1))  # fmt: skip

    def blinds(self) -> Alter:
        """Stripes of sun through a blind."""
        step = self._pitch * self._chance.uniform(0.0, 0.1)
        return self._shining([(step * k, 0) for k in range(self._count)], self._panes(9))

    def veil(self) -> Alter:
        """A lamp is mirrored by the board's lacquer: its light adds."""
        x, y = self._somewhere()
        spread = self._pitch * self._chance.uniform(1.5, 4)
        glow = self._chance.uniform(0.04, 0.2) * self._bell(x, y, spread)[..., None]
        return lambda p, k: p + glow if k >= self._since else p

    def colour(self) -> Alter:
        """Evening comes: the light grows warmer, or colder, step by step."""
        last = np.array(self._chance.choice((WARM, COOL)), np.float32)
        return lambda p, k: p * last ** np.float32(2 * k / self._count)

    def exposure(self) -> Alter:
        """The camera exposes anew now and then."""
        steps = [1.0]
        for _ in range(self._count):
            steps.append(self._chance.uniform(0.6, 1.4) if self._chance.random() < 0.3
                         else steps[-1])  # fmt: skip
        return lambda p, k: p * np.float32(steps[k])

    def second_lamp(self) -> Alter:
        """A lamp at the side is lit: warm light that falls off, and a soft shadow in it."""
        x, y = self._somewhere(0.8)
        lamp = self._bell(x, y, 6 * self._pitch)[..., None] * np.array(WARM, np.float32)
        shade = 1 - 0.5 * self._bell(*self._somewhere(), 2.5 * self._pitch)[..., None]
        light = 1 + self._chance.uniform(0.3, 0.9) * lamp * shade
        return lambda p, k: p * light if k >= self._since else p

    def soft_shadow(self) -> Alter:
        """The soft shadow of somebody who leans over the table wanders."""
        places = [self._somewhere() for _ in range(self._count)]
        spread = self._pitch * self._chance.uniform(2, 4)
        dark = self._chance.uniform(0.4, 0.7)
        return lambda p, k: p * (1 - dark * self._bell(*places[k], spread)[..., None])

    def flicker(self) -> Alter:
        """A lamp that flickers with the mains lays bands across what is read row by row."""
        depth, bands = self._chance.uniform(0.05, 0.2), self._chance.uniform(2, 7)
        turns = [self._chance.random() for _ in range(self._count)]
        rows = np.arange(self._size[1], dtype=np.float32) / self._size[1]

        def alter(p: Floats, k: int) -> Floats:
            wave = 1 + depth * np.sin(2 * np.pi * (bands * rows + turns[k]))
            return np.asarray(p * wave[:, None, None], np.float32)

        return alter

    # -- cameras and prints ------------------------------------------------------------

    def vignette(self) -> Alter:
        """A cheap lens darkens the corners."""
        width, height = self._size
        far = self._bell(width / 2, height / 2, self._chance.uniform(0.5, 0.8) * width)
        return lambda p, _: p * far[..., None]

    def dust(self) -> Alter:
        """Specks on the lens and scratches of the print."""
        rng, (width, height) = np.random.default_rng(self._chance.getrandbits(32)), self._size
        worn = np.ones((height, width), np.float32)
        for x, y, r, dark in zip(rng.uniform(0, width, 400), rng.uniform(0, height, 400),
                                 rng.uniform(0.01, 0.07, 400), rng.uniform(0.6, 1.3, 400),
                                 strict=True):  # fmt: skip
            radius = max(1, round(r * self._pitch))
            cv2.circle(worn, (int(x), int(y)), radius, float(dark), -1, cv2.LINE_AA)
        return lambda p, _: p * worn[..., None]

    def jpeg(self) -> Alter:
        """A network camera compresses hard."""

        def alter(p: Floats, _: int) -> Floats:
            levels = np.round(255 * np.clip(p, 0, 1) ** (1 / GAMMA)).astype(np.uint8)
            data = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, 30])[1]
            back = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.float32)
            return np.asarray((back / 255) ** GAMMA, np.float32)

        return alter

    def gamma(self) -> Alter:
        """The camera's tone curve changes."""
        power = np.float32(self._chance.choice((0.75, 0.85, 1.2, 1.35)))
        return lambda p, k: p**power if k >= self._since else p

    def mist(self) -> Alter:
        """The lens mists over: less of everything, and a grey light over all."""
        grey = np.float32(self._chance.uniform(0.03, 0.15))
        return lambda p, k: p * (1 - 2 * grey) + grey if k >= self._since else p

    def contrast(self) -> Alter:
        """The camera chooses less contrast by itself, and lifts what is dark."""
        least, most = self._chance.uniform(0.15, 0.3), self._chance.uniform(0.8, 0.95)
        power = np.float32(GAMMA)
        return lambda p, k: (
            (p ** (1 / power) * np.float32(most - least) + np.float32(least)) ** power
            if k >= self._since else p
        )  # fmt: skip

    def fringe(self) -> Alter:
        """A cheap lens shows each colour in another size."""
        zoom, (width, height) = self._chance.uniform(0.001, 0.003), self._size
        maps = [
            cv2.getRotationMatrix2D((width / 2, height / 2), 0, 1 + zoom * s) for s in (1, 0, -1)
        ]
        return lambda p, _: np.dstack(
            [cv2.warpAffine(p[..., c], m, self._size, borderMode=cv2.BORDER_REPLICATE)
             for c, m in enumerate(maps)]
        ).astype(np.float32)  # fmt: skip

    def worn(self) -> Alter:
        """The colours of board and pieces have faded in places."""
        rng, (width, height) = np.random.default_rng(self._chance.getrandbits(32)), self._size
        small = rng.normal(0, 1, (height // 8, width // 8)).astype(np.float32)
        soft = cv2.GaussianBlur(small, (0, 0), 0.2 * self._pitch / 8)
        faded = np.clip(soft / soft.std(), 0, 1.5) * self._chance.uniform(0.15, 0.3)
        share = np.asarray(cv2.resize(faded, self._size), np.float32)[..., None]
        return lambda p, _: p * (1 - share) + share * (0.5 * p.mean(-1, keepdims=True) + 0.06)

    def defocus(self) -> Alter:
        """The lens is pushed a little out of focus."""
        sigma = self._pitch * self._chance.uniform(0.01, 0.025)
        return lambda p, k: (
            np.asarray(cv2.GaussianBlur(p, (0, 0), sigma), np.float32) if k >= self._since else p
        )

    def pale(self) -> Alter:
        """Colours fade."""
        share = np.float32(self._chance.uniform(0.3, 0.7))
        return lambda p, k: (
            p * (1 - share) + share * p.mean(-1, keepdims=True) if k >= self._since else p
        )

    def sagging(self) -> Alter:
        """The camera sags, less from picture to picture than anybody sees."""
        x, y = (self._chance.uniform(-1, 1) * 0.02 * self._pitch for _ in range(2))

        def alter(p: Floats, k: int) -> Floats:
            shift = np.array([[1.0, 0, x * k], [0, 1.0, y * k]])
            moved = cv2.warpAffine(p, shift, self._size, borderMode=cv2.BORDER_REPLICATE)
            return np.asarray(moved, np.float32)

        return alter

    def noise(self) -> Alter:
        """The room is dark, and the camera amplifies what it sees."""
        rng = np.random.default_rng(self._chance.getrandbits(32))
        strong = self._chance.uniform(0.01, 0.04)

        def alter(p: Floats, _: int) -> Floats:
            grain = rng.normal(0, strong, p.shape).astype(np.float32)
            return np.asarray(p + grain * np.sqrt(p + 0.01), np.float32)

        return alter

    # -- beside the board --------------------------------------------------------------

    def shadow_beside(self) -> Alter:
        """A person's shadow stands beside the board in some pictures."""
        here = [self._beside(self._chance.uniform(4, 8)) for _ in range(4)]
        dark = [1 - 0.6 * np.asarray(cv2.blur(m, (15, 15)), np.float32)[..., None] for m in here]
        return lambda p, k: p * dark[k // 3 % 4] if k >= self._since and k // 3 % 2 else p

    def cup(self) -> Alter:
        """A cup beside the board is moved now and then."""
        colour = np.array([self._chance.uniform(0.02, 0.7) for _ in range(3)], np.float32)
        spots = [self._beside(self._chance.uniform(1.5, 3))[..., None] for _ in range(4)]
        return lambda p, k: p + spots[min(3, 4 * k // self._count)] * (colour - p)

    def head(self) -> Alter:
        """Somebody's head reaches over the board's rim from outside, and over no spot's middle."""
        colour = np.array([self._chance.uniform(0.01, 0.15) for _ in range(3)], np.float32)
        masks = [self._beside(self._chance.uniform(3, 6), 0.3, 20)[..., None] for _ in range(3)]
        return lambda p, k: p + masks[k // 4 % 3] * (colour - p) if k // 4 % 2 else p

    # -- on the board ------------------------------------------------------------------

    def thing(self) -> Alter:
        """A phone or a wallet is laid on the board, and stays."""
        width, height = self._size
        middle = self._somewhere(0.3)
        sides = [self._chance.uniform(1, 2.5) * self._pitch for _ in range(2)]
        box = cv2.boxPoints((middle, sides, self._chance.uniform(0, 90)))
        there = np.zeros((height, width), np.float32)
        cv2.fillConvexPoly(there, np.round(box).astype(np.int32), 1.0, cv2.LINE_AA)
        dark = np.float32(self._chance.uniform(0.005, 0.03))
        return lambda p, k: p + there[..., None] * (dark - p) if k >= self._since else p

    # -- drawing -----------------------------------------------------------------------

    def _somewhere(self, reach: float = 0.35) -> tuple[float, float]:
        """Return a pixel: the middle of the board, or up to ``reach`` of its size off it."""
        low, high = self._rim.min(0), self._rim.max(0)
        at = [self._chance.uniform(0.5 - reach, 0.5 + reach) for _ in range(2)]
        return tuple(low + (high - low) * at)

    def _bell(self, x: float, y: float, spread: float) -> Floats:
        width, height = self._size
        across = np.exp(-0.5 * ((np.arange(width) - x) / spread) ** 2)
        down = np.exp(-0.5 * ((np.arange(height) - y) / spread) ** 2)
        return np.outer(down, across).astype(np.float32)

    def _panes(self, count: int) -> Floats:
        """Return the shape of ``count`` slanted panes of light, 0 to 1."""
        width, height = self._size
        mask = np.zeros((height, width), np.float32)
        x, y = self._somewhere()
        lean = self._chance.uniform(-0.6, 0.6)
        long = self._pitch * self._chance.uniform(2, 6)
        broad = self._pitch * (self._chance.uniform(2, 6) if count == 1 else 0.6)
        for pane in range(count):
            across = x + (pane - count // 2) * 2 * broad
            corners = [(across + i * broad + j * long * lean, y + j * long)
                       for i, j in ((-0.5, -1), (0.5, -1), (0.5, 1), (-0.5, 1))]  # fmt: skip
            cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), (1.0,), cv2.LINE_AA)
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), self._chance.uniform(0.5, 3)), np.float32)

    def _shining(self, shifts: list[tuple[float, float]], mask: Floats) -> Alter:
        """Return the light of the panes in ``mask``, shifted for each picture. The camera exposes
        for it: what is white in the sun is clipped a little."""
        light = self._chance.uniform(0.5, 2.0) * np.array(WARM, np.float32)
        exposed = np.float32(self._chance.uniform(1.0, 1.25) / (1 + float(light.max()) / 1.15))

        def alter(p: Floats, k: int) -> Floats:
            if k < self._since:
                return p
            x, y = shifts[min(k, len(shifts) - 1)]
            moved = cv2.warpAffine(mask, np.array([[1.0, 0, x], [0, 1, y]]), self._size)
            return p * exposed * (1 + np.asarray(moved)[..., None] * light)

        return alter

    def _beside(self, pitches: float, over: float = -0.4, long: float = 0.0) -> Floats:
        """Return the mask of something ``pitches`` wide beside the board, that reaches ``over``
        its rim by so many pitches and away from it for ``long`` ones."""
        width, height = self._size
        chance, middle = self._chance, self._rim.mean(0)
        at = chance.randrange(len(self._rim))
        start, end = self._rim[at], self._rim[(at + 1) % len(self._rim)]
        edge = start + (end - start) * chance.uniform(0.2, 0.8)
        out = (edge - middle) / np.linalg.norm(edge - middle)
        centre = edge + out * self._pitch * (pitches / 2 - over)
        mask = np.zeros((height, width), np.float32)
        ends = [[round(float(v)) for v in centre + out * self._pitch * far] for far in (0, long)]
        cv2.line(mask, ends[0], ends[1], (1.0,), round(self._pitch * pitches))
        inside = np.zeros((height, width), np.uint8)
        if over < 0:
            cv2.fillConvexPoly(inside, np.round(self._rim).astype(np.int32), (1,))
        return mask * (1 - inside)


KINDS: dict[str, Callable[[Room], Alter]] = {
    name: getattr(Room, name)
    for name in (
        "sun", "wandering_sun", "blinds", "veil", "colour", "exposure", "second_lamp", "vignette",
        "dust", "jpeg", "gamma", "defocus", "pale", "shadow_beside", "cup", "head", "soft_shadow",
        "flicker", "sagging", "noise", "mist", "contrast", "fringe", "worn",
        "thing",
    )
}  # fmt: skip


class AlteredSource:
    """The pictures of a recording, altered as a room of ``kind`` drawn by ``seed`` does."""

    def __init__(self, folder: Path, kind: str, seed: int) -> None:
        self._source, self._index = open_source(folder), 0
        self._names = kind, seed, len(list(folder.glob("*.jpg")))
        self._game, self._setup = table_game(read_json(folder / "table.json"))
        self._table_file = dict(read_json(folder / "table.json"))
        self._room: Room | None = None

    def read(self) -> Frame | None:
        """Return the next frame."""
        frame, index = self._source.read(), self._index
        self._index += 1
        if frame is None or frame.image is None:
            return frame
        if self._room is None:
            board = self._game.board(self._setup)
            camera = camera_from_table(board, self._table_file, frame.image)
            outlines = [p for s in board.spots.values() for p in s.outline]
            pixels = camera.project(np.array(outlines)).astype(np.float32)
            rim = np.asarray(cv2.convexHull(pixels), np.float32)[:, 0]
            pitch = camera.pixels_per_mm() * board.pitch
            size = frame.image.shape[1], frame.image.shape[0]
            self._room = Room(*self._names, rim, pitch, size)
        image = self._room.alter(frame.image, index)
        return Frame(image, frame.at, frame.name, frame.trouble, frame.lit, frame.recorded)

    def close(self) -> None:
        """Close the recording."""
        self._source.close()


def read_lines(folder: Path, kind: str, seed: int) -> Iterator[dict[str, Any]]:
    """Read a recording in another room; yield what ``companion replay`` would print."""
    game, setup = table_game(read_json(folder / "table.json"))
    table: Table[Any] = Table.create(Journal(":memory:"), game, setup)
    reader = open_reader(game, setup, dict(read_json(folder / "table.json")))
    yield from replay(AlteredSource(folder, kind, seed), reader, table)
