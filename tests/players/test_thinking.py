"""Machines think in a process of its own: niced, within so much memory, gone when nobody waits."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.games import find_game
from companion.live.thinking import MEMORY, NICER, ThinkingProcess, answered

pytestmark = pytest.mark.no_cover  # other tests prove the rules line by line

PATIENCE = 60.0
DEAF = """
import subprocess, sys, time
from pathlib import Path
Path(sys.argv[1]).write_text(str(subprocess.Popen(["sleep", "600"]).pid))
print("uciok", flush=True)
print("readyok", flush=True)
time.sleep(600)
"""
"""A program that hears neither a question nor the end of its input, with a child of its own."""


@pytest.fixture
def process() -> Iterator[ThinkingProcess]:
    found = ThinkingProcess()
    yield found
    found.stop()


def test_with_a_seed_it_chooses_alike_in_the_same_state_whatever_was_asked_before() -> None:
    game: Any = find_game("chess")
    start = game.start(game.setup())
    states = [start, game.advance(start, next(iter(game.legal(start))))]

    def chosen(order: list[int], seed: str) -> list[str]:
        with ExitStack() as players:
            known: dict[str, Any] = {}
            asked = {"game": "chess", "player": "random", "seed": seed}
            told = [
                answered({**asked, "state": game.dump(states[n])}, known, players) for n in order
            ]
        return [answer["action"] for answer in told]

    assert chosen([1, 0, 0], "a")[1:] == chosen([0, 0], "a")
    assert len({chosen([0], str(seed))[0] for seed in range(8)}) > 1


def until(done: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


def ask(process: ThinkingProcess, player: str = "random", name: str = "chess") -> None:
    game: Any = find_game(name)
    state = game.dump(game.start(game.setup()))
    process.ask({"game": name, "state": state, "player": player})


def begun(process: ThinkingProcess) -> int:
    """Return the number of the process, which has answered something."""
    ask(process)
    until(lambda: process.answer(0.1))
    assert process.pid is not None
    return process.pid


def runs(pid: int) -> bool:
    """Tell whether the process is there and not one of the dead whom nobody has buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_it_answers_and_can_be_asked_again(process: ThinkingProcess) -> None:
    game: Any = find_game("chess")
    for _ in range(2):
        ask(process, "level:1")
        told = process.answer(PATIENCE)
        assert told is not None
        assert game.parse(game.setup(), told["action"])
    process.stop()
    process.stop()
    assert process.pid is None
    assert process.answer(0) == {"fault": ""}


def test_one_that_is_killed_is_told_and_started_anew(process: ThinkingProcess) -> None:
    os.kill(begun(process), signal.SIGKILL)
    until(lambda: process.answer(0.1) == {"fault": ""})
    assert "action" in answer_of(process)


def answer_of(process: ThinkingProcess) -> Any:
    ask(process)
    return process.answer(PATIENCE)


def test_it_is_nice_and_may_take_so_much_memory_at_most(process: ThinkingProcess) -> None:
    pid = begun(process)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, own + NICER)
    assert resource.prlimit(pid, resource.RLIMIT_DATA) == (MEMORY, MEMORY)


def test_one_that_wants_more_memory_is_told_and_started_anew(process: ThinkingProcess) -> None:
    pid = begun(process)
    resource.prlimit(pid, resource.RLIMIT_DATA, (1, 1))
    ask(process, "level:6", "victorus")
    until(lambda: process.answer(0.1) == {"fault": ""})
    assert not runs(pid)
    assert "action" in answer_of(process)


@pytest.mark.parametrize("name", ["chess", "heximeros", "invictus", "victorus"])
def test_one_that_thinks_hard_is_gone_as_soon_as_nobody_waits(
    process: ThinkingProcess, name: str
) -> None:
    pid = begun(process)
    ask(process, "level:6", name)
    assert process.answer(0.1) is None
    process.stop()
    assert not Path(f"/proc/{pid}").exists()
    assert "action" in answer_of(process)


def test_a_program_that_hears_nothing_goes_with_who_started_it(
    process: ThinkingProcess, tmp_path: Path
) -> None:
    script, child = tmp_path / "deaf.py", tmp_path / "child"
    script.write_text(DEAF)
    begun(process)
    ask(process, f"uci:{sys.executable} {script} {child}")
    until(lambda: child.exists() and child.read_text())
    assert runs(int(child.read_text()))
    process.stop()
    until(lambda: not runs(int(child.read_text())))


def test_a_player_that_cannot_be_had_answers_with_the_reason() -> None:
    game: Any = find_game("chess")
    state = game.dump(game.start(game.setup()))
    with ExitStack() as players:
        question = {"game": "chess", "state": state, "player": "level:7"}
        assert "level:7" in answered(question, {}, players)["fault"]
