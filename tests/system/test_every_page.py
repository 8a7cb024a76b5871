"""What holds for every page: it fits small screens and thumbs, speaks the phone's language, is
clean to a screen reader in both themes, and is quickly there."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.journal import Journal
from companion.rules import Action
from companion.table import Table
from tests.checks.chromium import NAME
from tests.checks.lacking import needed
from tests.checks.pages_alone import Top, Words, joined, opening, serving
from web.language import languages

PHONE = {"width": 360, "height": 740}
PATIENCE = 60_000  # milliseconds
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def live(page):
    page.wait_for_selector("#pill[data-live=yes]")
    return page


def a_move(table):
    """Return the first legal move of a token to an empty spot."""
    game, state = table.game, table.state
    standing = game.expect(state)
    return next(a for a in game.legal(state) if a.origin and a.target not in standing)


PAGES = (
    "/", "/allowed", "/history", "/rules", "/join", "/table", "/settings", "/games", "/view",
    "/games/1", "/shelf", "/shelf/victorus", "/start", "/allowed?from=h2&to=h9",
)  # fmt: skip


@pytest.fixture(scope="module")
def seated(browser, game):
    """A phone on a seat; there was a move and one that is not allowed, a spot is lit, another
    differs."""
    with Journal() as journal:
        table = Table.create(journal, game, game.setup())
        top = Top(game.expect(table.state))
        top.remove("h2")
        action = a_move(table)
        table.play(Action("move", action.target, action.origin), "camera")
        table.play(action, "camera")
        lit = {action.origin: {"colour": "#2ecc71", "effect": "pulse", "meaning": "may go here"}}
        with (
            serving(table, top, lit, Words()) as server,
            opening(browser, server, PATIENCE) as open_page,
        ):
            page = joined(open_page, server, color_scheme="light")
            page.click(f"#sit-{table.setup.seats[0]}")
            page.wait_for_selector(f"#leave-{table.setup.seats[0]}")
            yield page


@pytest.fixture(scope="module", params=PAGES)
def page(seated, request):
    """Every page on the phone that is seated, loaded once for all that is asked of it: pytest runs
    what takes the same page one after another."""
    seated.goto(f"{'/'.join(seated.url.split('/')[:3])}{request.param}")
    seated.set_viewport_size(PHONE)
    return live(seated)


@pytest.mark.thorough
def test_no_page_scrolls_sideways_and_whatever_is_pressed_fits_a_thumb(page):
    for width in (320, 360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    page.set_viewport_size(PHONE)
    small = page.evaluate(
        """() => Array.from(document.querySelectorAll(
            "button, nav a, input:not([type=checkbox]), select, label.check, a.button, summary"))
            .filter((e) => e.checkVisibility())
            .map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
            .filter(([, box]) => box.width < 48 || box.height < 48)
            .map(([text]) => text)"""
    )
    assert small == []


def test_what_is_hidden_is_not_shown(page):
    shown = page.evaluate(
        """() => Array.from(document.querySelectorAll("[hidden]"))
            .filter((e) => e.checkVisibility())
            .map((e) => e.id || e.className)"""
    )
    assert shown == []


@pytest.mark.thorough
@pytest.mark.parametrize("language", languages())
def test_every_page_speaks_the_language_of_the_phone(open_page, table, language):
    table.play(a_move(table), "camera")
    page = live(open_page(locale=language, viewport={"width": 320, "height": 740}))
    assert page.locator("html").get_attribute("lang") == language
    for path in ("/", "/allowed", "/history", "/rules", "/join"):
        page.goto(page.url.rpartition("/")[0] + path)
        live(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert "{" not in page.locator("main").inner_text()


def test_a_first_load_is_small_and_asks_our_own_host_alone_and_seldom(browser, server):
    """All that comes over the wire until the page is live: the page with its board and every
    token, style, scripts, pictures, and the first message of the stream."""
    page = browser.new_page(viewport=PHONE)
    asked, came = [], Counter()
    page.on("request", lambda request: asked.append(request.url))
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")

    def size(event):
        """Note how much of an answer has come: of one that ends it is told whole, then."""
        told = event.get("response", event)["encodedDataLength"]
        came[event["requestId"]] = max(came[event["requestId"]], told)

    # The stream never ends: its pieces are counted as they come, all others at their end.
    def piece(event):
        came[event["requestId"]] += event["encodedDataLength"]

    wire.on("Network.responseReceived", size)
    wire.on("Network.dataReceived", piece)
    wire.on("Network.loadingFinished", size)
    page.goto(f"http://{NAME}:{server.port}/")
    live(page)
    page.wait_for_load_state("load")
    page.context.close()
    assert {url.split("/")[2] for url in asked} == {f"{NAME}:{server.port}"}
    assert len(asked) <= 8
    assert any("/api/events" in url for url in asked)
    assert 40 * 1024 < came.total() <= 60 * 1024


@pytest.mark.thorough
def test_axe_finds_nothing_to_complain_of_in_either_theme(page):
    axe = needed("axe_playwright_python.sync_playwright", "axe-playwright-python")
    page.emulate_media(color_scheme="light")
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    found = axe.Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += axe.Axe().run(page, options=CONTRAST).response["violations"]
    assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []
