"""Set-ups that players choose: what the rules demand of one helps to read doubtful tokens."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from itertools import count

from companion.rules import Game, Position, Setup
from companion.rules.game import S
from vision.observe import Token

LIMIT = 5.0
"""Nats by which a set-up that may be can be likelier than the picture alone: players seldom set
up wrongly, and hardly ever so that it looks just like a right set-up misread."""
MARGIN = 2.0
"""Nats by which it must be likelier than any other."""
NODES = 400

Rivals = Mapping[str, Sequence[tuple[Token, float]]]
"""For every spot the tokens it may hold besides the likeliest, with the nats each is behind."""


def mended(game: Game[S], setup: Setup, position: Position, rivals: Rivals) -> Position:
    """Return the likeliest position that the game accepts as a set-up, if it is likely enough and
    no other comes near; else ``position`` itself."""
    order = count()
    found: tuple[float, Position] | None = None
    open_: list[tuple[float, int, dict[str, Token]]] = [(0.0, next(order), {})]
    seen = set()
    for _ in range(NODES):
        if not open_:
            break
        nats, _, changes = heapq.heappop(open_)
        if found and nats > found[0] + MARGIN:
            break
        tried = {**position, **changes}
        now = {spot: token for spot, token in tried.items() if token is not None}
        problems = game.check(game.arrange(setup, now))
        if not problems:
            if found:
                return position
            found = nats, now
            if not changes:
                break
            continue
        for spot in {spot for problem in problems for spot in problem.spots} - changes.keys():
            for token, behind in rivals.get(spot, ()):
                further = {**changes, spot: token}
                key = frozenset(further.items())
                if nats + behind <= LIMIT and key not in seen:
                    seen.add(key)
                    heapq.heappush(open_, (nats + behind, next(order), further))
    return found[1] if found else position
