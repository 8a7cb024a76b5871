"""A game that no camera can follow: nobody looks, and the simulated table lays itself."""

from __future__ import annotations

from companion.games import find_game
from companion.journal import Journal
from companion.service import Service
from companion.table import Table
from companion.window import Window
from vision.simulation.simulated import SimulatedCamera, SimulatedTable, Troubles


def test_the_camera_says_nothing_and_the_table_lies_as_the_game_tells():
    game = find_game("hoplomachus")
    with Journal(":memory:") as journal:
        table = Table.create(journal, game, game.setup())
        cards = SimulatedTable(game, table.setup, game.expect(table.state))
        table.subscribe(lambda event: cards.lay(game.expect(table.state)))
        camera = SimulatedCamera(cards, None, Troubles(), clock=lambda: 0.0)
        service = Service(
            table, camera.table_file(), Window(camera), lambda moment: None, lambda: None
        )
        hero, tactic = f"hero {table.state.offered[0]}", "tactic Rally"
        kept = cards.pieces["1.4"]
        for text in (hero, tactic, "move 1.1", "activate"):
            assert service.look()
            table.play(game.parse(table.setup, text), "player")
        assert service.look()
        status = service.status()
        assert (status["message"], status["differs"], status["asks"]) == ("", [], [])
        assert cards.position == dict(game.expect(table.state))
        assert cards.pieces["1.4"] is kept, "what stays is not touched"
