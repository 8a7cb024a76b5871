"""What a lamp that the board mirrors adds to the first picture, before a token is learned from it.

Later pictures are held against the first, so whatever was veiled there must be known from the
picture itself: every bare spot shows the print of its shade, times the light on it, plus the veil.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from companion.rules import Board
from vision.board.raster import Floats
from vision.light.changes import linear
from vision.tokens.appearance import flat_field, usual_prints
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


def first_veil(
    board: Board, patches: Mapping[str, Floats], covered: Iterable[str]
) -> dict[str, Floats]:
    """Return how much linear light a mirrored lamp adds to every spot of the first picture (3,),
    the ``covered`` ones by what is seen near; empty if there is none. ``patches`` are as they were
    cut."""
    hidden = set(covered)
    bare = [spot for spot in patches if spot not in hidden]
    if not bare:
        return {}
    field = flat_field(board, patches, hidden)
    prints = usual_prints(board, {s: p / field[s] for s, p in patches.items()}, hidden)
    found = [_veil(patches[spot], prints[spot]) for spot in bare]
    veils, plain = (np.array(part) for part in zip(*found, strict=True))
    places = np.array([board[spot].centre for spot in bare])
    smooth = {}
    for spot in patches:
        far = ((places - board[spot].centre) ** 2).sum(1) / (REACH * board.pitch) ** 2
        near = plain * np.exp(-far / 2)
        mean = (near @ veils) / (near.sum() + FEW)
        smooth[spot] = np.asarray(np.maximum(mean, 0), np.float32)
    most = max(float(veil.mean()) for veil in smooth.values())
    return smooth if most > LEAST else {}


def _veil(patch: Floats, print_: Floats) -> tuple[Floats, float]:
    """Return how much linear light (3,) lies over a ``patch`` that shows the ``print_`` in one
    light, and the squared ratio of what it shows of the print to what else it shows."""
    inside = disc(0.5, 0.02) > 0.5
    seen, printed = (linear(p)[inside].astype(np.float64) for p in (patch, print_))
    mean, own = seen.mean(0), printed.mean(0)
    seen, printed = seen - mean, printed - own
    gain = float((seen * printed).sum() / ((printed * printed).sum() + 1e-6))
    rest = seen - gain * printed
    noise = float((rest * rest).mean()) + 1e-6
    ratio = gain * gain * float((printed * printed).mean()) / noise
    return mean - gain * own, min(ratio, PLAIN)
