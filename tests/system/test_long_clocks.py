"""Clocks above an hour as a browser shows them: as they come, and as they run on by themselves."""

from __future__ import annotations

import web
from companion.games import find_game
from companion.journal import Journal
from companion.table import Table
from companion.table.evening import Evening


def test_a_clock_above_an_hour_shows_its_hours_before_and_while_it_runs(browser):
    game = find_game("chess")
    setup = game.setup(None, {"minutes": "90"})
    table = Table.create(Journal(":memory:"), game, setup)
    for text in ("e2-e4", "e7-e5"):
        table.play(game.parse(setup, text), "camera")
    app = web.create_app(Evening(table), config=web.Config(trust_machine=True))
    with web.Server(app, port=0) as server:
        page = browser.new_context().new_page()
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("[data-runs]")
        rest = page.locator("[data-left]:not([data-runs])").first.text_content()
        assert rest in ("1:30:00", "1:29:59")
        page.wait_for_function(
            "() => /^1:29:[0-9]{2}$/.test(document.querySelector('[data-runs]').textContent)"
        )
        told = page.evaluate(
            "async () => { const { onClock } = await import('/static/live.js');"
            " return [5430, 3600, 3599, 61, 0].map(onClock); }"
        )
        page.context.close()
    assert told == ["1:30:30", "1:00:00", "59:59", "1:01", "0:00"]
