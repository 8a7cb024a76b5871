"""Draughts as the companion knows it."""

from collections.abc import Mapping, Sequence
from typing import Any

import companion.rules as kit
from companion.rules import Action, Position, Setup, Stroke, say
from companion.rules.geometry import disc
from companion_draughts.judge import judge
from companion_draughts.moves import SEATS, VARIANTS, owner
from companion_draughts.state import State, after, outcome

TOKENS = ("black man", "black king", "white man", "white king")
CROWN = ((-8.0, 8.0), (-10.0, -5.0), (-4.5, 1.0), (0.0, -8.0), (4.5, 1.0), (10.0, -5.0), (8.0, 8.0))


class Draughts(
    kit.Game[State], kit.Armies, kit.Arrangements[State], kit.Conservation[State], kit.Pictures,
    kit.SavedStates[State], kit.Tolerance[State], kit.TwoSides,
):  # fmt: skip
    """English and international draughts: a whole capture is one action."""

    name, title, seats = "draughts", "Draughts", SEATS
    rules = kit.rule_book(__package__)
    options = (
        kit.Option("rules", "english", tuple(VARIANTS), "DR-1.1",
                   "english: 8 by 8 squares, Black begins; international: 10 by 10, White begins",
                   called=kit.option_words(say("rules"), say("english"), say("international"))),
    )  # fmt: skip
    judge, outcome, owner = staticmethod(judge), staticmethod(outcome), staticmethod(owner)

    def board(self, setup: Setup) -> kit.Board:
        return VARIANTS[setup["rules"]].board

    def start(self, setup: Setup) -> State:
        home = VARIANTS[setup["rules"]].home
        return self.arrange(setup, {at: f"{seat} man" for seat in SEATS for at in home[seat]})

    def arrange(self, setup: Setup, position: Position, to_move: str | None = None) -> State:
        variant = VARIANTS[setup["rules"]]
        kit.check_names(self.title, (variant.board, TOKENS, SEATS), position, to_move)
        return State(setup["rules"], tuple(sorted(position.items())), to_move or variant.begins)

    def check(self, state: State) -> tuple[kit.Problem, ...]:
        home, men = state.variant.home, [owner(token) for _, token in state.men]
        light = [spot for spot, _ in state.men if spot not in state.variant.dark]
        last = [spot for spot, token in state.men if state.variant.crowned(spot, token)]
        many = [spot for spot, token in state.men if men.count(o := owner(token)) > len(home[o])]
        found = (
            ("DR-1.1", say("Men stand on dark squares, not on {spots}.", spots=light), light),
            ("DR-1.2", say("A seat has more men than it began with."), many),
            ("DR-4.1", say("A man on its last row is a king: {spots}.", spots=last), last),
        )
        return tuple(kit.Problem(rule, reason, tuple(at)) for rule, reason, at in found if at)

    def to_move(self, state: State) -> str | None:
        return None if outcome(state) else state.seat

    def legal(self, state: State) -> Sequence[Action]:
        return () if outcome(state) else tuple(state.moves)

    def advance(self, state: State, action: Action) -> State:
        return after(state, state.moves[action])

    def scorecards(self, state: State) -> tuple[kit.Scorecard, ...]:
        end, cards = outcome(state), []
        for seat, foe in (SEATS, SEATS[::-1]):
            left = sum(owner(token) == foe for _, token in state.men)
            taken = (f"{foe} man",) * (len(state.variant.home[foe]) - left)
            fields = (kit.Field(say("Taken"), taken, str(len(taken))),)
            cards.append(kit.Scorecard(seat, fields, None, kit.result(end, seat) if end else ""))
        return tuple(cards)

    def invariants(self, state: State) -> Mapping[str, bool]:
        return {"the position can be": not self.check(state)}

    def expect(self, state: State) -> Position:
        return dict(state.men)

    def accepts(self, state: State, spot: str) -> tuple[str | None, ...]:
        here = dict(state.men).get(spot)
        return (here, self.turned_over(here)) if here and here.endswith("king") else (here,)

    def effect(self, state: State, action: Action) -> kit.Effect:
        board, origin, target = dict(state.men), str(action.origin), str(action.target)
        token, move = board.pop(origin, None), state.moves.get(action)
        if action.verb != "move" or token is None or target not in state.variant.board:
            return kit.Effect(None, None)
        taken = move.via if move else (target,) if target in board else ()
        then = dict(after(state, move).men)[target] if move else token
        changes = dict.fromkeys((origin, *taken)) | {target: then}
        captures = tuple(board[spot] for spot in taken)
        return kit.Effect(owner(token), token, captures, changes, then if then != token else None)

    def turned_over(self, token: str) -> str:
        return TOKENS[TOKENS.index(token) ^ 1]

    def draw(self, setup: Setup, token: str) -> kit.Drawing:
        if token not in TOKENS:
            raise kit.unknown_token(token, self.title)
        fill, ink = ("#26211f", "#a0928a") if "black" in token else ("#f6efdf", "#8a5a3c")
        body = Stroke(disc(16.0), fill, ink, 1.2)
        if token.endswith("king"):
            return body, Stroke(CROWN, ink), Stroke(disc(11.0), "", ink, 1.2)
        return body, *(Stroke(disc(radius), "", ink, 1.2) for radius in (12.5, 8.5, 4.5))

    def dump(self, state: State) -> dict[str, Any]:
        return {
            "seats": [*SEATS], "options": {"rules": state.rules},
            "board": dict(state.men), "to_move": state.seat, "counts": [state.quiet, state.alone],
            "earlier": [[dict(men), seat] for men, seat in state.earlier],
        }  # fmt: skip

    def load(self, data: Mapping[str, Any]) -> State:
        with kit.loading(self.title):
            setup = self.setup(data["seats"], data["options"])
            state = self.arrange(setup, data["board"], data["to_move"])
            before = [self.arrange(setup, *position) for position in data["earlier"]]
            earlier = tuple((then.men, then.seat) for then in before)
            quiet, alone = (int(count) for count in data["counts"])
            return state._replace(quiet=quiet, alone=alone, earlier=earlier)
