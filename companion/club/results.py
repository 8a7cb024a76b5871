"""What has been played in a club: the games of all its tables, its players, and how they rate."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from companion.club.copies import Copies
from companion.club.store import ClubTable
from companion.games import find_game
from companion.journal import Damaged, Journal
from companion.rules import CompanionError, HardwareFault, sides_of
from companion.table.history import setup_of
from companion.table.mirror import MIRRORS
from companion.table.past_games import PastGame, past_games

_log = logging.getLogger(__name__)

FIRST_RATING, STEP = 1000, 40
"""The rating of whoever has not played, and how much a point of the model's ordinal counts: the
skill of which one may be nearly sure (mean less three standard deviations), which grows with the
number of games, too."""


class ClubGame(NamedTuple):
    """A game of the club: at which table, in which of its journals, what the table is called.
    ``first`` is the number of its first event; where another table owns the game, ``of`` is that
    table and the number of the first event there."""

    table: str
    journal: str
    name: str
    past: PastGame
    first: int = 0
    of: tuple[str, int] | None = None

    @property
    def finished(self) -> bool:
        """Whether it was played to its end."""
        return self.past.outcome is not None and not self.past.aborted

    @property
    def key(self) -> tuple[str, int, str, float]:
        """What it is, whatever its table is called: one that was invited anew tells it again."""
        return self.journal, self.past.number, self.past.header.name, self.past.begun

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats that won; none in a draw."""
        return tuple(self.past.outcome["winners"]) if self.past.outcome else ()

    def seats(self, player: str) -> list[str]:
        """Return the seats on which ``player`` sat."""
        wanted = player.casefold()
        return [seat for seat, name in self.past.players.items() if name.casefold() == wanted]

    def result(self, player: str) -> str:
        """Return ``won``, ``drawn`` or ``lost``."""
        if not self.winners:
            return "drawn"
        return "won" if set(self.seats(player)) & set(self.winners) else "lost"


class PlayerScore(NamedTuple):
    """How often somebody won, drew and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        """Return the number of games."""
        return sum(self)

    @property
    def points(self) -> float:
        """Return one for each game won, a half for each drawn."""
        return self.won + self.drawn / 2

    def then(self, result: str) -> PlayerScore:
        """Return it after one more ``result``."""
        return self._replace(**{result: getattr(self, result) + 1})


class Rating(NamedTuple):
    """How somebody rates in a game, after so many rated games."""

    player: str
    rating: int
    games: int


class Results:
    """The games of all tables of a club. May be used from any thread."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._known: dict[tuple[str, str], tuple[ClubTable, list[ClubGame]]] = {}

    def games(self) -> list[ClubGame]:
        """Return all games, the newest first; what several tables played together is one of them.

        Raises:
            HardwareFault: the database or the disk fails.
        """
        return counted_once(self.told())

    def told(self) -> list[ClubGame]:
        """Return all games as each table tells them, the newest first; raises as :meth:`games`."""
        found: dict[object, ClubGame] = {}
        for journal in self._copies.journals():
            found |= {game.key: game for game in self._of(journal)}
        return sorted(found.values(), key=lambda one: (one.past.begun, one.key), reverse=True)

    def _of(self, table: ClubTable) -> list[ClubGame]:
        key = (table.table, table.journal)
        known = self._known.get(key)
        if known is not None and known[0] == table:
            return known[1]
        try:
            with self._copies.read(table) as journal:
                games = _games_of(journal, table)
        except CompanionError as error:
            if isinstance(error, HardwareFault) and not isinstance(error, Damaged):
                raise
            _log.warning("the games of table %s cannot be read: %s", table.table, error)
            games = []
        self._known[key] = table, games
        return games


def _games_of(journal: Journal, table: ClubTable) -> list[ClubGame]:
    first = {number: event.seq for number, event in reversed(journal.of_kinds("started"))}
    owned: dict[int, tuple[str, int]] = {}
    for number, event in journal.of_kinds(MIRRORS):
        match dict(event.data):
            case {"id": str(owner), "of": [int(seq), str()]}:
                owned[number] = owner, seq
    return [
        ClubGame(
            table.table, table.journal, table.name, past, first.get(past.number, 0),
            owned.get(past.number),
        )
        for past in past_games(journal)
    ]  # fmt: skip


def counted_once(games: Sequence[ClubGame]) -> list[ClubGame]:
    """Return ``games`` with each one once that several tables played together: as the table that
    owns it tells it, else as the one does that followed it farthest. Seats that are named at
    another of the tables alone have the name from there."""
    owners: dict[tuple[str, int, str], list[ClubGame]] = {}
    together: dict[object, list[ClubGame]] = {}
    for game in games:
        if game.of is None:
            owners.setdefault((game.table, game.first, game.past.header.name), []).append(game)
    for game in games:
        same: object = (game.key, game.table)
        if game.of is not None:
            owner = (*game.of, game.past.header.name)
            # A table may have had several journals, whose events have the same numbers.
            nearest = min(
                owners.get(owner, ()),
                key=lambda one: abs(one.past.begun - game.past.begun),
                default=None,
            )
            same = owner if nearest is None else (nearest.key, nearest.table)
        together.setdefault(same, []).append(game)
    return [_as_one(some) for some in together.values()]


def _as_one(tables: Sequence[ClubGame]) -> ClubGame:
    """Return one game that several ``tables`` tell."""
    ranked = sorted(
        tables, key=lambda one: (one.of is None, one.finished, one.past.actions), reverse=True
    )
    names: dict[str, str] = {}
    for one in ranked:
        names = {**one.past.players, **names}
    told = {seat: names[seat] for seat in ranked[0].past.header.seats if seat in names}
    return ranked[0]._replace(past=replace(ranked[0].past, players=told))


def players(games: Iterable[ClubGame]) -> dict[str, PlayerScore]:
    """Return how often every named player won, drew and lost in finished ``games``, whoever has the
    most points first. Names that differ only in capitals belong to the same player, called as in
    the newest of the games."""
    found: dict[str, tuple[str, PlayerScore]] = {}
    for game in games:
        if game.finished:
            for name in {one.casefold(): one for one in game.past.players.values()}.values():
                called, score = found.get(name.casefold(), (name, PlayerScore()))
                found[name.casefold()] = called, score.then(game.result(name))
    ranked = sorted(found.values(), key=lambda one: (-one[1].points, one[1].played, one[0]))
    return dict(ranked)


def head_to_head(games: Iterable[ClubGame], player: str) -> dict[str, PlayerScore]:
    """Return how ``player`` fared against each other in finished ``games``: who won where the other
    did not, and who lost so; where both won or both lost, that is a draw between them."""
    found: dict[str, tuple[str, PlayerScore]] = {}
    for game in games:
        if not (game.finished and game.seats(player)):
            continue
        worth = ("lost", "drawn", "won")
        mine = worth.index(game.result(player))
        for name in {one.casefold(): one for one in game.past.players.values()}.values():
            if name.casefold() == player.casefold():
                continue
            other = worth.index(game.result(name))
            result = worth[1 + (mine > other) - (mine < other)]
            called, score = found.get(name.casefold(), (name, PlayerScore()))
            found[name.casefold()] = called, score.then(result)
    return dict(sorted(found.values(), key=lambda one: (-one[1].played, one[0])))


def sought(games: Iterable[ClubGame], words: str = "", game: str = "") -> list[ClubGame]:
    """Return those of ``games`` that are of ``game``, if one is given, and in which each of
    ``words`` stands in a player's name, the table's or the game's."""
    wanted = words.casefold().split()

    def fits(one: ClubGame) -> bool:
        told = " ".join([*one.past.players.values(), one.name, one.past.header.name]).casefold()
        return all(word in told for word in wanted)

    return [one for one in games if game in ("", one.past.header.name) and fits(one)]


def ratings(games: Sequence[ClubGame]) -> Mapping[str, list[Rating]]:
    """Return how the players rate in each game, the best first: by Plackett and Luce's model in the
    way of Weng and Lin, from two to six sides. A game counts if all who played it have names and
    nobody sat on two sides."""
    model, found = _model(), dict[str, dict[str, tuple[str, Any, int]]]()
    for game in sorted(games, key=lambda one: (one.past.over or 0.0, one.key)):
        sides = _sides(game)
        if len(sides) < 2:
            continue
        known = found.setdefault(game.past.header.name, {})
        before = [
            [known.get(name.casefold(), (name, model.rating(), 0))[1] for name in names]
            for names, _ in sides
        ]
        best = any(won for _, won in sides)
        ranks = [1.0 if won or not best else 2.0 for _, won in sides]
        after = model.rate(before, ranks=ranks)
        for (names, _), rated in zip(sides, after, strict=True):
            for name, one in zip(names, rated, strict=True):
                count = known[name.casefold()][2] if name.casefold() in known else 0
                known[name.casefold()] = name, one, count + 1
    return {
        game: sorted(
            (
                Rating(name, round(FIRST_RATING + STEP * one.ordinal()), count)
                for name, one, count in known.values()
            ),
            key=lambda one: (-one.rating, one.player),
        )
        for game, known in sorted(found.items())
    }


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()


def _sides(game: ClubGame) -> list[tuple[list[str], bool]]:
    """Return who played together, and whether they won; nothing where the game does not count."""
    header, players = game.past.header, game.past.players
    if not game.finished or set(players) != set(header.seats):
        return []
    try:
        kind = find_game(header.name)
        sides = sides_of(kind, setup_of(kind, header))
    except CompanionError:
        sides = tuple((seat,) for seat in header.seats)
    # Whoever plays several hands of a side alone is there once.
    named = [list({players[s].casefold(): players[s] for s in side}.values()) for side in sides]
    everybody = [name.casefold() for names in named for name in names]
    if len(everybody) != len(set(everybody)):
        return []
    return [
        (names, bool(set(side) & set(game.winners)))
        for names, side in zip(named, sides, strict=True)
    ]
