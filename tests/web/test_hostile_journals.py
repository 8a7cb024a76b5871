"""A journal that somebody changed is told about in one sentence; everything else goes on."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import web
from companion.games import find_game
from companion.journal import Damaged, Journal
from companion.referee import audit
from companion.rules import BadInput, CompanionError
from companion.table import Table
from companion.table.evening import Evening
from companion.table.resuming import Asked, take_up

CHESS = find_game("chess")
ODD_DATA = [
    "not json",
    "[1]",
    "7",
    "null",
    '{"count": "x"}',
    '{"count": true}',
    '{"count": ' + "9" * 400 + "}",
    '{"count": ' + "9" * 5000 + "}",
    '{"count": NaN}',
    '{"to_move": 7}',
    '{"seat": ["x"]}',
    '{"reason": "\\ud800"}',
    "[" * 100_000 + "]" * 100_000,
    '{"said": 7}',
    '{"reason": "x", "said": {"reason": {"message": "{a.__class__}", "values": {"a": 1}}}}',
    '{"reason": "x", "said": {"reason": {"message": "{a:>999999999}", "values": {"a": 1}}}}',
    '{"reason": "x", "said": {"reason": {"message": "{b}", "values": {"a": 1}}}}',
    '{"reason": "x", "said": {"other": {"message": "b", "values": {}}}}',
    '{"position": {"e4": 7}}',
    '{"winners": 7, "rule": "x", "reason": "y"}',
    "{}",
]
KINDS = [
    "started", "arranged", "action", "refused", "undone", "corrected", "ruled", "ended", "reopened",
    "offered", "resigned", "asked", "differs", "paused", "joined", "seated", "left", "named",
    "handed", "hosted", "dismissed", "settings", "array", "preset", "jumped",
    "lesson", "aside", "spoilt", "unheard",
]  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games of chess with people and settings; the second goes on."""
    path = tmp_path_factory.mktemp("played") / "evening.sqlite3"
    with Journal(path) as journal:
        evening = Evening(Table.create(journal, CHESS, CHESS.setup()))
        evening.table.note("joined", {"key": "a" * 64, "person": "anna", "host": True}, "phone")
        evening.table.note("seated", {"seat": "white", "key": "a" * 64, "was": "a" * 64}, "white")
        evening.table.note("settings", {"keep_days": 9}, "host")
        for number in range(3):
            table = evening.begin("chess", None, {})
            for notation in ("e2-e4", "e7-e5", "g1-f3", "e4-e5"):
                table.play(CHESS.parse(table.setup, notation), "white")
            table.undo(1, "white")
            if number == 1:
                table.note("paused", {}, "white")
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    """A journal of these games, for a test to spoil."""
    return shutil.copy(played, tmp_path)


def changed(path: Path, sql: str, *values: object) -> None:
    db = sqlite3.connect(path)
    db.execute(sql, values)
    db.commit()
    db.close()


def contents(path: Path) -> list[object]:
    db = sqlite3.connect(path)
    db.text_factory = bytes
    try:
        return [db.execute(f"SELECT * FROM {name}").fetchall() for name in ("game", "event")]
    finally:
        db.close()


def sentence(do: Callable[[], object], usual: object = "done") -> str:
    """Do something; return what is said if it cannot be done."""
    try:
        do()
    except CompanionError as error:
        return str(error)
    return str(usual)


def browse(journal: Journal) -> Table:
    """Do what a start and curious phones do; whatever is wrong is told in sentences."""
    table = take_up(journal, Asked(CHESS, last=True)).table
    evening = Evening(table)
    evening.tick()
    app = web.create_app(evening, config=web.Config(open_house=True))
    client = app.test_client()
    pages = ["/", "/history", "/games", "/view", "/api/state", "/api/games", "/seats", "/settings"]
    for number in journal.games():
        pages += [f"/games/{number}", f"/api/games/{number}", f"/export/{number}/record.txt"]
        assert str(number) in sentence(lambda number=number: Table.resume(journal, number), number)
    for page in pages:
        answer = client.get(page)
        assert answer.status_code in (200, 400, 404, 503), (page, answer.text)
        assert "Traceback" not in answer.text
    assert client.get("/").status_code == client.get("/games").status_code == 200
    table.play(table.game.legal(table.state)[0], "white")
    return table


SPOILT = ["action", "undone", "joined", "ended", "settings", "jumped"]
ODD_EVENTS = [
    # Each of the data in two kinds of events, each kind with a third of the data; then the others.
    pytest.param(kind, data, marks=() if (row + column) % 3 == 0 else pytest.mark.slow)
    for row, kind in enumerate(SPOILT)
    for column, data in enumerate(ODD_DATA)
]


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "data"), ODD_EVENTS)
def test_one_odd_event_costs_its_game_at_most(path: Path, kind: str, data: str) -> None:
    changed(path, "UPDATE event SET kind = ?, data = ? WHERE seq = 17", kind, data)
    before = contents(path)
    with Journal(path) as journal:
        browse(journal)
    after = contents(path)
    assert [rows[: len(kept)] for rows, kept in zip(after, before, strict=True)] == before


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE event SET data = '[1]' WHERE seq = 21", "event 21 of game 4"),
        ("UPDATE event SET at = -1e300 WHERE seq = 21", "event 21 of game 4"),
        ("UPDATE event SET at = 9e999 WHERE seq = 21", "event 21 of game 4"),
        ("UPDATE event SET kind = CAST(x'ff' AS TEXT) WHERE seq = 21", "event 21 of game 4"),
        ("UPDATE event SET ruling = '[1]' WHERE seq = 21", "event 21 of game 4"),
        ("UPDATE event SET ruling = '[true,1,2,3]' WHERE seq = 21", "event 21 of game 4"),
        ("UPDATE event SET action = 'zz' WHERE seq = 19 + 2", "event 21"),
        ("UPDATE event SET action = NULL WHERE seq = 21", "event 21"),
        ("UPDATE game SET name = 'go' WHERE id = 4", "game 4"),
        ("UPDATE game SET seats = '[\"a\"]' WHERE id = 4", "game 4"),
        ('UPDATE game SET options = \'{"minutes":"9999999999"}\' WHERE id = 4', "game 4"),
        ("UPDATE event SET seq = seq + 100 WHERE game = 4 AND kind = 'started'", ""),
        ("DELETE FROM event WHERE game = 4 AND kind = 'started'", ""),
        ("UPDATE event SET game = 99 WHERE seq = 21", ""),
        ("UPDATE event SET seq = 9223372036854775807 WHERE seq = 23", ""),
        ("UPDATE event SET seq = -5 WHERE seq = 19", ""),
        ("UPDATE game SET id = 9223372036854775806 WHERE id = 4", ""),
        ("UPDATE game SET seats = 'x' WHERE id = 4", ""),
        ("UPDATE game SET position = '{\"e4\":[]}' WHERE id = 4", ""),
    ],
)
def test_what_is_wrong_is_named_and_the_table_goes_on(path: Path, sql: str, says: str) -> None:
    changed(path, sql)
    with Journal(path) as journal:
        if says and 4 in journal.games():
            with pytest.raises((BadInput, Damaged), match=says):
                Table.resume(journal, 4)
        table = browse(journal)
        assert table.game_id != 4 or not says
    assert sentence(lambda: audit(path))


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 25))]
)
def test_rows_that_somebody_stirred_bring_nothing_down(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    db = sqlite3.connect(path)
    for _ in range(chance.randint(1, 6)):
        seq = chance.randint(1, 24)
        column = chance.choice(["data", "kind", "action", "ruling", "at", "actor", "game", "swap"])
        if column == "swap":
            other = chance.randint(1, 24)
            db.execute("UPDATE event SET seq = 5000 WHERE seq = ?", (seq,))
            db.execute("UPDATE event SET seq = ? WHERE seq = ?", (seq, other))
            db.execute("UPDATE event SET seq = ? WHERE seq = 5000", (other,))
            continue
        value = {
            "data": lambda: chance.choice(ODD_DATA),
            "kind": lambda: chance.choice(KINDS),
            "action": lambda: chance.choice(["", "end", "e2-e4", "x" * 5000, "resign", "²³", "*"]),
            "ruling": lambda: chance.choice(
                [None, "[]", '[true,"","",[]]', '[false,"a","b",["c"]]']
            ),
            "at": lambda: chance.choice([0.0, 1e9, 1e18, -1.0]),
            "actor": lambda: chance.choice(["", "camera", "x" * 1000]),
            "game": lambda: chance.choice([1, 2, 3, 4, 77]),
        }[column]()
        db.execute(f"UPDATE event SET {column} = ? WHERE seq = ?", (value, seq))
    db.commit()
    db.close()
    with Journal(path) as journal:
        browse(journal)
    with Journal(path) as journal:
        browse(journal)


def test_what_a_game_cannot_go_on_for_is_told_on_the_phones(path: Path) -> None:
    changed(path, "UPDATE event SET data = ? WHERE seq = 21", json.dumps([1]))
    with Journal(path) as journal:
        taken = take_up(journal, Asked(CHESS, last=True))
        (told,) = (event for event in taken.table.events() if event.kind == "spoilt")
        assert "event 21 of game 4" in told.data["reason"]
        assert len(journal.games()) == 4
        assert taken.table.game_id == 3
