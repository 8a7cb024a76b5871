"""A move that a machine tells is the same on every surface: its cells, their order, their light."""

from __future__ import annotations

import io
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import paho.mqtt.client as paho
import pytest
from sacn.messages.data_packet import DataPacket

from companion.games import find_game
from companion.journal import Journal
from companion.live.light_panel import LightPanel
from companion.live.machine_players import MachinePlayers
from companion.table import Table
from companion.table.evening import Evening
from companion.table.machines import give
from hardware import network_strips
from hardware.effects import PERIODS
from hardware.lights import MEANINGS, Moment
from hardware.opening import open_lights
from hardware.strip import LightShow, Pixels, SimulatedStrip
from hardware.wiring import default_wiring
from tests.checks.club_servers import lone_broker
from tests.checks.online_table import wait_until

CHESS: Any = find_game("chess")
BOARD = CHESS.board(CHESS.setup())
WIRING = default_wiring(BOARD)
COUNT = len(WIRING.order)
TICK = 0.1
BEAT = PERIODS[MEANINGS["meant"].effect]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Surface:
    """Something that shines as it was told; ``hear`` takes one message of its protocol."""

    def __init__(self, told: Callable[[], Iterator[Any]], hear: Callable[[Any, Any], None]) -> None:
        self._told, self._hear = told, hear
        self.bytes = bytearray(3 * COUNT)

    def shines(self) -> Pixels:
        for message in self._told():
            self._hear(self.bytes, message)
        values = list(self.bytes)
        return tuple((r, g, b) for r, g, b in zip(*[iter(values)] * 3, strict=True))


def wled(leds: bytearray, packet: bytes) -> None:
    assert packet[0] == 2
    leds[:] = packet[2:]


def ddp(leds: bytearray, packet: bytes) -> None:
    at, length = int.from_bytes(packet[4:8], "big"), int.from_bytes(packet[8:10], "big")
    leds[at : at + length] = packet[10:]


def sacn(leds: bytearray, packet: bytes) -> None:
    data = DataPacket.make_data_packet(packet)
    leds[:] = data.dmxData[: len(leds)]


def artnet(leds: bytearray, packet: bytes) -> None:
    assert packet[14:16] == b"\0\0"
    leds[:] = packet[18 : 18 + len(leds)]


def esphome(leds: bytearray, message: tuple[str, bytes]) -> None:
    number = int(message[0].split("/led_")[1].split("/")[0])
    told = json.loads(message[1])
    hue = told.get("color", {"r": 0, "g": 0, "b": 0})
    bright = told.get("brightness", 0) if told["state"] == "ON" else 0
    leds[3 * number : 3 * number + 3] = bytes(round(hue[c] * bright / 255) for c in "rgb")


@contextmanager
def datagrams(
    monkeypatch: pytest.MonkeyPatch, kind: str, hear: Callable[[Any, Any], None]
) -> Iterator[tuple[str, Surface]]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
        heard.bind(("127.0.0.1", 0))
        heard.setblocking(False)
        port = heard.getsockname()[1]
        # The ports of these two are the protocol's; after the colon stands a universe.
        monkeypatch.setattr(network_strips, "SACN_PORT", port)
        monkeypatch.setattr(network_strips, "ARTNET_PORT", port)
        place = {"sacn": 1, "artnet": 0}.get(kind, port)

        def told() -> Iterator[bytes]:
            while True:
                try:
                    yield heard.recv(4000)
                except BlockingIOError:
                    return

        yield f"{kind}:127.0.0.1:{place}", Surface(told, hear)


@contextmanager
def node() -> Iterator[tuple[str, Surface]]:
    came: list[tuple[str, bytes]] = []
    with lone_broker() as broker:
        client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        client.on_message = lambda client, data, one: came.append((one.topic, one.payload))
        client.on_subscribe = lambda client, data, number, reasons, more: came.append(("", b""))
        client.on_connect = lambda client, *_: client.subscribe("board/light/+/command")
        client.connect("127.0.0.1", broker.port)
        wait_until(lambda: client.loop(timeout=0.01) or came)
        came.clear()

        def told() -> Iterator[tuple[str, bytes]]:
            client.loop(timeout=0.01)
            while came:
                yield came.pop(0)

        yield f"esphome:127.0.0.1:{broker.port}/board", Surface(told, esphome)
        client.disconnect()


DATAGRAMS = {"wled": wled, "ddp": ddp, "sacn": sacn, "artnet": artnet}


@pytest.fixture(params=[*DATAGRAMS, "esphome"])
def surface(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, Surface]]:
    hear = DATAGRAMS.get(request.param)
    with node() if hear is None else datagrams(monkeypatch, request.param, hear) as one:
        yield one


@pytest.fixture(scope="module")
def told() -> Iterator[tuple[Table[Any], tuple[str, ...]]]:
    """A table of chess, and the way of the move that a machine tells there."""
    with Journal() as journal:
        table = Table.create(journal, CHESS, CHESS.setup())
        only = {"h1": "white K", "g2": "white P", "h2": "white P", "e8": "white Q"}
        table.arrange({**only, "e1": "black R", "a7": "black K"}, "host")
        give(table, {"white": "level:1"}, "host")
        machines = MachinePlayers(
            Evening(table), lambda: None, lambda: False, lambda: True, lambda: None, lambda: 0.0
        )
        wait_until(lambda: machines.step() is None or machines.meant(table))
        yield table, machines.meant(table)


def same(one: Pixels, other: Pixels, within: int) -> bool:
    pairs = zip(one, other, strict=True)
    return all(abs(a - b) <= within for p, q in pairs for a, b in zip(p, q, strict=True))


def test_a_told_move_shines_the_same_on_every_surface(
    surface: tuple[str, Surface], told: tuple[Table[Any], tuple[str, ...]]
) -> None:
    address, shining = surface
    table, way = told
    clock = Clock()
    show = LightShow(open_lights(address, WIRING, BOARD, clock), WIRING, clock)
    usual = LightShow(SimulatedStrip(), WIRING, clock)
    panels = [LightPanel(table, one, lambda: None) for one in (show, usual)]
    began: dict[str, float] = {}
    for tick in range(round(BEAT / TICK)):
        clock.now = 1000 * BEAT + tick * TICK
        for panel in panels:
            panel.show(Moment(meant=way))
        wanted = usual.pixels(clock.now)
        # A light of ESPHome is told a hue and how bright: rounded twice.
        within = 2 * address.startswith("esphome")
        wait_until(lambda wanted=wanted, within=within: same(shining.shines(), wanted, within))
        for spot, colour in zip(WIRING.order, shining.shines(), strict=True):
            if any(colour):
                assert max(colour) == colour[2], "blue is what is meant"
                began.setdefault(spot, clock.now)
    show.close()
    assert set(began) == set(way)
    wait_until(lambda: not any(map(any, shining.shines())))


def test_the_way_goes_from_where_the_piece_stands_to_where_it_has_to_go(
    told: tuple[Table[Any], tuple[str, ...]],
) -> None:
    table, way = told
    assert way == ("e8", "e7", "e6", "e5", "e4", "e3", "e2", "e1")
    clock, strip = Clock(), SimulatedStrip()
    panel = LightPanel(table, LightShow(strip, WIRING, clock), lambda: None)
    order, before = list[str](), set[str]()
    for tick in range(200):
        clock.now = 1000 * BEAT + tick * 2 * BEAT / 200
        panel.show(Moment(meant=way))
        lit = {s for s, one in zip(WIRING.order, strip.pixels, strict=True) if any(one)}
        order += sorted(lit - before)
        before = lit
    # What shines when one looks first has begun at any time.
    first = order.index("e8", 3)
    assert tuple(order[first : first + len(way)]) == way


def test_a_told_move_is_drawn_in_the_terminal(told: tuple[Table[Any], tuple[str, ...]]) -> None:
    table, way = told
    clock, out = Clock(), io.StringIO()
    show = LightShow(open_lights("terminal", WIRING, BOARD, clock, out=out), WIRING, clock)
    panel = LightPanel(table, show, lambda: None)
    for tick in range(round(BEAT / TICK)):
        clock.now = tick * TICK
        panel.show(Moment(meant=way))
    file = {line.index("●") for line in out.getvalue().splitlines() if "●" in line}
    assert len(file) == 1, "the way is one file of the board"
