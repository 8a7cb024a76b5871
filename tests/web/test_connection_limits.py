"""Who makes room when the places for connections are short."""

from dataclasses import dataclass

import pytest

from web.serving.connection_limits import Doing, leavers


@dataclass
class Placed:
    address: str
    doing: Doing = Doing.NOTHING
    joined: bool = False
    since: float = 0.0


def goes(connections, most=3, guests=9, address="new"):
    found = leavers(connections, [address], most, guests)
    assert len(found) < 2
    return found[0] if found else None


def test_nobody_goes_while_there_is_room():
    assert goes([Placed("a"), Placed("b")]) is None


@pytest.mark.parametrize("worse", range(3))
def test_the_less_is_under_way_the_sooner_one_goes(worse):
    connections = [Placed("a", doing, since=-doing) for doing in Doing if doing >= worse]
    assert goes(connections, most=len(connections)).doing == worse


def test_guests_go_before_phones_that_joined_whatever_they_do():
    served = Placed("a", Doing.SERVED)
    assert goes([Placed("b", joined=True), served, Placed("c", joined=True)]) is served


def test_of_guests_alike_the_crowd_goes_and_of_the_crowd_the_oldest():
    old = Placed("b", since=1.0)
    assert goes([Placed("a"), Placed("b", since=2.0), old]) is old


def test_what_a_phone_that_joined_is_doing_is_never_cut_off():
    busy = [Placed("a", doing, joined=True) for doing in list(Doing)[1:]]
    assert goes(busy) is None
    idle = Placed("a", joined=True, since=5.0)
    assert goes([*busy, idle, Placed("b", joined=True, since=6.0)], most=5) is idle


def test_guests_of_an_address_that_has_its_fill_make_room_for_each_other():
    idle = Placed("a", since=3.0)
    mine = [Placed("a", Doing.SENDING), idle, Placed("a", joined=True)]
    assert goes([*mine, Placed("b")], most=99, guests=2, address="a") is idle
    assert goes([*mine, Placed("b")], most=99, guests=2, address="b") is None


def test_many_that_come_at_once_find_as_much_room_as_there_is():
    sleepers = [Placed("a", since=n) for n in range(4)]
    busy = Placed("b", Doing.SERVED, joined=True)
    assert leavers([*sleepers, busy], ["c"] * 3, 5, 9) == sleepers[:3]
    assert leavers([*sleepers, busy], ["c"] * 9, 5, 9) == sleepers
    assert leavers([*sleepers, busy], ["a", "c"], 6, 2) == sleepers[:3]
