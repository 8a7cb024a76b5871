"""A game small enough to see through, and a clock that moves when it is told to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import pytest

from companion.rules import (
    Action,
    Armies,
    Arrangements,
    BadInput,
    Board,
    Claims,
    Clocks,
    Drawing,
    Effect,
    Field,
    Game,
    Highlights,
    Limits,
    Mark,
    Option,
    Outcome,
    Pictures,
    Position,
    Problem,
    Rule,
    RuleBook,
    Ruling,
    SavedStates,
    Scorecard,
    SeatRules,
    Setup,
    say,
)
from companion.rules.geometry import square_board
from tests.checks.hook_server import Hook, listening


@dataclass(frozen=True)
class RaceState:
    """How far each runner is, whose turn it is, and whether the time is up."""

    seats: tuple[str, str]
    length: int
    at: tuple[int, int] = (0, 0)
    turn: int = 0
    over: bool = False

    @property
    def setup(self) -> Setup:
        return Race().setup(self.seats, {"length": str(self.length)})


class Race(
    Game[RaceState],
    SeatRules,
    Arrangements[RaceState],
    SavedStates[RaceState],
    Claims[RaceState],
    Clocks,
    Armies,
    Pictures,
    Highlights[RaceState],
):
    """Two runners, a row each: one or two steps a turn, whoever reaches the end first wins.

    When the time is up whoever is ahead wins; who does not begin in time loses the turn.
    """

    name = "race"
    title = "The Race"
    words = MappingProxyType({"forfeit": say("turn not begun in time"), "time": say("time is up")})
    marks = MappingProxyType({"turn": Mark(say("may run"))})
    seats = ("white", "black")
    options = (
        Option("length", "8", (), "RACE-1", "how many squares to run", least=3),
        Option("game_time", "0", (), "RACE-4", "minutes for the game, 0 without limit"),
        Option("move_time", "0", (), "RACE-5", "seconds to begin a turn, 0 without limit"),
    )
    rules = RuleBook(
        {
            "RACE-1": Rule("RACE-1", "The course", "A runner keeps to its own row."),
            "RACE-2": Rule("RACE-2", "Steps", "A runner takes one or two steps to the right."),
            "RACE-3": Rule("RACE-3", "Turns", "Only the player to move may run."),
            "RACE-4": Rule("RACE-4", "The end", "The first at the end wins; then nobody moves."),
            "RACE-5": Rule("RACE-5", "Time", "A turn not begun in time is lost."),
        }
    )

    def limits(self, setup: Setup) -> Limits:
        minutes, seconds = int(setup["game_time"]), int(setup["move_time"])
        return Limits(game=60.0 * minutes or None, begin=float(seconds) or None)

    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(seats or self.seats)

    def board(self, setup: Setup) -> Board:
        return course(int(setup["length"]))

    def start(self, setup: Setup) -> RaceState:
        return RaceState((setup.seats[0], setup.seats[1]), int(setup["length"]))

    def arrange(self, setup: Setup, position: Position, to_move: str | None = None) -> RaceState:
        where = {}
        for spot, token in position.items():
            if spot not in self.board(setup) or token not in setup.seats:
                raise BadInput(f"no runner {token!r} can stand on {spot!r}")
            where[token] = ord(spot[0]) - 97
        start = self.start(setup)
        at = (where[start.seats[0]], where[start.seats[1]])
        turn = start.seats.index(to_move) if to_move else 0
        return RaceState(start.seats, start.length, at, turn)

    def to_move(self, state: RaceState) -> str | None:
        return None if self.outcome(state) else state.seats[state.turn]

    def legal(self, state: RaceState) -> Sequence[Action]:
        if self.outcome(state):
            return ()
        here = state.at[state.turn]
        ahead = range(here + 1, min(here + 3, state.length))
        row = state.turn + 1
        return [Action("move", _spot(here, row), _spot(there, row)) for there in ahead]

    def claims(self, state: RaceState) -> Sequence[Action]:
        return () if self.outcome(state) else (Action("time"), Action("forfeit"))

    def advance(self, state: RaceState, action: Action) -> RaceState:
        seats, length, at, turn = state.seats, state.length, state.at, state.turn
        if action.verb == "time":
            return RaceState(seats, length, at, turn, over=True)
        if action.verb == "move":
            there = ord(str(action.target)[0]) - 97
            at = (there, at[1]) if turn == 0 else (at[0], there)
        return RaceState(seats, length, at, 1 - turn)

    def judge(self, state: RaceState, action: Action) -> Ruling:
        if action in self.claims(state):
            return Ruling(True, "RACE-5", "the clock says so")
        if self.outcome(state):
            return Ruling(False, "RACE-4", "the race is over")
        if action in self.legal(state):
            return Ruling(True, "RACE-2", "one or two steps", (str(action.target),))
        if action.origin == _spot(state.at[1 - state.turn], 2 - state.turn):
            return Ruling(False, "RACE-3", f"it is {self.to_move(state)}'s turn")
        return Ruling(False, "RACE-2", "no runner of yours can step there")

    def outcome(self, state: RaceState) -> Outcome | None:
        for seat, at in zip(state.seats, state.at, strict=True):
            if at == state.length - 1:
                return Outcome((seat,), "RACE-4", f"{seat} is at the end")
        if state.over:
            best = max(state.at)
            ahead = [s for s, at in zip(state.seats, state.at, strict=True) if at == best]
            return Outcome(tuple(ahead), "RACE-4", "the time is up")
        return None

    def scorecards(self, state: RaceState) -> tuple[Scorecard, ...]:
        return tuple(
            Scorecard(seat, (Field("steps", value=str(at)),), at)
            for seat, at in zip(state.seats, state.at, strict=True)
        )

    def expect(self, state: RaceState) -> Position:
        return {
            _spot(at, row): seat
            for row, (seat, at) in enumerate(zip(state.seats, state.at, strict=True), start=1)
        }

    def effect(self, state: RaceState, action: Action) -> Effect:
        token = self.expect(state).get(str(action.origin))
        return Effect(token, token, (), {str(action.origin): None, str(action.target): token})

    def check(self, state: RaceState) -> tuple[Problem, ...]:
        return ()

    def owner(self, token: str) -> str | None:
        return token

    def draw(self, setup: Setup, token: str) -> Drawing:
        return ()

    def highlights(self, state: RaceState) -> Mapping[str, tuple[str, ...]]:
        return {"turn": (_spot(state.at[state.turn], state.turn + 1),)}

    def dump(self, state: RaceState) -> dict[str, Any]:
        return asdict(state)

    def load(self, data: Mapping[str, Any]) -> RaceState:
        return RaceState(
            tuple(data["seats"]), data["length"], tuple(data["at"]), data["turn"], data["over"]
        )


@cache
def course(length: int) -> Board:
    return square_board(length, 2, 40.0, ("#fff", "#ddd"))


def _spot(at: int, row: int) -> str:
    return f"{chr(97 + at)}{row}"


class HandClock:
    """A clock that moves only when a test moves it."""

    def __init__(self, time: float = 1000.0) -> None:
        self.time = time

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def hook() -> Iterator[Hook]:
    """A program on this machine that is told what happens."""
    with listening() as server:
        yield server


@pytest.fixture
def race() -> Race:
    return Race()


@pytest.fixture
def find_race(race: Race) -> Callable[[str], Game[Any]]:
    """How a table finds its game by name when it resumes."""
    return {"race": race}.__getitem__


@pytest.fixture
def clock() -> HandClock:
    return HandClock()
