"""Several strips that are lit as one, and LEDs that take their colours in another order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.rules import HardwareFault
from hardware.lights import Colour
from hardware.strip import Pixels, Strip
from hardware.wiring import COLOURS, Part

_PLACE = {"R": 0, "G": 1, "B": 2}


def reordered(pixels: Pixels, colours: str) -> Pixels:
    """Return what a driver for GRB must be given so that LEDs that take their colours in the order
    ``colours`` shine as ``pixels`` says."""
    if colours == COLOURS:
        return pixels
    source = [0, 0, 0]
    for sent, taken in zip(COLOURS, colours, strict=True):
        source[_PLACE[sent]] = _PLACE[taken]
    red, green, blue = source
    return tuple([(pixel[red], pixel[green], pixel[blue]) for pixel in pixels])


class PartedStrip:
    """The strips of a table as one :class:`hardware.strip.Strip`."""

    def __init__(self, parts: Sequence[Part], open_one: Callable[[Part], Strip]) -> None:
        """Open all of them by ``open_one``; if one cannot be opened none stays open."""
        self._strips: list[tuple[Part, Strip]] = []
        try:
            for part in parts:
                self._strips.append((part, open_one(part)))
        except BaseException:
            self.close()
            raise

    def show(self, pixels: Sequence[Colour]) -> None:
        """Light the LEDs; a strip that fails does not keep the others dark.

        Raises:
            HardwareFault: one of the devices is gone.
        """
        first, failed = 0, None
        for part, strip in self._strips:
            try:
                strip.show(reordered(tuple(pixels[first : first + part.count]), part.colours))
            except HardwareFault as fault:
                failed = failed or fault
            first += part.count
        if failed:
            raise failed

    def close(self) -> None:
        """Put all LEDs out and give the devices back."""
        for _, strip in self._strips:
            strip.close()
