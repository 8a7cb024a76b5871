"""The wall in a browser: it follows the tables in sight, and shows all in turn."""

from __future__ import annotations

import threading

import pytest

from companion.club.wall import create_wall, serving
from tests.checks.club_tables import Published

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
