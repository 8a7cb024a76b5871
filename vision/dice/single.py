"""A position from one photograph: no earlier picture, no markers, nothing enrolled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from companion.rules import Board, Game, Setup
from vision.board.confirm import confirmed_camera
from vision.board.fit import refine_to_board
from vision.dice.dice_eye import DiceEye
from vision.frames import Image, TableFile
from vision.tokens.occupancy import presence, unevenness
from vision.tokens.standing import standing as men_standing

EMPTY, START = "empty", "start"
UNKNOWN = "?"
"""The token of a spot on which something stands that one photograph cannot tell."""
STANDS = 1.0
"""Presence (``vision.tokens.occupancy``) from which on something stands on a spot."""
STRAY, PLAIN = 1 / 16, 1.6
"""Share of the spots of an empty board that may look uneven because of knots and glare, and their
presence at most."""
GAP, SHARE = 0.6, 0.8
"""How a board near the set-up is recognised: the median man has GAP more presence than spots that
should be bare, and SHARE of all men have more."""
GONE, TAKEN = 0.3, 0.66
"""Parts of the presence of the median man, below which no man stands where one should, and from
which on one stands where none should. Over photographs of set-ups men had 0.43 and more, bare spots
0.62 at most; men who had moved left up to 0.5 behind them where others lean over, and had 0.71."""
MAY_BE_GONE, MAY_BE_TAKEN = 0.6, 0.35
"""The same where as many men are missed as stand elsewhere: pale men on pale spots show little."""
FEW = 0.25
"""Share of the men that may differ from the set-up for that to be worth telling."""


def look_once(
    game: Game[Any], setup: Setup, table: TableFile, image: Image
) -> str | dict[str, str]:
    """Return ``empty``, ``start`` for the game's first position, or what stands on each spot.

    Dice are read by their pips. Of other tokens a single photograph only tells where they are, tall
    ones by what they hide behind them: they are called ``?``. A square board
    may lie turned by quarters against the table file.

    Raises:
        BadInput: the table file does not say where the board lies, or says it wrong.
    """
    board = game.board(setup)
    expected = dict(game.expect(game.start(setup)))
    camera = confirmed_camera(image, board, table)
    if "corners" not in table:
        fit = refine_to_board(image, board, camera, (), rough="taps" in table)
        camera = fit.camera if fit.agrees else camera
    looks = [game.look(token) for token in expected.values()]
    if all(look.pips for look in looks):
        tokens = set(expected.values())
        eye = DiceEye(board, camera, image, game.look, expected, tokens)
        found = dict(eye.position)
        return found or EMPTY
    uneven = unevenness(image, camera, board)
    for men in _turned(board, expected):
        near = _near_start(board, uneven, men)
        if near is not None:
            return START if near == set(men) else dict.fromkeys(sorted(near), UNKNOWN)
    sure = presence(board, uneven, board.spots)
    standing = [spot for spot in board.spots if sure[spot] >= STANDS]
    if len(standing) <= STRAY * len(sure) and max(sure.values()) < PLAIN:
        return EMPTY
    tall = {look.height for look in looks}
    if all(tall):
        # A man who leans over the spots behind him must not count there.
        taken = men_standing(image, camera, board, tall)
        if any(taken == men.keys() for men in _turned(board, expected)):
            return START
        return dict.fromkeys(sorted(taken), UNKNOWN) if taken else EMPTY
    return dict.fromkeys(standing, UNKNOWN)


def apart_from_start(
    game: Game[Any], setup: Setup, position: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the spots of the set-up that are bare in ``position``, and those that are taken and
    should be bare; None where none are, or the position is no set-up with a few men moved."""
    board, men = game.board(setup), dict(game.expect(game.start(setup)))
    ways = [(men.keys() - position.keys(), position.keys() - men.keys())
            for men in _turned(board, men)]  # fmt: skip
    bare, taken = min(ways, key=lambda way: len(way[0]) + len(way[1]))
    if not (bare or taken) or max(len(bare), len(taken)) > FEW * len(men):
        return None
    return tuple(sorted(bare)), tuple(sorted(taken))


def _near_start(
    board: Board, uneven: Mapping[str, float], men: Mapping[str, str]
) -> set[str] | None:
    """Return the spots on which something stands if most of the set-up does, else None."""
    bare = [spot for spot in board.spots if spot not in men]
    if not men or not bare:
        return None
    sure = presence(board, uneven, bare)
    there = np.array([sure[spot] for spot in men])
    off, usual = float(np.percentile([sure[spot] for spot in bare], 90)), float(np.median(there))
    if not (usual > max(STANDS, off + GAP) and float((there > off).mean()) >= SHARE):
        return None
    taken = {spot for spot in bare if sure[spot] > TAKEN * usual}
    gone = {spot for spot in men if sure[spot] < GONE * usual}
    least = sorted((s for s in men if sure[s] < MAY_BE_GONE * usual), key=sure.__getitem__)
    most = sorted((s for s in bare if sure[s] > MAY_BE_TAKEN * usual), key=lambda s: -sure[s])
    gone, taken = gone | set(least[: len(taken)]), taken | set(most[: len(gone)])
    return (men.keys() - gone) | taken


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
