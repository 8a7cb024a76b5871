"""The game HexiMeros as the companion knows it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.heximeros import declare, drawing, evaluation, geometry, saved
from companion.games.heximeros.arena import arena_of
from companion.games.heximeros.judge import judge
from companion.games.heximeros.notation import write_score
from companion.games.heximeros.pieces import COLOURS, SPOKEN, TITLE, TOKEN_NAME
from companion.games.heximeros.play import advance
from companion.games.heximeros.scorecards import invariants, outcome, scorecards
from companion.games.heximeros.setup import OPTIONS, seating
from companion.games.heximeros.sight import (
    accepts,
    check,
    effect,
    expect,
    highlights,
    situation,
)
from companion.games.heximeros.state import NEW_TURN, HexiMerosState, HexiMerosTally
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
    Exports,
    Game,
    Highlights,
    Look,
    Mark,
    Marked,
    Names,
    Outcome,
    Pictures,
    Position,
    Problem,
    Rivals,
    Ruling,
    SavedStates,
    Scorecard,
    SeatRules,
    Settlements,
    Setup,
    Situation,
    Text,
    Tolerance,
    TwoSides,
    loading,
    quoted,
    rule_book,
    say,
    setup_saved,
    unknown_token,
)  # fmt: skip


class HexiMeros(
    Game[HexiMerosState],
    SeatRules,
    Arrangements[HexiMerosState],
    SavedStates[HexiMerosState],
    Claims[HexiMerosState],
    Settlements[HexiMerosState],
    Armies,
    Names,
    Pictures,
    TwoSides,
    Marked,
    Tolerance[HexiMerosState],
    Highlights[HexiMerosState],
    Situation[HexiMerosState],
    Exports[HexiMerosState],
    Conservation[HexiMerosState],
    Rivals[HexiMerosState],
):
    """HexiMeros: the contract of the kernel, answered by the modules of this folder."""

    name = "heximeros"
    title = TITLE
    seats = COLOURS
    options = OPTIONS
    notations = ("hxm",)
    rules = rule_book(__package__)
    words = declare.WORDS
    ends_turn = ("token",)
    marks = MappingProxyType(
        {
            "check": Mark(say("check")),
            "promotion": Mark(say("promotion")),
            "hatted": Mark(say("hatted")),
        }
    )

    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the six seats in order of play, Silver first (HX-3.1).

        Raises:
            BadInput: an unknown or repeated seat, or not all six.
        """
        return seating(seats or COLOURS)

    def board(self, setup: Setup) -> Board:
        """Return the 655 hexagons, 26 mm flat to flat, and the Token's places if it is seen."""
        return drawing.board(arena_of(setup))

    def start(self, setup: Setup) -> HexiMerosState:
        """Return the start array with Silver to move (HX-2.1, HX-3.1)."""
        arena = arena_of(setup)
        return HexiMerosState(arena, arena.start_board(), 0, NEW_TURN, HexiMerosTally())

    def arrange(
        self, setup: Setup, position: Position, to_move: str | None = None
    ) -> HexiMerosState:
        """Return a state with ``position`` on the board and nothing counted yet.

        Raises:
            BadInput: an unknown space, token or seat, or a seat without a Sovereign.
        """
        return saved.arranged(arena_of(setup), position, to_move)

    def rearranged(
        self, state: HexiMerosState, position: Position, to_move: str | None = None
    ) -> HexiMerosState:
        """Return ``state`` with another position, its scorecards kept.

        Raises:
            BadInput: an unknown space, token or seat, or a seat that plays no army.
        """
        return saved.rearranged(state, position, to_move)

    def to_move(self, state: HexiMerosState) -> str | None:
        """Return the player who has the Move; he may play for a resurrected army."""
        return None if state.tally.ending else COLOURS[state.player]

    def legal(self, state: HexiMerosState) -> Sequence[Action]:
        """Return every legal action; empty exactly when the game is over."""
        return declare.legal(state)

    def claims(self, state: HexiMerosState) -> Sequence[Action]:
        """Return what may be announced: Check, leaving the game, a draw."""
        return declare.claims(state)

    def binds(self, state: HexiMerosState, claim: Action) -> tuple[str, ...]:
        """Return who leaves the game, the others for one who is expelled, both for a draw; that a
        Sovereign is in Check anybody may say."""
        return declare.binds(state, claim)

    def resignation(self, state: HexiMerosState, seat: str) -> Action | None:
        """Return the word by which ``seat`` leaves the game: it resigns in its turn, else the
        others hear that it concedes (HX-5.4)."""
        return declare.resignation(state, seat)

    def advance(self, state: HexiMerosState, action: Action) -> HexiMerosState:
        """Return the state after ``action``, which must be legal."""
        return advance(state, action)

    def judge(self, state: HexiMerosState, action: Action) -> Ruling:
        """Rule on any conceivable action: the deciding rule and the spaces that prove it."""
        return judge(state, action)

    def outcome(self, state: HexiMerosState) -> Outcome | None:
        """Return how the game ended."""
        return outcome(state)

    def scorecards(self, state: HexiMerosState) -> tuple[Scorecard, ...]:
        """Return who plays what, captures, promotions, and points if they are counted."""
        return scorecards(state)

    def expect(self, state: HexiMerosState) -> Position:
        """Return what should lie on the board."""
        return expect(state)

    def accepts(self, state: HexiMerosState, spot: str) -> tuple[str | None, ...]:
        """Return what may lie on ``spot`` with nothing amiss, the expected first."""
        return accepts(state, spot)

    def effect(self, state: HexiMerosState, action: Action) -> Effect:
        """Return what an action, legal or not, does to the table."""
        return effect(state, action)

    def check(self, state: HexiMerosState) -> tuple[Problem, ...]:
        """Return why the position cannot be."""
        return check(state)

    def look(self, token: str) -> Look:
        """Return the face of a piece, which looks at its owner."""
        return Look(token, 0.0)

    def owner(self, token: str) -> str | None:
        """Return the army whose piece it is; the Token is nobody's."""
        return None if token == TOKEN_NAME else token.partition(" ")[0]

    def marks_on(self, token: str) -> tuple[str, ...]:
        """Return ``hatted`` for a Militant with a hat (HX-5.1)."""
        return ("hatted",) if token.endswith("+") else ()

    def unmarked(self, token: str) -> str:
        """Return a piece without a hat."""
        return token.removesuffix("+")

    def turned_over(self, token: str) -> str:
        """Return a Militant with a hat put on, or taken off (HX-5.1)."""
        if token.endswith(" M"):
            return token + "+"
        return token.removesuffix("+")

    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return the piece, upright for its owner."""
        return drawing.draw(arena_of(setup), token)

    def spoken(self, token: str) -> str:
        """Return ``silver Regent``.

        Raises:
            BadInput: there is no such piece.
        """
        try:
            return SPOKEN[token]
        except KeyError:
            raise unknown_token(token, TITLE) from None

    def highlights(self, state: HexiMerosState) -> Mapping[str, tuple[str, ...]]:
        """Return the Sovereigns in declared Check and a Militant that may be promoted."""
        return highlights(state)

    def situation(self, state: HexiMerosState) -> tuple[Text, ...]:
        """Return who plays for whom now, who is in Check, and what may still be done."""
        return situation(state)

    def notate(
        self,
        notation: str,
        start: HexiMerosState,
        actions: Sequence[Action],
        tags: Mapping[str, str],
    ) -> str:
        """Return a whole game in the game's own notation (HX-7.1): remarks, then an action a
        line."""
        head = [f"# {name}: {value}" for name, value in tags.items()]
        return "\n".join([*head, *write_score(start, actions)]) + "\n"

    def format(self, action: Action) -> str:
        """Return the notation of ``action``: a shot as ``a1-a2*a6``."""
        if action.verb == "move" and action.detail.startswith("*"):
            return "-".join([str(action.origin), *action.via, str(action.target)]) + action.detail
        return super().format(action)

    def parse(self, setup: Setup, text: str) -> Action:
        """Read the notation of :meth:`format`. An Assassin's route may be written out; it is left
        away, because it makes no difference to where the move ends (HX-4.6).

        Raises:
            BadInput: not an action of this game.
        """
        move, star, shot = text.partition("*")
        shoots = bool(move) and bool(star)
        action = super().parse(setup, move if shoots else text)
        if shoots and (action.verb != "move" or action.detail or shot not in geometry.INDEX):
            raise BadInput(
                say(
                    "{text} is no shot; write where the Archer starts, where it steps and what it "
                    "shoots, as a1-a2*a6",
                    text=quoted(text),
                )
            )
        return Action(
            action.verb, action.origin, action.target, star + shot if shoots else action.detail
        )

    def invariants(self, state: HexiMerosState) -> Mapping[str, bool]:
        """Return that no piece is ever lost, and who is in play."""
        return invariants(state)

    def evaluate(self, state: HexiMerosState) -> tuple[float, ...]:
        """Return how well each seat stands."""
        return evaluation.evaluate(state)

    def decides(self, state: HexiMerosState) -> int:
        """Return the number of the seat whose decision is awaited."""
        return state.player

    def lively(self, state: HexiMerosState) -> Sequence[Action]:
        """Return the actions by which much is won or lost."""
        return evaluation.lively(state)

    def turn_of(self, state: HexiMerosState, seat: int) -> HexiMerosState | None:
        """Return ``state`` with the Token at an army that ``seat`` plays."""
        return evaluation.turn_of(state, seat)

    def threats(
        self, state: HexiMerosState, seats: Collection[int]
    ) -> Sequence[tuple[HexiMerosState, Action]]:
        """Return what others could capture of ``seats``."""
        return evaluation.threats(state, seats)

    def dump(self, state: HexiMerosState) -> dict[str, Any]:
        """Return the whole state as JSON values."""
        return saved.dump(state)

    def load(self, data: Mapping[str, Any]) -> HexiMerosState:
        """Return the state that :meth:`dump` wrote.

        Raises:
            BadInput: a field is missing or wrong.
        """
        with loading(TITLE):
            return saved.load(setup_saved(self, data), data)


GAME = HexiMeros()
