"""Eight hours of lights in fast time: no drift, no leak, nothing lit that is not legal.

    python -m tests.soak.soak_lights [--hours 8] [--hz 10]

Games of Victorus are played at random, an action every ten seconds; pieces are lifted, put back and
put down wrong. A WLED controller that decodes what is sent stands at the other end of a real socket
in the same process. Counted: frames whose effects are off the clock, frames in which the
controller does not show what the rules allow, refreshes that came late, memory that grows.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import socket
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from companion.games import find_game
from companion.journal import Journal
from companion.live.light_panel import LightPanel
from companion.rules import Action
from companion.table import Table
from hardware.effects import strength
from hardware.lights import Moment
from hardware.network_strips import WLED_HOLD, WledStrip
from hardware.strip import LightShow
from hardware.wiring import default_wiring

GAME = find_game("victorus")
ACTION_SECONDS = 10.0
GROWTH = 1000
"""Objects more after a whole run than after its first tenth would be a leak: fewer than one for
every second action. The process itself grows by some megabytes until the games' tables are full."""


def resident_kb() -> int:
    """Return what the process holds in memory, 0 where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


class Lamp:
    """A controller that hears DRGB packets, holds them, and falls back to dark."""

    def __init__(self, count: int) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.setblocking(False)
        self.count, self.until = count, 0.0
        self.pixels: list[tuple[int, ...]] = [(0, 0, 0)] * count

    def hear(self, now: float) -> None:
        """Take what has come in."""
        while True:
            try:
                packet = self.socket.recv(2000)
            except BlockingIOError:
                break
            body = packet[2:]
            self.pixels = [tuple(body[k : k + 3]) for k in range(0, len(body), 3)]
            self.until = now + packet[1]
        if now >= self.until:
            self.pixels = [(0, 0, 0)] * self.count


class Soak:
    """A table, its lights on a controller, and a clock that runs fast."""

    def __init__(self, seed: int) -> None:
        self.now, self.chance, self.counts = 0.0, random.Random(seed), Counter[str]()
        setup = GAME.setup(("red", "purple"))
        self.wiring = default_wiring(GAME.board(setup))
        self.lamp = Lamp(self.wiring.count)
        port = self.lamp.socket.getsockname()[1]
        self.strip = WledStrip(self.wiring.count, "127.0.0.1", port, lambda: self.now)
        self.show = LightShow(self.strip, self.wiring, lambda: self.now)
        self.table: Table[Any] = Table.create(Journal(), GAME, setup)
        self.panel = LightPanel(self.table, self.show, lambda: None)

    def another(self) -> None:
        """Begin another game on the same strip."""
        self.table.journal.close()
        self.table = Table.create(Journal(), GAME, self.table.setup)
        self.panel = LightPanel(self.table, self.show, lambda: None)
        self.counts["games"] += 1

    def moment(self) -> Moment:
        """Return what happens at the table next: something lifted, a refusal, a quiet look."""
        state = self.table.state
        if not GAME.legal(state):
            self.another()
            state = self.table.state
        kind = self.chance.random()
        if kind < 0.5:
            self.table.play(self.chance.choice(GAME.legal(state)), "camera")
            last = self.table.actions[-1]
            return Moment(last=tuple(s for s in (last.origin, last.target) if s))
        spot = self.chance.choice(sorted(GAME.expect(state)))
        if kind < 0.8:
            return Moment(lifted=spot)
        target = self.chance.choice(list(GAME.board(self.table.setup)))
        ruling = GAME.judge(state, Action("move", spot, target))
        return Moment() if ruling.allowed else Moment(proof=ruling.spots, back=(spot,))

    def tick(self) -> None:
        """Refresh, and compare what the controller shows with rules and clock."""
        self.panel.tick()
        self.lamp.hear(self.now)
        self.counts["frames"] += 1
        if self.now >= self.lamp.until:
            self.counts["late"] += 1
        moment, frame = self.panel._moment, self.panel._frame
        expected = self.show.pixels(self.now)
        if [tuple(p) for p in expected] != self.lamp.pixels:
            self.counts["not as computed"] += 1
        for spot, light in frame.items():
            (led,) = self.wiring.leds[spot]
            on = strength(light.effect, self.now, light.phase) > 0
            if on != any(self.lamp.pixels[led]):
                self.counts["off the clock"] += 1
        if moment and moment.lifted and not (moment.proof or moment.differs):
            lit = {s for s, light in frame.items() if light.meaning in ("destination", "capture")}
            if lit != self.allowed(moment.lifted):
                self.counts["not legal or not lit"] += 1

    def allowed(self, lifted: str) -> set[str]:
        """Return where the rules let the token from ``lifted`` go; asked once a moment."""
        key = (self.table.state_id, lifted)
        if getattr(self, "_asked", None) != key:
            self._asked, state = key, self.table.state
            self._allowed = {
                spot
                for spot in GAME.board(self.table.setup)
                if spot != lifted and GAME.judge(state, Action("move", lifted, spot)).allowed
            }
        return self._allowed

    def run(self, seconds: float, hz: float) -> dict[str, Any]:
        """Let ``seconds`` pass at the table and return what was counted."""
        self.panel.show(Moment())
        steps, every = int(seconds * hz), int(ACTION_SECONDS * hz)
        held: list[tuple[int, int]] = []
        for step in range(1, steps + 1):
            # From the number of the step, not by adding up: eight hours must not drift.
            self.now = step / hz
            if step % every == 0:
                self.panel.show(self.moment())
            self.tick()
            if step in (steps // 10, steps):
                self.another()
                gc.collect()
                held.append((len(gc.get_objects()), resident_kb()))
        self.strip.close()
        self.lamp.hear(self.now)
        self.counts["lit at the end"] = sum(any(pixel) for pixel in self.lamp.pixels)
        self.lamp.socket.close()
        self.table.journal.close()
        faults = ("late", "not as computed", "off the clock", "not legal or not lit")
        return {
            "hours": round(seconds / 3600, 2),
            **{name: self.counts[name] for name in ("frames", "games", *faults, "lit at the end")},
            "grown_objects": held[1][0] - held[0][0],
            "grown_kb": held[1][1] - held[0][1],
            "ok": not any(self.counts[name] for name in (*faults, "lit at the end"))
            and held[1][0] - held[0][0] < GROWTH,
        }


def main() -> int:
    """Print the counts as one JSON object; the exit status tells whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--hz", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    assert 2 / given.hz < WLED_HOLD, "the controller holds a frame until the next ones come"
    told = Soak(given.seed).run(3600 * given.hours, given.hz)
    print(json.dumps(told))
    return 0 if told["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
