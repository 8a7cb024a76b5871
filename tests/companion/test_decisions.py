"""What players decide beside the rules: an end by agreement, a ruling of the table, a pause."""

from __future__ import annotations

import pytest

from companion.journal import Journal
from companion.referee import audit_journal, export_record
from companion.rules import Action, BadInput, Outcome, read_record, say
from companion.table import StaleState, Table

GIVEN_UP = Outcome(("black",), "", say("{seat} gave up", seat="white"))
FAR = Action("move", "a1", "e1")
STEP = Action("move", "a1", "b1")


@pytest.fixture
def journal():
    with Journal() as journal:
        yield journal


@pytest.fixture
def table(race, journal, clock):
    return Table.create(journal, race, race.setup(), now=clock)


def again(table, journal, find_race):
    """Return the table as a restart finds it."""
    return Table.resume(journal, find=find_race)


def test_players_may_end_a_game_that_the_rules_would_let_go_on(table):
    table.end(GIVEN_UP, "resignation", "white")
    assert table.outcome == GIVEN_UP
    assert (table.ended_by, table.to_move) == ("resignation", None)
    view = table.view()
    assert view["outcome"]["by"] == "resignation"
    assert (view["to_move"], view["legal"], view["claims"]) == (None, [], [])


def test_after_an_agreed_end_no_action_stands(table):
    table.end(GIVEN_UP, "resignation", "white")
    ruling = table.play(STEP, "white")
    assert not ruling.allowed
    assert "white gave up" in ruling.reason


def test_an_agreed_end_is_taken_back_alone(table):
    table.play(STEP, "white")
    table.end(GIVEN_UP, "resignation", "white")
    table.undo(1, "white")
    assert (table.outcome, table.actions) == (None, (STEP,))
    table.undo(1, "white")
    assert table.actions == ()


def test_a_game_ends_once(table):
    table.end(GIVEN_UP, "resignation", "white")
    with pytest.raises(BadInput, match="over already"):
        table.end(GIVEN_UP, "agreement", "black")


def test_who_saw_an_older_position_cannot_end_the_game(table):
    seen = table.state_id
    table.play(STEP, "white")
    with pytest.raises(StaleState):
        table.end(GIVEN_UP, "resignation", "white", expected=seen)


def test_an_agreed_end_survives_a_restart_and_its_reason_can_still_be_translated(
    table, journal, find_race
):
    table.end(GIVEN_UP, "resignation", "white")
    after = again(table, journal, find_race)
    assert after.outcome == GIVEN_UP
    assert after.outcome.reason.told(lambda text: text.replace("gave up", "si arrende")) == (
        "white si arrende"
    )


def test_the_table_lets_an_action_stand_that_the_rules_refuse(table):
    assert not table.play(FAR, "white").allowed
    table.decide("we play with long steps", "black", action=FAR)
    assert table.view()["position"] == {"e1": "white", "a2": "black"}
    assert table.to_move == "black"
    table.undo(1, "white")
    assert table.view()["position"] == {"a1": "white", "a2": "black"}


def test_the_table_says_how_it_stands_and_whose_turn_it_is(table, journal, find_race):
    table.decide("a sleeve", "white", position={"c1": "white", "d2": "black"}, turn="black")
    after = again(table, journal, find_race)
    assert after.view()["position"] == {"c1": "white", "d2": "black"}
    assert after.to_move == "black"
    ruled = after.events()[-1]
    assert (ruled.kind, ruled.data["why"]) == ("ruled", "a sleeve")


def test_a_decision_needs_something_to_decide(table):
    with pytest.raises(BadInput):
        table.decide("why not", "white")
    with pytest.raises(BadInput):
        table.decide("both", "white", action=FAR, turn="black")


def test_a_decision_that_ends_the_game_ends_it(table):
    table.decide("she had said it", "white", position={"h1": "white", "a2": "black"})
    assert table.outcome.winners == ("white",)


def test_the_record_goes_on_from_a_decision(table, journal, find_race, race):
    table.play(STEP, "white")
    table.decide("a sleeve", "white", position={"c1": "white", "d2": "black"}, turn="white")
    table.play(Action("move", "c1", "d1"), "white")
    text = export_record(journal, find=find_race)
    record = read_record(text)
    assert record.position == {"c1": "white", "d2": "black"}
    assert record.actions == ("c1-d1",)
    assert "# a1-b1" in text


def test_an_audit_follows_the_decisions_of_the_table(table, journal, find_race):
    table.decide("a sleeve", "white", position={"c1": "white", "d2": "black"}, turn="white")
    table.play(Action("move", "c1", "d1"), "white")
    assert audit_journal(journal, find=find_race).findings == ()


def test_a_pause_is_kept(table, journal, find_race):
    table.note("paused", {}, "white")
    assert again(table, journal, find_race).paused
    table.note("continued", {}, "white")
    assert not table.paused


def test_a_game_begins_from_what_stands_on_the_table_with_the_seat_that_is_to_move(
    table, journal, find_race
):
    table.arrange({"c1": "white", "d2": "black"}, "white", "black")
    assert again(table, journal, find_race).to_move == "black"


# -- where the game itself cannot follow ---------------------------------------------------


FAULTS = (AssertionError, TypeError, KeyError, StopIteration, ZeroDivisionError, RuntimeError)


def failing(race, fault, over):
    """Return the race as a game of ours with a bug: it falls over the action ``over``."""
    sound = next(kind for kind in type(race).__mro__ if "_guarded" not in vars(kind))

    class Failing(sound):
        __module__ = "companion.games.failing"

        def advance(self, state, action):
            if action == over:
                raise fault("a bug")
            return super().advance(state, action)

    return Failing()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_game_that_cannot_follow_a_decision_is_told_and_logged_and_the_table_goes_on(
    race, journal, clock, caplog, fault
):
    game = failing(race, fault, FAR)
    table = Table.create(journal, game, race.setup(), now=clock)
    table.decide("we play with long steps", "black", action=FAR)
    ruled = table.events()[-1]
    assert "cannot follow a1-e1" in ruled.data["doubt"]
    assert "The Race" in ruled.data["doubt"]
    assert [record.exc_info[0] for record in caplog.records] == [fault]
    assert table.view()["position"] == {"e1": "white", "a2": "black"}
    assert table.play(Action("move", "a2", "b2"), "black").allowed


@pytest.mark.parametrize("mended", [True, False])
def test_what_was_decided_is_read_back_as_it_was_decided(race, journal, clock, caplog, mended):
    game = failing(race, AssertionError, FAR)
    table = Table.create(journal, game, race.setup(), now=clock)
    table.decide("we play with long steps", "black", action=FAR)
    caplog.clear()
    after = Table.resume(journal, find=lambda name: race if mended else game)
    assert (after.state, after.view()["position"]) == (table.state, table.view()["position"])
    assert audit_journal(journal, find=lambda name: game).findings == ()
    assert caplog.records == []


def test_nothing_is_in_doubt_where_the_game_follows(table):
    table.decide("we play with long steps", "black", action=FAR)
    assert "doubt" not in table.events()[-1].data


@pytest.mark.parametrize("fault", FAULTS)
def test_a_game_that_falls_over_its_own_history_is_named_in_one_sentence_and_logged(
    race, journal, clock, caplog, fault
):
    table = Table.create(journal, race, race.setup(), now=clock)
    table.play(STEP, "white")
    game = failing(race, fault, STEP)
    with pytest.raises(BadInput, match=r"game 1.* event 2 .* fault of The Race.*log") as told:
        Table.resume(journal, find=lambda name: game)
    assert "\n" not in str(told.value)
    assert [record.exc_info[0] for record in caplog.records] == [fault]
    assert Table.resume(journal, find=lambda name: race).actions == (STEP,)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_game_that_falls_over_a_move_leaves_the_journal_as_it_was(race, journal, clock, fault):
    table = Table.create(journal, failing(race, fault, STEP), race.setup(), now=clock)
    with pytest.raises(fault):
        table.play(STEP, "white")
    assert [event.kind for event in journal.events(table.game_id)] == ["started"]
    assert table.to_move == "white"


def test_a_foreign_game_that_cannot_follow_a_decision_is_told_as_well(race, journal, clock):
    game = failing(race, AssertionError, FAR)
    type(game).__module__ = "a_shelf_of_others"
    table = Table.create(journal, game, race.setup(), now=clock)
    table.decide("we play with long steps", "black", action=FAR)
    assert "cannot follow a1-e1" in table.events()[-1].data["doubt"]
    assert table.view()["position"] == {"e1": "white", "a2": "black"}
