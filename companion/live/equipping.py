"""Sets up what stands round the table of a game: what looks at it, real or simulated, and what is
recorded.

These modules take several times as long to load as all others, so they are imported late.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.journal import Event
from companion.live.calibrating import Calibrator, write_table_file
from companion.live.environment import Environment
from companion.live.equipment import Equipment
from companion.live.face_file import FaceFile
from companion.live.live_picture import LivePicture
from companion.live.machine_players import lies
from companion.live.play_request import SIMULATED, PlayRequest, kept_table_file
from companion.live.recording import Recorder, Recording, free_folder, named
from companion.live.service import Service
from companion.rules import BACK, DiceOnMat, Game, Position, Setup, picture_of, tokens_of
from companion.runtime.disk_space import RecordingSpace
from companion.runtime.locations import faces_file_of, table_file_of
from companion.table import Table
from hardware.strip import LightShow
from vision.board.optics import CameraView, fit_view
from vision.frames import Source, TableFile
from vision.sensing.sensor_source import SensorSource

if TYPE_CHECKING:
    from companion.simulation.dice_camera import SimulatedDiceCamera
    from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
    from companion.simulation.tumbling_dice import SimulatedDice

FRAMES_PER_SECOND, WITH_HANDS = 10.0, 40.0
"""Pictures a second of the simulated camera, and while hands are over its table: nobody waits for a
hand that is drawn."""
SETTLING = 6
"""So many frames after a hand has gone are still taken at the pace of hands: the first still one
tells what it did."""
CALM, RESTING = 30, 3
"""So many frames after somebody last did something at a simulated table, its camera takes one frame
in the time of RESTING; that is still a film (vision.watching.motion). A hand wakes it."""
PICTURE_SIZE, CARDS_SIZE = (1024, 768), (1280, 960)
"""Pixels of the simulated camera: about 30 to a cell, enough to read and quick to draw; for cards
two to a millimetre."""
BACKS = 12
"""Cards that can lie face down, at most."""

Watch = Callable[[TableFile, LivePicture, Recorder | None, FaceFile | None], Service[Any]]
"""Makes the watch over a table, which looks at a live picture."""


@dataclass(frozen=True)
class Equipper:
    """What equipment is set up with: what was asked for, the camera (``source``, None where the
    table is simulated), the world ``outside``, what ends all (``stop``), the room for recordings,
    and whether moves are made on phones (``by_phone``)."""

    request: PlayRequest
    source: Source | None
    outside: Environment
    stop: threading.Event
    room: RecordingSpace
    by_phone: Callable[[], bool]

    def around(self, table: Table[Any], show: LightShow, watch: Watch, *, first: bool) -> Equipment:
        """Return what stands round ``table``; ``first`` tells that none was set up before.

        Raises:
            BadInput: what was calibrated before cannot be read, or nothing can be recorded.
        """
        hands, dice, camera = None, None, None
        # Sensors and LEDs lie under the same cells, numbered along the same way.
        felt: TableFile = {"sensors": list(show.wiring.order)}
        faces: FaceFile | None = FaceFile(faces_file_of(self._kept(table)), table.game.name)
        if self.source is None:
            pace = Pace(self.stop, self.outside)
            hands, dice, camera = simulate(table, show, self.outside, pace, self.by_phone)
            alone = self.request.felt
            live_picture = LivePicture(
                self.outside.camera(self._felt_too(camera, hands, pace)), pace.rouse, felt=alone
            )
            table_file = felt if alone else camera.table_file()
            if self.request.sensors and not alone:
                table_file = {**table_file, **felt, "pictures": True}
            if dice is not None or alone:
                # What simulated dice look like is nothing to keep beside that of real ones.
                faces = None
        elif self.request.felt:
            live_picture, faces = LivePicture(self.source, felt=True), None
            table_file = felt
        else:
            live_picture = LivePicture(self.source)
            table_file = self.request.table_file or kept_table_file(self._kept(table))
            if self.request.sensors:
                table_file = {**table_file, **felt, "pictures": True}
        service = watch(table_file, live_picture, self._recorder(table, first), faces)
        show.brightness = service.light
        equipment = Equipment(
            table,
            service,
            live_picture,
            self._calibrator(table, service, live_picture),
            hands,
            dice,
        )
        if (show_faces := getattr(camera, "show_faces", None)) is not None:
            equipment.prepare = partial(show_faces, service.learn)
        return equipment

    def _felt_too(self, camera: Source, hands: SimulatedTable, pace: Pace) -> Source:
        """Return what looks at the simulated table: the camera, a board of sensors, or both."""
        alone = self.request.felt
        if not (alone or self.request.sensors):
            return camera
        from companion.simulation.table_sensors import SimulatedBoard
        from vision.sensing.both_source import BothSource

        if alone:
            pace.busy = lambda: hands.stirred
        wait = pace if alone else (lambda: None)
        board = SimulatedBoard(hands, wait, alone=alone)
        sensors = SensorSource(lambda: board, SIMULATED, self.outside.clock)
        return sensors if alone else BothSource(camera, sensors)

    def _kept(self, table: Table[Any]) -> Path:
        """Return the path beside which is kept what belongs to this game's pieces and board."""
        journal, name = self.request.journal, table.game.name
        if name == self.request.game.name:
            return journal
        return journal.with_name(f"{journal.stem}-{name}{journal.suffix}")

    def _recorder(self, table: Table[Any], first: bool) -> Recorder | None:
        folder = self.request.record
        if folder is None:
            return None
        if not first:
            folder = folder.with_name(f"{folder.name}-{table.game_id}")
        return Recorder(Recording(free_folder(folder), self.room), table)

    def _calibrator(
        self, table: Table[Any], service: Service[Any], live_picture: LivePicture
    ) -> Calibrator:
        def keep(file: TableFile) -> None:
            file = named(file, table.game, table.setup)
            if self.source is not None:
                write_table_file(table_file_of(self._kept(table)), file)
            beside = {k: v for k, v in service.table_file.items() if k in ("sensors", "pictures")}
            service.recalibrate({**file, **beside})

        def lying() -> Position:
            # Of cards beside a mat its camera sees nothing.
            return {} if isinstance(table.game, DiceOnMat) else table.game.expect(table.state)

        return Calibrator(
            service.board,
            live_picture.frame,
            lying,
            keep,
            lambda: service.camera,
            lambda: service.table_file,
            partial(picture_of, table.game, table.setup),
        )


class Pace:
    """Holds a simulated camera back to a steady number of frames a second, fewer while nobody does
    anything, until ``stop`` is set. ``busy`` tells whether somebody does; who begins to says so by
    ``stir``, and the frame that is waited for comes at once."""

    def __init__(self, stop: threading.Event, outside: Environment) -> None:
        self._stop, self._outside = stop, outside
        self._stirred = threading.Event()
        self._next, self._calm, self._settled = outside.clock(), 0, SETTLING
        self.busy: Callable[[], bool] = lambda: False

    def __call__(self) -> None:
        """Wait until the next frame is due."""
        for _ in range(RESTING if self._calm > CALM else 1):
            now = self._outside.clock()
            rate = WITH_HANDS if self._settled < SETTLING else FRAMES_PER_SECOND
            self._next = max(self._next + 1 / rate, now)
            # A tenth of a second at most: that long whoever ends the watch may wait for it.
            self._outside.wait(self._stirred, self._next - now)
            self._stirred.clear()
            if self._stop.is_set():
                return
            if self.busy():
                self._next = min(self._next, self._outside.clock())
                self.rouse()
                self._settled = 0
                return
        self._calm += 1
        self._settled += 1

    def stir(self) -> None:
        """Take the next frame at once; any thread may call it."""
        self._stirred.set()

    def rouse(self) -> None:
        """Take the next frames at full pace; any thread may call it."""
        self._calm = 0


def simulate(
    table: Table[Any],
    show: LightShow,
    outside: Environment,
    pace: Pace,
    by_phone: Callable[[], bool],
) -> tuple[SimulatedTable, SimulatedDice | None, SimulatedCamera | SimulatedDiceCamera]:
    """Return a table on which the pieces stand as the game left them, the dice of its mat if it
    has one, and the camera, which sees what ``show`` lights and keeps ``pace``. While moves are
    made on phones (``by_phone``) nobody makes them here: the pieces stand as the game does."""
    from companion.simulation.table_camera import SimulatedCamera, SimulatedTable, Troubles

    game, setup = table.game, table.setup
    lying, quiet = game.expect(table.state), Troubles(hand_frames=4)
    hands = SimulatedTable(game, setup, lying, beside=beside(game, setup, lying))
    # Where the camera is over a mat, what else lies on the table is told on the phones.
    told = isinstance(game, DiceOnMat)
    follow(table, hands, lambda: told or by_phone())
    if isinstance(game, DiceOnMat):
        from companion.simulation.dice_camera import SimulatedDiceCamera
        from companion.simulation.tumbling_dice import SimulatedDice

        dice = SimulatedDice(game.mat(setup), game.dice(table.state), seed=time.time_ns())
        eye = SimulatedDiceCamera(dice, None, quiet, clock=outside.clock, wait=pace)
        pace.busy, dice.on_gesture = lambda: dice.stirred or eye.busy, pace.stir
        return hands, dice, eye
    view = simulated_view(game, setup)
    camera = SimulatedCamera(hands, view, quiet, clock=outside.clock, wait=pace, glow=show.glow)
    pace.busy, hands.on_gesture = lambda: hands.stirred or camera.busy, pace.stir
    return hands, None, camera


def follow(table: Table[Any], hands: SimulatedTable, told: Callable[[], bool]) -> None:
    """Let the pieces of a simulated table stand as the game does whenever it has changed and was
    ``told`` so; what a hand does meanwhile stays."""
    line = table.line

    def changed(event: Event) -> None:
        nonlocal line
        before, line = line, table.line
        if line is not before and told() and not lies(table, hands):
            hands.lay(table.game.expect(table.state))

    table.subscribe(changed)


def beside(game: Game[Any], setup: Setup, lying: Position) -> tuple[str, ...]:
    """Return what lies beside a simulated table of cards at the start: all cards that do not lie
    on it, and backs for those that are laid face down; nothing where the tokens are no cards."""
    tokens = tokens_of(game, setup)
    if not tokens or not all(game.look(token).card for token in tokens):
        return ()
    left = Counter(tokens) - Counter(lying.values())
    return (*left.elements(), *(BACK for _ in range(BACKS)))


def simulated_view(game: Game[Any], setup: Setup) -> CameraView:
    """Return how the simulated camera sees the table: cards are thin, and their codes small."""
    cards = CameraView(image_size=CARDS_SIZE, tilt=14.0, thickness=0.5)
    plain = CameraView(image_size=PICTURE_SIZE)
    return fit_view(game.board(setup), cards if beside(game, setup, {}) else plain)
