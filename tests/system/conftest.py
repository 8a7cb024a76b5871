"""A running ``companion play`` with its pages."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from functools import partial

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.runtime.programs import mortal
from companion.table import Table
from tests.checks.chromium import NAME
from tests.checks.pages_alone import Top, Words, joined, opening, serving

PATIENCE = 60_000  # milliseconds; a slow machine renders a few frames a second
TURNS = 4
"""Times that a page may be left for that of another game while something is waited for."""
TABLE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
COMES = """async (until) => {
  const { game } = document.body.dataset;
  for (const end = Date.now() + until; Date.now() < end; ) {
    const state = await (await fetch("/api/state")).json().catch(() => null);
    if (state && (!game || game === String(state.game_id)) && (CONDITION)) return true;
    // A house answers no more than hands can ask.
    await new Promise((done) => setTimeout(done, 300));
  }
  return false;
}"""
SERVICE = (
    "import socket, sys; socket.gethostname = lambda: 'companion'; "
    "from companion.cli import main; sys.exit(main())"
)
"""``companion`` on a machine that bears the name by which phones find the table."""


class House:
    """A running ``companion play``, by default for red and purple; hands on its simulated table,
    and phones."""

    def __init__(self, folder, browser, game=("victorus", "--seats", "red,purple")):
        self._game, self._folder = game, folder
        self.journal = folder / "game.sqlite3"
        self._browser = browser
        self._process = None
        self._contexts = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.table = self.facts = None

    @property
    def address(self):
        return f"http://{NAME}:{self.port}"

    def serve(self):
        """Start the process; the address stays the same over restarts."""
        self._process = subprocess.Popen(
            mortal(
                [sys.executable, "-c", SERVICE, "play", *self._game,
                 "--port", str(self.port), "--host", "127.0.0.1", "--journal", str(self.journal),
                 "--json"], signal.SIGTERM,
            ),
            stdout=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_DATA_HOME": str(self._folder)},
        )  # fmt: skip
        self.facts = json.loads(self._process.stdout.readline())

    def start(self):
        """Start the process and open the simulated table; return when its camera sees it."""
        self.serve()
        # The simulated table is seen at the machine itself, which needs no invitation.
        self.table = self.open(self.facts["table"], TABLE)
        self.wait_for("state.camera.still && !state.camera.differs.length")
        return self

    def open(self, address, viewport=PHONE):
        """Open a page as a browser of its own."""
        context = self._browser.new_context(viewport=viewport)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.wait_for_selector("#pill[data-live=yes]")
        return page

    def phone(self, seat=None, *, host=False):
        """Scan the code with a phone, or the host's with his; sit down on ``seat``, if any."""
        code = self.facts["host" if host else "invitation"].partition("#")[2]
        page = self.open(f"{self.address}/join#{code}")
        page.wait_for_selector("[id^=sit-], [id^=leave-]")
        if seat:
            page.click(f"#sit-{seat}")
            page.wait_for_selector(f"#leave-{seat}")
        self.visit(page, "/")
        assert not page.evaluate("isSecureContext")
        return page

    def visit(self, phone, path):
        """Open another page on a phone, once its page is about to be loaded anew no more."""
        self.wait_for("true", phone)
        phone.goto(self.address + path)
        phone.wait_for_selector("#pill[data-live=yes]")
        return phone

    def state(self):
        return self.table.evaluate("fetch('/api/state').then(answer => answer.json())")

    def wait_for(self, condition, page=None):
        """Wait until ``condition``, a JavaScript expression of ``state``, holds, and the page, the
        table's if none is told, is that of the game: for another one it loads itself anew."""
        from playwright.sync_api import Error

        page = page or self.table
        met = None
        for again in range(TURNS):
            try:
                met = page.evaluate(COMES.replace("CONDITION", condition), PATIENCE)
                break
            except Error:
                # The page was left for that of another game.
                if again == TURNS - 1:
                    raise
                page.wait_for_load_state()
        assert met, f"it never came to be that {condition}"

    def in_order(self):
        """Wait until the camera sees the table as the game says it is."""
        self.wait_for("state.camera.still && !state.camera.differs.length && !state.camera.lifted")

    def touch(self, spot):
        """Take the piece on ``spot``, or put down there the one in the hand."""
        self.table.locator(f'[data-spot="{spot}"]').dispatch_event("click")

    def move(self, origin, target):
        """Move a piece by hand; what stood on ``target`` is laid beside the board."""
        self.touch(origin)
        self.table.wait_for_selector(f'[data-spot="{origin}"]:not([data-token])')
        self.touch(target)
        self.table.wait_for_selector(f'[data-spot="{target}"][data-token]')

    def kill(self):
        """Pull the plug."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()
        self._process = None

    def close(self):
        self.kill()
        for context in self._contexts:
            context.close()


@pytest.fixture
def empty_house(tmp_path, browser):
    """A house in which nothing runs yet: a test may lay a journal down first."""
    house = House(tmp_path, browser)
    yield house
    house.close()


@pytest.fixture
def house_of(tmp_path, browser):
    """What starts a house at the beginning of any game."""
    opened = []

    def start(*game):
        opened.append(House(tmp_path, browser, game))
        return opened[-1].start()

    yield start
    for house in opened:
        house.close()


@pytest.fixture
def house(empty_house):
    """A house at the start of a game of Victorus for red and purple."""
    return empty_house.start()


@pytest.fixture(scope="module")
def game():
    return find_game("victorus")


@pytest.fixture
def table(game):
    with Journal() as journal:
        yield Table.create(journal, game, game.setup())


@pytest.fixture
def top(table):
    return Top(table.game.expect(table.state))


@pytest.fixture
def lit():
    return {}


@pytest.fixture
def eyes():
    return Words()


@pytest.fixture
def server(table, top, lit, eyes):
    with serving(table, top, lit, eyes) as server:
        yield server


@pytest.fixture
def open_page(browser, server):
    """Open a page as a new phone; at the end none of them may have complained."""
    with opening(browser, server, PATIENCE) as open_page:
        yield open_page


@pytest.fixture
def join(open_page, server):
    """Open a phone that came in by an invitation."""
    return partial(joined, open_page, server)
