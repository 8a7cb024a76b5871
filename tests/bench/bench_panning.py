"""Panning the largest board with a finger: milliseconds of the browser's main thread for each
frame, on a processor four times slower than this one.

Run by hand on an idle machine: ``python tests/bench/bench_panning.py``.
"""

from __future__ import annotations

import statistics
import sys

import web
from companion.games import find_game
from companion.journal import Journal
from companion.table import Table
from tests.checks.chromium import NAME, chromium
from tests.checks.pages_alone import PHONE
from tests.checks.panning import panned

ROUNDS, SLOWER = 5, 4.0


def main() -> None:
    """Print the median of some rounds."""
    game = find_game("heximeros")
    with chromium() as browser, Journal() as journal:
        app = web.create_app(
            Table.create(journal, game, game.setup()), config=web.Config(hosts=(NAME,))
        )
        with web.Server(app, port=0) as server:
            page = browser.new_page(viewport=PHONE, has_touch=True, is_mobile=True)
            page.goto(f"http://{NAME}:{server.port}/")
            page.wait_for_selector("#pill[data-live=yes]")
            for _ in range(2):
                page.locator("[data-zoom=in]").dispatch_event("click")
            found = [panned(page, SLOWER) for _ in range(ROUNDS)]
            page.close()
    layouts = sum(one.times["Layout"] for one in found)
    median = statistics.median(one.milliseconds for one in found)
    sys.stdout.write(f"{median:.1f} ms of main thread a frame, {layouts} layouts\n")


if __name__ == "__main__":
    main()
