"""The game Victorus as the companion knows it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.victorus import drawing, evaluation, moves, saved
from companion.games.victorus.arena import arena_of
from companion.games.victorus.judge import judge
from companion.games.victorus.moves import FORFEIT, TIME
from companion.games.victorus.pieces import FACES, FROZEN, PIECES_EACH, TITLE
from companion.games.victorus.play import advance
from companion.games.victorus.scorecards import outcome, scorecards
from companion.games.victorus.setup import ALLIES, COLOURS, OPTIONS, seating
from companion.games.victorus.sight import accepts, check, effect, expect, highlights
from companion.games.victorus.state import FRESH, NEW_TURN, VictorusState, VictorusTally
from companion.games.victorus.words import WORDS, spoken
from companion.rules import (
    Action,
    Armies,
    Arrangements,
    Board,
    Claims,
    Clocks,
    Conservation,
    Drawing,
    Effect,
    Game,
    Highlights,
    Limits,
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
    Setup,
    Teams,
    Tolerance,
    TwoSides,
    loading,
    rule_book,
    say,
    setup_saved,
)  # fmt: skip


class Victorus(
    Game[VictorusState],
    SeatRules,
    Arrangements[VictorusState],
    SavedStates[VictorusState],
    Claims[VictorusState],
    Clocks,
    Teams,
    Armies,
    Names,
    Pictures,
    TwoSides,
    Marked,
    Tolerance[VictorusState],
    Highlights[VictorusState],
    Conservation[VictorusState],
    Rivals[VictorusState],
):
    """Victorus: the contract of the kernel, answered by the modules of this folder."""

    name = "victorus"
    title = TITLE
    seats = COLOURS
    options = OPTIONS
    rules = rule_book(__package__)
    words = WORDS
    ends_turn = ("end",)
    ends_itself = True
    tidies = True
    marks = MappingProxyType(
        {
            "frozen": Mark(say("frozen until the turn ends"), holds=True),
            "royal": Mark(say("royal")),
            "mover": Mark(say("mover")),
            "bonus": Mark(say("bonus")),
        }
    )

    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the seats in order of play (VIC-2.5, VIC-8.2, VIC-8.3).

        Raises:
            BadInput: unknown seats, or seats that cannot play together or in this order.
        """
        return seating(seats or COLOURS, options, given=seats is not None)

    def board(self, setup: Setup) -> Board:
        """Return the 181 hexagons, 36 mm flat to flat."""
        return drawing.board(arena_of(setup))

    def start(self, setup: Setup) -> VictorusState:
        """Return the start array with the first seat to move (VIC-2.8)."""
        arena = arena_of(setup)
        return VictorusState(
            arena,
            arena.start_board(),
            arena.order[0],
            NEW_TURN,
            VictorusTally(arena.seated, arena.seated),
        )

    def arrange(
        self, setup: Setup, position: Position, to_move: str | None = None
    ) -> VictorusState:
        """Return a state with ``position`` on the board and nothing counted yet.

        Raises:
            BadInput: an unknown cell, token or seat.
        """
        return saved.arranged(arena_of(setup), position, to_move)

    def to_move(self, state: VictorusState) -> str | None:
        """Return the seat that decides: also the owner of a returned King or Queen."""
        return None if state.mover is None else state.arena.colours[state.mover]

    def legal(self, state: VictorusState) -> Sequence[Action]:
        """Return every legal action; empty exactly when the game is over."""
        return moves.legal(state)

    def limits(self, setup: Setup) -> Limits:
        """Return the times agreed for the quick game (VIC-8.1); the other games have none."""
        if setup["variant"] != "quick":
            return Limits()
        return Limits(game=60.0 * int(setup["game_minutes"]), begin=float(setup["move_seconds"]))

    def claims(self, state: VictorusState) -> Sequence[Action]:
        """Return what the clocks of the quick game may announce (VIC-8.1)."""
        if not state.arena.quick or state.tally.ending:
            return ()
        late = () if state.asked or state.turn.stage != FRESH else (FORFEIT,)
        return late if state.tally.time_up else (*late, TIME)

    def sides(self, setup: Setup) -> tuple[tuple[str, ...], ...]:
        """Return the allied armies of an allied game (VIC-8.3)."""
        if setup["variant"] != "allied":
            return tuple((seat,) for seat in setup.seats)
        return tuple(tuple(seat for seat in setup.seats if seat in side) for side in ALLIES)

    def advance(self, state: VictorusState, action: Action) -> VictorusState:
        """Return the state after ``action``, which must be legal."""
        return advance(state, action)

    def judge(self, state: VictorusState, action: Action) -> Ruling:
        """Rule on any conceivable action: the deciding rule and the cells that prove it."""
        return judge(state, action)

    def outcome(self, state: VictorusState) -> Outcome | None:
        """Return how the game ended."""
        return outcome(state)

    def scorecards(self, state: VictorusState) -> tuple[Scorecard, ...]:
        """Return the promotion scorecards (VIC-1.3)."""
        return scorecards(state)

    def expect(self, state: VictorusState) -> Position:
        """Return what should stand on the board, captors of this turn marked as frozen."""
        return expect(state)

    def accepts(self, state: VictorusState, spot: str) -> tuple[str | None, ...]:
        """Return what may stand on ``spot`` with nothing amiss, the expected first."""
        return accepts(state, spot)

    def effect(self, state: VictorusState, action: Action) -> Effect:
        """Return what an action, legal or not, does to the table."""
        return effect(state, action)

    def check(self, state: VictorusState) -> tuple[Problem, ...]:
        """Return why the position cannot be."""
        return check(state)

    def look(self, token: str) -> Look:
        """Return the face of a token, turned half round if it is a frozen captor's."""
        frozen = token.endswith(FROZEN)
        return Look(token.removesuffix(FROZEN), 180.0 if frozen else 0.0)

    def owner(self, token: str) -> str | None:
        """Return the seat whose piece it is."""
        return token.partition(" ")[0]

    def marks_on(self, token: str) -> tuple[str, ...]:
        """Return ``royal`` for a knight that was turned over, ``frozen`` for a captor that lies
        half round."""
        royal = ("royal",) if token.removesuffix(FROZEN).endswith("+") else ()
        return (*royal, "frozen") if token.endswith(FROZEN) else royal

    def unmarked(self, token: str) -> str:
        """Return a piece as it is before it is promoted or frozen."""
        return token.removesuffix(FROZEN).removesuffix("+")

    def turned_over(self, token: str) -> str:
        """Return the other side: a knight's royal one and back; the rest have a plain back."""
        plain = token.removesuffix(FROZEN)
        other = plain.removesuffix("+") if plain.endswith("+") else f"{plain}+"
        return other if other.partition(" ")[2] in FACES else plain

    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return the shield, upright for its owner."""
        return drawing.draw(arena_of(setup), token)

    def spoken(self, token: str) -> str:
        """Return ``purple Templar, white edge``; frozen captors are called so."""
        return spoken(token)

    def highlights(self, state: VictorusState) -> Mapping[str, tuple[str, ...]]:
        """Return the cells worth marking: ``frozen`` captors, the piece that may go on."""
        return highlights(state)

    def invariants(self, state: VictorusState) -> Mapping[str, bool]:
        """Return that no piece is ever lost."""
        held = sum(len(box.tokens) for card in scorecards(state) for box in card.fields)
        away = len(state.tally.waiting) + len(state.tally.removed)
        every = PIECES_EACH * len(state.setup.seats)
        return {
            "there are twelve pieces for each player: on the board, on scorecards, waiting, "
            "removed with an army": len(expect(state)) + held + away == every
        }

    def evaluate(self, state: VictorusState) -> tuple[float, ...]:
        """Return how well each seat stands."""
        return evaluation.evaluate(state)

    def decides(self, state: VictorusState) -> int:
        """Return the number of the seat whose decision is awaited."""
        return evaluation.decides(state)

    def lively(self, state: VictorusState) -> Sequence[Action]:
        """Return the actions by which much is won or lost."""
        return evaluation.lively(state)

    def turn_of(self, state: VictorusState, seat: int) -> VictorusState | None:
        """Return ``state`` with the turn at the seat of this number, None where it has none."""
        return evaluation.turn_of(state, seat)

    def threats(
        self, state: VictorusState, seats: Collection[int]
    ) -> Sequence[tuple[VictorusState, Action]]:
        """Return what others could capture of ``seats``, the greatest gain first."""
        return evaluation.threats(state, seats)

    def dump(self, state: VictorusState) -> dict[str, Any]:
        """Return the whole state as JSON values."""
        return saved.dump(state)

    def load(self, data: Mapping[str, Any]) -> VictorusState:
        """Return the state that :meth:`dump` wrote.

        Raises:
            BadInput: a field is missing or wrong.
        """
        with loading(TITLE):
            return saved.load(setup_saved(self, data), data)


GAME = Victorus()
