"""``calibrate``: finds the board in a camera's picture and writes the table file."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from companion.commands.common import chosen_setup, print_json, settle
from companion.games import find_game
from companion.journal import Journal
from companion.live.calibrating import Calibrator, write_table_file
from companion.live.live_picture import LivePicture
from companion.live.recording import named
from companion.rules import (
    BadInput,
    Board,
    DiceOnMat,
    Game,
    HardwareFault,
    Position,
    Setup,
    picture_of,
)
from companion.runtime.locations import data_folder
from companion.runtime.supervisor import RETRY_SECONDS
from companion.table import Table
from vision.board.calibrate import Camera
from vision.board.calibration import entered, locate_markers, locate_print, measured_markers
from vision.dice.traymat import tray_board
from vision.frames import Image, TableFile
from vision.sensing.sensor_source import is_felt
from vision.sources.cameras import is_live, open_source
from web import Config, Server, create_app

TRIES = 5
"""Pictures in which the board is searched before a person is asked."""


def run_calibrate(arguments: argparse.Namespace) -> int:
    """Find the board by its markers or its print, else serve the calibration page until a person
    says it looks right."""
    game = find_game(arguments.game)
    setup = chosen_setup(game, arguments)
    settle(arguments, data_folder())
    if arguments.source == "simulated":
        raise BadInput("the simulated camera knows its board; name a camera, as in v4l2:0")
    if is_felt(arguments.source):
        raise BadInput("a board of sensors sends no picture, and has nothing to calibrate")
    window = LivePicture(open_source(arguments.source))

    def keep(file: TableFile) -> None:
        write_table_file(arguments.out, named(file, game, setup))

    try:
        found = by_itself(window, game, setup)
        if found is not None:
            how, file = found
            keep(file)
            tell(arguments, f"found by its {how}")
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


def by_itself(window: LivePicture, game: Game[Any], setup: Setup) -> tuple[str, TableFile] | None:
    """Return by what the board is found for certain in the first pictures, and the table file's
    fields; None where a person has to help.

    Raises:
        BadInput, HardwareFault: the source gives no picture.
    """
    board, lying = before_camera(game, setup)
    images: list[Image] = []
    for _ in range(TRIES):
        frame = window.read()
        if frame is None:
            break
        if frame.image is None:
            continue
        images.append(frame.image)
        located = locate_markers(frame.image, board, lying)
        if located is not None:
            return "printed markers", described(frame.image, board, located.camera)
    if not images:
        raise BadInput("no picture came; is this the right source?")
    men = {spot: picture_of(game, setup, token) for spot, token in lying.items()}
    for image in (images[-1], without_hands(images)):
        ways = locate_print(image, board, men)
        if len(ways) == 1:
            return "print", described(image, board, ways[0].camera)
        if ways or len(images) == 1:
            break
    return None


def before_camera(game: Game[Any], setup: Setup) -> tuple[Board, Position]:
    """Return what the camera of ``game`` looks at, and what lies there at the start."""
    if isinstance(game, DiceOnMat):
        mat = game.mat(setup)
        return tray_board(mat.zones, mat.size, mat.side_mm), {}
    return game.board(setup), game.expect(game.start(setup))


def described(image: Image, board: Board, camera: Camera) -> TableFile:
    """Return the fields of a table file for a board seen through ``camera``."""
    return entered(board, camera) | measured_markers(image, board, camera)


def without_hands(images: Sequence[Image]) -> Image:
    """Return what most of the pictures that are as large as the last one show at each pixel."""
    alike = [image for image in images if image.shape == images[-1].shape]
    return np.asarray(np.median(np.stack(alike), axis=0), np.uint8)


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

    board, lying = before_camera(game, setup)
    with Journal(":memory:") as journal:
        table = Table.create(journal, game, setup)
        calibrator = Calibrator(
            board,
            lambda: window.last,
            lambda: lying,
            accepted,
            draw=partial(picture_of, game, setup),
        )
        app = create_app(table, config=Config(trust_machine=True), calibrator=calibrator)
        with Server(app, "127.0.0.1", arguments.port) as server:
            address = f"http://127.0.0.1:{server.port}/calibrate"
            if arguments.json:
                print_json({"page": address})
            else:
                print(f"Help the camera to find the board at {address}", flush=True)
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
