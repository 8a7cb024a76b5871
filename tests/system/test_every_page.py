"""What holds for every page: it fits small screens and thumbs, speaks the phone's language, is
clean to a screen reader in both themes, and is quickly there."""

from __future__ import annotations

import pytest

from companion.rules import Action
from tests.checks.lacking import needed
from web.language import languages

PHONE = {"width": 360, "height": 740}
STATIC = ("style.css", "app.js", "board.js", "live.js", "device.js", "icon.svg")
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
    "/games/1",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways_and_whatever_is_pressed_fits_a_thumb(join, table, path):
    table.play(a_move(table), "camera")
    page = join()
    page.goto(page.url.replace("/join", path))
    live(page)
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


def test_a_first_load_asks_our_own_host_alone_and_seldom(browser, server):
    page = browser.new_page(viewport=PHONE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"http://127.0.0.1:{server.port}/")
    live(page)
    page.context.close()
    assert {url.split("/")[2] for url in asked} == {f"127.0.0.1:{server.port}"}
    assert len(asked) <= 9


def test_a_first_load_of_a_whole_board_is_small(server):
    """The page with its board and every token, style, scripts and icon, as they are sent."""
    client = server.app.test_client()
    total = 0
    for path in ("/", *(f"/static/{name}" for name in STATIC)):
        with client.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.status_code == 200
            total += len(answer.data)
    assert total <= 60 * 1024


@pytest.mark.parametrize("path", [*PAGES, "/allowed?from=h2&to=h9"])
def test_axe_finds_nothing_to_complain_of_in_either_theme(join, table, lit, top, path):
    axe = needed("axe_playwright_python.sync_playwright", "axe-playwright-python")
    action = a_move(table)
    table.play(Action("move", action.target, action.origin), "camera")
    table.play(action, "camera")
    lit[action.origin] = {"colour": "#2ecc71", "effect": "pulse", "meaning": "may go here"}
    top.remove("h2")
    page = join(color_scheme="light")
    page.click(f"#sit-{table.setup.seats[0]}")
    page.wait_for_selector(f"#leave-{table.setup.seats[0]}")
    page.goto(page.url.replace("/join", path))
    live(page)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    found = axe.Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += axe.Axe().run(page, options=CONTRAST).response["violations"]
    assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []
