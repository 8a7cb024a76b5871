"""What the phones ask for and say: snapshots, rulings, spoken actions, undo, answers."""

import pytest

from companion.rules import Action

A_KEY = "the-same-key-twice-0001"


def code(answer):
    return answer.status_code, answer.json.get("error", {}).get("code")


def move(table, text):
    origin, target = text.split("-")
    return table.play(Action("move", origin, target), "camera")


# -- looking -------------------------------------------------------------------------


def test_a_snapshot_tells_position_turn_and_scorecards(phone, table):
    state = phone.state
    assert state["ok"]
    assert state["state_id"] == table.state_id
    assert (state["title"], state["to_move"], state["outcome"]) == ("Men <of nine>", "red", None)
    assert state["position"]["a1"] == "red man"
    assert state["scorecards"][0]["fields"][0]["tokens"] == ["red man", "red man"]
    assert [seat["seat"] for seat in state["seats"]] == ["red", "blue"]


def test_a_refused_move_shows_its_ruling_and_marks_the_proof(phone, table):
    move(table, "a1-c3")
    state = phone.state
    assert state["ruling"]["text"] == "red man a1 → c3, takes blue man"
    assert state["ruling"]["ruling"] == {
        "allowed": False,
        "rule": "MEN-1",
        "title": "Steps",
        "text": "A man steps to a neighbouring square.",
        "section": "Moving",
        "reason": "that is no neighbouring square",
        "spots": ["a1", "c3"],
    }
    assert {spot: mark["kind"] for spot, mark in state["marks"].items()} == {
        "a1": "proof",
        "c3": "proof",
    }


def test_the_last_move_is_marked_and_told_in_words(phone, table):
    move(table, "a1-a2")
    state = phone.state
    assert state["recent"][0]["text"] == "red man a1 → a2"
    assert state["marks"] == {
        "a1": {"kind": "last", "meaning": "last move"},
        "a2": {"kind": "last", "meaning": "last move"},
    }


def test_lights_and_the_words_of_the_camera_are_shown(phone, lit, eyes):
    lit["b2"] = {"colour": "#00ff00", "effect": "steady", "meaning": "may go here"}
    eyes.words = {**eyes.words, "message": "a1 is empty", "differs": ["a1"], "lifted": "c1"}
    state = phone.state
    assert state["lights"]["b2"]["meaning"] == "may go here"
    assert state["camera"]["message"] == "a1 is empty"
    assert state["marks"]["a1"]["kind"] == "differs"


def test_what_the_game_points_out_is_marked_where_no_light_says_it(phone, game, lit, monkeypatch):
    monkeypatch.setattr(game, "highlights", lambda state: {"frozen": ("a1", "c1")}, raising=False)
    lit["c1"] = {"colour": "#00ff00", "effect": "steady", "meaning": "frozen till the turn ends"}
    state = phone.state
    assert state["marks"] == {"a1": {"kind": "note", "meaning": "frozen"}}
    assert "frozen <span" in phone.get("/").text


def test_the_parts_of_a_page_come_with_the_snapshot_if_asked_for(phone):
    assert "html" not in phone.state
    assert "red" in phone.get("/api/state?html=1").json["html"]["turn"]


# -- was that allowed ----------------------------------------------------------------


def test_a_ruling_names_rule_reason_and_proof(phone, table):
    before = table.state_id
    answer = phone.get("/api/judge?from=a1&to=c1").json
    assert answer["ruling"]["allowed"] is False
    assert (answer["ruling"]["rule"], answer["ruling"]["title"]) == ("MEN-2", "Own men")
    assert answer["text"] == "red man a1 → c1, takes red man"
    assert table.state_id == before


def test_a_piece_can_be_asked_where_it_may_go(phone):
    answer = phone.get("/api/judge?from=a1").json
    assert (answer["token"], answer["targets"]) == ("red man", ["a2", "b1"])


def test_an_action_can_be_asked_in_its_notation(phone):
    assert phone.get("/api/judge?action=end").json["ruling"]["rule"] == "MEN-3"
    assert phone.get("/api/judge?action=a1-a2").json["ruling"]["allowed"] is True


def test_an_earlier_position_can_be_asked(phone, table):
    move(table, "a1-a2")
    played = table.state_id
    assert phone.get("/api/judge?from=a1&to=a2").json["ruling"]["allowed"] is False
    assert phone.get(f"/api/judge?from=a1&to=a2&at={played}").json["ruling"]["allowed"] is True


@pytest.mark.parametrize(
    "query",
    ["", "from=z9", "from=z9&to=a1", "to=z9", "from=a1&to=a2&at=99", "from=a1&at=x", "action=?"],
)
def test_a_question_that_cannot_be_understood_gets_one_sentence(phone, query):
    answer = phone.get("/api/judge?" + query)
    assert code(answer) == (400, "bad_input")
    assert set(answer.json) == {"ok", "error"}
    assert set(answer.json["error"]) == {"code", "message"}


# -- spoken actions ------------------------------------------------------------------


def test_the_seat_to_move_ends_its_turn(red, table):
    move(table, "a1-a2")
    assert [item["label"] for item in red.state["say"]] == ["end turn", "agree to a draw"]
    answer = red.say("/api/say", action="end")
    assert (answer.status_code, answer.json["allowed"]) == (200, True)
    assert table.game.to_move(table.state) == "blue"
    assert table.events()[-1].actor == "red"


def test_ending_a_turn_that_may_not_end_is_refused_with_the_reason(red):
    answer = red.say("/api/say", action="end")
    assert (answer.status_code, answer.json["allowed"]) == (200, False)
    assert answer.json["reason"] == "nobody has moved yet"


def test_another_seat_cannot_end_the_turn(red, blue, table):
    move(table, "a1-a2")
    red.say("/api/say", action="end")
    move(table, "a3-a2")
    assert code(red.say("/api/say", action="end")) == (403, "not_your_turn")


def test_a_claim_may_come_from_any_seat(red, table):
    move(table, "a1-a2")
    red.say("/api/say", action="end")
    assert red.say("/api/say", action="draw").json["allowed"] is True
    assert red.state["outcome"]["winners"] == []


def test_a_watcher_says_nothing(phone, joined):
    assert code(joined.say("/api/say", action="end")) == (403, "not_seated")


def test_the_phone_never_moves_a_piece(red, table):
    before = table.state
    assert code(red.say("/api/say", action="a1-a2")) == (400, "not_spoken")
    assert code(red.say("/api/say", action="*b2")) == (400, "not_spoken")
    assert table.state == before


def test_a_double_tap_ends_one_turn(red, table):
    move(table, "a1-a2")
    body = {"state_id": table.state_id, "action": "end"}
    first = red.post("/api/say", body, key=A_KEY)
    events = len(table.events())
    second = red.post("/api/say", body, key=A_KEY)
    assert first.json == second.json
    assert len(table.events()) == events


def test_two_phones_may_happen_on_the_same_key(app, red, table, new_phone):
    move(table, "a1-a2")
    red.post("/api/say", {"state_id": table.state_id, "action": "end"}, key=A_KEY)
    other = new_phone("192.168.1.9")
    answer = other.post("/api/say", {"state_id": table.state_id, "action": "end"}, key=A_KEY)
    assert code(answer) == (403, "not_seated")


def test_a_request_that_saw_an_older_position_gets_the_new_one(red, table):
    seen = red.state["state_id"]
    move(table, "a1-a2")
    answer = red.post("/api/say", {"state_id": seen, "action": "end"})
    assert code(answer) == (409, "stale_state")
    assert answer.json["state"]["state_id"] == table.state_id
    assert table.game.to_move(table.state) == "red"


def test_notes_and_refusals_make_nobody_stale(red, table):
    move(table, "a1-a2")
    seen = red.state["state_id"]
    table.note("differs", {"spots": []}, "camera")
    move(table, "a2-a3")
    assert red.post("/api/say", {"state_id": seen, "action": "end"}).json["ok"]


@pytest.mark.parametrize("state_id", [None, "1", -1, True, 1.5])
def test_a_request_without_a_proper_state_id_is_refused(red, state_id):
    answer = red.post("/api/say", {"state_id": state_id, "action": "end"})
    assert code(answer) == (400, "bad_request")


# -- undo, answers -------------------------------------------------------------------


def test_a_seat_takes_back_and_the_history_keeps_it(red, table):
    move(table, "a1-a2")
    assert red.say("/api/undo", count=1).status_code == 200
    assert red.state["position"]["a1"] == "red man"
    assert red.state["recent"][1]["stands"] is False
    assert table.events()[-1].actor == "red"


@pytest.mark.parametrize("count", [0, 2])
def test_more_than_was_played_cannot_be_taken_back(red, table, count):
    move(table, "a1-a2")
    assert code(red.say("/api/undo", count=count)) == (400, "bad_input")


def test_an_undo_of_an_older_position_is_stale(red, table):
    move(table, "a1-a2")
    seen = red.state["state_id"]
    table.undo(1, "blue")
    assert code(red.post("/api/undo", {"state_id": seen, "count": 1})) == (409, "stale_state")


def test_a_watcher_takes_nothing_back(joined, table):
    move(table, "a1-a2")
    assert code(joined.say("/api/undo", count=1)) == (403, "not_seated")


def test_the_camera_asks_and_a_seat_answers(red, eyes):
    eyes.words = {**eyes.words, "asks": [["a1-a2"], ["a1-b1", "end"]]}
    assert red.state["camera"]["asked"] == [
        "red man a1 → a2",
        "red man a1 → b1, then red: end turn",
    ]
    assert "red man a1 → b1, then red: end turn" in red.get("/").text
    assert red.say("/api/answer", index=1, actions=["a1-b1", "end"]).status_code == 200
    assert eyes.answers == [1]


def test_an_answer_to_another_question_is_stale(red, eyes):
    eyes.words = {**eyes.words, "asks": [["a1-a2"]]}
    assert code(red.say("/api/answer", index=0, actions=["c1-c2"])) == (409, "stale_state")
    assert code(red.say("/api/answer", index=5, actions=["a1-a2"])) == (409, "stale_state")
    assert eyes.answers == []


def test_a_watcher_answers_nothing(joined, eyes):
    eyes.words = {**eyes.words, "asks": [["a1-a2"]]}
    assert code(joined.say("/api/answer", index=0, actions=["a1-a2"])) == (403, "not_seated")


# -- clocks --------------------------------------------------------------------------


def test_a_game_without_limits_has_no_clock(red):
    assert red.state["clock"] is None
    assert red.post("/api/pause", paused=True).status_code == 200
    assert red.state["clock"] is None


def test_the_clocks_tell_what_is_left(timed, clock):
    clock.time += 70
    assert timed.state["clock"] == {
        "paused": False,
        "runs": True,
        "game": 3530.0,
        "begin": 20.0,
        "free": 0.0,
        "seats": {"red": 230.0, "blue": 300.0},
        "moves": {},
    }
    assert "Game" in timed.get("/").text
    assert "58:50" in timed.get("/").text


def test_a_seat_stops_the_clock_and_lets_it_go_on(timed, clock):
    assert timed.post("/api/pause", paused=True).status_code == 200
    clock.time += 500
    assert (timed.state["clock"]["game"], timed.state["clock"]["paused"]) == (3600.0, True)
    timed.post("/api/pause", paused=False)
    clock.time += 10
    assert timed.state["clock"]["game"] == 3590.0
    assert code(timed.post("/api/pause", paused="yes")) == (400, "bad_request")


def test_a_watcher_stops_no_clock(joined):
    assert code(joined.post("/api/pause", paused=True)) == (403, "not_seated")


# -- the rest ------------------------------------------------------------------------


def test_pictures_of_tokens_can_be_fetched(phone):
    symbols = phone.get("/api/symbols?token=red%20man").json["symbols"]
    assert symbols["red man"].startswith('<g id="t-red_20_man"')
    assert code(phone.get("/api/symbols?token=%3Cscript%3E")) == (400, "bad_input")


@pytest.mark.parametrize("path", ["/api/nothing", "/api/virtual/nothing"])
def test_an_unknown_route_answers_in_the_same_shape(phone, path):
    answer = phone.get(path)
    assert code(answer) == (404, "not_found")
    assert set(answer.json) == {"ok", "error"}


@pytest.mark.parametrize("body", ["[]", "1", '"x"', "{", ""])
def test_a_body_that_is_no_object_is_refused(phone, body):
    answer = phone.client.post("/api/join", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json["ok"] is False


def test_a_disk_that_is_full_is_told_in_one_sentence(red, table, monkeypatch):
    from companion.rules import HardwareFault

    def full(*_args, **_named):
        raise HardwareFault("the disk is full; make room and repeat it")

    monkeypatch.setattr(table, "play", full)
    answer = red.say("/api/say", action="end")
    assert code(answer) == (503, "hardware")
    assert "make room" in answer.json["error"]["message"]


def test_a_watchdog_hears_that_the_house_stands(phone, table):
    assert phone.get("/healthz").json == {"ok": True, "state_id": table.state_id, "streams": 0}
