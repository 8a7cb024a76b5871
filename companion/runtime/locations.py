"""Where things are kept, and under which addresses the pages are found."""

from __future__ import annotations

import socket
from pathlib import Path

import platformdirs

TROUBLES = ".troubles.json"
"""The ending of the files in which it is kept which parts of the companion fell."""


def data_folder() -> Path:
    """Return the folder for games, what belongs to their tables, and the settings: where this
    system keeps a user's data, on Linux ``$XDG_DATA_HOME`` or ``~/.local/share``."""
    return platformdirs.user_data_path("tabletop-companion", appauthor=False)


def lan_address() -> str:
    """Return this machine's address in its network, 127.0.0.1 without a network.

    Nothing is sent: a UDP socket that is pointed somewhere only picks its own address.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            address: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return address


def free_port(host: str) -> int:
    """Return a port that is free at the address ``host``, 0 if it is none of this machine's."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((host, 0))
        except (OSError, UnicodeError):
            return 0
        return int(probe.getsockname()[1])


def host_names(address: str) -> tuple[str, ...]:
    """Return every name under which a browser may ask for the pages."""
    name = socket.gethostname().lower()
    return ("localhost", "127.0.0.1", "[::1]", address, name, f"{name}.local")


def table_file_of(journal: Path) -> Path:
    """Return where the calibration of a journal's table is kept."""
    return journal.with_suffix(".table.json")


def faces_file_of(journal: Path) -> Path:
    """Return where the faces of a journal's tokens are kept."""
    return journal.with_suffix(".faces.npz")


def troubles_file_of(journal: Path) -> Path:
    """Return where is kept what fell while the table of a journal was running: where ``doctor``
    finds it, wherever the journal is."""
    return data_folder() / f"{journal.stem}{TROUBLES}"


def lights_file_of(journal: Path) -> Path:
    """Return where companions before the settings file kept the settings of a journal's lights."""
    return journal.with_suffix(".lights.json")
