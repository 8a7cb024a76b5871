"""Host, players, observers and guests: who may do what, and how it changes hands."""

import pytest

import web
from companion.table.people import LONGEST_NAME


def code_of(app, **more):
    return web.invitation(app, **more).partition("#")[2]


def refused(answer):
    return answer.status_code, answer.json["error"]["code"]


def person_of(phone):
    return phone.state["you"]["person"]


HOSTLY = {
    "/api/host": {"to": "nobody"},
    "/api/dismiss": {"who": "nobody"},
    "/api/friends": {"withdraw": True},
    "/api/programs": {"name": "lamp", "scope": "host"},
    "/api/distant": {"do": "leave"},
    "/api/settings": {"sound": False},
    "/api/new": {"game": "men"},
    "/api/resume": {"number": 1},
    "/api/abort": {},
    "/api/array": {},
    "/api/delete": {"what": "all"},
}
PLAYERLY = {
    "/api/move": {"action": "a1-a2"},
    "/api/say": {"action": "end"},
    "/api/pause": {"paused": True},
    "/api/resign": {},
    "/api/draw": {"answer": "offer"},
    "/api/undo": {"count": 1},
    "/api/correct": {"actions": ["a1-a2"], "count": 1},
    "/api/ruling": {"why": "we say so", "to_move": "blue"},
    "/api/arrange": {"position": {"a1": "red man"}},
}


def test_the_first_phone_that_comes_in_is_the_host(host, joined):
    assert (host.state["you"]["role"], joined.state["you"]["role"]) == ("host", "observer")


def test_who_takes_a_seat_is_a_player(red):
    assert red.state["you"]["role"] == "player"


@pytest.mark.parametrize("path", HOSTLY)
def test_what_the_host_does_nobody_else_may(red, path):
    before = red.state["game_id"]
    assert refused(red.say(path, **HOSTLY[path])) == (403, "not_host")
    assert red.state["game_id"] == before


@pytest.mark.parametrize("path", PLAYERLY)
def test_what_players_do_observers_may_not(joined, table, path):
    before = table.state_id
    assert refused(joined.say(path, **PLAYERLY[path])) == (403, "not_seated")
    assert table.state_id == before


@pytest.mark.parametrize("path", [*HOSTLY, *PLAYERLY])
def test_a_key_that_was_made_up_opens_nothing(phone, table, path):
    phone.client.set_cookie("companion_phone", "made-up-key-of-22-chars")
    answer = phone.say(path, **{**HOSTLY, **PLAYERLY}[path])
    assert answer.status_code == 403


def test_the_host_hands_his_part_over(host, joined):
    assert host.post("/api/host", to=person_of(joined)).status_code == 200
    assert (host.state["you"]["host"], joined.state["you"]["host"]) == (False, True)


def test_the_host_hands_nothing_to_nobody(host):
    assert refused(host.post("/api/host", to="nobody")) == (404, "no_person")


def test_the_host_link_makes_another_phone_the_hosts(app, host, joined):
    assert joined.post("/api/join", code=code_of(app, host=True)).status_code == 200
    assert joined.state["you"]["host"]
    assert not host.state["you"]["host"]


def test_a_host_who_is_away_for_half_a_day_makes_room(app, host, new_phone, clock):
    clock.time += 12 * 3600 + 1
    late = new_phone("192.168.1.77")
    late.post("/api/join", code=code_of(app))
    assert late.state["you"]["host"]


def test_a_key_is_good_for_seven_days(red, clock):
    clock.time += 7 * 24 * 3600 + 1
    assert red.state["you"]["role"] == "guest"
    assert not red.state["seats"][0]["taken"]


def test_who_is_sent_away_is_a_guest_and_his_seat_is_free(host, red):
    assert host.post("/api/dismiss", who=person_of(red)).status_code == 200
    assert red.state["you"]["role"] == "guest"
    assert not host.state["seats"][0]["taken"]


def test_a_seat_is_handed_over_by_its_holder_alone(red, blue):
    assert refused(blue.post("/api/hand", seat="red", to=person_of(blue))) == (403, "not_yours")
    assert red.post("/api/hand", seat="red", to=person_of(blue)).status_code == 200
    assert (red.state["you"]["seats"], blue.state["you"]["seats"]) == ([], ["red", "blue"])
    assert refused(blue.post("/api/hand", seat="red", to="nobody")) == (404, "no_person")


def test_persons_have_names_and_colours(app, host, new_phone):
    anna = new_phone("192.168.1.40")
    anna.post("/api/join", code=code_of(app), name=" Anna ", colour="#C0392B")
    you = anna.state["you"]
    assert (you["name"], you["colour"]) == ("Anna", "#c0392b")
    assert anna.post("/api/name", name="Änne").status_code == 200
    anna.post("/api/seat", seat="blue")
    seat = host.state["seats"][1]
    assert (seat["name"], seat["colour"]) == ("Änne", "#c0392b")


def test_one_phone_for_two_players_names_both(red):
    red.post("/api/name", name="Anna")
    red.post("/api/seat", seat="blue", name="Bela")
    assert [seat["name"] for seat in red.state["seats"]] == ["Anna", "Bela"]


def test_the_host_names_who_plays_without_a_phone(host, red):
    assert refused(red.post("/api/name", seat="blue", name="Opa")) == (403, "not_yours")
    assert host.post("/api/name", seat="blue", name="Opa").status_code == 200
    assert red.state["seats"][1]["name"] == "Opa"


@pytest.mark.parametrize("name", ["x" * (LONGEST_NAME + 1), "\u202e\u200b", 12])
def test_a_name_that_cannot_be_kept_is_refused(joined, name):
    assert joined.post("/api/name", name=name).status_code == 400


def test_a_name_is_text_wherever_it_is_shown(host, joined):
    joined.post("/api/name", name="<script>x</script>")
    joined.post("/api/seat", seat="red")
    for path in ("/", "/join", "/view", "/games", "/settings"):
        assert "<script>x" not in host.get(path).text


def test_for_a_seat_without_a_phone_anybody_seated_may_act(red, table):
    red.say("/api/pause", paused=True)
    red.say("/api/move", action="a1-a2")
    red.say("/api/say", action="end")
    assert red.state["you"]["acts"] == ["red", "blue"]
    assert red.say("/api/move", action="a3-b3").status_code == 200
    assert table.events()[-1].actor == "blue"


def test_the_host_may_forbid_it(host, red):
    host.post("/api/settings", act_for_others=False)
    assert red.state["you"]["acts"] == ["red"]
    red.say("/api/pause", paused=True)
    red.say("/api/move", action="a1-a2")
    red.say("/api/say", action="end")
    assert refused(red.say("/api/move", action="a3-b3")) == (403, "not_your_turn")


def test_the_language_is_chosen_on_the_phone_and_given_back(phone):
    assert phone.post("/api/language", language="it").status_code == 200
    assert phone.state["language"] == "it"
    assert phone.post("/api/language", language="").status_code == 200
    assert phone.state["language"] == "en"
    assert refused(phone.post("/api/language", language="klingon")) == (400, "bad_request")
