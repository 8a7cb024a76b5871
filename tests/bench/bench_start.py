"""What the first page costs: the processor time of the whole process until it is answered, beside
that of a bare Flask and waitress process, in pairs.

Run ``python tests/bench/bench_start.py [--pairs 10] [--game victorus]``; it prints one JSON
object: medians in seconds and the median of each pair's ratio. The table starts as ``companion
play`` starts it, on the simulated table, with a game in its journal (``--new`` for none).
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

BARE = """
import sys
from flask import Flask
from waitress import create_server
app = Flask("bare")
app.add_url_rule("/", view_func=lambda: "<!doctype html><title>bare</title><p>hello")
create_server(app, host="127.0.0.1", port=int(sys.argv[1])).run()
"""
PATIENCE = 60.0


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def first_page(command: list[str], port: int, environment: dict[str, str]) -> tuple[float, float]:
    """Start ``command`` and ask for its first page; processor seconds, and seconds on the wall."""
    began = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
                    page.read()
                waited = time.monotonic() - began
                process.kill()
                _, _, used = os.wait4(process.pid, 0)
                process.returncode = -9
                return used.ru_utime + used.ru_stime, waited
            except OSError:
                if process.poll() is not None or time.monotonic() - began > PATIENCE:
                    raise SystemExit(f"{command} answers no page") from None
                time.sleep(0.002)
    finally:
        if process.returncode is None:
            process.kill()
            process.wait()


def main() -> None:
    """Run the pairs and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--game", default="victorus")
    parser.add_argument("--new", action="store_true", help="begin a game each time")
    arguments = parser.parse_args()
    pairs: list[tuple[float, float]] = []
    walls: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_DATA_HOME": folder, "PYTHONPYCACHEPREFIX": folder}
        # As everywhere but in some containers, Python keeps what it has compiled.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for number in range(arguments.pairs + 1):
            port = free_port()
            bare = [sys.executable, "-c", BARE, str(port)]
            one = first_page(bare, port, environment)
            port = free_port()
            table = [sys.executable, "-m", "companion", "play", arguments.game]
            table += ["--host", "127.0.0.1", "--port", str(port)]
            table += ["--new"] if arguments.new or not number else []
            other = first_page(table, port, environment)
            if number:  # the first pair finds what is kept from one start to the next
                pairs.append((one[0], other[0]))
                walls.append((one[1], other[1]))
    ratios = [table / bare for bare, table in pairs]
    print(
        json.dumps(
            {
                "bare_cpu_s": round(statistics.median(bare for bare, _ in pairs), 3),
                "table_cpu_s": round(statistics.median(table for _, table in pairs), 3),
                "ratio": round(statistics.median(ratios), 2),
                "worst_ratio": round(max(ratios), 2),
                "bare_wall_s": round(statistics.median(bare for bare, _ in walls), 3),
                "table_wall_s": round(statistics.median(table for _, table in walls), 3),
            }
        )
    )


if __name__ == "__main__":
    main()
