"""A recorded game of pictures becomes a scored game: source -> reader -> table, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.live.reading_entries import Entry, tell
from companion.rules import Action, DiceOnMat
from companion.table import Table
from vision.decoding.reading import Reading, Step
from vision.frames import Frame, Source

if TYPE_CHECKING:
    from vision.readers import AnyReader


def replay(
    source: Source,
    reader: AnyReader,
    table: Table[Any],
    before: Callable[[str], None] = lambda name: None,
) -> Iterator[Entry]:
    """Yield one JSON-able object for every frame, in order: what stands on the table and what
    happened. ``before`` is called with the name of each frame before it is read.

    The table is given every step that the reader found; refused actions are kept in its journal,
    too. No frame waits for a later one.
    """
    while (frame := source.read()) is not None:
        before(frame.name)
        yield read_frame(reader, table, frame)


def read_frame(reader: AnyReader, table: Table[Any], frame: Frame) -> Entry:
    """Read one frame, carry out what happened on the table, and return the frame's entry."""
    reading = reader.read(frame, table.past)
    begin(table, reading)
    line = line_of(table, reading)
    carry_out(table, reading.steps)
    return line


def read_picture(reader: AnyReader, table: Table[Any], frame: Frame) -> Reading:
    """Read one frame, give the table what happened, and return the reading."""
    reading = reader.read(frame, table.past)
    begin(table, reading)
    carry_out(table, reading.steps)
    return reading


def begin(table: Table[Any], reading: Reading) -> None:
    """Give the table what a reading says of its beginning and of earlier moves."""
    if reading.set_up is not None:
        table.arrange(reading.set_up, "camera")
    reorder(table, reading)


def reorder(table: Table[Any], reading: Reading) -> None:
    """Bring moves that were told earlier into the order that a later picture proves."""
    if reading.instead is None:
        return
    count, actions = reading.instead
    if count:
        table.undo(count, "camera")
    for action in actions:
        table.play(action, "camera")


def line_of(table: Table[Any], reading: Reading) -> Entry:
    """Return the entry of one frame; its steps are not carried out yet."""

    def told(steps: Sequence[Step]) -> list[Entry]:
        return tell(table.game, table.past, table.actions, steps)

    position = reading.position
    line: Entry = {
        "frame": reading.frame,
        "still": reading.still,
        "position": None if position is None else dict(sorted(position.items())),
        "actions": told((*reading.steps, *reading.ahead)),
    }
    if isinstance(table.game, DiceOnMat):
        # What dice tell moves no token.
        write = table.game.format
        line["dice"] = [{"action": write(s.action), "legal": s.legal} for s in reading.steps]
        if reading.asks:
            line["ask"] = [[write(step.action) for step in steps] for steps in reading.asks]
    elif reading.asks:
        line["ask"] = [told(steps) for steps in reading.asks]
    if reading.message:
        line["message"] = reading.message
    return line


def carry_out(
    table: Table[Any],
    steps: Sequence[Step],
    actor: str = "camera",
    pictures: Callable[[Action], Mapping[str, bytes]] | None = None,
) -> None:
    """Play the steps of a reading on the table: actions, refused ones, take-backs.

    ``pictures`` gives the photographs that go with an action.
    """
    for step in steps:
        if step.takeback is None:
            table.play(step.action, actor, pictures(step.action) if pictures else None)
        elif step.takeback:
            table.undo(step.takeback, actor)
        else:
            table.note("returned", {"action": table.game.format(step.action)}, actor)
