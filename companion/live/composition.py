"""Setting a table up from what the command line says: game, journal, camera, lights, pages.

The pages are there first. Whatever looks at the table is loaded when its equipment is set, for it
takes several times as long to load as everything else.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, got_request_exception

from companion.games.guarded import hear
from companion.journal import Event, Journal
from companion.live.control_box import ControlBox, press_at
from companion.live.elsewhere import TablesElsewhere
from companion.live.environment import Environment
from companion.live.equipment import (
    Equipment,
    EquipmentCalibrator,
    EquipmentEyes,
    EquipmentReadings,
    HandTable,
    PanelLamps,
    Starting,
)
from companion.live.greeting import Greeting
from companion.live.hardware_trial import HardwareTrial
from companion.live.light_panel import REFRESH, LightPanel
from companion.live.lighting import Lighting, keeper, light_settings
from companion.live.machine_players import MachinePlayers
from companion.live.mdns import Presence
from companion.live.outward import Outward
from companion.live.own_files import OwnFiles
from companion.live.play_request import PlayRequest, opened
from companion.live.publishing import Publisher
from companion.machine.settings_file import Section, SettingsFile
from companion.machine.tokens import Tokens
from companion.referee.lessons import pointed_out
from companion.rules import BadInput, DiceOnMat, HardwareFault, Lying, say
from companion.rules.own import furnish
from companion.runtime.disk_space import RecordingSpace
from companion.runtime.locations import data_folder, host_names, troubles_file_of
from companion.runtime.memory import be_sparing
from companion.runtime.own_log import last_entries
from companion.runtime.supervisor import KEPT, RETRY_SECONDS, Supervisor
from companion.table import Table
from companion.table.evening import Evening
from companion.table.rematch import expire
from companion.table.resuming import Asked, take_up
from web import Config, Server, called, changed, create_app, drawn, invitation, moved

if TYPE_CHECKING:
    from companion.live.face_file import FaceFile
    from companion.live.live_picture import LivePicture
    from companion.live.recording import Recorder
    from companion.live.service import Service
    from companion.simulation.tabletop import SimulatedTable
    from hardware.lights import Moment
    from hardware.strip import LightShow
    from vision.frames import TableFile

_log = logging.getLogger(__name__)

PHONES_INVITED = 12
"""Phones that may join by the printed QR code."""
HEAD_START, ANSWERING = 0.5, 5.0
"""Before anything else is loaded: seconds in which somebody may ask for the first page, and seconds
at most that its answer may take then."""
FETCHING = 0.3
"""Seconds more that are left to a browser for what belongs to the page."""
NETWORK_PAUSE = 10.0
"""Seconds between two checks under which address the table is found."""
TIDY_PAUSE = 2.0
"""Seconds between two checks whether something has to be tidied up."""
LOG_ENTRIES = 300
"""Entries of the companion's own log that its page shows."""

IN_A_CLUB = {"advice": False, "take_back_offers": False}
"""What is so at a table of a club, whatever its host would like: nobody is helped there."""


class Composition:
    """A table with everything around it. Use it as a context: leaving puts all away."""

    def __init__(self, request: PlayRequest, outside: Environment | None = None) -> None:
        """Set everything up; nothing runs before :meth:`start`.

        Raises:
            BadInput, HardwareFault: something asked for is not to be had.
        """
        be_sparing()
        self._stop, self._outside = threading.Event(), outside or Environment()
        self._deaf: Callable[[], None] = lambda: None
        self.supervisor = Supervisor(
            self._stop,
            self._changed,
            troubles_file_of(request.journal),
            clock=self._outside.clock,
            now=self._outside.time,
            wait=partial(self._outside.wait, self._stop),
        )
        self._journal = Journal(request.journal)
        try:
            self._build(request)
        except BaseException:
            self._journal.close()
            raise

    def _build(self, request: PlayRequest) -> None:
        self._request, self._clock = request, self._outside.clock
        self._setting, self._turns = threading.RLock(), 0
        self._own = OwnFiles(data_folder())
        self.room = RecordingSpace(request.record_megabytes)
        furnish(self._own.owned)
        self.new_table = not self._journal.games()
        asked = Asked(request.game, request.setup, request.new, request.last)
        self.taken = take_up(self._journal, asked, self._outside.time)
        file = SettingsFile(request.journal.parent)
        club = Section(file, "club").load()
        bound = IN_A_CLUB if club.get("broker") and club.get("home") != "alone" else {}
        self.evening = Evening(self.taken.table, kept=Section(file, "table"), bound=bound)
        self.evening.tick()
        self._asked, self._answered = threading.Event(), threading.Event()
        self._light(request, Section(file, "lights"))
        seen = None if request.simulated else opened(request.camera, request.sensors)
        self._source = seen and self._outside.camera(seen)
        self._equipment: Equipment | None = None
        if not request.simulated or request.record is not None:
            # What is wrong with it is said at once, and not on the phones.
            self._another()
        self._eyes = EquipmentEyes(self._present, self.supervisor.told)
        self.machines = MachinePlayers(
            self.evening, self._simulated_hands, self._by_phone, self._fits,
            self._changed, self._clock, self._outside.seed,
        )  # fmt: skip
        self.machines.give(request.players, "host")
        self._club = self._publisher(club)
        box = self.box = ControlBox(self.evening, self.panel, self._eyes.status, self.press)
        box.trial = HardwareTrial(self.panel, self._clock, request.pins, box.sound, self._eyes.felt)
        self._app = self._pages(request)
        self._outward = self._lines_outward(file)
        tell = partial(called, self._app)
        self._presence = Presence(request.address, request.port, self._moved, tell)
        self._server = Server(self._app, request.host, request.port)
        self._threads: list[threading.Thread] = []
        if request.pins is not None:
            from hardware.buttons import Controls

            self.box.connect(Controls(request.pins, self._pressed, self._clock))
            self._refreshed = True
        self.evening.follow(lambda table: self._another())
        self.evening.subscribe(self._joined)

    def _publisher(self, club: Mapping[str, Any]) -> Publisher | None:
        self._elsewhere: TablesElsewhere | None = None
        wait = partial(self._outside.wait, self._stop)
        if not club.get("broker"):
            return None
        self._elsewhere = TablesElsewhere(self.evening, self._clock, self._changed, self._fits)
        return Publisher(self.evening, club, wait, self.press, self.panel, self._elsewhere)

    def _lines_outward(self, file: SettingsFile) -> Outward:
        """Return the lines to the world outside that the settings name, and let who plays from
        there play."""
        wait = partial(self._outside.wait, self._stop)
        draw = partial(drawn, self._app)
        lines = Outward(self.evening, file, self._clock, wait, self._changed, draw)
        self.machines.online = lines.online
        return lines

    def _light(self, request: PlayRequest, kept: Section) -> None:
        """Open the lights of the present game, as ``kept`` settings want them."""
        self._lighting = Lighting(request.lights, request.wiring, self._outside)
        wanted = light_settings(kept, request.journal)
        show, self._refreshed = self._lighting.open(self.table, wanted)
        self._greets = self._refreshed and self.new_table
        self.panel: LightPanel = LightPanel(
            self.table,
            show,
            self._changed,
            keeper(kept, wanted),
            self._clock,
            partial(self.supervisor.attempt, "lights"),
        )

    # -- one game ----------------------------------------------------------------------

    @property
    def table(self) -> Table[Any]:
        """Return the table of the game that is played."""
        return self.evening.table

    @property
    def service(self) -> Service[Any]:
        """Return the watch over the game that is played."""
        return self.equipment.service

    def _equip(self, table: Table[Any], show: LightShow) -> Equipment:
        """Return what stands round ``table``. What that takes is loaded here: the pages are there
        before."""
        from companion.live.equipping import Equipper
        from companion.live.service import Service

        def watch(
            file: TableFile,
            live_picture: LivePicture,
            recorder: Recorder | None,
            faces: FaceFile | None,
        ) -> Service[Any]:
            return Service(
                table,
                file,
                live_picture,
                partial(self._shine, table),
                self._changed,
                recorder,
                faces,
                self._by_phone,
                self.panel,
                lambda: self.table is table,
            )

        world = self._source, self._outside, self._stop, self.room
        equipper = Equipper(self._request, *world, self._by_phone)
        return equipper.around(table, show, watch, first=self._equipment is None)

    def _by_phone(self) -> bool:
        return self.evening.settings.play == "phone"

    def _fits(self) -> bool:
        """Tell whether the camera sees the table as the game stands."""
        seen = self._eyes.status()
        return seen["still"] and not (seen["differs"] or seen["asks"] or seen.get("lost"))

    def _simulated_hands(self) -> SimulatedTable | None:
        """Return the simulated table of the present game, None for a real one; raises HardwareFault
        while it is not there."""
        return None if self._source is not None else self.equipment.hands

    def _shine(self, table: Table[Any], moment: Moment) -> None:
        """Light what ``moment`` at ``table`` asks for, what a machine means to play, and what is to
        be looked at."""
        shown = pointed_out(table) or self.machines.pointer.spots(table)
        moment = moment._replace(meant=self.machines.meant(table) or moment.meant, shown=shown)
        self.supervisor.attempt("lights", partial(self.panel.show, moment, table))

    @property
    def equipment(self) -> Equipment:
        """Return what stands round the table of the game that is played: whoever asks first, at
        the start and after a change of game, sets it, the others wait for that.

        Raises:
            HardwareFault: it could not be set; that is tried again after a while.
        """
        equipment = self._equipment
        if equipment is None or equipment.table is not self.table:
            with self._setting:
                self.supervisor.attempt("camera", self._another)
            equipment = self._equipment
        if equipment is None or equipment.table is not self.table:
            raise HardwareFault(say("The table is not ready for this game yet. {kept}", kept=KEPT))
        return equipment

    def _present(self) -> Equipment:
        """Return :attr:`equipment`; at the start no page waits for the camera to be loaded."""
        if self._starting:
            raise Starting(say("The table is starting."))
        return self.equipment

    @property
    def _starting(self) -> bool:
        return self._equipment is None and not self.supervisor.told()

    def _another(self) -> None:
        """Set up what stands round the game that is played. The lights of the one before go out
        first: the new one may need the same strip."""
        with self._setting:
            table, old = self.table, self._equipment
            if old is not None:
                if old.table is table:
                    return
                old.stop.set()
            show = self.panel.follow(table, partial(self._lighting.any, table, self.panel.settings))
            self._equipment = self._equip(table, show)
        self._changed()

    def _watch(self) -> bool:
        """Take one look at the game that is played."""
        if self._equipment is None:
            self.head_start()
        self._turns += 1
        try:
            equipment: Equipment | None = self.equipment
            more = equipment is not None and equipment.look()
        except HardwareFault as fault:
            # The camera's: it has been told.
            _log.debug("%s", fault)
            equipment, more = self._equipment, False
        if not more:
            over = equipment is None or equipment.stop.is_set()
            ends = self._stop if over or equipment is None else equipment.stop
            self._outside.wait(ends, RETRY_SECONDS)
        return True

    def _refresh(self) -> bool:
        """Refresh a real strip, and do what goes on in the box, whatever the camera does."""
        self._outside.wait(self._stop, REFRESH)
        self.panel.tick()
        self.supervisor.attempt("box", self.box.tick)
        return True

    # -- the world ---------------------------------------------------------------------

    def _follow_the_network(self) -> bool:
        """Tell where the table is found: a network may come after the table, and change."""
        self._presence.follow()
        self._outside.wait(self._stop, NETWORK_PAUSE)
        return True

    def _moved(self, address: str) -> None:
        moved(self._app, f"http://{address}:{self._request.port}", host_names(address))

    def _lying(self) -> Lying:
        """Return which dice should lie where on the mat of the present game."""
        game = self.table.game
        return game.dice(self.table.state) if isinstance(game, DiceOnMat) else {}

    def _pages(self, request: PlayRequest) -> Flask:
        def now() -> Equipment:
            return self.equipment

        hands, own = None, request.journal.stem
        if self._source is None:
            hands = HandTable(
                lambda: self.equipment.hands,
                lambda: self.equipment.live_picture.picture(),
                lambda button: self.box.do(button),
                lambda: self.table.game.expect(self.table.state),
                lambda: self.equipment.dice,
                self._lying,
                lambda: self._starting,
            )
        config = Config(
            address=f"http://{request.address}:{request.port}",
            hosts=host_names(request.address),
            open_house=request.open_house,
            trust_machine=True,
            log=partial(last_entries, request.journal.parent, LOG_ENTRIES, table=own),
            trial=self.box.trial,
            felt=request.felt,
        )
        app = create_app(
            self.evening,
            config=config,
            virtual=hands,
            eyes=self._eyes,
            lights=self.panel.words,
            lamps=PanelLamps(self.panel),
            calibrator=None if request.felt else EquipmentCalibrator(now),
            own=self._own,
            readings=EquipmentReadings(now),
            machines=self.machines,
            elsewhere=self._elsewhere,
            tokens=Tokens(request.journal.parent),
        )
        app.before_request(self._asked.set)
        app.after_request(self._served)
        got_request_exception.connect(self._answered_with, app)
        return app

    def _answered_with(self, app: Flask, exception: Exception) -> None:
        """Keep for ``companion doctor`` that a page or an answer could not be made."""
        self.supervisor.answered_with(exception)

    def _served(self, response: Response) -> Response:
        """Let the rest start once the first answer has been sent."""
        if not self._answered.is_set():
            response.call_on_close(self._answered.set)
        return response

    def _tidy(self) -> bool:
        """Let photographs go whose time is over; return that there is more to do."""
        self._outside.wait(self._stop, TIDY_PAUSE)
        self.evening.tick()
        expire(self.evening)
        return True

    def _changed(self) -> None:
        if app := getattr(self, "_app", None):
            changed(app)

    def _joined(self, event: Event) -> None:
        """A new table has told its address once somebody has found it."""
        if event.kind == "joined":
            self.panel.greeting = None

    def _pressed(self, name: str) -> None:
        """Do what a button asks, on whatever thread its pin is watched."""
        self.supervisor.attempt("buttons", partial(self.box.press, name))

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
        address = self._presence.address
        return address if self.port == 80 else f"{address}:{self.port}"

    @property
    def progress(self) -> int:
        """Return a number that changes as long as the camera is watched, for the watchdog."""
        return self._turns

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
        self.supervisor.begin()
        self._deaf = hear(self.supervisor.broke)
        self._server.start(partial(self.supervisor.start, "pages"))
        if self._greets:
            board = self.table.game.board(self.table.setup)
            self.panel.greeting = Greeting(board, self.reached_at, self._clock)
        self._threads.append(self.supervisor.start("camera", self._watch))
        at_home = self._request.host in ("127.0.0.1", "localhost")
        if self._request.port and not (at_home and self._request.address.startswith("127.")):
            self._threads.append(self.supervisor.start("network", self._follow_the_network))
        if self._refreshed:
            self._threads.append(self.supervisor.start("lights", self._refresh))
        self._threads.append(self.supervisor.start("photographs", self._tidy))
        self._threads.append(self.supervisor.start("machines", self.machines.step, self._stop))
        if self._club is not None:
            self._threads.append(self.supervisor.start("club", self._club.step))
        for name, step in self._outward.parts():
            self._threads.append(self.supervisor.start(name, step))

    def head_start(self) -> None:
        """Leave the first page time to be answered, and to be fetched whole, before more is
        loaded."""
        if self._asked.wait(HEAD_START) and self._answered.wait(ANSWERING):
            self._outside.wait(self._stop, FETCHING)

    def wait(self) -> None:
        """Return when the watch has ended."""
        self._stop.wait()

    def __enter__(self) -> Composition:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._asked.set()
        self._answered.set()
        self.machines.wake()
        self._outward.close()
        if self._equipment is not None:
            self._equipment.stop.set()
        for thread in self._threads:
            thread.join(timeout=5)
        with ExitStack() as leaving:
            # From the last to the first, each whatever became of the others.
            leaving.callback(self._deaf)
            leaving.callback(self._journal.close)
            leaving.callback(self.panel.close)
            leaving.callback(self.box.close)
            leaving.callback(self._server.close)
            leaving.callback(self._presence.close)
            leaving.callback(self.machines.close)
            if self._club is not None:
                leaving.callback(self._club.close)
            if self._equipment is not None:
                leaving.callback(self._equipment.live_picture.close)
