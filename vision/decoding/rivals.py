"""Which other stories the best one has to be held against, and how far it is to be believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.rules import S
from vision.decoding.decoded import KEPT, TWIN, Told
from vision.decoding.differences import DOUBT
from vision.decoding.showing import ILL

UNTOLD, MOST_UNTOLD = 0.25, 0.1
"""Doubt that each unit of error beyond DOUBT adds, and its limit. Stories that fitted badly and
proved wrong in simulated games had errors of 0.17 and more."""


def rivals_of(
    best: Told[S], ranked: Iterable[Told[S]], against: Iterable[Told[S]]
) -> list[Told[S]]:
    """Return ``best`` and its rivals, out of those ``ranked`` as it is and of those that
    something strange speaks ``against``, likeliest first."""
    least, lawful = best.score - TWIN, not best.story.illegal
    some = [told for told in ranked if not told.misfits or told.score > least][:8]
    # What leaves a spot badly explained is no rival of what fits all of them.
    if best.worst < DOUBT:
        some = [told for told in some if told.worst < ILL]
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


def misunderstood(best: Told[Any]) -> float:
    """Return how probable it is that what no story tells of happened: the worse the best one fits
    its worst spot, and more so if the rules refuse it."""
    doubt = UNTOLD * max(0.0, best.worst - DOUBT)
    return min(MOST_UNTOLD, 2 * doubt if best.story.illegal else doubt)
