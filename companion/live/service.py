"""The running companion: camera -> reader -> table -> lights -> phones, frame by frame."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol

from companion.live.face_file import FaceFile
from companion.live.lagging import Lag
from companion.live.recording import Recorder
from companion.live.replay import carry_out, reorder
from companion.live.traces import Traces
from companion.rules import (
    Action,
    BadInput,
    Board,
    CompanionError,
    DiceOnMat,
    HardwareFault,
    Position,
    S,
    say,
)
from companion.runtime.memory import give_back
from companion.runtime.supervisor import KEPT
from companion.table import Table
from companion.table.history import StaleState
from companion.table.mirror import Elsewhere
from companion.table.turn_end import end_by_itself
from hardware.lights import Colour, Moment
from vision.board.calibrate import Camera
from vision.board.evidence import photograph
from vision.decoding.reading import Reading, Step
from vision.frames import Frame, Image, Source, TableFile
from vision.readers import open_reader
from vision.taught import TaughtReader
from vision.tokens.album import Album
from vision.watching.feed import Feed, frozen, torn
from vision.watching.waiting import Gate

_log = logging.getLogger(__name__)

ENDED = say("There are no more pictures: the film or the folder has come to its end.")


@dataclass(frozen=True, slots=True)
class Status:
    """What the camera makes of the table now, for the pages: see :meth:`Service.status`."""

    still: bool = False
    message: str = say("The table has not been looked at yet.")
    differs: tuple[str, ...] = ()
    lifted: str | None = None
    asks: tuple[tuple[Step, ...], ...] = ()
    missing: tuple[str, ...] = ()
    lost: bool = False


PAUSED = Status(still=True, message=say("The game is paused; nobody looks at the table."))


def moment_of(
    status: Status,
    actions: Sequence[Action],
    refused: Step | None,
    unmade: Sequence[Action] = (),
) -> Moment:
    """Return what the lights should show for ``status``; ``refused`` is the refused move whose
    token was not put back, ``unmade`` are the last actions, which nobody has done on this board."""
    waiting = [action for action in unmade if not set(status.differs).isdisjoint(action.spots)]
    meant = tuple(spot for action in waiting for spot in action.spots)
    begun, known = bool(actions), {*status.missing, *meant}
    wrong = tuple(spot for spot in status.differs if spot not in known)
    return Moment(
        lifted=status.lifted,
        differs=wrong if begun else (),
        wrong=() if begun else wrong,
        missing=status.missing,
        proof=refused.ruling.spots if refused and refused.ruling else (),
        back=spots_of(refused.action.origin) if refused else (),
        stray=spots_of(refused.action.target) if refused else (),
        last=tuple(s for a in actions[-1:] for s in spots_of(*a.ends)),
        asks=tuple(
            spots_of(*(spot for step in steps for spot in step.action.ends))
            for steps in status.asks
        ),
        meant=meant,
    )


def spots_of(*spots: str | None) -> tuple[str, ...]:
    """Return the spots that are named, each once, in order."""
    return tuple(dict.fromkeys(spot for spot in spots if spot))


def _kept(fault: HardwareFault) -> str:
    return say("{fault}. {kept}", fault=fault.sentence, kept=KEPT)


class Lamps(Protocol):
    """The lights under the board, as far as they concern the camera."""

    def watch(self) -> Callable[[], Mapping[str, Colour]]:
        """Begin to note what is lit, and return a function: called once a picture has come, it
        returns the spots under which a light may have shone since then, with the light's colour."""

    def dark(self, out: bool) -> None:
        """Put the lights out for the next picture, or light them again."""


class Service(Generic[S]):
    """One table that is watched. :meth:`look` belongs to one thread; the rest to any: whoever
    answers, teaches or calibrates waits until the picture that is looked at is done with, and what
    is only asked waits for nothing.

    ``show`` is called with what the lights should tell now, ``changed`` when the camera's words
    have changed. ``recorder`` keeps what was seen, ``faces`` what the tokens look like; ``lamps``
    are put out for pictures that they would spoil. While ``by_phone`` says so the camera tells
    where the table differs and plays nothing itself; once the table is no longer ``present``,
    because another game has begun, pictures are none of its.
    """

    def __init__(
        self,
        table: Table[S],
        table_file: TableFile,
        source: Source,
        show: Callable[[Moment], None],
        changed: Callable[[], None],
        recorder: Recorder | None = None,
        faces: FaceFile | None = None,
        by_phone: Callable[[], bool] = lambda: False,
        lamps: Lamps | None = None,
        present: Callable[[], bool] = lambda: True,
    ) -> None:
        self._guard = threading.RLock()
        self._lamps, self._present = lamps, present
        self._table, self._source, self._by_phone = table, source, by_phone
        self._show, self._changed = show, changed
        self._recorder, self._faces = recorder, faces
        self._fresh: TableFile | None = None
        self._begin(table_file, faces.load() if faces else None)
        self.traces = Traces(self._reader.board)
        """The last readings and how they came about, for any thread."""
        self._status = Status()
        self._before: Image | None = None
        self._refused: Step | None = None
        self._lost, self._feed = False, Feed()
        self._position: Position | None = None
        self._lag = Lag(table)

    # -- what the phones ask (web.Eyes) ----------------------------------------------

    def status(self) -> Mapping[str, Any]:
        """Return the camera's words, its questions as texts of actions."""
        status, write = self._status, self._table.game.format
        return {
            "still": status.still,
            "message": status.message,
            "differs": list(status.differs),
            "lifted": status.lifted,
            "asks": [[write(step.action) for step in steps] for steps in status.asks],
            "lost": status.lost,
        }

    def seen(self) -> Position | None:
        """Return what stands on the table as the last still picture shows it, None where the
        camera cannot tell."""
        return None if self._status.lost else self._position

    def answer(self, index: int) -> None:
        """Take candidate ``index`` of the question for what happened.

        Raises:
            BadInput: there is no such candidate any more.
        """
        with self._guard:
            asks = self._status.asks
            if not 0 <= index < len(asks):
                raise BadInput(
                    say("that question is settled already; look at the table's new position")
                )
            self._status = replace(self._status, asks=())
            chosen = [self._table.game.format(step.action) for step in asks[index]]
            self._table.note("answered", {"chosen": chosen}, "referee")
            carry_out(self._table, asks[index], "referee")
        self._changed()

    def teach(self, tokens: Mapping[str, str]) -> None:
        """Learn the cards or the faces of dice that lie on the table now: spot -> token. The game
        has to be paused.

        Raises:
            BadInput: it is not, or there is no picture.
            Uncertain: something cannot be made out; the rest is learned.
        """
        with self._guard:
            if not self._table.paused:
                raise BadInput(say("pause the game first: the cards on the table are none of its"))
            if self._paused_image is None:
                raise BadInput(
                    say("the camera sees no still table yet; take your hands away and try again")
                )
            self.learn(self._paused_image, tokens)

    def learn(self, image: Image, tokens: Mapping[str, str]) -> None:
        """Learn the cards, or the faces of dice, that lie in ``image``: spot -> token.

        Raises:
            BadInput: nothing of this game has to be learned.
            Uncertain: something cannot be made out; the rest is learned.
        """
        with self._guard:
            if not isinstance(self._reader, TaughtReader):
                raise BadInput(say("nothing has to be entered for this game"))
            try:
                self._reader.teach(image, tokens)
            finally:
                # What was made out is kept though something has to be shown once more.
                if self._faces:
                    self._faces.see(self._reader)
            if self._reader.described:
                self._describe()

    # -- where the board lies --------------------------------------------------------

    @property
    def camera(self) -> Camera | None:
        """Return how the last picture shows the board; None before the board was found."""
        return self._reader.camera

    @property
    def board(self) -> Board:
        """Return what the camera looks for: the game's board, or its mat."""
        return self._reader.board

    @property
    def light(self) -> float:
        """Return how bright the lights may be for the camera to see by, 0 to 1."""
        return self._reader.light

    @property
    def table_file(self) -> TableFile:
        """Return what the reader was given."""
        return self._table_file

    def recalibrate(self, table_file: TableFile) -> None:
        """Read the table by ``table_file`` from the next frame on; what lies there is learned
        anew."""
        with self._guard:
            self._fresh = table_file

    def _begin(self, table_file: TableFile, album: Album | None = None) -> None:
        self._table_file, before = table_file, getattr(self, "_reader", None)
        self._reader = open_reader(
            self._table.game, self._table.setup, table_file, live=True, album=album
        )
        found = "markers" in table_file
        # Found by its markers the mat lies where it lay, and its dice look as they did.
        mat = found and isinstance(self._table.game, DiceOnMat)
        if mat and isinstance(before, TaughtReader) and isinstance(self._reader, TaughtReader):
            self._reader.recall(before.taught())
        self._before = None
        self._paused_image: Image | None = None
        self._paused_gate = Gate()
        if self._faces:
            self._faces.recall(self._reader)
        self._describe()

    def _describe(self) -> None:
        """Write down what a replay needs of this table."""
        if self._recorder:
            known = self._reader.described if isinstance(self._reader, TaughtReader) else {}
            self._recorder.begin({**self._table_file, **known})

    # -- the loop --------------------------------------------------------------------

    @property
    def lost(self) -> bool:
        """Whether the camera is lost; it has to be asked again after a pause."""
        return self._lost

    def look(self) -> bool:
        """Take one frame and act on it; return whether there will be more.

        A fault of the camera or the journal is told on the phones, and the watch goes on. An
        unexpected exception is told and raised; the watch then begins anew.
        """
        try:
            frame = self._picture()
        except HardwareFault as fault:
            with self._guard:
                self._lose(fault)
            return True
        with self._guard:
            if frame is None:
                self._say(replace(self._status, message=ENDED, lifted=None, lost=True))
                return False
            if self._present():
                self._take(frame)
            return True

    def _take(self, frame: Frame) -> None:
        """Read ``frame`` and act on it."""
        try:
            self._found()
            if self._fresh is not None:
                fresh, self._fresh = self._fresh, None
                self._begin(fresh)
            self._paused_image = self._still(frame) if self._table.paused else None
            if self._table.paused:
                self._refused = None
                self._say(PAUSED)
                return
            reading = self._reader.read(frame, self._table.past)
            trace = self._reader.why(reading)
            # Nobody waits at the table for the picture that is kept with it.
            try:
                self._act(frame, reading)
            finally:
                self.traces.keep(trace, frame, self._reader.camera)
            if self._lamps:
                self._lamps.dark(reading.dark)
            if self._faces:
                self._faces.see(self._reader)
            if reading.still:
                # A table at rest holds nothing that only looking takes: it is often all that runs.
                give_back()
            self._table.tick()
            end_by_itself(self._table)
        except HardwareFault as fault:
            # The journal's, or the line's: nothing was taken, and the next picture tries again.
            self._say(replace(self._status, message=_kept(fault)))
        except CompanionError as error:
            self._say(replace(self._status, message=str(error), lost=True))
        except Exception:
            # A fault of ours in one frame must neither end the watch nor pass in silence.
            words = say("This picture could not be read; see the log.")
            self._say(replace(self._status, message=words, lost=True))
            self._fresh = self._fresh or self._table_file
            raise

    def _still(self, frame: Frame) -> Image | None:
        """Return the picture of ``frame`` if nothing moves over the table."""
        calm = frame.image is not None and self._paused_gate.calm(frame)
        return frame.image if calm else None

    def _picture(self) -> Frame | None:
        """Return the next frame with what shone while it was taken.

        Raises:
            HardwareFault: the camera is gone, or frozen.
        """
        lit = self._lamps.watch() if self._lamps else None
        frame = self._source.read()
        if frame is None or frame.image is None:
            return frame
        frame = frame if lit is None else replace(frame, lit=lit())
        if frame.recorded:
            return frame
        if seconds := self._feed.frozen(frame):
            if frame.sensed is not None:
                return replace(frame, image=None, trouble=frozen(seconds))
            self._source.close()  # what is opened anew may go on
            raise HardwareFault(frozen(seconds))
        return replace(frame, image=None, trouble=torn()) if self._feed.torn(frame) else frame

    def _act(self, frame: Frame, reading: Reading) -> None:
        """Give the steps to the table, with their photographs, and tell phones and lights."""
        if self._recorder:
            self._recorder.see(frame, reading)
        if not reading.still:
            # While a hand is over the board what was said stays said, and what is lit lit.
            status = replace(self._status, still=False, message=reading.message)
            # A picture that cannot be read says why; a hand that passes says nothing.
            self._say(replace(status, lost=bool(reading.message)))
            return
        self._position = reading.position
        if self._by_phone() or self._table.ended_by not in (None, "rules"):
            reading = replace(reading, steps=(), asks=())
        changed = self._lag.changed or self._by_phone()
        reading = self._carried(frame, self._lag.again(reading))
        self._lag.done()
        for step in reading.steps:
            refused = step.takeback is None and step.ruling is not None and not step.legal
            self._refused = step if refused else None
        reading = self._lag.compared(reading, changed)
        if frame.image is not None and not reading.lifted:
            # With the token in the hand a picture shows neither before nor after.
            self._before = frame.image
        if reading.lifted:
            # A token in the hand is no disorder: it will land.
            reading = replace(reading, differs=(), message="")
        if bool(reading.differs) != bool(self._status.differs):
            self._note_differences(reading)
        if reading.asks and not self._status.asks:
            asked = [[self._table.game.format(step.action) for step in s] for s in reading.asks]
            self._table.note("asked", {"candidates": asked}, "camera")
        message = reading.message or (self._recorder.trouble if self._recorder else "")
        self._say(
            Status(
                reading.still,
                message,
                reading.differs,
                reading.lifted,
                reading.asks,
                reading.missing,
            )
        )

    def _carried(self, frame: Frame, reading: Reading) -> Reading:
        """Give the table what ``reading`` tells, and return it as far as that was taken."""

        def pictures(action: Action) -> Mapping[str, bytes]:
            return self._photographs(frame, action)

        try:
            reorder(self._table, reading)
            if reading.set_up is not None:
                self._table.arrange(reading.set_up, "camera")
            carry_out(self._table, reading.steps, pictures=pictures)
        except (Elsewhere, StaleState) as error:
            return self._lag.not_taken(reading, error)
        except HardwareFault:
            self._lag.keep(reading.steps)
            raise
        return reading

    def _photographs(self, frame: Frame, action: Action) -> Mapping[str, bytes]:
        """Return ``before`` and ``after`` of the spots that ``action`` touches."""
        spots = action.ends
        board, camera = self._reader.board, self._reader.camera
        if not spots or camera is None:
            return {}
        images = {"before": self._before, "after": frame.image}
        return {
            moment: photograph(image, camera, board, spots)
            for moment, image in images.items()
            if image is not None and (image.shape[1], image.shape[0]) == camera.size
        }

    def _note_differences(self, reading: Reading) -> None:
        if reading.differs:
            data = {"spots": list(reading.differs), "position": dict(reading.position or {})}
            self._table.note("differs", data, "camera")
        else:
            self._table.note("recovered", {}, "camera")

    def _say(self, status: Status) -> None:
        """Light what the moment asks for; tell the phones if anything is new to them."""
        new = status != self._status
        self._status = status
        self._show(moment_of(status, self._table.actions, self._refused, self._lag.unmade))
        if new:
            self._changed()

    def _lose(self, fault: HardwareFault) -> None:
        if not self._lost:
            _log.warning("%s", fault)
            self._lost = True
            with suppress(HardwareFault):  # the journal's disk may be gone with the camera
                self._table.note("lost", {"reason": str(fault)}, "camera")
        self._say(Status(message=_kept(fault), lost=True))

    def _found(self) -> None:
        if self._lost:
            self._lost = False
            self._table.note("found", {}, "camera")
