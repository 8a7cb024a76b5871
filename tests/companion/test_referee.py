"""The referee answers for any action in any position, and goes through whole games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Journal
from companion.referee import (
    audit,
    audit_journal,
    audit_record,
    audits,
    export_record,
    verdict,
    what_if,
    why,
)
from companion.rules import Action, BadInput, Game, Record, Ruling, read_action, read_record
from companion.table import Table

FindGame = Callable[[str], Game[Any]]

RECORD = """game: race
seats: white, black
option: length = 6

a1-c1
a2-e2   # four steps
c1-d1
a2-b2
d1-f1
b2-c2
"""


@pytest.fixture
def table(race: Game[Any]) -> Table[Any]:
    return Table.create(Journal(), race, race.setup())


def play(table: Table[Any], *texts: str) -> None:
    for text in texts:
        table.play(read_action(text), "camera")


# -- why ---------------------------------------------------------------------------------


def test_why_quotes_the_rule_for_an_action_now(table: Table[Any]) -> None:
    found = why(table, read_action("a2-b2"))
    assert (found.ruling.allowed, found.ruling.rule) == (False, "RACE-3")
    assert (found.title, found.text) == ("Turns", "Only the player to move may run.")
    assert found.seat == "white"


def test_why_answers_for_an_earlier_position_too(table: Table[Any]) -> None:
    play(table, "a1-b1", "a2-b2")
    assert why(table, read_action("a2-b2"), at_seq=2).ruling.allowed
    assert not why(table, read_action("a2-b2")).ruling.allowed
    assert why(table, read_action("a1-b1"), at_seq=1).ruling.allowed


def test_why_answers_for_a_position_that_was_taken_back(table: Table[Any]) -> None:
    play(table, "a1-b1")
    table.undo(1, "camera")
    assert why(table, read_action("a2-b2"), at_seq=2).ruling.allowed
    assert not why(table, read_action("a2-b2"), at_seq=3).ruling.allowed


def test_why_before_the_first_event_is_a_mistake(table: Table[Any]) -> None:
    with pytest.raises(BadInput, match="no event 0"):
        why(table, read_action("a1-b1"), at_seq=0)


def test_a_rule_without_a_text_is_still_named(race: Game[Any]) -> None:
    state = race.start(race.setup())
    found = verdict(race, state, read_action("a1-b1"), Ruling(False, "HOUSE-1", "not today"))
    assert found.as_json() == {
        "action": "a1-b1",
        "seat": "white",
        "allowed": False,
        "rule": "HOUSE-1",
        "reason": "not today",
        "spots": [],
        "title": "",
        "text": "",
    }


def test_what_if_follows_what_is_allowed_and_judges_on_past_what_is_not(race: Game[Any]) -> None:
    actions = [read_action(text) for text in ("a1-c1", "c1-d1", "a2-b2")]
    found = list(what_if(race, race.start(race.setup()), actions))
    assert [entry.ruling.allowed for entry, _ in found] == [True, False, True]
    assert [state.at for _, state in found] == [(2, 0), (2, 0), (2, 1)]


# -- audit -------------------------------------------------------------------------------


def test_an_audit_of_a_record_lists_what_did_not_stand_and_goes_on(
    find_race: FindGame, tmp_path: Path
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(RECORD)
    found = audit(path, find_race)
    assert [(f.where, f.verdict.action, f.verdict.ruling.rule) for f in found.findings] == [
        ("line 6", "a2-e2", "RACE-2"),
        ("line 7", "c1-d1", "RACE-3"),
        ("line 9", "d1-f1", "RACE-2"),
        ("line 10", "b2-c2", "RACE-3"),
    ]
    assert (found.played, found.outcome) == (2, None)
    told = json.loads(json.dumps(found.as_json()))
    assert told["findings"][0]["title"] == "Steps"
    assert told["outcome"] is None


def test_a_record_in_which_everything_stood_ends_with_its_outcome(find_race: FindGame) -> None:
    actions = ("a1-c1", "a2-c2", "c1-e1", "c2-d2", "e1-f1")
    found = audit_record(Record("race", ("white", "black"), {"length": "6"}, actions), find_race)
    assert (found.played, found.findings) == (5, ())
    assert found.as_json()["outcome"] == {
        "winners": ["white"],
        "rule": "RACE-4",
        "reason": "white is at the end",
    }


def test_a_line_that_is_no_action_of_the_game_is_named(find_race: FindGame) -> None:
    with pytest.raises(BadInput, match="line 3: there is no spot “z9”"):
        audit_record(read_record("game: race\n\na1-z9\n"), find_race)


def test_an_audit_of_a_journal_lists_refusals_with_the_ruling_that_was_given(
    table: Table[Any], find_race: FindGame
) -> None:
    play(table, "a1-c1", "a1-c1", "a2-b2")
    table.undo(1, "camera")
    table.correct([read_action("a1-b1")], "seat:white")
    play(table, "a2-c2")
    found = audit_journal(table.journal, None, find_race)
    assert [(f.where, f.verdict.ruling.rule) for f in found.findings] == [("event 3", "RACE-2")]
    assert found.played == 2


def test_accepted_actions_are_judged_again_by_the_rules_of_today(
    table: Table[Any], find_race: FindGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(table, "a1-c1", "a2-b2")
    table.undo(2, "camera")
    play(table, "a1-c1", "a2-b2")
    judge = type(table.game).judge

    def stricter(game: Game[Any], state: Any, action: Action) -> Ruling:
        if str(action) == "a1-c1":
            return Ruling(False, "RACE-9", "two steps are no longer allowed")
        return judge(game, state, action)

    monkeypatch.setattr(type(table.game), "judge", stricter)
    found = audit_journal(table.journal, None, find_race)
    assert [(f.where, f.verdict.ruling.rule) for f in found.findings] == [
        ("event 2", "RACE-9"),
        ("event 3", "RACE-3"),
        ("event 5", "RACE-9"),
        ("event 6", "RACE-3"),
    ]
    assert found.played == 0


def test_a_journal_file_is_audited_while_its_table_is_in_play(
    race: Game[Any], find_race: FindGame, tmp_path: Path
) -> None:
    with Journal(tmp_path / "game.journal") as journal:
        play(Table.create(journal, race, race.setup()), "a1-c1", "a1-c1")
        found = audit(tmp_path / "game.journal", find_race)
        assert [f.where for f in found.findings] == ["event 3"]


def test_the_games_of_a_pgn_are_audited_one_by_one_with_who_played(tmp_path: Path) -> None:
    path = tmp_path / "club.pgn"
    tags = '[White "{}"]\n[Black "?"]\n[Date "2024.05.01"]\n\n'
    text = tags.format("Müller") + "1. f3 e5 2. g4 Qh4# 0-1\n\n" + "1. e4 *"
    path.write_bytes(text.encode("latin-1"))
    mate, begun = audits(path)
    assert (mate.called, mate.played, mate.findings) == ("Müller - ?, 2024-05-01", 4, ())
    assert mate.outcome is not None
    assert (begun.called, begun.played, begun.outcome) == ("", 1, None)
    assert audit(path) == begun
    path.write_text(text + "\n\n1. e4 Nf3 *")
    with pytest.raises(BadInput, match=r"game 3 of 3: “1... Nf3” in the PGN is no legal move"):
        audits(path)


def test_a_file_that_is_neither_record_nor_journal_is_refused(
    find_race: FindGame, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match="cannot read"):
        audit(tmp_path / "missing.txt", find_race)
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(BadInput, match="neither a record nor a journal"):
        audit(tmp_path / "photo.jpg", find_race)


# -- records -----------------------------------------------------------------------------


def test_a_record_holds_what_stands_and_leads_to_the_same_game(
    race: Game[Any], find_race: FindGame
) -> None:
    table = Table.create(Journal(), race, race.setup(("black", "white"), {"length": "6"}))
    play(table, "a1-c1", "a1-c1", "a2-b2")
    table.undo(1, "camera")
    text = export_record(table.journal, find=find_race)
    assert text == "game: race\nseats: black, white\noption: length = 6\n\na1-c1\n"
    assert read_record(text).actions == tuple(table.game.format(one) for one in table.actions)
    assert audit_record(read_record(text), find_race).findings == ()


def test_a_record_keeps_an_arranged_start(race: Game[Any], find_race: FindGame) -> None:
    position = {"c1": "white", "e2": "black"}
    table = Table.create(Journal(), race, race.setup(), position, "black")
    play(table, "e2-f2")
    record = read_record(export_record(table.journal, table.game_id, find_race))
    assert (record.position, record.to_move) == (position, "black")
    assert audit_record(record, find_race).findings == ()
