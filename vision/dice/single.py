"""A position from one photograph: no earlier picture, no markers, nothing enrolled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from companion.rules import Board, Game, Setup
from vision.board.calibrate import camera_from_table
from vision.board.fit import refine_to_board
from vision.dice.dice_eye import DiceEye
from vision.frames import Image, TableFile
from vision.tokens.occupancy import presence, unevenness

EMPTY, START = "empty", "start"
UNKNOWN = "?"
"""The token of a spot on which something stands that one photograph cannot tell."""
STANDS = 1.0
"""Presence (``vision.tokens.occupancy``) from which on something stands on a spot."""
STRAY, PLAIN = 1 / 16, 1.6
"""Share of the spots of an empty board that may look uneven because of knots and glare, and their
presence at most."""
GAP, SHARE = 0.6, 0.8
"""How the set-up is recognised: the median man has GAP more presence than spots that should be
bare, and SHARE of all men have more."""


def look_once(
    game: Game[Any], setup: Setup, table: TableFile, image: Image
) -> str | dict[str, str]:
    """Return ``empty``, ``start`` for the game's first position, or what stands on each spot.

    Dice are read by their pips. Of other tokens a single photograph only tells where they are:
    they are called ``?``. A square board may lie turned by quarters against the table file.

    Raises:
        BadInput: the table file does not say where the board lies.
    """
    board = game.board(setup)
    expected = dict(game.expect(game.start(setup)))
    camera = camera_from_table(board, table, image)
    if "corners" not in table:
        fit = refine_to_board(image, board, camera, (), rough="taps" in table)
        camera = fit.camera if fit.share > 0.3 and fit.error < 0.06 else camera
    looks = [game.look(token) for token in expected.values()]
    if all(look.pips for look in looks):
        tokens = set(expected.values())
        eye = DiceEye(board, camera, image, game.look, expected, tokens)
        found = dict(eye.position)
        return found or EMPTY
    uneven = unevenness(image, camera, board)
    if any(_is_start(board, uneven, turned) for turned in _turned(board, expected)):
        return START
    sure = presence(board, uneven, board.spots)
    standing = [spot for spot in board.spots if sure[spot] >= STANDS]
    if len(standing) <= STRAY * len(sure) and max(sure.values()) < PLAIN:
        return EMPTY
    return dict.fromkeys(standing, UNKNOWN)


def _is_start(board: Board, uneven: Mapping[str, float], men: Mapping[str, str]) -> bool:
    bare = [spot for spot in board.spots if spot not in men]
    if not men or not bare:
        return False
    sure = presence(board, uneven, bare)
    there = np.array([sure[spot] for spot in men])
    off = float(np.percentile([sure[spot] for spot in bare], 90))
    stand = float((there > off).mean())
    return float(np.median(there)) > max(STANDS, off + GAP) and stand >= SHARE


def _turned(board: Board, position: Mapping[str, str]) -> list[dict[str, str]]:
    """Return ``position`` as it lies, and on a square board turned by one to three quarters."""
    turned = [dict(position)]
    for _ in range(3 if board.corners else 0):
        last = turned[-1]
        turned.append({_quarter(board, spot): token for spot, token in last.items()})
    return turned


def _quarter(board: Board, spot: str) -> str:
    x, y = board[spot].centre
    return board.nearest((-y, x)).name
