"""``club start``: the whole club on one machine, broker and database included; and who belongs to
it."""

from __future__ import annotations

import argparse
import os
import resource
import secrets
import shlex
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from companion.club.invitations import Admission, Invitation, Invitations
from companion.club.link import MqttLink, read_address
from companion.club.processes import Processes
from companion.club.self_playing import A_PROCESS, PlayingTable, addresses, admitted
from companion.club.servers import HOME, OWN, Served, Servers
from companion.commands import club_cluster
from companion.commands.common import print_json
from companion.commands.live import show_code
from companion.machine.settings_file import SettingsFile
from companion.rules import BadInput, HardwareFault
from companion.runtime.files import private_folder
from companion.runtime.locations import data_folder, free_port, lan_address

ROOTS = Path("/var/lib/tabletop-companion")
"""Where root keeps a club: its servers run as others, who do not reach root's own folder."""
LINES = 65_536
LOOK = 0.2
PATIENCE = 30.0
"""Seconds in which the broker and the database have to answer."""
NOT_STARTED = "no club was started in {folder}; begin with: companion club start"
SIMULATED = "simulated"
"""The folder of the simulated tables in the club's."""


def club_folder() -> Path:
    """Return the folder of the club of this machine."""
    return (data_folder() if os.getuid() else ROOTS) / "club"


def start(arguments: argparse.Namespace) -> int:
    """Run the club until interrupted."""
    folder: Path = arguments.data
    for number in (arguments.port, arguments.broker_port):
        if number and not _free(arguments.host, number):
            raise BadInput(
                f"port {number} of {arguments.host} is taken or not ours: does a club run already? "
                "--port and --broker-port choose others"
            )
    _open_more()
    servers, invitations = _of(folder)
    port = arguments.port or free_port(arguments.host)
    broker_port = arguments.broker_port or free_port(arguments.host)
    own_port, password = free_port("127.0.0.1"), secrets.token_urlsafe(18)
    broker = servers.prepare_broker(arguments.host, broker_port, own_port)
    servers.admit(OWN, password)
    own_line = f"mqtt://{OWN}:{password}@127.0.0.1:{own_port}"
    SettingsFile(folder).change(
        {
            "club.broker": own_line,
            "club.database": servers.database,
            "club.port": broker_port,
            "club.address": arguments.address or "",
        }
    )
    stop = threading.Event()
    for signalled in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signalled, lambda *_: stop.set())
    with Processes(folder) as kept:
        kept.add(servers.prepare_database())
        servers.began(kept.add(broker))
        kept.renewed = lambda name, process: servers.began(process) if name == "broker" else None
        _wait_for(servers.database, own_port, kept)
        for name, more in _services(arguments, port):
            command = (sys.executable, "-m", "companion", "club", *more, "--data", str(folder))
            kept.add(Served(name, command))
        if arguments.tables:
            admitted(folder / SIMULATED, invitations, broker_port, arguments.tables)
        _announce(arguments, port, broker_port, invitations)
        admission = Admission(invitations, partial(MqttLink, read_address(own_line), "admission"))
        while not stop.is_set():
            admission.step(LOOK)
            kept.look()
            stop.wait(admission.resting)
    return 0


def _open_more() -> None:
    """Let the broker have a line open for each of some thousands of tables."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = LINES if most == resource.RLIM_INFINITY else min(LINES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, most))


def _services(arguments: argparse.Namespace, port: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return what runs beside broker and database: its name and what follows ``club``."""
    several = -(-arguments.tables // A_PROCESS)
    return [
        ("service", ("serve",)),
        ("wall", ("wall", "--host", arguments.host, "--port", str(port))),
        *(
            (f"simulated tables {number}/{several}", ("simulate", "--part", f"{number}/{several}"))
            for number in range(1, several + 1)
        ),
    ]


def invite(arguments: argparse.Namespace) -> int:
    """Let a table in, and tell how it comes in."""
    if arguments.cluster:
        return club_cluster.invite(arguments)
    given, (_, invitations) = SettingsFile(arguments.data).given(), _of(arguments.data)
    if "club.port" not in given:
        raise BadInput(NOT_STARTED.format(folder=arguments.data))
    name = arguments.table or ""
    invitation = invitations.invite(name, arguments.hours)
    tell(arguments, name, invitation, _here(given), int(given["club.port"]))
    return 0


def tell(
    arguments: argparse.Namespace, name: str, invitation: Invitation, host: str, port: int
) -> None:
    """Tell how the table ``name`` comes in at the broker."""
    address = invitation.address(host, port)
    if arguments.json:
        print_json({"table": invitation.table, "broker": address})
        return
    print(f"At the table that is to be {name}, once:")
    print(f"  companion settings club.broker={address} {shlex.quote(f'club.name={name}')}")
    show_code(address)
    print("It is good once; whoever takes it first is that table.")


def home(arguments: argparse.Namespace) -> int:
    """Let Home Assistant in, and tell how; an earlier password lets nobody in any more."""
    given, (servers, _) = SettingsFile(arguments.data).given(), _of(arguments.data)
    if "club.port" not in given:
        raise BadInput(NOT_STARTED.format(folder=arguments.data))
    password = secrets.token_urlsafe(18)
    servers.admit(HOME, password)
    told = {
        "broker": _here(given), "port": int(given["club.port"]), "username": HOME,
        "password": password, "certificate": str(arguments.data / "broker" / "certificate"),
    }  # fmt: skip
    if arguments.json:
        print_json(told)
        return 0
    print("In Home Assistant, at its MQTT integration:")
    print("\n".join(f"  {name:12} {value}" for name, value in told.items()))
    print("and at each table: companion settings club.home=on")
    return 0


def withdraw(arguments: argparse.Namespace) -> int:
    """Let a table in no more."""
    if arguments.cluster:
        return club_cluster.withdraw(arguments)
    name = arguments.table or ""
    _of(arguments.data)[1].withdraw(name)
    print(f"{name} comes in no more; what it told is kept.")
    return 0


def simulate(arguments: argparse.Namespace, share: range) -> int:
    """Play at a share of the club's simulated tables until interrupted."""
    folder, stop = arguments.data / SIMULATED, threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    tables = [
        PlayingTable(folder, number, address)
        for number, address in enumerate(addresses(folder))
        if number in share
    ]
    while not stop.wait(LOOK):
        for table in tables:
            table.step()
    for table in tables:
        table.close()
    return 0


def _here(given: Mapping[str, Any]) -> str:
    """Return by what address others reach this machine."""
    return str(given.get("club.address") or lan_address())


def _of(folder: Path) -> tuple[Servers, Invitations]:
    private_folder(folder)
    servers = Servers(folder)
    return servers, Invitations(folder, servers)


def _free(host: str, port: int) -> bool:
    """Tell whether ``port`` can be listened at."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _wait_for(database: str, broker: int, kept: Processes) -> None:
    """Wait until broker and database answer.

    Raises:
        HardwareFault: they do not.
    """
    end, rest = time.monotonic() + PATIENCE, threading.Event()
    while time.monotonic() < end:
        kept.check()
        with suppress(OSError, psycopg.OperationalError):
            psycopg.connect(database, connect_timeout=5).close()
            socket.create_connection(("127.0.0.1", broker), 1).close()
            return
        rest.wait(LOOK)
    raise HardwareFault(f"the club's broker or database does not answer in {PATIENCE:.0f} seconds")


def _announce(
    arguments: argparse.Namespace, port: int, broker: int, invitations: Invitations
) -> None:
    """Tell where the wall is, and how tables come in; the first one at once."""
    here = lan_address() if arguments.host == "0.0.0.0" else arguments.host
    here = arguments.address or here
    print(f"All tables on one screen: http://{here}:{port}/")
    print(f"Tables come in at:        {here}:{broker}")
    if not any(not name.startswith("Simulated ") for name in invitations.tables):
        tell(arguments, "Table 1", invitations.invite("Table 1"), here, broker)
    print('Another one:              companion club invite "Table 2"')
    print(f"All is kept in {arguments.data}. Ctrl-C ends it.", flush=True)
