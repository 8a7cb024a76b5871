"""A line to a broker that has to agree with others on what is subscribed to, which takes long."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress

import pytest

from companion.club.link import ANSWERING, MqttLink, read_address
from companion.rules import HardwareFault
from tests.checks.connecting import Hands

CONNECT, SUBSCRIBE = 1, 8
PATIENCE = 60.0


class SlowBroker:
    """A broker that takes at most ``takes`` topics anew over one line. It answers a message when it
    has taken all topics in it, and keeps those alone. Asked for more than it takes it says nothing,
    or where it ``cuts``, cuts the line. ``agree`` is what it waits for at each topic."""

    def __init__(self, takes, cuts, agree):
        self.takes, self.cuts, self.agree = takes, cuts, agree
        self.asked, self.kept, self.lines = set(), set(), 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = read_address(f"mqtt://127.0.0.1:{self._server.getsockname()[1]}")
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with suppress(OSError):
            while True:
                line, _ = self._server.accept()
                self.lines += 1
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with line, suppress(OSError, IndexError):
                    self._answer(line)

    def _answer(self, line):
        left = self.takes
        while True:
            kind, body = read_packet(line)
            if kind == CONNECT:
                line.sendall(bytes([0x20, 2, 0, 0]))
            elif kind == SUBSCRIBE:
                topics = topics_in(body[2:])
                self.asked |= topics
                for _ in topics - self.kept:
                    self.agree()
                left -= len(topics - self.kept)
                if left >= 0:
                    self.kept |= topics
                    line.sendall(bytes([0x90, 2 + len(topics), *body[:2], *[1] * len(topics)]))
                elif self.cuts:
                    return

    def close(self):
        # Else whoever waits for a line would go on waiting.
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()


def read_packet(line):
    """Return the kind of the packet that comes next, and what it holds; IndexError at the end."""
    kind, size, shift = line.recv(1)[0] >> 4, 0, 0
    while True:
        part = line.recv(1)[0]
        size |= (part & 127) << shift
        shift += 7
        if part < 128:
            return kind, line.recv(size, socket.MSG_WAITALL)


def topics_in(body):
    """Return the topics that are subscribed to."""
    found = set()
    while body:
        size = int.from_bytes(body[:2], "big")
        found.add(body[2 : 2 + size].decode())
        body = body[3 + size :]
    return found


@pytest.fixture
def slow():
    """Yield what makes slow brokers."""
    made = []

    def make(takes, cuts=True, agree=bool):
        made.append(SlowBroker(takes, cuts, agree))
        return made[-1]

    yield make
    for one in made:
        one.close()


class Waiting(Hands):
    """Hands that wait."""

    def wait(self, seconds):
        """Let so many seconds pass."""
        self.now += seconds


def turn_until(link, done):
    """Take turns until ``done``; raises what the link raises."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        link.turn(0.01)


@pytest.mark.parametrize(("topics", "takes"), [(0, 1), (1, 1), (5, 1), (7, 3), (24, 5)])
def test_what_a_broker_has_taken_it_need_not_take_again_over_the_next_line(slow, topics, takes):
    broker, names = slow(takes), [f"companion/{number}/events" for number in range(topics)]
    link = MqttLink(broker.address, "club", names)
    while not link.up:
        assert broker.lines <= topics
        with suppress(HardwareFault):
            link.open()
            turn_until(link, lambda: link.up)
    assert broker.kept == set(names)
    assert broker.lines == max(1, -(-topics // takes))
    link.close()


@pytest.mark.parametrize("topics", [2, 9])
def test_a_broker_has_its_time_for_each_topic(slow, topics):
    hands, agreed = Hands(), threading.Semaphore(0)
    broker = slow(topics, agree=agreed.acquire)
    names = [f"companion/{number}/events" for number in range(topics)]
    link = MqttLink(broker.address, "club", names, clock=hands)
    link.open()
    for taken in range(topics):
        turn_until(link, lambda taken=taken: len(broker.asked) > taken)
        link.turn(0.2)
        hands.now += ANSWERING - 1
        link.turn(0.0)
        agreed.release()
    turn_until(link, lambda: link.up)
    link.close()


@pytest.mark.parametrize("takes", [0, 1, 4])
def test_a_broker_that_takes_no_more_counts_as_away(slow, takes):
    hands, broker = Waiting(), slow(takes, cuts=False)
    names = [f"companion/{number}/events" for number in range(takes + 1)]
    link = MqttLink(broker.address, "club", names, clock=hands)
    link.open()
    turn_until(link, lambda: len(broker.kept) == takes and broker.lines)
    with pytest.raises(HardwareFault, match="does not answer"):
        turn_until(link, lambda: hands.wait(ANSWERING + 1))
    assert not link.up
    link.close()


def test_a_line_stands_also_where_more_than_a_thousand_files_are_open(slow):
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    broker = slow(1)
    with open(os.devnull) as file:
        copies = [os.dup(file.fileno()) for _ in range(1024)]
        try:
            link = MqttLink(broker.address, "table", ["a"])
            link.open()
            turn_until(link, lambda: link.up)
            link.close()
        finally:
            for copy in copies:
                os.close(copy)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_turn_ends_when_somebody_wakes_it(slow):
    link = MqttLink(slow(1).address, "table", ["companion/events"])
    link.open()
    turn_until(link, lambda: link.up)
    link.wake()
    begun = time.monotonic()
    link.turn(PATIENCE)
    assert time.monotonic() < begun + PATIENCE / 2
    link.close()


def test_a_broker_that_takes_the_line_and_says_nothing_counts_as_away():
    hands = Hands()
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = read_address(f"mqtt://127.0.0.1:{mute.getsockname()[1]}")
        link = MqttLink(address, "table", ["companion/#"], clock=hands)
        link.open()
        link.turn(0.0)
        hands.now += ANSWERING + 1
        with pytest.raises(HardwareFault, match="does not answer"):
            link.turn(0.0)
        link.close()
