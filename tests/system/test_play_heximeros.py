"""The simulated camera sees a board of 655 spaces, and the reader tells every move on it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def soak():
    for folder in (TESTS / "checks", TESTS / "soak"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    return importlib.import_module("soak_vision")


def test_moves_of_six_armies_are_read_without_a_fault(soak):
    plan = soak.Plan(3, (1280, 960), "markers", "own", False)
    score = soak.run("heximeros", plan, moves=9)
    assert score.counts["actions"] >= 9
    assert score.failures == []
    assert score.by_p[0.99][0] == score.by_p[0.99][1] >= 9
