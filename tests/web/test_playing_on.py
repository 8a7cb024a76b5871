"""Playing on when things go otherwise than planned."""

import pytest

from companion.rules import Action


def refused(answer):
    return answer.status_code, answer.json["error"]["code"]


def kinds(table):
    return [event.kind for event in table.events()]


@pytest.fixture
def paused(red, blue):
    """A game that is paused, with a phone on each seat."""
    assert red.say("/api/pause", paused=True).status_code == 200
    return red


class TestMoves:
    def test_while_the_camera_reads_pieces_are_moved_on_the_table(self, red, table):
        assert refused(red.say("/api/move", action="a1-a2")) == (409, "camera_plays")
        assert not red.state["you"]["moves"]
        assert kinds(table)[-1] == "seated"

    @pytest.mark.parametrize(
        "words",
        [{"lost": True}, {"differs": ["a1"]}, {"asks": [["a1-a2"], ["a1-b1"]]}],
        ids=lambda words: next(iter(words)),
    )
    def test_where_the_camera_cannot_tell_a_phone_may(self, red, eyes, table, words):
        eyes.words = {**eyes.words, **words}
        assert red.state["you"]["moves"]
        assert red.say("/api/move", action="a1-a2").json["allowed"] is True
        assert red.state["position"]["a2"] == "red man"
        assert table.events()[-1].actor == "red"

    def test_the_host_may_have_all_moves_come_from_phones(self, host, red):
        host.post("/api/settings", play="phone")
        assert red.say("/api/move", action="a1-a2").json["allowed"] is True

    def test_a_move_that_the_rules_refuse_is_refused_with_its_ruling(self, paused):
        answer = paused.say("/api/move", action="a1-c2").json
        assert (answer["allowed"], answer["rule"]) == (False, "MEN-1")
        assert paused.state["ruling"]["ruling"]["rule"] == "MEN-1"

    def test_nobody_moves_for_a_seat_of_another_phone(self, paused, blue):
        assert refused(blue.say("/api/move", action="a3-a2")) == (403, "not_your_turn")

    def test_a_move_on_an_older_position_is_refused(self, paused):
        seen = paused.state["state_id"]
        paused.say("/api/move", action="a1-a2")
        answer = paused.post("/api/move", action="a2-b2", state_id=seen)
        assert refused(answer) == (409, "stale_state")
        assert answer.json["state"]["position"]["a2"] == "red man"

    def test_a_move_sent_twice_is_done_once(self, paused, table):
        body = {"action": "a1-a2", "state_id": paused.state["state_id"]}
        for _ in range(2):
            assert paused.post("/api/move", body, key="a-key-for-one-move").json["allowed"]
        assert table.actions == (Action("move", "a1", "a2"),)


class TestEnds:
    def test_who_gives_up_loses_and_may_take_it_back(self, red, blue):
        assert red.say("/api/resign").status_code == 200
        outcome = blue.state["outcome"]
        assert (outcome["winners"], outcome["by"]) == (["blue"], "resignation")
        assert blue.state["to_move"] is None
        assert blue.say("/api/undo", count=1).status_code == 200
        assert blue.state["outcome"] is None

    def test_nobody_gives_up_for_another_phone(self, red, blue):
        assert refused(red.say("/api/resign", seat="blue")) == (403, "not_yours")

    def test_a_phone_with_two_seats_says_for_which(self, red):
        red.post("/api/seat", seat="blue")
        assert refused(red.say("/api/resign")) == (400, "bad_request")
        assert red.say("/api/resign", seat="blue").status_code == 200
        assert red.state["outcome"]["winners"] == ["red"]

    def test_a_draw_is_offered_seen_and_accepted(self, red, blue):
        assert red.say("/api/draw", answer="offer").status_code == 200
        assert blue.state["draw"] == {"seat": "red", "accepted": [], "waiting": ["blue"]}
        assert blue.state["you"]["offers"] == ["blue"]
        assert red.state["you"]["offers"] == []
        assert blue.say("/api/draw", answer="accept").status_code == 200
        outcome = red.state["outcome"]
        assert (outcome["winners"], outcome["by"]) == ([], "agreement")
        assert red.state["draw"] is None

    def test_a_draw_is_declined_or_withdrawn(self, red, blue):
        red.say("/api/draw", answer="offer")
        assert blue.say("/api/draw", answer="decline").status_code == 200
        assert red.state["draw"] is None
        red.say("/api/draw", answer="offer")
        assert "blue declines the draw" in [one["text"] for one in red.state["recent"]]
        assert red.say("/api/draw", answer="decline").status_code == 200
        assert blue.state["draw"] is None
        assert red.state["recent"][0]["text"] == "red takes the offer back"

    @pytest.mark.parametrize("answer", ["accept", "decline"])
    def test_nothing_is_answered_that_was_not_offered(self, red, blue, answer):
        assert refused(red.say("/api/draw", answer=answer)) == (409, "no_offer")

    def test_nobody_accepts_his_own_draw(self, red, blue):
        red.say("/api/draw", answer="offer")
        assert refused(red.say("/api/draw", answer="accept")) == (409, "no_offer")
        assert refused(blue.say("/api/draw", answer="offer")) == (409, "no_offer")
        assert refused(blue.say("/api/draw", answer="perhaps")) == (400, "bad_request")

    def test_after_the_end_nothing_is_played_offered_or_given_up(self, paused, blue):
        blue.say("/api/resign")
        for path, body in (
            ("/api/move", {"action": "a1-a2"}),
            ("/api/draw", {"answer": "offer"}),
            ("/api/resign", {}),
        ):
            assert refused(paused.say(path, **body)) == (409, "over")

    def test_the_host_breaks_a_game_off(self, host, red):
        assert host.say("/api/abort").status_code == 200
        assert red.state["outcome"]["by"] == "abort"
        for path in ("/games/1", "/games/1/moment.svg"):
            page = red.get(path).text
            assert "Stopped without result" in page
            assert "A draw" not in page
        assert refused(host.say("/api/abort")) == (409, "over")


class TestPause:
    def test_the_pause_is_seen_by_all(self, paused, blue):
        assert blue.state["paused"] is True
        blue.say("/api/pause", paused=False)
        assert paused.state["paused"] is False

    def test_a_pause_is_noted_once(self, paused, table):
        paused.say("/api/pause", paused=True)
        assert kinds(table).count("paused") == 1


class TestMending:
    def test_the_last_action_is_corrected_to_another_legal_one(self, paused, table):
        paused.say("/api/move", action="a1-a2")
        readings = paused.get("/api/corrections").json
        words = {reading["actions"][0]: reading["text"] for reading in readings["readings"]}
        assert words == {"a1-b1": "red man a1 → b1"}
        answer = paused.say("/api/correct", actions=["a1-b1"], count=readings["count"])
        assert answer.json["allowed"] is True
        assert table.actions == (Action("move", "a1", "b1"),)

    def test_what_the_camera_sees_now_comes_first(self, paused, eyes, game):
        paused.say("/api/move", action="a1-a2")
        state = game.advance(game.start(game.setup()), Action("move", "c1", "c2"))
        eyes.table = game.expect(state)
        readings = paused.get("/api/corrections").json["readings"]
        assert [reading["actions"] for reading in readings] == [["c1-c2"], ["a1-b1"]]

    def test_before_the_first_action_nothing_is_corrected(self, phone):
        assert phone.get("/api/corrections").json["readings"] == []

    def test_a_correction_that_does_not_stand_changes_nothing(self, paused, table):
        paused.say("/api/move", action="a1-a2")
        answer = paused.say("/api/correct", actions=["a1-c3"], count=1)
        assert answer.json["allowed"] is False
        assert table.actions == (Action("move", "a1", "a2"),)

    @pytest.mark.parametrize("actions", [None, [], "a1-b1", [1], ["a1-b1"] * 17])
    def test_a_correction_is_a_list_of_actions(self, paused, actions):
        answer = paused.say("/api/correct", actions=actions, count=1)
        assert refused(answer) == (400, "bad_request")

    def test_the_table_lets_an_action_stand(self, red, host):
        red.say("/api/ruling", why="we play with long steps", action="a1-c2")
        state = red.state
        assert state["position"]["c2"] == "red man"
        last = state["recent"][0]
        assert (last["kind"], last["why"]) == ("ruled", "we play with long steps")
        assert last["text"].startswith("the table decided")
        host.say("/api/undo", count=1)
        assert red.state["position"]["a1"] == "red man"

    def test_phones_are_told_that_the_game_cannot_follow_a_decision(
        self, red, phone, game, monkeypatch
    ):
        follow = game.advance

        def fall(state, action):
            if action.target == "c2":
                raise AssertionError("a bug")
            return follow(state, action)

        monkeypatch.setattr(game, "advance", fall)
        answer = red.say("/api/ruling", why="we play with long steps", action="a1-c2")
        assert answer.status_code == 200
        assert phone.state["position"]["c2"] == "red man"
        told = phone.state["recent"][0]["text"]
        assert told.startswith("the table decided")
        assert "Men <of nine> cannot follow a1-c2" in told

    def test_the_table_says_how_it_stands(self, red):
        position = {"b2": "red man", "c3": "blue man"}
        red.say("/api/ruling", why="a sleeve", position=position, to_move="blue")
        assert (red.state["position"], red.state["to_move"]) == (position, "blue")

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"action": "a1-a2", "to_move": "blue"},
            {"position": {"z9": "red man"}},
            {"position": ["a1"]},
            {"position": {"a1": 1}},
            {"to_move": "green"},
            {"action": "a1-z9"},
        ],
    )
    def test_a_ruling_that_says_nothing_or_nonsense_is_refused(self, red, table, body, game):
        before = table.state_id
        answer = red.say("/api/ruling", why="so", **body)
        assert answer.status_code in (400, 404)
        assert table.state_id == before

    def test_a_ruling_says_why(self, red):
        assert refused(red.say("/api/ruling", to_move="blue")) == (400, "bad_request")

    def test_the_game_begins_from_what_lies_on_the_table(self, red, eyes):
        eyes.table = {"b1": "red man", "b3": "blue man"}
        assert red.say("/api/arrange", position="table", to_move="blue").status_code == 200
        assert (red.state["position"], red.state["to_move"]) == (eyes.table, "blue")

    def test_what_the_camera_cannot_see_no_game_begins_from(self, red):
        assert refused(red.say("/api/arrange", position="table")) == (409, "not_seen")

    def test_a_game_that_has_begun_is_not_set_up(self, paused):
        paused.say("/api/move", action="a1-a2")
        answer = paused.say("/api/arrange", position={"b1": "red man"})
        assert refused(answer) == (409, "begun")


class TestReferee:
    def test_any_piece_to_any_spot_in_any_turn(self, phone):
        answer = phone.get("/api/judge?from=b2&to=c2&piece=blue+man&turn=blue").json
        assert answer["ruling"]["allowed"] is True
        answer = phone.get("/api/judge?from=b2&piece=red+man").json
        assert answer["targets"] == ["a2", "b1", "b3", "c2"]

    def test_what_would_make_it_legal_is_said(self, phone):
        answer = phone.get("/api/judge?from=a3&to=a2").json
        assert answer["hints"] == ["it would be legal in the turn of blue"]
        assert phone.get("/api/judge?from=a1&to=a2").json["hints"] == []

    def test_what_happened_before_is_what_forbids_it(self, paused):
        paused.say("/api/move", action="a1-a2")
        answer = paused.get("/api/judge?from=c1&to=c2").json
        assert answer["hints"] == [
            "the position alone would allow it; what happened before forbids it"
        ]

    def test_several_actions_are_supposed_one_after_another(self, phone, table):
        answer = phone.get("/api/whatif?actions=a1-a2,a2-b2,end,a3-a2").json
        allowed = [step["ruling"]["allowed"] for step in answer["steps"]]
        assert allowed == [True, False, True, True]
        assert answer["position"]["a2"] == "blue man"
        assert table.actions == ()

    @pytest.mark.parametrize("actions", ["", "a1-z9", ",".join(["end"] * 41)])
    def test_nonsense_is_not_supposed(self, phone, actions):
        assert phone.get(f"/api/whatif?actions={actions}").status_code == 400
