"""Doubt about what lies where: a table that cannot be explained, a token that may be another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.rules import Game, say
from vision.decoding.reading import Reading
from vision.tokens.eye import Seen
from vision.watching.waiting import differing


def puzzled(
    game: Game[Any], name: str, seen: Seen, table: Mapping[str, str], changed: frozenset[str]
) -> Reading:
    """Return the reading of a picture in which the ``changed`` spots of the believed ``table`` are
    not explained."""
    after, spots = as_seen(seen, table, changed), tuple(sorted(changed))
    gone = [spot for spot in changed if spot in table and spot not in after]
    lifted = gone[0] if len(changed) == 1 and gone else None
    message = differing(spots)
    if lifted is not None:
        piece = game.spoken(table[lifted])
        message = say("{piece} is missing from {spot}", piece=piece, spot=lifted)
    return Reading(name, True, after, differs=spots, lifted=lifted, message=message)


def as_seen(seen: Seen, table: Mapping[str, str], changed: Iterable[str]) -> dict[str, str]:
    """Return ``table`` with the likeliest of its tokens on every ``changed`` spot."""
    after, some = dict(table), list(changed)
    tokens = {table[spot] for spot in some if spot in table}
    for spot in some:
        token = min([None, *sorted(tokens)], key=lambda t: seen.error(spot, t))
        after.pop(spot, None)
        if token is not None:
            after[spot] = token
    return after


def other_lies(
    seen: Seen, table: Mapping[str, str], spot: str, mine: str, checked: frozenset[str]
) -> bool:
    """Tell whether nothing, or a token that may have left another ``checked`` spot, fits ``spot``
    better than ``mine``, or one surely left: where to is seen only later."""
    others = {s: table[s] for s in checked - {spot} if s in table}
    if any(2 * seen.error(s, None) < seen.error(s, t) for s, t in others.items()):
        return True
    tokens = (None, *others.values())
    return any(seen.error(spot, t) < seen.error(spot, mine) for t in tokens)
