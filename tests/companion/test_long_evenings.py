"""A long evening costs what a short one does: all work that an action makes is counted."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import find_game
from companion.journal import Draft, Events, Header, Journal
from companion.referee import audit_journal
from companion.rules import Action, Game
from companion.table import Table
from companion.table.agreement import open_offer, resigned
from companion.table.history import History

SHORT, LONG = 150, 1500
"""Actions and undos of an evening; the long one may cost no more for each."""


def work(do: Callable[[], object]) -> int:
    """Return how many functions, of Python and of C, ``do`` calls."""
    calls = 0

    def count(frame: FrameType, event: str, what: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(None)
    return calls


def played(game: Game[Any], count: int) -> Table[Any]:
    """Return a table at which ``count`` actions, undos and corrections happened, mixed."""
    chance = random.Random(17)
    table: Table[Any] = Table.create(Journal(), game, game.setup())
    for number in range(count):
        legal = [] if table.outcome else list(game.legal(table.state))
        if not legal or (number % 5 == 4 and len(table.actions)):
            table.undo(1 if legal else min(20, len(table.actions)), "referee")
        elif number % 11 == 10:
            before = table.past[-2]
            table.correct([chance.choice(list(game.legal(before)))], "referee")
        else:
            table.play(chance.choice(legal), "camera")
    return table


@pytest.fixture(scope="module", params=["chess", "victorus"])
def evenings(request: pytest.FixtureRequest) -> dict[int, Table[Any]]:
    game = find_game(request.param)
    return {count: played(game, count) for count in (SHORT, LONG)}


def ten(table: Table[Any], do: Callable[[], object]) -> int:
    """Return the work of ten times ``do``, the first time left out."""
    do()
    return work(lambda: [do() for _ in range(10)])


@pytest.mark.slow
@pytest.mark.parametrize(
    "do",
    [
        lambda table: (table.play(Action("move", "a1", "h8"), "camera"), table.undo(1, "x")),
        lambda table: table.note("differs", {"spots": []}, "camera"),
        lambda table: (table.past[-1], table.past[-3], table.actions[-2], len(table.past)),
        lambda table: table.events(table.state_id - 3),
        lambda table: (table.line_at(table.state_id // 2), table.line_at(table.state_id)),
        lambda table: (open_offer(table.events()), resigned(table.events())),
    ],
    ids=["play and undo", "note", "past", "news", "line at", "agreement"],
)
def test_nothing_costs_more_the_longer_the_evening_has_been(
    evenings: dict[int, Table[Any]], do: Callable[[Table[Any]], object]
) -> None:
    counts = {count: ten(table, lambda t=table: do(t)) for count, table in evenings.items()}
    assert counts[LONG] <= 1.5 * counts[SHORT] + 400


@pytest.mark.parametrize("name", ["chess", "victorus", "victory_honor"])
def test_a_view_costs_the_same_however_much_was_played_and_taken_back(name: str) -> None:
    table = played(find_game(name), SHORT)

    def view() -> None:
        table.note("recovered", {}, "camera")
        table.view()

    early = ten(table, view)
    action = table.game.legal(table.state)[0]
    for _ in range(LONG // 2):
        table.play(action, "camera")
        table.undo(1, "referee")
    assert ten(table, view) <= 1.2 * early


def test_a_resume_applies_every_action_once_and_reads_every_text_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = find_game("victorus")
    table = played(game, 400)
    done: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        method = getattr(game, name)

        def count(*given: Any) -> Any:
            done[name] += 1
            return method(*given)

        return count

    for name in ("apply", "parse", "judge"):
        monkeypatch.setattr(game, name, counted(name), raising=False)
    again = Table.resume(table.journal, find=lambda name: game)
    assert again.line == table.line
    accepted = [event.action for event in table.events().of("action")]
    assert done == {"apply": len(accepted), "parse": len(set(accepted))}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "victorus", "victory_honor"])
@pytest.mark.parametrize("what", ["resume", "audit"])
def test_ten_times_as_many_actions_are_ten_times_the_work(name: str, what: str) -> None:
    game = find_game(name)
    counts = []
    for count in (SHORT, LONG):
        journal = played(game, count).journal
        do = {
            "resume": lambda j=journal: Table.resume(j),
            "audit": lambda j=journal: audit_journal(j),
        }[what]
        counts.append(work(do))
    assert counts[1] <= 14 * counts[0]


def test_states_that_stand_are_shared_and_not_copied() -> None:
    table = played(find_game("victorus"), 50)
    before = table.line
    table.play(table.game.legal(table.state)[0], "camera")
    assert table.line.before is before
    table.undo(1, "referee")
    assert table.line is before


steps = st.lists(st.one_of(st.just(0), st.integers(1, 4)), max_size=60)


@given(steps, st.data())
def test_a_line_is_like_plain_lists_of_states_and_actions(steps: list[int], data: Any) -> None:
    line, seqs = History(0), list[int]()
    for seq, back in enumerate(steps, start=2):
        if back == 0:
            line = line.played(Action("end", detail=str(seq)), seq, seq)
            seqs.append(seq)
        elif back <= len(seqs):
            line = line.undone(back)
            del seqs[-back:]
    assert (line.past, line.seqs, len(line.actions)) == ((0, *seqs), tuple(seqs), len(seqs))
    assert [action.detail for action in line.actions] == [str(seq) for seq in seqs]
    whole = [0, *seqs]
    place = st.none() | st.integers(-70, 70)
    cut = slice(data.draw(place), data.draw(place), data.draw(st.sampled_from([None, 1, 2, -1])))
    assert line.past[cut] == tuple(whole[cut])
    assert list(reversed(line.past)) == whole[::-1]
    assert [line.past[at] for at in range(-len(whole), len(whole))] == whole + whole
    with pytest.raises(IndexError):
        line.past[len(whole)]
    seq = data.draw(st.integers(0, 70))
    assert line.until(seq).seqs == tuple(s for s in seqs if s <= seq)
    assert line.holds(seq) == (seq in seqs)


KINDS = ("action", "lost", "differs", "offered")


@given(st.lists(st.sampled_from(KINDS), max_size=40), st.data())
def test_the_events_of_a_game_are_like_a_plain_list_of_them(kinds: list[str], data: Any) -> None:
    journal = Journal()
    header = Header("men", ("red",), {})
    game, first = journal.begin(header, 0.0, Draft("x", "started"))
    events, plain = journal.events(game), [first]
    for kind in kinds:
        more = journal.append(game, 1.0, [Draft("x", kind), Draft("x", "note", data={"a": kind})])
        events = events.grown(more)
        plain += more
    assert events == plain == journal.events(game)
    assert (len(events), list(events), list(reversed(events))) == (
        len(plain), plain, plain[::-1]
    )  # fmt: skip
    seq = data.draw(st.integers(0, 90))
    parts = {events: plain, events.after(seq): [e for e in plain if e.seq > seq]}
    parts[events.until(seq)] = [e for e in plain if e.seq <= seq]
    wanted = data.draw(st.sets(st.sampled_from(KINDS)))
    for part, same in parts.items():
        assert list(part) == same
        assert part[1:-1] == same[1:-1]
        assert part[::-2] == tuple(same[::-2])
        assert list(part.of(*wanted)) == [e for e in same if e.kind in wanted]
        assert list(part.newest(*wanted)) == [e for e in same[::-1] if e.kind in wanted]
    assert events.find(seq) == next((e for e in plain if e.seq == seq), None)


def test_what_was_taken_of_the_events_stays_as_it_was_when_more_happen() -> None:
    table = played(find_game("chess"), 10)
    seen, copy = table.events(), list(table.events())
    table.note("differs", {"spots": []}, "camera")
    assert seen == copy
    assert len(table.events()) == len(copy) + 1
    assert seen.grown(table.events(seen[-1].seq)) == table.events()


def test_events_that_are_kept_say_the_same_again() -> None:
    table = played(find_game("victorus"), 30)
    again: Events = table.events()
    assert again[3] == table.events()[3]
    assert {e.kind for e in again} >= {"started", "action", "undone"}


def test_a_row_that_nobody_wrote_is_found_when_it_is_read() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        Events.sound([(1, 0.0, "x", "note", None, None, "no json", ())])
