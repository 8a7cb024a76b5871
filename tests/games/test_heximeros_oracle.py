"""The engine of HexiMeros and the naive second reading of its rules never differ;
soak/soak_oracles.py plays it at length."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros import geometry as g
from companion.games.heximeros.pieces import COLOURS
from tests.oracle import heximeros_match as match

pytestmark = pytest.mark.no_cover  # whole games: other tests prove line by line


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_engine_and_oracle_agree_on_short_random_games(seed: int) -> None:
    assert match.compare(seed, 60) > 0


@pytest.mark.parametrize("reading", ["diagonal", "straight"])
def test_engine_and_oracle_agree_on_ground_zero(hx: ModuleType, reading: str) -> None:
    rng = random.Random(7)
    kinds = ("M", "M+", "S", "Al", "P", "R", "C", "D", "As", "Ar")
    for number in range(60):
        cells = rng.sample([cell for cell in g.AXIAL if max(map(abs, cell)) < 10], 60)
        text = "; ".join(
            f"{rng.choice(('silver', 'blue', 'red'))} {rng.choice(kinds[3:])} {q} {r}"
            for q, r in cells
            if (q, r) != (0, 0)
        )
        state = hx.lay(
            f"{text}; silver {kinds[number % len(kinds)]} 0 0",
            out=rng.choice(("", "blue")),
            ground_zero=reading,
        )
        assert match.engine(GAME, state) == match.naive(state).moves(state.army)


@pytest.mark.slow
def test_engine_and_oracle_agree_on_what_becomes_of_a_hat(hx: ModuleType) -> None:
    rng = random.Random(5)
    for number in range(40):
        out = " ".join(rng.sample(("blue", "yellow", "green"), rng.randint(0, 3)))
        more = "; ".join(
            f"red C {q} {r}" for q, r in rng.sample([*g.AXIAL], 60) if abs(q) + abs(r) < 14
        )
        state = hx.lay(
            f"silver M+ 2 -13; orange S 6 -12; {more}",
            out=out,
            two_capitals=rng.choice(("active", "any")),
        )
        if hx.move((2, -13), (2, -14)) not in GAME.legal(state):
            continue
        state = hx.play(state, hx.move((2, -13), (2, -14)))
        assert match.placed(GAME, state) == match.expected(state, (2, -14), None), number
        here = [a for a in GAME.legal(state) if a.target == hx.spot(2, -14) and "S" not in a.detail]
        first = rng.choice(here)
        after = GAME.apply(state, first)
        colour = first.detail.rpartition(" ")[0] or "silver"
        army = COLOURS.index(colour)
        assert match.placed(GAME, after) == match.expected(after, (2, -14), army), number
