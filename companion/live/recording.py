"""Recordings of real games: numbered pictures, the table file, and what was read from them.

A folder that :class:`Recorder` writes is one that ``companion replay`` reads.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.live.reading_entries import Entry
from companion.live.replay import line_of
from companion.rules import BadInput, Game, Setup, is_texts, quoted, say, whole_number
from companion.runtime.disk_space import RecordingSpace
from companion.runtime.files import private, private_folder, write_private
from companion.table import Table
from vision.decoding.reading import Reading
from vision.frames import Frame, Image, Sensed, TableFile
from vision.pictures import to_jpeg
from vision.sensing.sensor_log import SENSORS, written

_log = logging.getLogger(__name__)

QUALITY = 92
HAND_SECONDS, QUIET_SECONDS = 1.0, 20.0
"""Seconds between two pictures that are kept while a hand is in view, and while nothing happens."""
EVENTS, TABLE_FILE = "events.jsonl", "table.json"
TOLD = "told"
"""The field of a table file that maps a picture to what was told on the phones since the picture
before."""


class Recording:
    """A folder of a recorded game that grows: ``0000.jpg`` …, ``table.json``, ``events.jsonl``.
    It is made with the first picture.

    A disk that cannot be written does not end anything: ``trouble`` says so in one sentence until
    a picture is written again. Once ``room`` is used up the recording is ``full``.

    Raises:
        BadInput: the folder holds something already, or cannot be made.
    """

    def __init__(self, folder: Path, room: RecordingSpace | None = None) -> None:
        try:
            if folder.exists() and any(folder.iterdir()):
                raise BadInput(f"{folder} is not empty; name a new folder for the recording")
            over = next(path for path in folder.absolute().parents if path.exists())
            if not os.access(over, os.W_OK) or not over.is_dir():
                raise BadInput(f"cannot record in {folder}: nothing can be made in {over}")
        except OSError as error:
            raise BadInput(f"cannot record in {folder}: {error.strerror}") from error
        self.folder, self.count, self.trouble = folder, 0, ""
        self.room, self.full = room or RecordingSpace(), False
        self._described = ""

    def describe(self, table_file: Mapping[str, Any]) -> None:
        """Write the table file; before the first picture that waits for it."""
        self._described = json.dumps(table_file, indent=1, ensure_ascii=False) + "\n"
        if self.count:
            self._try(self._describe)

    def _describe(self) -> None:
        write_private(self.folder / TABLE_FILE, self._described)

    def add(self, data: bytes, line: Entry | None = None, felt: Entry | None = None) -> bool:
        """Write one picture (JPEG), what a board of sensors ``felt`` at the time, and the entry of
        what was read from both; return whether it was kept. No half-written picture stays."""
        path = self.folder / self.next_name

        def write() -> None:
            try:
                path.touch(mode=0o600)
                path.write_bytes(data)
                self._tell(SENSORS, felt)
                self._tell(EVENTS, line)
            except OSError:
                path.unlink(missing_ok=True)
                raise

        return self._add(len(data), write)

    def feel(self, felt: Entry, line: Entry) -> bool:
        """Write what a board of sensors said, and the entry of what was read from that; return
        whether it was kept."""

        def write() -> None:
            self._tell(SENSORS, felt)
            self._tell(EVENTS, line)

        return self._add(len(str(felt)), write)

    def _add(self, size: int, write: Callable[[], None]) -> bool:
        def fitting() -> None:
            if not self.room.lets(size, self.folder):
                self.full = True
                return
            if not self.count:
                private_folder(self.folder)
                if self._described:
                    self._describe()
            write()

        kept = not self.full and self._try(fitting) and not self.full
        self.count += kept
        if self.full:
            self.trouble = say(
                "The recording has its {count} MB and has ended", count=self.room.megabytes
            )
        return kept

    def _tell(self, name: str, line: Entry | None) -> None:
        """Append ``line``, if there is any, to the file ``name``."""
        if line is not None:
            with open(self.folder / name, "a", encoding="utf-8", opener=private) as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")

    @property
    def next_name(self) -> str:
        """Return the name of the next picture."""
        return f"{self.count:04d}.jpg"

    def _try(self, write: Any) -> bool:
        try:
            write()
        except OSError as error:
            self.trouble = say(
                "The recording stands still: {folder} cannot be written ({why})",
                folder=str(self.folder),
                why=error.strerror or str(error),
            )
            return False
        self.trouble = ""
        return True


class Recorder:
    """Keeps what a replay of a game needs: every picture in which something was read, some of
    hands, few of a quiet table; of a board of sensors all that it felt."""

    def __init__(self, recording: Recording, table: Table[Any]) -> None:
        self._recording, self._table = recording, table
        self._first = recording.folder
        self._file: TableFile = {}
        self._seen = 0
        self._last: tuple[Any, ...] = ()
        self._kept_at = 0.0
        self._once_more = False
        self._felt: Sensed | None = None

    @property
    def trouble(self) -> str:
        """Return why nothing is recorded now, empty while all is well."""
        trouble = self._recording.trouble
        return say("{trouble}; the game goes on.", trouble=trouble) if trouble else ""

    def begin(self, table_file: Mapping[str, Any]) -> None:
        """Write the table file of the pictures that follow, with the game as it stands. After a
        new calibration they go into another folder, beside the first."""
        if self._recording.count:
            self._recording = Recording(free_folder(self._first), self._recording.room)
        self._last = ()
        self._file, self._seen = described(self._table, table_file), self._table.state_id
        self._recording.describe(self._file)

    def see(self, frame: Frame, reading: Reading) -> None:
        """Keep ``frame`` if it is worth it; called before the reading's steps are carried out."""
        if frame.image is None and frame.sensed is None:
            return
        now = (reading.still, reading.position, reading.differs, reading.asks, reading.lifted)
        told = told_since(self._table, self._seen)
        news = bool(reading.steps or told) or now != self._last
        pause = QUIET_SECONDS if reading.still else HAND_SECONDS
        # What comes right after a change is what a reader may have waited for.
        stirred = frame.sensed is not None and (frame.sensed != self._felt or frame.sensed.left)
        worth = (news and reading.still) or self._once_more or stirred
        if not worth and not self._due(frame, pause):
            return
        self._felt = frame.sensed
        self._once_more, self._last, self._kept_at = news, now, frame.at
        name = self._recording.next_name if frame.image is not None else frame.name
        line = line_of(self._table, replace(reading, frame=name))
        line.pop("message", None)
        before = self.trouble
        felt = written(replace(frame, name=name)) if frame.sensed is not None else None
        kept = (
            self._recording.feel(written(frame), line)
            if frame.image is None
            else self._recording.add(to_jpeg(frame.image, QUALITY), line, felt)
        )
        if self.trouble not in ("", before):
            _log.warning("%s", self.trouble)
        if kept:
            self._seen = self._table.state_id
            if told:
                self._file.setdefault(TOLD, {})[name] = told
                self._recording.describe(self._file)

    def _due(self, frame: Frame, pause: float) -> bool:
        return not self._last or frame.at - self._kept_at >= pause


def told_since(table: Table[Any], seq: int) -> list[str]:
    """Return what was told after event ``seq`` by others than the camera, ``undo 2`` for two
    actions taken back."""
    told = []
    for event in table.events(seq):
        if event.actor != "camera" and event.kind == "action" and event.action:
            told.append(event.action)
        elif event.actor != "camera" and event.kind == "undone":
            told.append(f"undo {event.data['count']}")
    return told


def tell_recorded(table: Table[Any], told: Sequence[str]) -> None:
    """Do on ``table`` what :func:`told_since` returned.

    Raises:
        BadInput: an action of the table file does not stand.
    """
    for text in told:
        word, _, count = text.partition(" ")
        if word == "undo":
            table.undo(whole_number(count) or 0, "referee")
            continue
        action = table.game.parse(table.setup, text)
        ruling = table.play(action, "referee")
        if not ruling.allowed:
            raise BadInput(
                say(
                    "the table file: {action} does not stand: {why}",
                    action=quoted(text),
                    why=ruling.reason,
                )
            )


def listed(told: Any) -> Sequence[str]:
    """Return ``told`` if it is a list of actions as texts, as a table file tells them.

    Raises:
        BadInput: it is something else.
    """
    if not is_texts(told):
        raise BadInput(
            say("the table file tells actions in a list of texts, not as {text}", text=quoted(told))
        )
    return told


def described(table: Table[Any], table_file: Mapping[str, Any]) -> TableFile:
    """Return ``table_file`` with everything that a replay of ``table`` begins with: game, seats,
    options, and where a game in progress stands (``played``)."""
    header, file = table.header, named(table_file, table.game, table.setup)
    if header.position is not None:
        file |= {"position": dict(header.position), "to_move": header.to_move}
    if table.actions:
        file["played"] = [table.game.format(action) for action in table.actions]
    return file


def named(table_file: Mapping[str, Any], game: Game[Any], setup: Setup) -> TableFile:
    """Return ``table_file`` with game, seats and the options that are not the usual ones."""
    usual = {option.name: option.default for option in game.options}
    chosen = {name: v for name, v in setup.options.items() if v != usual.get(name)}
    file: TableFile = {"game": game.name, "seats": list(setup.seats)}
    given = {k: v for k, v in table_file.items() if k not in ("game", "seats", "options")}
    return file | ({"options": chosen} if chosen else {}) | given


def resume_recorded(table: Table[Any], table_file: Mapping[str, Any]) -> None:
    """Play on ``table`` what had been played before the recording began.

    Raises:
        BadInput: an action of the table file does not stand.
    """
    tell_recorded(table, listed(table_file.get("played", [])))


def free_folder(first: Path) -> Path:
    """Return ``first``, or the next beside it, ``FIRST-2`` and so on, that holds nothing yet."""
    folder, number = first, 1
    while folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        number += 1
        folder = first.with_name(f"{first.name}-{number}")
    return folder


def from_jpeg(data: bytes) -> Image:
    """Return the picture in ``data``, blue-green-red."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
