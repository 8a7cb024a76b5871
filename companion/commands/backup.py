"""``backup`` and ``restore``: everything of the tables in one file."""

from __future__ import annotations

import argparse
import time

from companion.commands.common import print_json
from companion.machine.backup import back_up, restore
from companion.rules import BadInput
from companion.runtime.locations import data_folder


def run_backup(arguments: argparse.Namespace) -> int:
    """Write the backup and list what it holds."""
    names = back_up(arguments.data or data_folder(), arguments.file, time.time())
    return tell(arguments, names, f"{arguments.file} holds")


def run_restore(arguments: argparse.Namespace) -> int:
    """Put the backup back and list what was restored."""
    if not arguments.file.is_file():
        raise BadInput(f"there is no backup {arguments.file}")
    folder = arguments.data or data_folder()
    names = restore(arguments.file, folder, arguments.replace)
    return tell(arguments, names, f"restored into {folder}:")


def tell(arguments: argparse.Namespace, names: tuple[str, ...], about: str) -> int:
    """Say which files were kept or restored."""
    if arguments.json:
        print_json({"file": str(arguments.file), "files": list(names)})
    else:
        print(f"{about} {', '.join(names)}")
    return 0
