"""The contract of a game: what every game has. What only some have is in ``capabilities``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Generic

from companion.rules.action import Action, read_action, write_action
from companion.rules.capabilities import Claims, SeatRules
from companion.rules.errors import BadInput
from companion.rules.geometry import Board
from companion.rules.given import quoted
from companion.rules.options import Option, Seating, Setup
from companion.rules.ruling import IllegalAction, RuleBook, Ruling
from companion.rules.unknown import no_action, unknown_seat, unknown_spot
from companion.rules.values import Effect, Look, Outcome, Position, S, Scorecard
from companion.rules.words import Text, call, called, say


class Game(ABC, Generic[S]):
    """What the companion needs to know of every game. Pure: no I/O, no clock, no chance inside.

    ``S`` is an immutable, hashable state. Chance and hidden things come in as actions. What only
    some games have is declared by inheriting from :mod:`companion.rules.capabilities`.
    """

    name: ClassVar[str]
    """The id by which commands, records and journals know the game: a-z, 0-9 and _."""
    title: ClassVar[str]
    seats: ClassVar[tuple[str, ...]]
    """All seats, in the order in which they usually play."""
    options: ClassVar[tuple[Option, ...]] = ()
    rules: ClassVar[RuleBook]
    """The rule texts in English: ``rule_book(__package__)``."""
    words: ClassVar[Mapping[str, Text]] = MappingProxyType({})
    """The verbs of the spoken actions and what their buttons say: ``{"end": say("end turn")}``."""
    ends_turn: ClassVar[tuple[str, ...]] = ()
    """The verbs by which a seat says that its turn is over: what the table's turn button does."""
    ends_itself: ClassVar[bool] = False
    """Whether a turn in which nothing but its end may be said ends by itself after a moment. Not
    where a move may be tried until its end is said."""
    called: ClassVar[Mapping[str, Text]] = MappingProxyType({})
    """What people call spots whose names are no words, in any sentence. All games share these
    names: one that another game has given stays as it is."""
    tidies: ClassVar[bool] = False
    """Whether players clear up after an action more than its effect tells, such as the rest of an
    army that has fallen."""

    def __init_subclass__(cls, **given: Any) -> None:
        """Let sentences name the seats and spots of the game in any language."""
        super().__init_subclass__(**given)
        call({name: words for name, words in cls.called.items() if called(name) == name})
        call({seat: say(seat) for seat in getattr(cls, "seats", ())})

    # -- setting up ------------------------------------------------------------------

    def setup(
        self, seats: Sequence[str] | None = None, options: Mapping[str, str] | None = None
    ) -> Setup:
        """Check who plays and by which options, and fill in the defaults.

        Raises:
            BadInput: an unknown seat or option, a value that does not fit, seats that cannot
                play together.
        """
        values = chosen(self, options or {})
        return Setup(seated(self, seats, values), MappingProxyType(values))

    @abstractmethod
    def board(self, setup: Setup) -> Board:
        """Return the board: every spot and its outline in millimetres (default size)."""

    @abstractmethod
    def start(self, setup: Setup) -> S:
        """Return the first state."""

    # -- playing ---------------------------------------------------------------------

    @abstractmethod
    def to_move(self, state: S) -> str | None:
        """Return the seat whose decision is awaited; None when the game is over."""

    @abstractmethod
    def legal(self, state: S) -> Sequence[Action]:
        """Return every legal action of the seat to move; empty exactly when the game is over."""

    @abstractmethod
    def advance(self, state: S, action: Action) -> S:
        """Return the state after ``action``, which must be legal (not checked here)."""

    @abstractmethod
    def judge(self, state: S, action: Action) -> Ruling:
        """Rule on any conceivable action: ``allowed`` is exactly membership in :meth:`legal`
        or of the claims."""

    def apply(self, state: S, action: Action) -> S:
        """Return the state after ``action``.

        Raises:
            IllegalAction: the rules refuse it; the error carries the ruling.
        """
        if action in self.legal(state):
            return self.advance(state, action)
        if isinstance(self, Claims) and action in self.claims(state):
            return self.advance(state, action)
        raise IllegalAction(action, self.judge(state, action))

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""

    @abstractmethod
    def scorecards(self, state: S) -> tuple[Scorecard, ...]:
        """Return a scorecard for each seat, in order of play."""

    # -- seeing ----------------------------------------------------------------------

    @abstractmethod
    def expect(self, state: S) -> Position:
        """Return what a camera should see on the board."""

    @abstractmethod
    def effect(self, state: S, action: Action) -> Effect:
        """Return what ``action`` does to the table, legal or not.

        An illegal move still carries a token from one spot to another and knocks off what
        stood there."""

    def look(self, token: str) -> Look:
        """Return how ``token`` looks from above."""
        return Look(token)

    # -- writing down ----------------------------------------------------------------

    def format(self, action: Action) -> str:
        """Return the notation of ``action``."""
        return write_action(action)

    def parse(self, setup: Setup, text: str) -> Action:
        """Read the notation of :meth:`format`; the spots must exist on the board.

        Raises:
            BadInput: not an action of this game.
        """
        action = read_action(text)
        if action.verb not in ("move", "place", *self.words):
            raise no_action(text, self.title)
        board = self.board(setup)
        for spot in action.spots:
            if spot not in board:
                raise unknown_spot(spot)
        return action


def chosen(game: Game[Any], given: Mapping[str, str]) -> dict[str, str]:
    """Return every option of ``game`` with its value: the ``given`` one, else its default.

    Raises:
        BadInput: an unknown option, or a value that does not fit.
    """
    known = {option.name: option for option in game.options}
    for name, value in given.items():
        if name not in known:
            raise BadInput(
                say(
                    "{game} has no option {name}; it has {options}",
                    game=game.title,
                    name=quoted(name),
                    options=[option.label for option in game.options] or say("none"),
                )
            )
        if problem := known[name].problem(value):
            raise BadInput(problem)
    return {name: option.read(given.get(name, option.default)) for name, option in known.items()}


def seated(game: Game[Any], seats: Sequence[str] | None, options: Mapping[str, str]) -> Seating:
    """Return ``seats`` of ``game`` in order of play, the usual ones for None or none at all;
    ``options`` are complete. Where a game has no :class:`SeatRules`, all its seats play, in its
    own order.

    Raises:
        BadInput: an unknown or repeated seat, or seats that cannot play together.
    """
    named = tuple(seats or game.seats)
    for seat in named:
        if seat not in game.seats:
            raise unknown_seat(seat, game.title, game.seats)
    if len(set(named)) != len(named):
        raise BadInput(say("a seat is named twice in {seats}", seats=named))
    if isinstance(game, SeatRules):
        return game.seating(seats or None, options)
    if len(named) < len(game.seats):
        raise BadInput(say("{game} is played by all of {seats}", game=game.title, seats=game.seats))
    return game.seats
