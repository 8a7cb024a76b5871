"""What all real strips have in common: frames are sent when they change, and now and then again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from typing import Any

from companion.rules import BadInput, HardwareFault
from hardware.strip import Pixels

_REFRESH = 1.0
"""Seconds after which an unchanged frame is sent again, because WLED forgets and wires pick up
glitches."""


class RefreshedStrip(ABC):
    """Sends a frame when it changed or was last sent a second ago."""

    def __init__(self, count: int, clock: Callable[[], float]) -> None:
        self._count = count
        self._clock = clock
        self._shown: Pixels | None = None
        self._at = 0.0
        self._closed = False

    def show(self, pixels: Pixels) -> None:
        """Light the LEDs; see :class:`hardware.strip.Strip`."""
        if self._closed:
            raise HardwareFault("the strip has been closed; open it again")
        if len(pixels) != self._count:
            raise BadInput(f"the strip has {self._count} LEDs, the frame {len(pixels)}")
        now = self._clock()
        if pixels != self._shown or now - self._at >= _REFRESH:
            self._send(pixels)
            self._shown, self._at = pixels, now

    def close(self) -> None:
        """Put all LEDs out and give the device back."""
        if not self._closed:
            self._closed = True
            self._release()

    @abstractmethod
    def _send(self, pixels: Pixels) -> None:
        """Send a frame to the device."""

    @abstractmethod
    def _release(self) -> None:
        """Put all LEDs out and let the device go."""

    def _dark(self) -> Pixels:
        return ((0, 0, 0),) * self._count


def package(name: str, remedy: str) -> Any:
    """Import a hardware package.

    Raises:
        HardwareFault: it is not installed; says how to get it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise HardwareFault(
            f"the package {name} is not installed; install it with: {remedy}"
        ) from error
