"""What a start goes on with: the command line wins, what was played is said, nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.rules import Outcome
from companion.table import Table
from companion.table.evening import Evening
from companion.table.resuming import Asked, put_aside, take_up
from web import Config, create_app, invitation

VICTORUS, CHESS = find_game("victorus"), find_game("chess")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def journal():
    """A journal in which the host began chess from a phone while Victorus was played."""
    with Journal() as journal:
        evening = Evening(Table.create(journal, VICTORUS, VICTORUS.setup()))
        evening.table.play(VICTORUS.parse(evening.table.setup, "h2-h4"), "red")
        evening.begin("chess", None, {})
        evening.table.play(CHESS.parse(evening.table.setup, "e2-e4"), "white")
        yield journal


def kinds(table: Table) -> list[str]:
    return [event.kind for event in table.events()]


def test_the_game_that_is_asked_for_goes_on_and_the_one_being_played_is_put_aside(journal):
    taken = take_up(journal, Asked(VICTORUS))
    assert taken.table.game is VICTORUS
    assert len(taken.table.actions) == 1
    assert taken.resumed
    assert taken.aside.header.name == "chess"
    assert kinds(taken.table)[-2:] == ["resumed", "aside"]
    assert put_aside(taken.table) == 2


def test_with_other_seats_a_new_game_begins_and_the_other_can_be_played_on(journal):
    taken = take_up(journal, Asked(VICTORUS, VICTORUS.setup(["red", "purple"])))
    assert taken.table.actions == ()
    assert set(taken.table.setup.seats) == {"red", "purple"}
    assert not taken.resumed
    chess = Evening(taken.table).resume(put_aside(taken.table))
    assert [str(action) for action in chess.actions] == ["e2-e4"]


def test_where_nothing_is_asked_what_was_played_last_goes_on(journal):
    taken = take_up(journal, Asked(VICTORUS, last=True))
    assert taken.table.game is CHESS
    assert taken.resumed
    assert taken.aside is None
    assert kinds(taken.table)[-1] == "resumed"


def test_a_game_that_was_taken_up_again_is_the_one_played_last(journal):
    take_up(journal, Asked(VICTORUS))
    assert take_up(journal, Asked(CHESS, last=True)).table.game is VICTORUS
    assert take_up(journal, Asked(CHESS)).table.game is CHESS
    assert take_up(journal, Asked(VICTORUS, last=True)).table.game is CHESS


def test_a_new_game_puts_aside_what_goes_on_and_only_that(journal):
    taken = take_up(journal, Asked(VICTORUS, new=True))
    assert taken.table.actions == ()
    assert taken.aside.number == 2
    taken.table.end(Outcome((), "", "a draw"), "agreement", "red")
    again = take_up(journal, Asked(VICTORUS, new=True, last=True))
    assert again.aside is None
    assert kinds(again.table) == ["started"]


def test_a_machine_that_starts_again_and_again_fills_no_journal(journal):
    for _ in range(5):
        taken = take_up(journal, Asked(VICTORUS, last=True))
    assert kinds(taken.table).count("resumed") == 1


def test_an_empty_journal_begins_the_game_that_is_asked_for():
    with Journal() as journal:
        taken = take_up(journal, Asked(VICTORUS, last=True))
        assert taken.table.game is VICTORUS
        assert not taken.resumed


def test_phones_are_told_and_offered_the_game_put_aside_until_somebody_moves(journal):
    table = take_up(journal, Asked(VICTORUS)).table
    app = create_app(table, config=Config(open_house=True))
    pages = app.test_client()
    code = invitation(app, host=True).partition("#")[2]
    sent = {"key": "a-key-of-its-own", "code": code}
    assert pages.post("/api/join", json=sent, headers={"Origin": "http://localhost"}).json["ok"]
    page = pages.get("/").text
    assert "An unfinished game of Chess was put aside" in page
    assert 'href="/games"' in page
    assert "The game goes on where it was left" in page
    assert "/api/resume" in page, "the host plays it on with one tap"
    legal = VICTORUS.legal(table.state)
    table.play(legal[0], "black")
    assert "was put aside" not in pages.get("/").text


def test_a_game_put_aside_that_was_deleted_is_offered_no_more(journal):
    evening = Evening(take_up(journal, Asked(VICTORUS)).table)
    evening.delete("games", "host")
    assert put_aside(evening.table) is None


class TestByCommand:
    """The command itself, started as a person and as the machine starts it."""

    @pytest.fixture
    def play(self, tmp_path):
        """Start ``companion play`` with the words; return what it said first and the process."""
        running = []

        def play(*words: str, **environment: str):
            process = subprocess.Popen(
                [sys.executable, "-m", "companion.cli", "play", *words, "--port", "0", "--json",
                 "--host", "127.0.0.1", "--journal", str(tmp_path / "evening.sqlite3")],
                env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": str(ROOT),
                     **environment},
                stdout=subprocess.PIPE,
                text=True,
            )  # fmt: skip
            running.append(process)
            assert process.stdout is not None
            return json.loads(process.stdout.readline()), process

        yield play
        for process in running:
            process.kill()
            process.wait()
            process.stdout.close()

    def game_at(self, page: str) -> str:
        with urllib.request.urlopen(f"{page}/api/state") as answer:
            return str(json.load(answer)["game"])

    def stop(self, process) -> None:
        process.send_signal(signal.SIGTERM)
        process.wait(30)

    @pytest.mark.slow
    def test_a_person_gets_what_he_asks_for_and_a_power_cut_changes_nothing(self, play, tmp_path):
        with Journal(tmp_path / "evening.sqlite3") as journal:
            Evening(Table.create(journal, VICTORUS, VICTORUS.setup())).begin("chess", None, {})
        told, process = play("victorus", NOTIFY_SOCKET=str(tmp_path / "nobody"))
        assert (self.game_at(told["page"]), told["resumed"]) == ("chess", True)
        self.stop(process)
        told, process = play("victorus", "--resume")
        assert self.game_at(told["page"]) == "chess"
        self.stop(process)
        told, process = play("victorus")
        assert self.game_at(told["page"]) == "victorus"
        assert told["aside"]["name"] == "chess"
        process.kill()
        process.wait()
        told, process = play()
        assert self.game_at(told["page"]) == "victorus"
        assert told["resumed"]
