"""The wall in a browser: it follows the tables in sight, and shows all in turn."""

from __future__ import annotations

import threading

import pytest

from companion.club.copies import Copies
from companion.club.results import Results
from companion.club.tournaments import HostKey, Tournaments
from companion.club.wall import create_wall, serving
from tests.checks.club_tables import Published
from tests.checks.every_page import FAULTS
from web.language import languages

LONG = "Wolfeschlegelsteinhausenbergerdorffwelch"
"""A name of forty letters that nothing breaks."""
pytestmark = pytest.mark.thorough


@pytest.fixture
def wall(tmp_path, store):
    (tmp_path / "copies").mkdir()
    run, close, port = serving(create_wall(store, tmp_path / "copies"), "127.0.0.1", 0)
    thread = threading.Thread(target=run)
    thread.start()
    yield f"http://127.0.0.1:{port}/"
    close()
    thread.join()


@pytest.mark.parametrize("size", [(1920, 1080), (360, 740)], ids=["tv", "phone"])
def test_a_move_is_seen_on_a_page_that_lies_open_and_a_new_table_comes(
    tmp_path, store, wall, size, browser
):
    tables = [Published(tmp_path, store, f"T{n}", "chess", f"{n:016x}") for n in range(6)]
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(wall)
    first = page.locator("#tiles > section:visible").first
    first.locator("svg").wait_for()
    number = int(first.get_attribute("id").removeprefix("table-"), 16)
    tables[number].play("e2-e4")
    first.get_by_text("e2 → e4").wait_for()
    tables.append(Published(tmp_path, store, "New", "chess", "f" * 16))
    page.locator(f"#table-{'f' * 16}").wait_for(state="attached")
    shown = page.locator("#tiles > section:visible").count()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert shown == (4 if size[0] > 1500 else 7)
    assert wide <= size[0]
    page.goto(f"{wall}tables/{0:016x}")
    tables[0].play("d2-d4" if number else "d7-d5")
    page.get_by_text("d2 → d4" if number else "d7 → d5").wait_for()
    assert errors == []
    page.close()
    for table in tables:
        table.journal.close()


@pytest.mark.parametrize("language", languages())
@pytest.mark.slow
def test_what_is_on_the_club_s_pages_fits_a_phone_in_every_language(
    tmp_path, store, wall, browser, language
):
    playing = Published(tmp_path, store, LONG, "victorus", "b" * 16)
    for seat in playing.table.setup.seats:
        playing.table.note("named", {"seat": seat, "name": LONG}, "host")
    playing.play("h2-h4")
    played = Published(tmp_path, store, "Four", "chess", "a" * 16)
    played.finish({"white": "Ada", "black": "Bo"}, "black")
    events = Tournaments(store)
    number = events.begin("swiss", "Monday", "chess", ["Ada", "Bo", "Cy", "Di"])
    (tmp_path / "kept").mkdir()
    events.pair(events.course(number, Results(Copies(store, tmp_path / "kept")).games()))
    size = {"width": 360, "height": 740}
    with browser.new_context(viewport=size, locale=language, has_touch=True) as phone:
        page = phone.new_page()
        page.goto(f"{wall}host?key={HostKey(store).renew()}")
        found = {}
        for path in (
            "", f"tables/{'b' * 16}", "players", "players/ada", "games", "events",
            f"events/{number}", "nowhere",
        ):  # fmt: skip
            page.goto(wall + path)
            if path == "games":
                past = page.locator("main a[href*='/games/']").first.get_attribute("href")
            found[path] = page.evaluate(FAULTS)
        page.goto(wall + past.lstrip("/"))
        found["past"] = page.evaluate(FAULTS)
    assert {path: faults for path, faults in found.items() if faults} == {}
    for table in (playing, played):
        table.journal.close()
