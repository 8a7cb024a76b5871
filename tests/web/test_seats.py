"""Coming in by a code, sitting down, getting up, and a restart in between."""

import re

import pytest

import web
from web.access.seats import CODE_FRESH, CODE_LIFE


def code_of(app, uses=1):
    return web.invitation(app, uses).partition("#")[2]


def test_a_phone_watches_without_a_code(phone):
    you = phone.state["you"]
    assert (you["joined"], you["role"], you["seats"], you["acts"]) == (False, "guest", [], [])
    assert phone.state["to_move"] == "red"


def test_an_invitation_carries_its_code_where_no_log_sees_it(app):
    address, _, code = web.invitation(app).partition("#")
    assert address == "http://192.168.1.5:8000/join"
    assert len(code) == 8


def test_a_code_lets_one_phone_in(app, new_phone):
    code = code_of(app)
    first, second = new_phone(), new_phone()
    assert first.post("/api/join", code=code).status_code == 200
    assert first.state["you"]["joined"]
    answer = second.post("/api/join", code=code)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "bad_code")
    assert not second.state["you"]["joined"]


@pytest.mark.parametrize("page", ["/join", "/view"])
def test_a_page_that_is_looked_at_again_and_again_shows_one_code_a_minute(
    app, host, red, new_phone, clock, page
):
    def shown(phone=red):
        return re.search(r'class="spell">(\w{8})<', phone.get(page).text)[1]

    first = shown()
    assert {shown() for _ in range(20)} == {first}
    assert shown(host) != first, "each person shows a code of his own"
    assert new_phone().post("/api/join", code=first).status_code == 200
    second = shown()
    assert second != first, "the first was used"
    clock.time += CODE_FRESH
    assert shown() != second
    for _ in range(30):
        clock.time += CODE_FRESH
        shown()
    assert len(app.extensions["context"].door._codes) <= CODE_LIFE / CODE_FRESH + 1


def test_the_hosts_link_is_made_once_a_minute(host, clock):
    links = {host.post("/api/host").json["link"] for _ in range(5)}
    clock.time += CODE_FRESH
    assert len(links) == 1
    assert host.post("/api/host").json["link"] not in links


def test_a_code_for_two_lets_two_phones_in(app, new_phone):
    code = code_of(app, uses=2)
    answers = [new_phone().post("/api/join", code=code).status_code for _ in range(3)]
    assert answers == [200, 200, 403]


def test_a_code_is_read_in_small_letters_and_with_spaces(app, phone):
    assert phone.post("/api/join", code=f" {code_of(app).lower()} ").status_code == 200


def test_a_code_is_over_after_ten_minutes(app, phone, clock):
    code = code_of(app)
    clock.time += 601
    assert phone.post("/api/join", code=code).status_code == 403


def test_guessing_codes_is_stopped_and_allowed_again_after_a_minute(app, phone, clock):
    for _ in range(5):
        assert phone.post("/api/join", code="WRONGXXX").status_code == 403
    answer = phone.post("/api/join", code=code_of(app))
    assert (answer.status_code, answer.json["error"]["code"]) == (429, "too_many_tries")
    clock.time += 61
    assert phone.post("/api/join", code=code_of(app)).status_code == 200


def test_a_guesser_does_not_lock_others_out(app, new_phone):
    guesser, guest = new_phone("192.168.1.66"), new_phone("192.168.1.20")
    for _ in range(9):
        guesser.post("/api/join", code="WRONGXXX")
    assert guest.post("/api/join", code=code_of(app)).status_code == 200


def test_a_watcher_cannot_sit_down(phone):
    answer = phone.post("/api/seat", seat="red")
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_joined")


def test_a_seat_is_taken_once(app, red, new_phone):
    other = new_phone()
    other.post("/api/join", code=code_of(app))
    answer = other.post("/api/seat", seat="red")
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "seat_taken")
    assert red.state["you"]["seats"] == ["red"]


def test_one_phone_may_play_several_seats(red):
    red.post("/api/seat", seat="blue")
    assert red.state["you"]["seats"] == ["red", "blue"]


def test_there_is_no_seat_that_the_game_has_not(joined):
    assert joined.post("/api/seat", seat="green").status_code == 404


def test_a_seat_that_was_left_is_free(red):
    assert red.post("/api/leave", seat="red").status_code == 200
    you = red.state["you"]
    assert (you["joined"], you["role"], you["seats"]) == (True, "observer", [])
    assert red.post("/api/leave", seat="red").json["error"]["code"] == "no_seat"


def test_the_seat_of_a_lost_phone_is_freed_by_the_host_alone(app, host, red, blue):
    assert blue.post("/api/leave", seat="red").json["error"]["code"] == "not_yours"
    assert host.post("/api/leave", seat="red").status_code == 200
    assert red.state["you"]["seats"] == []


def test_a_restart_leaves_everybody_where_he_sat(red, table, config):
    key = red.client.get_cookie("companion_phone").value
    again = web.create_app(table, config=config).test_client()
    again.set_cookie("companion_phone", key)
    you = again.get("/api/state").json["you"]
    assert (you["joined"], you["seats"]) == (True, ["red"])


def test_an_open_house_asks_for_no_code(table, config):

    client = web.create_app(table, config=config._replace(open_house=True)).test_client()
    answer = client.post("/api/seat", json={"key": "a-key-of-mine-1234", "seat": "blue"})
    assert answer.status_code == 200
    assert client.get("/api/state").json["you"]["seats"] == ["blue"]


@pytest.mark.parametrize("key", [None, "", "short", 12, "with spaces in the key"])
def test_a_request_without_a_proper_key_is_refused(joined, key):
    answer = joined.client.post("/api/seat", json={"seat": "red", "key": key})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "no_key")
