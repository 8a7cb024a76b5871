"""What stands round the table of one game: its camera, its reader, its simulated hands. Made anew
for each game."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.live.light_panel import LightPanel
from companion.rules import BadInput, HardwareFault, Lying, Position, other_side, say
from companion.table import Table
from hardware.settings import read_settings

if TYPE_CHECKING:
    from companion.live.calibrating import Calibrator
    from companion.live.live_picture import LivePicture
    from companion.live.service import Service
    from companion.simulation.table_camera import SimulatedTable
    from companion.simulation.tumbling_dice import SimulatedDice


@dataclass
class Equipment:
    """Everything that belongs to the game of one ``table``. ``prepare`` is called once before the
    watch begins; ``stop`` ends it."""

    table: Table[Any]
    service: Service[Any]
    live_picture: LivePicture
    calibrator: Calibrator
    hands: SimulatedTable | None = None
    dice: SimulatedDice | None = None
    prepare: Callable[[], None] = lambda: None
    stop: threading.Event = field(default_factory=threading.Event)
    _prepared: bool = False

    def look(self) -> bool:
        """Take one frame and act on it; return whether to ask for the next one at once."""
        if not self._prepared:
            self.prepare()
            self._prepared = True
        return self.service.look() and not self.service.lost


Now = Callable[[], Equipment]
"""Returns the equipment of the game that is played; raises HardwareFault while there is none."""


NOTHING_SEEN: Mapping[str, Any] = {"still": False, "differs": [], "lifted": None, "asks": []}


class Starting(HardwareFault):
    """The camera has not started yet, because the pages are served first."""


class EquipmentEyes:
    """The eyes of whatever game is played (``web.Eyes``). ``told`` gives a sentence for each part
    of the companion that is not well."""

    def __init__(self, now: Now, told: Callable[[], Sequence[str]] = tuple) -> None:
        self._now, self._told = now, told

    def status(self) -> Mapping[str, Any]:
        """Return the camera's words."""
        try:
            status = self._now().service.status()
        except HardwareFault as fault:
            lost = not isinstance(fault, Starting)
            status = {**NOTHING_SEEN, "message": fault.sentence, "lost": lost}
        return {**status, "troubles": list(self._told())}

    def answer(self, index: int) -> None:
        """Take candidate ``index`` of the camera's question; raises BadInput if it is gone."""
        self._now().service.answer(index)

    def teach(self, tokens: Mapping[str, str]) -> None:
        """Learn the cards that lie on the table; raises BadInput where they cannot be."""
        self._now().service.teach(tokens)

    def seen(self) -> Mapping[str, str] | None:
        """Return what stands on the table."""
        try:
            return self._now().service.seen()
        except HardwareFault:
            return None

    def felt(self) -> Sequence[str] | None:
        """Return the spots on which a board of sensors feels something, in its order; one that its
        wiring does not name as ``#`` and its number. None where there is no such board."""
        try:
            now = self._now()
        except HardwareFault:
            return None
        order: Sequence[str] | None = now.service.table_file.get("sensors")
        if order is None:
            return None
        known, sensed = dict(enumerate(order)), now.live_picture.sensed
        names = {str(known.get(spot, f"#{spot}") if isinstance(spot, int) else spot)
                 for spot in (sensed.occupied if sensed is not None else ())}  # fmt: skip
        return [*(spot for spot in order if spot in names), *sorted(names.difference(order))]


class EquipmentCalibrator:
    """The calibrator of whatever game is played (``web.Calibrator``)."""

    def __init__(self, now: Now) -> None:
        self._now = now

    def picture(self) -> bytes:
        """Return what the camera sees; raises HardwareFault without a picture."""
        return self._now().calibrator.picture()

    def status(self) -> Mapping[str, Any]:
        """Return how the board is seen; raises HardwareFault without a picture."""
        return self._now().calibrator.status()

    def place(self, points: Mapping[str, tuple[float, float]]) -> None:
        """Take a person's points; raises BadInput where they fit no board."""
        self._now().calibrator.place(points)

    def find(self) -> None:
        """Look for the board now; raises BadInput where it is not found."""
        self._now().calibrator.find()

    def turn(self) -> None:
        """Turn the board to the next way round."""
        self._now().calibrator.turn()

    def accept(self) -> None:
        """Read by what is shown; raises BadInput before the board is found."""
        self._now().calibrator.accept()


class EquipmentReadings:
    """The last readings of whatever game is played (``web.Readings``)."""

    def __init__(self, now: Now) -> None:
        self._now = now

    def last(self) -> Sequence[Mapping[str, Any]]:
        """Return the readings, the latest first; none while no camera is there."""
        try:
            return self._now().service.traces.last()
        except HardwareFault:
            return ()

    def one(self, number: int) -> Mapping[str, Any]:
        """Return one reading with its trace; raises BadInput where it is kept no longer."""
        return self._now().service.traces.one(number)

    def picture(self, number: int) -> bytes:
        """Return the picture of a reading as JPEG; raises BadInput where none is kept."""
        return self._now().service.traces.picture(number)


class PanelLamps:
    """The lights' settings as the pages know them (``web.Lamps``)."""

    def __init__(self, panel: LightPanel) -> None:
        self._panel = panel

    def settings(self) -> Mapping[str, Any]:
        """Return what is wanted of the lights."""
        wanted = self._panel.settings
        return {
            "lights": wanted.level,
            "brightness": wanted.brightness,
            "night": wanted.night,
            "night_brightness": wanted.night_brightness,
        }

    def adjust(self, changes: Mapping[str, Any]) -> None:
        """Take other settings.

        Raises:
            BadInput: a value does not fit.
            HardwareFault: they cannot be kept.
        """
        wanted = {**self.settings(), **changes}
        level = wanted.pop("lights")
        self._panel.adjust(read_settings({"level": level, **wanted}))


class HandTable:
    """The simulated table as the browser's hands know it (``web.VirtualTable``): ``now`` gives
    the one of the game that is played, ``picture`` what its camera sees, ``press`` does what a
    button of the table's box asks, ``stands`` and ``lying`` tell how the game stands, ``mat``
    gives the dice of its mat, if it has one. While the table is still ``starting`` it is shown as
    the game stands, and who touches it waits."""

    def __init__(
        self,
        now: Callable[[], SimulatedTable | None],
        picture: Callable[[], bytes],
        press: Callable[[str], None],
        stands: Callable[[], Position] = dict,
        mat: Callable[[], SimulatedDice | None] = lambda: None,
        lying: Callable[[], Lying] = dict,
        starting: Callable[[], bool] = lambda: False,
    ) -> None:
        self._now, self.picture, self.press, self._stands = now, picture, press, stands
        self._mat, self._lying, self._starting = mat, lying, starting

    @property
    def _table(self) -> SimulatedTable:
        hands = self._now()
        if hands is None:
            raise BadInput(say("this game is played on a real table"))
        return hands

    @property
    def held(self) -> str | None:
        """The token in the hand."""
        return None if self._starting() else self._table.held

    def tokens(self) -> dict[str, str]:
        """Return what lies on which spot."""
        return dict(self._stands()) if self._starting() else self._table.position

    def off(self) -> Sequence[str]:
        """Return the tokens that lie beside the board."""
        return () if self._starting() else self._table.off

    def move(self, origin: str, target: str) -> None:
        """Carry a token."""
        self._table.move(origin, target)

    def remove(self, spot: str) -> None:
        """Take the token off the board."""
        self._table.remove(spot)

    def turn(self, spot: str) -> None:
        """Turn the token round where it stands."""
        self._table.turn(spot)

    def lift(self, spot: str) -> None:
        """Take the token on ``spot`` into the hand."""
        self._table.lift(spot)

    def drop(self, spot: str) -> None:
        """Put the token in the hand on ``spot``."""
        self._table.drop(spot)

    def tidy(self) -> None:
        """Set the table as the game stands, its dice too."""
        self._table.lay(self._stands())
        if (dice := self._mat()) is not None:
            dice.lay(self._lying())

    @property
    def _dice(self) -> SimulatedDice:
        dice = self._mat()
        if dice is None:
            raise BadInput(say("this game has no dice on a mat"))
        return dice

    def dice(self) -> Sequence[Mapping[str, Any]] | None:
        """Return how the dice lie on the mat, None where there is none."""
        if self._starting():
            return [] if self._lying() else None
        if (dice := self._mat()) is None:
            return None
        return [
            {"number": number, "token": die.shows,
             "x": round(die.x, 1), "y": round(die.y, 1), "turn": round(die.turn),
             "zone": dice.zone(number), "flat": not die.doubtful}
            for number, die in enumerate(dice.dice)
            if die is not None
        ]  # fmt: skip

    def throw(self, numbers: Sequence[int]) -> None:
        """Throw the dice that are named, else those that the game waits for."""
        self._dice.throw(numbers or awaited_dice(self._dice, self._lying()))

    def carry(self, number: int, zone: str) -> None:
        """Carry a die to a zone of the mat."""
        self._dice.carry(number, zone)

    def tip(self, number: int) -> None:
        """Stand a die on its edge, or lay it down again."""
        self._dice.tip(number)

    def put(self, spot: str, token: str) -> None:
        """Bring a token from beside the board to ``spot``.

        Raises:
            BadInput: it does not lie there.
        """
        if token not in self._table.off:
            raise BadInput(say("no {token} lies beside the board", token=token))
        self._table.put(spot, token)

    def flip(self, spot: str) -> None:
        """Turn the token on ``spot`` over.

        Raises:
            BadInput: nothing lies there.
        """
        lying = self._table.position.get(spot)
        if lying is None:
            raise BadInput(say("nothing lies on {spot}", spot=spot))
        self._table.flip(spot, other_side(self._table.game, lying))


def awaited_dice(dice: SimulatedDice, lying: Lying) -> tuple[int, ...]:
    """Return the dice that should lie where they are thrown: those that lie there, then others of
    the same colour."""
    thrown = dice.mat.thrown
    wanted = Counter(die.split()[0] for die in lying.get(thrown, ()))
    chosen = []
    for number in sorted(range(len(dice.colours)), key=lambda n: dice.zone(n) != thrown):
        colour = dice.colours[number]
        if wanted[colour] > 0:
            wanted[colour] -= 1
            chosen.append(number)
    return tuple(chosen)
