"""A broker that is lost is tried again: host after host at once, then after longer and longer
pauses."""

from __future__ import annotations

import pytest

from companion.club.backoff import FIRST, LONGEST, STANDS, Backoff
from companion.club.consumer import Consumer
from companion.club.messages import Place, Stored, TableState, topic, write_state
from companion.club.outbox import Outbox
from companion.games import find_game
from companion.journal import Journal
from companion.rules import BadInput, HardwareFault
from companion.table import Table
from tests.checks.connecting import Hands


def pauses(backoff, hands, count):
    """Return how long each of so many failures in a row is waited for."""
    told = []
    for _ in range(count):
        backoff.failed()
        told.append(backoff.resting)
        hands.now += told[-1]
    return told


@pytest.mark.parametrize("hosts", [1, 2, 3, 5])
def test_every_host_is_tried_before_there_is_a_pause(hosts):
    hands = Hands()
    told = pauses(Backoff(hosts, hands), hands, 4 * hosts)
    assert told == [0.0 if n % hosts else FIRST * 2 ** (n // hosts - 1) for n in
                    range(1, 4 * hosts + 1)]  # fmt: skip


@pytest.mark.parametrize("hosts", [1, 2, 3, 5])
def test_a_pause_has_an_end(hosts):
    hands = Hands()
    backoff = Backoff(hosts, hands)
    pauses(backoff, hands, 20 * hosts)
    assert max(pauses(backoff, hands, 2 * hosts)) == LONGEST
    backoff.longest = 4.0
    assert max(pauses(backoff, hands, 2 * hosts)) == 4.0


@pytest.mark.parametrize("hosts", [1, 2, 3, 5])
def test_a_line_that_stood_begins_the_pauses_anew(hosts):
    hands = Hands()
    backoff = Backoff(hosts, hands)
    first = pauses(backoff, hands, 3 * hosts)
    backoff.worked()
    hands.now += STANDS
    backoff.worked()
    assert pauses(backoff, hands, 3 * hosts) == first


@pytest.mark.parametrize("hosts", [1, 2, 3, 5])
def test_a_node_that_lets_in_and_cuts_at_once_is_a_failure_like_another(hosts):
    hands, others = Hands(), Hands()
    backoff, never = Backoff(hosts, hands), Backoff(hosts, others)
    told = []
    for _ in range(4 * hosts):
        backoff.worked()
        hands.now += STANDS / 2
        told += pauses(backoff, hands, 1)
    assert told == pauses(never, others, 4 * hosts)


class Node:
    """A line to one of three nodes, which are there or not."""

    hosts = 3

    def __init__(self, there):
        self.there, self.at, self.up, self.tried = there, 0, False, []

    def open(self):
        self.at, self.up = (self.at + 1) % self.hosts, False
        self.tried.append(self.at)
        if not self.there[self.at]:
            raise HardwareFault(f"node {self.at} is away")
        self.up = True

    def turn(self, seconds):
        if not self.there[self.at]:
            self.up = False
            raise HardwareFault(f"node {self.at} fell")
        return ()

    def publish(self, topic, payload, *, retain=False):
        pass

    def wake(self):
        pass

    def close(self):
        pass


@pytest.fixture
def journal(tmp_path):
    game = find_game("chess")
    with Journal(tmp_path / "table.sqlite3") as journal:
        Table.create(journal, game, game.setup())
    return tmp_path / "table.sqlite3"


class Choosy:
    """A database that takes nothing of one table."""

    def __init__(self, never):
        self.never, self.stored = never, 0

    def take_all(self, batches, states):
        if self.never in states:
            raise BadInput("no")
        return {table: Stored("e" * 16, Place(1, "")) for table in states}


def test_what_the_database_does_not_take_of_one_table_holds_nobody_up():
    tables = [f"{number:016x}" for number in range(5)]
    consumer = Consumer(Choosy(tables[2]), lambda topics: Node([True] * 3))
    said = write_state(TableState("online", 1.0))
    consumer.take([(topic(table, "state"), said) for table in tables])
    assert consumer.refused == 1
    assert consumer.trouble == ""


def test_a_table_is_with_another_node_as_soon_as_its_own_has_fallen(journal):
    hands, there = Hands(), [True, True, True]
    node = Node(there)
    outbox = Outbox(journal, lambda *line: node, clock=hands)
    for fallen in (1, 2, 0, 1, 2, 0, 1):
        outbox.step()
        hands.now += 60.0
        outbox.step()
        assert outbox.up
        there[:] = [number != fallen for number in range(3)]
        while outbox.up:
            outbox.step()
        before = hands.now
        while not outbox.up:
            assert outbox.resting == 0.0
            outbox.step()
        assert hands.now == before
    outbox.close()


def test_a_table_whose_nodes_are_all_away_tries_each_once_between_two_pauses(journal):
    hands, node = Hands(), Node([False] * 3)
    outbox = Outbox(journal, lambda *line: node, clock=hands)
    waited = []
    for _ in range(4):
        for _ in range(3):
            assert outbox.resting == 0.0
            outbox.step()
        waited.append(outbox.resting)
        outbox.step()
        hands.now += outbox.resting
    assert node.tried == [1, 2, 0] * 4
    assert waited == [FIRST, 2 * FIRST, 4 * FIRST, 8 * FIRST]
    outbox.close()
