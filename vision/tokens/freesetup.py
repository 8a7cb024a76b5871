"""Set-ups that players choose: what the rules demand of a set-up helps to read doubtful tokens.

A chosen set-up mostly has the usual tokens in other places. So the tokens are dealt to the spots
where they belong, each as often as there are, in the way that fits the picture best. By how many
nats the next best deal fits worse tells whether the picture decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from companion.rules import Game, Position, S, Setup, arrangements, say
from vision.tokens.observe import Token

LIMIT = 9.0
"""Nats by which an allowed set-up may fit worse than what each spot shows by itself. Players seldom
set up wrongly, and hardly ever so that it looks just like a right set-up misread."""
MARGIN = 6.0
"""Nats by which the best set-up must fit better than any other. Small, steep pictures of good
set-ups come to 12 and more; one in which two dice were taken for each other came to 4."""
LOOKS = 6
"""The last looks at a doubtful set-up that are combined."""
MORE = 1.3
"""Many looks together say at most so many times as much as one, because most errors recur in
each."""
PLAIN = 1.5
"""Nats from which on a spot clearly shows something else than was dealt to it."""

Nats = Mapping[str, Mapping[Token, float]]
"""For every spot: how many nats speak against each token, and against nothing (None) lying
there."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SeenSetUp:
    """A set-up as the picture shows it. ``behind`` tells how many nats worse it fits than each
    spot alone, ``margin`` how many better than any other set-up; ``doubtful`` are the spots that
    another would have otherwise, or that plainly show something else. ``fair`` tells whether the
    rules take ``position`` for a set-up at all."""

    position: Position
    fair: bool
    behind: float = 0.0
    margin: float = np.inf
    doubtful: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """Tell whether the game may begin with it without a question."""
        return self.fair and self.behind <= LIMIT and self.margin >= MARGIN


def free_set_up(game: Game[S], setup: Setup, expected: Position, nats: Nats) -> SeenSetUp:
    """Return the likeliest set-up of the tokens of ``expected``, on its spots in any places.

    Where the rules refuse every such set-up, or the picture does not fit it at all, what each spot
    shows is returned, and that it is not fair.
    """
    alone = {spot: min(some, key=lambda token: some[token]) for spot, some in nats.items()}
    dealt, margin, others = deal(expected, nats)
    whole = {spot: dealt.get(spot) for spot in nats}
    behind = {spot: nats[spot][token] - nats[spot][alone[spot]] for spot, token in whole.items()}
    plain = tuple(sorted(spot for spot in nats if behind[spot] > PLAIN))
    total = sum(behind[spot] for spot in dealt) + misplaced(dealt, nats, behind)
    if total > 2 * LIMIT or arrangements(game).check(arrangements(game).arrange(setup, dealt)):
        seen = {spot: token for spot, token in alone.items() if token is not None}
        return SeenSetUp(
            seen,
            not arrangements(game).check(arrangements(game).arrange(setup, seen)),
            doubtful=plain,
        )
    doubtful = set(others) if margin < MARGIN else set()
    return SeenSetUp(
        dealt, True, total, margin, tuple(sorted(doubtful | set(plain if total > LIMIT else ())))
    )


def misplaced(dealt: Position, nats: Nats, behind: Mapping[str, float]) -> float:
    """Return the nats by which tokens that lie beside the spots of a set-up explain the picture
    better than bare spots do. No more tokens lie there than are missing from it: what else looks
    like one is the side of another."""
    beside = sorted((behind[spot] for spot in nats.keys() - dealt.keys()), reverse=True)
    # Of a spot that is bare the set-up is behind already by what speaks against its token.
    missing = sorted((min(0.0, nats[s][t] - nats[s][None]) for s, t in dealt.items()), reverse=True)
    some = zip(accumulate(beside), accumulate(missing), strict=False)
    return max(0.0, *(seen + gone for seen, gone in some))


def deal(expected: Position, nats: Nats) -> tuple[Position, float, tuple[str, ...]]:
    """Deal the tokens of ``expected`` out to its spots at the least cost.

    Returns the tokens, how many nats more the next best deal costs, and the spots where that one
    differs. Tokens are exchanged round and round as long as that saves something (Klein 1967).
    """
    spots = sorted(expected)
    kinds = sorted(set(expected.values()))
    costs = np.array([[nats[spot][token] for token in kinds] for spot in spots])
    held = np.array([kinds.index(expected[spot]) for spot in spots])
    while (found := cheapest_round(costs, held)) and found[0] < -1e-9:
        for spot, kind in found[1]:
            held[spot] = kind
    dealt = {spot: kinds[k] for spot, k in zip(spots, held, strict=True)}
    if found is None:
        return dealt, np.inf, ()
    return dealt, found[0], tuple(sorted(spots[spot] for spot, _ in found[1]))


def cheapest_round(
    costs: Floats, held: NDArray[np.intp]
) -> tuple[float, list[tuple[int, int]]] | None:
    """Return the cheapest way of exchanging tokens between spots of different tokens: its cost,
    and which spot gets which kind. None where all tokens are alike.

    ``costs`` (spots, kinds); ``held`` (spots) are the kinds dealt now. A way whose cost is below
    zero need not be the cheapest: it is the first one found.
    """
    kinds = costs.shape[1]
    extra = costs - costs[np.arange(len(held)), held][:, None]
    step = np.full((kinds, kinds), np.inf)
    giver = np.zeros((kinds, kinds), np.intp)
    for kind in set(held.tolist()):
        own = np.flatnonzero(held == kind)
        best = extra[own].argmin(0)
        step[kind], giver[kind] = extra[own][best, np.arange(kinds)], own[best]
        step[kind, kind] = np.inf
    # Ways of at most k steps from kind to kind, and the last but one kind on each.
    paths, before = [step], [np.tile(np.arange(kinds)[:, None], kinds)]
    for length in range(2, kinds + 1):
        via = paths[-1][:, :, None] + step[None]
        paths.append(via.min(1))
        before.append(via.argmin(1))
        rounds = np.diag(paths[-1])
        if rounds.min() < -1e-9 or length == kinds:
            break
    choices = [(float(np.diag(path).min()), k) for k, path in enumerate(paths)]
    cost, k = min(choices)
    if not np.isfinite(cost):
        return None
    kind = int(np.diag(paths[k]).argmin())
    walk = _walk(before, k, kind)
    return cost, [(int(giver[a, b]), b) for a, b in pairwise(walk)]


def _walk(before: list[NDArray[np.intp]], steps: int, kind: int) -> list[int]:
    """Return the kinds on the way of ``steps`` + 1 steps from ``kind`` back to itself."""
    walk, at = [kind], kind
    for k in range(steps, 0, -1):
        at = int(before[k][kind, at])
        walk.append(at)
    walk.append(kind)
    return walk[::-1]


def together(looks: Sequence[Nats]) -> dict[str, dict[Token, float]]:
    """Return what several looks at the same table say together. Most errors recur in every look, so
    many say little more than one."""
    weight = MORE / (MORE + (len(looks) - 1))
    return {
        spot: {token: weight * sum(look[spot][token] for look in looks) for token in tokens}
        for spot, tokens in looks[0].items()
    }


class Chosen(Generic[S]):
    """What the looks so far say about the set-up that the players chose for ``state``.

    Looks count together as long as the same seems to lie on the table. ``usual`` are the tokens
    and spots of any set-up.
    """

    def __init__(self, game: Game[S], state: S, usual: Position) -> None:
        self._game, self._setup, self._usual = game, state.setup, usual
        self._looks: list[Nats] = []
        self._laid: Position = {}
        self.found = SeenSetUp({}, False)

    @property
    def open(self) -> bool:
        """Tell whether the set-up is still in doubt."""
        return bool(self._looks) and not self.found.sure

    @property
    def state(self) -> S:
        """Return the state that begins with what was found."""
        return arrangements(self._game).arrange(self._setup, self.found.position)

    @property
    def message(self) -> str:
        """Return what is wrong or in doubt, for players; empty where nothing is."""
        if not self.found.fair:
            return " ".join(
                problem.reason for problem in arrangements(self._game).check(self.state)
            )
        if self.found.sure:
            return ""
        return say(
            "look at {spots}: what lies there is hard to read",
            spots=self.found.doubtful,
        )

    def look(self, nats: Nats) -> SeenSetUp:
        """Take in one more look, and return what all say."""
        alone = {spot: min(some, key=lambda token: some[token]) for spot, some in nats.items()}
        laid = {spot: token for spot, token in alone.items() if token is not None}
        self._looks = [*self._looks, nats][-LOOKS:] if laid == self._laid else [nats]
        self._laid = laid
        self.found = free_set_up(self._game, self._setup, self._usual, together(self._looks))
        return self.found
