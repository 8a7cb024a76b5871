"""Games one after another, the people round the table, what the host has set."""

from __future__ import annotations

import threading

import pytest

from companion.journal import Journal
from companion.referee.hints import hints
from companion.rules import Action, BadInput
from companion.table import Table
from companion.table.agreement import (
    abort,
    accept_draw,
    asked,
    decline_draw,
    offer_draw,
    open_offer,
    resign,
    resigned,
    take_back,
)
from companion.table.evening import Evening
from companion.table.past_games import past_games, standings
from companion.table.people import tidy_colour, tidy_name
from tests.checks.kept_photographs import photograph_bytes

STEP = Action("move", "a1", "b1")


@pytest.fixture
def evening(race, clock, find_race):
    with Journal() as journal:
        table = Table.create(journal, race, race.setup(), now=clock)
        yield Evening(table, find_race, clock)


def test_who_asks_while_a_setting_is_taken_in_is_told_the_new_one(evening, monkeypatch):
    """Else phones would be shown the old one, and nothing would come that tells them otherwise."""
    taken, told = evening._remember, []
    asking = threading.Thread(target=lambda: told.append(evening.settings.sound))

    def slowly(event):
        if not asking.ident:
            asking.start()
            asking.join(0.2)
        taken(event)

    monkeypatch.setattr(evening, "_remember", slowly)
    sound = evening.settings.sound
    evening.table.note("settings", {"sound": not sound}, "host")
    assert evening.settings.sound is not sound
    asking.join()
    assert told == [not sound]


def again(evening, find_race, clock):
    """Return the evening as a restart finds it."""
    table = Table.resume(evening.journal, now=clock, find=find_race)
    return Evening(table, find_race, clock)


def sit(evening, seat, name):
    key = f"key of {name}"
    evening.table.note("joined", {"key": key, "person": name, "name": name}, "phone")
    evening.table.note("seated", {"seat": seat, "key": key, "was": key}, seat)


class TestGames:
    def test_another_game_follows_in_the_same_journal_with_larger_numbers(self, evening):
        first = evening.table
        heard, tables = [], []
        evening.subscribe(heard.append)
        evening.follow(tables.append)
        second = evening.begin("race", None, {"length": "5"})
        assert evening.table is second
        assert tables == [second]
        assert second.state_id > first.state_id
        second.play(STEP, "white")
        assert [event.kind for event in heard] == ["action"]

    def test_a_game_that_was_left_is_taken_up_again(self, evening, find_race, clock):
        evening.table.play(STEP, "white")
        evening.begin("race", None, {})
        evening.resume(1)
        assert evening.table.actions == (STEP,)
        assert again(evening, find_race, clock).table.game_id == 1

    def test_a_game_that_is_over_is_not_taken_up(self, evening):
        abort(evening.table, "host")
        evening.begin("race", None, {})
        with pytest.raises(BadInput, match="is over"):
            evening.resume(1)

    def test_a_game_begins_from_the_array_that_was_kept(self, evening, find_race, clock):
        evening.table.arrange({"c1": "white", "b2": "black"}, "white")
        evening.keep_array("host")
        later = again(evening, find_race, clock)
        table = later.begin("race", None, {}, kept_array=True)
        assert table.view()["position"] == {"c1": "white", "b2": "black"}

    def test_no_array_was_kept(self, evening):
        with pytest.raises(BadInput, match="no start array"):
            evening.begin("race", None, {}, kept_array=True)


class TestPeople:
    def test_who_sits_stays_for_the_next_game_and_for_the_next_start(
        self, evening, find_race, clock
    ):
        sit(evening, "white", "Anna")
        evening.begin("race", None, {})
        assert evening.people.name_of("white") == "Anna"
        assert again(evening, find_race, clock).people.seats == {"white": "Anna"}

    def test_who_sat_at_a_game_that_was_left_sits_there_again_where_the_seat_is_free(self, evening):
        sit(evening, "white", "Anna")
        sit(evening, "black", "Bela")
        evening.table.note("named", {"seat": "black", "name": "Cleo"}, "black")
        evening.begin("race", None, {})
        for seat in ("white", "black"):
            evening.table.note("left", {"seat": seat}, "host")
        sit(evening, "black", "Dora")
        evening.resume(1)
        assert evening.people.seats == {"white": "Anna", "black": "Dora"}
        evening.table.note("dismissed", {"person": "Dora"}, "host")
        evening.table.note("dismissed", {"person": "Anna"}, "host")
        second = evening.table.game_id + 1
        evening.resume(second)
        assert evening.people.seats == {}, "whose phone is gone sits nowhere"

    def test_a_seat_can_be_handed_over_and_freed(self, evening):
        sit(evening, "white", "Anna")
        sit(evening, "black", "Bela")
        evening.table.note("handed", {"seat": "white", "person": "Bela"}, "white")
        assert evening.people.seats == {"white": "Bela", "black": "Bela"}
        evening.table.note("left", {"seat": "black"}, "host")
        assert evening.people.seats == {"white": "Bela"}

    def test_who_is_sent_away_has_no_seat_and_no_key(self, evening):
        sit(evening, "white", "Anna")
        evening.table.note("hosted", {"person": "Anna"}, "host")
        evening.table.note("dismissed", {"person": "Anna"}, "host")
        people = evening.people
        assert (people.members, people.seats, people.host) == ({}, {}, None)

    def test_people_can_be_read_while_others_come_and_go(self, evening):
        for name in ("Ada", "Bo", "Cy"):
            sit(evening, "white", name)
        reading = iter(evening.people.members.values())
        read = [next(reading).name]
        sit(evening, "white", "Di")
        read.append(next(reading).name)
        evening.table.note("dismissed", {"person": "Ada"}, "host")
        assert [*evening.people.members] == ["Bo", "Cy", "Di"]
        assert [*read, *(member.name for member in reading)] == ["Ada", "Bo", "Cy"]

    def test_seats_of_older_journals_are_still_held(self, evening):
        evening.table.note("joined", {"key": "a" * 64}, "phone")
        evening.table.note("seated", {"seat": "white", "key": "b" * 64, "was": "a" * 64}, "white")
        member = evening.people.of_key("b" * 64)
        assert evening.people.seats == {"white": member.person}
        assert evening.people.of_key("a" * 64) is None

    def test_names_are_tidied(self):
        assert tidy_name("  Jo\n  sé\t") == "Jo sé"
        for bad in ("", "\u202e", "x" * 41):
            with pytest.raises(BadInput):
                tidy_name(bad)
        assert tidy_colour(" #C0392B ") == "#c0392b"
        with pytest.raises(BadInput):
            tidy_colour("red;}")


class TestSettings:
    def test_what_the_host_sets_holds_at_the_next_start(self, evening, find_race, clock):
        evening.change({"play": "phone", "keep_days": 7}, "host")
        settings = again(evening, find_race, clock).settings
        assert (settings.play, settings.keep_days, settings.sound) == ("phone", 7, True)

    @pytest.mark.parametrize(
        "changes",
        [{"colour": "red"}, {"play": "mind"}, {"sound": 1}, {"keep_days": -1}, {"keep_days": True}],
    )
    def test_what_does_not_fit_is_not_set(self, evening, changes):
        before = evening.table.state_id
        with pytest.raises(BadInput):
            evening.change(changes, "host")
        assert evening.table.state_id == before

    def test_photographs_go_after_the_days_that_the_host_gives_them(self, evening, clock):
        evening.table.play(STEP, "white", {"after": b"\xff\xd8"})
        clock.time += 8 * 86_400
        evening.change({"keep_days": 9}, "host")
        assert photograph_bytes(evening.journal) == 2
        evening.change({"keep_days": 7}, "host")
        assert photograph_bytes(evening.journal) == 0

    @pytest.mark.parametrize(
        ("what", "games", "room"), [("photographs", 2, 0), ("games", 1, 2), ("all", 1, 0)]
    )
    def test_the_host_deletes(self, evening, what, games, room):
        evening.table.play(STEP, "white", {"after": b"\xff\xd8"})
        evening.begin("race", None, {}).play(STEP, "white", {"after": b"\xff\xd8"})
        evening.delete(what, "host")
        assert len(evening.journal.games()) == games
        assert photograph_bytes(evening.journal) == room
        assert evening.table.events()[-1].data["what"] == what


class TestAgreement:
    def test_a_draw_is_offered_and_accepted(self, evening):
        table = evening.table
        offer_draw(table, "white")
        assert asked(table, open_offer(table.events())) == ("black",)
        accept_draw(table, "black")
        assert (table.outcome.winners, table.ended_by) == ((), "agreement")

    def test_nobody_accepts_his_own_offer(self, evening):
        offer_draw(evening.table, "white")
        with pytest.raises(BadInput, match="no draw"):
            accept_draw(evening.table, "white")

    def test_an_offer_is_declined_by_word_or_by_move(self, evening):
        table = evening.table
        offer_draw(table, "white")
        decline_draw(table, "black")
        assert open_offer(table.events()) is None
        offer_draw(table, "black")
        table.play(STEP, "white")
        assert open_offer(table.events()) is None

    def test_who_offers_may_move_and_leave_the_offer_standing(self, evening):
        offer_draw(evening.table, "white")
        evening.table.play(STEP, "white")
        assert open_offer(evening.table.events()).seat == "white"

    def test_an_offer_is_made_once(self, evening):
        offer_draw(evening.table, "white")
        with pytest.raises(BadInput, match="already"):
            offer_draw(evening.table, "black")

    def test_of_two_who_gives_up_loses(self, evening):
        resign(evening.table, "white")
        assert evening.table.outcome.winners == ("black",)
        assert evening.table.outcome.reason == "white gave up"
        with pytest.raises(BadInput, match="over"):
            resign(evening.table, "black")

    def test_of_many_the_others_play_on_until_one_is_left(self, evening, monkeypatch):
        table = evening.table
        setup = type(table.setup)(("white", "black", "green"), table.setup.options)
        monkeypatch.setattr(table, "setup", setup)
        resign(table, "green")
        assert (table.outcome, resigned(table.events())) == (None, ("green",))
        take_back(table, 1, "green")
        assert resigned(table.events()) == ()
        resign(table, "green")
        resign(table, "white")
        assert table.outcome.winners == ("black",)


class TestPast:
    def test_results_are_kept_with_the_names_of_the_players(self, evening):
        sit(evening, "white", "Anna")
        sit(evening, "black", "Bela")
        resign(evening.table, "white")
        evening.begin("race", None, {})
        abort(evening.table, "host")
        evening.begin("race", None, {}).play(STEP, "white")
        newest, middle, oldest = past_games(evening.journal)
        assert (newest.outcome, newest.actions) == (None, 1)
        assert middle.aborted
        assert oldest.outcome["winners"] == ["black"]
        assert oldest.players == {"white": "Anna", "black": "Bela"}
        standing = standings([newest, middle, oldest])
        assert [(s.name, s.played, s.won) for s in standing] == [("Bela", 1, 1), ("Anna", 1, 0)]

    def test_a_result_that_was_taken_back_is_none(self, evening):
        resign(evening.table, "white")
        evening.table.undo(1, "white")
        assert past_games(evening.journal)[0].outcome is None

    def test_a_name_in_capitals_is_the_same_player(self, evening):
        for name in ("Anna", "ANNA"):
            sit(evening, "white", name)
            resign(evening.table, "black")
            evening.begin("race", None, {})
        (anna,) = standings(past_games(evening.journal))
        assert (anna.played, anna.won, anna.games) == (2, 2, {"race": 2})


class TestHints:
    def test_another_turn_would_make_it_legal(self, race):
        state = race.start(race.setup())
        (hint,) = hints(race, state, Action("move", "a2", "b2"))
        assert hint == "it would be legal in the turn of black"

    def test_nothing_is_said_of_what_is_legal_or_hopeless(self, race):
        state = race.start(race.setup())
        assert hints(race, state, STEP) == ()
        assert hints(race, state, Action("move", "a1", "h1")) == ()
        assert hints(race, state, Action("move", "e1", "f1")) == ()
