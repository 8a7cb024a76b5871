"""Helpers for the tests of the games."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

TESTS = Path(__file__).parent.parent
# The tests of Hoplomachus import what they share by name.
sys.path.insert(0, str(TESTS / "checks"))


def load(folder: Path, name: str) -> ModuleType:
    """Import a helper that lies beside the tests."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return importlib.import_module(name)


@pytest.fixture(scope="session")
def victorus_oracle() -> ModuleType:
    """The naive Victorus that the engine is compared with."""
    return load(TESTS / "oracle", "victorus_oracle")


@pytest.fixture(scope="session")
def victorus_match() -> ModuleType:
    """The engine and the oracle side by side."""
    return load(TESTS / "oracle", "victorus_match")


@pytest.fixture(scope="session")
def checks() -> ModuleType:
    """What holds of every state and action of every game."""
    return load(TESTS / "checks", "game_checks")


@pytest.fixture(scope="session")
def cards() -> ModuleType:
    """Rounds and tables of Victory & Honor."""
    return load(TESTS / "checks", "card_rounds")


@pytest.fixture(scope="session")
def hx() -> ModuleType:
    """Positions of HexiMeros by coordinates."""
    return load(TESTS / "checks", "heximeros_tables")


@pytest.fixture(scope="session")
def hx_oracle() -> ModuleType:
    """The naive HexiMeros that the engine is compared with."""
    return load(TESTS / "oracle", "heximeros_oracle")


@pytest.fixture
def ready() -> Any:
    """A mountain whose hero and tactic are chosen."""
    return load(TESTS / "checks", "mountain_play").chosen()


@pytest.fixture
def fight(ready: Any) -> Any:
    """What builds a fight at the foot of the mountain."""
    return load(TESTS / "checks", "mountain_play").fights(ready)
