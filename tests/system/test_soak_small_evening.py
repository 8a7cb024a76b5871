"""A short evening at random (see soak/soak_evening.py), and proof that it sees what is wrong."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.checks.living_house import Broken, LivingHouse
from tests.soak import soak_evening as soak


@pytest.mark.slow
@pytest.mark.parametrize("steps", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_a_short_evening_breaks_nothing(browser, steps):
    told = soak.evenings(steps, 4, browser)
    assert told["steps"] >= steps
    assert told["pages"] > 0
    assert told["games"] > 0


def test_dice_to_be_written_down_are_none_that_lie_on_the_mat(browser):
    page = browser.new_page()
    page.set_content(
        '<button class="die" data-at="0">sword</button>'
        '<svg><g class="zone" data-zone="pool"></g>'
        '<g class="die" data-number="1" data-token="red 4" data-zone="pool"></g></svg>'
    )
    assert page.evaluate(soak.SHOWN) == [{}, {"1": "pool"}]
    page.close()


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (500, b"Internal Server Error"),
        (503, {"ok": False, "error": {"message": "the disk is full"}}),
        (400, {"ok": False, "error": {"message": "placement=free needs more pieces than has_any"}}),
        (400, {"ok": False, "error": {"message": ""}}),
    ],
)
def test_an_answer_that_nobody_should_get_is_seen(status, told):
    house = LivingHouse.__new__(LivingHouse)
    house.counts, house.trouble = Counter(), False
    with pytest.raises(Broken):
        house.heard("POST", "/api/new", {}, status, told)


def test_an_action_that_is_gone_after_a_restart_is_seen(tmp_path):
    house = LivingHouse(tmp_path, "chess")
    try:
        house.kill()
        house.news.append([999, "action", "camera", "e2-e4"])
        with pytest.raises(Broken, match="e2-e4"):
            house.start()
    finally:
        house.close()
