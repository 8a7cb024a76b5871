"""Machines at the table: they think beside it, say what they mean, and a hand does it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from companion.commands.live import read_players
from companion.games import find_game
from companion.journal import Journal
from companion.live.composition import Composition, PlayRequest
from companion.live.machine_players import (
    ASKS,
    SHOWN,
    TAKEN_BACK,
    MachinePlayers,
    lies,
    make,
)
from companion.live.pointer import SECONDS
from companion.rules import BadInput, straight_way
from companion.simulation.tabletop import SimulatedTable
from companion.table import Table
from companion.table.evening import Evening
from companion.table.machines import PERSON, give, machines_of
from hardware.lights import Moment, lights

CHESS: Any = find_game("chess")
PATIENCE = 60.0


@pytest.fixture
def evening() -> Iterator[Evening]:
    with Journal() as journal:
        yield Evening(Table.create(journal, CHESS, CHESS.setup()))


class Beside:
    """Machines at a real table, with a clock of their own. ``by_phone``: moves are entered."""

    def __init__(self, evening: Evening, by_phone: bool = False) -> None:
        self.now, self.told = 100.0, 0
        self.evening, self.table = evening, evening.table
        self.machines = MachinePlayers(
            evening, lambda: None, lambda: by_phone, lambda: True, self._heard, lambda: self.now
        )

    def _heard(self) -> None:
        self.told += 1

    def until(self, done: Callable[[], Any]) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, self.machines.told()
            self.machines.step()

    def words(self) -> str:
        return str(self.machines.told()["words"])

    def means(self) -> str:
        """Wait until the machine has said what it means; return it."""
        self.until(lambda: self.machines.told()["action"])
        return str(self.machines.told()["action"])


@pytest.fixture
def beside(evening: Evening) -> Iterator[Beside]:
    found = Beside(evening)
    yield found
    found.machines.close()


def test_it_thinks_says_what_it_means_and_waits_for_a_hand(beside: Beside) -> None:
    beside.machines.give({"white": "level:1"}, "host")
    beside.until(beside.words)
    assert beside.words() == "White is played by a machine, and thinks."
    made = beside.means()
    assert beside.words() == f"White plays {made}."
    beside.now += ASKS + 1
    beside.machines.step()
    assert beside.words() == f"White waits: make {made} on the table."
    assert beside.table.actions == ()
    assert beside.told > 1


def test_it_tells_no_first_move_before_the_camera_sees_the_table_set_up(evening: Evening) -> None:
    sees = False
    beside = Beside(evening)
    beside.machines = MachinePlayers(
        evening, lambda: None, lambda: False, lambda: sees, lambda: None, lambda: beside.now
    )
    beside.machines.give({"white": "greedy"}, "host")
    for _ in range(3):
        beside.machines.step()
        assert beside.machines.told()["seat"] == ""
    assert beside.words() == "White begins once the table is set up."
    sees = True
    assert beside.words() == ""
    made = beside.means()
    # What is set up once may be covered by an arm later: the machine waits for no second look.
    sees = False
    assert beside.words() == f"White plays {made}."
    beside.machines.close()


def test_what_it_means_is_lit_from_where_to_where(beside: Beside) -> None:
    beside.machines.give({"white": "greedy"}, "host")
    assert beside.machines.meant(beside.table) == ()
    origin, target = beside.means().split("-")
    between = straight_way(CHESS.board(beside.table.setup), origin, target)
    assert beside.machines.meant(beside.table) == (origin, *between, target)
    shown = lights(CHESS, beside.table.state, Moment(meant=(origin, target)))
    assert {spot: light.meaning for spot, light in shown.items()} == {
        origin: "meant", target: "meant"
    }  # fmt: skip
    assert shown[origin].phase > shown[target].phase


def test_once_the_move_is_made_it_is_the_turn_of_others(beside: Beside) -> None:
    beside.machines.give({"white": "level:1"}, "host")
    made = beside.means()
    beside.table.play(CHESS.parse(beside.table.setup, made), "camera")
    beside.machines.step()
    assert beside.machines.told()["seat"] == ""
    assert beside.words() == ""
    beside.machines.step()
    assert beside.words() == ""


def test_what_is_thought_about_a_position_that_has_passed_is_not_waited_for(
    beside: Beside,
) -> None:
    beside.machines.give({"white": "level:6", "black": "level:1"}, "host")
    beside.until(beside.words)
    beside.table.play(CHESS.parse(beside.table.setup, "e2-e4"), "camera")
    assert beside.means()
    assert beside.machines.told()["seat"] == "black"


def test_after_a_take_back_it_waits_for_more(beside: Beside) -> None:
    table = beside.table
    table.play(CHESS.parse(table.setup, "e2-e4"), "camera")
    table.undo(1, "white")
    beside.machines.give({"white": "level:1"}, "host")
    for _ in range(3):
        beside.machines.step()
    assert beside.words() == ""
    beside.now += TAKEN_BACK
    assert beside.means()


def test_a_person_takes_the_seat_back(beside: Beside) -> None:
    beside.machines.give({"white": "level:1", "black": "level:2"}, "host")
    beside.means()
    beside.machines.give({"white": PERSON}, "host")
    beside.machines.step()
    assert beside.words() == ""
    assert machines_of(beside.table) == {"black": "level:2"}


def test_in_a_paused_game_nobody_thinks(beside: Beside) -> None:
    beside.machines.give({"white": "level:1"}, "host")
    beside.table.note("paused", {}, "host")
    beside.machines.step()
    assert beside.machines.told()["seat"] == ""


def test_where_moves_are_entered_it_enters_its_own(evening: Evening) -> None:
    beside = Beside(evening, by_phone=True)
    beside.machines.give({"white": "level:1", "black": "level:1"}, "host")
    for count in (1, 2):
        beside.means()
        beside.now += SHOWN
        beside.until(lambda count=count: len(beside.table.actions) == count)
    assert [event.actor for event in beside.table.events()][-1] == "black"
    beside.machines.close()


def test_who_acts_at_the_last_moment_is_before_the_machine(evening: Evening) -> None:
    def acts() -> bool:
        if not evening.table.actions:
            evening.table.play(CHESS.parse(evening.table.setup, "e2-e4"), "white")
        return True

    beside = Beside(evening)
    beside.machines = MachinePlayers(
        evening, lambda: None, acts, lambda: True, lambda: None, lambda: beside.now
    )
    beside.machines.give({"white": "level:1"}, "host")
    beside.means()
    beside.now += SHOWN
    beside.machines.step()
    assert list(map(str, beside.table.actions)) == ["e2-e4"]
    beside.machines.close()


def test_what_is_only_said_it_says_itself() -> None:
    game: Any = find_game("heximeros")
    with Journal() as journal:
        beside = Beside(Evening(Table.create(journal, game, game.setup())))
        beside.table.play(game.legal(beside.table.state)[0], "camera")
        beside.machines.give({"silver": "greedy"}, "host")
        beside.means()
        beside.now += SHOWN
        beside.until(lambda: len(beside.table.actions) == 2)
        assert str(beside.table.actions[1]) == "token"
        beside.machines.close()


def test_a_machine_that_falls_is_told_and_the_game_goes_on(beside: Beside) -> None:
    beside.machines.give({"white": "uci:/no/such/program"}, "host")
    beside.until(lambda: beside.words().startswith("The machine"))
    assert beside.words() == (
        "The machine of white cannot play: there is no program “/no/such/program” on this machine. "
        "Make its moves yourselves, or choose another player under Seats."
    )
    beside.machines.step()
    beside.table.play(CHESS.parse(beside.table.setup, "e2-e4"), "camera")
    assert len(beside.table.actions) == 1


def test_a_game_that_is_not_kept_is_played_by_no_machine(beside: Beside) -> None:
    beside.machines.give({"white": "random"}, "host")
    game = SimpleNamespace(title="Odd")
    table = SimpleNamespace(game=game, state=None, line=None)
    beside.machines._think(table, "white", "random")
    assert "Odd" in str(beside.machines._meant)
    assert beside.machines.told()["levels"][0] == "level:1"


@pytest.mark.parametrize(
    ("seats", "said"),
    [({"green": "level:1"}, "green"), ({"white": "level:9"}, "is no player")],
)
def test_a_seat_or_a_player_that_there_is_not_is_told(
    evening: Evening, seats: dict[str, str], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        give(evening.table, seats, "host")
    assert machines_of(evening.table) == {}


def test_who_plays_is_kept_in_the_journal_once(evening: Evening) -> None:
    for _ in range(2):
        give(evening.table, {"white": "level:3"}, "host")
    give(evening.table, {}, "host")
    assert [event.kind for event in evening.table.events()].count("machines") == 1


@pytest.fixture
def stage(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Composition]:
    monkeypatch.setattr("companion.live.equipping.FRAMES_PER_SECOND", 1000.0)
    monkeypatch.setattr("companion.live.machine_players.SHOWN", 0.0)
    request = PlayRequest(
        game=CHESS,
        setup=None,
        journal=tmp_path / "game.sqlite3",
        new=False,
        camera="simulated",
        table_file=None,
        lights="simulated",
        wiring=None,
        host="127.0.0.1",
        port=0,
        address="127.0.0.1",
        players={"white": "level:1", "black": "greedy"},
    )
    with Composition(request) as stage:
        yield stage


@pytest.mark.thorough
def test_at_the_simulated_table_a_hand_makes_the_moves_and_the_camera_sees_them(
    stage: Composition,
) -> None:
    stage.start()
    end = time.monotonic() + PATIENCE
    while len(stage.table.actions) < 4 and time.monotonic() < end:
        time.sleep(0.05)
    played = [event for event in stage.table.events() if event.kind == "action"]
    assert len(played) >= 4
    assert {event.actor for event in played} == {"camera"}
    assert stage.supervisor.told() == ()


def test_the_command_line_says_who_plays() -> None:
    assert read_players(None) == {}
    assert read_players("red=level:4,purple=person") == {"red": "level:4", "purple": "person"}
    with pytest.raises(BadInput, match=r"“red” names no seat and player; write red=level:4"):
        read_players("red")


@pytest.mark.parametrize(
    ("name", "position", "action"),
    [
        ("chess", {"e1": "white K", "h1": "white R", "e8": "black K"}, "e1-g1"),
        ("chess", {"e1": "white K", "a7": "white P", "b8": "black N", "h8": "black K"}, "a7-b8=Q"),
        ("invictus", {"a5": "black 3", "b6": "white 2", "i9": "white 1"}, "a5-b6"),
        ("invictus", {"a8": "black 3", "i9": "white 1"}, "a8-a9"),
    ],
)
def test_a_simulated_hand_does_all_that_follows_from_a_move(
    name: str, position: dict[str, str], action: str
) -> None:
    game: Any = find_game(name)
    setup = game.setup()
    with Journal() as journal:
        table = Table.create(journal, game, setup, position)
        hands = SimulatedTable(game, setup, position)
        assert lies(table, hands)
        move = next(a for a in game.legal(table.state) if str(a) == action)
        make(table, move, hands)
        table.play(move, "camera")
        assert lies(table, hands)
        spot = next(iter(hands.position))
        hands.lift(spot)
        assert not lies(table, hands)


def test_a_die_that_was_taken_is_put_back_by_hand() -> None:
    game: Any = find_game("invictus")
    setup, position = game.setup(), {"a5": "black 3", "b6": "white 2", "i9": "white 1"}
    with Journal() as journal:
        table = Table.create(journal, game, setup, position)
        hands = SimulatedTable(game, setup, position)
        for _ in range(2):
            action = game.legal(table.state)[-1]
            make(table, action, hands)
            table.play(action, "camera")
            assert lies(table, hands)


def test_what_is_asked_for_is_lit_for_a_while_or_until_something_happens(beside: Beside) -> None:
    machines, table = beside.machines, beside.table
    machines.point(["e2", "e4", "e2"])
    assert machines.pointer.spots(table) == ("e2", "e4")
    shown = lights(CHESS, table.state, Moment(shown=("e2", "e4")))
    assert {spot: light.meaning for spot, light in shown.items()} == {"e2": "shown", "e4": "shown"}
    assert shown["e2"].phase > shown["e4"].phase
    beside.now += SECONDS - 1
    assert machines.pointer.spots(table) == ("e2", "e4")
    beside.now += 1
    assert machines.pointer.spots(table) == ()
    machines.point(["e2"])
    table.play(CHESS.parse(table.setup, "e2-e4"), "camera")
    assert machines.pointer.spots(table) == ()
    with pytest.raises(BadInput, match="no spot “z9”"):
        machines.point(["z9"])


def test_what_a_machine_wants_is_lit_before_what_was_asked_for() -> None:
    state = CHESS.start(CHESS.setup())
    shown = lights(CHESS, state, Moment(meant=("e2", "e4"), shown=("d2", "d4")))
    assert {light.meaning for light in shown.values()} == {"meant"}
    assert set(shown) == {"e2", "e4"}


def test_a_game_with_a_machine_is_taken_up_again(evening: Evening) -> None:
    table = evening.table
    give(table, {"black": "level:2"}, "host")
    resumed: Table[Any] = Table.resume(evening.journal, table.game_id)
    assert machines_of(resumed) == {"black": "level:2"}
