"""The rules of Geese: what is legal, why, what a hand does and what a camera should see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.rules import (
    Action,
    Armies,
    Arrangements,
    Board,
    Conservation,
    Effect,
    Field,
    Game,
    Option,
    Outcome,
    Position,
    Problem,
    Ruling,
    SavedStates,
    Scorecard,
    Setup,
    loading,
    rule_book,
    say,
    unknown_seat,
    unknown_spot,
    unknown_token,
)
from companion.rules.geometry import square_board

COLUMNS, ROWS = "abc", 4


@dataclass(frozen=True)
class State:
    """``men``: spot and owner, in the order of the spots; ``turn``: whose turn it is."""

    setup: Setup = field(hash=False)
    men: tuple[tuple[str, str], ...]
    turn: str


class Geese(
    Game[State],
    Arrangements[State],
    SavedStates[State],
    Conservation[State],
    Armies,
):
    """Two rows of men walk towards each other. Black sits at row 1."""

    name = "geese"
    title = "Geese"
    seats = ("black", "white")
    rules = rule_book(__package__)
    options = (Option("captures", "yes", ("yes", "no"), "GEE-4", say("may men be captured?")),)

    # -- setting up ------------------------------------------------------------------

    def board(self, setup: Setup) -> Board:
        return square_board(len(COLUMNS), ROWS, 40.0, ("#b98b5e", "#efe0c2"))

    def start(self, setup: Setup) -> State:
        home = {"black": 1, "white": ROWS}
        position = {f"{column}{home[seat]}": seat for seat in setup.seats for column in COLUMNS}
        return self.arrange(setup, position)

    def arrange(self, setup: Setup, position: Position, to_move: str | None = None) -> State:
        board = self.board(setup)
        for spot, token in position.items():
            if spot not in board:
                raise unknown_spot(spot)
            if token not in setup.seats:
                raise unknown_token(token, self.title)
        if to_move not in (None, *setup.seats):
            raise unknown_seat(to_move, self.title, setup.seats)
        return State(setup, tuple(sorted(position.items())), to_move or setup.seats[0])

    def check(self, state: State) -> tuple[Problem, ...]:
        return tuple(
            Problem("GEE-1", say("{seat} has more than three men.", seat=seat))
            for seat, count in Counter(dict(state.men).values()).items()
            if count > len(COLUMNS)
        )

    # -- playing ---------------------------------------------------------------------

    def to_move(self, state: State) -> str | None:
        return None if self.outcome(state) else state.turn

    def legal(self, state: State) -> Sequence[Action]:
        return () if self._reached(state) else self._moves(state)

    def judge(self, state: State, action: Action) -> Ruling:
        men, spots = dict(state.men), tuple(s for s in (action.origin, action.target) if s)
        if outcome := self.outcome(state):
            return Ruling(False, outcome.rule, say("The game is over."))
        if action.verb != "move" or men.get(spots[0]) != state.turn:
            return Ruling(False, "GEE-2", say("{seat} moves a man of his own.", seat=state.turn))
        if action in self._moves(state):
            rule = "GEE-4" if spots[1] in men else "GEE-3"
            return Ruling(True, rule, say("A man may go to {spot}.", spot=spots[1]), spots)
        if spots[1] in self._ahead(state, spots[0], (-1, 1)):
            return Ruling(False, "GEE-4", say("There is no man to capture."), spots)
        if spots[1] in men:
            return Ruling(False, "GEE-3", say("{spot} is taken.", spot=spots[1]), spots)
        return Ruling(False, "GEE-3", say("A man steps one square ahead or to the side."), spots)

    def advance(self, state: State, action: Action) -> State:
        men = dict(state.men)
        men[str(action.target)] = men.pop(str(action.origin))
        return replace(state, men=tuple(sorted(men.items())), turn=self._other(state))

    def outcome(self, state: State) -> Outcome | None:
        if spot := self._reached(state):
            seat = dict(state.men)[spot]
            return Outcome((seat,), "GEE-5", say("{seat} reached {spot}.", seat=seat, spot=spot))
        if not self._moves(state):
            words = say("{seat} cannot move.", seat=state.turn)
            return Outcome((self._other(state),), "GEE-5", words)
        return None

    def scorecards(self, state: State) -> tuple[Scorecard, ...]:
        count = Counter(dict(state.men).values())
        return tuple(
            Scorecard(seat, (Field(say("men"), (seat,) * count[seat]),))
            for seat in state.setup.seats
        )

    def invariants(self, state: State) -> Mapping[str, bool]:
        return {"nobody has more than three men": not self.check(state)}

    # -- seeing ----------------------------------------------------------------------

    def expect(self, state: State) -> Position:
        return dict(state.men)

    def effect(self, state: State, action: Action) -> Effect:
        men = dict(state.men)
        piece = men.get(action.origin or "")
        if piece is None or action.target is None:
            return Effect(piece, piece)
        taken = (men[action.target],) if action.target in men else ()
        return Effect(piece, piece, taken, {str(action.origin): None, action.target: piece})

    def owner(self, token: str) -> str | None:
        return token if token in self.seats else None

    # -- writing down ----------------------------------------------------------------

    def dump(self, state: State) -> dict[str, Any]:
        return {
            "seats": list(state.setup.seats),
            "options": dict(state.setup.options),
            "men": dict(state.men),
            "turn": state.turn,
        }

    def load(self, data: Mapping[str, Any]) -> State:
        with loading(self.title):
            setup = self.setup(data["seats"], data["options"])
            return self.arrange(setup, data["men"], data["turn"])

    # -- inside ----------------------------------------------------------------------

    def _other(self, state: State) -> str:
        first, second = state.setup.seats
        return second if state.turn == first else first

    def _reached(self, state: State) -> str | None:
        """Return where a man stands on the row farthest from his player."""
        far = {"black": str(ROWS), "white": "1"}
        return next((spot for spot, owner in state.men if spot[1] == far[owner]), None)

    def _ahead(self, state: State, spot: str, sides: tuple[int, ...]) -> list[str]:
        """Return the squares one row ahead of a man and so many columns to the side."""
        row = int(spot[1]) + (1 if dict(state.men)[spot] == "black" else -1)
        columns = [COLUMNS.index(spot[0]) + side for side in sides]
        return [f"{COLUMNS[c]}{row}" for c in columns if 0 <= c < len(COLUMNS) and 1 <= row <= ROWS]

    def _moves(self, state: State) -> list[Action]:
        men, found = dict(state.men), []
        for spot, owner in state.men:
            if owner != state.turn:
                continue
            column = COLUMNS.index(spot[0])
            beside = [f"{COLUMNS[c]}{spot[1]}" for c in (column - 1, column + 1) if 0 <= c < 3]
            steps = [*self._ahead(state, spot, (0,)), *beside]
            found += [Action("move", spot, to) for to in steps if to not in men]
            if state.setup["captures"] == "yes":
                enemy, ahead = self._other(state), self._ahead(state, spot, (-1, 1))
                found += [Action("move", spot, to) for to in ahead if men.get(to) == enemy]
        return found


GAME = Geese()
