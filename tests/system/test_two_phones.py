"""Two phones and the simulated table play a short game of Victorus: disputed, corrected, taken
back, cut off, reloaded in mid-turn, and won."""

from __future__ import annotations

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.table import Table

SEATS = ("red", "purple")
MOVED = {"purple half K": "j7", "red white E": "n6"}
"""Purple's King came out too far: an Excalibur will take him."""


@pytest.fixture
def late(empty_house):
    """A house in which the game stands shortly before its end, red to move."""
    game = find_game("victorus")
    setup = game.setup(SEATS)
    position = {
        spot: token for spot, token in game.expect(game.start(setup)).items() if token not in MOVED
    }
    position |= {spot: token for token, spot in MOVED.items()}

    with Journal(empty_house.journal) as journal:
        table = Table.create(journal, game, setup)
        table.arrange(position, "table")
    return empty_house.start()


def piece(page, spot, token):
    page.wait_for_selector(f'[data-spot="{spot}"][data-token="{token}"]')


def disputed(house, red, purple):
    """An Excalibur goes where it may not: the ruling comes to both phones by itself."""
    house.move("i1", "h4")
    for phone in (red, purple):
        phone.wait_for_selector(".refused .verdict.no")
    purple.click("text=Show why")
    purple.wait_for_selector("#point[data-at]")
    purple.fill("#from", "i1")
    purple.fill("#to", "h4")
    purple.click("text=Ask")
    purple.wait_for_selector("#answer .verdict.no")
    assert "VIC-" in purple.locator("#answer").inner_text()
    house.move("h4", "i1")
    house.in_order()
    house.visit(purple, "/")


def corrected(house, red):
    """The camera was wrong, says a phone: it was another piece that went there."""
    origin, target = "l2", "l4"
    token = house.state()["position"][origin]
    house.move(origin, target)
    piece(red, target, token)
    red.click("[data-sheet=moves]")
    red.click("#correct")
    # Its cell could be tapped; a list tells the same.
    red.click("#answer > button")
    red.wait_for_selector("dialog .list button")
    said = red.locator("dialog .list button").first.inner_text()
    red.locator("dialog .list button").first.click()
    red.wait_for_selector("dialog:not(.drawn)", state="detached")
    red.wait_for_function("text => document.body.innerText.includes(text)", arg="corrected")
    assert said in red.locator("#part-turn").text_content()


def taken_back(house, red):
    """By the phone, then by the hand."""
    origin, target = "l2", "l4"
    red.click("#undo")
    house.wait_for("state.to_move === 'red'")
    house.move(target, origin)
    house.in_order()


def cut_off(house, red, purple):
    """The plug is pulled, and both phones come back by themselves."""
    house.kill()
    red.wait_for_selector("#pill:not([data-live=yes])")
    house.serve()
    for phone in (red, purple):
        phone.wait_for_selector("#pill[data-live=yes]")
    house.in_order()


def reloaded(house, red):
    """In the middle of a turn a page is opened anew."""
    house.move("n6", "j7")
    piece(red, "j7", "red white E frozen")
    red.reload()
    assert "Your turn" in red.locator("#part-turn").inner_text()
    assert red.locator('#card-red .coin use[href="#t-purple_20_half_20_K"]').count() >= 1
    house.in_order()


@pytest.mark.slow
def test_a_short_game_with_everything_that_goes_otherwise(late):
    house = late
    red, purple = house.phone("red"), house.phone("purple")
    assert "Your turn" in red.locator("#part-turn").inner_text()
    assert "To move" in purple.locator("#part-turn").inner_text()
    disputed(house, red, purple)
    corrected(house, red)
    taken_back(house, red)
    cut_off(house, red, purple)
    reloaded(house, red)

    # Without his King, Purple has seen enough.
    purple.click("[data-sheet=more]")
    purple.click("#resign-purple")
    purple.click("dialog >> text=Yes")
    for phone in (red, purple):
        phone.wait_for_selector("#part-turn .over")
        assert "Red" in phone.locator("#part-turn .over").inner_text().title()
    assert house.state()["outcome"]["winners"] == ["red"]
