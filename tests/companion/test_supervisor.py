"""No part of the running companion ends in silence."""

from __future__ import annotations

import logging
import threading

import pytest

from companion.machine.doctor import check_parts
from companion.runtime.locations import TROUBLES
from companion.runtime.supervisor import CALM, FIRST, LONGEST, Supervisor, read_troubles


class World:
    """A clock that only waiting moves."""

    def __init__(self, tmp_path):
        self.now, self.waits, self.told = 1000.0, [], 0
        self.stop = threading.Event()
        self.file = tmp_path / f"game{TROUBLES}"
        self.supervisor = Supervisor(
            self.stop, self.changed, self.file, clock=lambda: self.now, now=lambda: self.now,
            wait=self.wait,
        )  # fmt: skip

    def changed(self):
        self.told += 1

    def wait(self, seconds):
        self.waits.append(seconds)
        self.now += seconds


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def falling(times, world, then=0, each=0.1):
    """A step that falls so many times, goes well so often, and then ends."""
    done = iter([*range(times + then)])

    def step():
        number = next(done, None)
        world.now += each
        if number is not None and number < times:
            raise KeyError("k13")
        return number is not None

    return step


def test_a_part_that_falls_is_started_again_after_pauses_that_grow(world):
    world.supervisor.run("lights", falling(7, world))
    assert world.waits == [FIRST, 2, 4, 8, 16, LONGEST, LONGEST]


def test_its_fault_is_logged_once_with_its_trace(world, caplog):
    with caplog.at_level(logging.ERROR):
        world.supervisor.run("lights", falling(5, world))
    (record,) = caplog.records
    assert "the lights" in record.getMessage()
    assert record.exc_info[0] is KeyError


def test_it_is_told_until_the_part_has_gone_on_for_a_while(world):
    steps = falling(1, world, then=100)
    told = []

    def step():
        told.append(tuple(world.supervisor.told()))
        return steps()

    world.supervisor.run("camera", step)
    assert told[0] == ()
    assert "the watch over the table" in told[2][0]
    assert told[-1] == ()
    shown = sum(bool(one) for one in told) * 0.1
    assert CALM <= shown <= CALM + 0.5
    assert world.told == 2, "when it fell, and when it was well again"


def test_after_a_calm_the_pauses_are_short_again(world):
    world.supervisor.run("camera", falling(4, world, then=200))
    world.waits.clear()
    world.supervisor.run("camera", falling(1, world))
    assert world.waits == [FIRST]


def test_what_others_ask_of_a_part_at_rest_is_left_out(world):
    done = []

    def fail():
        raise OSError("gone")

    world.supervisor.attempt("lights", fail)
    world.supervisor.attempt("lights", lambda: done.append("too early"))
    world.supervisor.attempt("box", lambda: done.append("box"))
    world.now += FIRST
    world.supervisor.attempt("lights", lambda: done.append("lights"))
    assert done == ["box", "lights"]


def test_doctor_lists_what_fell_and_whether_it_is_well_again(world):
    assert list(check_parts(world.file.parent)) == []
    world.supervisor.run("camera", falling(2, world))
    (finding,) = check_parts(world.file.parent)
    assert finding.level == "fault"
    assert "game: a fault stopped the watch over the table 2 times" in finding.message
    assert "k13" in finding.message
    assert finding.advice
    world.supervisor.run("camera", falling(0, world, then=200))
    (finding,) = check_parts(world.file.parent)
    assert (finding.level, finding.advice) == ("note", "")


def test_doctor_lists_answers_that_could_not_be_made(world):
    for _ in range(3):
        world.supervisor.answered_with(KeyError("k13"))
    assert world.supervisor.told() == (), "who asked has been told"
    (finding,) = check_parts(world.file.parent)
    assert (finding.level, "3 times" in finding.message) == ("note", True)
    assert "an answer to a phone" in finding.message
    assert "KeyError: 'k13'" in finding.message


def test_a_new_run_forgets_what_fell_in_the_one_before(world):
    world.supervisor.run("camera", falling(1, world))
    assert read_troubles(world.file)
    world.supervisor.begin()
    assert read_troubles(world.file) == ()


def test_a_disk_that_takes_nothing_stops_no_part(tmp_path):
    (tmp_path / "file").write_text("no folder")
    world = World(tmp_path)
    supervisor = Supervisor(
        world.stop, file=tmp_path / "file" / "deeper", clock=lambda: world.now, wait=world.wait
    )
    supervisor.run("camera", falling(2, world, then=3))
    assert [trouble.times for trouble in supervisor.troubles] == [2]


@pytest.mark.parametrize("text", ["", "[", '{"part": 1}', '[{"part": "lights"}]', "\udcff"])
def test_a_damaged_file_of_troubles_is_none(tmp_path, text):
    file = tmp_path / f"x{TROUBLES}"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert read_troubles(file) == ()


def test_stopping_ends_every_part(world):
    thread = world.supervisor.start("camera", lambda: True)
    world.stop.set()
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.parametrize("ending", [SystemExit(1), GeneratorExit()])
def test_a_part_that_would_end_its_thread_is_started_again_too(world, ending):
    falls = iter([ending])

    def step():
        for one in falls:
            raise one
        return False

    world.supervisor.run("box", step)
    assert world.waits == [FIRST]
    assert world.supervisor.told()


def test_a_part_goes_on_though_nobody_can_be_told_of_its_fall(world):
    def untold():
        raise RuntimeError("no phone listens")

    world.changed = untold
    supervisor = Supervisor(world.stop, untold, clock=lambda: world.now, wait=world.wait)
    supervisor.run("lights", falling(3, world, then=200))
    assert world.waits == [FIRST, 2, 4]
    assert not supervisor.told(), "well again"
