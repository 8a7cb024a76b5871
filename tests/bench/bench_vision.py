"""What reading a frame costs beside decoding its JPEG, on one thread: only ratios count.

Run ``python tests/bench/bench_vision.py [--size 1640x1232] [--quality 90]``; it prints one JSON
object. The frames are the simulated camera's: a set-up of 72 pieces, the same again, and one move
later. Reading and decoding take turns, and processor time is what counts.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one thread, before numpy is loaded

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from companion.games import find_game
from companion.rules import Action
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.optics import CameraView, fit_view
from vision.decoding.reader import Reader
from vision.frames import Frame

ROUNDS = 15


def in_decodes(
    run: Callable[[], object], data: Any, prepare: Callable[[], Any] | None = None
) -> tuple[float, float]:
    """Return the least seconds of some rounds in decodes of ``data`` taken in turns, and the
    least seconds of such a decode; what ``prepare`` does is not counted."""
    work, decode = [], []
    for _ in range(ROUNDS):
        began = time.thread_time()
        cv2.imdecode(data, cv2.IMREAD_COLOR)
        decode.append(time.thread_time() - began)
        if prepare:
            prepare()
        began = time.thread_time()
        run()
        work.append(time.thread_time() - began)
    return min(work) / min(decode), min(decode)


def frames(
    size: tuple[int, int], quality: int = 90, name: str = "victorus"
) -> tuple[Any, Any, list[Any], Action]:
    """Return the game, the table file, three JPEG frames (set-up, unchanged, one move) and the
    move."""
    game = find_game(name)
    setup = game.setup()
    standing = game.expect(game.start(setup))
    free = [a for a in game.legal(game.start(setup)) if a.origin and a.target not in standing]
    move = next((a for a in free if (a.origin, a.target) == ("h2", "h4")), free[0])
    table = SimulatedTable(game, setup, game.expect(game.start(setup)), seed=3)
    view = fit_view(table.board, CameraView(image_size=size))
    camera = SimulatedCamera(table, view, Troubles(hand_frames=0, jpeg=0), clock=lambda: 0.0)
    pictures = [camera.read(), camera.read()]
    table.move(str(move.origin), str(move.target))
    while True:
        moved = camera.read()
        if not camera.busy:
            break
    jpeg = [cv2.imencode(".jpg", f.image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
            for f in [*pictures, moved]]  # fmt: skip
    return game, camera.table_file(), jpeg, move


def bench(size: tuple[int, int], quality: int, name: str = "victorus") -> dict[str, Any]:
    """Return the costs of the three frames in decodes of the same frame."""
    cv2.setNumThreads(1)
    game, table_file, jpeg, move = frames(size, quality, name)
    setup = game.setup(table_file["seats"])
    start = game.start(setup)
    images = [np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8) for data in jpeg]
    reader: list[Reader[Any]] = []

    def fresh() -> None:
        reader[:] = [Reader(game, setup, table_file)]

    def begin() -> None:
        fresh()
        read(0)

    def read(index: int) -> Any:
        return reader[0].read(Frame(images[index], float(index), str(index)), (start,))

    enrol, _ = in_decodes(lambda: read(0), jpeg[0], fresh)
    quiet, decode = in_decodes(lambda: read(1), jpeg[1], begin)
    changed, _ = in_decodes(lambda: read(2), jpeg[2], begin)
    begin()
    assert [s.action for s in read(2).steps if s.action.target] == [move]
    return {
        "game": name,
        "size": f"{size[0]}x{size[1]}",
        "quality": quality,
        "decode_ms": round(1000 * decode, 2),
        "unchanged": round(quiet, 3),
        "two_cells_changed": round(changed, 3),
        "enrolment": round(enrol, 2),
    }


def main() -> None:
    """Print the costs as one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1640x1232")
    parser.add_argument("--quality", type=int, default=90)
    parser.add_argument("--game", default="victorus")
    arguments = parser.parse_args()
    width, height = arguments.size.split("x")
    print(json.dumps(bench((int(width), int(height)), arguments.quality, arguments.game)))


if __name__ == "__main__":
    main()
