"""How soon a machine that thinks is gone when nobody waits for it any more, and what it takes.

    python tests/bench/bench_thinking.py [--times 20]

For each game level 6 thinks about the first position, and is ended after a moment drawn by
chance, by who asked it (``stop``) and by something that happens at its table (``passed``).
Printed: the milliseconds until no process of it is there, median and worst, and the megabytes that
it took. The limit is 100 ms.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.games import find_game
from companion.journal import Journal
from companion.live.machine_players import MachinePlayers
from companion.live.thinking import ThinkingProcess
from companion.runtime.native import build_kind
from companion.table import Table
from companion.table.evening import Evening

GAMES = ("chess", "heximeros", "invictus", "victorus")
LONGEST = 2.0
"""Seconds that it thinks at most before it is ended."""


def megabytes(pid: int) -> float:
    """Return the most memory that the process ever held."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def until_gone(pid: int) -> float:
    """Return the milliseconds until there is no such process."""
    began = time.perf_counter()
    while Path(f"/proc/{pid}").exists():
        time.sleep(0.0005)
    return 1000 * (time.perf_counter() - began)


def stopped(name: str, chance: random.Random) -> tuple[float, float]:
    """Return the milliseconds that a stop takes, and the megabytes taken until then."""
    game: Any = find_game(name)
    question = {"game": name, "state": game.dump(game.start(game.setup()))}
    process = ThinkingProcess()
    process.ask({**question, "player": "random"})
    process.answer(60.0)
    process.ask({**question, "player": "level:6"})
    process.answer(chance.uniform(0.0, LONGEST))
    assert process.pid is not None
    pid, took, began = process.pid, megabytes(process.pid), time.perf_counter()
    process.stop()
    assert not Path(f"/proc/{pid}").exists()
    return 1000 * (time.perf_counter() - began), took


@contextmanager
def playing(name: str) -> Iterator[tuple[Table[Any], MachinePlayers]]:
    """Yield a table at which machines play, in a thread as at a real one."""
    game: Any = find_game(name)
    with Journal() as journal:
        evening = Evening(Table.create(journal, game, game.setup()))
        machines = MachinePlayers(
            evening, lambda: None, lambda: False, lambda: True, lambda: None, time.monotonic
        )
        ended = threading.Event()

        def part() -> None:
            while not ended.is_set():
                machines.step()

        thread = threading.Thread(target=part)
        thread.start()
        yield evening.table, machines
        ended.set()
        machines.wake()
        thread.join()
        machines.close()


def passed(name: str, chance: random.Random) -> float:
    """Return the milliseconds from an action at the table to the end of what thought about the
    position before it. Who had chosen before that thinks about another."""
    while True:
        with playing(name) as (table, machines):
            seat = table.to_move
            machines.give({seat: "level:6"}, "host")
            while (pid := machines._process.pid) is None:
                time.sleep(0.001)
            time.sleep(chance.uniform(0.3, LONGEST))
            if any(meant.thinks for meant in machines._meant.values()):
                table.play(chance.choice(table.game.legal(table.state)), "camera")
                return until_gone(pid)


def main() -> None:
    """Print every figure as one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    times, chance, told = parser.parse_args().times, random.Random(1), {}
    for name in GAMES:
        stops = [stopped(name, chance) for _ in range(times)]
        ends = [passed(name, chance) for _ in range(times)]
        told[name] = {
            "stop_ms": _spread([ms for ms, _ in stops]),
            "passed_ms": _spread(ends),
            "megabytes": round(max(took for _, took in stops), 1),
        }
    print(json.dumps({"build": build_kind(), **told}, indent=1))


def _spread(values: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(values), 1), "worst": round(max(values), 1)}


if __name__ == "__main__":
    main()
