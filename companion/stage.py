"""Setting a table up from what the command line says: game, journal, camera, lights, pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.box import Box, press_at
from companion.calibrating import Calibrator, write_table_file
from companion.commands.common import read_json
from companion.journal import Journal
from companion.keeping import FaceFile
from companion.panel import Panel
from companion.places import faces_file_of, host_names, lights_file_of, table_file_of
from companion.recording import Recorder, Recording, named
from companion.rules import BadInput, Game, Setup
from companion.service import Service
from companion.table import Table
from companion.window import Window
from hardware.buttons import Controls
from hardware.opening import open_lights, real
from hardware.pins import Pins
from hardware.settings import load_settings, save_settings
from hardware.strip import LightShow
from hardware.wiring import default_wiring, load_wiring
from vision.cameras import open_source
from vision.frames import Source, TableFile
from vision.optics import fit_view
from vision.simulated import SimulatedCamera, SimulatedTable, Troubles, View
from web import Config, Server, changed, create_app, invitation

FRAMES_PER_SECOND = 10.0
PICTURE_SIZE = (1024, 768)
"""Pixels of the simulated camera: about 30 a cell, enough to read and soon drawn."""
PHONES_INVITED = 12
"""How many phones may join by the printed QR code."""


class Pace:
    """Holds a source back to a steady number of frames a second, until ``stop`` is set."""

    def __init__(self, stop: threading.Event, clock: Callable[[], float]) -> None:
        self._stop, self._clock = stop, clock
        self._next = clock()

    def __call__(self) -> None:
        now = self._clock()
        self._next = max(self._next + 1 / FRAMES_PER_SECOND, now)
        self._stop.wait(self._next - now)


class HandTable:
    """The simulated table as the browser's hands know it (``web.VirtualTable``)."""

    def __init__(self, table: SimulatedTable, window: Window) -> None:
        self._table = table
        self.move, self.remove, self.turn = table.move, table.remove, table.turn
        self.lift, self.drop = table.lift, table.drop
        self.picture = window.picture

    @property
    def held(self) -> str | None:
        """The token in the hand."""
        return self._table.held

    def tokens(self) -> dict[str, str]:
        """Return what lies on which spot."""
        return self._table.position

    def off(self) -> Sequence[str]:
        """Return the tokens that lie beside the board."""
        return self._table.off

    def put(self, spot: str, token: str) -> None:
        """Bring a token from beside the board to ``spot``.

        Raises:
            BadInput: it does not lie there.
        """
        if token not in self._table.off:
            raise BadInput(f"no {token} lies beside the board")
        self._table.put(spot, token)

    def flip(self, spot: str) -> None:
        """Turn the token on ``spot`` over.

        Raises:
            BadInput: nothing lies there.
        """
        lying = self._table.position.get(spot)
        if lying is None:
            raise BadInput(f"nothing lies on {spot}")
        self._table.flip(spot, self._table.game.turned_over(lying))


@dataclass(frozen=True)
class Wishes:
    """What a user asked of ``companion play``."""

    game: Game[Any]
    setup: Setup | None
    journal: Path
    new: bool
    camera: str
    table_file: TableFile | None
    lights: str
    wiring: Path | None
    host: str
    port: int
    address: str
    record: Path | None = None
    pins: Pins | None = None


class Stage:
    """A table with everything around it. Use it as a context: leaving puts all away."""

    def __init__(self, wishes: Wishes) -> None:
        """Set everything up; nothing runs before :meth:`start`.

        Raises:
            BadInput, HardwareFault: something asked for is not to be had.
        """
        self._stop = threading.Event()
        self._journal = Journal(wishes.journal)
        try:
            self._build(wishes)
        except BaseException:
            self._journal.close()
            raise

    def _build(self, wishes: Wishes) -> None:
        clock = time.monotonic
        self.table = open_table(self._journal, wishes)
        board = self.table.game.board(self.table.setup)
        wiring = load_wiring(wishes.wiring, board) if wishes.wiring else default_wiring(board)
        strip = open_lights(wishes.lights, wiring, board, clock)
        kept = lights_file_of(wishes.journal)
        show = LightShow(strip, wiring, clock, load_settings(kept), minutes_of_day)
        self.panel = Panel(self.table, show, self._changed, lambda s: save_settings(s, kept))
        simulated = None
        if wishes.camera == "simulated":
            simulated, camera = self._simulate(clock)
            source: Source = camera
            table_file = camera.table_file()
        else:
            source = open_source(wishes.camera)
            table_file = wishes.table_file or kept_table_file(wishes.journal)
        window = Window(source)
        recorder = Recorder(Recording(wishes.record), self.table) if wishes.record else None
        self.service = Service(
            self.table,
            table_file,
            window,
            self.panel.show,
            self._changed,
            recorder,
            FaceFile(faces_file_of(wishes.journal), self.table.game.name),
        )
        show.brightness = self.service.light
        config = Config(
            address=f"http://{wishes.address}:{wishes.port}",
            hosts=host_names(wishes.address),
            open_house=simulated is not None,
        )
        self._app = create_app(
            self.table,
            config=config,
            virtual=HandTable(simulated, window) if simulated else None,
            eyes=self.service,
            lights=self.panel.words,
            calibrator=self._calibrator(wishes, window),
        )
        self._server = Server(self._app, wishes.host, wishes.port)
        self._watch = threading.Thread(
            target=self.service.run, args=(self._stop,), name="watch", daemon=True
        )
        self.box = Box(self.table, self.panel, self.service.status, self.press)
        if wishes.pins is not None:
            self.box.connect(Controls(wishes.pins, self.box.press, clock))
        self._shine = threading.Thread(
            target=self.panel.run, args=(self._stop, self.box.tick), name="lights", daemon=True
        )
        self._refreshed = real(wishes.lights, wiring) or wishes.pins is not None

    def _calibrator(self, wishes: Wishes, window: Window) -> Calibrator:
        def keep(file: TableFile) -> None:
            file = named(file, self.table.game, self.table.setup)
            if wishes.camera != "simulated":
                write_table_file(table_file_of(wishes.journal), file)
            self.service.recalibrate(file)

        return Calibrator(
            self.table.game.board(self.table.setup),
            lambda: window.last,
            lambda: self.table.game.expect(self.table.state),
            keep,
            lambda: self.service.camera,
            lambda: self.service.table_file,
        )

    def _simulate(self, clock: Callable[[], float]) -> tuple[SimulatedTable, SimulatedCamera]:
        """Return a table on which the pieces stand as the game left them, and its camera."""
        game, setup = self.table.game, self.table.setup
        table = SimulatedTable(game, setup, game.expect(self.table.state))
        camera = SimulatedCamera(
            table,
            fit_view(game.board(setup), View(image_size=PICTURE_SIZE)),
            Troubles(hand_frames=6),
            clock=clock,
            wait=Pace(self._stop, clock),
            glow=self.panel.glow,
        )
        return table, camera

    def _changed(self) -> None:
        if app := getattr(self, "_app", None):
            changed(app)

    def press(self, name: str) -> None:
        """Do what a button of the box asks: ``turn`` or ``undo``.

        Raises:
            BadInput: there is no such button, or nothing to end or to take back.
        """
        press_at(self.table, name)

    @property
    def port(self) -> int:
        """Return the port that the pages are served at."""
        return self._server.port

    def invitation(self) -> str:
        """Return the address that lets phones in."""
        return invitation(self._app, PHONES_INVITED)

    def start(self) -> None:
        """Begin to watch and to serve."""
        self._server.start()
        self._watch.start()
        if self._refreshed:
            self._shine.start()

    def wait(self) -> None:
        """Return when the watch has ended."""
        self._stop.wait()

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in (self._watch, self._shine):
            if thread.is_alive():
                thread.join(timeout=5)
        self._server.close()
        self.box.close()
        self.panel.close()
        self._journal.close()


def minutes_of_day() -> int:
    """Return the local time of day in minutes since midnight."""
    now = time.localtime()
    return 60 * now.tm_hour + now.tm_min


def kept_table_file(journal: Path) -> TableFile:
    """Return what was calibrated before at the table of ``journal``; empty if nothing was.

    Raises:
        BadInput: the file is there and cannot be read.
    """
    path = table_file_of(journal)
    return dict(read_json(path)) if path.exists() else {}


def open_table(journal: Journal, wishes: Wishes) -> Table[Any]:
    """Take up the journal's last game where it was left, or begin a new one.

    Raises:
        BadInput: the journal's game is another one, and no new game was asked for.
    """
    if journal.games() and not wishes.new:
        table = Table.resume(journal)
        over = table.game.outcome(table.state) is not None
        if not over and table.game.name != wishes.game.name:
            raise BadInput(
                f"{journal.path} holds an unfinished game of {table.game.name}; "
                f"say --new to begin {wishes.game.name}, or name another --journal"
            )
        if not over and wishes.setup in (None, table.setup):
            return table
        if not over:
            raise BadInput(
                f"{journal.path} holds an unfinished game with other seats or options; "
                "say --new to begin another, or leave --seats and --option away to go on"
            )
    return Table.create(journal, wishes.game, wishes.setup or wishes.game.setup())
