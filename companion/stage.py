"""Setting a table up from what the command line says: game, journal, camera, lights, pages."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask

from companion.announcing import Announcement, announce
from companion.box import Box, press_at
from companion.calibrating import Calibrator, write_table_file
from companion.commands.common import read_json
from companion.evening import Evening
from companion.greeting import Greeting
from companion.journal import Event, Journal
from companion.keeping import FaceFile
from companion.own_files import OwnFiles
from companion.panel import Panel
from companion.places import data_folder, faces_file_of, host_names, lights_file_of, table_file_of
from companion.recording import Recorder, Recording, named
from companion.rules import BadInput, CompanionError, Game, Position, Setup, say
from companion.rules.own import furnish
from companion.scene import (
    HandTable,
    PanelLamps,
    Scene,
    SceneCalibrator,
    SceneEyes,
    beside,
    simulated_view,
)
from companion.service import Service
from companion.table import Table
from companion.taking_up import Asked, take_up
from companion.window import Window
from hardware.buttons import Controls
from hardware.opening import open_lights, real
from hardware.pins import Pins
from hardware.settings import load_settings, save_settings
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring, load_wiring
from vision.frames import TableFile
from vision.simulation.dice_camera import SimulatedDiceCamera
from vision.simulation.simulated import SimulatedCamera, SimulatedTable, Troubles
from vision.simulation.simulated_dice import SimulatedDice
from vision.sources.cameras import open_source
from web import Config, Server, changed, create_app, invitation

_log = logging.getLogger(__name__)

FRAMES_PER_SECOND = 10.0
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


@dataclass(frozen=True)
class Wishes:
    """What a user asked of ``companion play``; ``last``: whatever was played last goes
    on, also another game."""

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
    last: bool = True


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
        self._wishes, self._clock = wishes, time.monotonic
        self._own = OwnFiles(data_folder())
        furnish(self._own.owned)
        self.new_table = not self._journal.games()
        self.taken = take_up(
            self._journal, Asked(wishes.game, wishes.setup, wishes.new, wishes.last)
        )
        self.evening = Evening(self.taken.table)
        self.evening.tidy()
        kept = lights_file_of(wishes.journal)
        self._light_settings = load_settings(kept)
        show, self._refreshed = self._show(self.table)
        self._greets = self._refreshed and self.new_table
        self.panel = Panel(self.table, show, self._changed, lambda s: save_settings(s, kept))
        self._source = None if wishes.camera == "simulated" else open_source(wishes.camera)
        self.scene = self._set_scene(self.table, show)
        self._announced = self._announce(wishes)
        self._app = self._pages(wishes)
        self._server = Server(self._app, wishes.host, wishes.port)
        self._watch = threading.Thread(target=self._watch_games, name="watch", daemon=True)
        eyes = SceneEyes(lambda: self.scene)
        self.box = Box(self.evening, self.panel, eyes.status, self.press)
        if wishes.pins is not None:
            self.box.connect(Controls(wishes.pins, self.box.press, self._clock))
            self._refreshed = True
        self._shine = threading.Thread(
            target=self.panel.run, args=(self._stop, self.box.tick), name="lights", daemon=True
        )
        self.evening.follow(self._another)
        self.evening.subscribe(self._joined)

    # -- one game ----------------------------------------------------------------------

    @property
    def table(self) -> Table[Any]:
        """Return the table of the game that is played."""
        return self.evening.table

    @property
    def service(self) -> Service[Any]:
        """Return the watch over the game that is played."""
        return self.scene.service

    def _show(self, table: Table[Any]) -> tuple[LightShow, bool]:
        """Return the lights for the board of ``table``, and whether they are real."""
        wishes, board = self._wishes, table.game.board(table.setup)
        wiring = load_wiring(wishes.wiring, board) if wishes.wiring else default_wiring(board)
        strip = open_lights(wishes.lights, wiring, board, self._clock)
        show = LightShow(strip, wiring, self._clock, self._light_settings, minutes_of_day)
        return show, real(wishes.lights, wiring)

    def _set_scene(self, table: Table[Any], show: LightShow) -> Scene:
        """Return what stands round ``table``."""
        wishes, hands, dice, camera = self._wishes, None, None, None
        faces: FaceFile | None = FaceFile(faces_file_of(self._kept(table)), table.game.name)
        if self._source is None:
            hands, dice, camera = self._simulate(table)
            window, table_file = Window(camera), camera.table_file()
            if isinstance(camera, SimulatedDiceCamera):
                # What simulated dice look like is nothing to keep beside that of real ones.
                faces = None
        else:
            window = Window(self._source)
            table_file = wishes.table_file or kept_table_file(self._kept(table))
        service = Service(
            table,
            table_file,
            window,
            self.panel.show,
            self._changed,
            self._recorder(table),
            faces,
            lambda: self.evening.settings.play == "phone",
            self.panel,
        )
        show.brightness = service.light
        scene = Scene(table, service, window, self._calibrator(table, service, window), hands, dice)
        if isinstance(camera, SimulatedDiceCamera):
            scene.prepare = partial(camera.show_faces, service.learn)
        return scene

    def _kept(self, table: Table[Any]) -> Path:
        """Return the path beside which is kept what belongs to this game's pieces and board."""
        journal, name = self._wishes.journal, table.game.name
        if name == self._wishes.game.name:
            return journal
        return journal.with_name(f"{journal.stem}-{name}{journal.suffix}")

    def _recorder(self, table: Table[Any]) -> Recorder | None:
        folder = self._wishes.record
        if folder is None:
            return None
        if hasattr(self, "scene"):
            folder = folder.with_name(f"{folder.name}-{table.game_id}")
        return Recorder(Recording(folder), table)

    def _calibrator(self, table: Table[Any], service: Service[Any], window: Window) -> Calibrator:
        def keep(file: TableFile) -> None:
            file = named(file, table.game, table.setup)
            if self._source is not None:
                write_table_file(table_file_of(self._kept(table)), file)
            service.recalibrate(file)

        def lying() -> Position:
            # Of cards beside a mat its camera sees nothing.
            mat = table.game.mat(table.setup) is not None
            return {} if mat else table.game.expect(table.state)

        return Calibrator(
            service.board,
            lambda: window.last,
            lying,
            keep,
            lambda: service.camera,
            lambda: service.table_file,
        )

    def _simulate(
        self, table: Table[Any]
    ) -> tuple[SimulatedTable, SimulatedDice | None, SimulatedCamera | SimulatedDiceCamera]:
        """Return a table on which the pieces stand as the game left them, the dice of its mat if
        it has one, and the camera."""
        game, setup = table.game, table.setup
        lying = game.expect(table.state)
        hands = SimulatedTable(game, setup, lying, beside=beside(game, setup, lying))
        if (mat := game.mat(setup)) is not None:
            # The camera is over the mat; what else lies on the table is told on the phones.
            table.subscribe(lambda event: hands.lay(game.expect(table.state)))
            dice = SimulatedDice(mat, game.dice(table.state), seed=time.time_ns())
            pace = Pace(self._stop, self._clock)
            quiet = Troubles(hand_frames=6)
            return hands, dice, SimulatedDiceCamera(dice, None, quiet, clock=self._clock, wait=pace)
        camera = SimulatedCamera(
            hands,
            simulated_view(game, setup),
            Troubles(hand_frames=6),
            clock=self._clock,
            wait=Pace(self._stop, self._clock),
            glow=self.panel.glow,
        )
        return hands, None, camera

    def _another(self, table: Table[Any]) -> None:
        """Set the stage for another game. The lights of the old one go out first: the new one
        may need the same strip."""
        old = self.scene
        self._light_settings = self.panel.settings
        self.panel.close()
        try:
            show, _ = self._show(table)
        except CompanionError as error:
            _log.warning("no lights for this game: %s", error)
            board = table.game.board(table.setup)
            wiring = default_wiring(board)
            show = LightShow(SimulatedStrip(keep=1), wiring, self._clock, self._light_settings)
        self.panel.take(table, show)
        self.scene = self._set_scene(table, show)
        old.stop.set()
        self._changed()

    def _watch_games(self) -> None:
        """Watch one game after another, until the stage is left or there is nothing to see."""
        try:
            while not self._stop.is_set():
                scene = self.scene
                scene.prepare()
                scene.service.run(scene.stop)
                if scene is self.scene and not scene.stop.is_set():
                    break
        finally:
            self.scene.window.close()

    # -- the world ---------------------------------------------------------------------

    def _announce(self, wishes: Wishes) -> Announcement | None:
        local = wishes.address.startswith("127.") or not wishes.port
        return None if local else announce(wishes.address, wishes.port)

    def _pages(self, wishes: Wishes) -> Flask:
        def now() -> Scene:
            return self.scene

        told, hands = self._announced, None
        if self._source is None:
            hands = HandTable(
                lambda: self.scene.hands,
                lambda: self.scene.window.picture(),
                lambda button: self.box.do(button),
                lambda: self.table.game.expect(self.table.state),
                lambda: self.scene.dice,
                lambda: self.table.game.dice(self.table.state),
            )
        config = Config(
            address=f"http://{wishes.address}:{wishes.port}",
            local=told.address if told else "",
            hosts=(*host_names(wishes.address), *([told.host] if told else [])),
            open_house=self._source is None,
        )
        return create_app(
            self.evening,
            config=config,
            virtual=hands,
            eyes=SceneEyes(now),
            lights=self.panel.words,
            lamps=PanelLamps(self.panel),
            calibrator=SceneCalibrator(now),
            own=self._own,
        )

    def _changed(self) -> None:
        if app := getattr(self, "_app", None):
            changed(app)

    def _joined(self, event: Event) -> None:
        """A new table has told its address once somebody has found it."""
        if event.kind == "joined":
            self.panel.greeting = None

    def press(self, name: str) -> None:
        """Do what a button of the box asks: ``turn``, ``undo``, or ``new`` for the same game once
        more when it is over.

        Raises:
            BadInput: there is no such button, or nothing to end, to take back or to begin.
        """
        if name != "new":
            press_at(self.table, name)
            return
        table = self.table
        if table.outcome is None:
            raise BadInput(say("the game goes on; end it or break it off before another begins"))
        self.evening.begin(table.game.name, table.setup.seats, table.setup.options)

    @property
    def reached_at(self) -> str:
        """Return what a phone has to open: the address, and the port unless it is the usual."""
        address = self._wishes.address
        return address if self.port == 80 else f"{address}:{self.port}"

    @property
    def progress(self) -> int:
        """Return a number that changes as long as the watch goes on."""
        return self.scene.window.looks

    @property
    def port(self) -> int:
        """Return the port that the pages are served at."""
        return self._server.port

    def invitation(self, *, host: bool = False) -> str:
        """Return the address that lets phones in; with ``host`` the one that makes a phone the
        host's."""
        return invitation(self._app, PHONES_INVITED, host=host)

    def start(self) -> None:
        """Begin to watch and to serve."""
        self._server.start()
        if self._greets:
            board = self.table.game.board(self.table.setup)
            self.panel.greeting = Greeting(board, self.reached_at, self._clock)
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
        self.scene.stop.set()
        for thread in (self._watch, self._shine):
            if thread.is_alive():
                thread.join(timeout=5)
        if self._announced is not None:
            self._announced.close()
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
