"""The beginning of a game whose dice lie before a simulated camera: thrown, assigned, put away."""

from __future__ import annotations

import pytest

from tests.checks.tray_games import play


@pytest.mark.slow
def test_every_roll_of_a_calm_game_is_read_as_it_lies():
    game = play(8, trouble=False, most=18)
    assert game.failures == []
    assert game.counts["rolls"] >= 1
    assert game.counts["missed"] == game.counts["wrong"] == game.counts["by phone"] == 0
