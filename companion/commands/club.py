"""``club``: all that runs on a club's machine, and what it has stored."""

from __future__ import annotations

import argparse
import signal
import threading
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.club.messages import PARTS
from companion.commands.common import print_json
from companion.machine.settings_file import SETTINGS, SettingsFile
from companion.rules import BadInput, HardwareFault, quoted, whole_number
from companion.runtime.locations import data_folder

OWN = ("start", "invite", "withdraw", "home", "simulate")
"""What is done in the folder of a club that runs on this machine, broker and database included."""
MOST_SIMULATED = 1000
LACKING = "a club needs more packages: pip install 'tabletop-companion[club]'"


def run_club(arguments: argparse.Namespace) -> int:
    """Do what is asked of the club."""
    try:
        from companion.commands import club_start
    except ImportError as error:
        raise HardwareFault(LACKING) from error
    own = club_start.club_folder()
    if arguments.data is None:
        begun = arguments.what in OWN or own.exists()
        arguments.data = own if begun else data_folder()
    if arguments.what == "simulate":
        return club_start.simulate(arguments, parts_of(arguments.part, MOST_SIMULATED))
    if arguments.what in OWN:
        done: int = getattr(club_start, arguments.what)(arguments)
        return done
    given = SettingsFile(arguments.data).given()
    for name in ("broker", "ca", "database", "metrics", "keep_days"):
        setting = SETTINGS[f"club.{name}"]
        if getattr(arguments, name, None) is None:
            setattr(arguments, name, given.get(setting.name, setting.default))
    if arguments.what == "serve":
        return serve(arguments)
    if arguments.what == "wall":
        return show_wall(arguments)
    if arguments.what == "forget":
        return forget(arguments)
    if arguments.what == "host":
        return let_the_host_in(arguments)
    if arguments.what == "tables":
        return list_tables(arguments)
    return rebuild(arguments)


def serve(arguments: argparse.Namespace) -> int:
    """Store what tables publish until interrupted."""
    from companion.club.consumer import Consumer
    from companion.club.link import MqttLink, read_address
    from companion.club.store import Store

    address, parts = read_address(arguments.broker, arguments.ca), parts_of(arguments.part)
    name = f"club-{arguments.part.replace('/', '-of-')}"
    store, stop = Store(arguments.database), threading.Event()
    consumer = Consumer(
        store, partial(MqttLink, address, name), parts, keep_days=arguments.keep_days
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    print(
        f"Storing what tables publish at {address.host}:{address.port}. Ctrl-C ends it.", flush=True
    )
    told = ""
    with ExitStack() as leaving:
        leaving.callback(consumer.close)
        if arguments.metrics:
            from companion.club import metrics

            leaving.callback(metrics.serve(arguments.metrics, consumer.figures))
        while not stop.is_set():
            consumer.step()
            if consumer.trouble != told and (told := consumer.trouble):
                print(f"companion: {told}", flush=True)
            stop.wait(consumer.resting)
    return 0


def show_wall(arguments: argparse.Namespace) -> int:
    """Serve the club's pages until interrupted."""
    from companion.club.store import Store
    from companion.club.wall import create_wall, serving

    with TemporaryDirectory() as folder, Store(arguments.database) as store:
        run, close, at = serving(create_wall(store, Path(folder)), arguments.host, arguments.port)
        here = "127.0.0.1" if arguments.host == "0.0.0.0" else arguments.host
        print(f"All tables: http://{here}:{at}/  Ctrl-C ends it.", flush=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            run()
        close()
    return 0


def parts_of(text: str, several_at_most: int = PARTS) -> range:
    """Return the share of the Nth of M: the parts of the tables that a service stores.

    Raises:
        BadInput: ``text`` is not N/M.
    """
    number, several = map(whole_number, text.partition("/")[::2])
    most = several_at_most
    if not (number and several and number <= several <= most):
        raise BadInput(f"--part {quoted(text)}: write 1/3 for the first of three, {most} at most")
    return range(number - 1, most, several)


def list_tables(arguments: argparse.Namespace) -> int:
    """Tell every table that the club knows, by their names."""
    from companion.club.copies import in_order
    from companion.club.store import Store

    with Store(arguments.database) as store:
        tables = sorted(store.tables(), key=in_order)
    if arguments.json:
        for one in tables:
            presence = one.state._asdict() if one.state else {}
            print_json({"table": one.table, "events": one.seq, **presence})
        return 0
    for one in tables:
        told = one.state
        since = time.strftime("%Y-%m-%d %H:%M", time.localtime(told.since)) if told else "-"
        state = f"{told.state} {told.game}".strip() if told else "unknown"
        print(f"{one.name:20} {state} since {since}, {one.seq} events  ({one.table})")
    if not tables:
        print("No table has published anything yet.")
    return 0


def forget(arguments: argparse.Namespace) -> int:
    """Take a player's name out of what is stored."""
    from companion.club.store import Store

    if not arguments.table:
        raise BadInput("name the player: companion club forget NAME")
    with Store(arguments.database) as store:
        count = store.forget(arguments.table)
    if arguments.json:
        print_json({"name": arguments.table, "events": count})
    else:
        events = "event" if count == 1 else "events"
        print(f"{arguments.table} stood in {count} {events} of the club and does no more.")
    return 0


def let_the_host_in(arguments: argparse.Namespace) -> int:
    """Tell the link by which the club's host comes in at its pages."""
    from companion.club.store import Store
    from companion.club.tournaments import HostKey
    from companion.commands.live import show_code
    from companion.runtime.locations import lan_address

    with Store(arguments.database) as store:
        key = HostKey(store).renew()
    address = f"http://{lan_address()}:{arguments.port}/host?key={key}"
    if arguments.json:
        print_json({"link": address})
        return 0
    print(f"The host of the club opens once, on each of his devices:\n  {address}")
    show_code(address)
    print("A link that was told before lets nobody in any more.")
    return 0


def rebuild(arguments: argparse.Namespace) -> int:
    """Write the journal of a table down again from what is stored."""
    from companion.club.store import Store
    from companion.journal.copying import write_rows

    if not (arguments.table and arguments.file):
        raise BadInput("name the table and the new journal: companion club rebuild TABLE FILE")
    with Store(arguments.database) as store:
        found = store.table_called(arguments.table)
        count = write_rows(arguments.file, store.every_event(found.table, found.epoch))
    if arguments.json:
        print_json({"table": found.table, "events": count, "file": str(arguments.file)})
    else:
        print(f"{count} events of {found.table} in {arguments.file}")
    return 0
