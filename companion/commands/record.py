"""``record``: a camera's pictures become a recorded game, for ``replay`` and for a bug report."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from companion.commands.common import print_json, settle
from companion.commands.recorded import sentence
from companion.games import table_game
from companion.journal import Journal
from companion.live.reading_entries import Entry
from companion.live.recording import QUALITY, Recording, from_jpeg, resume_recorded
from companion.live.replay import read_frame
from companion.machine.options import complain
from companion.rules import BadInput, CompanionError, HardwareFault
from companion.runtime.disk_space import RecordingSpace
from companion.runtime.files import read_json
from companion.runtime.locations import data_folder
from companion.runtime.supervisor import RETRY_SECONDS
from companion.table import Table
from vision.frames import Frame, Source
from vision.pictures import to_jpeg
from vision.readers import open_reader
from vision.sensing.sensor_source import is_felt
from vision.sources.cameras import open_source


def run_record(arguments: argparse.Namespace) -> int:
    """Record until the source ends, enough frames are kept, or Ctrl-C."""
    if arguments.source == "simulated":
        raise BadInput(
            "the simulated table is recorded while it is played: companion play --record FOLDER"
        )
    if is_felt(arguments.source):
        raise BadInput(
            "a board of sensors is recorded while it is played: "
            f"companion play GAME --camera {arguments.source} --record FOLDER"
        )
    settle(arguments, data_folder())
    table_file = read_json(arguments.table) if arguments.table else None
    reading = Scorer(table_file) if table_file is not None else None
    source = open_source(arguments.source)
    recording = Recording(arguments.folder, RecordingSpace(arguments.record_megabytes))
    if table_file is not None:
        recording.describe(table_file)
    try:
        first = source.read()  # A camera that is not there is told now, not waited for.
        if first is None:
            raise BadInput(f"{arguments.source} gives no picture; nothing was recorded")
        if not arguments.json:
            print(f"Recording in {recording.folder}: {recording.room.words}. Ctrl-C ends it.")
        frames = paced(chain((first,), watched(source, time.sleep)), arguments.every)
        for line in record(frames, recording, reading, arguments.frames):
            print_json(line) if arguments.json else print(told(line))
    except KeyboardInterrupt:
        pass
    finally:
        source.close()
    if not arguments.json:
        unread = "" if reading else "; without --table FILE nothing was read from them"
        print(f"{recording.count} pictures in {recording.folder}{unread}")
    return 0


def told(line: Entry) -> str:
    """Return the line of one frame for people; of an unread one only the name."""
    return sentence(line) if "still" in line else str(line["frame"])


class Scorer:
    """Reads a game from its pictures, as ``replay`` does.

    Raises:
        BadInput: the table file lacks something.
    """

    def __init__(self, table_file: Mapping[str, Any]) -> None:
        game, setup = table_game(table_file)
        self._table: Table[Any] = Table.create(Journal(":memory:"), game, setup)
        resume_recorded(self._table, table_file)
        self._reader = open_reader(game, setup, dict(table_file))

    def read(self, frame: Frame) -> Entry:
        """Return the line of ``frame``; what happened is played."""
        return read_frame(self._reader, self._table, frame)


def record(
    frames: Iterator[Frame], recording: Recording, scorer: Scorer | None, most: int | None
) -> Iterator[Entry]:
    """Write the frames and yield what was read from each; at most ``most`` of them."""
    for frame in frames:
        if frame.image is None:
            continue
        data, name = to_jpeg(frame.image, QUALITY), recording.next_name
        line: Entry = {"frame": name}
        if scorer is not None:
            # What is read is what a replay will read: the picture as it was written.
            line = read_or_say(scorer, Frame(from_jpeg(data), frame.at, name))
        before = recording.trouble
        kept = recording.add(data, line if "still" in line else None)
        if recording.trouble not in ("", before):
            complain(f"{recording.trouble}.")
        if kept:
            yield line
        if recording.full or (most is not None and recording.count >= most):
            return


def read_or_say(scorer: Scorer, frame: Frame) -> Entry:
    """Return the line of ``frame``, only its name where it cannot be read; the reason is said."""
    try:
        line = scorer.read(frame)
    except CompanionError as error:
        line = {"frame": frame.name, "message": str(error)}
    if message := line.pop("message", ""):
        print(f"companion: {frame.name}: {message}", file=sys.stderr)
    return line


def watched(source: Source, wait: Callable[[float], None]) -> Iterator[Frame]:
    """Yield the frames of ``source``; a camera that is lost is waited for, and that is said."""
    said = ""
    while True:
        try:
            frame = source.read()
        except HardwareFault as fault:
            if str(fault) != said:
                print(f"companion: {fault}", file=sys.stderr)
            said = str(fault)
            wait(RETRY_SECONDS)
            continue
        if frame is None:
            return
        said = ""
        yield frame


def paced(frames: Iterable[Frame], every: float) -> Iterator[Frame]:
    """Yield at most one frame in ``every`` seconds, by the frames' own times."""
    due = float("-inf")
    for frame in frames:
        if frame.at >= due - 1e-6:
            due = frame.at + every
            yield frame
