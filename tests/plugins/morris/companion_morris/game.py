"""Nine men's morris as the companion knows it."""

from collections.abc import Mapping, Sequence
from typing import Any

import companion.rules as kit
from companion.rules import Action, Position, Setup, Stroke, say
from companion.rules.geometry import disc
from companion_morris.geometry import BOARD, SEATS, STOCK
from companion_morris.judge import judge
from companion_morris.state import COLOURS, State, actions, after, outcome


class Morris(
    kit.Game[State], kit.Armies, kit.Arrangements[State], kit.Conservation[State],
    kit.Highlights[State], kit.Names, kit.Pictures, kit.SavedStates[State],
):  # fmt: skip
    """Nine men's morris: placing, moving, flying, and taking a man for a mill."""

    name, title, seats = "morris", "Nine men's morris", SEATS
    rules = kit.rule_book(__package__)
    options = (
        kit.Option("flying", "yes", ("yes", "no"), "NM-3.2", "may three last men go to any point?",
                   called=kit.option_words(say("flying"), say("yes"), say("no"))),
    )  # fmt: skip
    called = {  # noqa: RUF012
        spot: say("{seat} row {place}", seat=seat, place=spot[-1])
        for seat in SEATS
        for spot in STOCK[seat]
    }
    marks = {"mill": kit.Mark(say("mill"))}  # noqa: RUF012
    outcome, judge = staticmethod(outcome), staticmethod(judge)

    def board(self, setup: Setup) -> kit.Board:
        return BOARD

    def start(self, setup: Setup) -> State:
        return self.arrange(setup, {spot: seat for seat in SEATS for spot in STOCK[seat]})

    def arrange(self, setup: Setup, position: Position, to_move: str | None = None) -> State:
        kit.check_names(self.title, (BOARD, SEATS, SEATS), position, to_move)
        return State(setup["flying"], tuple(sorted(position.items())), to_move or SEATS[0])

    def check(self, state: State) -> tuple[kit.Problem, ...]:
        found = []
        for seat in SEATS:
            men = tuple(spot for spot, token in state.men if token == seat)
            if len(men) > 9:
                reason = say("{seat} has no more than nine men.", seat=COLOURS[seat])
                found.append(kit.Problem("NM-1.2", reason, men))
        return tuple(found)

    def to_move(self, state: State) -> str | None:
        return None if outcome(state) else state.seat

    def legal(self, state: State) -> Sequence[Action]:
        return () if outcome(state) else actions(state)

    def advance(self, state: State, action: Action) -> State:
        return after(state, action)

    def scorecards(self, state: State) -> tuple[kit.Scorecard, ...]:
        end, cards = outcome(state), []
        for seat in SEATS:
            row = [man for spot, man in state.men if spot in STOCK[seat]]
            waiting = (seat,) * row.count(seat)
            taken = tuple(man for man in row if man != seat)
            status = say("takes a man") if state.takes and seat == state.seat else ""
            status = kit.result(end, seat) if end else status
            fields = (kit.Field(say("To place"), waiting, str(len(waiting))),
                      kit.Field(say("Taken"), taken, str(len(taken))))  # fmt: skip
            cards.append(kit.Scorecard(seat, fields, None, status))
        return tuple(cards)

    def invariants(self, state: State) -> Mapping[str, bool]:
        men = [token for _, token in state.men]
        return {"nobody loses a man": men.count("white") == men.count("black") == 9}

    def highlights(self, state: State) -> Mapping[str, tuple[str, ...]]:
        mine = [spot for spot, man in state.men if man == state.seat and state.mill(spot)]
        return {"mill": tuple(mine)} if state.takes and not outcome(state) else {}

    def expect(self, state: State) -> Position:
        return dict(state.men)

    def effect(self, state: State, action: Action) -> kit.Effect:
        board, origin, target = dict(state.men), str(action.origin), str(action.target)
        token = board.pop(origin, None)
        if action.verb != "move" or token is None or target not in BOARD:
            return kit.Effect(None, None)
        captures = (board[target],) if target in board else ()
        return kit.Effect(token, token, captures, {origin: None, target: token})

    def owner(self, token: str) -> str:
        return token

    def spoken(self, token: str) -> str:
        return {"white": say("white man"), "black": say("black man")}[token]

    def draw(self, setup: Setup, token: str) -> kit.Drawing:
        if token not in SEATS:
            raise kit.unknown_token(token, self.title)
        fill, ink = ("#f5f1e6", "#7a6a52") if token == "white" else ("#2b2725", "#b3a08c")
        rings = ((13.0, fill), (9.0, ""), (3.0, ink))
        return tuple(Stroke(disc(radius), colour, ink, 1.0) for radius, colour in rings)

    def dump(self, state: State) -> dict[str, Any]:
        return {
            "seats": list(SEATS),
            "options": {"flying": state.flying},
            "board": dict(state.men),
            "to_move": state.seat,
            "takes": state.takes,
            "quiet": state.quiet,
            "earlier": [[seat, dict(men)] for seat, *men in state.earlier],
        }

    def load(self, data: Mapping[str, Any]) -> State:
        with kit.loading(self.title):
            setup = self.setup(data["seats"], data["options"])
            state = self.arrange(setup, data["board"], data["to_move"])
            before = [self.arrange(setup, men, seat) for seat, men in data["earlier"]]
            return state._replace(
                takes=bool(data["takes"]),
                quiet=int(data["quiet"]),
                earlier=tuple(then.position for then in before),
            )
