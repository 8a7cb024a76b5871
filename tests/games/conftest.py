"""Helpers for the tests of the games."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from companion.conformance import random_play
from tests.checks import card_rounds, heximeros_tables, mountain_play
from tests.oracle import victorus_match as side_by_side
from tests.oracle import victorus_oracle as naive_victorus


@pytest.fixture(scope="session")
def victorus_oracle() -> ModuleType:
    """The naive Victorus that the engine is compared with."""
    return naive_victorus


@pytest.fixture(scope="session")
def victorus_match() -> ModuleType:
    """The engine and the oracle side by side."""
    return side_by_side


@pytest.fixture(scope="session")
def checks() -> ModuleType:
    """What holds of every state and action of every game."""
    return random_play


@pytest.fixture(scope="session")
def cards() -> ModuleType:
    """Rounds and tables of Victory & Honor."""
    return card_rounds


@pytest.fixture(scope="session")
def hx() -> ModuleType:
    """Positions of HexiMeros by coordinates."""
    return heximeros_tables


@pytest.fixture
def ready() -> Any:
    """A mountain whose hero and tactic are chosen."""
    return mountain_play.chosen()


@pytest.fixture
def fight(ready: Any) -> Any:
    """What builds a fight at the foot of the mountain."""
    return mountain_play.fights(ready)
