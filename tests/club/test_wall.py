"""The club's pages: every table with its board, last moves and rulings; one table; the players."""

from __future__ import annotations

import queue
import random
import re
import shutil
import threading

import pytest

from companion.cli import main
from companion.club.copies import Copies
from companion.club.messages import Batch, Place
from companion.club.news import News
from companion.club.store import EVERY, Store
from companion.club.wall import AT_ONCE, LINES, create_wall
from companion.games import games
from companion.journal import Journal
from companion.journal.copying import GameRow, JournalRows
from companion.rules import Action, HardwareFault
from companion.table import Table
from tests.checks.club_tables import EPOCH, Published

PATIENCE = 60.0


def test_the_wall_shows_every_table_with_its_last_moves_and_rulings(client, tables):
    chess, _ = tables
    chess.play("e2-e4", "e7-e5", "e4-e5")
    page = client.get("/").text
    assert page.count('class="tile playing"') == 2
    assert "Four" in page
    assert "Window" in page
    assert "✗" in page, "the last line is a refused move, with its ruling"
    assert page.count("<svg") == 2


@pytest.mark.parametrize("name", games())
def test_every_game_is_shown_with_what_lies_beside_its_pieces(client, store, tmp_path, name):
    chance, one = random.Random(5), Published(tmp_path, store, "Any", name, "c" * 16)
    for _ in range(30):
        if not (legal := one.game.legal(one.table.state)):
            break
        one.table.play(chance.choice(legal), "camera")
    one.publish()
    copy = f"/games/{'c' * 16}/{EPOCH[:8]}/1"
    for path in ("/", f"/tables/{'c' * 16}", copy, f"{copy}?at=3"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert 'class="board"' in answer.text, path
    one.journal.close()


def test_a_tile_changes_when_something_has_happened_and_no_other(client, tables):
    chess, _ = tables
    every = client.get("/api/wall").json["tables"]
    assert sorted(every) == ["a" * 16, "b" * 16]
    tiles = changed(client, dict.fromkeys(every, ""))
    known = {table: one["key"] for table, one in tiles.items()}
    assert changed(client, known) == {}
    chess.play("e2-e4")
    after = changed(client, known)
    assert set(after) == {"a" * 16}
    assert "e2 → e4" in after["a" * 16]["html"]
    assert changed(client, {"b" * 16: "", "nothing": "", "": ""}).keys() == {"b" * 16}


def test_a_game_that_is_gone_on_with_is_shown_as_one_that_is_followed_anew(
    client, tables, store, tmp_path
):
    chess, _ = tables
    folder = tmp_path / "anew"

    def same():
        chess.publish()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        anew = create_wall(store, folder).test_client()
        shown = [one.get(f"/tables/{'a' * 16}").text for one in (client, anew)]
        assert shown[0] == shown[1]
        return shown[0]

    chess.play("e2-e4", "e7-e5")
    assert "e7 → e5" in same()
    chess.play("g1-f3", "f3-f3")
    same()
    chess.table.undo(2, "host")
    same()
    chess.play("d7-d5")
    assert "d7 → d5" in same()
    chess.table.note("named", {"seat": "white", "name": "Ada"}, "host")
    assert "Ada" in same()
    for action in ("b1-c3", "d5-e4") * 30:
        chess.table.play(chess.game.parse(chess.table.setup, action), "camera")
    assert same().replace("<link", "").count("<li") == LINES
    chess.table = Table.create(chess.journal, chess.game, chess.game.setup())
    chess.play("a2-a3")
    assert "a2 → a3" in same()


def test_tables_stand_in_the_order_of_their_numbers_and_marks_cover_nothing(
    client, store, tmp_path
):
    names = ["Table 10", "Table 2", "Window 1", "Table 1"]
    every = [Published(tmp_path, store, name, "chess", f"{n:016x}") for n, name in enumerate(names)]
    every[0].play("e2-e4")
    page = client.get("/").text
    assert sorted(names, key=page.index) == ["Table 1", "Table 2", "Table 10", "Window 1"]
    marks = re.findall(r'<polygon class="(?:casing|mark)"[^>]*>', page)
    assert len(marks) == 4
    assert all('fill="none"' in mark for mark in marks)
    for one in every:
        one.journal.close()


DEEP = "[" * 60_000
BROKEN = {
    "a header that is nested too deep": lambda row: row._replace(
        data=DEEP, begun=row.begun and row.begun._replace(seats=DEEP)
    ),
    "events that tell nothing": lambda row: row._replace(data=""),
    "an end without a result": lambda row: row._replace(kind="ended"),
    "what was deleted is no text": lambda row: row._replace(kind="deleted", data=DEEP),
    "a game that begins at each event": lambda row: row._replace(begun=BEGUN),
    "a ruling that is none": lambda row: row._replace(ruling="[]"),
}
BEGUN = GameRow("chess", '["white","black"]', "{}", None, None, "1")


@pytest.mark.parametrize("broken", BROKEN)
def test_a_table_whose_journal_is_broken_harms_no_other(client, tables, store, broken, tmp_path):
    chess, _ = tables
    chess.finish({"white": "Ada", "black": "Bo"})
    journal = JournalRows(chess.path)
    rows = tuple(map(BROKEN[broken], journal.after(0, 100)))
    journal.close()
    store.take("c" * 16, Batch(EPOCH, Place(), rows))
    for path in ("/", "/players", "/games", "/games.csv", f"/tables/{'a' * 16}"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "Ada" in answer.text
    answer = client.get(f"/tables/{'c' * 16}")
    assert answer.status_code == 200
    assert str(tmp_path) not in answer.text, "where the club keeps things concerns nobody"
    assert store.forget("Ada")
    assert "Ada" not in client.get("/players").text


def test_a_page_that_waits_is_answered_when_something_happens_at_its_tables(
    client, tables, monkeypatch
):
    chess, victorus = tables
    monkeypatch.setattr("companion.club.wall.HOLD", 10 * PATIENCE)
    known = {
        name: one["key"] for name, one in changed(client, {"a" * 16: "", "b" * 16: ""}).items()
    }
    answers = queue.Queue()

    def ask(table):
        path = f"/api/wall?wait=1&tables={table}.{known[table]}"
        answers.put(client.application.test_client().get(path).json)

    for table in known:
        threading.Thread(target=ask, args=(table,), daemon=True).start()
    chess.play("e2-e4")
    answer = answers.get(timeout=PATIENCE)
    assert [one["table"] for one in answer["tables"]] == ["a" * 16]
    assert answer["again"] < client.get(f"/api/wall?tables={'a' * 16}.").json["again"]
    assert answers.empty()
    victorus.publish("online")
    answer = answers.get(timeout=PATIENCE)
    assert [one["table"] for one in answer["tables"]] == ["b" * 16]


def test_who_waits_is_told_what_a_database_stored_that_was_gone_meanwhile(address):
    with Store(address) as store:
        told = iter([HardwareFault("gone"), [[EVERY], ["a"]]])

        def tidings(seconds):
            now = next(told, [])
            if isinstance(now, HardwareFault):
                raise now
            yield from now

        store.tidings = tidings
        news = News(store)
        assert news.wait(["a"], 0, PATIENCE)
        assert not news.wait(["a"], 10**9, 0.0)
        assert not news.wait(["b"], 10**9, PATIENCE, gone=lambda: True)


@pytest.mark.slow
def test_a_club_of_many_tables_is_shown_as_far_as_somebody_looks(client, store, tmp_path):
    one = Published(tmp_path, store, "Many", "chess", "0" * 16)
    rows = JournalRows(one.path)
    for number in range(1, 60):
        batch = Batch(f"{number:016x}", Place(), tuple(rows.after(0, 10)))
        store.take(f"{number:016x}", batch)
    rows.close()
    page = client.get("/").text
    assert page.count("<section") == 60
    assert page.count("<svg") == AT_ONCE
    every = client.get("/api/wall").json["tables"]
    assert len(changed(client, dict.fromkeys(every, ""))) == AT_ONCE
    one.journal.close()


def test_one_table_is_looked_at_by_its_link(client, tables):
    chess, _ = tables
    chess.play("e2-e4")
    page = client.get(f"/tables/{'a' * 16}").text
    assert "e2 → e4" in page
    assert "Four" in page
    assert client.get("/tables/nothing").status_code == 404


def test_a_game_that_is_over_tells_how_and_players_get_their_results(client, tables):
    chess, _ = tables
    for seat, name in (("white", "Ada"), ("black", "Bo")):
        chess.table.note("named", {"seat": seat, "name": name}, "host")
    chess.play("e2-e4")
    chess.table.play(Action("resign", detail="black"), "black")
    chess.publish("online")
    assert "The game is over" in client.get("/").text
    players = client.get("/players").text
    assert players.index("Ada") < players.index("Bo")


def test_a_table_that_starts_its_journal_anew_is_shown_anew(client, tables, store, tmp_path):
    chess, _ = tables
    chess.play("e2-e4")
    assert "e2 → e4" in client.get("/").text
    rows = JournalRows(chess.path)
    store.take("a" * 16, Batch("f" * 16, Place(), tuple(rows.after(0, 1))))
    rows.close()
    assert "e2 → e4" not in client.get("/").text


def test_what_the_host_deleted_is_not_in_the_copies(client, tables, store, tmp_path):
    chess, _ = tables
    chess.play("e2-e4")
    client.get("/")
    fresh = Table.create(chess.journal, chess.game, chess.game.setup())
    chess.journal.forget_games(fresh.game_id)
    fresh.note("deleted", {"what": "games", "photographs": 0, "games": 1}, "host")
    chess.publish()
    client.get("/")
    [table] = [one for one in store.tables() if one.table == "a" * 16]
    copies = Copies(store, tmp_path / "copies")
    with Journal.read(copies.journal(table)) as journal:
        assert list(journal.games()) == [fresh.game_id]


def test_a_database_that_is_gone_is_told_in_a_sentence(tmp_path):
    with Store("postgresql://club@127.0.0.1:1/none") as store:
        answer = create_wall(store, tmp_path).test_client().get("/")
    assert answer.status_code == 503
    assert "database" in answer.text


@pytest.mark.parametrize("language", ["it", "fr", "es"])
def test_the_pages_speak_the_browser_s_language(client, tables, language):
    page = client.get("/", headers={"Accept-Language": language}).text
    assert "All tables" not in page
    assert f'lang="{language}"' in page


def test_pages_run_no_foreign_script(client, tables):
    chess, _ = tables
    chess.table.note("named", {"seat": "white", "name": "<script>alert(1)</script>"}, "host")
    chess.play("e2-e4")
    answer = client.get("/")
    assert "<script>alert" not in answer.text
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_a_player_who_is_forgotten_stands_on_no_page_and_in_no_event(
    client, tables, store, tmp_path, capsys, address
):
    chess, _ = tables
    for seat, name in (("white", "Ada"), ("black", "Ben")):
        chess.table.note("named", {"seat": seat, "name": name}, seat)
    names = {"white": "Ben", "black": "Ada"}
    chess.table.note("reseated", {"people": {}, "names": names}, "host")
    chess.table.play(Action("resign", detail="white"), "white")
    chess.publish()
    assert "Ada" in client.get("/players").text
    known = {"a" * 16: changed(client, {"a" * 16: ""})["a" * 16]["key"]}
    assert main(["club", "forget", "ADA", "--database", address, "--data", str(tmp_path)]) == 0
    assert "ADA stood in 2 events of the club" in capsys.readouterr().out
    players = client.get("/players").text
    assert ("Ada" in players, "Ben" in players) == (False, True)
    assert changed(client, known)
    assert all("Ada" not in row.data for row in store.every_event("a" * 16, EPOCH))
    chess.play()
    assert main(["club", "forget", "Ada", "--database", address, "--data", str(tmp_path)]) == 0
    assert "in 0 events" in capsys.readouterr().out


def changed(client, known):
    """The tiles that are others than those that are ``known``, by table."""
    asked = ",".join(f"{table}.{key}" for table, key in known.items())
    return {one["table"]: one for one in client.get(f"/api/wall?tables={asked}").json["tables"]}
