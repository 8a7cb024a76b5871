"""``install-service``: the table starts with the machine."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.commands.common import print_json
from companion.commands.parser import parse
from companion.games import find_game
from companion.machine.systemd import UNIT, ServiceUnit
from companion.rules import BadInput, HardwareFault
from companion.runtime.programs import run
from hardware.machine import Machine

Do = Callable[[Sequence[str]], object]


def run_install(arguments: argparse.Namespace) -> int:
    """Install the service, or print what would be done."""
    game = find_game(arguments.game)
    service = ServiceUnit(game.name, tuple(arguments.handed_on), arguments.user, program())
    # A mistake in the options is told now, not by a service that starts again and again.
    parse(["play", game.name, *arguments.handed_on])
    machine = Machine()
    if arguments.dry_run:
        show(service, machine, as_json=arguments.json)
        return 0
    install(service, machine, run)
    if arguments.json:
        print_json({"unit": f"/{UNIT}", "port": service.port})
    else:
        print(f"/{UNIT} is installed and running; its log: journalctl -u companion -f")
    return 0


def show(service: ServiceUnit, machine: Machine, as_json: bool) -> None:
    """Print the unit and the commands."""
    unit, commands = service.unit(machine), service.commands(machine)
    if as_json:
        print_json(
            {"path": f"/{UNIT}", "unit": unit, "commands": [list(words) for words in commands]}
        )
        return
    print(f"# /{UNIT}\n{unit}")
    for words in commands:
        print(shlex.join(words))


def install(service: ServiceUnit, machine: Machine, do: Do) -> None:
    """Write the unit and run what enables it.

    Raises:
        BadInput: this machine has no systemd.
        HardwareFault: it may not be written, or a command fails.
    """
    path = machine.path(str(UNIT))
    if not path.parent.is_dir():
        raise BadInput("this machine has no systemd; start `companion play` by its own means")
    try:
        path.write_text(service.unit(machine), encoding="utf-8")
    except OSError as error:
        raise HardwareFault(
            f"{path} cannot be written: {error.strerror}; run it with sudo"
        ) from error
    for words in service.commands(machine):
        do(words)


def program() -> str:
    """Return where the ``companion`` command of this environment lies."""
    beside = Path(sys.executable).with_name("companion")
    return str(beside if beside.exists() else Path(sys.argv[0]).absolute())
