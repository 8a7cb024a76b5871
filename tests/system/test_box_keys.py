"""The box of the simulated table in a browser: its buttons are keys that are tapped or held."""

from __future__ import annotations

import pytest


@pytest.mark.slow
def test_a_held_button_takes_a_move_back_and_a_touch_does_not(house):
    house.move("h2", "h4")
    house.wait_for("state.position.h4")
    undo = house.table.locator("[data-key=undo]")
    undo.click()
    house.table.wait_for_function(
        "() => document.getElementById('hint').textContent.includes('0.8')"
    )
    assert house.state()["position"].get("h4")
    undo.focus()
    house.table.keyboard.down(" ")
    house.wait_for("!state.position.h4 && state.position.h2")
    house.table.keyboard.up(" ")
    house.table.wait_for_selector("[data-key=undo]:not(.held)")


@pytest.mark.slow
def test_the_knob_dims_the_lights_and_the_turn_button_says_what_it_cannot_do(house):
    bright = house.state()["settings"]["brightness"]
    house.table.click("[data-key=dimmer]")
    house.wait_for(f"state.settings.brightness === {bright - 10}")
    house.table.click("[data-key=turn]")
    house.table.wait_for_function(
        "() => document.getElementById('hint').textContent.includes('no turn')"
    )
