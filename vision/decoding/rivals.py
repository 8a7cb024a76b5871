"""Which other stories the best one has to be held against, and what it may be mistaken for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.rules import S
from vision.decoding.decoded import KEPT, TWIN, Told


def rivals_of(
    best: Told[S], ranked: Iterable[Told[S]], against: Iterable[Told[S]]
) -> list[Told[S]]:
    """Return ``best`` and its rivals, out of those ``ranked`` as it is and of those that
    something strange speaks ``against``, likeliest first."""
    least, lawful = best.score - TWIN, not best.story.illegal
    some = [told for told in ranked if not told.misfits or told.score > least][:8]
    if best.misfits and lawful:
        # What the rules refuse must be plainer to see than something strange.
        some = [told for told in some if not told.story.illegal]
    some += [t for t in against if t.score > least and not t.story.illegal][:KEPT]
    return sorted(some, key=lambda told: -told.score)


def twins_of(best: Told[S], others: Sequence[Told[S]]) -> tuple[Told[S], ...]:
    """Return the likeliest story for each other state that the same moves may lead to, and for
    other orders that lead to the same state: what is taken back next may tell them apart."""
    states: dict[S, Told[S]] = {best.story.state: best}
    orders: dict[tuple[str, ...], Told[S]] = {best.story.order: best}
    for told in others:
        if told.score > best.score - TWIN and not told.story.illegal:
            if told.story.state in states:
                orders.setdefault(told.story.order, told)
            else:
                states[told.story.state] = told
    twins = (*list(states.values())[1:], *list(orders.values())[1:])
    return twins[:KEPT] if best.story.moves else ()


def outdone(told: Told[Any], rival: Told[Any] | None) -> bool:
    """Tell whether the same moves, in another sense, are likelier, though not to be told."""
    return rival is not None and rival.score > told.score
