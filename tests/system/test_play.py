"""The whole product as a user starts it: a process, a browser, hands on the simulated table."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

CHROMIUM = os.environ.get("COMPANION_CHROMIUM") or shutil.which("chromium")
PATIENCE = 60_000  # milliseconds; a slow machine renders a few frames a second

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")


class House:
    """A running ``companion play`` for red and purple, and the browser's two pages on it."""

    def __init__(self, folder, browser):
        self._journal = folder / "game.sqlite3"
        self._browser = browser
        self._process = None
        self.table = self.phone = None

    def start(self):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "play", "victorus", "--seats", "red,purple",
             "--port", "0", "--host", "127.0.0.1", "--journal", str(self._journal), "--json"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        facts = json.loads(self._process.stdout.readline())
        self.table = self._open(facts["table"], {"width": 1280, "height": 800})
        self.phone = self._open(facts["page"], {"width": 360, "height": 740})
        self.wait_for("state.camera.still && !state.camera.differs.length")
        return self

    def wait_for(self, condition):
        """Wait until ``condition``, a JavaScript expression of ``state``, holds."""
        self.phone.wait_for_function(
            f"fetch('/api/state').then(answer => answer.json()).then(state => {condition})"
        )

    def _open(self, address, viewport):
        page = self._browser.new_context(viewport=viewport).new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.wait_for_selector("#pill[data-live=yes]")
        return page

    def kill(self):
        """Pull the plug."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()

    def lift(self, spot):
        self.table.locator(f'[data-spot="{spot}"]').dispatch_event("click")

    put = lift

    def on_the_phone(self, text):
        self.phone.wait_for_function("text => document.body.innerText.includes(text)", arg=text)

    def state(self):
        return self.phone.evaluate("fetch('/api/state').then(answer => answer.json())")


@pytest.fixture(scope="module")
def browser():
    flags = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(flags))
        yield chromium
        chromium.close()


@pytest.fixture
def house(tmp_path, browser):
    house = House(tmp_path, browser).start()
    yield house
    house.kill()


def test_a_piece_moved_by_hand_is_seen_ruled_on_scored_and_survives_a_kill(house):
    house.lift("h2")
    house.on_the_phone("In the hand: red black T from h2")
    house.on_the_phone("may go here")

    house.put("h4")
    house.on_the_phone("red black T h2 → h4")
    assert house.state()["to_move"] == "purple"

    house.lift("h13")
    house.put("h12")
    house.on_the_phone("Not allowed")
    house.on_the_phone("VIC-4.2")
    assert house.state()["to_move"] == "purple", "a refused move changes nothing"

    house.lift("h12")
    house.put("h13")
    house.wait_for("state.camera.still && !state.camera.differs.length && !state.camera.lifted")
    before = house.state()
    house.kill()
    house.start()
    after = house.state()
    assert after["position"] == before["position"]
    assert after["to_move"] == "purple"

    house.lift("j13")
    house.put("j11")
    house.on_the_phone("purple black T j13 → j11")
    assert house.state()["to_move"] == "red"
