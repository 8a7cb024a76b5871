"""Hoplomachus: Victorum as one person plays it with a phone: dice are tapped, cards are entered."""

from __future__ import annotations

import pytest

from companion.games import find_game
from companion.games.hoplomachus.cards import invented
from companion.rules import said_by


def called(camp):
    """Return what people call a camp."""
    row, _, number = camp.partition(".")
    return f"camp {number} of row {row}"


def shown(page, text):
    """Wait until ``page`` shows ``text``, if only in the sheet of the scorecards."""
    sheet = "document.getElementById('part-situation')?.textContent"
    either = f"text => [document.body.innerText, {sheet}].some((told) => told?.includes(text))"
    page.wait_for_function(either, arg=text)


def press(page, name, exact=False):
    button = page.get_by_role("button", name=name, exact=exact, include_hidden=True).first
    button.wait_for(state="attached")
    if not button.is_visible():
        page.click("[data-sheet=decide]")
    button.click()


def words(page, title):
    """Return what the dice of the form called ``title`` show."""
    shown(page, title)
    return page.locator("form.compose .die").all_inner_texts()


def alone():
    """Return a camp at the foot whose open card is an enemy that calls no others."""
    game = find_game("hoplomachus")
    lying = game.expect(game.start(game.setup(None, {"deal": "2"})))
    cards = {camp: invented()[lying[camp]] for camp in ("1.1", "1.2", "1.3", "1.4")}
    return next(camp for camp, card in cards.items() if card.is_enemy and not card.plus)


def engaged_by_phone(house):
    """Return a phone on which a yellow and a blue die were sent into a fight."""
    phone = house.phone("player")
    press(phone, "Hero:")
    press(phone, "Tactic: Rally")
    shown(phone, f"{called('1.1').capitalize()}:")
    press(phone, f"Move to {called(alone())}")
    press(phone, "Face the top card")
    words(phone, "Tap the dice that join")
    for yellow_or_blue in (0, 4):
        phone.locator("form.compose .die").nth(yellow_or_blue).click()
    press(phone, "Go on", exact=True)
    shown(phone, "Still to be rolled")
    return phone


@pytest.mark.slow
def test_dice_thrown_on_the_mat_are_the_roll_on_the_phone(house_of):
    house = house_of("hoplomachus", "--option", "deal=2")
    phone = engaged_by_phone(house)
    house.table.click("#throw")
    house.wait_for("state.recent[0].action?.startsWith('roll')")
    world = house.table.evaluate("fetch('/api/virtual/table').then((answer) => answer.json())")
    lying = [die["token"].replace(" ", "=") for die in world["dice"] if die["zone"] == "active"]
    game = find_game("hoplomachus")
    thrown = game.parse(game.setup(), "roll " + " ".join(lying))
    rolled = house.state()["recent"][0]
    assert (rolled["action"], rolled["actor"]) == (game.format(thrown), "camera")
    shown(phone, said_by(game, thrown))


@pytest.mark.slow
def test_a_fight_is_played_by_phone_and_a_card_is_entered(house_of):
    house = house_of("hoplomachus", "--option", "deal=2")
    phone = house.phone("player")
    shown(phone, "These cards are invented")
    press(phone, "Hero:")
    press(phone, "Tactic: Rally")
    shown(phone, f"{called('1.1').capitalize()}:")
    camp = alone()
    press(phone, f"Move to {called(camp)}")
    press(phone, "Face the top card")

    assert words(phone, "Tap the dice that join") == ["stays"] * 9
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    for die in phone.locator(".die").all():
        die.click()
    press(phone, "Go on", exact=True)
    assert words(phone, "until it shows what was rolled") == ["blank"] * 8 + ["hit"]
    for die in phone.locator(".die").all()[:4]:
        die.focus()
        phone.keyboard.press("Enter")
    press(phone, "Go on", exact=True)
    press(phone, "die (hit) on")
    shown(phone, ": 1 of")
    phone.wait_for_selector('[data-spot="enemy.1"][data-token]:has(use)')
    # The dice were told, and not carried.
    house.wait_for("state.camera.differs.length")
    house.table.get_by_role("button", name="Set the table as the game stands").click()
    house.in_order()

    house.visit(phone, "/cards")
    assert not phone.locator("[name=health]").is_visible()
    phone.fill("[name=name]", "Wolf")
    phone.keyboard.press("Enter")
    shown(phone, "an invented card is called Wolf")
    phone.fill("[name=name]", "Halberdier")
    phone.fill("[name=hits]", "3")
    phone.keyboard.press("Enter")
    shown(phone, "ENTERED SO FAR (1)")
    phone.click("text=Change")
    phone.wait_for_selector("[name=hits][value='3']")
    phone.select_option("[name=kind]", "hero")
    phone.fill("[name=health]", "5")
    press(phone, "Keep this card")
    phone.wait_for_selector("li:has-text('hero')")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
