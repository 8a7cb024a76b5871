"""What a board of sensors felt, as lines of a recording, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.rules import BadInput
from companion.runtime.files import read_text
from vision.frames import Frame
from vision.pictures import load_picture
from vision.sensing.messages import sensed_in

SENSORS = "sensors.jsonl"
"""The file of a recording: one line of JSON a frame, like the messages of a board, with ``frame``
and ``at`` in seconds."""


def written(frame: Frame) -> dict[str, Any]:
    """Return the line of a ``frame`` that a board of sensors felt."""
    sensed = frame.sensed
    assert sensed is not None
    line: dict[str, Any] = {"frame": frame.name, "at": round(frame.at, 3)}
    if sensed.tokens is None:
        line["on"] = sorted(sensed.occupied, key=str)
    else:
        line["tokens"] = dict(sensed.tokens)
    return line | ({"left": sorted(sensed.left, key=str)} if sensed.left else {})


class SensorLog:
    """The frames of such a file, in order, with the pictures of the same names that lie beside it.

    Raises:
        BadInput: it cannot be read, or a line is none of these.
    """

    def __init__(self, path: Path) -> None:
        lines, self._folder = read_text(path).splitlines(), path.parent
        self._pictures = {one.name for one in path.parent.iterdir() if one != path}
        self._frames: Iterator[Frame] = iter([_frame(n, line) for n, line in enumerate(lines, 1)])

    def read(self) -> Frame | None:
        """Return the next frame; None after the last one.

        Raises:
            BadInput: its picture cannot be read.
        """
        frame = next(self._frames, None)
        if frame is None or frame.name not in self._pictures:
            return frame
        return replace(frame, image=load_picture(self._folder / frame.name))

    def close(self) -> None:
        """Hand out no more."""
        self._frames = iter(())


def _frame(number: int, line: str) -> Frame:
    try:
        said = json.loads(line)
        name, at = str(said["frame"]), float(said["at"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadInput(f"line {number} of {SENSORS} is no frame of a board of sensors") from None
    return Frame(None, at, name, recorded=True, sensed=sensed_in(said, line.encode()))
