"""The dice of one table: how they lean and what colours they have is learned at the set-up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.rules import Board, Look, Point
from vision.board.calibrate import Camera
from vision.board.viewpoint import leaning
from vision.dice.dice import DieReading, Stance, Tops, find_tops
from vision.dice.dice_net import DIE, PATCH, VALUES, beliefs, dice_nets
from vision.dice.lean import Lean, learn_lean
from vision.dice.pips import SIZE
from vision.frames import Image
from vision.light.changes import SpotLight, linear, without

WIDTH = 1.6
"""Pitches: the width of a patch; a die seen at an angle reaches into the neighbouring spot."""
ERROR = 0.10
"""Error that a token gets for each factor e by which it is less probable."""

ASIDE = 0.1
"""Patch widths by which dice lie off the middles of their spots that may have been pushed there, as
a deviation: REACH (``vision.dice.lean``) of these off, one lies on the next spot."""
TURNED = 1.2
"""Side of the square round a die turned by any angle, on average, in sides of the die."""
COMMON = 16.0
"""Millimetres of a side of the most common dice."""

NONE = 1e-4
"""Probability of a die below which the blobs prove that there is none, and the least of anything
else that they can prove: an LED that shines up looks clearer than any pip."""
ONE_SIZE = 0.06
"""Deviation of the logarithm of the visible size of dice of one table."""
TWO = 0.6
"""Weight of each of the two readings of a die, by its blobs and by the learned reader. Less than
one, because they fail on the same dice more often than by chance."""
ON_SPOT = 2.5
"""Nats by which dice are commoner on the spots of a table than where a photograph may show one:
``training/fit_table_dice.py`` fits 2.2, give or take 0.3, to light that is known; where it is not,
dice look stranger than they are."""
SHIFTED, LOOSE = 2.0, 2.5
"""Millimetres from which on all dice together lie off their spots (SHIFTED), and by which each one
does by itself (LOOSE)."""
STIFF = 0.5, 4e3, 4e3
"""How firmly shift and bend of the board are held near zero, in dice, and in dice times square
millimetres."""
BRIGHT, HUE = 0.08, 0.12
"""Least deviation of a colour, in brightness and hue (natural logarithms)."""
LEVELS = 8.0
"""Grey levels by which compression and light reflected from nearby things change each channel; for
dark colours that is much."""
STRANGE = 14.0
"""Nats that a colour which no die of this table has counts against a die, at most."""

INK = 0.2, 0.2
"""Least deviation of the colour of pips against that of their die, in brightness and hue."""
ASTRAY = 5.0
"""Nats that pips of another colour count against a die, at most. Of 9,064 dice on the tables of 24
simulated evenings one in a thousand had pips so strange (November 2026)."""

VEIL, VEILED = 0.05, (0.0, 0.3, 0.6, 0.8, 0.9)
"""Linear light, of which white is 1, for each nat that counts against a lamp adding so much to a
die and its pips, and the shares of the light of the darker of them that are tried."""

AS_IT_WAS = SpotLight(np.ones(3, np.float32), np.ones(3, np.float32), np.zeros(3, np.float32))
"""The light in which colours were learned."""

Tone = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Colour:
    """The colour of one player's dice as logarithms, and how far it scatters on this table: in
    brightness, for the light is uneven, and in hue."""

    tone: Tone
    bright: float
    hue: float

    def strangeness(self, tones: Tone) -> float:
        """Return the nats that speak against a die of this colour looking like the likeliest of
        ``tones`` (..., 3)."""
        off = tones - self.tone
        level = off.mean(-1)
        rest = np.linalg.norm(off - level[..., None], axis=-1)
        return float(np.min(0.5 * ((level / self.bright) ** 2 + (rest / self.hue) ** 2)))


def colour_of(
    tones: Sequence[Tone], dark: float, least: tuple[float, float] = (BRIGHT, HUE)
) -> Colour:
    """Learn a colour from dice that have it; ``dark`` is by how much its hue scatters because they
    are, and ``least`` how far it does at least."""
    tone = np.median(tones, 0)
    off = np.array(tones) - tone
    level = off.mean(1, keepdims=True)
    spread = 2 * float(np.median(np.abs(level)))
    rest = 2 * float(np.median(np.linalg.norm(off - level, axis=1)))
    return Colour(tone, max(least[0], spread), float(np.hypot(max(least[1], rest), dark)))


@dataclass(frozen=True, slots=True)
class Coat:
    """How one player's dice are painted: the colour of the ``body``, and by how much the ``ink`` of
    the pips differs from it."""

    body: Colour
    ink: Colour

    @classmethod
    def of(cls, dice: Sequence[DieReading]) -> Coat:
        """Learn it from dice that have it."""
        tones = [_tone(die.body) for die in dice]
        dark = LEVELS * float(np.exp(-np.median(tones, 0)).mean())
        return cls(
            colour_of(tones, dark), colour_of([_contrast(d.body, d.ink) for d in dice], dark, INK)
        )

    def strangeness(self, die: DieReading, light: SpotLight) -> float:
        """Return the nats that speak against such a ``die`` looking so where the ``light`` changed
        since these dice were learned, through the veil that explains it best."""
        colours = np.array([die.body, die.ink], np.float32)
        darkest, least = float(linear(colours).min()), np.inf
        for veil in (share * darkest for share in VEILED):
            body, ink = without(colours, np.array(veil, np.float32))
            seen = self.body.strangeness(_tone(light.out_of(body)))
            pips = self.ink.strangeness(_contrast(body, ink))
            nats = min(seen, STRANGE) + min(pips, ASTRAY)
            least = min(least, nats + veil / VEIL)
            if nats < 1:
                break
        return least


@dataclass(frozen=True, slots=True)
class DieSeen:
    """What a spot shows: the reading, and how likely its die has each body."""

    reading: DieReading
    bodies: Mapping[str, float]

    def probability(self, look: Look | None) -> float:
        """Return the probability of a die that looks so, or of a bare spot (None)."""
        if look is None:
            return 1 - self.reading.die
        face = self.reading.faces[look.pips - 1]
        return self.reading.die * face * self.bodies.get(look.body, 0.0)

    def error(self, look: Look | None) -> float:
        """Return how badly ``look`` explains the spot: 0 surely right, 1 surely wrong."""
        return float(min(1.0, -ERROR * np.log(max(self.probability(look), 1e-9))))


class TableDice:
    """Reads the dice of one table after the set-up has shown how they lean and are coloured."""

    def __init__(self, board: Board, lean: Lean, coats: Mapping[str, Coat]) -> None:
        self._board, self._lean, self._coats = board, lean, coats

    def read(
        self,
        image: Image,
        camera: Camera,
        spots: Iterable[str],
        lights: Mapping[str, SpotLight] = MappingProxyType({}),
        aside: bool = False,
    ) -> dict[str, DieSeen]:
        """Read ``spots`` of a still picture; ``lights`` tells how the light on each changed since
        the colours were learned: any part of a die may lie on either side of an edge of it.
        ``aside`` looks for dice that were pushed off the middle of their spots, too."""
        names = list(spots)
        centres = [self._board[spot].centre for spot in names]
        view = DiceView(image, camera, WIDTH * self._board.pitch)
        found = {}
        some = [lights.get(spot, AS_IT_WAS) for spot in names]
        readings = view.read(centres, self._lean, aside, some)
        for spot, reading, light in zip(names, readings, some, strict=True):
            tones = _tone(light.out_of(np.array(reading.body, np.float32)))
            strange = min(coat.strangeness(reading, light) for coat in self._coats.values())
            found[spot] = DieSeen(_doubted(reading, strange), self._bodies(tones))
        return found

    @property
    def side(self) -> float:
        """Return the side of a die in millimetres, as most dice have their pips."""
        return 4 * self._lean.spacing

    def over(self, spot: str) -> Point:
        """Return the board point (mm) under which the top of a die on ``spot`` should seem to
        lie."""
        width, centre = WIDTH * self._board.pitch, self._board[spot].centre
        right, down = self._lean.stance(centre, width).middle
        return centre[0] + right * width, centre[1] + down * width

    def top(self, spot: str, seen: DieSeen) -> Point:
        """Return the board point (mm) under which the top face that was ``seen`` seems to lie."""
        (x, y), (right, down) = self._board[spot].centre, seen.reading.middle
        width = WIDTH * self._board.pitch
        return x + right * width, y + down * width

    def token(self, seen: DieSeen, looks: Mapping[str, Look]) -> str | None:
        """Return the likeliest of the tokens in ``looks``, or None for a bare spot."""
        best = max(looks, key=lambda token: seen.probability(looks[token]))
        return best if seen.reading.die > 0.5 else None

    def _bodies(self, tones: Tone) -> dict[str, float]:
        """Compare colours by their direction and brightness, each die's pips being no help; it has
        one of ``tones`` (n, 3)."""
        off = {
            name: float(np.linalg.norm(tones - coat.body.tone, axis=1).min())
            for name, coat in self._coats.items()
        }
        rest = min(off.values())
        weight = {name: float(np.exp((rest - far) / 0.25)) for name, far in off.items()}
        total = sum(weight.values())
        return {name: value / total for name, value in weight.items()}


class FirstLook:
    """The dice of the set-up in the first picture, where ``bodies`` tells which spots hold dice of
    which body; the values need not be known.

    They are first read as common dice would lean before this camera, and all of one size.
    """

    def __init__(
        self, image: Image, camera: Camera, board: Board, bodies: Mapping[str, str]
    ) -> None:
        self._camera, self._board, self._bodies = camera, board, bodies
        self._width = WIDTH * board.pitch
        self._centres = [board[spot].centre for spot in bodies]
        foot, slope = leaning(camera, COMMON)
        self._usual = Lean(slope, foot, COMMON / 4)
        self._view = DiceView(image, camera, self._width)
        self._first = self._view.first(self._centres, self._usual)

    def learn(self) -> TableDice | None:
        """Learn how these dice lean, and then, as they do, their colours; None if too few are seen
        clearly."""
        lean = learn_lean(self._centres, self._first, self._width, self._usual)
        if lean is None:
            return None
        dice: dict[str, list[DieReading]] = {}
        second = self._view.read(self._centres, lean)
        lean = learn_lean(self._centres, second, self._width, self._usual) or lean
        for reading, body in zip(second, self._bodies.values(), strict=True):
            if reading.die > 0.5:
                dice.setdefault(body, []).append(reading)
        if not dice:
            return None
        return TableDice(self._board, lean, {body: Coat.of(some) for body, some in dice.items()})

    def aligned(self) -> Camera:
        """Return the camera put right by these dice, where they all stand off their spots in a way
        that no players set them up in: the board is somewhere else than was thought.

        Dice hide the print they stand on and lean over it, so that steep cameras find the print
        badly, and the dice themselves quite well.
        """
        centres, usual = np.array(self._centres), self._usual
        clear = np.array([reading.die * max(reading.faces) > 0.5 for reading in self._first])
        if clear.sum() < len(centres) / 2:
            return self._camera
        tops = np.array([reading.middle for reading in self._first]) * self._width
        off = (tops - usual.slope * (centres - usual.foot))[clear]
        design = np.c_[np.ones(clear.sum()), centres[clear]]
        weight = np.ones(len(off))
        for _ in range(6):
            scaled = design * weight[:, None]
            normal = scaled.T @ design + np.diag(STIFF)
            field = np.linalg.lstsq(normal, scaled.T @ off, rcond=None)[0]
            left = np.hypot(*(off - design @ field).T)
            weight = 1 / (1 + (left / LOOSE) ** 2) ** 2
        rim = np.c_[np.ones(len(centres)), centres] @ field
        if np.hypot(*rim.T).max() < SHIFTED:
            return self._camera
        moved = np.eye(3)
        moved[:2, :2] += field[1:].T
        moved[:2, 2] = field[0]
        camera = self._camera
        return Camera(camera.homography @ moved, camera.size, camera.lens)


def _tone(colour: ArrayLike) -> Tone:
    """Return colours (..., 3) as logarithms, so that less light moves all channels alike."""
    return np.asarray(np.log(np.asarray(colour) + 12.0), np.float64)


def _contrast(body: ArrayLike, ink: ArrayLike) -> Tone:
    """Return by how much pips of the colour ``ink`` differ from the ``body`` of their die."""
    return np.asarray(_tone(ink) - _tone(body))


def _doubted(reading: DieReading, nats: float) -> DieReading:
    """Return ``reading`` with so much speaking against there being a die."""
    odds = reading.die / max(1 - reading.die, 1e-12) * np.exp(-nats)
    return replace(reading, die=float(odds / (1 + odds)))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a die may lie: the ``centre`` of its spot in millimetres, how its top is expected, and
    how the ``light`` changed there."""

    centre: Point
    stance: Stance
    light: SpotLight


class DiceView:
    """One picture, from which square patches of the board are cut, ``width`` millimetres wide."""

    def __init__(self, image: Image, camera: Camera, width: float) -> None:
        self._image, self._camera, self._width = image, camera, width

    def first(self, centres: Sequence[Point], usual: Lean) -> list[DieReading]:
        """Read dice of one size, that of which is not known, by their blobs; they lean about as
        ``usual``."""
        places = self._places(centres, usual, True)
        return _lying(self._tops(places).alike(ONE_SIZE), places)

    def read(
        self,
        centres: Sequence[Point],
        lean: Lean,
        aside: bool = False,
        lights: Sequence[SpotLight] = (),
    ) -> list[DieReading]:
        """Read the dice round ``centres``, by their blobs and by the learned reader; those that may
        have been pushed ``aside`` all round where their tops belong. What the ``lights`` added
        there is taken out first."""
        if not centres:
            return []
        if aside:
            lean = replace(lean, astray=ASIDE * self._width)
        places = self._places(centres, lean, False, lights)
        readings = _lying(self._tops(places), places)
        # Where blobs show none, the learned reader is not asked.
        if doubtful := [k for k, reading in enumerate(readings) if reading.die > NONE]:
            boxes = [self._box(places[k], readings[k], 4 * lean.spacing) for k in doubtful]
            odds = dice_nets()[1](np.stack(boxes))[:, :VALUES, 0, 0].astype(np.float64)
            for k, own in zip(doubtful, odds, strict=True):
                readings[k] = _joined(readings[k], own)
        return readings

    def _places(
        self, centres: Sequence[Point], lean: Lean, loose: bool, lights: Sequence[SpotLight] = ()
    ) -> list[_Place]:
        return [
            _Place(centre, lean.stance(centre, self._width, loose), light)
            for centre, light in zip(centres, lights or [AS_IT_WAS] * len(centres), strict=True)
        ]

    def _tops(self, places: Sequence[_Place]) -> Tops:
        """Find tops in patches round where they are expected: from the side they are seen far off
        their spots."""
        patches = [self._patch(p, p.stance.middle, self._width, SIZE) for p in places]
        return find_tops(np.stack(patches), [replace(p.stance, middle=(0.0, 0.0)) for p in places])

    def _box(self, place: _Place, reading: DieReading, side: float) -> Image:
        """Return the patch of a whole die with sides of ``side`` millimetres, as the learned reader
        knows it: upright, the top farther up than the sides."""
        clear = reading.die * max(reading.faces) > 0.5
        right, down = reading.middle if clear else place.stance.middle
        off = place.stance.middle
        whole = TURNED * side + 0.7 * float(np.hypot(*off)) * self._width
        middle = right - off[0] / 2, down - off[1] / 2
        return self._patch(place, middle, whole * PATCH / DIE, PATCH, off)

    def _patch(
        self, place: _Place, off: Point, width: float, size: int, up: Point = (0.0, -1.0)
    ) -> Image:
        """Return the square of ``width`` millimetres in ``size`` pixels, its middle so many patch
        widths ``off`` the place, turned so that ``up`` is up, without what the light added."""
        centre = [c + o * self._width for c, o in zip(place.centre, off, strict=True)]
        half, end = width / 2, size - 1.0
        angle = float(np.arctan2(up[0], -up[1]))
        x, y = half * np.sin(angle), -half * np.cos(angle)
        corners = ((x + y, y - x), (x - y, y + x), (-x - y, x - y), (y - x, -x - y))
        pixels = self._camera.project([(centre[0] + x, centre[1] + y) for x, y in corners])
        flat = np.array([(0, 0), (end, 0), (end, end), (0, end)], np.float32)
        way = cv2.getPerspectiveTransform(flat, pixels.astype(np.float32))
        patch = cv2.warpPerspective(
            self._image,
            way,
            (size, size),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return place.light.unveiled(np.asarray(patch, np.uint8))


def _lying(tops: Tops, places: Sequence[_Place]) -> list[DieReading]:
    """Return what ``tops`` show, lying as seen from the middles of the spots."""
    return [
        replace(r, middle=(r.middle[0] + p.stance.middle[0], r.middle[1] + p.stance.middle[1]))
        for r, p in zip(tops.readings(), places, strict=True)
    ]


def _joined(reading: DieReading, odds: NDArray[np.float64]) -> DieReading:
    """Join what the blobs say with the log odds of the learned reader; of whether there is a die,
    each is believed as in photographs."""
    values = odds[1:7] - odds[1:7].max()
    both = TWO * (np.log(np.array(reading.faces) + 1e-9) + values - np.log(np.exp(values).sum()))
    faces = np.exp(both - both.max())
    faces /= faces.sum()
    top = float(odds.max())
    there = top + np.log(np.exp(odds[:7] - top).sum()) - odds[7]
    p = min(reading.die, 1 - NONE)
    die = beliefs()[0][1:3] @ (there, np.log(p / (1 - p))) + ON_SPOT
    flat = float(1 - np.exp(odds[0] - top) / np.exp(odds[:7] - top).sum())
    return replace(
        reading, faces=tuple(map(float, faces)), die=float(1 / (1 + np.exp(-die))), flat=flat
    )
