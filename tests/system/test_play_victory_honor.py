"""Victory & Honor at the simulated table: cards laid by hand, read by the camera, told to all."""

from __future__ import annotations

import pytest


def shown(page, text):
    """Wait until ``page`` shows ``text``, if only in the sheet of the scorecards."""
    sheet = "document.getElementById('part-situation')?.textContent"
    either = f"text => [document.body.innerText, {sheet}].some((told) => told?.includes(text))"
    page.wait_for_function(either, arg=text)


def lay(house, spot, token):
    """Lay a card from beside the table on ``spot``, as a hand on the page does."""
    house.table.locator(f'#off button[data-token="{token}"]').first.click()
    house.touch(spot)
    house.table.wait_for_selector(f'[data-spot="{spot}"][data-token="{token}"]')


@pytest.mark.slow
def test_cards_laid_on_the_table_are_read_and_one_is_entered_by_phone(house_of):
    house = house_of("victory_honor")
    phone = house.phone("west")
    shown(phone, "Step 1 of 2")

    lay(house, "south.L", "red 1")
    shown(phone, "Red is open in the left flank.")
    assert house.state()["to_move"] == "west"
    phone.click("[data-sheet=decide]")
    phone.get_by_role("button", name="The scout orders the centre").click()
    shown(phone, "A scout has ordered West to the centre.")

    lay(house, "west.L", "red 5")
    shown(phone, "Not allowed")
    shown(phone, "VH-5.1")
    assert house.state()["to_move"] == "west"
    house.touch("west.L")
    house.table.click("#remove")
    lay(house, "west.C", "blue 5")
    shown(phone, "Blue 5 (West's centre) is ahead in the centre.")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.slow
def test_a_machine_is_told_its_cards_on_a_page_that_forgets_them(house_of):
    house = house_of("victory_honor")
    phone = house.phone("west")
    phone.click("[data-sheet=decide]")
    phone.get_by_role("button", name="The cards are dealt").click()
    shown(phone, "Step 2 of 2")
    house.visit(phone, "/join")
    phone.locator("#machine-south summary").click()
    phone.locator("#machine-south-1").click()
    house.visit(phone, "/")
    phone.get_by_role("link", name="Tell the cards of south").click()
    cards = [f"red {rank}" for rank in range(1, 8)] + ["black 1", "black 2", "black 3"]
    for card in cards:
        phone.locator(f'[data-card="{card}"]').click()
    shown(phone, "10 / 10")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.get_by_role("button", name="That is all").click()
    shown(phone, "South passes card")
    said = phone.locator("section[aria-label='The machine']").inner_text()
    assert not any(card in said for card in cards)


@pytest.mark.slow
def test_cards_are_laid_by_the_buttons_of_a_phone_where_no_camera_plays(house_of):
    house = house_of("victory_honor")
    phone = house.phone("south", host=True)
    house.visit(phone, "/settings")
    with phone.expect_response("**/api/settings*") as kept:
        phone.select_option("[name=play]", "phone")
    assert kept.value.ok
    house.visit(phone, "/")
    phone.locator("[data-spot='south.C']").dispatch_event("click")
    phone.locator("[id='place-south.C']").get_by_role("button", name="Red 2").click()
    shown(phone, "Red is open in the centre.")
    assert house.state()["position"]["south.C"] == "red 2"
