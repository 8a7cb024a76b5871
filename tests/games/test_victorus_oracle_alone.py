"""The oracle itself against every count that the rules print."""

from __future__ import annotations

import random
from collections import Counter
from types import ModuleType
from typing import Any

import pytest

pytestmark = pytest.mark.no_cover  # whole games: other tests prove line by line


def test_the_board_has_the_printed_counts(victorus_oracle: ModuleType) -> None:
    oracle = victorus_oracle
    field = [cell for cell in oracle.CELLS if 1 <= oracle.diff(cell) <= 10]
    game = oracle.Oracle(oracle.COLOURS)
    assert len(oracle.CELLS) == 181
    assert Counter(game.edge_of(cell) for cell in field) == {"white": 54, "black": 54}
    assert Counter(game.kingdom.values()) == dict.fromkeys(oracle.COLOURS, 12)
    assert [Counter(n[0] for n in oracle.CELL)[c] for c in "abcdefghijklmnopq"] == [
        3, 6, 9, 12, 13, 14, 13, 14, 13, 14, 13, 14, 13, 12, 9, 6, 3,
    ]  # fmt: skip
    assert oracle.NAME[oracle.CENTRE] == "i7"


@pytest.mark.parametrize("corner", ["right", "left"])
def test_eighteen_wall_edges_part_the_kingdoms(victorus_oracle: ModuleType, corner: str) -> None:
    oracle = victorus_oracle
    game = oracle.Oracle(oracle.COLOURS, {"corner": corner})
    assert len(game.walls) == 18
    touching = {
        frozenset((a, oracle.plus(a, step)))
        for a in game.kingdom
        for step in oracle.UNITS
        if oracle.plus(a, step) in game.kingdom
        and game.kingdom[a] != game.kingdom[oracle.plus(a, step)]
    }
    assert touching == game.walls


def test_inner_cells_have_two_neighbours_of_their_own_colour(victorus_oracle: ModuleType) -> None:
    oracle = victorus_oracle
    game = oracle.Oracle(oracle.COLOURS)
    inner = [
        cell
        for cell in oracle.CELLS
        if all(
            oracle.plus(cell, u) in oracle.NAME and oracle.plus(cell, u) != (0, 0)
            for u in oracle.UNITS
        )
        and cell != (0, 0)
    ]
    alike = Counter(
        sum(game.edge_of(oracle.plus(cell, u)) == game.edge_of(cell) for u in oracle.UNITS)
        for cell in inner
    )
    assert alike == {2: len(inner)}


def test_pivot_targets_are_counted_as_the_rules_count_them(victorus_oracle: ModuleType) -> None:
    oracle = victorus_oracle
    game = oracle.Oracle(oracle.COLOURS)
    game.board.clear()
    counts: Counter[int] = Counter()
    for cell in oracle.CELLS:
        if cell != oracle.CENTRE:
            piece = ("red", game.edge_of(cell), "H")
            game.turn.began[piece] = cell
            counts[len(game.pivots(piece, cell))] += 1
    assert counts == {2: 138, 1: 36, 0: 6}


def test_every_knight_of_a_seat_exists_once_on_each_edge_colour(
    victorus_oracle: ModuleType,
) -> None:
    oracle = victorus_oracle
    for corner in ("right", "left"):
        game = oracle.Oracle(oracle.COLOURS, {"corner": corner})
        assert len(game.home) == 72
        for seat in oracle.COLOURS:
            royals = [game.home[seat, "half", kind] for kind in "KQ"]
            assert len({game.edge_of(cell) for cell in royals}) == 2


@pytest.mark.parametrize("variant", ["basic", "quick", "allied"])
def test_random_games_keep_every_piece(victorus_oracle: ModuleType, variant: str) -> None:
    oracle = victorus_oracle
    rng = random.Random(variant)
    game: Any = oracle.Oracle(oracle.ALLIED_ORDER, {"variant": variant})
    for _ in range(150):
        actions = sorted(game.legal())
        if not actions:
            break
        game = game.apply(rng.choice(actions))
        places = [*game.board.values(), *game.held, *game.waiting, *game.removed]
        assert sorted(places) == sorted(game.home)
    assert (game.winners is None) == bool(game.legal())
