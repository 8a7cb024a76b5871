"""A table: what is accepted, what is refused, what is taken back, and who hears of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from companion.games import find_game
from companion.journal import Event, Journal
from companion.rules import Action, BadInput, Game, read_action
from companion.table import StaleState, Table
from companion.table.history import thought

FIRST, SECOND, THIRD = (read_action(text) for text in ("a1-b1", "a2-c2", "b1-d1"))


@pytest.fixture
def table(race: Game[Any], clock: Callable[[], float]) -> Table[Any]:
    return Table.create(Journal(), race, race.setup(), now=clock)


@pytest.fixture
def timed(race: Game[Any], clock: Callable[[], float]) -> Table[Any]:
    """A race of one minute in which a turn has to be begun within ten seconds."""
    setup = race.setup(None, {"game_time": "1", "move_time": "10"})
    return Table.create(Journal(), race, setup, now=clock)


def kinds(table: Table[Any]) -> list[str]:
    return [event.kind for event in table.events()]


# -- playing -----------------------------------------------------------------------------


def test_a_legal_action_is_journaled_and_applied(table: Table[Any]) -> None:
    ruling = table.play(FIRST, "camera")
    assert ruling.allowed
    assert table.state.at == (1, 0)
    assert table.actions == (FIRST,)
    assert len(table.past) == 2
    event = table.events()[-1]
    assert (event.kind, event.action, event.ruling) == ("action", "a1-b1", ruling)
    assert event.data == {"seat": "white", "to_move": "black"}
    assert table.journal.events(table.game_id) == table.events()


def test_a_refused_action_is_journaled_and_changes_nothing(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    before = table.line
    ruling = table.play(THIRD, "camera")
    assert (ruling.allowed, ruling.rule) == (False, "RACE-3")
    assert table.line == before
    assert kinds(table) == ["started", "action", "refused"]
    assert table.events()[-1].ruling == ruling
    assert table.events()[-1].data["seat"] == "black"


def test_the_end_of_the_game_is_an_event_of_the_same_commit(table: Table[Any]) -> None:
    for text in ("a1-c1", "a2-b2", "c1-e1", "b2-c2", "e1-g1", "c2-d2", "g1-h1"):
        table.play(read_action(text), "camera")
    assert kinds(table)[-2:] == ["action", "ended"]
    assert table.events()[-1].data["winners"] == ["white"]
    assert table.state_id == 9
    assert not table.play(read_action("d2-e2"), "camera").allowed


def test_a_claim_is_played_like_an_action(table: Table[Any]) -> None:
    assert table.play(Action("time"), "referee").allowed
    assert kinds(table) == ["started", "action", "ended"]


def test_photographs_can_be_looked_at_later(table: Table[Any]) -> None:
    table.play(FIRST, "camera", {"before": b"1", "after": b"2"})
    event = table.events()[-1]
    assert event.photographs == ("before", "after")
    assert table.evidence(event.seq) == {"before": b"1", "after": b"2"}
    assert table.evidence(1) == {}


# -- taking back and correcting ----------------------------------------------------------


def test_an_undo_takes_actions_back_and_keeps_the_history(table: Table[Any]) -> None:
    for action in (FIRST, SECOND, THIRD):
        table.play(action, "camera")
    table.undo(2, "seat:white")
    assert table.actions == (FIRST,)
    assert table.state.at == (1, 0)
    assert kinds(table) == ["started", "action", "action", "action", "undone"]
    assert table.line_at(4).actions == (FIRST, SECOND, THIRD)
    assert table.line_at(5) == table.line


def test_every_position_of_the_evening_is_known_without_asking_the_rules_again(
    table: Table[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(FIRST, "camera")
    table.play(SECOND, "camera")
    table.note("enrolled", {}, "camera")
    table.correct([read_action("a2-b2"), THIRD], "seat:white")
    table.undo(3, "seat:white")
    table.decide("we agreed", "seat:white", turn="black")
    table.play(SECOND, "camera")
    table.play(SECOND, "camera")  # refused: it is not their turn
    table.undo(1, "seat:black")
    known = [event.seq for event in table.events()]
    again = Table.resume(table.journal, now=table.now, find=lambda name: table.game)
    shown = [table.line_at(seq) for seq in known]
    assert [again.line_at(seq) for seq in known] == shown

    def unasked(*_: object) -> None:
        raise AssertionError("the rules were asked again")

    for question in ("apply", "advance", "judge", "legal", "parse", "rearranged"):
        monkeypatch.setattr(type(table.game), question, unasked)
    assert [table.line_at(seq) for seq in known] == shown
    assert [again.line_at(seq) for seq in known] == shown


@pytest.mark.parametrize("count", [-1, 0, 2])
def test_more_than_was_played_cannot_be_taken_back(table: Table[Any], count: int) -> None:
    table.play(FIRST, "camera")
    with pytest.raises(BadInput, match="cannot take back"):
        table.undo(count, "referee")
    assert kinds(table) == ["started", "action"]


def test_a_correction_replaces_the_last_action_in_one_commit(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    (ruling,) = table.correct([read_action("a1-c1")], "seat:white")
    assert ruling.allowed
    assert table.state.at == (2, 0)
    assert kinds(table) == ["started", "action", "corrected", "action"]
    assert len({event.at for event in table.events()[2:]}) == 1


def test_a_correction_may_replace_several_actions_by_others(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    table.play(SECOND, "camera")
    table.correct([read_action("a1-c1"), read_action("a2-b2")], "referee", count=2)
    assert table.state.at == (2, 1)
    assert table.line.seqs == (5, 6)


def test_a_correction_that_is_refused_takes_nothing_back(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    rulings = table.correct([read_action("a1-c1"), FIRST], "seat:white")
    assert [ruling.allowed for ruling in rulings] == [True, False]
    assert table.actions == (FIRST,)
    assert kinds(table) == ["started", "action", "refused"]


def test_a_correction_needs_an_action(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    with pytest.raises(BadInput, match="at least one action"):
        table.correct([], "referee")
    with pytest.raises(BadInput, match="cannot take back 3"):
        table.correct([FIRST], "referee", count=3)


def test_there_was_no_line_before_the_first_event(table: Table[Any]) -> None:
    with pytest.raises(BadInput, match="no event 0"):
        table.line_at(0)


# -- who saw what ------------------------------------------------------------------------


def test_a_request_made_on_an_earlier_position_is_stale(table: Table[Any]) -> None:
    seen = table.state_id
    table.play(FIRST, "camera")
    with pytest.raises(StaleState, match="look at the new position") as error:
        table.play(SECOND, "seat:black", expected=seen)
    assert (error.value.expected, error.value.state_id) == (1, 2)
    with pytest.raises(StaleState):
        table.undo(1, "seat:white", expected=seen)
    with pytest.raises(StaleState):
        table.correct([FIRST], "seat:white", expected=99)
    assert kinds(table) == ["started", "action"]


def test_notes_and_refusals_make_nobody_stale(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    seen = table.state_id
    table.note("lost", {}, "camera")
    table.play(FIRST, "camera")
    assert table.play(SECOND, "seat:black", expected=seen).allowed


# -- notes, view -------------------------------------------------------------------------


def test_a_note_is_an_event_that_changes_no_position(table: Table[Any]) -> None:
    table.note("enrolled", {"spots": ["a1"]}, "camera")
    assert table.events()[-1].data == {"spots": ["a1"]}
    assert table.state_id == 2
    assert len(table.past) == 1


@pytest.mark.parametrize("kind", ["started", "action", "undone", "corrected", "refused", "ended"])
def test_what_only_play_can_cause_is_no_note(table: Table[Any], kind: str) -> None:
    with pytest.raises(BadInput, match="is no note"):
        table.note(kind, {}, "camera")


def test_events_after_the_last_seen_one_are_the_news(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    table.note("lost", {}, "camera")
    assert [event.seq for event in table.events(after=1)] == [2, 3]
    assert table.events(after=3) == ()


def test_the_view_is_json_and_tells_what_a_page_shows(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    table.play(FIRST, "seat:black")
    view = json.loads(json.dumps(table.view()))
    assert (view["state_id"], view["game"], view["to_move"]) == (3, "race", "black")
    assert view["position"] == {"b1": "white", "a2": "black"}
    assert view["physical"] is None
    assert view["ruling"]["ruling"]["rule"] == "RACE-2"
    assert [entry["kind"] for entry in view["recent"]] == ["action", "refused"]
    assert [action["action"] for action in view["legal"]] == ["a2-b2", "a2-c2"]
    assert [claim["verb"] for claim in view["claims"]] == ["time", "forfeit"]
    assert view["scorecards"][0] == {
        "seat": "white",
        "fields": [{"label": "steps", "tokens": [], "value": "1", "picture": "", "goal": 0}],
        "score": 1,
        "status": "",
    }
    assert view["highlights"] == {"turn": ["a2"]}
    assert (view["outcome"], view["clock"]) == (None, None)


def test_the_view_is_made_once_an_event(table: Table[Any]) -> None:
    first = table.view()
    assert table.view() is first
    table.note("lost", {}, "camera")
    assert table.view()["state_id"] == 2


def test_the_view_tells_which_actions_still_stand_and_who_won(table: Table[Any]) -> None:
    table.play(FIRST, "camera")
    table.undo(1, "camera")
    table.play(FIRST, "camera")
    table.play(Action("time"), "clock")
    view = table.view()
    assert [e["stands"] for e in view["recent"] if e["kind"] == "action"] == [False, True, True]
    assert view["outcome"]["winners"] == ["white"]
    assert (view["legal"], view["to_move"]) == ([], None)


def test_the_view_shows_what_really_stands_until_it_is_set_right(table: Table[Any]) -> None:
    seen = {"c1": "white", "a2": "black"}
    table.note("differs", {"position": seen}, "camera")
    assert table.view()["physical"] == seen
    table.note("lost", {}, "camera")
    assert table.view()["physical"] == seen
    table.note("recovered", {}, "camera")
    assert table.view()["physical"] is None
    table.note("differs", {"spots": ["a1"]}, "camera")
    assert table.view()["physical"] is None


# -- listeners ---------------------------------------------------------------------------


def test_listeners_hear_every_event_after_its_commit(table: Table[Any]) -> None:
    heard: list[tuple[int, bool]] = []

    def listener(event: Event) -> None:
        committed = table.journal.events(table.game_id)
        heard.append((event.seq, event in committed))

    stop = table.subscribe(listener)
    table.play(FIRST, "camera")
    table.correct([read_action("a1-c1")], "camera")
    assert heard == [(2, True), (3, True), (4, True)]
    stop()
    stop()
    table.undo(1, "camera")
    assert len(heard) == 3


def test_a_failing_listener_disturbs_neither_the_table_nor_the_others(
    table: Table[Any], caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int] = []

    def failing(event: Event) -> None:
        raise RuntimeError("the phone went into the soup")

    table.subscribe(failing)
    table.subscribe(lambda event: heard.append(event.seq))
    assert table.play(FIRST, "camera").allowed
    assert heard == [2]
    assert "a listener failed on event 2" in caplog.text


def test_a_listener_may_act_on_the_table_and_all_hear_it_in_order(table: Table[Any]) -> None:
    heard: list[int] = []

    def answering(event: Event) -> None:
        if event.kind == "action":
            table.note("asked", {}, "camera")

    table.subscribe(answering)
    table.subscribe(lambda event: heard.append(event.seq))
    table.play(FIRST, "camera")
    assert heard == [2, 3]


def test_listeners_are_called_outside_the_tables_lock(table: Table[Any]) -> None:
    states: list[int] = []

    def listener(event: Event) -> None:
        other = threading.Thread(target=lambda: states.append(table.view()["state_id"]))
        other.start()
        other.join(timeout=30)

    table.subscribe(listener)
    table.play(FIRST, "camera")
    assert states == [2]


def test_many_threads_leave_one_consistent_history(table: Table[Any]) -> None:
    heard: list[int] = []
    table.subscribe(lambda event: heard.append(event.seq))

    def act() -> None:
        for _ in range(25):
            if table.play(table.game.legal(table.past[0])[0], "camera").allowed:
                table.note("lost", {}, "camera")

    threads = [threading.Thread(target=act) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kinds(table).count("action") == 1
    assert kinds(table).count("refused") == 99
    assert heard == [event.seq for event in table.events(after=1)]
    assert heard == list(range(2, 103))


# -- the game clock ----------------------------------------------------------------------


def test_a_turn_not_begun_in_time_is_forfeited_by_the_clock(timed: Table[Any], clock: Any) -> None:
    clock.time += 9.0
    assert timed.tick() is None
    clock.time += 1.0
    ruling = timed.tick()
    assert ruling is not None
    assert ruling.allowed
    assert timed.events()[-1].actor == "clock"
    assert timed.game.to_move(timed.state) == "black"
    assert timed.tick() is None


def test_the_clock_ends_the_game_when_its_time_is_up(timed: Table[Any], clock: Any) -> None:
    timed.play(FIRST, "camera")
    clock.time += 60.0
    assert timed.tick() is not None
    assert timed.view()["outcome"]["winners"] == ["white"]
    clock.time += 600.0
    assert timed.tick() is None


def test_a_table_without_limits_has_no_clock(table: Table[Any], clock: Any) -> None:
    clock.time += 1e9
    assert table.clock is None
    assert table.tick() is None


def test_a_break_is_counted_to_nobody(timed: Table[Any], clock: Any) -> None:
    clock.time += 4.0
    timed.note("paused", {}, "referee")
    clock.time += 1000.0
    assert timed.tick() is None
    timed.note("continued", {}, "referee")
    clock.time += 5.0
    assert timed.tick() is None
    assert timed.clock is not None
    assert timed.clock.begin_left(clock.time) == 1.0


def test_time_that_passed_while_the_companion_was_off_is_counted_to_nobody(
    timed: Table[Any], find_race: Callable[[str], Game[Any]], clock: Any
) -> None:
    clock.time += 4.0
    timed.play(FIRST, "camera")
    timed.undo(1, "camera")
    clock.time += 86_400.0
    again = Table.resume(timed.journal, now=clock, find=find_race)
    assert kinds(again)[-1] == "resumed"
    assert again.tick() is None
    assert again.clock is not None
    assert again.clock.begin_left(clock.time) == 10.0
    assert again.clock.elapsed == 4.0
    assert json.dumps(again.view()["clock"])


def test_how_long_each_seat_took_is_known_without_limits_pauses_and_the_night(
    table: Table[Any], find_race: Callable[[str], Game[Any]], clock: Any
) -> None:
    clock.time += 3.0
    table.play(FIRST, "camera")
    clock.time += 5.0
    table.note("paused", {}, "white")
    clock.time += 600.0
    table.note("continued", {}, "white")
    clock.time += 2.0
    table.play(SECOND, "camera")
    clock.time += 86_400.0
    again = Table.resume(table.journal, now=clock, find=find_race)
    clock.time += 1.0
    again.play(THIRD, "camera")
    assert thought(again.events()) == pytest.approx({"white": 3.0, "black": 7.0})


def test_an_action_at_the_last_moment_counts_before_the_clock(
    timed: Table[Any], clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.time += 10.0
    claims = type(timed.game).claims

    def somebody_acts_meanwhile(game: Game[Any], state: Any) -> Any:
        monkeypatch.undo()
        timed.play(FIRST, "camera")
        return claims(game, state)

    monkeypatch.setattr(type(timed.game), "claims", somebody_acts_meanwhile)
    assert timed.tick() is None
    assert timed.actions == (FIRST,)


def test_a_flag_that_falls_ends_a_game_of_chess(clock: Any) -> None:
    chess = find_game("chess")
    setup = chess.setup(options={"minutes": "5"})
    table = Table.create(Journal(), chess, setup, now=clock)
    table.play(read_action("e2-e4"), "camera")
    clock.time += 299.0
    assert table.tick() is None
    clock.time += 1.0
    ruling = table.tick()
    assert ruling is not None
    assert ruling.allowed
    outcome = chess.outcome(table.state)
    assert outcome is not None
    assert outcome.winners == ("white",)
