"""A doubt about which of two like tokens went where leaves none about the position: play goes on,
though nobody answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.live.reading_entries import tell
from companion.rules import read_action
from companion.simulation.table_camera import SimulatedTable
from vision.decoding.reading import Reading, Step

Begin = Callable[..., Any]


def advanced(game: Any, *actions: str) -> Any:
    """Return the state after ``actions`` from the last that the table knows."""
    state = game.past[-1]
    for action in actions:
        state = game.game.apply(state, read_action(action))
    return state


def like_dice(game: Any) -> tuple[str, str, str, str]:
    """Return three moves of which the first and the last are of like dice of one seat, that may
    have gone to each other's target as well, and a further move of the other seat."""
    rules, start = game.game, game.past[-1]
    table = rules.expect(start)
    moves = [a for a in rules.legal(start) if a.target]
    for one in moves:
        for other in moves:
            like = one.origin != other.origin and table[one.origin] == table[other.origin]
            swapped = {(one.origin, other.target), (other.origin, one.target)}
            ways = {(a.origin, a.target) for a in moves}
            if like and one.target != other.target and swapped <= ways:
                reply = next(a for a in rules.legal(advanced(game, str(one))) if a.target)
                then = advanced(game, str(one), str(reply), str(other))
                last = next(a for a in rules.legal(then) if a.target and a.origin != reply.target)
                return str(one), str(reply), str(other), str(last)
    raise AssertionError("no two like dice stand beside each other")


@pytest.fixture
def doubtful(play: Begin) -> tuple[Any, tuple[str, str, str, str], Reading]:
    """A game of dice, four moves, and the reading of a picture that shows the first three."""
    game = play(name="invictus")
    moves = like_dice(game)
    table: SimulatedTable = game.camera.table
    for move in moves[:3]:
        action = read_action(move)
        table.move(str(action.origin), str(action.target))
    return game, moves, game.look()


def entries(game: Any, reading: Reading) -> list[str]:
    told = tell(game.game, game.past, [], (*reading.steps, *reading.ahead))
    return [f"{entry['from']}-{entry['to']}" for entry in told]


def actions(steps: tuple[Step, ...]) -> list[str]:
    return [str(step.action) for step in steps]


def test_what_is_the_same_in_every_way_is_told_and_the_rest_is_asked(doubtful: Any) -> None:
    game, moves, reading = doubtful
    assert reading.still
    assert reading.steps == ()
    assert list(moves[:3]) in [actions(way) for way in reading.asks]
    assert entries(game, reading) == [moves[1]]
    assert dict(reading.position) == game.camera.table.position


def test_play_goes_on_before_anybody_answers(doubtful: Any) -> None:
    game, moves, asked = doubtful
    reading = game.move(moves[3])
    assert reading.asks == asked.asks, "the doubt stays open"
    assert reading.message == asked.message
    assert reading.steps == ()
    assert entries(game, reading) == [moves[3]]
    assert dict(reading.position) == game.camera.table.position
    assert entries(game, game.look()) == [], "it is told once"


@pytest.mark.parametrize("way", [0, -1])
def test_an_answer_gives_the_table_what_was_played_since(doubtful: Any, way: int) -> None:
    game, moves, _ = doubtful
    reading = game.move(moves[3])
    for step in reading.asks[way]:
        game.past.append(game.game.apply(game.past[-1], step.action))
    settled = game.reader.read(game.settled(), tuple(game.past))
    assert settled.asks == ()
    assert actions(settled.steps) == [moves[3]]
    assert entries(game, settled) == [], "it was told before"


def test_what_is_taken_back_before_anybody_answers_is_told(doubtful: Any) -> None:
    game, moves, asked = doubtful
    game.move(moves[3])
    origin, target = moves[3].split("-")
    reading = game.move(f"{target}-{origin}")
    assert reading.asks == asked.asks
    assert entries(game, reading) == [f"{target}-{origin}"]


def test_a_doubt_is_dropped_where_the_game_went_on_without_it(doubtful: Any) -> None:
    game, moves, _ = doubtful
    game.past.append(advanced(game, moves[0]))
    reading = game.look()
    assert reading.asks == ()
    assert actions(reading.steps) == list(moves[1:3])
    assert dict(reading.position) == game.camera.table.position
