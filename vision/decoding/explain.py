"""What explains a picture, where something on the table belongs to no story of the game.

A light, a shadow or a token that leans over from its neighbour may make a spot look strange. It
must neither hide a move elsewhere nor be taken for a part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from vision.decoding.decode import Decoded, Told
from vision.decoding.differences import odd_spots
from vision.tokens.eye import Seen

S = TypeVar("S")

BESIDE = 0.98
"""Greatest probability of what happened while something else on the table is not understood."""

PLAIN = 0.25
"""Worst error that what happened beside it may leave."""

Decode = Callable[[frozenset[str]], Decoded[S]]


@dataclass(frozen=True, slots=True)
class Explained(Generic[S]):
    """What explains a picture; ``odd`` are spots that only a shadow or a light spoilt, ``left``
    those that differ and have no part in the story."""

    decoded: Decoded[S]
    odd: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()


def explain(
    decode: Decode[S],
    seen: Seen,
    table: Mapping[str, str],
    changed: frozenset[str],
    stale: frozenset[str],
) -> Explained[S]:
    """Return what explains the ``changed`` spots, by ``decode`` of all or some of them.

    ``stale`` are those that looked just so in the picture before, in which nothing explained
    them: what was elsewhere then did not come there since.
    """
    decoded, fresh = decode(changed), changed - stale
    arrived = decoded.best is not None and _arrived(decoded.best, stale)
    if stale and fresh and (decoded.best is None or arrived):
        plain = _beside(decode(fresh))
        if plain is not None:
            return Explained(plain, left=stale)
    if arrived:
        decoded = Decoded(None, 0.0)
    if decoded.best is not None:
        return Explained(decoded)
    odd = odd_spots(seen, table, changed)
    if odd and changed - odd:
        plain = decode(changed - odd)
        if plain.sure:
            return Explained(plain, odd)
    if decoded.strange:
        plain = _beside(decode(changed - decoded.strange))
        if plain is not None:
            return Explained(plain, odd, decoded.strange)
    return Explained(decoded, odd)


def _arrived(best: Told[S], stale: frozenset[str]) -> bool:
    """Tell whether by the ``best`` story something came to a ``stale`` spot from one that is
    not."""
    here = stale & best.table.keys()
    moves = [step.action for step in best.story.steps]
    return any(move.target in here and move.origin not in stale for move in moves)


def _beside(decoded: Decoded[S]) -> Decoded[S] | None:
    """Return what surely happened beside something that is not understood; None if nothing."""
    best = decoded.best
    if best is None or not decoded.sure or not best.story.moves or best.worst >= PLAIN:
        return None
    return replace(decoded, p=min(decoded.p, BESIDE))
