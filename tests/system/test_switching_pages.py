"""Open pages follow every change of game, and a house that comes back: nobody has to reload one."""

from __future__ import annotations

import http.client
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from companion.games import find_game, games
from companion.live import equipping
from companion.live.composition import Composition
from tests.checks.chromium import NAME
from tests.checks.switches import PAGES_TRIPS
from web import called

NAMES = sorted(games())
PATIENCE = 60_000
WHOLE = """(number) => {
  const image = document.getElementById("camera");
  return document.body.dataset.game === String(number)
    && document.getElementById("pill").dataset.live === "yes"
    && (!image || (image.complete && image.naturalWidth > 0));
}"""
SPOTS = "[...document.querySelectorAll('#board .spot')].map((spot) => spot.dataset.spot)"


@contextmanager
def begun(play_request):
    """Begin an evening in a network that knows the table by its name."""
    with Composition(play_request) as stage:
        called(stage._app, NAME, f"http://{NAME}:{stage.port}")
        stage.start()
        yield stage


class Pages:
    """Pages that stay open; what goes wrong on any of them is kept."""

    def __init__(self, browser):
        self._browser, self._cookies = browser, None
        self._contexts = []
        self.faults, self.open = [], []

    def _page(self):
        # Each in a browser of its own: one opens no more than six connections to a house.
        context = self._browser.new_context(
            viewport={"width": 900, "height": 700}, storage_state=self._cookies
        )
        self._contexts.append(context)
        return context.new_page()

    def enter(self, stage):
        """Come in by the host's link."""
        page, code = self._page(), stage.invitation(host=True).partition("#")[2]
        page.goto(f"http://{NAME}:{stage.port}/join#{code}")
        page.wait_for_selector("[id^=sit-], [id^=leave-]")
        self._cookies = page.context.storage_state()
        page.close()

    def add(self, stage, path):
        page = self._page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(f"{path}: {error}"))
        page.on("response", lambda answer: self.answered(path, answer))
        page.goto(f"http://{NAME}:{stage.port}{path}")
        self.open.append(page)
        return page

    def answered(self, path, answer):
        if answer.status == 500:
            self.faults.append(f"{path}: {answer.status} {answer.url}")

    def arrive(self, stage):
        for page in self.open:
            page.wait_for_function(WHOLE, arg=stage.table.game_id)

    def close(self):
        for context in self._contexts:
            context.close()


@pytest.fixture
def pages(browser):
    pages = Pages(browser)
    yield pages
    pages.close()


@pytest.mark.slow
@pytest.mark.parametrize("trip", PAGES_TRIPS)
def test_the_open_table_page_follows_every_switch(play_request, pages, trip):
    with begun(play_request) as stage:
        pages.enter(stage)
        table = pages.add(stage, "/table")
        pages.arrive(stage)
        for name in trip[1:]:
            stage.evening.begin(name, None, {})
            pages.arrive(stage)
            assert set(table.evaluate(SPOTS)) == set(stage.table.game.board(stage.table.setup))
            status = stage.equipment.service.status()
            assert not status["lost"], status
        assert stage.supervisor.troubles == ()
    assert pages.faults == []


OPEN = ["/", "/view", "/calibrate", "/join", "/history", "/allowed", "/rules", "/games"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "names",
    [("chess",), pytest.param(("victorus", "hoplomachus", "chess"), marks=pytest.mark.slow)],
)
def test_every_open_page_follows_another_game_and_settings_lead_to_it(play_request, pages, names):
    with begun(play_request) as stage:
        pages.enter(stage)
        for path in OPEN:
            pages.add(stage, path)
        settings = pages.add(stage, "/settings")
        for name in names:
            stage.evening.begin(name, None, {})
            pages.arrive(stage)
        assert settings.url.endswith(f":{stage.port}/")
    assert pages.faults == []


@pytest.mark.slow
def test_pages_live_through_a_restart_into_another_game(play_request, pages):
    with begun(play_request) as stage:
        pages.enter(stage)
        for path in ("/table", "/", "/view"):
            pages.add(stage, path)
        pages.arrive(stage)
        again = play_request._replace(port=stage.port)
    other = find_game("heximeros")
    with begun(again._replace(game=other, setup=other.setup(), new=True)) as stage:
        pages.arrive(stage)
        assert stage.table.game is other
    with begun(again) as stage:
        pages.arrive(stage)
    assert pages.faults == []


@pytest.mark.slow
def test_an_error_page_of_the_house_goes_away_by_itself(play_request, pages, monkeypatch):
    with begun(play_request) as stage:
        table = stage.table
        pages.enter(stage)
        pages.add(stage, "/table")
        pages.arrive(stage)
        simulate, faulty = equipping.simulate, [True]

        def fails(*given):
            if faulty[0]:
                raise LookupError("half a table")
            return simulate(*given)

        monkeypatch.setattr(equipping, "simulate", fails)
        stage.evening.begin("chess", None, {})
        page = pages.add(stage, "/table")
        page.wait_for_selector("[data-again]")
        phone = pages.add(stage, "/")
        phone.wait_for_selector("section[aria-label='What has stopped']")
        faulty[0] = False
        pages.arrive(stage)
        assert stage.table is not table


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "missing"),
    [
        ("/", "app.js"), ("/", "board.js"), ("/", "style.css"),
        ("/", "device.js"), ("/history", "pages.js"),
    ],
)  # fmt: skip
def test_a_page_whose_scripts_or_style_never_came_loads_itself_anew(
    open_page, server, path, missing
):
    page = open_page("/rules")
    cut = []

    def lose(route):
        # The house falls while the page is loaded, and stands again a little later.
        if len(cut) < 2:
            cut.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page.route(f"**/static/{missing}*", lose)
    loaded = []
    page.on("domcontentloaded", lambda page: loaded.append(page.url))
    page.goto(f"http://{NAME}:{server.port}{path}")
    # Some of it is loaded with the first touch, and missed only then.
    while len(loaded) < 2:
        page.mouse.click(2, 2)
        page.wait_for_timeout(100)
    page.wait_for_selector("#pill[data-live=yes]")
    assert cut
    assert page.evaluate("document.styleSheets.length") > 0


@contextmanager
def falling(port):
    """Stand before a house whose plug is pulled in the middle of its first page: no more of that
    comes, and nobody says so. Give the port."""
    fallen, over = threading.Event(), threading.Event()

    class Between(BaseHTTPRequestHandler):
        def do_GET(self):
            line = http.client.HTTPConnection("127.0.0.1", port)
            line.request("GET", self.path, headers=dict(self.headers))
            answer = line.getresponse()
            body = answer.read()
            if answer.headers.get_content_type() == "text/html" and not fallen.is_set():
                fallen.set()
                body = body[: len(body) // 2]
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            line.close()
            if len(body) < int(answer.headers["Content-Length"] or 0):
                over.wait()

        def log_message(self, *_):
            pass

    house = ThreadingHTTPServer(("127.0.0.1", 0), Between)
    house.daemon_threads = True
    house.handle_error = lambda *_: None  # a page that goes away while it is answered is no fault
    thread = threading.Thread(target=house.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield house.server_port, fallen
    finally:
        over.set()
        house.shutdown()
        thread.join()
        house.server_close()


@pytest.mark.slow
def test_a_page_of_which_only_half_came_loads_itself_anew(browser, server):
    with falling(server.port) as (port, fallen):
        page = browser.new_page()
        page.goto(f"http://{NAME}:{port}/rules", wait_until="commit")
        assert fallen.wait(PATIENCE / 1000)
        page.wait_for_selector("nav.tabs", timeout=PATIENCE)
        assert page.evaluate("document.readyState") != "loading"
        page.goto("about:blank")
        page.close()
