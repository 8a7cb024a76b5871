"""How soon a hand on the simulated table is answered: lift -> own board lit, lift -> the strip, put
down -> another phone; in milliseconds, with real processes and a real browser.

Run by hand on an idle machine: ``python tests/bench/bench_table.py``.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tests.checks.chromium import chromium
from tests.system.conftest import House

MOVES = 8
LIFT = """([origin, target]) => new Promise((done) => {
  const spot = (name) => document.querySelector(`.spot[data-spot="${name}"]`);
  const begun = performance.now(), told = {};
  const look = () => {
    const now = performance.now() - begun;
    if (document.querySelector(".aim")) told.board ??= now;
    if (spot(target).querySelector(".lit")) told.strip ??= now;
    if ((told.board && told.strip) || now > 15000) done(told);
    else requestAnimationFrame(look);
  };
  spot(origin).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  look();
})"""
AWAIT = """(target) => {
  globalThis.seen = 0;
  const look = () => {
    if (document.querySelector(`.spot[data-spot="${target}"][data-token]`)) seen = Date.now();
    else requestAnimationFrame(look);
  };
  look();
}"""
PUT = """(target) => {
  document.querySelector(`.spot[data-spot="${target}"]`).dispatchEvent(
    new MouseEvent("click", { bubbles: true }));
  return Date.now();
}"""


def a_move(state):
    """Return a legal move to an empty spot."""
    for origin, targets in state["legal"].items():
        for target in targets:
            if target not in state["position"]:
                return [origin, target]
    raise SystemExit("no move is left to be measured")


def measure(house):
    """Yield what each of some moves took, by name."""
    phone = house.phone()
    for _ in range(MOVES):
        house.in_order()
        move = a_move(house.state())
        told = house.table.evaluate(LIFT, move)
        phone.evaluate(AWAIT, move[1])
        begun = house.table.evaluate(PUT, move[1])
        phone.wait_for_function("() => seen")
        yield {**told, "phone": phone.evaluate("seen") - begun}


def main():
    """Print the median and the slowest of everything."""
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder), browser)
        try:
            found = list(measure(house.start()))
        finally:
            house.close()
    for name, text in (
        ("board", "lift -> own board lit"),
        ("strip", "lift -> the strip"),
        ("phone", "put down -> other phone"),
    ):
        took = [one[name] for one in found if name in one]
        sys.stdout.write(f"{text}: median {statistics.median(took):.0f}, most {max(took):.0f} ms\n")


if __name__ == "__main__":
    main()
