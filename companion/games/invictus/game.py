"""The game as the kernel knows it: set-up, scorecards, notation on top of state and rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from companion.games.invictus import evaluation, judge, sight
from companion.games.invictus.geometry import (
    AGREE,
    BOARD,
    FIRST_BOARD,
    INDEX,
    SEATS,
    SPOTS,
    TITLE,
    WORDS,
    die_of,
    draw_die,
    sign,
    token,
)
from companion.games.invictus.judge import ENDINGS
from companion.games.invictus.state import (
    InvictusState,
    advance,
    legal,
    pips,
    score,
    scoring_spaces,
)
from companion.rules import (
    Action,
    Armies,
    BadInput,
    Board,
    Claims,
    Conservation,
    Drawing,
    Effect,
    Evaluation,
    Field,
    FreeSetUp,
    Game,
    Highlights,
    Look,
    Mark,
    Names,
    Option,
    Outcome,
    Pictures,
    Position,
    Problem,
    Ruling,
    SavedStates,
    Scorecard,
    SeatRules,
    Settlements,
    Setup,
    TwoSides,
    damaged,
    loading,
    option_words,
    rule_book,
    say,
    unknown_seat,
    worded,
)

_YES_NO = ("no", "yes")


_CALLED = option_words(
    say("no progress"), say("divide scores"), say("hidden setup"), say("no"), say("yes")
)


class Invictus(
    Game[InvictusState],
    SeatRules,
    FreeSetUp[InvictusState],
    SavedStates[InvictusState],
    Claims[InvictusState],
    Settlements[InvictusState],
    Armies,
    Names,
    Pictures,
    TwoSides,
    Highlights[InvictusState],
    Conservation[InvictusState],
    Evaluation[InvictusState],
):
    """Invictus, after the description its author published in 2013."""

    name = "invictus"
    title = TITLE
    seats = SEATS
    rules = rule_book(__package__)
    words = WORDS
    ends_turn = ("pass",)
    marks = MappingProxyType({"scoring": Mark(say("scoring"))})
    options = worded(_CALLED, (
        Option("no_progress", "40", (), "INV-7.3",
               say("actions in a row that only go sideways before the game ends"), least=1),
        Option("divide_scores", "no", _YES_NO, "INV-8.1", say("dice on the Divide score too")),
        Option("hidden_setup", "no", _YES_NO, "INV-3.3",
               say("both players arrange their dice behind a screen"), house_rule=False),
    ))  # fmt: skip

    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return Black and White; both always play and Black begins (INV-3.5).

        Raises:
            BadInput: an unknown or repeated seat, or one player alone.
        """
        if seats is not None and len(seats) != len(SEATS):
            raise BadInput(say("Invictus is for two: black and white both play"))
        return SEATS

    def board(self, setup: Setup) -> Board:
        """Return the 81 spaces; trays are on the scorecards, not on the board."""
        return BOARD

    def start(self, setup: Setup) -> InvictusState:
        """Return the default set-up; players' own set-ups come through :meth:`arrange`."""
        return InvictusState(setup, FIRST_BOARD)

    def arrange(
        self, setup: Setup, position: Position, to_move: str | None = None
    ) -> InvictusState:
        """Return ``position`` as a set-up, or as a game under way if ``to_move`` is given.

        Raises:
            BadInput: an unknown spot, die or seat.
        """
        board = [0] * len(SPOTS)
        for spot, text in position.items():
            board[INDEX[BOARD[spot].name]] = die_of(text)
        if to_move is None:
            return InvictusState(setup, tuple(board))
        return InvictusState(setup, tuple(board), _seat(to_move), begun=True)

    def to_move(self, state: InvictusState) -> str | None:
        """Return the seat to act: while a captured die waits to be put back, its owner."""
        return None if state.ended else SEATS[state.turn]

    def legal(self, state: InvictusState) -> Sequence[Action]:
        """Return every legal action of the seat to move."""
        return legal(state)

    def claims(self, state: InvictusState) -> Sequence[Action]:
        """Return the agreement to end, except between a capture and its replacement (R6)."""
        return () if state.ended or state.pending else (AGREE,)

    def binds(self, state: InvictusState, claim: Action) -> tuple[str, ...]:
        """Return both: the one claim is that the players agree to end the game."""
        return SEATS

    def agreement(self, state: InvictusState) -> Action | None:
        """Return the agreement to end where it is a draw: the scores are equal (INV-8.2)."""
        agreed = AGREE in self.claims(state) and score(state, 0) == score(state, 1)
        return AGREE if agreed else None

    def advance(self, state: InvictusState, action: Action) -> InvictusState:
        """Return the state after a legal or claimed ``action``."""
        return advance(state, action)

    def judge(self, state: InvictusState, action: Action) -> Ruling:
        """Rule on any action."""
        return judge.judge(state, action)

    def outcome(self, state: InvictusState) -> Outcome | None:
        """Return how the game ended; equal scores are a draw (R8)."""
        if not state.ended:
            return None
        rule, why = ENDINGS[state.ended]
        black, white = score(state, 0), score(state, 1)
        winners = () if black == white else (SEATS[white > black],)
        reason = say(
            "The game is over: {why}; Black has {black}, White {white}.",
            why=why, black=black, white=white,
        )  # fmt: skip
        return Outcome(winners, rule, reason)

    def scorecards(self, state: InvictusState) -> tuple[Scorecard, ...]:
        """Return both trays, the dice that score where they stand, and the score as of now."""
        return tuple(_scorecard(state, seat) for seat in (0, 1))

    def expect(self, state: InvictusState) -> Position:
        """Return the dice on the board."""
        return sight.dice_on(state.board)

    def effect(self, state: InvictusState, action: Action) -> Effect:
        """Return what ``action`` does to the table, legal or not."""
        return sight.effect(state, action)

    def check(self, state: InvictusState) -> tuple[Problem, ...]:
        """Return what is wrong with a set-up, or with a position of play."""
        return sight.check(state)

    def look(self, token: str) -> Look:
        """Return the die's face; how it is turned means nothing (INV-1.3)."""
        die = die_of(token)
        return Look(token, pips=abs(die), body=SEATS[die < 0])

    def owner(self, token: str) -> str | None:
        """Return the player whose die it is."""
        return SEATS[die_of(token) < 0]

    def turned_over(self, token: str) -> str:
        """Return the die with its next lower face up, a 6 after a 1: a captured one comes back
        lower by one."""
        seat, value = token.split()
        return f"{seat} {(int(value) - 2) % 6 + 1}"

    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return the die's top face with its pips."""
        return draw_die(die_of(token))

    def spoken(self, token: str) -> str:
        """Return ``black die, 4``."""
        die = die_of(token)
        colour = say("white") if die < 0 else say("black")
        return say("{colour} die, {value}", colour=colour, value=abs(die))

    def highlights(self, state: InvictusState) -> Mapping[str, tuple[str, ...]]:
        """Return ``scoring``: the dice of both that would score if the game ended now."""
        spaces = (*scoring_spaces(state, 0), *scoring_spaces(state, 1))
        return {"scoring": tuple(SPOTS[index] for index in sorted(spaces))} if spaces else {}

    def invariants(self, state: InvictusState) -> Mapping[str, bool]:
        """Return that no pip is ever lost."""
        return {
            f"{seat} has 63 pips: on the board, at home, lost to captures": sum(pips(state, at))
            == 63
            for at, seat in enumerate(SEATS)
        }

    def evaluate(self, state: InvictusState) -> tuple[float, ...]:
        """Return how well each seat stands."""
        return evaluation.evaluate(state)

    def decides(self, state: InvictusState) -> int:
        """Return the number of the seat whose decision is awaited."""
        return state.turn

    def lively(self, state: InvictusState) -> Sequence[Action]:
        """Return the actions by which much is won or lost."""
        return evaluation.lively(state)

    def dump(self, state: InvictusState) -> dict[str, Any]:
        """Return the whole state as JSON values."""
        return {
            "seats": list(state.setup.seats),
            "options": dict(state.setup.options),
            "board": dict(self.expect(state)),
            "to_move": SEATS[state.turn],
            "home": [list(tray) for tray in state.home],
            "prisoners": list(state.prisoners),
            "lost": list(state.lost),
            "pending": state.pending,
            "quiet": state.quiet,
            "passes": state.passes,
            "begun": state.begun,
            "ended": state.ended,
        }

    def load(self, data: Mapping[str, Any]) -> InvictusState:
        """Return the state that :meth:`dump` wrote.

        Raises:
            BadInput: a field is missing or wrong.
        """
        with loading(TITLE):
            setup = self.setup(data["seats"], data["options"])
            black_home, white_home = data["home"]
            ended = str(data["ended"])
            if ended and ended not in ENDINGS:
                raise damaged(TITLE)
            return replace(
                self.arrange(setup, data["board"], data["to_move"]),
                home=(_values(black_home), _values(white_home)),
                prisoners=_pair(data["prisoners"]),
                lost=_pair(data["lost"]),
                pending=int(data["pending"]),
                quiet=int(data["quiet"]),
                passes=int(data["passes"]),
                begun=bool(data["begun"]),
                ended=ended,
            )


def _seat(name: str) -> int:
    if name not in SEATS:
        raise unknown_seat(name, TITLE, SEATS)
    return SEATS.index(name)


def _values(dice: Sequence[Any]) -> tuple[int, ...]:
    values = tuple(int(die) for die in dice)
    if not set(values) <= set(range(1, 7)):
        raise damaged(TITLE)
    return values


def _pair(numbers: Sequence[Any]) -> tuple[int, int]:
    black, white = numbers
    return int(black), int(white)


def _scorecard(state: InvictusState, seat: int) -> Scorecard:
    other, home = 1 - seat, state.home[seat]
    ahead = [abs(state.board[index]) for index in scoring_spaces(state, seat)]
    fields = [
        Field(say("Home"), _tokens(seat, home), str(sum(home))),
        Field(say("Prisoners"), _tokens(other, (1,) * state.prisoners[seat]),
              str(state.prisoners[seat])),
        Field(say("In enemy territory"), _tokens(seat, ahead), str(sum(ahead))),
    ]  # fmt: skip
    waits = bool(state.pending) and seat == state.turn
    if waits:
        fields.append(Field(say("To put back"), _tokens(seat, (state.pending,))))
    return Scorecard(SEATS[seat], tuple(fields), score(state, seat), _status(state, seat, waits))


def _tokens(seat: int, values: Sequence[int]) -> tuple[str, ...]:
    return tuple(token(sign(seat) * value) for value in values)


def _status(state: InvictusState, seat: int, waits: bool) -> str:
    if waits:
        return say("puts back a {value}", value=state.pending)
    if not state.ended:
        return ""
    mine, theirs = score(state, seat), score(state, 1 - seat)
    if mine == theirs:
        return say("draw")
    return say("wins") if mine > theirs else say("loses")


GAME = Invictus()
