"""Matches: many games between players that are machines, with seats rotated."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from statistics import mean, stdev
from types import MappingProxyType
from typing import Any, Generic, NamedTuple

from companion.players.budget import Budget
from companion.players.named import player_named
from companion.players.outlook import expected, odds, own_side
from companion.players.player import Player
from companion.rules import Alone, BadInput, Evaluation, Game, HandPlays, Setup, say
from companion.rules.own_hand import HandPlay
from companion.rules.values import S

LONGEST = 3000
"""Actions after which a game that does not end is a draw."""
STILL = 50
"""Decisions of each seat in which a game stands still, and after which it is a draw, as by the
fifty moves of chess: games of men who guard what they have would never end."""
NEARER = 0.05
"""How much more or less of the result a seat may expect where a game does not stand still: a King
on his long way home takes nothing."""


@dataclass
class Tally:
    """What became of a match, by the players' names; ``deals`` has the points of each deal that
    every player had from every place."""

    games: int = 0
    draws: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    deals: list[dict[str, int]] = field(default_factory=list)
    seconds: float = 0.0
    nodes: int = 0

    def ahead(self, name: str) -> tuple[float, float] | None:
        """Return by how many points a deal ``name`` is ahead of the others' mean, and half the
        width of the interval at 95 %; None where fewer than two deals were played to their end."""
        if len(self.deals) < 2:
            return None
        gaps = [deal[name] - mean(deal[one] for one in deal if one != name) for deal in self.deals]
        return mean(gaps), 1.96 * stdev(gaps) / math.sqrt(len(gaps))

    def as_json(self) -> dict[str, Any]:
        """Return the result as the command prints it."""
        return {
            "games": self.games,
            "wins": dict(self.wins),
            "draws": self.draws,
            "points": dict(self.points),
            "seconds": round(self.seconds, 3),
            "nodes_per_second": round(self.nodes / self.seconds) if self.seconds else 0,
        }


@dataclass(frozen=True)
class Match(Generic[S]):
    """Players by their names at one kind of table; ``budget`` is what each decision may cost."""

    game: Game[S]
    setup: Setup
    names: Sequence[str]
    budget: Budget
    clock: Callable[[], float] = time.perf_counter

    def __post_init__(self) -> None:
        """Check that the seats can be shared out.

        Raises:
            BadInput: there are more players than seats, or seats are left over.
        """
        seats = len(self.setup.seats)
        if not self.names or seats % len(self.names):
            raise BadInput(
                say(
                    "{game} has {seats} seats here; name that many players, or fewer among whom "
                    "the seats can be shared out evenly",
                    game=self.game.title, seats=seats,
                )
            )  # fmt: skip

    def play(self, games: int, seed: int) -> Tally:
        """Play so many ``games``; the same ``seed`` plays the same ones as long as budgets are
        nodes. What is dealt is dealt again until every player had it from every place."""
        tally, before = Tally(wins=Counter(dict.fromkeys(self.names, 0))), Counter[str]()
        dealt = isinstance(self.game, HandPlays) and len(set(self.names)) > 1
        for number in range(games):
            deal = random.Random(f"{seed} deal {number // len(self.names)}")
            self._one(random.Random(f"{seed} {number}"), deal, number, tally)
            if dealt and (number + 1) % len(self.names) == 0:
                tally.deals.append({name: tally.points[name] - before[name] for name in tally.wins})
                before = tally.points.copy()
        return tally

    def _one(self, chance: random.Random, deal: random.Random, number: int, tally: Tally) -> None:
        seats = self.setup.seats
        named = [self.names[(place + number) % len(self.names)] for place in range(len(seats))]
        begun = self.clock()
        with ExitStack() as closing:
            players: dict[str, Player] = {}
            for seat, name in zip(seats, named, strict=True):
                players[seat] = closing.enter_context(player_named(self.game, name, chance))
            if isinstance(self.game, HandPlays):
                state = self._played_on_own_hands(self.game, players, deal, tally)
            else:
                state = self._played(players, deal, tally)
        tally.seconds += self.clock() - begun
        tally.games += 1
        won = {named[seats.index(seat)] for seat in self._winners(state)}
        if len(won) == 1:
            tally.wins[won.pop()] += 1
        elif len(seats) > 1:
            tally.draws += 1
        for card in self.game.scorecards(state):
            if card.score is not None:
                tally.points[named[seats.index(card.seat)]] += card.score

    def _winners(self, state: S) -> Sequence[str]:
        """Return the seats that won: of a game that was broken off those with the most points, if
        it is one for points, else none."""
        outcome = self.game.outcome(state)
        if outcome:
            return outcome.winners
        cards = self.game.scorecards(state)
        points = {card.seat: card.score for card in cards if card.score is not None}
        return [seat for seat in points if points[seat] == max(points.values())]

    def _played(self, players: dict[str, Player], chance: random.Random, tally: Tally) -> S:
        """Play one game to its end, or for as long as a game may go on; ``chance`` rolls dice."""
        game, state = self.game, self.game.start(self._dealt(chance))
        here, looks = _Stand.of(game, state), STILL * len(players)
        for number in range(1, LONGEST + 1):
            seat = game.to_move(state)
            if seat is None:
                break
            if number % looks == 0:
                before, here = here, _Stand.of(game, state)
                if len(players) > 1 and here.still(before):
                    break
            fate = game.by_chance(state, chance) if isinstance(game, Alone) else None
            if fate is None:
                thought = players[seat].choose(state, self.budget)
                tally.nodes += thought.nodes
            state = game.advance(state, fate or thought.action)
        return state

    def _dealt(self, chance: random.Random) -> Setup:
        """Return the set-up with every option that pages draw drawn by ``chance``."""
        drawn = {
            option.name: str(chance.randint(1, option.most or 1))
            for option in self.game.options
            if option.drawn
        }
        return replace(self.setup, options=MappingProxyType({**self.setup.options, **drawn}))

    def _played_on_own_hands(
        self, game: HandPlays[S], players: dict[str, Player], deal: random.Random, tally: Tally
    ) -> S:
        """Play one game in which every player is shown nothing but what its seat knows."""
        hands = game.own_hands(self.setup, deal)
        for _ in range(LONGEST):
            seat = hands.asked
            if seat is None:
                break
            thought = players[seat].choose(hands.known(seat), self.budget)
            tally.nodes += thought.nodes
            hands.do(seat, HandPlay(thought.action, thought.cards))
        return hands.state


class _Stand(NamedTuple):
    """How many tokens of each face are on the table, which captures, promotions and what comes in
    change for good and moves to and fro do not, and what each seat may expect, if that is known."""

    faces: Counter[str]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, game: Game[S], state: S) -> _Stand:
        """Return how ``state`` stands."""
        faces = Counter(game.look(token).face for token in game.expect(state).values())
        if not isinstance(game, Evaluation):
            return cls(faces, ())
        values, setup = game.evaluate(state), state.setup
        sides = (own_side(game, setup, number) for number in range(len(values)))
        return cls(faces, tuple(expected(odds(values, own)) for own in sides))

    def still(self, before: _Stand) -> bool:
        """Tell whether nothing came of all that happened since ``before``."""
        moved = (abs(now - then) for now, then in zip(self.shares, before.shares, strict=True))
        return self.faces == before.faces and max(moved, default=0.0) < NEARER
