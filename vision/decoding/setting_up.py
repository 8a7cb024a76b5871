"""Until the table is seen set up: what is said meanwhile, and the eye that reads it thereafter."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic

from companion.rules import BadInput, Board, FreeSetUp, Game, Position, S, name_of, say
from vision.board.calibrate import Camera
from vision.decoding.belief import Belief
from vision.decoding.dark import Dark
from vision.decoding.opening import by_table, open_eye
from vision.decoding.reading import Reading
from vision.frames import Frame, TableFile
from vision.tokens.album import Album
from vision.tokens.eye import Eye, Glimpse, WeighingEye
from vision.tokens.freesetup import Chosen
from vision.watching import waiting
from vision.watching.waiting import Gate, amiss, to_do


@dataclass(frozen=True, slots=True)
class Known:
    """What a reader knows before its first picture, or before the first of another size: the faces
    in ``album``, whether the table ``was_set_up``, whether a picture was ``tried`` already."""

    album: Album | None
    was_set_up: bool = False
    tried: bool = False


def lacking(
    game: Game[Any], name: str, expected: Position, faults: Mapping[str, str], *, live: bool
) -> Reading:
    """Return the reading of a table that has ``faults`` (:func:`to_do`) and does not begin."""
    spoken = partial(name_of, game)
    said = say("this is not the set-up: {words}", words=amiss(faults, expected, spoken))
    if live:
        said = say("Set up: {words}.", words=to_do(faults, expected, spoken))
    table = {spot: token for spot, token in expected.items() if spot not in faults}
    missing = tuple(sorted(spot for spot, fault in faults.items() if fault == "empty"))
    return Reading(name, True, table, differs=tuple(sorted(faults)), message=said, missing=missing)


def begun_with(
    game: Game[Any], name: str, table: Position, expected: Position, wrong: Collection[str]
) -> Reading:
    """Return the reading of a ``table`` that begins, though spots are ``wrong``."""
    words = amiss(wrong, expected, partial(name_of, game))
    said = say("not as at the set-up: {words}", words=words) if wrong else ""
    return Reading(name, True, dict(table), differs=tuple(sorted(wrong)), message=said)


class SettingUp(Generic[S]):
    """Waits before a camera until one game can begin; see :class:`vision.decoding.reader.Reader`
    for ``live``. When the table is seen set up, ``belief`` begins and there is an ``eye``."""

    def __init__(
        self,
        game: Game[S],
        board: Board,
        start: S,
        belief: Belief[S],
        dark: Dark,
        known: Known,
        *,
        live: bool,
    ) -> None:
        self._game, self._board, self._start = game, board, start
        self._belief, self._dark, self._live = belief, dark, live
        self._known = known
        self._gate, self._waiting = Gate(), Reading("", still=False)
        self._choice: Chosen[S] | None = None
        self._draft: Eye | None = None
        self.eye: Eye | None = None
        """Reads the pictures from the beginning of the game on; None before."""
        self.open: frozenset[str] = frozenset()
        """The spots that did not show the set-up when the game began."""

    @property
    def camera(self) -> Camera | None:
        """Return how the last picture shows the board; None before the first."""
        return self._draft.camera if self._draft else None

    @property
    def known(self) -> Known:
        """Return what is known by now."""
        was_set_up = self._known.was_set_up or self.eye is not None
        return Known(self.album() or self._known.album, was_set_up, self._known.tried)

    def album(self) -> Album | None:
        """Return the faces that the eye knows by now, None where there are none."""
        return self.eye.album(self._game.name) if self.eye else None

    def read(self, frame: Frame, past: Sequence[S], file: TableFile) -> Reading:
        """Read a picture of a table on which no game has begun; ``file`` tells where it shows the
        board. A live game begins as soon as the table is set up and nobody reaches over it; in a
        recording what spoils a later picture than the first is passed over.

        Raises:
            BadInput: in the first picture of a recording the board is not found.
        """
        assert frame.image is not None
        first, self._known = not self._known.tried, replace(self._known, tried=True)
        calm = not self._live or self._gate.calm(frame)
        # A hand that holds still over the table looks different from the table without it.
        seen = self._draft.look(frame, {}) if self._draft is not None else Glimpse()
        # What rests there are pieces put down side by side, or a cup: looking tells which.
        if seen.hand or (self._live and seen.loose and not seen.rests) or not calm:
            reason = waiting.REACHES if calm else waiting.MOVES
            told = self._waiting if self._live else Reading("", still=False)
            return replace(told, frame=frame.name, still=False, reason=reason)
        if not self._live or self._gate.due() or self._dark.waits:
            try:
                self._waiting = self._begin(frame, past, file)
            except BadInput as error:
                if first and not self._live:
                    raise
                self._waiting = Reading(frame.name, still=False, message=error.sentence)
        return replace(self._waiting, frame=frame.name)

    def looked_again(self, name: str, past: Sequence[S]) -> Reading | None:
        """Look once more, in picture ``name``, at a set-up that the players chose and that may be
        another yet; None if there is none."""
        choice, eye = self._choice, self.eye
        if choice is None or not choice.open or len(past) > 1 or not isinstance(eye, WeighingEye):
            return None
        choice.look(eye.weigh(self._board))
        return self._chosen(name, choice)

    def _begin(self, frame: Frame, past: Sequence[S], file: TableFile) -> Reading:
        assert frame.image is not None
        state = past[-1]
        expected = dict(self._game.expect(state))
        camera = by_table(self._game, self._start.setup, frame.image, file, expected)
        tokens = {*self._game.expect(self._start).values(), *expected.values()}
        eye = open_eye(self._game, self._board, camera, frame, expected, tokens, self._known.album)
        self._draft, faults, wrong = eye, eye.faults, frozenset(eye.faults)
        if isinstance(eye, WeighingEye) and isinstance(self._game, FreeSetUp) and len(past) == 1:
            return self._set_up(frame, eye, state)
        many = len(wrong) > max(2, len(expected) // 2)
        # Once the table was set up, a few differences may be moves made meanwhile; before they are
        # pieces not yet put down.
        begun = len(past) > 1 or self._known.was_set_up
        waits = bool(wrong) and (many or not begun) if self._live else many
        if waits and (self._live or not eye.sees_all):
            return lacking(self._game, frame.name, expected, faults, live=self._live)
        if self._dark.ask(self._board):
            # What is learned now is held against every later picture, with lights or without.
            return Reading(frame.name, still=False, dark=True, reason=waiting.UNLIT)
        self.eye = eye
        table, self.open = {s: t for s, t in expected.items() if s not in wrong}, wrong
        if self._live and eye.faces:
            # What is missing now may stand elsewhere by a move that nobody watched.
            table, self.open = expected, wrong | eye.strangers()
        self._belief.begin(table, state)
        return begun_with(self._game, frame.name, table, expected, wrong)

    def _set_up(self, frame: Frame, eye: WeighingEye, state: S) -> Reading:
        """Take over the position that the players chose, if it may be; else say what is wrong."""
        if self._choice is None:
            self._choice = Chosen(self._game, state, self._game.expect(self._start))
        found = self._choice.look(eye.nats)
        if found.fair and (found.sure or not self._live):
            self.eye = eye
        return self._chosen(frame.name, self._choice)

    def _chosen(self, name: str, choice: Chosen[S]) -> Reading:
        """Tell the set-up that the players chose. Without an eye the game does not begin."""
        position, doubt = dict(choice.found.position), choice.found.doubtful
        laid = position if self.eye is not None and position != self._belief.table else None
        if laid:
            self._belief.begin(position, choice.state)
        message = choice.message
        return Reading(name, True, position, differs=doubt, message=message, set_up=laid)
