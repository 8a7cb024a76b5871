"""All pages and sheets of a table, one after another, and whether what is on them fits.

Nothing may be wider than the page, cut, as small as cannot be read, too small for a thumb, or under
something else; and the line beneath a board says all it has to say without scrolling.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import web
from companion.machine.tokens import Tokens
from companion.table.evening import Evening
from tests.checks.chromium import NAME
from tests.checks.fake_doors import FakeCalibrator, FakeElsewhere, FakeTrial
from tests.checks.fake_readings import FakeReadings
from tests.checks.pages_alone import Lamps, Top, Words

PAGES = {
    "game": "/", "view": "/view", "table": "/table", "referee": "/allowed",
    "log": "/history", "rules": "/rules", "seats": "/join",
    "settings": "/settings", "games": "/games", "past": "/games/1", "shelf": "/shelf",
    "box": "/shelf/{game}", "start": "/start", "lessons": "/lessons/{game}", "advice": "/advice",
    "threats": "/threats", "cards": "/cards", "deck": "/deck", "rack": "/rack",
    "calibrate": "/calibrate", "programs": "/programs", "distant": "/distant",
    "readings": "/readings", "reading": "/readings/7", "running": "/log", "trial": "/trial",
}  # fmt: skip
LOST = {"error": "/nowhere"}
LOGGED = (
    "2026-11-24T20:15:00+00:00 WARNING companion.live: the lamp is gone",
    f"2026-11-24T20:15:01+00:00 ERROR companion.live: fell\n  in /{'a' * 60}/{'b' * 60}.py, line 3",
)
FAULTS = Path(__file__).with_name("faults.js").read_text(encoding="utf-8")
"""A function that returns what on the page does not fit, one sentence each."""


@contextmanager
def at_table(browser, table, seat, **context):
    """Give a page of the host's phone on ``seat`` at the simulated table of ``table``, and the
    address of the table."""
    top = Top(table.game.expect(table.state))
    config = web.Config(hosts=(NAME,), log=lambda: LOGGED, trial=FakeTrial())
    with TemporaryDirectory() as folder:
        app = web.create_app(
            Evening(table), config=config, eyes=Words(),
            lamps=Lamps(), virtual=top, calibrator=FakeCalibrator(), tokens=Tokens(Path(folder)),
            readings=FakeReadings(), elsewhere=FakeElsewhere(),
        )  # fmt: skip
    with web.Server(app, port=0) as server:
        address = f"http://{NAME}:{server.port}"
        page = browser.new_context(has_touch=True, reduced_motion="reduce", **context).new_page()
        page.goto(f"{address}/join#{web.invitation(app).partition('#')[2]}")
        # The page loads itself anew once the code has let it in: what is pressed before is lost.
        page.wait_for_selector("#join-form", state="detached")
        page.click(f"#sit-{seat}")
        page.wait_for_selector(f"#leave-{seat}")
        yield page, address
        page.context.close()


def seen(page, address, game, pages=None):
    """Go from page to page, and on a phone from sheet to sheet; yield the name of each as it is
    seen. A page that a table of ``game`` does not have is left out."""
    for name, path in (pages or {**PAGES, **LOST}).items():
        found = page.goto(address + path.format(game=game)).ok
        if not found and name not in LOST:
            continue
        if found:
            page.wait_for_selector("#pill[data-live=yes]")
        page.evaluate("document.fonts.ready")
        yield name
        handles = page.locator("#handles [data-sheet]:visible")
        for sheet in handles.evaluate_all("all => all.map((one) => one.dataset.sheet)"):
            drawn_up(page, sheet)
            yield f"{name}-{sheet}"
            page.click("dialog[open] [data-shut]")
            page.wait_for_selector(f"#sheets #sheet-{sheet}", state="attached")


def drawn_up(page, sheet):
    """Draw a sheet over the stage, and wait for what it fetches."""
    page.click(f"#handles [data-sheet={sheet}]")
    page.wait_for_selector(f"dialog[open] #sheet-{sheet}")
    if sheet == "moves":
        page.wait_for_selector("dialog[open] #moves li")
