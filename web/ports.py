"""What the pages need of the world outside, as protocols: the camera's eyes, the lights, the
simulated table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from companion.rules import Action, BadInput, Game, Point, Position, say

Lights = Callable[[], Mapping[str, Mapping[str, str]]]
"""Returns what is lit now: spot -> ``{colour, effect, meaning}``."""


class Eyes(Protocol):
    """What the camera says about the table, and how to help it."""

    def status(self) -> Mapping[str, Any]:
        """Return ``still``, ``message``, ``differs`` (spots), ``lifted`` (spot or None) and
        ``asks`` (candidates, each a list of action texts, most likely first), and ``lost``: the
        camera cannot tell what is on the table."""

    def seen(self) -> Position | None:
        """Return what stands on the table as the camera reads it, None where it cannot tell."""

    def teach(self, tokens: Mapping[str, str]) -> None:
        """Learn the cards that lie on the table now: spot -> token, while the game is paused.

        Raises:
            BadInput: a card cannot be made out.
        """

    def answer(self, index: int) -> None:
        """Take candidate ``index`` of ``asks`` for what happened.

        Raises:
            BadInput: there is no such candidate any more.
        """


class TableLights(Protocol):
    """What the people at the table want of their lights."""

    def settings(self) -> Mapping[str, Any]:
        """Return ``lights`` (``full``, ``errors`` or ``off``) and ``brightness`` in per cent;
        nothing where there are no lights."""

    def adjust(self, changes: Mapping[str, Any]) -> None:
        """Take other settings.

        Raises:
            BadInput: there is no such setting, or a value does not fit.
            HardwareFault: they cannot be kept.
        """


class VirtualTable(Protocol):
    """A simulated table: hands move tokens on it, a simulated camera looks at it.

    Nothing here knows the rules or the game's state; any hand may do anything.
    Every change raises BadInput for a spot or token that is not there.
    """

    def tokens(self) -> Position:
        """Return what lies on which spot."""

    def off(self) -> Sequence[str]:
        """Return the tokens that lie beside the board."""

    def move(self, origin: str, target: str) -> None:
        """Carry a token; what stood on ``target`` goes beside the board."""

    def remove(self, spot: str) -> None:
        """Take the token off the board."""

    def put(self, spot: str, token: str) -> None:
        """Bring a token from beside the board to ``spot``."""

    def turn(self, spot: str) -> None:
        """Turn the token round where it stands."""

    def flip(self, spot: str) -> None:
        """Turn the token over."""

    def picture(self) -> bytes:
        """Return what the camera sees now, as JPEG, with the lights drawn in."""


@runtime_checkable
class LiftingTable(Protocol):
    """A simulated table on which a token can stay in the hand, so that a lift is seen (and its
    destinations are lit) before it lands. The page then lifts on the first tap."""

    @property
    def held(self) -> str | None:
        """The token in the hand."""

    def lift(self, spot: str) -> None:
        """Take the token on ``spot`` into the hand."""

    def drop(self, spot: str) -> None:
        """Put the token in the hand on ``spot``; what stood there goes beside the board."""


BUTTONS: Mapping[str, float] = {"turn": 0, "undo": 0.8, "new": 3, "dimmer": 0, "brighter": 0}
"""The buttons and the knob of a table's box, and for how many seconds each is to be held."""


@runtime_checkable
class BoxedTable(Protocol):
    """A simulated table in a box with buttons, as a real one may have."""

    def press(self, button: str) -> None:
        """Do what one of :data:`BUTTONS` asks.

        Raises:
            BadInput, HardwareFault: it cannot be done.
        """


@runtime_checkable
class TidyTable(Protocol):
    """A simulated table that can be set as the game stands."""

    def tidy(self) -> None:
        """Set the table as the game stands."""


@runtime_checkable
class DiceTable(Protocol):
    """A simulated table that may have dice on a mat; every change raises BadInput for a die or
    zone that is not there."""

    def dice(self) -> Sequence[Mapping[str, Any]] | None:
        """Return every die on the mat: ``number``, ``token`` (a colour and what it shows), ``x``,
        ``y`` (millimetres), ``turn`` (degrees), ``zone``, ``flat``; None without a mat."""

    def throw(self, numbers: Sequence[int]) -> None:
        """Throw the dice that are named, else those that the game waits for."""

    def carry(self, number: int, zone: str) -> None:
        """Carry a die to a zone."""

    def tip(self, number: int) -> None:
        """Stand a die on its edge, or lay it down again."""


class CalibrationDesk(Protocol):
    """The camera's view of the board, and how to tell it where the board lies."""

    def picture(self) -> bytes:
        """Return what the camera sees now, as JPEG.

        Raises:
            HardwareFault: the camera has given no picture.
        """

    def status(self) -> Mapping[str, Any]:
        """Return ``size`` of the picture, ``points`` to place (name, x, y in pixels),
        ``outlines`` (spot -> corners in pixels), ``how`` the board was found (``guess``: not at
        all), ``sure`` (the picture confirms it), ``ways`` round that the board may lie, ``words``
        for people, and ``remarks`` of the light meter (kind, text, bad).

        Raises:
            HardwareFault: the camera has given no picture.
        """

    def place(self, points: Mapping[str, Point]) -> None:
        """Take the points as a person put them: name -> pixel.

        Raises:
            BadInput: they fit no board.
        """

    def find(self) -> None:
        """Look for the board in what the camera sees now.

        Raises:
            BadInput: it is not found for certain.
        """

    def turn(self) -> None:
        """Turn the board to the next way round that it may lie."""

    def accept(self) -> None:
        """Read the table by what is shown from now on, and keep it for the next start.

        Raises:
            BadInput: the board is not found yet.
            HardwareFault: it cannot be kept.
        """


class Trial(Protocol):
    """Lights, the box and sensors that are tried out one after the other."""

    def steps(self) -> Sequence[tuple[str, str]]:
        """Return what can be tried out, in order: the kind (``colour``, ``cell``, ``sound``,
        ``status``, ``button``, ``sensors``), and which of them."""

    def show(self, kind: str, name: str) -> None:
        """Begin a step; what was shown before ends.

        Raises:
            BadInput: there is no such step.
        """

    def heard(self) -> Sequence[str]:
        """Return the buttons that were pressed since the step began, the earliest first."""

    def felt(self) -> Sequence[str] | None:
        """Return the spots on which a board of sensors feels something now, None without one."""

    def end(self) -> None:
        """Give lights and buttons back to the game."""


class Readings(Protocol):
    """The last readings of the camera, and how each came about."""

    def last(self) -> Sequence[Mapping[str, Any]]:
        """Return the readings, the latest first: ``number``, ``at`` (seconds since 1970), ``times``
        (pictures in a row that said the same), ``frame``, ``verdict`` (``waited``, ``calm``,
        ``took``, ``asked``, ``differs``), ``reason``, ``picture`` (whether one is kept)."""

    def one(self, number: int) -> Mapping[str, Any]:
        """Return one reading with its trace: beside what :meth:`last` has, ``size`` of the picture,
        ``board`` (outlines in pixels), ``spots`` and ``searches``.

        Raises:
            BadInput: it is kept no longer.
        """

    def picture(self, number: int) -> bytes:
        """Return the picture of a reading as JPEG; raises BadInput where none is kept."""


class Machines(Protocol):
    """Machines that play seats."""

    def told(self) -> Mapping[str, Any]:
        """Return ``levels`` (the names of those that a phone may choose, the weakest first),
        ``advises`` (whether :meth:`advise` can), ``seats`` (a player's name for each seat that a
        machine plays), and of a machine whose turn it is ``seat``, the ``action`` that it means
        (empty while it thinks) and ``words`` for people; ``seat`` is empty where a person is to
        move. ``missing`` is how many of its own cards each seat has to be told that a machine
        plays. ``offer`` is the ``seat`` that may take back what it did last, for the share of the
        result that it ``lost``; empty where none is made."""

    def advise(self, seconds: float | None = None) -> Sequence[Mapping[str, Any]] | None:
        """Return what a machine would do for the seat to move, the best idea first: ``action``
        (text), ``expected`` (0 lost, 1 won), ``reason`` and ``line`` (texts of actions). None if
        that takes longer than ``seconds``, by default as long as it may take at most.

        Raises:
            BadInput: no machine can in this game.
            HardwareFault: it failed.
        """

    def point(self, spots: Sequence[str], seconds: float | None = None) -> None:
        """Show ``spots`` by the lights, from the first to the last, until something happens or so
        many ``seconds`` have passed, a while by default; none ends it.

        Raises:
            BadInput: the board does not have one of them, or it would be for too long.
        """

    def analyse(
        self, game: Game[Any], start: Any, actions: Sequence[Action]
    ) -> Mapping[str, Any] | None:
        """Return what a game that was played was worth to whom, as
        :func:`companion.players.analysis.as_json` tells; None while a machine looks at it: ask
        again. Another game that is asked about ends that.

        Raises:
            BadInput: no machine can in this game.
            HardwareFault: it failed.
        """

    def give(self, seats: Mapping[str, str], actor: str) -> None:
        """Let players play seats, ``person`` for people alone.

        Raises:
            BadInput: there is no such seat or player.
            HardwareFault: it cannot be kept.
        """

    def tell(self, seat: str, cards: Sequence[str]) -> None:
        """Tell the machine of ``seat`` the cards of its rack, from left to right; they are kept in
        memory alone.

        Raises:
            BadInput: they are not those that it has to be told.
        """


class Distant(Protocol):
    """The line to tables in other places at which the same game is played."""

    def told(self) -> Mapping[str, Any]:
        """Return ``ready`` (whether there is a line), ``owner`` (what the table is called whose
        game is played along; empty for none), ``seats`` that are played here for it, ``guests``
        (``id``, ``name``, ``seats``, ``there``, ``set``) and ``words`` for people."""

    def invite(self, seats: Sequence[str]) -> str:
        """Return a link by which one other table plays along with ``seats``.

        Raises:
            BadInput: a seat is not there, or played elsewhere already.
            HardwareFault: there is no line, or it cannot be kept.
        """

    def dismiss(self, guest: str) -> None:
        """Let the table ``guest`` play along no more; raises as :meth:`invite`."""

    def join(self, link: str) -> None:
        """Play the game along to which ``link`` invites; raises as :meth:`invite`."""

    def leave(self) -> None:
        """Play another table's game along no more; raises as :meth:`invite`."""


class Owned(Protocol):
    """What owners entered of their games' cards."""

    def cards(self, game: str) -> Sequence[Mapping[str, Any]]:
        """Return the cards of the game called ``game``; raises BadInput for a file that cannot be
        read."""

    def enter(self, game: str, card: Mapping[str, Any], instead: str = "") -> None:
        """Keep a card, in the place of the one called ``instead``.

        Raises:
            BadInput: a field is wrong.
            HardwareFault: it cannot be kept.
        """

    def forget(self, game: str, name: str) -> None:
        """Leave the card called ``name`` out; raises as :meth:`enter`."""


class NoEyes:
    """The eyes where there is no camera: they say nothing and ask nothing."""

    def status(self) -> Mapping[str, Any]:
        """Return a still table without words."""
        return {
            "still": True, "message": "", "differs": [], "lifted": None, "asks": [], "lost": False,
        }  # fmt: skip

    def seen(self) -> Position | None:
        """Return nothing: nobody looks."""
        return None

    def teach(self, tokens: Mapping[str, str]) -> None:
        """Refuse: nobody looks."""
        raise BadInput(say("no camera looks at this table"))

    def answer(self, index: int) -> None:
        """Do nothing: nothing was asked."""


class NoMachines:
    """The machines where nobody can think for them."""

    def told(self) -> Mapping[str, Any]:
        """Return that no machine plays."""
        return {
            "levels": [],
            "advises": False,
            "seats": {},
            "seat": "",
            "action": "",
            "words": "",
            "missing": {},
            "offer": {},
        }

    def advise(self, seconds: float | None = None) -> Sequence[Mapping[str, Any]] | None:
        """Refuse: no machine is here."""
        raise BadInput(say("no machine plays at this table"))

    def point(self, spots: Sequence[str], seconds: float | None = None) -> None:
        """Refuse: no machine is here."""
        raise BadInput(say("no machine plays at this table"))

    def analyse(
        self, game: Game[Any], start: Any, actions: Sequence[Action]
    ) -> Mapping[str, Any] | None:
        """Refuse: no machine is here."""
        raise BadInput(say("no machine plays at this table"))

    def give(self, seats: Mapping[str, str], actor: str) -> None:
        """Refuse: no machine is here."""
        raise BadInput(say("no machine plays at this table"))

    def tell(self, seat: str, cards: Sequence[str]) -> None:
        """Refuse: no machine is here."""
        raise BadInput(say("no machine plays at this table"))


class NoLamps:
    """The lights' settings where there are no lights."""

    def settings(self) -> Mapping[str, Any]:
        """Return nothing to set."""
        return {}

    def adjust(self, changes: Mapping[str, Any]) -> None:
        """Refuse: there is nothing to set."""
        if changes:
            raise BadInput(say("this table has no lights to set"))


def no_lights() -> Mapping[str, Mapping[str, str]]:
    """Return nothing lit."""
    return {}
