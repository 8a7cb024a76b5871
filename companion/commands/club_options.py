"""The options of club."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.adding import Commands, add_command
from companion.machine.options import named, port, whole


def add_club_commands(commands: Commands) -> None:
    """Add club."""
    club = add_command(
        commands,
        "club",
        "club.run_club",
        "run a club of many tables, invite them, list them, or write a table's journal down again",
        "companion club start --tables 4",
    )
    club.add_argument(
        "what", metavar="WHAT",
        choices=("start", "invite", "withdraw", "serve", "wall", "tables", "rebuild", "forget",
                 "host", "home", "simulate"),
        help="start (broker, database, serve and wall until Ctrl-C), invite or withdraw TABLE, "
        "serve or wall alone, tables (list them), rebuild TABLE FILE, forget NAME, "
        "host (a link to hold events), home (let Home Assistant in), "
        "simulate (of start)",
    )  # fmt: skip
    club.add_argument(
        "table",
        metavar="TABLE",
        nargs="?",
        help="to invite, withdraw or rebuild: its name; to forget: a player's",
    )
    _add_servers(club)
    club.add_argument("file", metavar="FILE", nargs="?", type=named, help="the new journal")
    club.add_argument(
        "--part", metavar="N/M", default="1/1", help="the share of this one of M services [1/1]"
    )
    club.add_argument(
        "--tables", metavar="N", type=whole(0, 1000), default=0, help="simulated ones that play [0]"
    )
    club.add_argument(
        "--host", metavar="ADDRESS", default="0.0.0.0", help="of wall and broker [all]"
    )
    club.add_argument(
        "--address", metavar="ADDRESS", help="by which others reach this machine [found by itself]"
    )
    club.add_argument("--broker-port", type=port, default=8883, help="where tables come in [8883]")
    club.add_argument("--port", type=port, default=8010, help="of the wall [8010]")
    club.add_argument(
        "--data",
        metavar="FOLDER",
        type=Path,
        help="the club's, or whose settings count [the user's]",
    )


def _add_servers(club: argparse.ArgumentParser) -> None:
    """Add where the club's servers are, and how long an invitation lets anybody in."""
    club.add_argument(
        "--broker", metavar="ADDRESS", help="mqtt://HOST or mqtts://NAME:PASSWORD@HOST"
    )
    club.add_argument(
        "--hours", metavar="N", type=whole(1, 8760), default=168,
        help="for which an invitation is good [168, a week]",
    )  # fmt: skip
    club.add_argument(
        "--cluster", metavar="HOST,HOST,…",
        help="to invite to, or withdraw from, a cluster of RabbitMQ instead of a broker of its own",
    )  # fmt: skip
    club.add_argument("--ca", metavar="FILE", help="who signed for a broker with mqtts")
    club.add_argument("--database", metavar="ADDRESS", help="a PostgreSQL connection string")
    club.add_argument(
        "--metrics", metavar="PORT", help="where Prometheus may ask the service: 9100 [nowhere]"
    )
