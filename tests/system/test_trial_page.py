"""Trying the hardware out in a browser: by taps and by keys, and what is said at the end."""

from __future__ import annotations

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.live.hardware_trial import HardwareTrial
from companion.table import Table
from companion.table.evening import Evening
from hardware.pins import Pins
from tests.checks.panels import dark_panel

FELT = ["a1"]


@pytest.fixture
def trial(browser):
    """A page on which a table of chess with one button is tried out, and what tries it."""
    game = find_game("chess")
    table = Table.create(Journal(":memory:"), game, game.setup())
    panel = dark_panel(table)
    tried = HardwareTrial(panel, lambda: 0.0, Pins(turn=5), lambda name: None, lambda: FELT)
    app = web.create_app(Evening(table), config=web.Config(trust_machine=True, trial=tried))
    with web.Server(app, port=0) as server:
        page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
        page.goto(f"http://127.0.0.1:{server.port}/trial")
        page.wait_for_selector("#begin")
        yield page, panel, tried
        page.context.close()


def asked(page, text):
    """Wait until a step asks this, and its light has been set."""
    page.wait_for_function("text => document.getElementById('ask').textContent === text", arg=text)


def felt(page, text):
    """Wait until this is told of the board of sensors."""
    page.wait_for_function("text => document.getElementById('felt').textContent === text", arg=text)


def lit(page, panel, spots):
    """Wait until just these spots shine."""
    for _ in range(200):
        if set(panel.glow(0.0)) == spots:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{set(panel.glow(0.0))} shine, not {spots}")


def test_every_light_is_walked_by_taps_and_keys_and_faults_are_told(trial):
    page, panel, tried = trial
    every = set(panel.spots())
    page.click("#begin")
    asked(page, "Do all lights shine red?")
    lit(page, panel, every)
    page.click("#yes")
    asked(page, "Do all lights shine green?")
    page.keyboard.press("n")
    asked(page, "Do all lights shine blue?")
    page.keyboard.press("Enter")
    asked(page, "Does a1 shine, and nothing else?")
    lit(page, panel, {"a1"})
    page.keyboard.press("ArrowRight")
    asked(page, "Does a2 shine, and nothing else?")
    page.click("#no")
    page.keyboard.press("ArrowLeft")
    asked(page, "Does a2 shine, and nothing else?")
    lit(page, panel, {"a2"})
    page.click("#past")
    asked(page, "Press the button that ends the turn.")
    lit(page, panel, set())
    assert tried.takes("turn")
    felt(page, "Felt now: a1")
    FELT.clear()
    felt(page, "Nothing is felt now.")
    assert page.is_visible("#felt")
    page.click("#yes")
    page.wait_for_selector("#result:not([hidden])")
    failed = page.locator("#failed li").all_text_contents()
    assert len(failed) == 2
    assert failed[0].startswith("Do all lights shine green? Another colour")
    assert failed[1].startswith("a2: ")
    for _ in range(200):
        if tried.frame() is None:
            break
        page.wait_for_timeout(20)
    assert not tried.takes("turn")


def test_what_is_tapped_last_shines_though_a_slow_connection_brings_it_first(trial):
    page, panel, _ = trial
    held = []
    page.click("#begin")
    lit(page, panel, set(panel.spots()))
    page.route("**/api/trial/show*", lambda route: held.append(route))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    asked(page, "Does a1 shine, and nothing else?")
    let_through = 0
    while let_through < 3:
        page.wait_for_timeout(20)
        while held:
            held.pop().continue_()
            let_through += 1
    lit(page, panel, {"a1"})


def test_the_walk_goes_on_by_itself_until_it_is_stopped(trial):
    page, *_ = trial
    page.click("#begin")
    for _ in range(3):
        page.click("#skip")
    asked(page, "Does a1 shine, and nothing else?")
    page.click("#walk")
    asked(page, "Does a4 shine, and nothing else?")
    page.click("#walk")
    assert page.get_attribute("#walk", "aria-pressed") == "false"


def test_a_page_that_is_left_gives_the_lights_back(trial):
    page, panel, tried = trial
    page.click("#begin")
    lit(page, panel, set(panel.spots()))
    page.goto(page.url.replace("/trial", "/settings"))
    for _ in range(200):
        if tried.frame() is None:
            return
        page.wait_for_timeout(20)
    raise AssertionError("the lights are still those of the trial")


def test_the_picture_of_the_camera_is_seen_whole_on_a_phone(trial):
    page, *_ = trial
    page.evaluate("document.getElementById('picture').hidden = false")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#picture").evaluate("picture => picture.width / picture.height") > 1.2
