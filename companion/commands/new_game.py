"""``new-game``: the skeleton of a game that somebody begins to write."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.common import print_json
from companion.conformance.new_game import write_skeleton
from companion.rules import BadInput


def run_new_game(arguments: argparse.Namespace) -> int:
    """Write the skeleton of a game and say what to do next."""
    into: Path = arguments.folder or Path(arguments.name)
    try:
        files = write_skeleton(arguments.name, into)
    except OSError as error:
        raise BadInput(f"cannot write {error.filename or into}: {error.strerror}") from error
    if arguments.json:
        print_json({"folder": str(into), "files": [str(file) for file in files]})
        return 0
    for file in files:
        print(file)
    print(f"Next: pip install --editable {into}, companion check-game {arguments.name}")
    return 0
