"""Events of a club: an evening's league, Swiss and round-robin events, kept in its database."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from companion.club.pairing import RESULTS, Met, Pair, Ranked, round_robin, standings, swiss_round
from companion.club.results import ClubGame, PlayerScore, players
from companion.club.store import Store
from companion.games import find_game
from companion.rules import BadInput, say

LEAGUE, SWISS, ROBIN = KINDS = ("league", "swiss", "robin")
MOST, LONGEST = 500, 80
"""Entrants of an event, and letters of a name."""


class Tournament(NamedTuple):
    """An event: its ``kind`` is one of KINDS; ``game`` is empty where every game counts; ``begun``
    and ``over`` in seconds since 1970, None while it goes on."""

    number: int
    kind: str
    name: str
    game: str
    begun: float
    over: float | None = None


class Entrant(NamedTuple):
    """Somebody who takes part; ``gone`` is paired no more."""

    number: int
    name: str
    gone: bool = False


class Pairing(NamedTuple):
    """Who plays whom at which table (``board``) in which ``round``, and how it ended; ``paired`` in
    seconds since 1970. ``game`` tells where the result comes from, where it is a game's."""

    round: int
    board: int
    first: int
    second: int | None
    result: str
    paired: float
    game: ClubGame | None = None

    def met(self) -> Met:
        """Return it as pairings are made from it."""
        return Met(self.first, self.second, self.result)


class Course(NamedTuple):
    """How an event stands: its entrants by their numbers, all pairings, the standing of everybody;
    ``scores`` is that of a league, by the players' names."""

    tournament: Tournament
    entrants: dict[int, Entrant]
    pairings: list[Pairing]
    table: list[Ranked]
    scores: dict[str, PlayerScore]

    @property
    def rounds(self) -> list[tuple[int, list[Pairing]]]:
        """Return the pairings of each round, the last that has begun first."""
        numbers = sorted({one.round for one in self.pairings})
        return [(n, [one for one in self.pairings if one.round == n]) for n in numbers]

    @property
    def now(self) -> int:
        """Return the first round that lacks a result, else the last; 0 before the first."""
        lacking = [one.round for one in self.pairings if not one.result]
        return min(lacking) if lacking else max((one.round for one in self.pairings), default=0)


class Tournaments:
    """All events of the club of ``store``. ``clock`` tells seconds since 1970."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    # -- looking -------------------------------------------------------------------------

    def every(self) -> list[Tournament]:
        """Return every event, the newest first.

        Raises:
            HardwareFault: the database cannot be used.
        """
        sql = "SELECT * FROM tournament ORDER BY tournament DESC"
        with self._store.connection() as db:
            return [Tournament(*row) for row in db.execute(sql).fetchall()]

    def course(self, number: int, games: Sequence[ClubGame]) -> Course:
        """Return how event ``number`` stands after all ``games`` of the club.

        Raises:
            BadInput: there is none.
            HardwareFault: the database cannot be used.
        """
        with self._store.connection() as db:
            found = db.execute(
                "SELECT * FROM tournament WHERE tournament = %s", (number,)
            ).fetchone()
            if found is None:
                raise BadInput(say("there is no such event"))
            tournament = Tournament(*found)
            entrants = {
                row[0]: Entrant(*row)
                for row in db.execute(
                    "SELECT number, name, gone FROM entrant WHERE tournament = %s ORDER BY number",
                    (number,),
                ).fetchall()
            }
            pairings = [
                Pairing(*row)
                for row in db.execute(
                    "SELECT round, board, first, second, result, paired FROM pairing "
                    "WHERE tournament = %s ORDER BY round, board",
                    (number,),
                ).fetchall()
            ]
        played = _counted(tournament, games)
        ended = [_ended(one, entrants, played) for one in pairings]
        met = [one.met() for one in ended]
        table = standings(list(entrants), met, tournament.kind)
        league = players(played) if tournament.kind == LEAGUE else {}
        return Course(tournament, entrants, ended, table, league)

    # -- what the club's host does ---------------------------------------------------------

    def begin(self, kind: str, name: str, game: str, names: Iterable[str]) -> int:
        """Begin an event; return its number. A round robin is paired at once.

        Raises:
            BadInput: it cannot be held so.
            HardwareFault: the database cannot be used.
        """
        if kind not in KINDS or not name.strip() or len(name) > LONGEST:
            raise BadInput(
                say("an event has a kind, and a name of {most} letters at most", most=LONGEST)
            )
        if game:
            find_game(game)
        begun = self._clock()
        with self._store.connection() as db, db.transaction():
            row = db.execute(
                "INSERT INTO tournament (kind, name, game, begun) VALUES (%s, %s, %s, %s) "
                "RETURNING tournament",
                (kind, name.strip(), game, begun),
            ).fetchone()
            assert row is not None
            number = int(row[0])
            entered = self._enter(db, number, names)
            if kind == ROBIN:
                for turn, pairs in enumerate(round_robin(entered), start=1):
                    self._pair(db, number, turn, pairs, begun)
        return number

    def enter(self, number: int, names: Iterable[str]) -> None:
        """Let more players take part from the next round on.

        Raises:
            BadInput: not in this event, or these names will not do.
            HardwareFault: the database cannot be used.
        """
        if self._going_on(number).kind != SWISS:
            raise BadInput(say("players come later only in a Swiss event"))
        with self._store.connection() as db, db.transaction():
            self._enter(db, number, names)

    def leave(self, number: int, entrant: int, gone: bool = True) -> None:
        """Pair an entrant no more, or again.

        Raises:
            BadInput: the event is over.
            HardwareFault: the database cannot be used.
        """
        self._going_on(number)
        with self._store.connection() as db:
            db.execute(
                "UPDATE entrant SET gone = %s WHERE tournament = %s AND number = %s",
                (gone, number, entrant),
            )

    def pair(self, course: Course) -> None:
        """Pair the next round of a Swiss event, which stands as ``course`` says.

        Raises:
            BadInput: results are missing, or nobody is left to meet.
            HardwareFault: the database cannot be used.
        """
        number = course.tournament.number
        if self._going_on(number).kind != SWISS:
            raise BadInput(say("only a Swiss event is paired round by round"))
        if any(not one.result for one in course.pairings):
            raise BadInput(say("results of this round are missing"))
        there = [one.number for one in course.entrants.values() if not one.gone]
        pairs = swiss_round(there, [one.met() for one in course.pairings])
        with self._store.connection() as db, db.transaction():
            self._keep(db, course)
            turn = max((one.round for one in course.pairings), default=0) + 1
            self._pair(db, number, turn, pairs, self._clock())

    def tell(self, number: int, turn: int, board: int, result: str) -> None:
        """Tell how a pairing ended; an empty ``result`` takes that back.

        Raises:
            BadInput: the event is over, or that is no result.
            HardwareFault: the database cannot be used.
        """
        self._going_on(number)
        if result not in ("", *RESULTS):
            raise BadInput(say("who sits first wins, nobody does, or who sits second wins"))
        with self._store.connection() as db:
            db.execute(
                "UPDATE pairing SET result = %s WHERE (tournament, round, board) = (%s, %s, %s) "
                "AND second IS NOT NULL",
                (result, number, turn, board),
            )

    def end(self, course: Course) -> None:
        """End an event: what it stands at now remains.

        Raises:
            BadInput: it is over.
            HardwareFault: the database cannot be used.
        """
        self._going_on(course.tournament.number)
        with self._store.connection() as db, db.transaction():
            self._keep(db, course)
            db.execute(
                "UPDATE tournament SET over = %s WHERE tournament = %s",
                (self._clock(), course.tournament.number),
            )

    def _going_on(self, number: int) -> Tournament:
        found = next((one for one in self.every() if one.number == number), None)
        if found is None or found.over is not None:
            raise BadInput(say("this event is over"))
        return found

    @staticmethod
    def _enter(db: Any, number: int, names: Iterable[str]) -> list[int]:
        known = db.execute(
            "SELECT number, name FROM entrant WHERE tournament = %s", (number,)
        ).fetchall()
        taken = {name.casefold() for _, name in known}
        last, entered = max((one for one, _ in known), default=0), list[int]()
        for name in (one.strip() for one in names):
            if not name:
                continue
            if len(name) > LONGEST or not name.isprintable() or name.casefold() in taken:
                raise BadInput(say("{name} takes part already, or is no name", name=name[:LONGEST]))
            taken.add(name.casefold())
            entered.append(last + len(entered) + 1)
            db.execute("INSERT INTO entrant VALUES (%s, %s, %s)", (number, entered[-1], name))
        if len(taken) > MOST:
            raise BadInput(say("an event has {most} players at most", most=MOST))
        return entered

    @staticmethod
    def _pair(db: Any, number: int, turn: int, pairs: Iterable[Pair], at: float) -> None:
        for board, (first, second) in enumerate(pairs, start=1):
            result = "first" if second is None else ""
            told = (number, turn, board, first, second, result, at)
            db.execute("INSERT INTO pairing VALUES (%s, %s, %s, %s, %s, %s, %s)", told)

    @staticmethod
    def _keep(db: Any, course: Course) -> None:
        """Keep results that were found among the games: they are forgotten one day."""
        for one in course.pairings:
            if one.result:
                db.execute(
                    "UPDATE pairing SET result = %s "
                    "WHERE (tournament, round, board) = (%s, %s, %s)",
                    (one.result, course.tournament.number, one.round, one.board),
                )


class HostKey:
    """What lets the club's host in: a key of which the store keeps the digest."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def renew(self) -> str:
        """Return a new key; the one before lets nobody in any more.

        Raises:
            HardwareFault: the database cannot be used.
        """
        key = secrets.token_urlsafe(18)
        with self._store.connection() as db:
            db.execute(
                "INSERT INTO host (digest) VALUES (%s) ON CONFLICT (single) "
                "DO UPDATE SET digest = EXCLUDED.digest",
                (_digest(key),),
            )
        return key

    def fits(self, key: str) -> bool:
        """Tell whether ``key`` is the host's.

        Raises:
            HardwareFault: the database cannot be used.
        """
        with self._store.connection() as db:
            row = db.execute("SELECT digest FROM host").fetchone()
        return row is not None and secrets.compare_digest(str(row[0]), _digest(key))


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _counted(tournament: Tournament, games: Iterable[ClubGame]) -> list[ClubGame]:
    """Return the finished games that count in an event by their game and their time."""
    end = tournament.over or float("inf")
    return [
        one
        for one in games
        if one.finished
        and tournament.game in ("", one.past.header.name)
        and tournament.begun <= (one.past.over or 0.0) <= end
    ]


def _ended(pairing: Pairing, entrants: dict[int, Entrant], games: Iterable[ClubGame]) -> Pairing:
    """Return ``pairing`` with the result of the first game that both have finished since it was
    paired, unless the host told one."""
    if pairing.result or pairing.second is None:
        return pairing
    first, second = entrants[pairing.first].name, entrants[pairing.second].name
    both = sorted((first.casefold(), second.casefold()))
    found = [
        one
        for one in games
        if sorted(name.casefold() for name in one.past.players.values()) == both
        and (one.past.over or 0.0) >= pairing.paired
    ]
    if not found:
        return pairing
    game = min(found, key=lambda one: one.past.over or 0.0)
    won = {"won": "first", "drawn": "draw", "lost": "second"}[game.result(first)]
    return pairing._replace(result=won, game=game)
