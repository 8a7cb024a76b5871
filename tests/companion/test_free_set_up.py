"""A game whose set-up the players choose: the table begins with what they built."""

from __future__ import annotations

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.referee import audit_journal, export_record
from companion.rules import BadInput, read_action, read_record
from companion.table import Table

INVICTUS = find_game("invictus")
SETUP = INVICTUS.setup()
USUAL = INVICTUS.expect(INVICTUS.start(SETUP))
MIRRORED = {f"{chr(97 + 105 - ord(spot[0]))}{spot[1]}": die for spot, die in USUAL.items()}


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "game.sqlite3") as journal:
        yield journal


def test_a_table_begins_with_the_set_up_that_the_players_chose(journal):
    table = Table.create(journal, INVICTUS, SETUP)
    table.arrange(MIRRORED, "camera")
    assert INVICTUS.expect(table.state) == MIRRORED
    assert table.play(read_action("a3-a4"), "camera").allowed
    assert table.view()["position"]["a4"] == MIRRORED["a3"]


def test_a_chosen_set_up_survives_and_is_audited_and_recorded(journal):
    table = Table.create(journal, INVICTUS, SETUP)
    table.arrange(MIRRORED, "camera")
    table.play(read_action("a3-a4"), "camera")
    assert Table.resume(journal).state == table.state
    assert audit_journal(journal).played == 1
    assert read_record(export_record(journal)).position == MIRRORED


def test_a_set_up_can_be_changed_until_the_first_action(journal):
    table = Table.create(journal, INVICTUS, SETUP)
    table.arrange(MIRRORED, "camera")
    table.arrange(USUAL, "camera")
    table.play(read_action("a3-a4"), "camera")
    with pytest.raises(BadInput, match="begun"):
        table.arrange(MIRRORED, "camera")
    table.undo(1, "referee")
    with pytest.raises(BadInput, match="begun"):
        table.arrange(MIRRORED, "camera")


def test_a_set_up_with_an_unknown_die_changes_nothing(journal):
    table = Table.create(journal, INVICTUS, SETUP)
    with pytest.raises(BadInput):
        table.arrange({"a3": "black 7"}, "camera")
    assert INVICTUS.expect(table.state) == USUAL
