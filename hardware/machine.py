"""Which machine this is, as its system files tell; another root folder stands in for tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple


class Machine(NamedTuple):
    """The machine whose files lie under ``root``."""

    root: Path = Path("/")

    def path(self, name: str) -> Path:
        """Return where the system file ``/name`` lies."""
        return self.root / name.lstrip("/")

    def read(self, name: str) -> str:
        """Return the text of a system file, empty if it cannot be read."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace").rstrip("\0\n")
        except OSError:
            return ""

    def exists(self, name: str) -> bool:
        """Tell whether there is such a file, folder or device."""
        return self.path(name).exists()

    @property
    def model(self) -> str:
        """Return what the board calls itself, such as ``Raspberry Pi 5 Model B Rev 1.0``."""
        return self.read("proc/device-tree/model")

    @property
    def pi(self) -> int:
        """Return the generation of a Raspberry Pi, 0 for any other machine. The Zeros count as
        the generation whose processor they have."""
        model = self.model
        if "Raspberry Pi" not in model:
            return 0
        if "Zero 2" in model:
            return 3
        found = re.search(r"(?:Raspberry Pi|Compute Module) (\d)", model)
        return int(found.group(1)) if found else 1

    @property
    def config(self) -> str:
        """Return the Pi's boot settings, comments left out."""
        text = self.read("boot/firmware/config.txt") or self.read("boot/config.txt")
        return "\n".join(line.partition("#")[0].strip() for line in text.splitlines())


def found_lights(machine: Machine) -> str:
    """Return the address of the lights that this machine most likely drives: SPI where it is
    switched on, else the PWM pin of an older Pi; ``off`` where there is neither."""
    if machine.exists("dev/spidev0.0"):
        return "spi:0.0"
    if 1 <= machine.pi <= 4:
        return "ws281x:18"
    return "off"
