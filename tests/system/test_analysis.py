"""The page of a game that is looked at again, in a browser, with a machine that looks."""

from __future__ import annotations

import time

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.live.machine_players import MachinePlayers
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.chromium import NAME
from tests.checks.pages_alone import joined, opening


@pytest.mark.slow
def test_whoever_waits_for_a_machine_sees_what_it_found_without_asking_again(browser, monkeypatch):
    monkeypatch.setattr("companion.live.analyst.PATIENCE", 0.0)
    game = find_game("chess")
    with Journal() as journal:
        table = Table.create(journal, game, game.setup())
        for move in ("f2-f3", "e7-e5", "g2-g4", "d8-h4"):
            table.play(game.parse(table.setup, move), "camera")
        evening = Evening(table)
        machines = MachinePlayers(
            evening, lambda: None, lambda: False, lambda: True, lambda: None, time.monotonic
        )
        app = web.create_app(evening, config=web.Config(hosts=(NAME,)), machines=machines)
        with web.Server(app, port=0) as server, opening(browser, server, 60_000) as open_page:
            server.app = app
            page = joined(open_page, server)
            page.goto(f"{page.url.rpartition('/')[0]}/games/1/analysis")
            assert page.is_visible("#asks-again")
            page.wait_for_selector("svg.graph")
            assert page.locator("ol.ideas li").first.get_attribute("value") == "3"
        machines.close()
