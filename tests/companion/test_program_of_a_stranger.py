"""The program of the guide, run as a stranger runs it, at a table with a simulated camera."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from companion.cli import main
from companion.games import find_game
from companion.live.composition import Composition, PlayRequest
from companion.rules import Action

PROGRAM = Path(__file__).parents[2] / "docs" / "programs" / "my_turn.py"
PATIENCE = 60.0


@pytest.fixture
def stage(tmp_path):
    with at_table(tmp_path, "chess") as stage:
        yield stage


@contextmanager
def at_table(tmp_path, game, port=0):
    play_request = PlayRequest(
        game=find_game(game), setup=None, journal=tmp_path / "game.sqlite3", new=False,
        camera="simulated", table_file=None, lights="simulated", wiring=None, host="127.0.0.1",
        port=port, address="127.0.0.1",
    )  # fmt: skip
    with Composition(play_request) as stage:
        stage.start()
        yield stage


def wait_until(done):
    """Return once ``done()`` is true; the table's own threads go on meanwhile."""
    pause, end = threading.Event(), time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        pause.wait(0.02)


@contextmanager
def my_turn(stage, *words):
    """Run the program, and end it."""
    address = f"http://127.0.0.1:{stage.port}"
    with subprocess.Popen(
        [sys.executable, PROGRAM, address, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        try:
            yield program
        finally:
            program.kill()


def lit(stage, spot):
    return stage.panel.words().get(spot, {}).get("meaning", "") == "look here"


def token_of(folder, capsys, *more):
    assert main(["token", "make", "lamp", "--data", str(folder), "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)["token"]


def test_a_cell_is_lit_when_it_is_my_turn_and_by_forty_lines(stage, tmp_path, capsys):
    assert len(PROGRAM.read_text().splitlines()) <= 40
    token = token_of(tmp_path, capsys, "--scope", "play")
    with my_turn(stage, token, "white", "e5") as program:
        assert program.stdout.readline() == "my turn\n"
        wait_until(lambda: lit(stage, "e5"))
        stage.table.play(Action("move", "e2", "e4"), "white")
        assert program.stdout.readline() == "not my turn\n"
        wait_until(lambda: not lit(stage, "e5"))


@pytest.mark.thorough
def test_the_cell_stays_lit_through_a_turn_of_several_actions(tmp_path, capsys):
    with at_table(tmp_path, "heximeros") as stage:
        token, game = token_of(tmp_path, capsys, "--scope", "play"), stage.table.game
        mover = game.to_move(stage.table.state)
        spot = next(iter(game.board(stage.table.setup).spots))
        with my_turn(stage, token, mover, spot) as program:
            assert program.stdout.readline() == "my turn\n"
            wait_until(lambda: lit(stage, spot))
            stage.table.play(game.legal(stage.table.state)[0], mover)
            assert game.to_move(stage.table.state) == mover
            wait_until(lambda: lit(stage, spot))


@pytest.mark.thorough
def test_the_program_goes_on_after_the_table_was_started_anew(tmp_path, capsys):
    with at_table(tmp_path, "chess") as stage:
        port, token = stage.port, token_of(tmp_path, capsys, "--scope", "play")
        running = ExitStack()
        program = running.enter_context(my_turn(stage, token, "white", "e5"))
        assert program.stdout.readline() == "my turn\n"
    with running, at_table(tmp_path, "chess", port) as stage:
        assert program.stdout.readline() == "my turn\n"
        wait_until(lambda: lit(stage, "e5"))


def test_what_the_table_refuses_is_read(stage, tmp_path, capsys):
    token = token_of(tmp_path, capsys, "--scope", "read")
    with my_turn(stage, token, "white", "e5") as program:
        assert "may" in program.stderr.readline()


def test_tokens_are_listed_and_withdrawn_by_the_command(tmp_path, capsys):
    data = ["--data", str(tmp_path)]
    assert main(["token", "list", *data]) == 0
    assert "No program may come in" in capsys.readouterr().out
    token_of(tmp_path, capsys, "--scope", "play", "--seat", "white")
    assert main(["token", "list", *data]) == 0
    assert "lamp: play, white, since" in capsys.readouterr().out
    assert main(["token", "withdraw", "lamp", *data]) == 0
    assert main(["token", "withdraw", "lamp", *data]) == 2
    assert main(["token", "make", *data]) == 2
    assert "companion token make NAME" in capsys.readouterr().err


def test_a_table_without_programs_loads_nothing_for_them():
    code = (
        "import sys, companion.live.composition;"
        "print([name for name in sys.modules if name.startswith('web.doors')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
