"""Two phones and the simulated table play a short game of Victorus: disputed, corrected, taken
back, reloaded in mid-turn, cut off, and won."""

from __future__ import annotations

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.table import Table

SEATS = ("red", "purple")
MOVED = {"purple half K": "j7", "purple half Q": "k4", "red white E": "n6", "red black T": "k8"}
"""Purple's King and Queen came out too far: an Excalibur takes one, a Templar's bonus the other."""


@pytest.fixture
def late(empty_house):
    """A house in which the game stands a turn before its end, red to move."""
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


def quiet(house):
    """Return a spot from which, and one to which, the seat to move may go without capture."""
    state = house.state()
    return next(
        (origin, target)
        for origin, targets in state["legal"].items()
        for target in targets
        if target not in state["position"]
    )


def test_a_short_game_with_everything_that_goes_otherwise(late):
    house = late
    red, purple = house.phone("red"), house.phone("purple")
    assert "Your turn" in red.locator("#part-turn").inner_text()
    assert "To move" in purple.locator("#part-turn").inner_text()

    # Disputed: a Templar does not go aslant. The ruling comes to both by itself.
    house.move("k8", "i9")
    for phone in (red, purple):
        phone.wait_for_selector(".refused .verdict.no")
    purple.click("text=Show why")
    purple.wait_for_selector("#point[data-at]")
    purple.fill("#from", "k8")
    purple.fill("#to", "i9")
    purple.click("text=Ask")
    purple.wait_for_selector("#answer .verdict.no")
    assert "VIC-" in purple.locator("#answer").inner_text()
    house.move("i9", "k8")
    house.in_order()
    purple.goto(house.address + "/")

    # Corrected: it was another piece that went there.
    origin, target = quiet(house)
    token = house.state()["position"][origin]
    house.move(origin, target)
    piece(red, target, token)
    red.click("#correct")
    red.wait_for_selector("dialog .list button")
    said = red.locator("dialog .list button").first.inner_text()
    red.locator("dialog .list button").first.click()
    red.wait_for_selector("dialog", state="detached")
    red.wait_for_function("text => document.body.innerText.includes(text)", arg="corrected")
    assert said

    # Taken back: by the phone, then by the hand.
    red.click("#undo")
    red.click("dialog >> text=Yes")
    house.wait_for("state.to_move === 'red'")
    house.move(target, origin)
    house.in_order()

    # In the middle of a turn a page is opened anew, and the plug is pulled.
    house.move("n6", "j7")
    piece(red, "j7", "red white E frozen")
    red.reload()
    assert "Your turn" in red.locator("#part-turn").inner_text()
    assert red.locator('#card-red .coin[data-token="purple half K"]').count() >= 1
    house.kill()
    red.wait_for_selector("#pill:not([data-live=yes])")
    house.serve()
    for phone in (red, purple):
        phone.wait_for_selector("#pill[data-live=yes]")
    piece(red, "j7", "red white E frozen")
    house.in_order()

    # The bonus takes the Queen, and with her the game.
    house.move("k8", "k4")
    for phone in (red, purple):
        phone.wait_for_selector("#part-turn .over")
        assert "Red" in phone.locator("#part-turn .over").inner_text().title()
    assert house.state()["outcome"]["winners"] == ["red"]
