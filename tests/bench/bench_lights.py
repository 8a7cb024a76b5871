"""What the lights cost: 655 spots with moving effects, refreshed 60 times a second.

Run ``python tests/bench/bench_lights.py [--seconds 10]``; it prints one JSON object. Every frame is
rendered, dimmed, kept within its current and turned into the bytes of a driver; ``core_percent``
is the share of one core that 60 frames a second take, measured over as many frames as come in a
minute of play. A second is cut into slices that are taken in turns, so that only ratios between
the drivers count on a busy machine.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from hardware.drivers import spi_bytes
from hardware.lights import MEANINGS, Light
from hardware.network_strips import sacn_packet, wled_packets
from hardware.strip import LightShow, Pixels
from hardware.wiring import Part, Wiring

SPOTS, HZ = 655, 60
SLICE = 60


class Bytes:
    """A strip that turns every frame into a driver's bytes, and keeps none."""

    def __init__(self, encode: Callable[[Pixels], Any]) -> None:
        self._encode, self.sent = encode, 0

    def show(self, pixels: Pixels) -> None:
        """Encode a frame."""
        self.sent += len(self._encode(pixels))

    def close(self) -> None:
        """Nothing is open."""


def frame() -> MappingProxyType[str, Light]:
    """Return 655 lit spots that go through all meanings, so that every effect moves."""
    meanings = itertools.cycle(MEANINGS.values())
    return MappingProxyType({f"s{n}": next(meanings) for n in range(SPOTS)})


def wiring() -> Wiring:
    """Return two strips with a tight limit each: every frame has to be darkened."""
    leds = MappingProxyType({f"s{n}": (n,) for n in range(SPOTS)})
    return Wiring(leds, SPOTS, (Part(400, limit_ma=1500.0), Part(SPOTS - 400, limit_ma=1500.0)))


DRIVERS: dict[str, Callable[[Pixels], Any]] = {
    "render": lambda pixels: pixels,
    "spi": spi_bytes,
    "wled": wled_packets,
    "sacn": lambda pixels: sacn_packet(1, 1, b"".join(map(bytes, pixels[:170]))),
}


def main() -> None:
    """Print the share of one core that each driver takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    most = parser.parse_args().seconds
    now = [0.0]
    shows = {
        name: LightShow(Bytes(encode), wiring(), lambda: now[0]) for name, encode in DRIVERS.items()
    }
    lit = frame()
    for show in shows.values():
        show.show(lit)
    spent, frames, began = dict.fromkeys(shows, 0.0), 0, time.monotonic()
    while time.monotonic() - began < most:
        start = now[0]
        for name, show in shows.items():
            cost = time.process_time()
            for tick in range(SLICE):
                now[0] = start + tick / HZ
                show.update()
            spent[name] += time.process_time() - cost
        frames += SLICE
    per_frame = {name: seconds / frames for name, seconds in spent.items()}
    print(
        json.dumps(
            {
                "spots": SPOTS,
                "hz": HZ,
                "frames": frames,
                "core_percent": {n: round(100 * s * HZ, 2) for n, s in per_frame.items()},
                "ms_a_frame": {n: round(1000 * s, 3) for n, s in per_frame.items()},
            }
        )
    )


if __name__ == "__main__":
    main()
