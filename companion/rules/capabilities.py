"""What some games have beside the core of :class:`companion.rules.Game`.

A game declares a capability by inheriting it, ``class Chess(Game[State], Clocks, Claims[State])``,
and whoever needs it asks ``isinstance(game, Clocks)``. Where there is an answer for every other
game too, :mod:`companion.rules.answers` has a function that gives it.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol

from companion.rules.action import Action
from companion.rules.clock import Limits
from companion.rules.entry import CardText, Entry
from companion.rules.geometry import Drawing
from companion.rules.hidden import Breach
from companion.rules.mat import Lying, Mat, MatReading
from companion.rules.options import Seating, Setup
from companion.rules.own import Blank
from companion.rules.own_hand import HandPlay, InformationSet, OwnHands, Rack
from companion.rules.prop import Prop
from companion.rules.values import Field, K, Mark, Outcome, Position, Problem, S
from companion.rules.words import Text

# -- setting up ------------------------------------------------------------------------------


class SeatRules(ABC):
    """Fewer than all seats may play, or in another order than the game's own."""

    @abstractmethod
    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> Seating:
        """Return the seats in order of play. ``seats`` are seats of the game, none of them twice;
        None asks for the usual ones. ``options`` are complete.

        Raises:
            BadInput: these seats cannot play together, or not in this order.
        """


class Arrangements(ABC, Generic[S]):
    """A position may be set up: from a file, by the table's own decision, by the camera."""

    @abstractmethod
    def arrange(self, setup: Setup, position: Position, to_move: str | None = None) -> S:
        """Return a state with ``position`` on the board and ``to_move`` (else the first seat).

        The position is not judged here: see :meth:`check`.

        Raises:
            BadInput: an unknown spot, token or seat.
        """

    @abstractmethod
    def check(self, state: S) -> tuple[Problem, ...]:
        """Return why the position of ``state`` cannot be; empty if it can."""

    def rearranged(self, state: S, position: Position, to_move: str | None = None) -> S:
        """Return ``state`` with ``position`` on the board instead, as the table decided; games
        keep what a board does not show, such as scores of earlier rounds.

        Raises:
            BadInput: an unknown spot, token or seat.
        """
        return self.arrange(state.setup, position, to_move)


class FreeSetUp(Arrangements[S]):
    """The players choose where their tokens stand at the start. ``start`` gives the usual places,
    and :meth:`check` of an arranged position tells what is wrong with it."""


class OneLineNotation(ABC, Generic[S]):
    """Positions are written on one line (FEN in chess)."""

    @abstractmethod
    def read_position(self, setup: Setup, text: str) -> S:
        """Return the state that ``text`` describes.

        Raises:
            BadInput: the text does not fit the notation.
        """


class OwnCards(ABC):
    """What is printed on the cards may not be handed out: owners enter it themselves."""

    @abstractmethod
    def blanks(self) -> tuple[Blank, ...]:
        """Return what owners enter of each of their cards (``name`` and ``kind`` first)."""

    @abstractmethod
    def check_owned(self, data: Mapping[str, Any]) -> None:
        """Check what an owner entered: lists of cards.

        Raises:
            BadInput: something of it is missing or wrong, in one sentence.
        """

    @abstractmethod
    def lacking(self, options: Mapping[str, str]) -> str | None:
        """Return one sentence saying why the cards do not suffice to begin a game by ``options``,
        which are complete; None if they do."""


# -- playing ---------------------------------------------------------------------------------


class _Playing(Protocol[S]):
    """What the usual answer of :meth:`Claims.binds` asks the game."""

    def to_move(self, state: S) -> str | None: ...

    def advance(self, state: S, action: Action) -> S: ...

    def outcome(self, state: S) -> Outcome | None: ...


class Claims(ABC, Generic[S]):
    """Something may be announced beside the actions of play: a time that ran out, a draw."""

    @abstractmethod
    def claims(self, state: S) -> Sequence[Action]:
        """Return what a clock, a referee or a player may announce now. Claims are legal though it
        is nobody's move, and no nodes of perft."""

    def binds(self: _Playing[S], state: S, claim: Action) -> Seating:
        """Return the seats whose will a ``claim`` is: all of them have to agree before it is
        announced. Empty for a fact that anybody at the table may tell.

        By default a claim that names a seat is that seat's, one that ends the game is the will of
        all who do not win by it, and every other is the will of the seat to move.
        """
        seats = state.setup.seats
        if claim.detail in seats:
            return (claim.detail,)
        end = self.outcome(self.advance(state, claim))
        if end is not None:
            return tuple(seat for seat in seats if seat not in end.winners)
        mover = self.to_move(state)
        return () if mover is None else (mover,)


class Settlements(ABC, Generic[S]):
    """The rules themselves know how players end a game by their will."""

    def resignation(self, state: S, seat: str) -> Action | None:
        """Return the claim by which ``seat`` gives the game up now, None if there is none."""
        return None

    def agreement(self, state: S) -> Action | None:
        """Return the claim by which all agree on a draw now, None if there is none."""
        return None


class Clocks(ABC):
    """Time is limited. When a limit is reached the table announces ``time``, ``flag=SEAT`` or
    ``forfeit``, if it is among the game's :class:`Claims`."""

    @abstractmethod
    def limits(self, setup: Setup) -> Limits:
        """Return the limits that the options set."""


class Teams(ABC):
    """Some seats win together."""

    @abstractmethod
    def sides(self, setup: Setup) -> tuple[Seating, ...]:
        """Return the seats that win together, side by side."""


class Evaluation(ABC, Generic[S]):
    """How well each seat stands can be estimated: players that are machines think ahead by it."""

    @abstractmethod
    def evaluate(self, state: S) -> tuple[float, ...]:
        """Return, for each seat of the set-up in its order, how well it stands: seats win in the
        ratio of ``exp`` of these numbers. Of a game that is over only the order means anything.
        """

    @abstractmethod
    def decides(self, state: S) -> int:
        """Return the number of the seat, in the order of the set-up, whose decision is awaited;
        any seat's when the game is over."""

    @abstractmethod
    def lively(self, state: S) -> Sequence[Action]:
        """Return those legal actions after which :meth:`evaluate` may be quite another, the most
        promising first: captures, promotions. A position without them is quiet."""

    def position_key(self, state: S) -> object:
        """Return what makes two states alike for somebody who thinks ahead; it can be hashed."""
        return state


class Rehearsal(ABC, Generic[K]):
    """What is hidden, or left to chance, can be imagined, and the game played on: players that are
    machines see what comes of each thing that they may do. ``K`` is what the one who decides
    knows: the state, or the :class:`~companion.rules.own_hand.InformationSet` of a seat."""

    @abstractmethod
    def hand_plays(self, known: K) -> Sequence[HandPlay]:
        """Return what may be decided now; nothing while others decide, or chance does. Of very
        many ways the most promising."""

    @abstractmethod
    def at_once(self, known: K, play: HandPlay) -> float:
        """Return what ``play`` promises at first sight; only the order means anything."""

    @abstractmethod
    def world(self, known: K, chance: random.Random) -> Any:
        """Return how everything that is hidden may lie, drawn by ``chance``."""

    @abstractmethod
    def prospect(
        self, known: K, world: Any, play: HandPlay, chance: random.Random
    ) -> tuple[float, int]:
        """Return how ``play`` comes off in ``world`` if all go on playing as people do at first
        sight: the logarithm of the odds that the side which decides wins, and how many positions
        that counts for."""


class Alone(Rehearsal[S], Generic[S]):
    """One plays against chance, and decides whatever chance does not."""

    @abstractmethod
    def by_chance(self, state: S, chance: random.Random) -> Action | None:
        """Return what chance does in ``state``, such as a roll; None where the player decides."""

    @abstractmethod
    def why(self, state: S, action: Action) -> Text | None:
        """Return in words of the rules, as the end of a sentence, what speaks for or against
        ``action``; None for nothing to speak of."""


class HandPlays(Rehearsal[InformationSet[S]], Generic[S]):
    """Each seat plays on cards that it alone knows: players that are machines imagine what the
    others may hold."""

    @abstractmethod
    def own_hands(self, setup: Setup, chance: random.Random) -> OwnHands[S]:
        """Return a game whose seats are all played on their own cards, dealt by ``chance``."""

    @abstractmethod
    def rack_after(self, known: InformationSet[S], play: HandPlay) -> Rack:
        """Return the seat's own cards after ``play``."""

    @abstractmethod
    def deal_of(self, state: S) -> int:
        """Return a number that is another one after each deal."""

    @abstractmethod
    def hand_size(self, state: S, seat: str) -> int:
        """Return how many cards ``seat`` holds in its hand."""

    @abstractmethod
    def rack_now(self, state: S, seat: str, rack: Rack) -> Rack:
        """Return what is left in ``state`` of a ``rack`` that was told since the deal: without what
        was seen, what lies face down and what was passed on. Of what lies face down, or was passed,
        only what really does or was."""

    @abstractmethod
    def told(self, known: InformationSet[S], play: HandPlay) -> Text:
        """Return in a sentence what people are to do for the seat: its cards by their places in the
        rack, counted from the left, never by their faces."""


class UciNotation(ABC, Generic[S]):
    """Programs of others play this game by the Universal Chess Interface."""

    @abstractmethod
    def uci_position(self, state: S) -> str:
        """Return how such a program is told the position: what follows ``position``."""

    @abstractmethod
    def uci_action(self, state: S, text: str) -> Action | None:
        """Return the legal action that such a program's move names, None if it names none."""

    def uci_options(self, state: S) -> Mapping[str, str]:
        """Return the program's own options that the game needs to be played with it."""
        return {}


# -- tokens ----------------------------------------------------------------------------------


class Armies(ABC):
    """Tokens belong to seats."""

    @abstractmethod
    def owner(self, token: str) -> str | None:
        """Return the seat that ``token`` belongs to, None if it is nobody's."""


class Names(ABC):
    """Tokens are called otherwise by people than in records."""

    @abstractmethod
    def spoken(self, token: str) -> str:
        """Return what people call ``token``, for a screen reader and for speech: the words of
        :func:`companion.rules.say`, such as ``purple Templar, white edge``.

        Raises:
            BadInput: there is no such token.
        """


class Pictures(ABC):
    """Tokens have pictures of their own."""

    @abstractmethod
    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return the picture of ``token`` as it lies on the board, in millimetres about its
        middle, for a board of the default size."""


class TwoSides(ABC):
    """Tokens are turned over in play."""

    @abstractmethod
    def turned_over(self, token: str) -> str:
        """Return what ``token`` shows after a hand turned it over once; a die shows its next
        face."""


class Marked(ABC):
    """Tokens carry marks that players put on and take off, or say by how a token lies."""

    @abstractmethod
    def marks_on(self, token: str) -> tuple[str, ...]:
        """Return the marks that ``token`` carries, such as ``frozen`` or ``crowned``."""

    @abstractmethod
    def unmarked(self, token: str) -> str:
        """Return ``token`` without its marks."""


class Supply(ABC):
    """More tokens are played with than those that lie on the board at the start."""

    @abstractmethod
    def tokens(self, setup: Setup) -> tuple[str, ...]:
        """Return every token that the game is played with, as often as there are."""


# -- seeing ----------------------------------------------------------------------------------


class Tolerance(ABC, Generic[S]):
    """Players are slow to turn over a promoted piece or to turn a captor back: such a lag is no
    event."""

    @abstractmethod
    def accepts(self, state: S, spot: str) -> tuple[str | None, ...]:
        """Return every token that may lie on ``spot`` with nothing amiss, the expected first."""


class Highlights(ABC, Generic[S]):
    """Some spots are worth marking."""

    marks: ClassVar[Mapping[str, Mark]]
    """What each mark is called, by the names that :meth:`highlights` uses."""

    @abstractmethod
    def highlights(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """Return the spots worth marking by the name of their mark."""


class DiceOnMat(ABC, Generic[S]):
    """Dice lie on a mat, which a camera watches instead of the board."""

    @abstractmethod
    def mat(self, setup: Setup) -> Mat:
        """Return the mat and its dice."""

    @abstractmethod
    def dice(self, state: S) -> Lying:
        """Return which dice should lie in which zone of the mat."""

    @abstractmethod
    def read_dice(self, state: S, lying: Lying, rest: Lying) -> MatReading:
        """Return what the dice on the mat tell: ``lying`` is how they lie, ``rest`` those of them
        that lie as they lay when ``state`` came about."""


# -- telling ---------------------------------------------------------------------------------


class HiddenHands(ABC, Generic[S]):
    """Something lies hidden. ``legal`` then lists what is legal in some world that fits what was
    seen; :mod:`companion.rules.hidden` helps to rule on it."""

    @abstractmethod
    def unknown(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """Return, for each spot where something lies hidden, every token that it may be."""

    @abstractmethod
    def breaches(self, state: S) -> tuple[Breach, ...]:
        """Return the actions that stood and that what was shown since proves to have broken a
        rule, in the order of play. There never is one that might have been right."""


class Situation(ABC, Generic[S]):
    """There is more to know than the scorecards tell."""

    @abstractmethod
    def situation(self, state: S) -> tuple[str, ...]:
        """Return what everybody at the table should know now, one sentence each: what is trump,
        who is ahead and why."""


class Props(ABC, Generic[S]):
    """More is to be seen on the table than what lies on its spots."""

    @abstractmethod
    def props(self, state: S) -> tuple[Prop, ...]:
        """Return what pages draw beside the tokens on spots, for everybody: cards in hands from
        behind, dice, how a fight goes."""


class CardTexts(ABC, Generic[S]):
    """Cards have texts that may be read before anything is chosen."""

    @abstractmethod
    def card_texts(self, state: S) -> tuple[CardText, ...]:
        """Return every card that may be read now with both its sides, first those that the
        present decision is about."""


class OwnFields(ABC, Generic[S]):
    """Some of a scorecard is for the eyes of its seat alone."""

    @abstractmethod
    def own_fields(self, state: S, seat: str) -> tuple[Field, ...]:
        """Return what only who holds ``seat`` sees on its scorecard, before all the rest."""


class EntryForms(ABC, Generic[S]):
    """Some spoken actions are too many to have a button each."""

    @abstractmethod
    def entries(self, state: S) -> tuple[Entry, ...]:
        """Return how a phone puts such actions together."""


class ButtonWords(ABC):
    """What a button says depends on more than the verb of its action."""

    @abstractmethod
    def said(self, action: Action) -> str:
        """Return what the button of a spoken ``action`` says, empty for the game's ``words``."""


# -- writing down ----------------------------------------------------------------------------


class SavedStates(ABC, Generic[S]):
    """A whole state may be kept as JSON values, with what a board does not show."""

    @abstractmethod
    def dump(self, state: S) -> dict[str, Any]:
        """Return ``state`` as JSON values."""

    @abstractmethod
    def load(self, data: Mapping[str, Any]) -> S:
        """Return the state that :meth:`dump` wrote.

        Raises:
            BadInput: a field is missing or wrong.
        """


class Exports(ABC, Generic[S]):
    """Whole games are written in notations that other programs read."""

    notations: ClassVar[tuple[str, ...]]
    """The file endings of these notations, the one for people first."""

    @abstractmethod
    def notate(
        self, notation: str, start: S, actions: Sequence[Action], tags: Mapping[str, str]
    ) -> str:
        """Return a whole game in one of :attr:`notations`; ``actions`` stand one after another
        from ``start``. ``tags``: the players' names by seat, and ``date`` as ``2026-11-21``."""


class Conservation(ABC, Generic[S]):
    """Something is never lost, whatever is played; random games check it."""

    @abstractmethod
    def invariants(self, state: S) -> Mapping[str, bool]:
        """Return what has to hold in every state that play leads to, each in words, and whether
        it does."""
