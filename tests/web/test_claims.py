"""A claim needs those it binds: who ends a game by word, for whom, and who takes that back."""

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.rules import ANNOUNCED, Action
from companion.table import Table
from companion.table.evening import Evening


def refused(answer):
    return answer.status_code, answer.json["error"]["code"]


class Round:
    """A game with a phone on each seat named, and a host who plays nothing."""

    def __init__(self, phone_of, game, seated, options=None, clock=lambda: 1000.0):
        self.journal = Journal()
        setup = game.setup(None, options)
        self.table = Table.create(self.journal, game, setup, now=clock)
        self.app = web.create_app(
            Evening(self.table, now=clock), config=web.Config(clock=clock, heartbeat=0.0)
        )
        self.phone_of = phone_of
        self.host = self.phone(9)
        self.phones = {seat: self.phone(n, seat) for n, seat in enumerate(seated, start=10)}

    def phone(self, number, seat=None):
        phone = self.phone_of(self.app, f"10.0.0.{number}")
        code = web.invitation(self.app).partition("#")[2]
        assert phone.post("/api/join", code=code).status_code == 200
        if seat:
            assert phone.post("/api/seat", seat=seat).status_code == 200
        return phone

    def __getitem__(self, seat):
        return self.phones[seat]

    def play(self, *actions):
        for text in actions:
            assert self.table.play(self.table.game.parse(self.table.setup, text), "camera").allowed


@pytest.fixture
def begin(phone_of):
    rounds = []

    def begin(name, *seated, options=None, **more):
        game = find_game(name)
        rounds.append(
            Round(phone_of, game, seated or game.setup(None, options).seats, options, **more)
        )
        return rounds[-1]

    yield begin
    for one in rounds:
        one.journal.close()


@pytest.fixture
def chess(begin):
    chess = begin("chess", "white", "black")
    chess.play("e2-e4", "e7-e5")
    return chess


@pytest.fixture
def alone(begin):
    """Chess with one phone for both: White's."""
    alone = begin("chess", "white")
    alone.play("e2-e4", "e7-e5")
    return alone


class TestDraws:
    def test_nobody_agrees_alone(self, chess):
        for phone in (chess["white"], chess["black"], chess.host):
            assert phone.say("/api/say", action="agree").status_code == 403
        assert chess.table.outcome is None

    def test_both_agree_by_offer_and_answer(self, chess):
        assert chess["white"].say("/api/draw", answer="offer").status_code == 200
        assert refused(chess["white"].say("/api/draw", answer="accept")) == (409, "no_offer")
        assert chess.host.say("/api/draw", answer="accept").status_code in (400, 409)
        assert chess["black"].say("/api/draw", answer="accept").status_code == 200
        assert chess.table.outcome.rule == "CH-5.2.3"

    def test_the_answering_move_withdraws_the_offer(self, chess):
        chess["white"].say("/api/draw", answer="offer")
        chess.play("g1-f3")
        assert chess["black"].state["draw"]["waiting"] == ["black"]
        chess.play("b8-c6")
        assert chess["black"].state["draw"] is None
        assert refused(chess["black"].say("/api/draw", answer="accept")) == (409, "no_offer")

    @pytest.mark.parametrize("what", ["undo", "ruling"])
    def test_whatever_changes_the_game_makes_it_void(self, chess, what):
        chess["white"].say("/api/draw", answer="offer")
        if what == "ruling":
            chess.host.say("/api/ruling", why="so", to_move="black")
        else:
            chess["white"].say("/api/undo", count=1)
        assert chess["black"].state["draw"] is None

    def test_who_offered_may_withdraw(self, chess):
        chess["white"].say("/api/draw", answer="offer")
        assert 'id="draw-back"' in chess["white"].get("/").text
        assert 'id="draw-back"' not in chess["black"].get("/").text
        assert chess["white"].say("/api/draw", answer="decline").status_code == 200
        assert chess["black"].state["draw"] is None

    def test_a_repetition_is_claimed_by_the_side_to_move_alone(self, chess):
        chess.play(*("g1-f3", "b8-c6", "f3-g1", "c6-b8") * 2)
        assert refused(chess["black"].say("/api/say", action="claim=repetition")) == (
            403, "not_yours",
        )  # fmt: skip
        assert chess["white"].say("/api/say", action="claim=repetition").json["allowed"]

    def test_one_phone_at_the_table_agrees_for_a_seat_that_nobody_holds(self, alone):
        assert alone["white"].say("/api/say", action="agree").json["allowed"]
        assert alone.table.outcome.winners == ()

    def test_unless_the_host_forbids_it(self, alone):
        alone.host.post("/api/settings", act_for_others=False)
        assert refused(alone["white"].say("/api/say", action="agree")) == (403, "needs_others")


class TestGivingUp:
    @pytest.mark.parametrize("path", ["say", "resign"])
    def test_nobody_gives_up_for_another_phone(self, chess, path):
        body = {"say": {"action": "resign=black"}, "resign": {"seat": "black"}}[path]
        for phone in (chess["white"], chess.host):
            assert refused(phone.say(f"/api/{path}", **body)) == (403, "not_yours")
        assert chess.table.outcome is None

    def test_nobody_concedes_or_resigns_for_another_army(self, begin):
        armies = begin("heximeros")
        for word in ("concede=blue", "resign"):
            answer = armies["red"].say("/api/say", action=word)
            assert refused(answer) == (403, "not_yours"), word
        assert armies["blue"].say("/api/say", action="concede=blue").json["allowed"]

    def test_who_gives_up_leaves_as_the_rules_of_the_game_have_it(self, begin):
        armies = begin("heximeros")
        assert armies["blue"].say("/api/resign").status_code == 200
        assert armies.table.events()[-1].action == "concede=blue"
        assert "blue So" not in armies.table.game.expect(armies.table.state).values()

    def test_an_army_is_expelled_by_all_others(self, begin):
        armies = begin("heximeros")
        assert refused(armies["red"].say("/api/say", action="expel=blue")) == (
            403, "needs_others",
        )  # fmt: skip
        offered = [one["action"] for one in armies["red"].state["propose"]]
        assert "expel=blue" in offered
        assert "expel=red" not in offered
        assert (
            armies["red"].say("/api/draw", answer="offer", action="expel=blue").status_code == 200
        )
        assert armies["green"].state["draw"]["claim"] == "expel=blue"
        assert "blue" not in armies["green"].state["draw"]["waiting"]
        assert refused(armies["blue"].say("/api/draw", answer="accept")) == (409, "no_offer")
        for seat in ("green", "orange", "silver", "yellow"):
            assert not armies.table.actions
            assert armies[seat].say("/api/draw", answer="accept").status_code == 200
        assert armies.table.actions == (Action("expel", detail="blue"),)

    def test_a_team_has_lost_when_both_have_given_up(self, begin):
        cards = begin("victory_honor")
        for seat in ("north", "east"):
            assert cards[seat].say("/api/resign").status_code == 200
            assert cards.table.outcome is None
        cards["south"].say("/api/resign")
        assert set(cards.table.outcome.winners) == {"west", "east"}

    def test_allied_armies_have_lost_when_all_have_given_up(self, begin):
        armies = begin("victorus", options={"variant": "allied"})
        for seat in ("red", "green", "black"):
            armies[seat].say("/api/resign")
            assert armies.table.outcome is None
        armies["orange"].say("/api/resign")
        assert set(armies.table.outcome.winners) == {"black", "blue", "purple"}


class TestOtherClaims:
    def test_the_end_of_invictus_is_agreed_by_both(self, begin):
        dice = begin("invictus")
        table = dice.table
        assert refused(dice["black"].say("/api/say", action="agree")) == (403, "needs_others")
        table.decide("so", "host", position={"e1": "black 3", "e9": "white 2"})
        proposed = dice["black"].state["propose"]
        if proposed:  # where the dice at home are worth the same, it is a draw and offered as one
            assert proposed[0]["action"] == "agree"
        assert dice["black"].say("/api/draw", answer="offer", action="agree").status_code == 200
        assert dice["white"].state["draw"]["label"] == "agree to end"
        assert "Agree to end?" in dice["white"].get("/").text
        assert table.outcome is None
        assert dice["white"].say("/api/draw", answer="accept").status_code == 200
        assert table.outcome is not None

    def test_a_clock_is_not_spoken_for(self, begin):
        clock = [1000.0]
        timed = begin("chess", options={"minutes": "1"}, clock=lambda: clock[0])
        for phone in timed.phones.values():
            answer = phone.say("/api/say", action="flag=black")
            assert refused(answer) == (409, "not_due")
            assert not any(one["action"].startswith("flag") for one in phone.state["say"])
        clock[0] += 61
        assert timed["black"].say("/api/say", action="flag=white").json["allowed"]
        assert timed.table.outcome.winners == ("black",)

    @pytest.mark.parametrize("word", ["time", "forfeit"])
    def test_nor_is_that_of_the_quick_game(self, begin, word):
        quick = begin("victorus", options={"variant": "quick"})
        assert refused(quick["black"].say("/api/say", action=word)) == (409, "not_due")

    def test_a_scout_is_sent_by_its_owner(self, begin):
        cards = begin("victory_honor", options={"guide": "no"})
        assert refused(cards["west"].say("/api/say", action="redeal")) == (403, "needs_others")
        assert cards["west"].say("/api/draw", answer="offer", action="redeal").status_code == 200
        for seat in ("north", "east", "south"):
            assert cards[seat].say("/api/draw", answer="accept").status_code == 200
        assert cards.table.actions == (Action("redeal"),)

    def test_what_is_no_claim_or_not_ones_own_is_not_offered(self, begin):
        armies = begin("heximeros")
        for seat, word in (("blue", "expel=blue"), ("red", "draw"), ("red", "token")):
            answer = armies[seat].say("/api/draw", answer="offer", action=word)
            assert answer.status_code == 400, word
        assert armies["red"].state["draw"] is None


class TestTakingBack:
    def test_who_gave_up_does_not_take_it_back_himself(self, chess):
        chess["white"].say("/api/resign")
        assert refused(chess["white"].say("/api/undo", count=1)) == (403, "needs_others")
        assert chess["black"].say("/api/undo", count=1).status_code == 200
        assert chess.table.outcome is None

    def test_an_agreed_end_is_taken_back_by_the_host(self, chess):
        chess["white"].say("/api/draw", answer="offer")
        chess["black"].say("/api/draw", answer="accept")
        for seat in ("white", "black"):
            assert refused(chess[seat].say("/api/undo", count=1)) == (403, "needs_others")
        assert chess.host.say("/api/undo", count=1).status_code == 200
        assert chess.table.outcome is None

    def test_nor_is_it_corrected_away(self, chess):
        chess["white"].say("/api/resign")
        answer = chess["white"].say("/api/correct", actions=["g1-f3"], count=1)
        assert refused(answer) == (403, "needs_others")

    def test_one_phone_for_all_takes_everything_back(self, alone):
        alone["white"].say("/api/resign")
        assert alone["white"].say("/api/undo", count=1).status_code == 200

    def test_an_end_on_the_board_is_taken_back_like_a_move(self, begin):
        mate = begin("chess")
        mate.play("f2-f3", "e7-e5", "g2-g4", "d8-h4")
        assert mate.table.outcome is not None
        assert mate["white"].say("/api/undo", count=1).status_code == 200


class TestDeciding:
    @pytest.mark.parametrize(
        "body", [{"to_move": "black"}, {"action": "e1-e8"}, {"position": {"e1": "white K"}}]
    )
    def test_a_player_alone_decides_nothing_for_the_table(self, chess, body):
        before = chess.table.state
        answer = chess["white"].say("/api/ruling", why="because I say so", **body)
        assert refused(answer) == (403, "needs_others")
        assert chess.table.state == before

    def test_the_host_decides_and_one_phone_for_all(self, chess, alone):
        for phone in (chess.host, alone["white"]):
            assert phone.say("/api/ruling", why="so", to_move="black").status_code == 200

    def test_nobody_sets_the_start_up_alone_otherwise_than_it_lies(self, begin):
        dice = begin("invictus")
        answer = dice["black"].say("/api/arrange", position={"a1": "black 6"})
        assert refused(answer) == (403, "needs_others")


@pytest.mark.parametrize("name", games())
def test_no_phone_ends_a_game_alone_by_any_claim_that_favours_it(begin, name):
    """In every game: whatever one player's phone says, the game is not won by it, nor drawn."""
    table, seen = begin(name).table, 0
    game = table.game
    for state in (table.state, game.advance(table.state, game.legal(table.state)[0])):
        for claim in game.claims(state):
            seen += 1
            end = game.outcome(game.advance(state, claim))
            if end is None or claim.verb in (*ANNOUNCED, "claim"):
                continue
            losers = set(table.setup.seats) - set(end.winners)
            assert set(game.binds(state, claim)) >= losers or claim.verb == "expel"
    assert seen or name == "victorus"  # Of its announcements the clock makes each.


def test_games_that_say_nothing_bind_whoever_does_not_win(tiny):
    state = tiny.start(tiny.setup())
    assert tiny.binds(state, Action("resign")) == ("black",)


def test_a_plug_in_is_asked_in_the_same_way(begin, phone_of, game, table, config):
    app = web.create_app(table, config=config)
    one, other = (phone_of(app, f"10.0.0.{n}") for n in (1, 2))
    for phone, seat in ((one, "red"), (other, "blue")):
        phone.post("/api/join", code=web.invitation(app).partition("#")[2])
        phone.post("/api/seat", seat=seat)
    assert refused(one.say("/api/say", action="draw")) == (403, "needs_others")
    assert table.outcome is None
