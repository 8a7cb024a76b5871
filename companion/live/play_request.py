"""What a user wants of ``companion play``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.rules import Game, Setup
from companion.runtime.disk_space import MEGABYTES
from companion.runtime.files import read_json
from companion.runtime.locations import table_file_of

if TYPE_CHECKING:
    from hardware.pins import Pins
    from vision.frames import Source, TableFile


SIMULATED, SENSING = "simulated", "simulated-sensors"
"""The addresses of the simulated table before a camera, and on a board of sensors alone; with a
camera, too, the board has the first of them."""


class PlayRequest(NamedTuple):
    """What the command line asks for. ``last``: go on with whatever was played last, also
    another game. ``open_house``: seats need no join code. ``players``: who
    plays which seat, machines by their names or ``person``. ``sensors``: a board of
    sensors under what the camera sees."""

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
    record_megabytes: int = MEGABYTES
    pins: Pins | None = None
    last: bool = True
    open_house: bool = False
    players: Mapping[str, str] = MappingProxyType({})
    sensors: str = ""

    @property
    def simulated(self) -> bool:
        """Whether the table is simulated."""
        return self.camera in (SIMULATED, SENSING)

    @property
    def felt(self) -> bool:
        """Whether a board of sensors is the only eye."""
        if self.simulated:
            return self.camera == SENSING
        from vision.sensing.sensor_source import is_felt

        return is_felt(self.camera)


def opened(address: str, sensors: str = "") -> Source:
    """Return the camera, network, folder or film at ``address``, together with the board of
    ``sensors`` under it, if there is one.

    Raises:
        BadInput, HardwareFault: it is none, or not to be had.
    """
    from vision.sources.cameras import open_source

    source = open_source(address, follow=True)
    if not sensors:
        return source
    from vision.sensing.both_source import BothSource
    from vision.sensing.sensor_source import open_sensors

    return BothSource(source, open_sensors(sensors))


def kept_table_file(journal: Path) -> TableFile:
    """Return what was calibrated before at the table of ``journal``; empty if nothing was.

    Raises:
        BadInput: the file is there and cannot be read.
    """
    path = table_file_of(journal)
    return read_json(path) if path.exists() else {}
