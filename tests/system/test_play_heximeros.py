"""The simulated camera sees a board of 655 spaces, and the reader tells every move on it."""

from __future__ import annotations

import pytest

from tests.soak import soak_vision as soak


@pytest.mark.slow
def test_moves_of_six_armies_are_read_without_a_fault():
    plan = soak.Plan(3, (1280, 960), "markers", "own", False)
    score = soak.run("heximeros", plan, moves=9)
    assert score.counts["actions"] >= 9
    assert score.failures == []
    assert score.by_p[0.99][0] == score.by_p[0.99][1] >= 9
