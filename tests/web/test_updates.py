"""What streams tell: one text for all that see the same, and only what is new of a page."""

import json
import re
from pathlib import Path

import pytest

import web
from companion.rules import Action
from web.fragments import PARTS, PERSONAL
from web.stream import Streams
from web.updates import UpdateTeller


@pytest.fixture
def house(app):
    return app.extensions["house"]


@pytest.fixture
def teller(app, house):
    """Makes what a stream's phone is told, of a guest, in a language."""

    def tell(language="en"):
        teller = UpdateTeller(house, html=True)

        def told(seen=None):
            with app.test_request_context("/", headers={"Accept-Language": language}):
                number, text = teller.tell(seen)
                return number, json.loads(text), text

        return told

    return tell


def test_the_first_message_carries_the_whole_page_later_ones_what_changed(teller, table):
    told = teller()
    seen, first, _ = told()
    assert set(first["html"]) >= {"turn", "cards", "moves", "seats"}
    table.play(Action("move", "a1", "a2"), "camera")
    _, later, _ = told(seen)
    assert "moves" in later["html"]
    assert "seats" not in later["html"]
    assert later["position"]["a2"] == "red man"


def test_a_change_and_its_undoing_leave_nothing_stale(teller, table):
    told = teller()
    seen, first, _ = told()
    table.play(Action("move", "a1", "a2"), "camera")
    seen, second, _ = told(seen)
    table.undo(1, "red")
    _, third, _ = told(seen)
    page = {**first["html"], **second["html"], **third["html"]}
    assert page == teller()()[1]["html"]


def test_what_is_kept_of_a_page_is_what_would_be_drawn_anew(app, house, table, lit):
    """Step by step: moves, a refusal, lights, an undo, each in two languages."""
    steps = [
        lambda: table.play(Action("move", "a1", "a2"), "camera"),
        lambda: table.play(Action("end"), "red"),
        lambda: table.play(Action("move", "a2", "c3"), "camera"),
        lambda: lit.update(b2={"colour": "#00ff00", "effect": "steady", "meaning": "may go here"}),
        lambda: table.undo(1, "red"),
        lambda: lit.clear(),
    ]

    def pages():
        drawn = []
        for language in ("en", "it"):
            with app.test_request_context("/", headers={"Accept-Language": language}):
                view = house.snapshot()
                shown = (view["position"], view["lights"], view["marks"], view["legal"])
                board = house.drawings.board(view["game_id"], "board", 0, *shown)
                drawn.append((house.drawings.parts(PARTS, view), board))
        return drawn

    for step in steps:
        step()
        kept = pages()
        house.drawings._drawn(0)  # there is no such game: everything is forgotten
        assert kept == pages()


def test_another_game_has_drawings_of_its_own(app, house):
    with app.test_request_context("/"):
        house.snapshot()
        one = house.drawings.board(1, "board", 0, {}, {}, {}, {})
        assert house.drawings.board(1, "board", 0, {}, {}, {}, {}) is one
        assert house.drawings.board(2, "board", 0, {}, {}, {}, {}) is not one


def test_phones_that_see_the_same_share_one_text(teller, table):
    tellers = [teller() for _ in range(3)]
    (seen,) = {told()[0] for told in tellers}
    table.play(Action("move", "a1", "a2"), "camera")
    texts = [told(seen)[2] for told in tellers]
    assert texts[0] is texts[1] is texts[2]


def test_no_phone_is_told_what_another_sees_of_itself(app, red, blue):
    def told(phone):
        answer = phone.get("/api/events?client=phone-one&html=1")
        text = b"".join(part for part, _ in zip(answer.response, range(2), strict=False)).decode()
        answer.close()
        return json.loads(text.rpartition("data: ")[2])["you"]

    assert [told(phone)["seats"] for phone in (red, blue, red)] == [["red"], ["blue"], ["red"]]


@pytest.mark.parametrize("part", [part for part in PARTS if part not in PERSONAL])
def test_parts_that_phones_share_tell_no_person_from_another(part):
    text = (Path(web.__file__).parent / "templates" / "parts" / f"{part}.html").read_text()
    assert not re.search(r"you\.(person|name|colour)", text)


def test_each_language_has_its_own_text(teller):
    assert teller("it")()[1]["language"] == "it"
    assert teller("fr")()[1]["language"] == "fr"


def test_what_is_seen_is_found_out_once_for_a_change(house, eyes, monkeypatch):
    asked = []
    status = eyes.status
    monkeypatch.setattr(eyes, "status", lambda: asked.append(1) or status())
    looks = {house.views.look(edition=house.streams.edition).number for _ in range(50)}
    assert (len(looks), len(asked)) == (1, 1)
    house.streams.publish()
    eyes.words = {**eyes.words, "message": "new"}
    assert house.views.look(edition=house.streams.edition).status["message"] == "new"


class TestLeading:
    @pytest.fixture
    def streams(self):
        return Streams(limit=8, per_address=8)

    def test_who_waits_goes_first_and_hands_on(self, streams):
        leader, other = streams.open("here", "phone-one"), streams.open("here", "phone-two")
        assert (leader.wait(0), other.wait(0)) == ("changed", "changed")
        leader._waiting = True
        streams.publish()
        assert other.wait(0) == "beat"
        assert leader.wait(0) == "changed"
        leader.hand_on()
        assert other.wait(0) == "changed"

    def test_where_nobody_waits_all_are_told_at_once(self, streams):
        listeners = [streams.open("here", f"phone-{n}-of-two") for n in range(2)]
        for listener in listeners:
            listener.wait(0)
        streams.publish()
        assert [listener.wait(0) for listener in listeners] == ["changed", "changed"]

    def test_a_leader_that_is_gone_leads_nobody(self, streams):
        leader, other = streams.open("here", "phone-one"), streams.open("here", "phone-two")
        leader.wait(0)
        other.wait(0)
        leader._waiting = True
        streams.publish()
        streams.publish()
        assert other.wait(0) == "changed"
