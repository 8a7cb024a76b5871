"""A game of two men each on nine squares, for tests of the pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from companion.rules import (
    Action,
    BadInput,
    Effect,
    Field,
    Game,
    Mark,
    Outcome,
    Rule,
    RuleBook,
    Ruling,
    Scorecard,
    Setup,
    Stroke,
    say,
)  # fmt: skip
from companion.rules.capabilities import (
    Armies,
    Arrangements,
    Claims,
    Clocks,
    Highlights,
    Pictures,
    SavedStates,
)  # fmt: skip
from companion.rules.clock import Limits
from companion.rules.geometry import square_board

RULES = RuleBook(
    {
        "MEN-1": Rule("MEN-1", "Steps", "A man steps to a neighbouring square.", "Moving"),
        "MEN-2": Rule("MEN-2", "Own men", "Nobody takes a man of his own.", "Moving"),
        "MEN-3": Rule("MEN-3", "Ending", "After a step the turn is ended aloud.", "Turns"),
        "MEN-4": Rule("MEN-4", "Draw", "A draw may be claimed at any time.", "Turns"),
    }
)


@dataclass(frozen=True)
class Men:
    """Where the men stand, whose turn it is, whether he has moved, whether a draw was claimed."""

    men: tuple[tuple[str, str], ...]
    turn: int = 0
    moved: bool = False
    drawn: bool = False

    @property
    def setup(self):
        return Setup(("red", "blue"), {})


class MenGame(
    Game[Men], Arrangements[Men], SavedStates[Men], Claims[Men], Clocks, Armies, Pictures,
    Highlights[Men],
):  # fmt: skip
    """Two men each on nine squares."""

    name, title, seats = "men", "Men <of nine>", ("red", "blue")
    rules = RULES
    words = MappingProxyType({"draw": say("agree to a draw"), "end": say("end turn")})
    ends_turn = ("end",)
    marks = MappingProxyType({"frozen": Mark(say("frozen"), holds=True)})

    def board(self, setup):
        return square_board(3, 3, 40.0, ("#b98b5e", "#efe0c2"))

    def start(self, setup):
        return self.arrange(
            setup, {"a1": "red man", "c1": "red man", "a3": "blue man", "c3": "blue man"}
        )

    def arrange(self, setup, position, to_move=None):
        if any(spot not in self.board(setup) for spot in position):
            raise BadInput("there is no such spot")
        return Men(tuple(sorted(position.items())), setup.seats.index(to_move or "red"))

    def to_move(self, state):
        return None if self.outcome(state) else self.seats[state.turn]

    def legal(self, state):
        if self.outcome(state):
            return []
        if state.moved:
            return [Action("end")]
        return [
            action
            for origin, _ in state.men
            for target in self.board(None)
            if self._why(state, action := Action("move", origin, target)).allowed
        ]

    def claims(self, state):
        return [] if self.outcome(state) else [Action("draw")]

    def judge(self, state, action):
        if action in self.claims(state):
            return Ruling(True, "MEN-4", "a draw may be claimed")
        if action.verb != "move":
            done = action == Action("end") and state.moved and not self.outcome(state)
            return Ruling(done, "MEN-3", "the turn may end" if done else "nobody has moved yet")
        if state.moved:
            return Ruling(False, "MEN-3", "the turn has to be ended first", (action.origin,))
        return self._why(state, action)

    def _why(self, state, action):
        men, mine = dict(state.men), self.seats[state.turn]
        if men.get(action.origin, "").split(" ")[0] != mine:
            return Ruling(False, "MEN-1", f"no {mine} man stands there", (action.origin,))
        if men.get(action.target, "").split(" ")[0] == mine:
            return Ruling(False, "MEN-2", "an own man stands there", (action.target,))
        spots = self.board(None).spots
        (x, y), (u, v) = spots[action.origin].centre, spots[action.target].centre
        near = abs(x - u) + abs(y - v) == 40.0
        reason = "one step" if near else "that is no neighbouring square"
        return Ruling(near, "MEN-1", reason, (action.origin, action.target))

    def advance(self, state, action):
        if action.verb == "draw":
            return replace(state, drawn=True)
        if action.verb == "end":
            return replace(state, turn=1 - state.turn, moved=False)
        men = dict(state.men)
        men[action.target] = men.pop(action.origin)
        return replace(state, men=tuple(sorted(men.items())), moved=True)

    def outcome(self, state):
        if state.drawn:
            return Outcome((), "MEN-4", "a draw was claimed")
        left = {token.split(" ")[0] for _, token in state.men}
        return Outcome(tuple(left), "MEN-2", "no man is left") if len(left) == 1 else None

    def scorecards(self, state):
        tokens = [token for _, token in state.men]
        return tuple(
            Scorecard(seat, (Field("Men", tuple(t for t in tokens if t.startswith(seat))),), 0)
            for seat in self.seats
        )

    def expect(self, state):
        return dict(state.men)

    def effect(self, state, action):
        men = dict(state.men)
        taken = men.get(action.target)
        return Effect(
            self.seats[state.turn], men.get(action.origin), (taken,) if taken else (),
            {action.origin: None, action.target: men.get(action.origin)},
        )  # fmt: skip

    def check(self, state):
        return ()

    def owner(self, token):
        return token.split(" ")[0]

    def highlights(self, state):
        return {}

    def limits(self, setup):
        return Limits()

    def draw(self, setup, token):
        if token not in ("red man", "blue man"):
            raise BadInput(f"there is no token {token!r} in this game")
        colour = {"red": "#c0392b", "blue": "#2e5fa3"}[token.split(" ")[0]]
        return (Stroke(((-10, 12), (10, 12), (0, -14)), colour, "#ffffff", 1.5),)

    def dump(self, state):
        return {"men": dict(state.men), "turn": state.turn}

    def load(self, data):
        return Men(tuple(sorted(data["men"].items())), data["turn"])
