"""The calibration page in a browser: the live picture, points moved by keys, and what is kept."""

from __future__ import annotations

import pytest


@pytest.mark.slow
def test_points_follow_the_keys_in_the_live_picture_and_are_kept(house):
    page = house.table.context.new_page()
    page.goto(house.facts["page"] + "/calibrate")
    page.wait_for_selector("#pill[data-live=yes]")
    page.wait_for_function("() => document.getElementById('camera').naturalWidth > 0")
    first = page.get_attribute("#camera", "src")
    page.wait_for_function(
        "src => document.getElementById('camera').src.indexOf(src) < 0", arg=first
    )

    point = page.locator("#points .point").first
    point.wait_for()
    assert not page.is_visible("#turn"), "the camera knows which way round the board lies"
    before = point.get_attribute("aria-label")
    point.focus()
    with page.expect_response("**/api/calibrate/place*"):
        page.keyboard.press("Shift+ArrowRight")
        assert point.get_attribute("aria-label") != before
    with page.expect_response("**/api/calibrate/place*"):
        page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_selector("#accept:enabled")
    page.click("#accept")
    page.wait_for_function("() => document.getElementById('done').textContent.includes('Kept')")
    house.in_order()
