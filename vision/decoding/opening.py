"""Which kind of eye a game's tokens need, and where the board lies in the first picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from companion.rules import BadInput, Board, Drawing, Game, S, Setup, other_side, picture_of
from vision.board.calibrate import Camera
from vision.board.confirm import confirmed_camera
from vision.board.fit import refine_to_board
from vision.eyes.body_eye import BodyEye
from vision.eyes.face_eye import THICK, FaceEye
from vision.frames import Frame, Image, TableFile
from vision.tokens.album import Album
from vision.tokens.eye import Eye

APART = 0.9
"""Share of the men that must look most like their own kind on another spot for the men to have
faces. On 15 simulated tables each (``tests.soak.soak_vision``, chess, seeds 99741 to 99755) 0.95
and more of flat printed men did, and 0.55 and fewer of carved ones; on a worn board up to 0.8."""

DAZZLE = 0.25
"""Brightness of the lights, 0 to 1, by which men without faces can be seen; a brighter light looks
like a man that came."""


def bearable(game: Game[S], start: S) -> float:
    """Return how bright the lights under the board may be, 0 to 1, for an eye to see by."""
    return DAZZLE if bodily(game, {*game.expect(start).values()}) else 1.0


def bodily(game: Game[Any], tokens: Iterable[str]) -> bool:
    """Tell whether ``tokens`` can only be told apart by the colours of their bodies."""
    looks = [game.look(token) for token in tokens]
    return all(look.body and look.turn is None and not look.pips for look in looks)


def open_eye(
    game: Game[Any],
    board: Board,
    camera: Camera,
    frame: Frame,
    expected: Mapping[str, str],
    tokens: Iterable[str],
    album: Album | None,
) -> Eye:
    """Return the eye that ``tokens`` need, opened on the first picture, in which ``expected``
    should stand.

    Raises:
        BadInput: the picture does not show the set-up.
    """
    assert frame.image is not None
    image, look, every = frame.image, game.look, {*tokens}
    turned_over = partial(other_side, game)
    if bodily(game, every):
        faces = FaceEye(board, camera, image, look, expected, album, turned_over)
        there = len(faces.faults) <= len(expected) // 2
        printed = there and faces.told_apart(expected) >= APART
        return faces if printed else BodyEye(board, camera, frame, look, expected)
    if all(look(token).pips for token in every):
        from vision.dice.dice_eye import DiceEye  # a room of its own, for games with dice

        return DiceEye(board, camera, image, look, expected, every)
    return FaceEye(board, camera, image, look, expected, album, turned_over)


def by_table(
    game: Game[Any], setup: Setup, image: Image, table_file: TableFile, table: Mapping[str, str]
) -> Camera:
    """Find the board by the table file, refined to the print where ``table`` leaves it bare.

    Raises:
        BadInput: the table file does not tell or tells it wrong, or its markers are not seen.
    """
    board = game.board(setup)

    def men() -> dict[str, Drawing]:
        return {spot: picture_of(game, setup, token) for spot, token in table.items()}

    camera = confirmed_camera(image, board, table_file, men)
    fit = refine_to_board(image, board, camera, table, rough="taps" in table_file)
    tall = board.token_height > THICK * board.pitch
    # Tall tokens hide the print and lean over it: markers are surer.
    if fit.agrees and not (tall and "markers" in table_file):
        camera = fit.camera
    return camera


def by_markers(
    image: Image, board: Board, table_file: TableFile, table: Mapping[str, str]
) -> Camera | None:
    """Find the board anew by printed markers; None where there are none to be seen, or where
    ``table`` does not seem to stand there."""
    if "markers" not in table_file:
        return None
    try:
        camera = confirmed_camera(image, board, table_file)
    except BadInput:
        return None
    fit = refine_to_board(image, board, camera, table, rough=False)
    return fit.camera if fit.agrees else None
