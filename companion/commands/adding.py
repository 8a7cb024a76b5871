"""How a command is added to the command line."""

from __future__ import annotations

import argparse
from typing import TypeAlias

from companion.machine.options import Parser

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def add_command(
    commands: Commands, name: str, run: str, about: str, example: str
) -> argparse.ArgumentParser:
    """Add a command with --json and a help that ends in an example."""
    parser = commands.add_parser(
        name,
        help=about,
        description=about,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.set_defaults(run=run)
    return parser
