"""``play``: the running companion."""

from __future__ import annotations

import argparse
import io
import logging
import signal
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.common import chosen_setup, print_json, settle
from companion.games import find_game, usual
from companion.live.composition import Composition
from companion.live.greeting import say_aloud, spoken
from companion.live.play_request import SENSING, SIMULATED, PlayRequest
from companion.machine.findings import need_opencv
from companion.machine.notify import Heartbeat, Notifier
from companion.rules import BadInput, quoted
from companion.runtime.files import private_folder, read_json
from companion.runtime.locations import data_folder, free_port, lan_address
from companion.runtime.own_log import logged
from companion.table.resuming import Taken

if TYPE_CHECKING:
    from hardware.pins import Pins

_log = logging.getLogger(__name__)


def run_play(arguments: argparse.Namespace) -> int:
    """Start the service, print its address and a QR code, and run until interrupted."""
    need_opencv()
    notifier, stop = Notifier(), threading.Event()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)
    request = request_of(arguments)
    with logged(request.journal.parent, request.journal.stem), Composition(request) as running:
        running.start()
        _log.info("the table runs: %s, at port %d", running.table.game.title, running.port)
        notifier.send("READY=1", f"STATUS={running.table.game.title} at port {running.port}")
        announce(arguments, running)
        if notifier.listened_to and running.new_table:
            say_aloud(spoken(running.reached_at))
        heart = Heartbeat(notifier, lambda: running.progress)
        running.supervisor.start("heart", partial(heart.run, stop), stop)
        try:
            running.wait()
        finally:
            stop.set()
            notifier.send("STOPPING=1")
    return 0


def _end(*_: object) -> None:
    """End in order. Who asks again, as make and systemd do, breaks nothing off."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


def request_of(arguments: argparse.Namespace) -> PlayRequest:
    """Return what the command line asks for.

    Raises:
        BadInput: an unknown game, seat or option, or a camera without its table file.
    """
    game = find_game(arguments.game or usual.NAME)
    chosen = arguments.seats or arguments.option
    journal = arguments.journal or data_folder() / f"{game.name}.sqlite3"
    try:
        private_folder(journal.parent)
    except OSError as error:
        raise BadInput(f"cannot keep games in {journal.parent}: {error.strerror}") from error
    settle(arguments, journal.parent)
    simulated = arguments.camera in (SIMULATED, SENSING)
    if not (simulated or arguments.table or _live(arguments.camera)):
        raise BadInput("a recording needs --table FILE: where the board lies in the picture")
    check_sensors(arguments.sensors, arguments.camera)
    local = arguments.host in ("127.0.0.1", "localhost")
    return PlayRequest(
        game=game,
        setup=chosen_setup(game, arguments) if chosen else None,
        journal=journal,
        new=arguments.new,
        # A start by the machine, such as after a power cut, asks for nothing new.
        last=arguments.resume or Notifier().listened_to or not (arguments.game or chosen),
        camera=arguments.camera,
        table_file=read_json(arguments.table) if arguments.table else None,
        lights=arguments.lights,
        wiring=Path(arguments.wiring) if arguments.wiring else None,
        host=arguments.host,
        port=arguments.port or free_port(arguments.host),
        address="127.0.0.1" if local else lan_address(),
        record=arguments.record,
        record_megabytes=arguments.record_megabytes,
        pins=_pins(arguments.panel) if arguments.panel else None,
        open_house=arguments.open,
        players=read_players(arguments.players),
        sensors=arguments.sensors,
    )


def check_sensors(sensors: str, camera: str) -> None:
    """Check that a board of ``sensors``, if there is one, lies under a ``camera``.

    Raises:
        BadInput: it does not, or it is none.
    """
    if not sensors or (camera, sensors) == (SIMULATED, SIMULATED):
        return
    from vision.sensing.sensor_source import is_felt, open_sensors

    open_sensors(sensors)
    if camera in (SIMULATED, SENSING) or is_felt(camera) or not _live(camera):
        raise BadInput(
            f"--sensors goes with a camera, as in --camera v4l2:0; a board of sensors alone is "
            f"--camera {sensors}, a simulated one under the simulated camera --sensors simulated"
        )


def read_players(text: str | None) -> dict[str, str]:
    """Return who plays which seat: ``red=level:4,purple=person``.

    Raises:
        BadInput: a seat without a player.
    """
    players = {}
    for one in text.split(",") if text else ():
        seat, equals, name = one.partition("=")
        if not (seat and equals and name):
            raise BadInput(
                f"--players {quoted(one)} names no seat and player; write red=level:4,purple=person"
            )
        players[seat.strip()] = name.strip()
    return players


def announce(arguments: argparse.Namespace, running: Composition) -> None:
    """Print where the pages are, and the QR code that lets a phone in."""
    invited, hosting = running.invitation(), running.invitation(host=True)
    here = f"http://127.0.0.1:{running.port}"
    simulated = arguments.camera in (SIMULATED, SENSING)
    if arguments.json:
        facts: dict[str, Any] = {"page": here, "invitation": invited, "host": hosting}
        aside = running.taken.aside
        facts["resumed"] = running.taken.resumed
        facts["aside"] = aside and {"game": aside.number, "name": aside.header.name}
        print_json(facts | ({"table": f"{here}/table"} if simulated else {}))
        return
    print(f"{running.table.game.title}: {', '.join(running.table.setup.seats)}")
    for sentence in taken_up(running.taken, f"{here}/games"):
        print(sentence)
    if arguments.record:
        print(f"Recorded in:         {arguments.record}; {running.room.words}")
    if simulated:
        print(f"The simulated table: {here}/table")
    print(f"The phone page:      {here}/")
    print(f"Phones join here:    {invited}")
    print(f"The host's link:     {hosting}")
    print("Both are good for ten minutes, the host's for one phone; a new one: companion host-link")
    running.head_start()
    show_code(invited)
    print("Stop with Ctrl-C; the game is kept and goes on at the next start.", flush=True)


def show_code(address: str) -> None:
    """Print a QR code, unless the terminal has no blocks to draw it with."""
    import segno

    drawn = io.StringIO()
    segno.make(address, error="l").terminal(drawn, compact=True)
    try:
        drawn.getvalue().encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return
    print(drawn.getvalue(), end="")


def taken_up(taken: Taken, past_games: str) -> Iterator[str]:
    """Yield what a person has to know of the game that the start goes on with."""
    if taken.resumed:
        count = len(taken.table.actions)
        played = f"after {count} action{'' if count == 1 else 's'}" if count else "at its start"
        yield f"Resumed where it was left, {played}; --new begins another game instead."
    if taken.aside is not None:
        title = find_game(taken.aside.header.name).title
        yield f"An unfinished game of {title} was put aside; play it on under {past_games}"


def _live(camera: str) -> bool:
    from vision.sources.cameras import is_live

    return is_live(camera)


def _pins(panel: str) -> Pins:
    from hardware.pins import read_pins

    return read_pins(panel)
