"""What every test may use: the tiny game. And what coverage is measured by."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import HealthCheck, settings

from companion.games import find_game
from tests.tiny.tiny_game import TinyGame

TESTS = Path(__file__).parent
# How long an example takes is the machine's affair: tests pin behaviour on busy ones as well.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

UNMEASURED = tuple(TESTS / name for name in ("cameras", "hardware", "system", "vision"))
"""Tests that prove nothing of the rules and games: measuring them takes thrice the time."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure no test of these folders; what is marked ``no_cover`` pytest-cov leaves out."""
    measured = coverage.Coverage.current()
    if measured is None or not any(folder in item.path.parents for folder in UNMEASURED):
        return (yield)
    measured.stop()
    try:
        return (yield)
    finally:
        measured.start()


@pytest.fixture
def wishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is asked for to begin an evening at a simulated table, with the first of the games."""
    # The tests of the rules do without all that an evening needs.
    from tests.checks.switches import NAMES, evening_with

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return evening_with(find_game(NAMES[0]), tmp_path)


@pytest.fixture(scope="session")
def tiny() -> Any:
    """A whole game on nine squares (see tiny/tiny_game.py)."""
    return TinyGame()
