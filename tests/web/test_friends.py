"""Friends look on by a link: what everybody may know, as late as the host likes, and no more."""

import pytest

from companion.rules import Action


def made(host, **delay):
    body = {"count": "0", "unit": "moves", **delay}
    answer = host.post("/api/friends", body)
    assert answer.status_code == 200
    return answer.json["link"].removeprefix("http://192.168.1.5:8000")


@pytest.fixture
def friend(new_phone):
    return new_phone("192.168.1.77")


def play(table, clock=None):
    for action in (Action("move", "a1", "a2"), Action("end"), Action("move", "c3", "c2")):
        table.play(action, "camera")
        if clock:
            clock.time += 60


def seen(friend, path):
    return friend.get("/api" + path).json


def test_a_link_shows_board_scores_and_moves(host, friend, table):
    path = made(host)
    play(table)
    assert seen(friend, path)["position"] == dict(table.game.expect(table.state))
    page = friend.get(path).text
    assert page.count('class="no"') == 4
    assert 'href="/join"' not in page


def test_the_host_alone_makes_and_withdraws_it(host, red, friend):
    path = made(host)
    for body in ({"count": "0", "unit": "moves"}, {"withdraw": True}):
        assert red.post("/api/friends", body).status_code == 403
    assert friend.get(path).status_code == 200
    assert host.post("/api/friends", {"withdraw": True}).status_code == 200
    for gone in (path, "/api" + path, "/watch/guessed"):
        assert friend.get(gone).status_code == 404


def test_a_page_that_knows_the_last_event_is_told_no_more_than_that(host, friend, table):
    path = made(host)
    play(table)
    told = seen(friend, path)
    again = seen(friend, f"{path}?seen={told['seq']}")
    assert again == {"ok": True, "seq": told["seq"], "game_id": table.game_id}
    table.play(Action("draw"), "red")
    assert "over" in seen(friend, f"{path}?seen={told['seq']}")["html"]["turn"]


def test_friends_are_told_some_moves_later(host, friend, table):
    path = made(host, count="2")
    play(table)
    told = seen(friend, path)
    assert (told["position"].get("c3"), told["position"].get("a2")) == ("blue man", "red man")
    assert "c3 → c2" not in told["html"]["moves"]


def test_friends_are_told_some_minutes_later(host, friend, table, clock):
    path = made(host, count="2", unit="minutes")
    play(table, clock)
    assert "c3" in seen(friend, path)["position"]
    assert "c3 → c2" not in seen(friend, path)["html"]["moves"]
    clock.time += 60
    assert "c2" in seen(friend, path)["position"]


def test_before_anything_may_be_told_friends_see_the_start(host, friend, table):
    path = made(host, count="9")
    play(table)
    assert "a1" in seen(friend, path)["position"]


def test_the_last_moves_of_a_game_are_kept_back_no_longer(host, friend, table):
    path = made(host, count="9")
    play(table)
    table.play(Action("draw"), "red")
    assert "c2" in seen(friend, path)["position"]
    assert "over" in seen(friend, path)["html"]["turn"]


def test_a_changed_delay_leaves_the_link_good(host, friend):
    assert made(host) == made(host, count="3")


def test_a_refused_move_that_comes_after_what_is_kept_back_is_kept_back(host, friend, table):
    path = made(host, count="1")
    table.play(Action("move", "a1", "a2"), "camera")
    table.play(Action("move", "a3", "c1"), "camera")
    assert "Not allowed" not in seen(friend, path)["html"]["moves"]


def test_photographs_are_not_for_friends(host, friend, table):
    path = made(host)
    table.play(Action("move", "a1", "a2"), "camera", evidence={"after": b"\xff\xd8 picture"})
    assert "/evidence/" not in seen(friend, path)["html"]["moves"]


def test_nobody_plays_by_the_link(host, friend, table):
    made(host)
    before = table.state_id
    assert friend.say("/api/move", action="a1-a2").status_code == 403
    assert table.state_id == before


def test_only_the_host_is_shown_the_link(host, red, friend):
    path = made(host)
    assert path in host.get("/join").text
    assert path not in red.get("/join").text
    assert path not in friend.get("/join").text
