"""One clock: what it tells may be wrong, what has passed is known; no jump deletes or locks out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.journal import Draft, Header, Journal
from companion.rules import Action
from companion.runtime.timekeeper import LATEST, Timekeeper, network_time, timekeeper
from companion.table import Table
from companion.table.ages import Ages
from companion.table.evening import Evening
from tests.checks.kept_photographs import photograph_bytes
from tests.checks.loops import some

DAY = 86_400.0
STEP = Action("move", "a1", "b1")
PICTURE = {"after": b"\xff\xd8 picture"}


class Machine:
    """A machine whose time passes when it is told to, and whose clock anybody may set."""

    def __init__(self, wall: float = 1.7e9) -> None:
        self.wall, self.steady = wall, 50.0
        self.heard = False

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    def reboots(self, off: float, wall: float | None = None) -> None:
        self.steady = 3.0
        self.wall = self.wall + off if wall is None else wall

    def keeper(self) -> Timekeeper:
        return Timekeeper(
            lambda: self.wall, lambda: self.steady, lambda: self.wall if self.heard else None
        )


@pytest.fixture
def machine() -> Machine:
    return Machine()


class TestTheTimeOfDay:
    def test_it_is_the_machines(self, machine):
        now = machine.keeper()
        machine.passes(10.25)
        assert now() == machine.wall

    def test_it_follows_a_clock_that_is_set_forward_and_counts_the_jump(self, machine):
        now = machine.keeper()
        machine.passes(5)
        machine.wall += 14 * DAY
        assert now() == machine.wall
        assert now.jumped == pytest.approx(14 * DAY)

    def test_it_goes_on_evenly_when_the_clock_is_set_back(self, machine):
        now = machine.keeper()
        before = now()
        machine.wall -= 3600
        machine.passes(60)
        assert now() == before + 60
        assert now.jumped == 0

    def test_it_is_never_before_what_was_written_down(self, machine):
        machine.wall = 0.0
        now = machine.keeper()
        now.not_before(1.7e9)
        machine.passes(30)
        assert now() == 1.7e9 + 30

    def test_a_stamp_that_nobody_can_have_meant_moves_no_clock(self, machine):
        now = machine.keeper()
        for absurd in (1e300, float("inf"), float("nan")):
            now.not_before(absurd)
        assert now() == machine.wall

    @given(st.lists(st.tuples(st.floats(0, 1e5), st.floats(-1e8, 1e8)), min_size=1, max_size=30))
    def test_it_never_goes_back_and_never_runs_slow(self, steps):
        machine = Machine()
        now = machine.keeper()
        for passed, jump in some(steps):
            before = now()
            machine.passes(passed)
            machine.wall += jump
            assert now() >= before + passed - 2.0 - 1e-3
            assert now() >= before

    def test_a_bare_function_tells_both_times(self):
        hands = [1000.0]
        now = timekeeper(lambda: hands[0])
        hands[0] += 5
        assert (now(), now.steady(), now.jumped, now.confirmed()) == (1005.0, 1005.0, 0.0, None)
        assert timekeeper(now) is now

    def test_who_vouches_for_the_machines_clock_means_the_machines_clock(self):
        told = network_time()
        assert told is None or Timekeeper().confirmed() is not None
        lying = Timekeeper(lambda: 1.0)
        assert lying.confirmed() is None


class TestAges:
    HEADER = Header("race", ("white", "black"), {})

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "game.sqlite3"

    def begun(self, path: Path, machine: Machine) -> tuple[Journal, Ages]:
        journal = Journal(path)
        ages = Ages(journal, machine.keeper())
        journal.begin(self.HEADER, machine.wall, Draft("referee", "started"))
        ages.meet(journal.last_seq)
        return journal, ages

    def test_what_the_table_runs_counts_whatever_the_clock_says(self, path, machine):
        journal, ages = self.begun(path, machine)
        with journal:
            machine.passes(5 * 3600)
            machine.wall += 40 * DAY
            assert ages.of(1) == 5 * 3600
            assert ages.older(5 * 3600 - 1) == 1
            assert ages.older(5 * 3600) == 0

    def test_it_is_remembered_from_one_start_to_the_next(self, path, machine):
        journal, ages = self.begun(path, machine)
        machine.passes(5 * 3600)
        with journal:
            ages.keep()
        machine.reboots(off=7 * DAY)
        with Journal(path) as journal:
            ages = Ages(journal, machine.keeper())
            machine.passes(600)
            assert ages.of(1) == 5 * 3600 + 600

    def test_the_time_between_counts_where_a_time_server_vouches_for_both_ends(self, path, machine):
        machine.heard = True
        journal, ages = self.begun(path, machine)
        machine.passes(3600)
        with journal:
            ages.keep()
        machine.heard = False
        machine.reboots(off=0.0)
        with Journal(path) as journal:
            ages = Ages(journal, machine.keeper())
            ages.keep()
            journal.append(1, machine.wall, [Draft("camera", "action", "x")])
            ages.meet(2)
            machine.passes(60)
            assert ages.of(1) == 3660
            # The network tells that ten days are gone: it was off for them, before the move.
            machine.wall += 10 * DAY
            machine.heard = True
            ages.keep()
            assert ages.of(1) == pytest.approx(10 * DAY + 3660)
            assert ages.of(2) <= 60

    def test_a_time_server_that_contradicts_itself_is_not_believed(self, path, machine):
        machine.heard = True
        journal, ages = self.begun(path, machine)
        with journal:
            ages.keep()
            machine.passes(60)
            machine.wall += 40 * DAY
            ages.keep()
            assert ages.of(1) == 60
        machine.reboots(off=40 * DAY)
        with Journal(path) as journal:
            ages = Ages(journal, machine.keeper())
            ages.keep()
            assert ages.of(1) == 60

    @settings(max_examples=60)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["event", "passes", "keep", "reboot", "heard", "silent", "jump"]),
                st.floats(0, 20 * DAY),
                st.floats(-1e8, 1e8),
            ),
            min_size=1,
            max_size=25,
        )
    )
    def test_nothing_is_ever_taken_for_older_than_it_is(self, steps):
        """Random evenings: the age of each event is at most what really passed; the clock is
        set at random while no time server vouches for it."""
        machine, really, born = Machine(), 0.0, {}
        offset = 0.0
        with Journal() as journal:
            game, event = journal.begin(self.HEADER, 0.0, Draft("referee", "started"))
            ages = Ages(journal, machine.keeper())
            born[event.seq] = really
            for what, seconds, jump in some(steps):
                if what == "event":
                    (event,) = journal.append(game, 0.0, [Draft("camera", "lost")])
                    ages.meet(event.seq)
                    born[event.seq] = really
                elif what == "passes":
                    machine.passes(seconds)
                    really += seconds
                elif what == "keep":
                    ages.keep()
                elif what == "reboot":
                    ages.keep()
                    machine.reboots(off=seconds)
                    really += seconds
                    ages = Ages(journal, machine.keeper())
                elif what == "heard":
                    machine.wall, offset, machine.heard = machine.wall - offset, 0.0, True
                elif what == "silent":
                    machine.heard = False
                elif not machine.heard:
                    machine.wall += jump
                    offset += jump
                for seq, at in some(born.items()):
                    assert ages.of(seq) <= really - at + 1.0, (seq, what)


class TestAnEvening:
    @pytest.fixture
    def now(self, machine: Machine) -> Timekeeper:
        return machine.keeper()

    @pytest.fixture
    def evening(self, race, find_race, now):
        with Journal() as journal:
            yield Evening(Table.create(journal, race, race.setup(), now=now), find_race)

    def test_a_clock_that_jumps_deletes_no_photograph(self, evening, machine, find_race):
        evening.table.play(STEP, "white", PICTURE)
        machine.wall += 40 * DAY
        evening.tidy()
        evening.begin("race", None, {})
        again = Evening(evening.table, find_race, machine.keeper())
        machine.wall += 400 * DAY
        again.tidy()
        assert photograph_bytes(evening.journal) == len(PICTURE["after"])

    def test_photographs_go_by_themselves_once_their_time_has_passed(self, evening, machine):
        evening.table.play(STEP, "white", PICTURE)
        machine.passes(30 * DAY - 60)
        evening.tick()
        assert photograph_bytes(evening.journal) > 0
        machine.passes(3600)
        evening.tick()
        assert photograph_bytes(evening.journal) == 0

    def test_they_go_when_another_game_begins(self, evening, machine):
        evening.table.play(STEP, "white", PICTURE)
        machine.passes(31 * DAY)
        evening.begin("race", None, {})
        assert photograph_bytes(evening.journal) == 0

    def test_stamps_follow_the_clock_and_never_go_back(self, evening, machine):
        table = evening.table
        machine.wall += 14 * DAY
        table.play(STEP, "white")
        machine.wall -= 20 * DAY
        table.undo(1, "white")
        kinds = [event.kind for event in table.events()]
        assert kinds == ["started", "jumped", "action", "undone"]
        stamps = [event.at for event in table.events()]
        assert stamps == sorted(stamps)
        assert stamps[1] == pytest.approx(1.7e9 + 14 * DAY)

    def test_a_machine_that_wakes_in_1970_goes_on_after_the_last_event(
        self, evening, machine, find_race
    ):
        evening.table.play(STEP, "white")
        last = evening.table.events()[-1].at
        machine.reboots(off=0.0, wall=12.0)
        table = Table.resume(evening.journal, now=machine.keeper(), find=find_race)
        machine.passes(30)
        table.note("paused", {}, "white")
        assert table.events()[-1].at == last + 30


class TestGameClocks:
    def timed(self, race, machine, journal):
        setup = race.setup(options={"move_time": "10", "game_time": "60"})
        return Table.create(journal, race, setup, now=machine.keeper())

    @pytest.mark.parametrize("jump", [14 * DAY, 3600.0, -3600.0, -400 * DAY])
    def test_a_jump_of_the_machines_clock_is_nobodys_time(self, race, machine, find_race, jump):
        with Journal() as journal:
            table = self.timed(race, machine, journal)
            machine.passes(4)
            machine.wall += jump
            assert table.tick() is None
            assert table.running.begin_left(table.running.since) == pytest.approx(6)
            machine.passes(5)
            table.play(STEP, "white")
            assert table.clock.elapsed == pytest.approx(9)
            again = Table.resume(journal, now=machine.keeper(), find=find_race)
            assert again.clock.elapsed == pytest.approx(9)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.lists(st.tuples(st.floats(0, 4), st.floats(-1e8, 1e8)), min_size=1, max_size=12))
    def test_what_is_counted_is_what_passed(self, race, steps):
        machine = Machine()
        with Journal() as journal:
            table, passed = self.timed(race, machine, journal), 0.0
            for seconds, jump in some(steps):
                machine.passes(seconds)
                passed += seconds
                machine.wall += jump
                table.note("asked", {}, "camera")
                # A clock that is set a little back stands until the time is there again.
                assert table.running.elapsed == pytest.approx(passed, abs=2.0 * len(steps))


@pytest.mark.parametrize("wall", [-5e9, LATEST + 10, 3e11, 1e18, float("inf"), float("nan")])
def test_a_clock_that_shows_no_time_of_day_is_not_believed(wall: float) -> None:
    shown, passed = [1_000.0], [5.0]
    keeper = Timekeeper(lambda: shown[0], lambda: passed[0], lambda: None)
    shown[0], passed[0] = wall, 8.0
    assert keeper() == 1_003.0
    fresh = Timekeeper(lambda: wall, lambda: passed[0], lambda: None)
    assert 0 <= fresh() <= LATEST
