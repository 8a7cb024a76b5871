"""What shone while a picture was taken, and lights that go out for one."""

from __future__ import annotations

from companion.games import find_game
from companion.journal import Journal
from companion.live.light_panel import LightPanel
from companion.live.recent_lights import EXPOSURE, LONGEST, RecentLights
from companion.table import Table
from hardware.lights import Light, Moment
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring

BLUE = Light((0, 0, 200), "steady", "last", "last move")
RED = Light((200, 0, 0), "blink", "differs", "differs from the game")


class Clock:
    def __init__(self) -> None:
        self.now = 10.0

    def __call__(self) -> float:
        return self.now


def test_a_picture_knows_every_light_that_shone_since_it_was_asked_for() -> None:
    clock = Clock()
    shone = RecentLights(clock)
    shone.note({"a1": BLUE})
    clock.now += 1.0
    shone.note({"a2": RED})
    clock.now += EXPOSURE / 2
    lit = shone.watch()
    clock.now += 0.1
    shone.note({"a3": BLUE})
    assert lit() == {"a1": BLUE.colour, "a2": RED.colour, "a3": BLUE.colour}
    clock.now += 1.0
    assert shone.watch()() == {"a3": BLUE.colour}


def test_lights_that_are_out_come_back_when_they_may_and_at_last_by_themselves() -> None:
    clock = Clock()
    shone = RecentLights(clock)
    frame = {"a1": BLUE}
    assert shone.note(frame) == frame
    shone.put_out(True)
    assert shone.note(frame) == {}
    clock.now += 0.1
    assert shone.watch()() == {}
    shone.put_out(False)
    assert shone.note(frame) == frame
    shone.put_out(True)
    clock.now += LONGEST
    assert shone.note(frame) == frame


def test_the_panel_goes_dark_for_a_picture_and_shows_again_what_it_showed() -> None:
    clock, strip = Clock(), SimulatedStrip()
    game = find_game("victorus")
    table = Table.create(Journal(), game, game.setup(("red", "purple")))
    wiring = default_wiring(game.board(table.setup))
    panel = LightPanel(table, LightShow(strip, wiring, clock), lambda: None, clock=clock)
    panel.show(Moment())
    shown = strip.pixels
    assert any(any(pixel) for pixel in shown)
    panel.dark(True)
    panel.dark(True)
    assert not any(any(pixel) for pixel in strip.pixels)
    assert panel.words()
    clock.now += 0.1
    assert panel.watch()() == {}
    panel.dark(False)
    assert strip.pixels == shown
    assert set(panel.watch()()) == set(panel.words())
