"""The options of club."""

from __future__ import annotations

from pathlib import Path

from companion.commands.adding import Commands, add_command
from companion.machine.options import named, port


def add_club_commands(commands: Commands) -> None:
    """Add club."""
    club = add_command(
        commands,
        "club",
        "club.run_club",
        "store what the tables of a club publish, list them, or write a table's journal down again",
        "companion club serve --broker mqtt://127.0.0.1",
    )
    club.add_argument(
        "what", metavar="WHAT", choices=("serve", "wall", "tables", "rebuild"),
        help="serve, wall (both until Ctrl-C), tables, or rebuild",
    )  # fmt: skip
    club.add_argument("table", metavar="TABLE", nargs="?", help="to rebuild: its id or its name")
    club.add_argument("file", metavar="FILE", nargs="?", type=named, help="the new journal")
    club.add_argument(
        "--broker", metavar="ADDRESS", help="mqtt://HOST or mqtts://NAME:PASSWORD@HOST"
    )
    club.add_argument("--ca", metavar="FILE", help="who signed for a broker with mqtts")
    club.add_argument("--database", metavar="ADDRESS", help="a PostgreSQL connection string")
    club.add_argument(
        "--part", metavar="N/M", default="1/1", help="the share of this one of M services [1/1]"
    )
    club.add_argument("--host", metavar="ADDRESS", default="0.0.0.0", help="of the wall [all]")
    club.add_argument("--port", type=port, default=8010, help="of the wall [8010]")
    club.add_argument(
        "--data", metavar="FOLDER", type=Path, help="whose settings count [the user's folder]"
    )
