"""Strips in the network: real sockets, and controllers that decode by the published formats."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import paho.mqtt.client as paho
import pytest
from sacn.messages.data_packet import DataPacket

from companion.rules import HardwareFault
from hardware import network_strips
from hardware.network_strips import (
    ArtnetStrip,
    DdpStrip,
    EsphomeStrip,
    SacnStrip,
    WledStrip,
    artnet_packet,
    ddp_packets,
    esphome_command,
    sacn_packet,
    wled_packets,
)
from hardware.strip import Pixels
from tests.checks.club_servers import Broker, lone_broker

RED = (255, 0, 0)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


# -- WLED --------------------------------------------------------------------------------


@pytest.fixture
def controller() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(5)
        yield listening


def test_a_wled_controller_gets_frames_and_is_let_go_at_the_end(
    controller: socket.socket,
) -> None:
    clock = Clock()
    strip = WledStrip(2, "127.0.0.1", controller.getsockname()[1], clock)
    strip.show((RED, (1, 2, 3)))
    strip.show((RED, (1, 2, 3)))
    clock.now = 1.0
    strip.show((RED, (1, 2, 3)))
    strip.close()
    strip.close()
    frame = bytes((2, 3, 255, 0, 0, 1, 2, 3))
    received = [controller.recv(2000) for _ in range(3)]
    assert received == [frame, frame, bytes((2, 0))]
    controller.setblocking(False)
    with pytest.raises(BlockingIOError):
        controller.recv(2000)


def test_a_long_strip_is_sent_in_packets_that_name_their_first_led() -> None:
    pixels: Pixels = tuple((index % 251, 0, 0) for index in range(500))
    first, second = wled_packets(pixels)
    assert first[:4] == bytes((4, 3, 0, 0))
    assert second[:4] == bytes((4, 3, 1, 233))
    assert first[4:] + second[4:] == b"".join(bytes(pixel) for pixel in pixels)
    assert len(wled_packets(pixels[:490])) == 1


class Controller:
    """A WLED controller by its published protocol: DRGB and DNRGB, a hold, and its own effect."""

    def __init__(self, count: int) -> None:
        self.leds: list[tuple[int, int, int] | None] = [None] * count
        self.held_until: float | None = None

    def hear(self, packet: bytes, now: float) -> None:
        kind, hold, body = packet[0], packet[1], packet[2:]
        if hold == 0:
            self.held_until = None
            return
        first = 0
        if kind == 4:
            first, body = int.from_bytes(body[:2], "big"), body[2:]
        else:
            assert kind == 2
            assert len(body) <= 3 * 490
        assert len(body) % 3 == 0
        assert len(packet) <= 1472, "a packet that is divided on the way is lost"
        self.held_until = now + hold
        for place, colour in enumerate(zip(*[iter(body)] * 3, strict=True), start=first):
            self.leds[place] = colour

    def realtime(self, now: float) -> bool:
        return self.held_until is not None and now < self.held_until


@pytest.mark.parametrize("count", [181, 490, 655])
def test_a_controller_shows_the_frame_holds_it_and_is_let_go(
    controller: socket.socket, count: int
) -> None:
    clock, lamp = Clock(), Controller(count)
    pixels: Pixels = tuple((n % 256, n // 256, 9) for n in range(count))
    each = -(-count // 489) if count > 490 else 1
    strip = WledStrip(count, "127.0.0.1", controller.getsockname()[1], clock)
    for tick in range(101):
        clock.now = tick / 10
        strip.show(pixels)
        if tick % 10 == 0:
            for _ in range(each):
                lamp.hear(controller.recv(2000), clock.now)
        assert lamp.realtime(clock.now)
    assert lamp.leds == list(pixels)
    assert not lamp.realtime(13.1), "a companion that died gives the lamp back"
    strip.close()
    lamp.hear(controller.recv(2000), clock.now)
    assert not lamp.realtime(clock.now)


# -- streaming ACN ------------------------------------------------------------------------


def test_a_long_strip_fills_universe_after_universe(
    controller: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_strips, "SACN_PORT", controller.getsockname()[1])
    pixels: Pixels = tuple((n % 256, n // 256, 7) for n in range(181))
    strip = SacnStrip(181, "127.0.0.1", 3, Clock())
    strip.show(pixels)
    first, second = (DataPacket.make_data_packet(controller.recv(2000)) for _ in range(2))
    sent = [value for pixel in pixels for value in pixel]
    assert (first.universe, second.universe) == (3, 4)
    assert (first.sequence, second.sequence) == (1, 1)
    assert first.sourceName == "tabletop companion"
    assert first.priority == 100
    assert list(first.dmxData[:510]) == sent[:510]
    assert list(second.dmxData[:33]) == sent[510:]
    assert not any(second.dmxData[33:])
    strip.close()
    strip.close()
    heard = [DataPacket.make_data_packet(controller.recv(2000)) for _ in range(8)]
    assert not any(any(packet.dmxData) for packet in heard)
    assert [packet.option_StreamTerminated for packet in heard] == [False] * 2 + [True] * 6
    assert [packet.universe for packet in heard] == [3, 4] * 4
    controller.setblocking(False)
    with pytest.raises(BlockingIOError):
        controller.recv(2000)


def test_the_fixed_bytes_of_a_streaming_packet() -> None:
    packet = sacn_packet(7, 300, bytes((1, 2, 3)))
    assert len(packet) == 126 + 3
    assert packet[:18].hex() == "00100000" + b"ASC-E1.17\0\0\0".hex() + "7071"
    assert packet[38:44].hex() == "705b" + "00000002"
    assert packet[108:115].hex() == "64" + "0000" + "2c" + "00" + "0007"
    assert packet[115:].hex() == "700e" + "02a100000001" + "0004" + "00" + "010203"


def test_a_controller_that_nobody_knows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(network_strips.socket, "getaddrinfo", unknown)
    with pytest.raises(HardwareFault, match="“lamp” is not known in this network"):
        WledStrip(1, "lamp", 21324, Clock())


def test_a_network_that_is_down_is_a_machines_fault(controller: socket.socket) -> None:
    strip = WledStrip(1, "127.0.0.1", controller.getsockname()[1], Clock())
    strip._socket.close()
    with pytest.raises(HardwareFault, match=r"“127\.0\.0\.1” cannot be reached"):
        strip.show((RED,))


@pytest.mark.parametrize("host", ["a" * 300, "lamp..local", "\udcff", "é" * 80])
def test_a_name_that_no_network_can_ask_for_is_told(host: str) -> None:
    with pytest.raises(HardwareFault, match="is not known in this network"):
        WledStrip(1, host, 21324, Clock())


# -- Art-Net -------------------------------------------------------------------------------


def test_the_bytes_of_an_artnet_packet() -> None:
    told = artnet_packet(0x0123, 7, bytes((1, 2, 3)))
    assert told.hex(" ") == (
        "41 72 74 2d 4e 65 74 00 "  # Art-Net and a zero
        "00 50 00 0e "  # ArtDmx, low byte first; protocol 14, high byte first
        "07 00 "  # sequence, physical port
        "23 01 "  # sub-net and universe, then net
        "00 04 "  # channels, high byte first: an even number
        "01 02 03 00"
    )


def test_a_long_strip_fills_artnet_universe_after_universe(
    controller: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_strips, "ARTNET_PORT", controller.getsockname()[1])
    clock = Clock()
    strip = ArtnetStrip(171, "127.0.0.1", 255, clock)
    for second in range(256):
        clock.now = second
        strip.show((RED,) * 171)
        first, other = controller.recv(2000), controller.recv(2000)
        assert (first[14:16], other[14:16]) == (b"\xff\x00", b"\x00\x01")
        assert first[12] == other[12] == second % 255 + 1, "0 would say that nothing is in order"
    assert first[18:] == bytes(RED) * 170
    assert other[16:] == b"\x00\x04" + bytes(RED) + b"\0"
    strip.close()
    assert not any(controller.recv(2000)[18:])


# -- DDP -----------------------------------------------------------------------------------


def test_the_bytes_of_a_ddp_packet() -> None:
    (told,) = ddp_packets((RED, (1, 2, 3)), 5)
    assert told.hex(" ") == (
        "41 05 0b 01 "  # version 1 and push; sequence; RGB of 8 bits; the display
        "00 00 00 00 00 06 "  # offset, length
        "ff 00 00 01 02 03"
    )


def test_a_long_strip_is_pushed_with_its_last_ddp_packet(controller: socket.socket) -> None:
    clock = Clock()
    strip = DdpStrip(481, "127.0.0.1", controller.getsockname()[1], clock)
    for second in range(16):
        clock.now = second
        strip.show((RED,) * 481)
        first, last = controller.recv(2000), controller.recv(2000)
        assert (first[0], last[0]) == (0x40, 0x41)
        assert first[1] == last[1] == second % 15 + 1
        assert len(first) == 10 + 1440
        assert last[4:] == (1440).to_bytes(4, "big") + b"\0\x03" + bytes(RED)
    strip.close()
    assert not any(controller.recv(2000)[10:])


# -- ESPHome -------------------------------------------------------------------------------


def test_an_esphome_light_is_told_its_hue_and_how_bright() -> None:
    assert json.loads(esphome_command((0, 0, 0))) == {"state": "OFF", "transition": 0}
    told = json.loads(esphome_command((10, 5, 0)))
    assert (told["state"], told["brightness"]) == ("ON", 10)
    assert told["color"] == {"r": 255, "g": 128, "b": 0}


@pytest.fixture
def broker() -> Iterator[Broker]:
    with lone_broker() as running:
        yield running


def test_only_lights_that_change_are_told_and_all_go_out_at_the_end(broker: Broker) -> None:
    heard: list[tuple[str, str]] = []
    node = paho.Client(paho.CallbackAPIVersion.VERSION2)
    node.on_message = lambda client, data, message: heard.append(
        (message.topic, json.loads(message.payload)["state"])
    )
    node.on_subscribe = lambda client, data, number, reasons, more: heard.append(("here", ""))

    def hear(count: int) -> list[tuple[str, str]]:
        for _ in range(500):
            if len(heard) >= count:
                break
            node.loop(timeout=0.05)
        told, heard[:] = sorted(heard), []
        return told

    node.connect("127.0.0.1", broker.port)
    for _ in range(100):
        if node.is_connected():
            break
        node.loop(timeout=0.05)
    node.subscribe("board/light/+/command")
    assert hear(1) == [("here", "")]
    clock = Clock()
    strip = EsphomeStrip(3, "127.0.0.1", broker.port, "board", clock)
    strip.show((RED, (0, 0, 0), RED))
    assert [state for _, state in hear(3)] == ["ON", "OFF", "ON"]
    strip.show((RED, RED, RED))  # too soon: a broker is no strip
    clock.now = 1.0
    strip.show((RED, RED, RED))
    assert hear(1) == [("board/light/led_1/command", "ON")]
    strip.close()
    assert [state for _, state in hear(3)] == ["OFF"] * 3
    node.disconnect()


def test_a_broker_that_is_not_there_or_goes_is_a_machines_fault(broker: Broker) -> None:
    clock = Clock()
    strip = EsphomeStrip(1, "127.0.0.1", broker.port, "board", clock)
    broker.kill()

    def shine() -> None:
        for second in range(1, 20):
            clock.now = second
            strip.show(((second, 0, 0),))

    with pytest.raises(HardwareFault, match="broker"):
        shine()
    with pytest.raises(HardwareFault, match="cannot be reached"):
        EsphomeStrip(1, "127.0.0.1", broker.port, "board", clock)
