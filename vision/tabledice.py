"""The dice of one table: how they lean and what colours they have is learned at the set-up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board, Look, Point
from vision.calibrate import Camera
from vision.dice import Lean, Reading, Stance, learn_lean, read_die
from vision.frames import Image
from vision.pips import SIZE
from vision.viewpoint import viewpoint

WIDTH = 1.6
"""Width of a patch in pitches: a die seen aslant reaches into the neighbour's spot."""
ERROR = 0.10
"""Error, in the contrast of a common face, that each factor e of improbability counts."""

COMMON = 16.0
"""Millimetres that most dice measure."""

STRANGE = 12.0
"""The most that a colour no die of this table has can count against a die, in nats."""
CHANNELS = np.full((3, 3), 1 / 3)

Tone = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Colour:
    """The colour of one player's dice as logarithms, and how far it scatters on this table: in
    brightness, for the light is uneven, and in hue."""

    tone: Tone
    bright: float
    hue: float

    def strangeness(self, tone: Tone) -> float:
        """Return the nats that speak against a die of this colour looking like ``tone``."""
        off = tone - self.tone
        bright = CHANNELS @ off
        rest = float(np.linalg.norm(off - bright))
        return 0.5 * ((float(bright[0]) / self.bright) ** 2 + (rest / self.hue) ** 2)


def colour_of(tones: Sequence[Tone]) -> Colour:
    """Learn a colour from dice that have it."""
    tone = np.median(tones, 0)
    off = np.array(tones) - tone
    bright = off @ CHANNELS
    spread = 2 * float(np.median(np.abs(bright[:, 0])))
    rest = 2 * float(np.median(np.linalg.norm(off - bright, axis=1)))
    return Colour(tone, max(0.25, spread), max(0.12, rest))


Colours = Mapping[str, Colour]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a spot shows: the reading, and how likely its die has each body."""

    reading: Reading
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

    def __init__(self, board: Board, lean: Lean, colours: Colours) -> None:
        self._board, self._lean, self._colours = board, lean, colours

    def read(
        self,
        image: Image,
        camera: Camera,
        spots: Iterable[str],
        gains: Mapping[str, NDArray[np.float32]] | None = None,
    ) -> dict[str, Seen]:
        """Read ``spots`` of a still picture; ``gains`` tells how much lighter each is, channel by
        channel, than when the colours were learned."""
        found = {}
        for spot in spots:
            centre = self._board[spot].centre
            stance = self._lean.stance(centre, WIDTH * self._board.pitch)
            reading = _read(image, camera, self._board, centre, stance)
            tone = _tone(reading, None if gains is None else gains[spot])
            strange = {body: min(colour.strangeness(tone), STRANGE)
                       for body, colour in self._colours.items()}  # fmt: skip
            found[spot] = Seen(_doubted(reading, min(strange.values())), self._bodies(tone))
        return found

    def token(self, seen: Seen, looks: Mapping[str, Look]) -> str | None:
        """Return the likeliest of the tokens in ``looks``, or None for a bare spot."""
        best = max(looks, key=lambda token: seen.probability(looks[token]))
        return best if seen.reading.die > 0.5 else None

    def _bodies(self, tone: Tone) -> dict[str, float]:
        """Compare colours by their direction and brightness, each die's pips being no help."""
        off = {
            name: float(np.linalg.norm(tone - colour.tone))
            for name, colour in self._colours.items()
        }
        rest = min(off.values())
        weight = {name: float(np.exp((rest - far) / 0.25)) for name, far in off.items()}
        total = sum(weight.values())
        return {name: value / total for name, value in weight.items()}


def learn_dice(
    image: Image, camera: Camera, board: Board, bodies: Mapping[str, str]
) -> TableDice | None:
    """Learn from the set-up, where ``bodies`` tells which spots hold dice of which body; the
    values need not be known. None if too few dice are seen clearly.

    The dice are read twice: as common dice would lean before this camera, to learn how these do,
    and then as they do for their colours.
    """
    width = WIDTH * board.pitch
    centres = [board[spot].centre for spot in bodies]
    x, y, height = viewpoint(camera)
    usual = Lean(COMMON / (height - COMMON), (x, y), COMMON / 4)
    first = [
        _read(image, camera, board, centre, usual.stance(centre, width, loose=True))
        for centre in centres
    ]
    lean = learn_lean(centres, first, width, usual)
    if lean is None:
        return None
    tones: dict[str, list[Tone]] = {}
    for centre, body in zip(centres, bodies.values(), strict=True):
        reading = _read(image, camera, board, centre, lean.stance(centre, width))
        if reading.die > 0.5:
            tones.setdefault(body, []).append(_tone(reading))
    if not tones:
        return None
    return TableDice(board, lean, {body: colour_of(some) for body, some in tones.items()})


def _tone(reading: Reading, gain: NDArray[np.float32] | None = None) -> Tone:
    """Return the body's colour as logarithms, so that less light moves all channels alike."""
    body = np.array(reading.body)
    if gain is not None:
        body = body / np.maximum(gain, 0.05)
    return np.asarray(np.log(body + 12.0), np.float64)


def _doubted(reading: Reading, nats: float) -> Reading:
    """Return ``reading`` with so much speaking against there being a die."""
    odds = reading.die / max(1 - reading.die, 1e-12) * np.exp(-nats)
    return replace(reading, die=float(odds / (1 + odds)))


def _read(image: Image, camera: Camera, board: Board, centre: Point, stance: Stance) -> Reading:
    half = WIDTH * board.pitch / 2
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    pixels = camera.project([(centre[0] + x, centre[1] + y) for x, y in corners])
    end = SIZE - 1.0
    flat = np.array([(0, 0), (end, 0), (end, end), (0, end)], np.float32)
    way = cv2.getPerspectiveTransform(flat, pixels.astype(np.float32))
    patch = cv2.warpPerspective(
        image,
        way,
        (SIZE, SIZE),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return read_die(np.asarray(patch, np.uint8), stance)
