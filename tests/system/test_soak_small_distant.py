"""A small part of tests.soak.soak_distant."""

from __future__ import annotations

import os

import pytest

from tests.checks.club_servers import MISSING, MOSQUITTO
from tests.soak.soak_distant import run

pytestmark = pytest.mark.thorough


def test_games_over_a_line_that_loses_delays_reorders_and_breaks_have_one_truth():
    if MOSQUITTO is None:
        assert not os.environ.get("CI"), MISSING
        pytest.skip(MISSING)
    counts = run(games=3, actions=15, seed=5)
    assert counts["events"] > 20
    assert min(counts[f"messages {what}"] for what in ("lost", "late", "cut")) > 0
