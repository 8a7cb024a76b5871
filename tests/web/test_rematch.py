"""Once more: rematches, swapped seats, seats on other devices; nobody loses a seat unsaid."""

from __future__ import annotations

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.rules import Outcome
from companion.table import Table
from companion.table.evening import Evening
from companion.table.rematch import LIFE, expire
from tests.checks.loops import some


@pytest.fixture
def over(red, blue, table):
    """Both phones at the end of a game."""
    table.end(Outcome(("red",), "", "agreed"), "agreement", "red")
    return table


def offer(phone, swap=False):
    return phone.say("/api/rematch", word="offer", swap=swap)


def seats_of(*phones):
    return [phone.state["you"]["seats"] for phone in phones]


def test_a_rematch_begins_when_everybody_with_a_seat_has_agreed(over, red, blue, evening):
    assert offer(red).status_code == 200
    assert evening.table is over
    assert red.state["again"]["waiting"] == ["blue"]
    assert blue.state["you"]["asked_again"] is True
    assert red.state["you"]["asked_again"] is False
    assert "Red offers a rematch." in blue.get("/").text
    assert blue.post("/api/rematch", word="yes").status_code == 200
    assert evening.table is not over
    assert evening.table.setup == over.setup
    assert seats_of(red, blue) == [["red"], ["blue"]]


def test_with_swapped_seats_everybody_sits_one_further(over, red, blue, evening):
    red.post("/api/name", name="Anna", seat="red")
    offer(red, swap=True)
    assert "with the seats swapped" in blue.get("/").text
    blue.post("/api/rematch", word="yes")
    assert seats_of(red, blue) == [["blue"], ["red"]]
    assert evening.people.name_of("blue") == "Anna"
    resumed = Table.resume(evening.journal, evening.table.game_id, None, lambda _: over.game)
    again = Evening(resumed)
    assert again.people.seats == evening.people.seats


def test_the_hosts_rematch_begins_at_once_and_swaps_as_well(over, host, red, blue, evening):
    assert offer(host, swap=True).status_code == 200
    assert evening.table is not over
    assert seats_of(red, blue) == [["blue"], ["red"]]


def test_who_says_no_is_named_and_the_offer_can_be_made_anew(over, red, blue, evening):
    offer(red)
    blue.post("/api/rematch", word="no")
    assert (red.state["again"]["state"], red.state["again"]["by"]) == ("declined", "blue")
    assert "would rather not" in red.get("/").text
    assert blue.post("/api/rematch", word="yes").status_code == 400
    assert offer(red).status_code == 200
    red.post("/api/rematch", word="no")
    assert "was taken back" in blue.get("/").text


def test_an_offer_is_over_after_ten_minutes_and_a_phone_that_slept_is_told(
    over, red, blue, evening, clock
):
    offer(red)
    clock.time += LIFE + 1
    expire(evening)
    expire(evening)
    kinds = [event.data["word"] for event in over.events().of("rematch")]
    assert kinds == ["offer", "over"]
    assert "is over: not everybody answered" in blue.get("/").text
    late = blue.post("/api/rematch", word="yes")
    assert late.status_code == 400
    assert "offer it anew" in late.json["error"]["message"]
    assert evening.table is over


def test_an_offer_that_nobody_ticked_is_over_as_well(over, red, blue, clock, evening):
    offer(red)
    clock.time += LIFE + 1
    assert blue.post("/api/rematch", word="yes").status_code == 400
    assert evening.table is over


def test_two_do_not_offer_at_once_and_no_one_while_the_game_goes_on(red, blue, table):
    assert offer(red).status_code == 400
    table.end(Outcome((), "", "agreed"), "agreement", "red")
    offer(red)
    assert offer(blue).status_code == 400


@pytest.mark.parametrize("body", [{}, {"word": "perhaps"}, {"word": "offer"}, {"word": 3}])
def test_nonsense_is_refused(over, red, body):
    assert red.post("/api/rematch", body).status_code == 400


def test_a_watcher_offers_nothing(over, joined, new_phone, app, host):
    watcher = new_phone("192.168.1.77")
    watcher.post("/api/join", code=web.invitation(app).partition("#")[2])
    assert offer(watcher).status_code == 403


def test_once_the_end_is_taken_back_the_offer_is_gone(over, red, blue, host):
    offer(red)
    assert host.say("/api/undo", count=1).status_code == 200
    assert red.state["again"] is None


def test_a_machine_plays_on_in_the_rematch(over, host, evening):
    over.note("machines", {"seats": {"blue": "random"}}, "host")
    offer(host, swap=True)
    assert dict(next(evening.table.events().of("machines")).data["seats"]) == {"red": "random"}


class TestAnotherDevice:
    def carry(self, phone):
        answer = phone.post("/api/carry").json
        assert answer["qr"].startswith("<svg")
        return answer["link"].partition("#")[2]

    def test_a_seat_moves_and_the_old_phone_is_told(self, red, new_phone):
        tablet = new_phone("192.168.1.88")
        assert tablet.post("/api/join", code=self.carry(red)).status_code == 200
        assert seats_of(tablet, red) == [["red"], []]
        assert red.state["you"]["lost"] == {"seats": ["red"], "why": "moved"}
        assert "has moved to another device" in red.get("/").text
        assert tablet.state["you"]["lost"] is None

    def test_a_phone_that_came_in_before_takes_the_seat_beside_its_own(self, red, blue):
        assert blue.post("/api/join", code=self.carry(red)).status_code == 200
        assert seats_of(blue, red) == [["red", "blue"], []]
        assert red.state["you"]["lost"] == {"seats": ["red"], "why": "moved"}

    def test_the_code_moves_it_once(self, red, new_phone):
        code = self.carry(red)
        for address, status in some((("192.168.1.88", 200), ("192.168.1.89", 403))):
            assert new_phone(address).post("/api/join", code=code).status_code == status

    def test_who_has_no_seat_moves_none(self, joined):
        assert joined.post("/api/carry").status_code == 403

    def test_the_host_stays_the_host_on_another_device(self, host, new_phone):
        host.post("/api/seat", seat="red")
        tablet = new_phone("192.168.1.88")
        tablet.post("/api/join", code=self.carry(host))
        assert tablet.state["you"]["host"] is True
        assert host.state["you"]["host"] is False


class TestLost:
    def test_who_is_freed_by_the_host_is_told_until_he_sits(self, host, red, app):
        host.post("/api/leave", seat="red")
        assert red.state["you"]["lost"] == {"seats": ["red"], "why": "freed"}
        assert "The host has freed your seat" in red.get("/").text
        red.post("/api/seat", seat="red")
        assert red.state["you"]["lost"] is None

    def test_who_leaves_by_himself_has_lost_nothing(self, red):
        red.post("/api/leave", seat="red")
        assert red.state["you"]["lost"] is None

    def test_who_is_dismissed_is_told(self, host, red):
        host.post("/api/dismiss", who=red.state["you"]["person"])
        assert red.state["you"]["lost"] == {"seats": ["red"], "why": "dismissed"}


class TestOtherSeats:
    """Victorus for six, then chess for two."""

    @pytest.fixture
    def evening(self, clock):
        with Journal() as journal:
            game = find_game("victorus")
            yield Evening(Table.create(journal, game, game.setup(), now=clock))

    @pytest.fixture
    def app(self, evening):
        return web.create_app(evening, config=web.Config(heartbeat=0.0))

    @pytest.fixture
    def sitting(self, app, host, new_phone):
        """Phones on three seats."""
        phones = {}
        for number, seat in enumerate(("red", "orange", "green")):
            phones[seat] = new_phone(f"192.168.2.{number}")
            phones[seat].post("/api/join", code=web.invitation(app).partition("#")[2])
            phones[seat].post("/api/seat", seat=seat)
        return phones

    def test_people_sit_down_in_their_order_where_the_game_has_other_seats(self, host, sitting):
        host.post("/api/new", game="chess")
        assert seats_of(*sitting.values()) == [["white"], ["black"], []]
        assert sitting["green"].state["you"]["lost"] == {"seats": ["green"], "why": "game"}
        assert "not in this game: green" in sitting["green"].get("/").text
        assert sitting["red"].state["you"]["lost"] is None

    def test_who_sits_on_a_seat_of_both_games_stays_there(self, host, sitting):
        host.post("/api/new", game="heximeros")
        assert seats_of(*sitting.values()) == [["red"], ["orange"], ["green"]]
        assert all(phone.state["you"]["lost"] is None for phone in sitting.values())
