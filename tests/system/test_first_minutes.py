"""The first five minutes at the simulated table: the page leads, and a real camera ticks it off."""

from __future__ import annotations

import pytest


@pytest.mark.thorough
def test_lift_put_wrong_ask_put_right_and_undo(house_of):
    house = house_of("victorus", "--seats", "red,purple")
    page = house.table
    guide = page.evaluate("({...document.getElementById('guide').dataset})")
    assert page.is_visible("[data-step=lift]")
    house.touch(guide["origin"])
    page.wait_for_selector("[data-step=wrong]:visible")
    assert "It lights" in page.inner_text("#guide")
    house.touch(guide["wrong"])
    page.wait_for_selector("[data-step=ask]:visible")
    page.click("#guide-ask")
    page.wait_for_selector("[data-step=undo]:visible")
    assert page.inner_text("#guide-answer")
    house.move(guide["wrong"], guide["target"])
    house.wait_for("state.last.length && state.camera.still && !state.camera.differs.length")
    page.click("#guide-undo")
    page.wait_for_selector("[data-step=undo].ticked")
    page.click("#guide-skip")
    assert not page.is_visible("#guide")
    page.reload()
    page.wait_for_selector("#pill[data-live=yes]")
    assert not page.is_visible("#guide")
    page.click("#guide-open")
    page.wait_for_selector("[data-step=lift]:visible")


@pytest.mark.slow
def test_a_first_evening_is_ticked_off_as_it_goes(house_of):
    house = house_of("chess")
    page = house.phone()
    house.visit(page, "/start")
    page.wait_for_selector("#begin-set.ticked")
    assert not page.query_selector("#begin-move.ticked")
    page.wait_for_selector("#camera-remarks li")
    house.move("e2", "e4")
    page.wait_for_selector("#begin-move.ticked")
