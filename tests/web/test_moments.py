"""The list of moves, and how the table stood after each of them."""

import random
import re

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.rules import Action, unknown_of
from companion.table import Table
from tests.checks.pages_alone import PHOTOGRAPH
from web.drawing import token_id


def played(table):
    """Play a move, end the turn, be refused, and move once more."""
    table.play(
        Action("move", "a1", "a2"), "camera", evidence={"before": PHOTOGRAPH, "after": PHOTOGRAPH}
    )
    table.play(Action("end"), "red")
    table.play(Action("move", "a3", "c1"), "camera")
    table.play(Action("move", "c3", "c2"), "camera")


def lines(phone):
    return phone.get("/api/moves").json["moves"]


def stand(phone, seq):
    return phone.get(f"/api/moves/{seq}").json


@pytest.fixture
def numbers(table):
    """Play; return the numbers of the events from the first one on."""
    played(table)
    return {one.action or one.kind: one.seq for one in table.events()}


class TestList:
    def test_actions_are_numbered_and_what_was_refused_stands_where_it_happened(self, phone, table):
        played(table)
        told = [(one["number"], one["kind"]) for one in lines(phone)]
        assert told[-4:] == [(1, "action"), (2, "action"), (None, "refused"), (3, "action")]

    def test_what_was_taken_back_keeps_its_line_and_loses_its_number(self, phone, table):
        played(table)
        table.undo(1, "red")
        told = [(one["number"], one["kind"], one["stands"]) for one in lines(phone)]
        assert told[-2:] == [(None, "action", False), (None, "undone", False)]

    def test_a_long_list_comes_a_page_at_a_time(self, phone, table):
        for _ in range(70):
            table.play(Action("move", "a1", "c3"), "camera")
        page = phone.get("/api/moves").json
        older = phone.get(f"/api/moves?before={page['older']}").json
        assert (len(page["moves"]), older["older"]) == (60, None)
        assert older["moves"][-1]["seq"] < page["moves"][0]["seq"]

    def test_stage_referee_and_past_games_show_the_same_lines(self, joined, table):
        """One list, drawn once: what differs is where a line leads to."""
        played(table)
        pages = {
            joined.get("/api/moves?html=1").json["html"]: 5,
            joined.get("/allowed").text: 5,
            # The beginning of a past game is reached by its steps.
            joined.get(f"/games/{table.game_id}").text: 4,
        }
        for page, lines in pages.items():
            assert page.count('class="no"') == lines
            assert "Not allowed</b>" in page

    def test_photographs_are_for_those_at_the_table(self, new_phone, joined, numbers):
        seq = numbers["a1-a2"]
        assert f"/evidence/{seq}/after.jpg" in joined.get("/api/moves?html=1").json["html"]
        assert "/evidence/" not in new_phone().get("/api/moves?html=1").json["html"]


class TestMoment:
    def test_the_position_is_that_after_the_move(self, phone, numbers):
        then = stand(phone, numbers["a1-a2"])
        assert (then["number"], then["count"]) == (1, 3)
        assert "a2" in then["position"]
        assert "c3" in then["position"]
        assert {spot: mark["kind"] for spot, mark in then["marks"].items()} == {
            "a1": "last", "a2": "last",
        }  # fmt: skip

    def test_steps_lead_back_to_the_start_and_on_to_now(self, phone, table, numbers):
        seq, shown = table.state_id, []
        while seq is not None:
            then = stand(phone, seq)
            shown.append(then["number"])
            seq = then["earlier"]
        assert shown == [3, 2, 1, 0]
        seq = numbers["started"]
        while seq is not None:
            shown.append(stand(phone, seq)["number"])
            seq = stand(phone, seq)["later"]
        assert shown[4:] == [0, 1, 2]

    def test_a_refused_move_is_shown_with_what_proves_it(self, phone, numbers):
        then = stand(phone, numbers["a3-c1"])
        assert then["entry"]["ruling"]["allowed"] is False
        assert "proof" in {mark["kind"] for mark in then["marks"].values()}
        assert then["number"] == 2

    def test_what_was_taken_back_is_shown_as_it_stood(self, phone, table, numbers):
        table.undo(1, "red")
        then = stand(phone, numbers["c3-c2"])
        assert "c2" in then["position"]
        assert then["earlier"] == numbers["end"]

    def test_the_referee_is_asked_about_that_moment(self, phone, numbers):
        ask = stand(phone, numbers["started"])["ask"]
        assert phone.get(f"/api/judge?from=c1&to=c2&at={ask}").json["ruling"]["allowed"]

    @pytest.mark.parametrize("seq", [0, 99])
    def test_what_never_happened_is_no_moment(self, phone, numbers, seq):
        assert phone.get(f"/api/moves/{seq}").status_code in (400, 404)

    def test_steps_disturb_nobody(self, phone, table, numbers):
        before = table.state_id
        stand(phone, numbers["a1-a2"])
        assert table.state_id == before


class TestNoItWas:
    def test_a_tapped_cell_tells_what_it_was(self, red, table):
        table.play(Action("move", "a1", "a2"), "camera")
        asked = red.get("/api/corrections").json
        assert "b1" in asked["cells"]
        assert stand(red, asked["before"])["number"] == 0
        (reading,) = red.get("/api/corrections?spot=b1").json["readings"]
        assert reading["actions"] == ["a1-b1"]

    def test_nothing_was_played_yet(self, phone):
        asked = phone.get("/api/corrections").json
        assert (asked["readings"], asked["cells"]) == ([], [])


class TestHidden:
    def test_whoever_looks_back_sees_what_everybody_saw_then(self, phone_of):
        """In Victory & Honor cards lie face down: a card that is unknown at a moment is a back in
        it, also for the seat that laid it and after it was turned up."""
        game = find_game("victory_honor")
        with Journal() as journal:
            table = Table.create(journal, game, game.setup())
            app = web.create_app(table, config=web.Config())
            guest, south = phone_of(app), phone_of(app, "192.168.1.44")
            code = web.invitation(app).partition("#")[2]
            assert south.post("/api/join", code=code).status_code == 200
            assert south.post("/api/seat", seat=table.setup.seats[0]).status_code == 200
            chance = random.Random(7)
            while len(table.actions) < 40:
                table.play(chance.choice(game.legal(table.state)), "camera")
            hidden = 0
            assert lines(guest) == lines(south)
            for one in lines(guest):
                then = stand(guest, one["seq"])
                assert then == stand(south, one["seq"])
                state = table.line_at(one["seq"]).state
                assert then["position"] == dict(game.expect(state))
                for spot in unknown_of(game, state):
                    if spot in then["position"]:
                        hidden += 1
                        assert game.look(then["position"][spot]) == game.look("back")
            assert hidden


class TestProps:
    """What lies beside the tokens on spots goes back with them: hands, dice, battles."""

    @pytest.fixture(params=["victory_honor", "hoplomachus"])
    def evening(self, request):
        game, choose = find_game(request.param), random.Random(4)
        with Journal() as journal:
            table = Table.create(journal, game, game.setup())
            while len(table.actions) < 12:
                table.play(choose.choice(game.legal(table.state)), "camera")
            yield table

    def test_then_later_and_for_friends_they_are_drawn_as_they_lay(self, evening):
        app = web.create_app(evening, config=web.Config(trust_machine=True))
        host, friend = app.test_client(), app.test_client()
        seq = next(event.seq for event in evening.events() if event.kind == "action")
        then = host.get(f"/api/moves/{seq}").json["html"]["props"]
        assert then != host.get("/api/state?html=1").json["html"]["props"]
        assert drawn(then) == lying(evening, 1)
        for at in (1, 12):
            page = host.get(f"/games/1?at={at}").text
            assert drawn(page) == lying(evening, at)
        made = {"count": "0", "unit": "moves", "key": "f" * 24}
        link = host.post("/api/friends", json=made).json["link"].partition("/watch/")[2]
        assert drawn(friend.get(f"/api/watch/{link}").json["html"]["props"]) == lying(evening, 12)
        assert drawn(friend.get(f"/watch/{link}").text) == lying(evening, 12)


def drawn(html):
    """Return the tokens that are drawn beside those on spots."""
    props = html.partition('class="props"')[2].partition("</svg>")[0]
    return sorted(re.findall(r'<use href="#([^"]*)"', props))


def lying(table, at):
    props = table.game.props(table.past[at])
    return sorted(token_id(prop.token) for prop in props if prop.token)
