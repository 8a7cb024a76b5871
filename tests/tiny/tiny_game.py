"""Slide: a whole game of the kernel's contract on nine squares, for tests that need any game.

Two seats, three pegs each on their own back row. A peg goes one square straight ahead or
sideways, also onto an enemy's peg, which is captured. Who reaches the far row has won; who cannot
move has lost. A player may resign (a claim).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from companion.rules import (
    Action,
    Armies,
    Arrangements,
    BadInput,
    Board,
    Claims,
    Conservation,
    Drawing,
    Effect,
    Field,
    Game,
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
    Settlements,
    Setup,
    Stroke,
    say,
)
from companion.rules.geometry import square_board

RESIGN = Action("resign")
RULES = {
    "TINY-1": "A peg goes one square ahead or sideways.",
    "TINY-2": "Each moves his own pegs in his turn.",
    "TINY-3": "Nothing moves onto its own colour, and with capture = no onto no peg at all.",
    "TINY-4": "The first peg on the far row wins; who cannot move has lost.",
    "TINY-5": "A player may resign in his turn.",
}


@dataclass(frozen=True)
class State:
    """``pegs``: spot and owner, in order of the spots; ``turn``: index of the seat to move."""

    seats: tuple[str, ...]
    capture: str
    pegs: tuple[tuple[str, str], ...]
    turn: int = 0
    resigned: bool = False

    @property
    def setup(self) -> Setup:
        return GAME.setup(self.seats, {"capture": self.capture})


class TinyGame(
    Game[State],
    SeatRules,
    Arrangements[State],
    SavedStates[State],
    Claims[State],
    Settlements[State],
    Armies,
    Pictures,
    Conservation[State],
):
    """Black sits at row 1, white at row 3."""

    name = "tiny"
    title = "Slide"
    seats = ("black", "white")
    rules = RuleBook({name: Rule(name, name, text) for name, text in RULES.items()})
    words = MappingProxyType({"resign": say("resign")})
    options = (
        Option("capture", "yes", ("yes", "no"), "TINY-3", "may pegs be captured?"),
        Option("pegs", "3", (), "TINY-1", "pegs for each player, from the left", least=1),
    )

    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(seats or self.seats)

    def board(self, setup: Setup) -> Board:
        return square_board(3, 3, 40.0, ("#808080", "#ffffff"))

    def start(self, setup: Setup) -> State:
        row = {"black": "1", "white": "3"}
        columns = "abc"[: int(setup["pegs"])]
        return self.arrange(setup, {f + row[seat]: seat for seat in setup.seats for f in columns})

    def arrange(self, setup: Setup, position: Position, to_move: str | None = None) -> State:
        board = self.board(setup)
        for spot, token in position.items():
            if spot not in board or token not in setup.seats:
                raise BadInput(f"{token!r} cannot stand on {spot!r}")
        if to_move is not None and to_move not in setup.seats:
            raise BadInput(f"{to_move!r} does not play")
        turn = setup.seats.index(to_move) if to_move else 0
        return State(setup.seats, setup["capture"], tuple(sorted(position.items())), turn)

    def to_move(self, state: State) -> str | None:
        return None if self.outcome(state) else state.seats[state.turn]

    def _steps(self, state: State, spot: str) -> list[str]:
        f, r = "abc".index(spot[0]), int(spot[1])
        ahead = 1 if dict(state.pegs)[spot] == "black" else -1
        cells = [(f, r + ahead), (f - 1, r), (f + 1, r)]
        return ["abc"[x] + str(y) for x, y in cells if 0 <= x < 3 and 1 <= y <= 3]

    def legal(self, state: State) -> Sequence[Action]:
        if self.outcome(state):
            return ()
        return self._moves(state)

    def _moves(self, state: State) -> list[Action]:
        pegs, mover = dict(state.pegs), state.seats[state.turn]
        return [
            Action("move", spot, target)
            for spot, owner in state.pegs
            if owner == mover
            for target in self._steps(state, spot)
            if pegs.get(target) != mover and (target not in pegs or state.capture == "yes")
        ]

    def claims(self, state: State) -> Sequence[Action]:
        return () if self.outcome(state) else (RESIGN,)

    def advance(self, state: State, action: Action) -> State:
        if action == RESIGN:
            return replace(state, resigned=True)
        assert action.origin
        assert action.target
        pegs = dict(state.pegs)
        pegs[action.target] = pegs.pop(action.origin)
        turn = (state.turn + 1) % len(state.seats)
        return replace(state, pegs=tuple(sorted(pegs.items())), turn=turn)

    def judge(self, state: State, action: Action) -> Ruling:
        if outcome := self.outcome(state):
            return Ruling(False, outcome.rule, "The game is over.")
        if action in self.claims(state):
            return Ruling(True, "TINY-5", "You may resign.")
        if action in self._moves(state):
            return Ruling(True, "TINY-1", "A peg may go there.", (str(action.target),))
        pegs = dict(state.pegs)
        if action.origin is None or pegs.get(action.origin) != state.seats[state.turn]:
            return Ruling(False, "TINY-2", "Your own peg does not stand there.")
        if action.target in self._steps(state, action.origin):
            return Ruling(False, "TINY-3", "That square is taken.", (str(action.target),))
        return Ruling(False, "TINY-1", "That is not one square ahead or sideways.")

    def outcome(self, state: State) -> Outcome | None:
        mover, other = state.seats[state.turn], state.seats[1 - state.turn]
        if state.resigned:
            return Outcome((other,), "TINY-5", f"{mover} resigned.")
        for spot, owner in state.pegs:
            if spot[1] == ("3" if owner == "black" else "1"):
                return Outcome((owner,), "TINY-4", f"{owner} reached {spot}.")
        if not self._moves(state):
            return Outcome((other,), "TINY-4", f"{mover} cannot move.")
        return None

    def scorecards(self, state: State) -> tuple[Scorecard, ...]:
        owners = [owner for _, owner in state.pegs]
        return tuple(
            Scorecard(seat, (Field("pegs", (seat,) * owners.count(seat)),), owners.count(seat))
            for seat in state.seats
        )

    def expect(self, state: State) -> Position:
        return dict(state.pegs)

    def effect(self, state: State, action: Action) -> Effect:
        pegs = dict(state.pegs)
        piece = pegs.get(action.origin or "")
        if piece is None or action.target is None:
            return Effect(piece, piece)
        taken = (pegs[action.target],) if action.target in pegs else ()
        changes = {str(action.origin): None, action.target: piece}
        return Effect(piece, piece, taken, changes)

    def check(self, state: State) -> tuple[Problem, ...]:
        owners = [owner for _, owner in state.pegs]
        return tuple(
            Problem("TINY-1", f"{seat} has more than three pegs.")
            for seat in state.seats
            if owners.count(seat) > 3
        )

    def resignation(self, state: State, seat: str) -> Action | None:
        return RESIGN if seat == self.to_move(state) else None

    def invariants(self, state: State) -> Mapping[str, bool]:
        pegs = [owner for _, owner in state.pegs]
        return {"nobody has more than three pegs": all(pegs.count(s) <= 3 for s in state.seats)}

    def owner(self, token: str) -> str | None:
        return token

    def draw(self, setup: Setup, token: str) -> Drawing:
        light, dark = "#f0e0a0", "#202020"
        body, stripe = (dark, light) if token == "black" else (light, dark)
        return (
            Stroke(((-14, -12), (14, -12), (0, 14)), fill=body, colour=dark, width=1),
            Stroke(((-8, -8), (8, -8), (6, -4), (-6, -4)), fill=stripe),
        )

    def dump(self, state: State) -> dict[str, Any]:
        return {
            "seats": list(state.seats),
            "capture": state.capture,
            "pegs": dict(state.pegs),
            "turn": state.turn,
            "resigned": state.resigned,
        }

    def load(self, data: Mapping[str, Any]) -> State:
        try:
            pegs = tuple(sorted(data["pegs"].items()))
            return State(
                tuple(data["seats"]), data["capture"], pegs, data["turn"], data["resigned"]
            )
        except (KeyError, AttributeError, TypeError) as error:
            raise BadInput(f"a field of the state is missing or wrong: {error}") from None


GAME = TinyGame()
