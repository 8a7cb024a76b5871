"""Opening the lights of a table: one strip or several, real, simulated or in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO

from companion.rules import Board
from hardware.machine import Machine, found_lights
from hardware.parts import PartedStrip
from hardware.strip import SimulatedStrip, Strip
from hardware.terminal import TerminalStrip, colourful, obeys
from hardware.wiring import Part, Wiring

UNREAL = ("simulated", "terminal", "off")
"""Addresses behind which there is no device."""


def open_lights(
    address: str,
    wiring: Wiring,
    board: Board,
    clock: Callable[[], float],
    machine: Machine | None = None,
    out: TextIO | None = None,
) -> Strip:
    """Open the strips of ``wiring`` at their own addresses, else at ``address``: ``auto`` is what
    the machine most likely drives, ``terminal`` draws the board, ``off`` is a strip that nobody
    sees; see also :func:`hardware.drivers.open_strip`.

    Raises:
        BadInput: an address is none.
        HardwareFault: a package or a device is missing.
    """
    if address == "auto":
        address = found_lights(machine or Machine())
    if not wiring.strips and address in UNREAL:
        if address == "terminal":
            out = out or sys.stdout
            return TerminalStrip(board, wiring, out, obeys(out), colourful(out))
        return SimulatedStrip(keep=1) if address == "off" else SimulatedStrip()

    # Drivers bring a good deal along, and most tables begin without any.
    from hardware.drivers import open_strip

    def open_one(part: Part) -> Strip:
        chosen = part.lights or address
        return SimulatedStrip(keep=1) if chosen in UNREAL else open_strip(chosen, part.count, clock)

    return PartedStrip(wiring.parts, open_one)


def real(address: str, wiring: Wiring, machine: Machine | None = None) -> bool:
    """Tell whether a device has to be refreshed beside the camera's frames."""
    if address == "auto":
        address = found_lights(machine or Machine())
    return any((part.lights or address) not in UNREAL for part in wiring.parts)
