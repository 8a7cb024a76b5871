"""How a simulated table is looked at: as often as somebody does something there."""

from __future__ import annotations

import threading

import pytest

from companion.games import find_game, games
from companion.journal import Journal
from companion.live.environment import Environment
from companion.live.equipping import (
    CALM,
    FRAMES_PER_SECOND,
    RESTING,
    SETTLING,
    WITH_HANDS,
    Pace,
    simulate,
)
from companion.live.live_picture import LivePicture
from companion.live.machine_players import lies
from companion.table import Table
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring
from vision.watching.motion import FILM

STEP, QUICK = 1 / FRAMES_PER_SECOND, 1 / WITH_HANDS


class Clock:
    """Time that passes when an event is waited for; ``then`` is done once at a moment of it."""

    def __init__(self):
        self.time, self.then = 0.0, {}

    def __call__(self):
        return self.time

    def wait(self, event, seconds):
        if event.is_set():
            return
        until = self.time + seconds
        for at in sorted(at for at in self.then if at <= until):
            self.time = max(self.time, at)
            self.then.pop(at)()
            if event.is_set():
                return
        self.time = max(self.time, until)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pace(clock):
    return Pace(threading.Event(), Environment(clock=clock, wait=clock.wait))


def waits(pace, clock, count):
    """Return for how long each of so many frames was held back."""
    found = []
    for _ in range(count):
        began = clock.time
        pace()
        found.append(clock.time - began)
    return found


def test_a_table_at_which_nobody_does_anything_is_looked_at_less_often(pace, clock):
    assert waits(pace, clock, CALM + 1) == pytest.approx([STEP] * (CALM + 1))
    assert waits(pace, clock, 5) == pytest.approx([RESTING * STEP] * 5)


def test_pictures_of_a_table_at_rest_are_still_a_film():
    assert RESTING * STEP < FILM


def test_a_hand_wakes_the_camera_at_once_and_for_a_while_it_is_quicker(pace, clock):
    waits(pace, clock, CALM + 3)
    busy = [False]
    pace.busy = lambda: busy[0]

    def hand():
        busy[0] = True
        pace.stir()

    clock.then[clock.time + 0.5 * STEP] = hand
    assert waits(pace, clock, 2) == pytest.approx([0.5 * STEP, QUICK])
    busy[0] = False
    assert waits(pace, clock, SETTLING) == pytest.approx([QUICK] * SETTLING)
    rest = CALM + 1 - SETTLING
    assert waits(pace, clock, rest) == pytest.approx([STEP] * rest)


def test_who_ends_the_watch_waits_for_no_frame(pace, clock):
    waits(pace, clock, CALM + 3)
    clock.then[clock.time + 0.5 * STEP] = pace._stop.set
    assert waits(pace, clock, 1) == pytest.approx([STEP])


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
def test_whatever_hands_do_wakes_the_camera_of_every_game(name, pace, clock):
    game = find_game(name)
    setup = game.setup()
    board = game.board(setup)
    with Journal() as journal:
        table = Table.create(journal, game, setup)
        show = LightShow(SimulatedStrip(), default_wiring(board), clock)
        outside = Environment(clock=clock, wait=clock.wait)
        hands, dice, camera = simulate(table, show, outside, pace, lambda: False)
        window = LivePicture(camera, pace.rouse)
        waits(pace, clock, CALM + 3)
        assert not pace.busy()
        if dice is not None:
            dice.lay(game.dice(game.start(setup)))
            dice.throw([next(n for n, die in enumerate(dice.dice) if die)])
        elif hands.position:
            hands.turn(next(iter(hands.position)))
        else:
            hands.put(next(iter(board.spots)), hands.off[0])
        assert pace.busy()
        began, frames = clock.time, 0
        while pace.busy():
            window.read()
            frames += 1
        assert clock.time - began == pytest.approx((frames - 1) * QUICK)
        waits(pace, clock, CALM + 3)
        window.picture()
        assert waits(pace, clock, 1) == pytest.approx([STEP])


@pytest.mark.parametrize("name", games())
def test_where_moves_are_made_on_phones_the_pieces_stand_as_the_game_does(name, pace, clock):
    game, by_phone = find_game(name), [False]
    setup = game.setup()
    with Journal() as journal:
        table = Table.create(journal, game, setup)
        show = LightShow(SimulatedStrip(), default_wiring(game.board(setup)), clock)
        outside = Environment(clock=clock, wait=clock.wait)
        hands, dice, _ = simulate(table, show, outside, pace, lambda: by_phone[0])
        before = hands.position
        play_some(table)
        assert dice is not None or hands.position == before, "it waits for hands"
        by_phone[0] = True
        play_some(table)
        assert lies(table, hands)
        table.undo(1, "phone")
        assert lies(table, hands)


def play_some(table, count=6):
    for _ in range(count):
        table.play(table.game.legal(table.state)[0], "phone")
