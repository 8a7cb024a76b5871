"""The contract of a game: immutable states, atomic actions, and a ruling for anything."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from companion.rules.action import Action, read_action, write_action
from companion.rules.clock import Limits
from companion.rules.entry import Entry
from companion.rules.errors import BadInput
from companion.rules.geometry import Board, Drawing
from companion.rules.given import quoted
from companion.rules.hidden import Breach
from companion.rules.mat import Lying, Mat, MatReading
from companion.rules.option_words import option_word
from companion.rules.options import Option, Seating, Setup, excluded, seatings
from companion.rules.own import Blank
from companion.rules.ruling import IllegalAction, RuleBook, Ruling
from companion.rules.unknown import loading, no_action, unknown_seat, unknown_spot
from companion.rules.words import call, say

S = TypeVar("S")


Position = Mapping[str, str]
"""What stands where: spot name -> token. A spot that is not named is empty."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: ``winners`` empty means a draw; ``rule`` decided it."""

    winners: tuple[str, ...]
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Field:
    """One box of a scorecard: a label, the tokens lying in it, what it counts.

    ``picture`` is the token that the box belongs to, empty for none; where there is a ``goal``,
    ``value`` is a whole number that counts toward it.
    """

    label: str
    tokens: tuple[str, ...] = ()
    value: str = ""
    picture: str = ""
    goal: int = 0


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A seat's scorecard. ``score`` is None in games without points; ``status`` is a short
    phrase such as ``out`` or ``King may leave``."""

    seat: str
    fields: tuple[Field, ...]
    score: int | None = None
    status: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a position cannot be: the spots concerned, the rule, one sentence."""

    rule: str
    reason: str
    spots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """How a token looks from above: a ``face`` and how far it is turned from upright.

    Tokens that cannot be told apart share a face. ``turn`` is in degrees clockwise for its
    owner, None where turning means nothing (dice, chessmen). ``pips`` are those of a die's top
    face, 0 if it is no die; tokens of one colour share a ``body``. Tokens with a body and no turn
    need no enrolment: a camera goes by colour and by what the rules allow. A ``card`` is known by
    its face wherever it lies; ``code`` is the number printed in its corners, -1 for none.
    """

    face: str
    turn: float | None = None
    pips: int = 0
    body: str = ""
    card: bool = False
    code: int = -1


@dataclass(frozen=True, slots=True)
class Effect:
    """What an action, legal or not, does to the table.

    ``changes`` maps each spot that the hand changes to its new token, None for emptied.
    ``captures`` in path order; ``becomes`` the token after a promotion; ``returned`` a token put
    back and where; ``scored`` the value that leaves the board for its owner.
    """

    seat: str | None
    piece: str | None
    captures: tuple[str, ...] = ()
    changes: Mapping[str, str | None] = field(default_factory=lambda: MappingProxyType({}))
    becomes: str | None = None
    returned: tuple[str, int] | None = None
    scored: int | None = None


class Game(ABC, Generic[S]):
    """What the companion needs to know of a game. Pure: no I/O, no clock, no chance inside.

    ``S`` is an immutable, hashable state. Chance and hidden things come in as actions.
    """

    name: str
    title: str
    seats: tuple[str, ...]
    options: tuple[Option, ...] = ()
    words: tuple[str, ...] = ("end",)
    """The spoken actions: of the players, the clock and the referee."""
    notations: tuple[str, ...] = ()
    """The file endings of the notations that other programs read, which :meth:`notate` writes."""
    free_set_up: bool = False
    """Whether the players choose where their tokens stand at the start; :meth:`start` then gives
    the usual places, and :meth:`check` of an arranged position tells what is wrong with it."""

    def __init_subclass__(cls, **given: Any) -> None:
        """Let sentences name the seats of the game in any language."""
        super().__init_subclass__(**given)
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
        values = self._chosen(options or {})
        return Setup(self.seating(seats, values), MappingProxyType(values))

    def _chosen(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return every option with its value; raises BadInput as :meth:`setup` does."""
        known = {option.name: option for option in self.options}
        for name, value in given.items():
            if name not in known:
                raise BadInput(
                    say(
                        "{game} has no option {name}; it has {options}",
                        game=self.title,
                        name=quoted(name),
                        options=[option_word(name) for name in known] or say("none"),
                    )
                )
            if problem := known[name].problem(value):
                raise BadInput(problem)
        return {name: given.get(name, option.default) for name, option in known.items()}

    def seatings(self, options: Mapping[str, str] | None = None) -> tuple[Seating, ...]:
        """Return every set of seats that plays by ``options``, each in an order of play that
        stands: the usual one first, the others from few players to many. None plays by options
        that exclude each other.

        Raises:
            BadInput: an unknown option, or a value that does not fit.
        """
        values = self._chosen(options or {})
        return seatings(self.seats, lambda seats: self.seating(seats, values))

    def excluded(self, options: Mapping[str, str] | None = None) -> dict[str, dict[str, str]]:
        """Return the choices of each option that do not go with the others of ``options``, with
        the reason: nobody can sit down to play by them."""
        values = {option.name: option.default for option in self.options} | dict(options or {})

        def why_not(chosen: Mapping[str, str]) -> str | None:
            try:
                self.setup(None, chosen)
            except BadInput as problem:
                return None if self.seatings(chosen) else problem.args[0]
            return None

        return excluded(self.options, values, why_not)

    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the seats in order of play; the default takes all of them in the game's order.

        Raises:
            BadInput: an unknown or repeated seat, or a number that cannot play.
        """
        chosen = tuple(seats or self.seats)
        for seat in chosen:
            if seat not in self.seats:
                raise unknown_seat(seat, self.title, self.seats)
        if len(set(chosen)) != len(chosen):
            raise BadInput(say("a seat is named twice in {seats}", seats=chosen))
        return chosen

    def limits(self, setup: Setup) -> Limits:
        """Return the time limits that the options set. When one is reached the table announces
        ``time``, ``flag=SEAT`` or ``forfeit``, if it is among :meth:`claims`."""
        return Limits()

    @abstractmethod
    def board(self, setup: Setup) -> Board:
        """Return the board: every spot and its outline in millimetres (default size)."""

    @property
    @abstractmethod
    def rules(self) -> RuleBook:
        """Return the rule texts in English."""

    @abstractmethod
    def start(self, setup: Setup) -> S:
        """Return the first state."""

    @abstractmethod
    def arrange(self, setup: Setup, position: Position, to_move: str | None = None) -> S:
        """Return a state with ``position`` on the board and ``to_move`` (else the first seat).

        Used for positions from a file, free set-ups read by the camera, hand corrections.
        The position is not judged here: see :meth:`check`.

        Raises:
            BadInput: an unknown spot, token or seat.
        """

    def rearranged(self, state: S, position: Position, to_move: str | None = None) -> S:
        """Return ``state`` with ``position`` on the board instead, as the table decided; games
        keep what a board does not show, such as scores of earlier rounds.

        Raises:
            BadInput: an unknown spot, token or seat.
        """
        return self.arrange(self.setup_of(state), position, to_move)

    def read_position(self, setup: Setup, text: str) -> S:
        """Return the state written in the game's own one-line notation (chess: FEN).

        Raises:
            BadInput: the game has no such notation, or the text does not fit it.
        """
        raise BadInput(
            say("positions of {game} are not written on one line; use a file", game=self.title)
        )

    # -- playing ---------------------------------------------------------------------

    @abstractmethod
    def setup_of(self, state: S) -> Setup:
        """Return the set-up that the game was begun with."""

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
        or :meth:`claims`."""

    def claims(self, state: S) -> Sequence[Action]:
        """Return what a clock, a referee or a player may announce now beside the actions of
        play: a time that ran out, a draw that is claimed. They are no nodes of perft."""
        return ()

    def binds(self, state: S, claim: Action) -> tuple[str, ...]:
        """Return the seats whose will a ``claim`` is: all of them have to agree before it is
        announced. Empty for a fact that anybody at the table may tell.

        By default a claim that names a seat is that seat's, one that ends the game is the will of
        all who do not win by it, and every other is the will of the seat to move.
        """
        seats = self.setup_of(state).seats
        if claim.detail in seats:
            return (str(claim.detail),)
        end = self.outcome(self.advance(state, claim))
        if end is not None:
            return tuple(seat for seat in seats if seat not in end.winners)
        mover = self.to_move(state)
        return () if mover is None else (mover,)

    def sides(self, setup: Setup) -> tuple[tuple[str, ...], ...]:
        """Return the seats that win together; by default each plays for itself."""
        return tuple((seat,) for seat in setup.seats)

    def two_plies(self, state: S) -> int:
        """Return the number of sequences of two legal actions; a game may count them faster
        than by playing them."""
        return sum(len(self.legal(self.advance(state, action))) for action in self.legal(state))

    def apply(self, state: S, action: Action) -> S:
        """Return the state after ``action``.

        Raises:
            IllegalAction: the rules refuse it; the error carries the ruling.
        """
        if action in self.legal(state) or action in self.claims(state):
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

    def accepts(self, state: S, spot: str) -> tuple[str | None, ...]:
        """Return every token that may lie on ``spot`` with nothing amiss, the expected first.

        Players are slow to turn over a promoted piece or to turn a captor back; such a lag is
        no event."""
        return (self.expect(state).get(spot),)

    @abstractmethod
    def effect(self, state: S, action: Action) -> Effect:
        """Return what ``action`` does to the table, legal or not.

        An illegal move still carries a token from one spot to another and knocks off what
        stood there."""

    @abstractmethod
    def check(self, state: S) -> tuple[Problem, ...]:
        """Return why the position of ``state`` cannot be; empty if it can."""

    def look(self, token: str) -> Look:
        """Return how ``token`` looks from above."""
        return Look(token)

    def turned_over(self, token: str) -> str:
        """Return what ``token`` shows after a hand turned it over once; a die shows its next
        face. By default nothing changes."""
        return token

    def tokens(self, setup: Setup) -> tuple[str, ...]:
        """Return every token that the game is played with, as often as there are; by default
        those that lie on the board at the start."""
        return tuple(sorted(self.expect(self.start(setup)).values()))

    @abstractmethod
    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return the token's picture as it lies on the board, in millimetres about its middle,
        for a board of the default size."""

    def spoken(self, token: str) -> str:
        """Return what people call ``token``, for a screen reader and for speech: the words of
        :func:`companion.rules.say`, such as ``purple Templar, white edge``."""
        return token

    def highlights(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """Return spots worth marking by meaning, such as ``frozen`` or ``check``."""
        return {}

    # -- dice on a mat ----------------------------------------------------------------

    def mat(self, setup: Setup) -> Mat | None:
        """Return the mat with the dice that a camera watches instead of the board, if there is
        one."""
        return None

    def dice(self, state: S) -> Lying:
        """Return which dice should lie in which zone of the mat."""
        return {}

    def read_dice(self, state: S, lying: Lying, rest: Lying) -> MatReading:
        """Return what the dice on the mat tell: ``lying`` is how they lie, ``rest`` those of them
        that lie as they lay when ``state`` came about."""
        return MatReading()

    # -- what is hidden --------------------------------------------------------------

    def unknown(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """Return, for each spot where something lies hidden, every token that it may be.

        Where hands or heaps are hidden, :meth:`legal` lists what is legal in some world that
        fits what was seen."""
        return {}

    def breaches(self, state: S) -> tuple[Breach, ...]:
        """Return the actions that stood and that what was shown since proves to have broken a
        rule, in the order of play. There never is one that might have been right."""
        return ()

    def situation(self, state: S) -> tuple[str, ...]:
        """Return what everybody at the table should know now, one sentence each, beside what the
        scorecards tell: what is trump, who is ahead and why."""
        return ()

    # -- entering ----------------------------------------------------------------------

    def entries(self, state: S) -> tuple[Entry, ...]:
        """Return how a phone puts together those spoken actions that are too many to be listed;
        all others have a button each."""
        return ()

    def said(self, action: Action) -> str:
        """Return what a button for a spoken ``action`` says, empty for the pages' usual words."""
        return ""

    def blanks(self) -> tuple[Blank, ...]:
        """Return what owners of this game enter of each of their cards (``name`` and ``kind``
        first); nothing by default."""
        return ()

    def check_owned(self, data: Mapping[str, Any]) -> None:
        """Check what an owner entered: lists of cards.

        Raises:
            BadInput: something of it is missing or wrong, in one sentence.
        """

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
        for spot in (action.origin, *action.via, action.target):
            if spot is not None and spot not in board:
                raise unknown_spot(spot)
        return action

    def notate(
        self, notation: str, start: S, actions: Sequence[Action], tags: Mapping[str, str]
    ) -> str:
        """Return a whole game in one of :attr:`notations`; ``actions`` stand one after another
        from ``start``. ``tags``: the players' names by seat, and ``date`` as ``2026-11-21``.

        Raises:
            BadInput: the game is not written so.
        """
        raise BadInput(
            say("{game} is not written as {kind}", game=self.title, kind=notation.upper())
        )

    def setup_from(self, data: Mapping[str, Any]) -> Setup:
        """Return the set-up of a dumped state.

        Raises:
            BadInput: its seats or options are missing or wrong.
        """
        with loading(self.title):
            return self.setup(data["seats"], data["options"])

    @abstractmethod
    def dump(self, state: S) -> dict[str, Any]:
        """Return the whole state as JSON values."""

    @abstractmethod
    def load(self, data: Mapping[str, Any]) -> S:
        """Return the state that :meth:`dump` wrote.

        Raises:
            BadInput: a field is missing or wrong.
        """
