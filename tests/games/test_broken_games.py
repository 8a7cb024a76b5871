"""A game that breaks its contract in mid-game is named in one sentence; the table goes on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import web
from companion.games import find_game
from companion.games.guarded import hear
from companion.journal import Journal
from companion.rules import Action, BadInput, GameFault
from companion.runtime.supervisor import Supervisor, read_troubles
from companion.table import Table
from companion.table.evening import Evening
from companion.table.resuming import Asked, take_up
from tests.checks.foreign import found, installed

AFTER_ONE = "state.turn == 1"
"""When it breaks: once black has moved."""
STEP = Action("move", "a1", "a2")


def breaking(method: str, how: str, when: str = AFTER_ONE) -> str:
    """Return the body of a class that breaks its ``method`` by ``how``, a statement."""
    return (
        f"    def {method}(self, *given):\n"
        f"        state = given[0]\n"
        f"        if {when}:\n"
        f"            {how}\n"
        f"        return super().{method}(*given)\n"
    )


BREAKS = {
    "legal falls": breaking("legal", "raise KeyError('a1')"),
    "legal ends the program": breaking("legal", "raise SystemExit(1)"),
    "legal gives None": breaking("legal", "return None"),
    "legal gives texts": breaking("legal", "return ['a2-a3']"),
    "outcome gives a text": breaking("outcome", "return 'white'"),
    "expect gives numbers": breaking("expect", "return {'a1': 1}"),
    "scorecards fall": breaking("scorecards", "1 / 0"),
    "to_move gives a number": breaking("to_move", "return 0"),
    "a scorecard holds no text": breaking(
        "scorecards", "return tuple(Scorecard(seat, (Field(3),)) for seat in self.seats)"
    ),
}
AT_ONCE = {
    "judge falls": breaking("judge", "raise IndexError", "True"),
    "judge gives True": breaking("judge", "return True", "True"),
    "a ruling without a reason": breaking("judge", "return Ruling(True, 'TINY-1', None)", "True"),
    "advance falls": breaking("advance", "assert False", "True"),
    "advance gives nothing": breaking("advance", "return None", "True"),
    "advance gives what cannot be kept": breaking("advance", "return {}", "True"),
}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "packages").mkdir()
    with found(tmp_path / "packages"):
        yield tmp_path / "packages"


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal() as kept:
        yield kept


@pytest.mark.parametrize("body", [*BREAKS.values(), *AT_ONCE.values()], ids=[*BREAKS, *AT_ONCE])
def test_it_is_told_in_one_sentence_and_nothing_is_written_down(
    shelf: Path, journal: Journal, body: str, caplog: Any
) -> None:
    game = find_game(installed(shelf, "slide", body) and "slide")
    table = Table.create(journal, game, game.setup())
    before, written = table.view(), len(table.events())
    with caplog.at_level(logging.ERROR), pytest.raises(GameFault) as told:
        table.play(STEP, "seat:black")
    assert "Slide (slide)" in str(told.value)
    assert "\n" not in str(told.value)
    assert "slide" in caplog.records[0].getMessage()
    assert caplog.records[0].exc_info
    assert (table.view(), len(table.events())) == (before, written)
    assert Table.resume(journal).view()["position"] == before["position"]


def test_the_same_fault_is_logged_once(shelf: Path, journal: Journal, caplog: Any) -> None:
    game = find_game(installed(shelf, "slide", AT_ONCE["judge falls"]) and "slide")
    table = Table.create(journal, game, game.setup())
    for _ in range(2):
        with pytest.raises(GameFault):
            table.play(STEP, "seat:black")
    assert len([one for one in caplog.records if "slide" in one.getMessage()]) == 1


def test_what_our_own_errors_say_passes(shelf: Path, journal: Journal) -> None:
    game = find_game(installed(shelf, "slide") and "slide")
    table = Table.create(journal, game, game.setup())
    assert not table.play(Action("move", "a1", "c3"), "seat:black").allowed
    assert table.play(STEP, "seat:black").allowed
    with pytest.raises(BadInput):
        game.setup(["nobody"])


@pytest.mark.parametrize(
    "body",
    [
        "    judge = staticmethod(lambda state, action: Ruling(False, 'TINY-1', 'No.'))\n",
        "    @classmethod\n    def judge(cls, state, action):\n"
        "        return Ruling(False, 'TINY-1', 'No.')\n",
    ],
    ids=["a static method", "a class method"],
)
def test_a_method_that_needs_no_game_is_no_fault(shelf: Path, body: str) -> None:
    game = find_game(installed(shelf, "slide", body) and "slide")
    assert game.judge(game.start(game.setup()), STEP).reason == "No."


def test_a_game_that_is_broken_from_the_start_never_begins(shelf: Path, journal: Journal) -> None:
    chess = find_game("chess")
    evening = Evening(Table.create(journal, chess, chess.setup()))
    installed(shelf, "slide", breaking("legal", "1 / 0", "True"))
    with pytest.raises(GameFault):
        evening.begin("slide", None, {})
    assert evening.table.game is chess
    assert len(journal.games()) == 1


def test_a_game_that_an_update_broke_is_left_and_another_begins(
    shelf: Path, tmp_path: Path
) -> None:
    installed(shelf, "slide")
    with Journal(tmp_path / "games.sqlite3") as journal, found(shelf):
        game = find_game("slide")
        Table.create(journal, game, game.setup()).play(STEP, "seat:black")
    module = shelf / "their_slide.py"
    module.write_text(module.read_text().replace("\nGAME", "\n    legal = None\n\n\nGAME"))
    chess = find_game("chess")
    with Journal(tmp_path / "games.sqlite3") as journal, found(shelf):
        taken = take_up(journal, Asked(chess, last=True))
        assert taken.table.game is chess
        assert "Slide (slide)" in next(taken.table.events().newest("spoilt")).data["reason"]


def test_the_journal_of_a_game_that_was_uninstalled_is_read(shelf: Path, tmp_path: Path) -> None:
    installed(shelf, "slide")
    with Journal(tmp_path / "games.sqlite3") as journal, found(shelf):
        game = find_game("slide")
        Table.create(journal, game, game.setup()).play(STEP, "seat:black")
    (shelf / "their_slide-1.0.dist-info" / "entry_points.txt").unlink()
    chess = find_game("chess")
    with Journal(tmp_path / "games.sqlite3") as journal, found(shelf):
        taken = take_up(journal, Asked(chess, last=True))
        assert taken.table.game is chess
        assert journal.games()[1].name == "slide"
        assert [event.action for event in journal.events(1)][-1] == "a1-a2"


def test_the_doctor_reads_what_broke(shelf: Path, journal: Journal, tmp_path: Path) -> None:
    from companion.machine.doctor import check_parts
    from companion.runtime.locations import TROUBLES

    game = find_game(installed(shelf, "slide", BREAKS["legal falls"]) and "slide")
    file = tmp_path / f"kitchen{TROUBLES}"
    supervisor = Supervisor(SimpleNamespace(), file=file, wait=lambda seconds: None)  # type: ignore[arg-type]
    deaf = hear(supervisor.broke)
    try:
        with pytest.raises(GameFault):
            Table.create(journal, game, game.setup()).play(STEP, "seat:black")
    finally:
        deaf()
    assert [trouble.part for trouble in read_troubles(file)] == ["game"]
    (finding,) = check_parts(tmp_path)
    assert finding.level == "fault"
    assert "kitchen" in finding.message
    assert "slide, legal: KeyError" in finding.message
    assert supervisor.told() == ()


@pytest.fixture
def page(shelf: Path, journal: Journal) -> Any:
    """The house's own page of a table at which a game is played that breaks."""
    game = find_game(installed(shelf, "slide", BREAKS["legal falls"]) and "slide")
    table = Table.create(journal, game, game.setup())
    config = web.Config(trust_machine=True, open_house=True)
    client = web.create_app(Evening(table), config=config).test_client()

    def post(path: str, **body: Any) -> Any:
        post.key += 1  # type: ignore[attr-defined]
        return client.post(path, json={"key": f"{post.key:016}", **body})  # type: ignore[attr-defined]

    post.key = 0  # type: ignore[attr-defined]
    return SimpleNamespace(get=client.get, post=post, table=table)


def test_the_page_says_so_and_the_table_goes_on_with_another_game(page: Any) -> None:
    now = page.get("/api/state").json["state_id"]
    answer = page.post("/api/move", action="a1-a2", state_id=now)
    assert answer.status_code == 503, answer.text
    assert "Slide (slide)" in answer.json["error"]["message"]
    for path in ("/", "/settings", "/games", "/history", "/rules", "/join"):
        assert page.get(path).status_code == 200, path
    assert page.post("/api/new", game="chess").status_code == 200
    assert page.get("/api/state").json["game"] == "chess"


def test_a_broken_game_does_not_keep_the_others_from_being_chosen(shelf: Path, page: Any) -> None:
    installed(shelf, "worse", "    def seating(self, *given):\n        return 1 / 0\n")
    import companion.games

    companion.games.forget()
    offered = {game["name"] for game in page.get("/api/settings").json["choices"]["games"]}
    assert "chess" in offered
    assert "worse" not in offered
