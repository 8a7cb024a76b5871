"""What the running companion costs while nothing moves: memory, and the share of one core.

Run ``python tests/bench/bench_idle.py [--seconds 20]``; it prints one JSON object. The whole
product runs as ``companion play`` starts it, on the simulated table; the time that the source
takes to render its frames is measured inside and taken off. ``rss_mb`` is the whole process,
the simulated table's painter included, ``source_mb`` what the painter and its sensor hold.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any

from companion.games import find_game
from companion.live.composition import Composition, PlayRequest
from companion.live.equipping import PICTURE_SIZE
from companion.simulation.table_camera import CameraView, SimulatedCamera, SimulatedTable, Troubles
from vision.frames import Frame

WARM = 5.0
"""Seconds until the set-up is learned and all that is made once is made."""


class Stopwatch:
    """Counts the frames of the simulated camera and the processor time they take."""

    def __init__(self) -> None:
        self.frames, self.seconds = 0, 0.0
        read = SimulatedCamera.read

        def timed(camera: SimulatedCamera) -> Frame | None:
            began = time.thread_time()
            frame = read(camera)
            self.seconds += time.thread_time() - began
            self.frames += 1
            return frame

        SimulatedCamera.read = timed  # type: ignore[assignment, method-assign]


def resident() -> float:
    """Return the megabytes that the process holds in memory."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def idle(folder: Path, seconds: float) -> dict[str, Any]:
    """Run the companion for some seconds and return what it cost."""
    watch = Stopwatch()
    play_request = PlayRequest(
        game=find_game("victorus"), setup=None, journal=folder / "idle.sqlite3", new=True,
        camera="simulated", table_file=None, lights="off", wiring=None, host="127.0.0.1", port=0,
        address="127.0.0.1",
    )  # fmt: skip
    with Composition(play_request) as stage:
        stage.start()
        time.sleep(WARM)
        began, cost, drawn, frames = (
            time.monotonic(), time.process_time(), watch.seconds, watch.frames,
        )  # fmt: skip
        time.sleep(seconds)
        passed = time.monotonic() - began
        cost, drawn = time.process_time() - cost, watch.seconds - drawn
        assert stage.service.status()["still"], "the table is not read"
        return {
            "picture": "x".join(map(str, PICTURE_SIZE)),
            "frames_per_second": round((watch.frames - frames) / passed, 1),
            "rss_mb": round(resident(), 1),
            "core_percent": round(100 * (cost - drawn) / passed, 2),
            "source_percent": round(100 * drawn / passed, 2),
        }


def source_megabytes() -> float:
    """Return what the simulated table and its camera alone hold."""
    game = find_game("victorus")
    setup = game.setup()
    position = game.expect(game.start(setup))
    tracemalloc.start()
    table = SimulatedTable(game, setup, position)
    camera = SimulatedCamera(
        table, CameraView(image_size=PICTURE_SIZE), Troubles(hand_frames=6), clock=time.monotonic
    )
    for _ in range(2):
        camera.read()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return round(held / 1e6, 1)


def main() -> None:
    """Print the costs as one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        costs = idle(Path(folder), seconds)
    print(json.dumps(costs | {"source_mb": source_megabytes()}))


if __name__ == "__main__":
    main()
