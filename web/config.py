"""The settings of the pages' server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from web.ports import Trial


class Config(NamedTuple):
    """Settings of the pages.

    ``address`` is what the QR code says, ``http://192.168.1.5:8000``; ``local`` is the same by
    name, ``http://companion.local:8000``, empty where the network is not told of it. ``hosts``
    are the names and addresses under which a browser may ask, without port. ``open_house`` lets
    every phone take a seat and move simulated pieces without a join code; the host's part it
    leaves closed. ``trust_machine`` lets browsers on this machine do what the host may, without
    a code. ``heartbeat`` is in seconds between two signs of life on a stream. ``streams`` is how
    many the house has at once, ``streams_per_address`` how many of them a person, or the guests
    of an address. ``clock`` tells the time where it is not to be the table's. ``log`` gives the
    entries of the companion's own log, the newest last; None where none is kept. ``trial``
    tries out what is wired to the table, None where nothing is. ``felt`` tells that a board of
    sensors is the table's only eye: there is no picture of it.
    """

    address: str = "http://127.0.0.1:8000"
    local: str = ""
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1")
    open_house: bool = False
    trust_machine: bool = False
    heartbeat: float = 4.0
    streams: int = 96
    streams_per_address: int = 16
    clock: Callable[[], float] | None = None
    log: Callable[[], Sequence[str]] | None = None
    trial: Trial | None = None
    felt: bool = False
