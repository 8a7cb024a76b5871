"""``calibrate``: finds the board in a camera's picture and writes the table file."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.commands.common import chosen_setup, print_json, settle
from companion.games import find_game
from companion.journal import Journal
from companion.live.calibrating import Calibrator, write_table_file
from companion.live.live_picture import LivePicture
from companion.live.recording import named
from companion.rules import BadInput, Game, HardwareFault, Setup
from companion.runtime.locations import data_folder
from companion.runtime.supervisor import RETRY_SECONDS
from companion.table import Table
from vision.board.calibration import entered, locate_markers, measured_markers
from vision.frames import Image, TableFile
from vision.sources.cameras import is_live, open_source
from web import Config, Server, create_app

TRIES = 5
"""Pictures in which markers are searched before a person is asked."""


def run_calibrate(arguments: argparse.Namespace) -> int:
    """Find printed markers, else serve the calibration page until a person says it looks right."""
    game = find_game(arguments.game)
    setup = chosen_setup(game, arguments)
    settle(arguments, data_folder())
    if arguments.source == "simulated":
        raise BadInput("the simulated camera knows its board; name a camera, as in v4l2:0")
    window = LivePicture(open_source(arguments.source))

    def keep(file: TableFile) -> None:
        write_table_file(arguments.out, named(file, game, setup))

    try:
        found = by_markers(window, game, setup)
        if found is not None:
            keep(found)
            tell(arguments, "found by its printed markers")
            return 0
        by_hand(arguments, window, game, setup, keep)
        tell(arguments, "as you placed it")
    finally:
        window.close()
    return 0


def tell(arguments: argparse.Namespace, how: str) -> None:
    """Say what was written."""
    out: Path = arguments.out
    if arguments.json:
        print_json({"table_file": str(out), "how": how})
    else:
        print(f"{out}: the board, {how}")


def by_markers(window: LivePicture, game: Game[Any], setup: Setup) -> TableFile | None:
    """Return the table file's fields if the markers are found in the first pictures.

    Raises:
        BadInput, HardwareFault: the source gives no picture.
    """
    board, covered = game.board(setup), game.expect(game.start(setup))
    image: Image | None = None
    for _ in range(TRIES):
        frame = window.read()
        if frame is None:
            break
        if frame.image is None:
            continue
        image = frame.image
        located = locate_markers(image, board, covered)
        if located is not None:
            camera = located.camera
            return entered(board, camera) | measured_markers(image, board, camera)
    if image is None:
        raise BadInput("no picture came; is this the right source?")
    return None


def by_hand(
    arguments: argparse.Namespace,
    window: LivePicture,
    game: Game[Any],
    setup: Setup,
    keep: Callable[[TableFile], None],
) -> None:
    """Serve the calibration page on this machine until the board was accepted."""
    done = threading.Event()

    def accepted(file: TableFile) -> None:
        keep(file)
        done.set()

    with Journal(":memory:") as journal:
        table = Table.create(journal, game, setup)
        calibrator = Calibrator(
            game.board(setup), lambda: window.last, lambda: game.expect(table.state), accepted
        )
        app = create_app(table, config=Config(trust_machine=True), calibrator=calibrator)
        with Server(app, "127.0.0.1", arguments.port) as server:
            address = f"http://127.0.0.1:{server.port}/calibrate"
            if arguments.json:
                print_json({"page": address})
            else:
                print(f"No markers found. Show the camera the board at {address}", flush=True)
            watch(window, done, live=is_live(arguments.source))


def watch(window: LivePicture, done: threading.Event, live: bool) -> None:
    """Keep the window's picture fresh until ``done``; files stand still at what they showed."""
    said = ""
    while not done.is_set():
        if not live:
            done.wait()
            return
        try:
            window.read()
            said = ""
        except HardwareFault as fault:
            if str(fault) != said:
                print(fault, flush=True)
            said = str(fault)
            done.wait(RETRY_SECONDS)
