"""The engine and the naive oracle never differ; soak/soak_oracles.py plays it at length."""

from __future__ import annotations

from types import ModuleType

import pytest

pytestmark = pytest.mark.no_cover  # whole games: other tests prove line by line


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
def test_engine_and_oracle_agree_on_short_random_games(
    victorus_match: ModuleType, seed: int
) -> None:
    assert victorus_match.compare(seed, 60) > 0
