"""Victory & Honor at the simulated table: cards laid by hand, read by the camera, told to all."""

from __future__ import annotations


def shown(page, text):
    """Wait until ``page`` shows ``text``."""
    page.wait_for_function("text => document.body.innerText.includes(text)", arg=text)


def lay(house, spot, token):
    """Lay a card from beside the table on ``spot``, as a hand on the page does."""
    house.table.locator(f'#off button[data-token="{token}"]').first.click()
    house.touch(spot)
    house.table.wait_for_selector(f'[data-spot="{spot}"][data-token="{token}"]')


def test_cards_laid_on_the_table_are_read_and_one_is_entered_by_phone(house_of):
    house = house_of("victory_honor")
    phone = house.phone("west")
    shown(phone, "South plays where he likes.")

    lay(house, "south.L", "red 1")
    shown(phone, "red is open in the left flank.")
    assert house.state()["to_move"] == "west"
    phone.get_by_role("button", name="The scout orders the centre").click()
    shown(phone, "A scout has ordered West to the centre.")

    lay(house, "west.L", "red 5")
    shown(phone, "Not allowed")
    shown(phone, "VH-5.1")
    assert house.state()["to_move"] == "west"
    house.touch("west.L")
    house.table.click("#remove")
    lay(house, "west.C", "blue 5")
    shown(phone, "blue 5 (West's centre) is ahead in the centre.")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
