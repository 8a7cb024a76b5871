"""The whole product with a lamp in the network: a controller that decodes what it is sent."""

from __future__ import annotations

import socket

import pytest

from companion.games import find_game
from companion.live.composition import Composition, PlayRequest
from hardware.lights import MEANINGS
from hardware.wiring import default_wiring

GAME = find_game("chess")
WIRING = default_wiring(GAME.board(GAME.setup()))
PATIENCE = 1500
"""Packets after which the lamp no longer hopes for a picture."""


class Lamp:
    """Hears DRGB packets on a port of its own."""

    def __init__(self):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(30)
        self.port = self._socket.getsockname()[1]

    def shown(self):
        """Return spot -> colour of the next packet; None once it is let go."""
        packet = self._socket.recv(2000)
        if packet[1] == 0:
            return None
        assert packet[:2] == bytes((2, 3))
        assert len(packet) == 2 + 3 * WIRING.count
        colours = [tuple(packet[k : k + 3]) for k in range(2, len(packet), 3)]
        return {spot: colours[led] for spot, (led,) in WIRING.leds.items() if any(colours[led])}

    def wait_for(self, condition):
        for _ in range(PATIENCE):
            lit = self.shown()
            if lit is not None and condition(lit):
                return lit
        raise AssertionError("the lamp never showed it")

    def is_let_go(self):
        return any(self.shown() is None for _ in range(PATIENCE))

    def close(self):
        self._socket.close()


@pytest.fixture
def lamp():
    lamp = Lamp()
    yield lamp
    lamp.close()


@pytest.mark.thorough
def test_a_new_table_tells_its_address_then_lights_what_is_lifted_and_goes_dark(lamp, tmp_path):
    play_request = PlayRequest(
        game=GAME, setup=None, journal=tmp_path / "game.sqlite3", new=False, camera="simulated",
        table_file=None, lights=f"wled:127.0.0.1:{lamp.port}", wiring=None, host="127.0.0.1",
        port=0, address="127.0.0.1",
    )  # fmt: skip
    with Composition(play_request) as stage:
        stage.start()
        # The address begins with a one.
        lamp.wait_for(lambda lit: len(lit) == 1)
        stage.table.note(
            "joined", {"person": "p", "key": "k", "name": "Ann", "host": True}, "phone"
        )
        # Who lifts a man before the first picture was read begins with one man less.
        lamp.wait_for(lambda lit: len(lit) == 10 and stage.service.status()["still"])
        stage.equipment.hands.lift("b1")
        lit = lamp.wait_for(lambda lit: set(lit) == {"b1", "a3", "c3"})
        red, green, blue = MEANINGS["destination"].colour
        share = stage.service.light
        assert (
            lit["a3"]
            == lit["c3"]
            == (round(red * share), round(green * share), round(blue * share))
        )
        stage.equipment.hands.drop("b1")
        lamp.wait_for(lambda lit: len(lit) == 10)
    assert lamp.is_let_go()
