"""What every test may use: the tiny game. And in which order tests run, how many side by side."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from companion.games import find_game
from companion.runtime.native import demand_native
from tests.checks.chromium import PATH, chromium
from tests.checks.lacking import lacking, needed
from tests.tiny.tiny_game import TinyGame

TESTS = Path(__file__).parent
# How long an example takes is the machine's affair: tests pin behaviour on busy ones as well.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

LONGEST = ("system", "vision")
"""Folders whose files are begun first, so that at the end no processor waits for a long one."""


def pytest_configure() -> None:
    """Run on native code or not at all where that is asked for."""
    demand_native()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the folders of long tests first."""
    first = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(_folder(item), len(LONGEST)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spend no time on garbage that is none: what is collected here stays to the end, and tests
    leave little that goes round in circles."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


def _folder(item: pytest.Item) -> str:
    """Return the name of the folder of ``tests`` that holds ``item``."""
    inside = item.path.is_relative_to(TESTS)
    return item.path.relative_to(TESTS).parts[0] if inside else ""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run a worker more than there are processors, up to four: tests of the pages wait now and
    then for hands, pictures and disks."""
    return min(4, os.cpu_count() or 1) + 1


@pytest.fixture
def play_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is asked for to begin an evening at a simulated table, with the first of the games."""
    # The tests of the rules do without all that an evening needs.
    from tests.checks.switches import NAMES, evening_with

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return evening_with(find_game(NAMES[0]), tmp_path)


@pytest.fixture(scope="session")
def tiny() -> Any:
    """A whole game on nine squares (see tiny/tiny_game.py)."""
    return TinyGame()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window, one for all tests of a process, which cannot drive two; tests
    without it are skipped, or fail in CI."""
    needed("playwright.sync_api", "playwright")
    if PATH is None:
        lacking("there is no chromium on this machine: install it (sudo apt-get install chromium)")
    with chromium() as browser:
        yield browser
