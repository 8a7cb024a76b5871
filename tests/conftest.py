"""What every test may use: the tiny game. And what coverage is measured by."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import HealthCheck, settings

from tests.tiny.tiny_game import TinyGame

TESTS = Path(__file__).parent
# How long an example takes is the machine's affair: tests pin behaviour on busy ones as well.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

PROVERS = (TESTS / "rules", TESTS / "games")
"""Rules and games are proved by their own tests; measuring the others too takes thrice the time."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Stop measuring for tests that prove nothing of the rules, and such as are ``no_cover``."""
    measured = coverage.Coverage.current()
    proves = any(folder in item.path.parents for folder in PROVERS)
    if measured is None or (proves and not item.get_closest_marker("no_cover")):
        return (yield)
    measured.stop()
    try:
        return (yield)
    finally:
        measured.start()


@pytest.fixture(scope="session")
def tiny() -> Any:
    """A whole game on nine squares (see tiny/tiny_game.py)."""
    return TinyGame()
