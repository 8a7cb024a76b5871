"""The published counts, through the companion's own contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.chess import GAME
from companion.rules import perft

FILE = Path(__file__).parent / "data" / "chess.perft"
QUICK = 70_000


def counts():
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            fen, numbers = line.split(": ")
            for depth, nodes in enumerate(map(int, numbers.split()), start=1):
                marks = [pytest.mark.slow] if nodes > QUICK else []
                yield pytest.param(fen, depth, nodes, marks=marks, id=f"{fen[:14]} {depth}")


@pytest.mark.parametrize(("fen", "depth", "nodes"), list(counts()))
def test_the_published_count_of_legal_moves(fen, depth, nodes):
    assert perft(GAME, GAME.read_position(GAME.setup(), fen), depth) == nodes


def test_eleven_published_positions_are_counted():
    positions = {case.values[0] for case in counts()}
    assert len(positions) == 11
