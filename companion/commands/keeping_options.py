"""The options of settings, install-service, backup, restore, token, first-start and log."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.adding import Commands, add_command
from companion.games import usual
from companion.machine.options import named, whole
from companion.machine.tokens import SCOPES


def add_keeping_commands(commands: Commands) -> None:
    """Add settings, install-service, backup, restore, token, first-start and log."""
    settings = add_command(
        commands, "settings", "settings.run_settings",
        "tell the settings of this machine's tables, and where each is from; change or reset them",
        "companion settings play.port=80 lights.brightness=60",
    )  # fmt: skip
    settings.add_argument("names", metavar="NAME[=VALUE]", nargs="*", help="which; all if none is")
    settings.add_argument("--reset", action="store_true", help="take these out of the file")
    install = add_command(
        commands,
        "install-service",
        "install.run_install",
        "start the table with the machine, as a systemd service with its own user; the options of "
        "`companion play` follow after --",
        f"sudo companion install-service {usual.NAME} -- --camera picamera --lights auto "
        "--panel usual",
    )
    install.add_argument("game", metavar="GAME", help="a name that `companion games` lists")
    install.set_defaults(handed_on=[])
    install.add_argument("--user", default="companion", help="who it runs as [companion]")
    install.add_argument("--dry-run", action="store_true", help="print it, change nothing")
    backup = add_command(
        commands, "backup", "backup.run_backup",
        "keep everything of the tables in one file, also while they are in use",
        "companion backup tables.zip",
    )  # fmt: skip
    backup.add_argument("file", metavar="FILE", type=named)
    restore = add_command(
        commands, "restore", "backup.run_restore",
        "put a backup back, also one of an older companion",
        "companion restore tables.zip",
    )  # fmt: skip
    restore.add_argument("file", metavar="FILE", type=named)
    restore.add_argument("--replace", action="store_true", help="in place of what is there")
    token = add_command(
        commands, "token", "token.run_token",
        "let other programs in by a token, list the tokens, withdraw one",
        "companion token make lamp --scope read",
    )  # fmt: skip
    token.add_argument("what", metavar="WHAT", choices=("make", "list", "withdraw"),
                       help="make, list or withdraw")  # fmt: skip
    token.add_argument("name", metavar="NAME", nargs="?", help="what the program is called")
    token.add_argument("--scope", choices=SCOPES, default="read", help="what it may do [read]")
    token.add_argument("--seat", action="append", default=[], help="for which it plays [all]")
    for parser in (settings, backup, restore, token, add_first_start(commands), add_log(commands)):
        parser.add_argument(
            "--data", metavar="FOLDER", type=Path, help="where games are kept [the user's folder]"
        )


def add_first_start(commands: Commands) -> argparse.ArgumentParser:
    """Add first-start, and return its parser."""
    first = add_command(
        commands, "first-start", "first_start.run_first_start",
        "without a network open one, in which a phone says which to join, which game, camera and "
        "lights; until then the table waits; SETUP_PASSWORD in the environment is its password",
        "sudo companion first-start --data /var/lib/companion",
    )  # fmt: skip
    first.add_argument("--name", default="Companion", help="of its own Wi-Fi [Companion]")
    first.add_argument("--minutes", type=whole(1, 1440), default=15, help="it waits [15]")
    first.add_argument("--port", type=whole(1, 65_535), default=80, help="of its pages [80]")
    return first


def add_log(commands: Commands) -> argparse.ArgumentParser:
    """Add log, and return its parser."""
    log = add_command(
        commands, "log", "log.run_log",
        "tell what the companion logged of its running: the service's, else that of your own games",
        "companion log --lines 50 --since 2h",
    )  # fmt: skip
    log.add_argument("--lines", metavar="N", type=whole(1), default=100, help="the last N [100]")
    log.add_argument("--since", metavar="TIME", help="30m, 2h, 3d, or 2026-11-24T20:15")
    log.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    return log
