"""The dice of one table: how they lean and what colours they have is learned at the set-up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board, Look, Point
from vision.calibrate import Camera
from vision.dice import ANYHOW, Lean, Reading, Stance, learn_lean, read_die
from vision.frames import Image
from vision.pips import SIZE

WIDTH = 1.6
"""Width of a patch in pitches: a die seen aslant reaches into the neighbour's spot."""
ERROR = 0.10
"""Error, in the contrast of a common face, that each factor e of improbability counts."""

Colours = Mapping[str, NDArray[np.float64]]


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

    def read(self, image: Image, camera: Camera, spots: Iterable[str]) -> dict[str, Seen]:
        """Read ``spots`` of a still picture."""
        found = {}
        for spot in spots:
            centre = self._board[spot].centre
            stance = self._lean.stance(centre, WIDTH * self._board.pitch)
            reading = _read(image, camera, self._board, centre, stance)
            found[spot] = Seen(reading, self._bodies(reading))
        return found

    def token(self, seen: Seen, looks: Mapping[str, Look]) -> str | None:
        """Return the likeliest of the tokens in ``looks``, or None for a bare spot."""
        best = max(looks, key=lambda token: seen.probability(looks[token]))
        return best if seen.reading.die > 0.5 else None

    def _bodies(self, reading: Reading) -> dict[str, float]:
        """Compare colours by their direction and brightness, each die's pips being no help."""
        off = {
            name: float(np.linalg.norm(_tone(reading) - tone))
            for name, tone in self._colours.items()
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

    The dice are read twice: anyhow, to learn how they lean, and then as they lean for their
    colours.
    """
    width = WIDTH * board.pitch
    centres = [board[spot].centre for spot in bodies]
    first = [_read(image, camera, board, centre, ANYHOW) for centre in centres]
    lean = learn_lean(centres, first, width)
    if lean is None:
        return None
    tones: dict[str, list[NDArray[np.float64]]] = {}
    for centre, body in zip(centres, bodies.values(), strict=True):
        reading = _read(image, camera, board, centre, lean.stance(centre, width))
        if reading.die > 0.5:
            tones.setdefault(body, []).append(_tone(reading))
    if not tones:
        return None
    return TableDice(board, lean, {body: np.median(some, 0) for body, some in tones.items()})


def _tone(reading: Reading) -> NDArray[np.float64]:
    """Return the body's colour as logarithms, so that less light moves all channels alike."""
    return np.log(np.array(reading.body) + 12.0)


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
