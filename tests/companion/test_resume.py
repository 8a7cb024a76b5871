"""A table goes on where it was left, and stays as it was when the disk is full."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.games import find_game
from companion.journal import Connection, Journal, open_sqlite
from companion.rules import BadInput, Game, HardwareFault, read_action
from companion.table import Table

FIRST = read_action("a1-b1")


def test_a_table_resumes_the_same_position_and_asks_nothing(
    race: Game[Any], find_race: Callable[[str], Game[Any]], tmp_path: Path
) -> None:
    setup = race.setup(("black", "white"), {"length": "6"})
    with Journal(tmp_path / "j") as journal:
        table = Table.create(journal, race, setup)
        table.play(FIRST, "camera", {"after": b"jpeg"})
        table.play(FIRST, "camera")
        table.correct([read_action("a1-c1")], "seat:white")
        table.note("differs", {"position": {}}, "camera")
    with Journal(tmp_path / "j") as journal:
        again = Table.resume(journal, find=find_race)
        assert again.line == table.line
        assert again.setup == table.setup
        assert again.events() == table.events()
        assert again.view() == table.view()


def test_an_arranged_start_is_resumed_too(
    race: Game[Any], find_race: Callable[[str], Game[Any]], tmp_path: Path
) -> None:
    position = {"c1": "white", "e2": "black"}
    with Journal(tmp_path / "j") as journal:
        table = Table.create(journal, race, race.setup(), position, "black")
        table.play(read_action("e2-f2"), "camera")
        assert table.header.position == position
    with Journal(tmp_path / "j") as journal:
        assert Table.resume(journal, find=find_race).state.at == (2, 5)


def test_a_position_that_cannot_be_arranged_leaves_the_journal_empty(race: Game[Any]) -> None:
    journal = Journal()
    with pytest.raises(BadInput):
        Table.create(journal, race, race.setup(), {"z9": "white"})
    assert journal.games() == {}


def test_the_last_of_consecutive_games_is_resumed_or_the_one_that_is_named(
    race: Game[Any], find_race: Callable[[str], Game[Any]]
) -> None:
    journal = Journal()
    old = Table.create(journal, race, race.setup())
    old.play(FIRST, "camera")
    new = Table.create(journal, race, race.setup())
    assert Table.resume(journal, find=find_race).game_id == new.game_id
    assert Table.resume(journal, old.game_id, find=find_race).line == old.line
    with pytest.raises(BadInput, match="has no game 7; it has 1, 2"):
        Table.resume(journal, 7, find=find_race)


def test_an_empty_journal_has_nothing_to_resume() -> None:
    with pytest.raises(BadInput, match="holds no game yet"):
        Table.resume(Journal())


def test_a_journal_of_an_unknown_game_says_so(race: Game[Any]) -> None:
    journal = Journal()
    Table.create(journal, race, race.setup())
    with pytest.raises(BadInput, match="no game “race”"):
        Table.resume(journal)


def test_an_action_that_no_longer_stands_is_named_on_resume(
    race: Game[Any], find_race: Callable[[str], Game[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal()
    Table.create(journal, race, race.setup()).play(read_action("a1-c1"), "camera")
    stricter = type(race).legal
    monkeypatch.setattr(type(race), "legal", lambda self, state: stricter(self, state)[:1])
    with pytest.raises(BadInput, match="event 2 no longer stands"):
        Table.resume(journal, find=find_race)


def test_a_full_disk_leaves_the_state_as_it_was_and_the_next_try_works(
    race: Game[Any], tmp_path: Path
) -> None:
    opened: list[Connection] = []

    def connect(path: str) -> Connection:
        opened.append(open_sqlite(path))
        return opened[0]

    def room(pages: int) -> None:
        assert list(opened[0].execute(f"PRAGMA max_page_count = {pages}"))

    with Journal(tmp_path / "j", connect) as journal:
        table = Table.create(journal, race, race.setup())
        heard: list[int] = []
        table.subscribe(lambda event: heard.append(event.seq))
        before, view = table.line, table.view()
        room(1)
        with pytest.raises(HardwareFault, match="is full; nothing was lost"):
            table.play(FIRST, "camera", {"after": bytes(50_000)})
        assert (table.line, table.view(), heard) == (before, view, [])
        room(10_000)
        assert table.play(FIRST, "camera", {"after": bytes(50_000)}).allowed
        assert heard == [2]


# -- with a real game --------------------------------------------------------------------


def test_a_game_of_victorus_is_kept_shown_and_taken_up(tmp_path: Path) -> None:
    game = find_game("victorus")
    source = random.Random(4)
    with Journal(tmp_path / "j") as journal:
        table = Table.create(journal, game, game.setup(("red", "orange", "blue")))
        while len(table.actions) < 40:
            assert table.play(source.choice(game.legal(table.state)), "camera").allowed
        stone = next(
            spot for spot in game.board(table.setup) if spot not in table.view()["position"]
        )
        refused = table.play(read_action(f"{stone}-{stone}"), "camera")
        assert refused.rule in game.rules
        shown = json.loads(json.dumps(table.view()))
        assert shown["to_move"] in ("red", "orange", "blue")
        assert len(shown["legal"]) == len(game.legal(table.state))
    with Journal(tmp_path / "j") as journal:
        again = Table.resume(journal)
        assert again.line == table.line
        assert json.loads(json.dumps(again.view())) == shown
