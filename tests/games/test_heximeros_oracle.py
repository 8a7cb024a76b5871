"""The engine of HexiMeros beside the naive second reading of its rules, move by move."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros import geometry as g
from companion.games.heximeros.pieces import CARRIED, OWNER, SUB, kind_of
from companion.games.heximeros.state import FRESH, HexiMerosState

pytestmark = pytest.mark.no_cover  # whole games: other tests prove line by line


def engine(state: HexiMerosState) -> set[tuple[object, object, str]]:
    """Return the engine's moves by coordinates."""
    found = set()
    for action in GAME.legal(state):
        if action.origin is None:
            continue
        detail = action.detail
        if detail.startswith("*"):
            q, r = g.AXIAL[g.INDEX[detail[1:]]]
            detail = f"*{q},{r}"
        found.add((g.AXIAL[g.INDEX[action.origin]], g.AXIAL[g.INDEX[action.target]], detail))
    return found


def naive(oracle: ModuleType, state: HexiMerosState) -> set[tuple[object, object, str]]:
    """Return the oracle's moves in the same position."""
    pieces = {g.AXIAL[cell]: code for cell, code in enumerate(state.board[: g.COUNT]) if code}
    live, masters = state.tally.live, state.tally.masters
    own = frozenset(a for a in range(6) if live >> a & 1 and masters[a] == state.player)
    prey = frozenset(a for a in range(6) if live >> a & 1 or state.arena.fallen_prey) - own
    position = oracle.Position(
        {cell: (OWNER[code], kind_of(code)) for cell, code in pieces.items()},
        state.arena.places,
        frozenset(cell for cell, code in pieces.items() if CARRIED[SUB[code]] != SUB[code]),
        own,
        prey,
    )
    moves: set[tuple[object, object, str]] = position.moves(state.army)
    return moves


@pytest.mark.parametrize(
    ("seed", "options"),
    [(1, {}), (2, {"direction": "right", "assassin_side": "right"}), (3, {"fallen": "block"})],
)
def test_engine_and_oracle_agree(hx_oracle: ModuleType, seed: int, options: dict[str, str]) -> None:
    rng = random.Random(seed)
    state, compared = GAME.start(GAME.setup(None, options)), 0
    for _ in range(400):
        legal = list(GAME.legal(state))
        if not legal:
            break
        if state.turn.stage == FRESH:
            assert engine(state) == naive(hx_oracle, state)
            compared += 1
        centre = [a for a in legal if g.NAMES[g.GROUND_ZERO] in (a.origin, a.target)]
        takes = [a for a in legal if GAME.effect(state, a).captures] if rng.random() < 0.2 else []
        state = GAME.advance(state, rng.choice(centre or takes or legal))
    assert compared >= 60


def test_engine_and_oracle_agree_on_ground_zero(hx: ModuleType, hx_oracle: ModuleType) -> None:
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
            f"{text}; silver {kinds[number % len(kinds)]} 0 0", out=rng.choice(("", "blue"))
        )
        assert engine(state) == naive(hx_oracle, state)
