"""The simulated table's page: hands move its pieces, the game hears nothing of it."""

import re

import pytest

import web
from web.ports import BUTTONS


@pytest.fixture
def hand(joined):
    return lambda name, **body: joined.post(f"/api/virtual/{name}", body)


def test_the_page_shows_what_lies_on_the_simulated_table_not_the_state(phone, virtual):
    virtual.move("a1", "b2")
    html = phone.get("/table").text
    assert 'aria-label="red man, b2"' in html
    assert 'aria-label="empty, a1"' in html


def test_a_hand_may_do_anything_and_the_game_hears_nothing(hand, table, virtual):
    before = table.state_id
    assert hand("move", origin="a1", target="c3").json["tokens"]["c3"] == "red man"
    assert hand("remove", spot="c3").json["off"] == ["blue man", "red man"]
    assert hand("put", spot="b2", token="red man").json["tokens"]["b2"] == "red man"
    hand("turn", spot="b2")
    hand("flip", spot="b2")
    assert virtual.done == [("turn", "b2"), ("flip", "b2")]
    assert table.state_id == before


def test_a_piece_in_the_hand_is_off_the_board_until_it_lands(hand):
    lifted = hand("lift", spot="a1").json
    assert (lifted["held"], "a1" in lifted["tokens"]) == ("red man", False)
    landed = hand("drop", spot="b2").json
    assert (landed["held"], landed["tokens"]["b2"]) == (None, "red man")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("move", {"origin": "z9", "target": "a1"}),
        ("move", {"origin": "b2", "target": "a1"}),
        ("move", {"origin": "a1"}),
        ("put", {"spot": "b2", "token": "green man"}),
        ("remove", {"spot": ["a1"]}),
        ("lift", {"spot": "b2"}),
        ("drop", {"spot": "b2"}),
        ("press", {"button": "red"}),
        ("press", {"button": "new"}),
    ],
)
def test_what_a_hand_cannot_do_is_told(hand, name, body):
    answer = hand(name, **body)
    assert answer.status_code == 400
    assert answer.json["ok"] is False


def test_the_buttons_of_the_box_are_keys_of_the_page(hand, joined, virtual):
    keys = re.findall(r'data-key="(\w+)"', joined.get("/table").text)
    assert keys == list(BUTTONS)
    assert hand("press", button="turn").json["ok"]
    assert virtual.done == [("press", "turn")]


def test_who_only_watches_presses_nothing(phone, virtual):
    assert phone.post("/api/virtual/press", {"button": "turn"}).status_code == 403
    assert virtual.done == []


def test_a_double_tap_moves_once(joined, virtual):
    body = {"origin": "a1", "target": "b2"}
    for _ in range(2):
        assert joined.post("/api/virtual/move", body, key="the-same-key-twice-0002").json["ok"]
    assert virtual.on["b2"] == "red man"


def test_a_stranger_moves_nothing(phone, virtual):
    answer = phone.post("/api/virtual/move", origin="a1", target="b2")
    assert answer.json["error"]["code"] == "not_joined"
    assert virtual.on["a1"] == "red man"


def test_the_picture_is_what_the_camera_sees(phone, virtual):
    answer = phone.get("/api/virtual/picture")
    assert (answer.data, answer.mimetype) == (virtual.picture(), "image/jpeg")
    assert phone.get("/api/virtual/table").json == {
        "ok": True, "tokens": dict(virtual.on), "off": [], "held": None, "lifts": True,
    }  # fmt: skip


class PlainTable:
    """A simulated table without a lifting hand."""

    def __init__(self, virtual):
        for name in ("tokens", "off", "move", "remove", "put", "turn", "flip", "picture"):
            setattr(self, name, getattr(virtual, name))


def test_a_table_without_a_lifting_hand_has_moves_alone(table, config, virtual):
    app = web.create_app(table, config=config, virtual=PlainTable(virtual))
    assert app.test_client().get("/api/virtual/table").json["lifts"] is False
    assert "/api/virtual/lift" not in {rule.rule for rule in app.url_map.iter_rules()}
