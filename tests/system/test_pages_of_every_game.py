"""Every page and sheet of every game fits a phone, a desktop and a television in every language:
nothing is cut, covered, too small to be read or to be pressed."""

from __future__ import annotations

import pytest

from companion.journal import Journal
from companion.rules import Outcome
from companion.table.agreement import offer_undo
from tests.checks.every_page import FAULTS, LOST, PAGES, at_table, seen
from tests.checks.lacking import needed
from tests.system.contact_sheets import FAR
from tests.system.screenshots import SIZES, TABLES
from web.language import languages

PHONE = {"width": 360, "height": 740}
OWN = {name: PAGES[name] for name in ("game", "view", "table", "box", "deck", "advice")}
"""Pages that differ from game to game; the others are looked at in one game."""
UNFOLDED = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


@pytest.fixture(params=languages())
def language(request):
    return request.param


# Every other game is looked at in one language, and by `make soak` all in all.
HELD = [
    pytest.param(
        (game, language),
        id=f"{game}-{language}",
        marks=[pytest.mark.slow] * (row % 2 or (row + column) % 4 > 0),
    )
    for row, game in enumerate(TABLES)
    for column, language in enumerate(languages())
]


@pytest.fixture(params=HELD)
def at_hand(request, browser):
    game, language = request.param
    with Journal() as journal:
        table, seat = TABLES[game](journal)
        with at_table(browser, table, seat, locale=language, viewport=PHONE) as (page, address):
            pages = {**PAGES, **LOST} if game == "victorus" else OWN
            yield page, seen(page, address, game, pages)


@pytest.mark.slow
def test_what_is_on_a_page_or_sheet_fits_in_every_language(at_hand):
    page, places = at_hand
    faults = {place: page.evaluate(FAULTS) for place in places}
    assert {place: told for place, told in faults.items() if told} == {}


@pytest.mark.slow
@pytest.mark.parametrize("size", ["desktop", pytest.param("tv", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "language", ["en", *(pytest.param(one, marks=pytest.mark.slow) for one in languages()[1:])]
)
def test_it_fits_larger_screens_too(browser, language, size):
    width, height = SIZES[size]
    looks = {"locale": language, "viewport": {"width": width, "height": height}}
    faults = {}
    for game, begun in TABLES.items():
        with Journal() as journal, at_table(browser, *begun(journal), **looks) as (page, address):
            for place in seen(page, address, game, FAR if size == "tv" else OWN):
                faults[game, place] = page.evaluate(FAULTS)
    assert {place: told for place, told in faults.items() if told} == {}


@pytest.mark.slow
def test_at_the_end_all_that_may_come_next_is_seen_at_once(browser, language):
    with Journal() as journal:
        table, seat = TABLES["chess"](journal)
        table.end(Outcome(("white",), "", "agreed"), "agreement", "white")
        with at_table(browser, table, seat, locale=language, viewport=PHONE) as (page, address):
            page.goto(address)
            page.wait_for_selector("#pill[data-live=yes]")
            assert page.locator("#line a[download]").is_visible()
            assert page.evaluate(FAULTS) == []


@pytest.mark.slow
@pytest.mark.parametrize("asker", [True, False])
def test_what_is_asked_of_all_is_seen_at_once_beside_a_hand_of_cards(browser, language, asker):
    with Journal() as journal:
        table, seat = TABLES["victory_honor"](journal)
        with at_table(browser, table, seat, locale=language, viewport=PHONE) as (page, address):
            page.goto(f"{address}/settings")
            with page.expect_response("**/api/settings*"):
                page.select_option("[name=play]", "phone")
            page.goto(address)
            page.wait_for_selector("#part-hand .playing, #part-hand .hand", state="attached")
            offer_undo(table, seat if asker else "south", 1)
            page.wait_for_selector("#draw-back" if asker else f"#draw-yes-{seat}")
            assert page.evaluate(FAULTS) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
def test_axe_finds_nothing_on_pages_and_sheets_in_either_theme(browser, game):
    axe = needed("axe_playwright_python.sync_playwright", "axe-playwright-python").Axe()
    found = []
    with Journal() as journal:
        table, seat = TABLES[game](journal)
        with at_table(browser, table, seat, viewport=PHONE) as (page, address):
            pages = {**PAGES, **LOST} if game == "victorus" else OWN
            for place in seen(page, address, game, pages):
                page.evaluate(UNFOLDED)
                page.emulate_media(color_scheme="light")
                told = axe.run(page).response["violations"]
                page.emulate_media(color_scheme="dark")
                told += axe.run(page, options=CONTRAST).response["violations"]
                found += [(place, one["id"], one["nodes"][0]["target"]) for one in told]
    assert found == []


def test_what_does_not_fit_is_told(browser):
    page = browser.new_page(viewport=PHONE)
    page.set_content(
        """<main><button id="tiny" style="width: 20px; padding: 0"></button>
        <p id="cut" style="width: 60px; overflow: hidden; white-space: nowrap">Words too many</p>
        <p id="fine" style="font-size: 8px">fine print</p>
        <p id="beside" style="position: absolute; left: 340px; width: 90px">beside</p>
        <select id="choice" style="width: 60px"><option>a long one to choose</option></select>
        <p id="words" style="position: absolute; top: 600px; margin: 0">many words that go on</p>
        <button id="on" style="position: absolute; top: 600px; left: 100px; width: 90px">on</button>
        <button id="under" style="width: 90px; height: 50px">under</button>
        <div id="over" style="height: 60px; margin-top: -60px; position: relative"></div>
        <svg class="board"><text x="9" y="9" transform="rotate(180)">A1</text></svg>
        <svg class="mat" width="100" viewBox="0 0 400 100"><text y="50">Zone</text></svg>
        <div id="table" class="scroll" style="width: 60px; overflow: auto"><b>Explanations</b></div>
        </main>"""
    )
    faults = page.evaluate(FAULTS)
    assert {"not upright: A1", "small: Zone 4"} <= set(faults)
    told = {(one.split("#")[-1].split(" ")[0], one.split(":")[0]) for one in faults}
    page.context.close()
    assert told >= {
        ("tiny", "no room for a thumb"), ("cut", "cut"), ("fine", "small"),
        ("beside", "beside the page"), ("choice", "cut"), ("over", "covered"),
        ("on", "words covered"), ("table.scroll", "slides"),
    }  # fmt: skip
