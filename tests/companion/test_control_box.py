"""The box round a table: its buttons play, its buzzer and lamp tell what happened."""

from __future__ import annotations

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.games import find_game
from companion.journal import Journal
from companion.live.control_box import ControlBox, press_at
from companion.live.light_panel import LightPanel
from companion.rules import BadInput, HardwareFault, Outcome, Uncertain, say
from companion.table import Table
from hardware.buttons import Controls
from hardware.lights import Moment
from hardware.pins import USUAL
from hardware.settings import LightSettings
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring

GAME = find_game("victorus")


class House:
    """A table with lights and a box on mock pins."""

    def __init__(self, factory):
        setup = GAME.setup(("red", "purple"))
        self.now, self.kept = 0.0, []
        self.seen = {"still": True, "differs": [], "asks": []}
        self.table = Table.create(Journal(), GAME, setup)
        wiring = default_wiring(GAME.board(setup))
        show = LightShow(SimulatedStrip(), wiring, lambda: self.now)
        self.panel = LightPanel(self.table, show, lambda: None, self.kept.append)
        self.box = ControlBox(
            self.table, self.panel, lambda: self.seen, lambda name: press_at(self.table, name)
        )
        self.factory = factory
        self.controls = Controls(
            USUAL, self.box.press, lambda: self.now, pin_factory=factory, bounce=None
        )
        self.box.connect(self.controls)

    def play(self, text):
        return self.table.play(GAME.parse(self.table.setup, text), "camera")

    def hold(self, pin, seconds):
        self.factory.pin(pin).drive_low()
        self.wait(seconds)
        self.factory.pin(pin).drive_high()
        self.wait(0.1)

    def wait(self, seconds):
        """Return how many tenths of a second the buzzer sounded."""
        sounded = 0
        for _ in range(round(seconds * 10)):
            self.box.tick()
            sounded += self.factory.pin(25).state
            self.now += 0.1
        return sounded


@pytest.fixture
def house():
    factory = MockFactory(pin_class=MockPWMPin)
    house = House(factory)
    yield house
    house.box.close()
    factory.reset()


def test_undo_held_takes_the_last_action_back(house):
    house.play("h2-h4")
    house.hold(24, 0.3)
    assert len(house.table.actions) == 1, "a touch is not enough"
    house.hold(24, 1.2)
    assert house.table.actions == ()
    assert house.table.events()[-1].actor == "button"


def test_the_turn_button_ends_a_turn_that_may_be_ended(house):
    house.hold(23, 0.1)
    assert house.table.actions == (), "nothing has been moved yet"
    assert house.wait(1) > 0, "and that is heard"
    state = GAME.start(house.table.setup)
    while GAME.parse(house.table.setup, "end") not in GAME.legal(state):
        action = GAME.legal(state)[0]
        house.play(GAME.format(action))
        state = house.table.state
    before = GAME.to_move(state)
    house.hold(23, 0.1)
    assert house.table.actions[-1].verb == "end"
    assert GAME.to_move(house.table.state) != before


def test_the_buzzer_tells_a_move_that_stands_from_one_that_does_not(house):
    house.play("h2-h4")
    assert house.wait(2) == 1
    house.play("h4-h5")
    assert house.wait(2) == 8


def test_the_knob_dims_the_lights_step_by_step_and_that_is_kept(house):
    for _ in range(3):
        house.box.press("dimmer")
    assert house.panel.settings == LightSettings(brightness=70)
    assert [kept.brightness for kept in house.kept] == [90, 80, 70]
    for _ in range(9):
        house.box.press("brighter")
    assert house.kept[-1].brightness == 100
    assert len(house.kept) == 6, "a knob at its end writes nothing"


def test_the_lights_of_an_agreed_draw_ask_nobody_to_move(house):
    house.panel.show(Moment())
    assert "may move" in {light["meaning"] for light in house.panel.words().values()}
    drawn = Outcome((), "", say("the players agreed on a draw"))
    house.table.end(drawn, "agreement", "red")
    house.panel.show(Moment())
    assert house.panel.words() == {}
    house.table.undo(1, "red")
    house.panel.show(Moment())
    assert "may move" in {light["meaning"] for light in house.panel.words().values()}


def test_what_cannot_be_done_is_told_to_who_asks_by_name(house):
    with pytest.raises(BadInput, match="no turn to end"):
        house.box.do("turn")
    house.play("h2-h4")
    house.box.do("undo")
    assert house.table.actions == ()


def test_the_lamp_tells_what_the_table_waits_for(house):
    assert house.box.status() == "watching"
    house.seen = {"still": False, "differs": [], "asks": []}
    assert house.box.status() == "waiting"
    house.seen = {"still": True, "differs": ["a1"], "asks": []}
    assert house.box.status() == "mend"
    house.table.note("lost", {"reason": "unplugged"}, "camera")
    assert house.box.status() == "fault"
    house.table.note("found", {}, "camera")
    assert house.box.status() == "mend"
    house.wait(0.1)


def test_a_button_that_does_not_exist_is_refused(house):
    with pytest.raises(BadInput, match="no button “dance”"):
        press_at(house.table, "dance")


def test_a_doubt_sounds_as_a_question_and_a_fault_as_a_refusal(house, monkeypatch):
    heard = []
    monkeypatch.setattr(house.controls, "sound", heard.append)
    for error in (Uncertain("which word?"), BadInput("nothing to end"), HardwareFault("full")):

        def press(name, error=error):
            raise error

        monkeypatch.setattr(house.box, "_press", press)
        house.box.press("turn")
    assert heard == ["asks", "refused", "refused"]
