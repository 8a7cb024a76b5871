"""Machines on the page of the seats: who plays which, and who may say so."""

from __future__ import annotations

from typing import Any

import pypdfium2
import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.live.machine_players import MachinePlayers
from companion.rules import BadInput
from companion.table import Table
from companion.table.evening import Evening
from tests.web.conftest import Phone

CHESS: Any = find_game("chess")


@pytest.fixture
def evening() -> Any:
    with Journal() as journal:
        yield Evening(Table.create(journal, CHESS, CHESS.setup()))


@pytest.fixture
def app(evening: Evening) -> Any:
    machines = MachinePlayers(
        evening, lambda: None, lambda: False, lambda: True, lambda: None, lambda: 0.0
    )
    yield web.create_app(evening, config=web.Config(), machines=machines)
    machines.close()


@pytest.fixture
def context(app: Any) -> Any:
    """Two phones that came in, the first of which is the host's."""
    phones = []
    for _ in range(2):
        phone = Phone(app)
        code = web.invitation(app, 1, host=not phones).partition("#")[2]
        assert phone.post("/api/join", code=code).status_code == 200
        phones.append(phone)
    return phones


def seats(phone: Any) -> dict[str, str]:
    return dict(phone.state["machines"]["seats"])


def test_a_free_seat_is_given_to_a_machine_and_taken_back(context: Any) -> None:
    host, guest = context
    assert guest.state["machines"]["levels"] == [f"level:{n}" for n in range(1, 7)]
    assert guest.post("/api/machine", seat="black", plays="level:3").status_code == 200
    assert seats(host) == {"black": "level:3"}
    assert host.post("/api/machine", seat="black", plays="person").status_code == 200
    assert seats(guest) == {}


def test_a_machine_plays_on_for_who_sits_there_and_for_nobody_else(context: Any) -> None:
    host, guest = context
    assert host.post("/api/seat", seat="white").status_code == 200
    refused = guest.post("/api/machine", seat="white", plays="level:1")
    assert refused.status_code == 403
    assert host.post("/api/machine", seat="white", plays="level:1").status_code == 200
    assert seats(guest) == {"white": "level:1"}


def test_whom_a_machine_plays_on_for_is_not_told_that_it_is_his_turn(context: Any) -> None:
    host, _ = context
    host.post("/api/seat", seat="white")
    assert "Your turn" in host.get("/").text
    host.post("/api/machine", seat="white", plays="level:1")
    assert "Your turn" not in host.get("/").text
    host.post("/api/machine", seat="white", plays="person")
    assert "Your turn" in host.get("/").text


def test_who_sits_down_on_a_machines_seat_plays_it(context: Any) -> None:
    host, guest = context
    host.post("/api/machine", seat="black", plays="level:2")
    assert guest.post("/api/seat", seat="black").status_code == 200
    assert seats(host) == {}


def test_a_watcher_seats_no_machine(app: Any) -> None:
    assert Phone(app).post("/api/machine", seat="white", plays="level:1").status_code == 403


@pytest.mark.parametrize("player", ["uci:/bin/sh", "level:9", "greedy", ""])
def test_a_phone_chooses_levels_alone(context: Any, player: str) -> None:
    """A phone never starts a program on the machine."""
    host, _ = context
    assert host.post("/api/machine", seat="white", plays=player).status_code == 400
    assert host.post("/api/machine", seat="green", plays="level:1").status_code == 400
    assert seats(host) == {}


def test_the_page_tells_who_plays_and_offers_levels(context: Any) -> None:
    host, _ = context
    host.post("/api/machine", seat="black", plays="level:3")
    page = host.get("/join").text
    assert "A machine plays: Level 3" in page
    assert "Let a machine play" in page


def test_a_table_without_machines_offers_none(evening: Evening) -> None:
    phone = Phone(web.create_app(evening, config=web.Config(open_house=True)))
    assert phone.state["machines"]["levels"] == []
    assert phone.post("/api/machine", seat="white", plays="level:1").status_code == 400
    assert phone.post("/api/machine", seat="white", plays="person").status_code == 400


def test_a_machine_says_what_it_would_do(context: Any) -> None:
    _, guest = context
    ideas = guest.get("/api/advice").json["ideas"]
    assert len(ideas) == 3
    first = ideas[0]
    assert first["action"] == "-".join(first["spots"])
    assert 0 < first["expected"] < 1
    assert first["text"].startswith("white ")
    page = guest.get("/advice?idea=2").text
    assert ideas[1]["text"] in page
    assert page.count('data-effect="pulse"') == 2
    assert 'href="/advice"' in guest.get("/allowed").text


def test_why_a_machine_would_do_it_is_told_in_the_phones_language(context: Any) -> None:
    _, guest = context
    told = guest.get("/api/advice", **{"Accept-Language": "fr"}).json["ideas"]
    assert told[0]["reason"] == "est mieux placé ensuite, aussi loin qu'on a regardé"


def test_what_threatens_a_seat_is_shown_to_phones_that_joined(
    app: Any, evening: Evening, context: Any
) -> None:
    _, guest = context
    for move in ("e2-e4", "d7-d5"):
        evening.table.play(CHESS.parse(evening.table.setup, move), "referee")
    told = guest.get("/api/threats?seat=black").json
    assert [(one["seat"], one["action"], one["spots"]) for one in told["threats"]] == [
        ("white", "e4-d5", ["d5"])
    ]
    page = guest.get("/threats").text
    assert guest.get("/api/threats?seat=white").json["threats"][0]["text"] in page
    assert page.count('data-effect="pulse"') == 1
    assert 'href="/threats"' in guest.get("/advice").text
    assert guest.get("/api/threats?seat=green").status_code == 400
    assert Phone(app).get("/threats").status_code == 403


def test_a_game_is_looked_at_again_when_somebody_asks(
    evening: Evening, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.live.analyst.PATIENCE", 30.0)
    host, guest = context
    for move in ("f2-f3", "e7-e5", "g2-g4", "d8-h4"):
        evening.table.play(CHESS.parse(evening.table.setup, move), "referee")
    assert 'href="/games/1/analysis"' in guest.get("/games/1").text
    page = guest.get("/games/1/analysis").text
    assert page.count("<polyline") == 4
    assert 'href="/games/1?at=2"' in page
    assert "Better: " in page
    assert page == guest.get("/games/1/analysis").text
    spoken = guest.get("/games/1/analysis", **{"Accept-Language": "es"}).text
    assert "<h1>Ajedrez · Repasada</h1>" in spoken
    host.post("/api/settings", advice=False)
    assert guest.get("/games/1/analysis").status_code == 403


@pytest.fixture
def blundered(evening: Evening, context: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A guest's phone at a game that white has thrown away with its third action."""
    monkeypatch.setattr("companion.live.analyst.PATIENCE", 30.0)
    for move in ("f2-f3", "e7-e5", "g2-g4", "d8-h4"):
        evening.table.play(CHESS.parse(evening.table.setup, move), "camera")
    assert "Better: " in context[1].get("/games/1/analysis").text
    return context[1]


def test_what_was_better_is_played_through_on_the_board(blundered: Any) -> None:
    page = blundered.get("/games/1/analysis/2").text
    assert page.count('data-mark="last"') == 2
    count = page.count('<a href="?step=')
    assert count > 1
    assert 'rel="next" href="?step=2"' in page
    assert 'rel="prev"' not in page
    later = blundered.get(f"/games/1/analysis/2?step={count}").text
    assert 'rel="next"' not in later
    assert f'rel="prev" href="?step={count - 1}"' in later
    assert blundered.get("/games/1/analysis/2?step=99").text == later
    assert blundered.get("/games/1/analysis/77").status_code == 404


def test_what_a_machine_found_stands_on_paper_too(blundered: Any) -> None:
    pdf = pypdfium2.PdfDocument(blundered.get("/games/1/analysis.pdf").data)
    text = " ".join(page.get_textpage().get_text_range() for page in pdf)
    assert "Looked at again" in text
    assert "3. white pawn g2 - g4" in text
    assert "Better: " in text
    assert "white: actions 2" in text


def test_until_it_has_looked_there_is_neither_a_line_nor_paper(
    evening: Evening, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.live.analyst.PATIENCE", 0.0)
    evening.table.play(CHESS.parse(evening.table.setup, "e2-e4"), "referee")
    for path in ("/games/1/analysis/0", "/games/1/analysis.pdf"):
        assert context[0].get(path).headers["Location"] == "/games/1/analysis"


def test_while_a_machine_looks_at_a_game_the_page_says_so(
    evening: Evening, context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.live.analyst.PATIENCE", 0.0)
    evening.table.play(CHESS.parse(evening.table.setup, "e2-e4"), "referee")
    page = context[0].get("/games/1/analysis").text
    assert "A machine looks at every action" in page
    assert "<polyline" not in page


def test_the_host_may_forbid_advice(context: Any) -> None:
    host, guest = context
    assert host.post("/api/settings", advice=False).status_code == 200
    assert guest.get("/api/advice").status_code == 403
    assert guest.get("/advice").status_code == 403
    assert guest.get("/threats").status_code == 403
    assert 'href="/advice"' not in guest.get("/allowed").text


def test_an_idea_is_shown_by_the_lights(context: Any) -> None:
    host, guest = context
    assert guest.post("/api/point", spots=["e2", "e4"]).status_code == 200
    assert guest.post("/api/point", spots=["e9"]).status_code == 400
    assert guest.post("/api/point", spots=[]).status_code == 400
    host.post("/api/settings", advice=False)
    assert guest.post("/api/point", spots=["e2"]).status_code == 403


def test_a_watcher_is_not_advised(app: Any) -> None:
    assert Phone(app).get("/api/advice").status_code == 403
    assert Phone(app).post("/api/point", spots=["e2"]).status_code == 403


def test_when_the_game_is_over_there_is_nothing_to_advise(context: Any, evening: Evening) -> None:
    host, _ = context
    evening.table.play(CHESS.parse(evening.table.setup, "resign=white"), "white")
    assert host.get("/api/advice").json["ideas"] == []
    assert "The game is over." in host.get("/advice").text


def test_where_no_machine_can_the_page_says_so(evening: Evening) -> None:
    phone = Phone(web.create_app(evening, config=web.Config(open_house=True)))
    assert "No machine plays at this table" in phone.get("/advice").text


def test_whoever_asks_for_advice_reads_at_once_that_a_machine_thinks(
    context: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.routes.advising.GLANCE", 0.0)
    page = context[0].get("/advice").text
    assert 'id="asks-again"' in page
    assert context[1].get("/api/advice").json["ideas"], "the same question, answered"
    assert 'id="asks-again"' not in context[0].get("/advice").text


def test_an_adviser_that_does_not_answer_is_told(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.live.machine_players.PATIENCE", 0.0)
    machines = MachinePlayers(
        evening, lambda: None, lambda: False, lambda: True, lambda: None, lambda: 0.0
    )
    house = web.Config(open_house=True)
    answer = Phone(web.create_app(evening, config=house, machines=machines)).get("/api/advice")
    assert answer.status_code == 503
    assert "does not come to an end" in answer.json["error"]["message"]
    machines.close()


def test_in_a_game_that_nobody_evaluates_no_advice_is_given(evening: Evening) -> None:
    game = find_game("victory_honor")
    with Journal() as journal:
        other = Evening(Table.create(journal, game, game.setup()))
        machines = MachinePlayers(
            other, lambda: None, lambda: False, lambda: True, lambda: None, lambda: 0.0
        )
        assert not machines.told()["advises"]
        with pytest.raises(BadInput, match="no machine thinks ahead"):
            machines.advise()
