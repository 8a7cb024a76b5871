"""What the journal keeps beside the events, what it lets go, and how it was made before."""

from __future__ import annotations

import sqlite3

import pytest

from companion.journal import Draft, Header, Journal
from companion.rules import Ruling, Text, say
from tests.checks.kept_photographs import photograph_bytes
from tests.checks.loops import some

HEADER = Header("race", ("white", "black"), {})
PICTURES = {"before": b"\xff\xd8" + b"b" * 98, "after": b"\xff\xd8" + b"a" * 98}


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "game.sqlite3") as journal:
        yield journal


def filled(journal, games=1, moves=3):
    """Fill the journal with games that were photographed; the moves are ten seconds apart."""
    for _ in range(games):
        game, _ = journal.begin(HEADER, 0.0, Draft("referee", "started"))
        for number in range(moves):
            draft = Draft("camera", "action", "a1-b1", photographs=PICTURES)
            journal.append(game, 10.0 * number, [draft])
    return game


def photographed(journal, game):
    return [event.seq for event in journal.events(game) if event.photographs]


def test_photographs_go_when_their_time_is_over(journal):
    game = filled(journal)
    assert journal.forget_photographs(last=3) == 4
    assert photographed(journal, game) == [4]


def test_photographs_that_take_too_much_room_go_the_oldest_first(journal):
    game = filled(journal)
    assert photograph_bytes(journal) == 600
    journal.trim_photographs(400)
    assert (photograph_bytes(journal), photographed(journal, game)) == (400, [3, 4])
    assert journal.trim_photographs(400) == 0


def test_what_was_deleted_is_in_no_file(journal, tmp_path):
    filled(journal)
    journal.forget_photographs(last=100)
    for path in some(tmp_path.iterdir()):
        assert b"bbbbbbbb" not in path.read_bytes()


def test_all_games_but_one_can_be_forgotten_and_events_count_on(journal):
    last = filled(journal, games=3)
    journal.keep_record("club", "game: race\n", 5.0)
    seq = journal.events(last)[-1].seq
    assert journal.forget_games(keep=last) == 2
    assert list(journal.games()) == [last]
    assert journal.records() == {}
    (event,) = journal.append(last, 99.0, [Draft("camera", "action", "b1-c1")])
    assert event.seq == seq + 1


def test_events_are_found_by_kind_through_all_games(journal):
    filled(journal, games=2)
    found = journal.of_kinds("started", "ended")
    assert [(game, event.kind) for game, event in found] == [(1, "started"), (2, "started")]
    assert journal.lengths() == {1: 3, 2: 3}


def test_the_latest_game_is_the_one_in_which_something_happened_last(journal):
    assert journal.latest() is None
    filled(journal, games=2)
    journal.append(1, 50.0, [Draft("host", "resumed")])
    assert journal.latest() == 1


def test_records_are_kept_with_their_titles(journal):
    number = journal.keep_record("at the club", "game: race\n", 5.0)
    assert journal.records() == {number: (5.0, "at the club", "game: race\n")}


def test_sentences_come_back_as_they_were_made(journal):
    piece = say("white {man}", man="T")
    reason = say("{piece} may not leave {spot} in {count} turns", piece=piece, spot="a1", count=2)
    ruling = Ruling(False, "RACE-2", reason, ("a1",))
    data = {"reason": say("over after {count}", count=2), "winners": []}
    game, _ = journal.begin(HEADER, 0.0, Draft("referee", "started"))
    journal.append(game, 1.0, [Draft("camera", "refused", "a1-c1", ruling, data)])
    event = journal.events(game)[-1]
    assert event.ruling == ruling
    assert isinstance(event.ruling.reason, Text)
    assert event.ruling.reason.told(lambda text: text.replace("may not leave", "non lascia")) == (
        "white T non lascia a1 in 2 turns"
    )
    assert event.data == data
    assert event.data["reason"].told(lambda text: text.replace("over", "finita")) == (
        "finita after 2"
    )


def test_a_journal_of_the_first_version_is_read_and_brought_up_to_date(tmp_path):
    path = tmp_path / "old.sqlite3"
    with Journal(path) as journal:
        game, _ = journal.begin(HEADER, 0.0, Draft("referee", "started"))
    old = sqlite3.connect(path)
    old.execute("DROP TABLE record")
    old.execute("DROP INDEX event_of_kind")
    old.execute(
        "INSERT INTO event VALUES (2, 1, 1.0, 'camera', 'refused', 'a1-c1', "
        """'[false,"RACE-2","no runner can step there",["a1"]]', '{"seat":"white"}')"""
    )
    old.execute("PRAGMA user_version = 1")
    old.commit()
    old.close()
    with Journal(path) as journal:
        event = journal.events(game)[-1]
        assert event.ruling == Ruling(False, "RACE-2", "no runner can step there", ("a1",))
        assert journal.records() == {}
        assert [e.seq for _, e in journal.of_kinds("refused")] == [2]
