"""What a lamp that the board mirrors adds to the first picture, before a token is learned from it.

Later pictures are held against the first, so whatever was veiled there must be known from the
picture itself: every bare spot shows the print of its shade, times the light on it, plus the veil.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from companion.rules import Board
from vision.board.calibrate import Points
from vision.board.raster import Floats
from vision.light.changes import linear
from vision.tokens.appearance import usual_prints
from vision.tokens.patches import disc

REACH = 1.2
"""Pitches over which the veils of bare spots are averaged: a mirrored lamp is broader."""
PLAIN, FEW = 100.0, 10.0
"""Squared ratio of print to noise from which on a bare spot tells all it can of a veil (PLAIN), and
how much of it those near must have together for a veil to be believed by half (FEW). Where the lens
blurs the print, less of it seems to be a veil; and of one of which too much is taken away nothing
is left of what is dark."""
LEAST = 0.06
"""Linear light, 0 to 1, up to which a veil may be blur: 24 simulated first pictures of three games
and two recorded ones, all without a lamp, show 0.05 at most, two recorded with one 0.09 and 0.24
(November 2026)."""
_INSIDE = disc(0.5, 0.02) > 0.5
_INSIDE[::2], _INSIDE[:, ::2] = False, False  # Every fourth pixel is enough.


def first_veil(
    board: Board,
    patches: Mapping[str, Floats],
    even: Mapping[str, Floats],
    covered: Collection[str],
) -> dict[str, Floats]:
    """Return how much linear light a mirrored lamp adds to every spot of the first picture (3,),
    the ``covered`` ones by what is seen near; empty if there is none. ``patches`` are as they were
    cut, ``even`` are the same in even light."""
    bare = [spot for spot in patches if spot not in covered]
    if not bare:
        return {}
    prints = usual_prints(board, {s: p[_INSIDE] for s, p in even.items()}, set(covered))
    seen = np.stack([patches[spot][_INSIDE] for spot in bare])
    veils, plain = _veils(seen, np.stack([prints[spot] for spot in bare]))
    places = np.array([board[spot].centre for spot in bare])
    every = np.array([board[spot].centre for spot in patches])
    far = ((every[:, None] - places) ** 2).sum(-1) / (REACH * board.pitch) ** 2
    near = plain * np.exp(-far / 2)
    smooth = np.maximum(near @ veils / (near.sum(1, keepdims=True) + FEW), 0)
    if smooth.mean(1).max() <= LEAST:
        return {}
    return dict(zip(patches, smooth.astype(np.float32), strict=True))


def _veils(seen: Floats, prints: Floats) -> tuple[Points, Points]:
    """Return how much linear light (n, 3) lies over spots that show their ``prints`` (n, pixels, 3)
    each in one light, and the squared ratio of what is ``seen`` of the print to what else is."""
    shown, printed = linear(seen), linear(prints)
    mean, own = shown.mean(1), printed.mean(1)
    shown, printed = shown - mean[:, None], printed - own[:, None]
    power = np.einsum("npc,npc->n", printed, printed) + 1e-3
    gain = np.einsum("npc,npc->n", shown, printed) / power
    rest = shown - gain[:, None, None] * printed
    noise = np.einsum("npc,npc->n", rest, rest) + 1e-3
    ratio = np.minimum(gain * gain * power / noise, PLAIN)
    return np.asarray(mean - gain[:, None] * own, np.float64), np.asarray(ratio, np.float64)
