"""``replay`` and ``look``: pictures that were taken before."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.common import print_json
from companion.games import table_game
from companion.journal import Journal
from companion.live.reading_entries import Entry
from companion.live.recording import TOLD, listed, resume_recorded, tell_recorded
from companion.live.replay import replay
from companion.rules import BadInput
from companion.runtime.files import read_json
from companion.table import Table
from vision.dice.single import apart_from_start, look_once
from vision.frames import Source
from vision.pictures import load_picture
from vision.readers import open_reader
from vision.sources.sources import open_source

if TYPE_CHECKING:
    from vision.readers import AnyReader


def run_replay(arguments: argparse.Namespace) -> int:
    """Read a recording and print one line for every frame."""
    recording: Path = arguments.recording
    if not recording.exists():
        raise BadInput(f"there is no recording {recording}")
    table_file = read_json(arguments.table or beside(recording))
    game, setup = table_game(table_file)
    table: Table[Any] = Table.create(Journal(arguments.journal or ":memory:"), game, setup)
    resume_recorded(table, table_file)
    reader = open_reader(game, setup, dict(table_file))
    source = open_source(recording)
    if arguments.html and not arguments.why:
        raise BadInput("--html goes with --why FRAME: it is the page of one picture")
    said = ""
    try:
        if arguments.why:
            return explain(arguments, source, reader, table, table_file)
        for line in replay(source, reader, table, lambda name: tell(table, table_file, name)):
            trouble = line.get("message", "")
            if trouble and trouble != said:
                print(f"companion: {line['frame']}: {trouble}", file=sys.stderr)
            said = trouble
            if arguments.json:
                line.pop("message", None)
                print_json(line)
            else:
                print(sentence(line))
    finally:
        source.close()
    return 0


def explain(
    arguments: argparse.Namespace,
    source: Source,
    reader: AnyReader,
    table: Table[Any],
    table_file: Mapping[str, Any],
) -> int:
    """Print how one picture of a recording was read."""
    from companion.commands.why import as_text, why, write_page

    trace, frame = why(
        source, reader, table, arguments.why, lambda name: tell(table, table_file, name)
    )
    if arguments.html:
        write_page(trace, frame, arguments.html)
    if arguments.json:
        print_json(trace)
    else:
        print(as_text(trace))
    return 0


def tell(table: Table[Any], table_file: Mapping[str, Any], picture: str) -> None:
    """Do on ``table`` what was told on phones before ``picture`` was taken."""
    told = table_file.get(TOLD, {})
    if not isinstance(told, dict):
        raise BadInput("“told” of the table file gives a list of actions for the name of a picture")
    tell_recorded(table, listed(told.get(picture, [])))


def run_look(arguments: argparse.Namespace) -> int:
    """Print what one photograph shows: an empty board, the set-up, or each spot's token."""
    photo: Path = arguments.photo
    image = load_picture(photo)
    table_file = read_json(arguments.table or beside(photo))
    game, setup = table_game(table_file)
    position = look_once(game, setup, dict(table_file), image)
    if isinstance(position, str):
        words = {"empty": "the board is empty", "start": "the board is set up"}[position]
        differs = None
    else:
        words = "; ".join(f"{spot} {token}" for spot, token in sorted(position.items()))
        differs = apart_from_start(game, setup, position)
    if arguments.json:
        print_json({"position": position})
    else:
        print(words)
    if differs is not None:
        bare, taken = (", ".join(spots) or "none" for spots in differs)
        print(f"companion: not quite the set-up; bare: {bare}; taken: {taken}", file=sys.stderr)
    return 0


def beside(recording: Path) -> Path:
    """Return where the table file of a recording is looked for."""
    if recording.is_dir():
        return recording / "table.json"
    return recording.with_suffix(".table.json")


def sentence(line: Entry) -> str:
    """Return one frame's line for people."""
    moves = [
        f"{entry['piece']} {entry['from'] or 'returned'}-{entry['to']}"
        + (f" takes {entry['captures']}" if entry["captures"] else "")
        + (" (taken back)" if entry.get("takeback") else "")
        + ("" if entry["legal"] else f" REFUSED by {entry['rule']}")
        for entry in line["actions"]
    ]
    moves += [
        entry["action"] + ("" if entry["legal"] else " REFUSED") for entry in line.get("dice", ())
    ]
    if not line["still"]:
        return f"{line['frame']}: not still"
    return f"{line['frame']}: {'; '.join(moves) or '-'}"
