"""What empty spots and tokens look like on this table; learned at the set-up, then kept up.

Nothing about a game's art is known beforehand: the first still picture shows every token on a
spot where the rules say which one it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from companion.rules import Board, Look
from vision.faces import Face, Shift, outline_of, print_error, strangeness
from vision.patches import HALF, disc
from vision.raster import Floats

PLAIN = 0.33
"""Radius in pitches of what is taken for a token whose outline cannot be seen."""


class Appearances:
    """Prints of empty spots and faces of tokens, in the light of the first picture.

    ``unit`` is the contrast of a typical face: errors are counted in it, so that they mean the
    same on every table. ``turn_of`` holds how far each face was turned when it was enrolled.
    """

    def __init__(self, board: Board, patches: Mapping[str, Floats], covered: Iterable[str]) -> None:
        self._board = board
        self.prints = _prints(board, patches, set(covered))
        bare = [spot for spot in patches if spot not in set(covered)]
        inner = slice(HALF - 8, HALF + 9)
        noise = [
            np.percentile(strangeness(patches[s], self.prints[s])[inner, inner], 99) for s in bare
        ]
        white = max(float(np.median(p[inner, inner])) for p in self.prints.values())
        self.threshold = max(1.5 * float(np.median(noise)) if noise else 0.0, 0.12 * white)
        self.faces: dict[str, Face] = {}
        self.turns: dict[str, float] = {}
        self.unit = 1.0

    def enrol(self, token: Look, spot: str, patch: Floats) -> None:
        """Learn the face of the token that lies on ``spot``."""
        self.faces[token.face] = make_face(patch, self.prints[spot], self.threshold)
        self.turns[token.face] = token.turn or 0.0

    def measure(self) -> None:
        """Take the middle contrast of all faces as the unit of errors."""
        if self.faces:
            self.unit = max(20.0, float(np.median([f.contrast() for f in self.faces.values()])))

    def bare(self, spot: str, patch: Floats) -> None:
        """Learn what the empty spot looks like."""
        self.prints[spot] = patch

    def emptiness(self, spot: str, patch: Floats) -> float:
        """Return the error of taking ``spot`` for empty: with its light off, or with it on.

        A light is a bright round middle; the ring round it is then still bare print.
        """
        print_ = self.prints[spot]
        dark = print_error(patch, print_, disc(0.38, 0.05)) / self.unit
        inner = disc(0.12, 0.04) > 0.5
        brighter = (patch[inner] - print_[inner]).max(-1).mean()
        if brighter < 0.5 * np.sqrt(self.unit):
            return dark
        ring = np.clip(disc(0.38, 0.05) - disc(0.20, 0.05), 0, 1)
        return min(dark, print_error(patch, print_, ring) / self.unit + 0.02)


def make_face(patch: Floats, print_: Floats, threshold: float) -> Face:
    """Cut the face that lies on the printed spot; a plain disc where no outline shows."""
    found = outline_of(patch, print_, threshold)
    if found is None:
        middle: Shift = (0.0, 0.0)
        return Face(patch, disc(PLAIN, 0.05), middle)
    return Face(patch, *found)


def _prints(board: Board, patches: Mapping[str, Floats], covered: set[str]) -> dict[str, Floats]:
    """Return the print of every spot; a covered spot's is the middle one of its shade."""
    kinds: dict[tuple[str, str], list[Floats]] = {}
    for name, patch in patches.items():
        if name not in covered:
            spot = board[name]
            kinds.setdefault((spot.kind, spot.shade), []).append(patch)
    middle = {kind: np.median(np.stack(some), 0) for kind, some in kinds.items()}
    every = np.median(np.stack(list(patches.values())), 0)
    prints = {}
    for name, patch in patches.items():
        spot = board[name]
        print_ = patch if name not in covered else middle.get((spot.kind, spot.shade), every)
        prints[name] = np.asarray(print_, np.float32)
    return prints
