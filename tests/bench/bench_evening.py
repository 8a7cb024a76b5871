"""What a long evening costs: to take it up, to audit it, and each action, page and question in it.

Run ``python tests/bench/bench_evening.py [--games chess victorus] [--events 2000 20000]``; it
prints a line of JSON for each game and length. Actions, undos, corrections and rulings of the
table are mixed. ``resume_s`` and ``audit_s`` are processor seconds of a process of their own,
``rss_mb`` the most memory it ever took with the table taken up, no page and no camera loaded;
the others are milliseconds, the median of ten.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

GAMES = ("chess", "victorus", "heximeros", "hoplomachus", "invictus", "victory_honor")


def evening(path: Path, name: str, count: int) -> None:
    """Play an evening of ``count`` steps into the journal ``path``."""
    from companion.games import find_game
    from companion.journal import Journal
    from companion.table import Table

    game, chance = find_game(name), random.Random(11)
    with Journal(path) as journal:
        list(journal._db.execute("PRAGMA synchronous = OFF"))
        table = Table.create(journal, game, game.setup())
        for number in range(count):
            legal = [] if table.outcome else list(game.legal(table.state))
            if not legal or (number % 4 == 3 and len(table.actions)):
                table.undo(1 if legal else min(20, len(table.actions)), "referee")
            elif number % 21 == 20 and len(table.actions):
                before = table.past[-2]
                table.correct([chance.choice(list(game.legal(before)))], "referee")
            elif number % 50 == 49:
                table.decide("we agreed", "referee", action=chance.choice(legal))
            else:
                table.play(chance.choice(legal), "camera")


def taken_up(path: Path) -> dict[str, Any]:
    """Take the evening up; what it took."""
    from companion.journal import Journal
    from companion.table import Table

    began = time.process_time()
    table = Table.resume(Journal(path))
    spent = time.process_time() - began
    status = Path("/proc/self/status").read_text()
    most = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    return {
        "events": len(table.events()),
        "standing": len(table.actions),
        "resume_s": round(spent, 2),
        "rss_mb": round(most),
    }


def audited(path: Path) -> dict[str, Any]:
    """Audit the evening; what it took."""
    from companion.referee import audit

    began = time.process_time()
    audit(path)
    return {"audit_s": round(time.process_time() - began, 2)}


def looked_at(path: Path) -> dict[str, Any]:
    """Play on and look at pages; milliseconds."""
    import web
    from companion.journal import Journal
    from companion.table import Table
    from companion.table.evening import Evening

    table = Table.resume(Journal(path))
    app = web.create_app(Evening(table), config=web.Config(open_house=True))
    phone, told = app.test_client(), {}
    if table.outcome is not None:
        table.undo(1, "referee")

    def step() -> None:
        table.play(table.game.legal(table.state)[0], "camera")
        table.undo(1, "referee")

    told["play_undo_ms"] = _median(step)
    for page in ("/", "/api/state", "/history", f"/allowed?at={table.state_id // 2}", "/games"):

        def look(page: str = page) -> None:
            table.note("recovered", {}, "camera")
            phone.get(page)

        told[f"{page.partition('?')[0]}_ms"] = _median(look)
    return told


def _median(do: Callable[[], None]) -> float:
    do()
    times = []
    for _ in range(10):
        began = time.process_time()
        do()
        times.append(time.process_time() - began)
    return round(1000 * statistics.median(times), 2)


def main() -> None:
    """Measure each evening, each question in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--events", nargs="+", type=int, default=[2_000, 20_000])
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        what, path = arguments.measure
        print(json.dumps(globals()[what](Path(path))))
        return
    for name in arguments.games:
        for count in arguments.events:
            with tempfile.TemporaryDirectory() as folder:
                path, told = Path(folder) / "evening.sqlite3", {"game": name, "steps": count}
                evening(path, name, count)
                for what in ("taken_up", "audited", "looked_at"):
                    command = [sys.executable, __file__, "--measure", what, str(path)]
                    told |= json.loads(subprocess.check_output(command))
                print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
