"""Programs of others as players: whatever they do, the game goes on and nothing of them stays."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.games import find_game
from companion.players import uci
from companion.players.budget import Budget
from companion.players.named import player_named
from companion.players.player import Thought
from companion.rules import BadInput, HardwareFault
from tests.checks.lacking import lacking

pytestmark = pytest.mark.no_cover  # other tests prove the rules line by line

GAME: Any = find_game("chess")
START = GAME.start(GAME.setup())
HELLO = """
    if word == "uci": say("id name Tame"); say("option name UCI_Elo type spin"); say("uciok")
    if word == "isready": say("readyok")
"""
PLAYS = (
    HELLO + '    if word == "go": say("info depth 1 score cp 100 nodes 12"); say("bestmove e2e4")\n'
)
SILENT = {
    "never says uciok": "",
    "never is ready": '    if word == "uci": say("uciok")\n',
    "never answers a question": HELLO,
    "talks without end": HELLO + '    while word == "go": say("info string " + "x" * 99)\n',
}
BAD = {
    "ends at once": "    sys.exit(3)\n",
    "falls when it is asked": HELLO + '    if word == "go": sys.exit(1)\n',
    "plays what is not legal": HELLO + '    if word == "go": say("bestmove e2e5")\n',
    "plays nonsense": HELLO + '    if word == "go": say("bestmove \\x00\\udcff")\n',
    "plays nothing": HELLO + '    if word == "go": say("bestmove")\n',
    "gives up": HELLO + '    if word == "go": say("bestmove (none)")\n',
}


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write a program that hears lines and does what it is told for each; return its name. It
    leaves the number of its process behind, and a child that would outlive it. On a busy machine
    it is waited for."""
    monkeypatch.setattr(uci, "START", 60.0)
    monkeypatch.setattr(uci, "GRACE", 60.0)

    def written(body: str) -> str:
        script = tmp_path / "tame.py"
        script.write_text(
            "import os, subprocess, sys\n"
            f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
            "subprocess.Popen(['sleep', '600'])\n"
            "def say(text):\n"
            "    sys.stdout.buffer.write(text.encode('utf-8', 'surrogateescape') + b'\\n')\n"
            "    sys.stdout.flush()\n"
            "for line in sys.stdin:\n"
            "    word = line.split()[0]\n" + textwrap.indent(textwrap.dedent(body), "    ")
            + "    pass\n"
        )  # fmt: skip
        return f"uci:{sys.executable} {script}"

    return written


def gone(folder: Path) -> bool:
    """Wait until nothing of the group of the program in ``folder`` runs any more; the dead whom
    nobody has buried yet do not. Return whether that came about."""
    if not (folder / "pid").exists():
        return True  # ended before it began anything
    group, end = (folder / "pid").read_text(), time.monotonic() + 60
    while time.monotonic() < end:
        if not any(runs(process, group) for process in Path("/proc").glob("[0-9]*/stat")):
            return True
    return False


def runs(process: Path, group: str) -> bool:
    with contextlib.suppress(OSError):
        state, _, its_group = process.read_text().rpartition(")")[2].split()[:3]
        return its_group == group and state != "Z"
    return False


def asked(name: str, budget: Budget | None = None) -> Thought:
    with player_named(GAME, name, random.Random(1)) as player:
        return player.choose(START, budget or Budget(seconds=0.1))


def test_a_program_plays_and_says_what_it_expects(
    engine: Callable[[str], str], tmp_path: Path
) -> None:
    thought = asked(engine(PLAYS))
    assert str(thought.action) == "e2-e4"
    assert 0.55 < thought.expected < 0.75
    assert thought.nodes == 12
    assert gone(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("how", SILENT)
def test_a_program_that_never_comes_to_an_end_is_told_and_leaves_nothing(
    engine: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    program = engine(SILENT[how])
    monkeypatch.setattr(uci, "START", 1.0)
    monkeypatch.setattr(uci, "GRACE", 0.5)
    with pytest.raises(HardwareFault, match="does not answer"):
        asked(program)
    assert gone(tmp_path)


@pytest.mark.parametrize("how", BAD)
def test_a_program_that_fails_is_told_and_leaves_nothing(
    engine: Callable[[str], str], tmp_path: Path, how: str
) -> None:
    with pytest.raises(HardwareFault) as told:
        asked(engine(BAD[how]))
    assert str(told.value).startswith("the program “python")
    assert gone(tmp_path)


def test_a_program_that_does_not_hear_quit_is_ended(
    engine: Callable[[str], str], tmp_path: Path
) -> None:
    asked(engine(PLAYS + '    while word == "quit": pass\n'))
    assert gone(tmp_path)


def test_nobody_waits_for_a_program_that_is_not_wanted_any_more(
    engine: Callable[[str], str], tmp_path: Path
) -> None:
    budget = Budget(seconds=600.0, cancelled=lambda: True)
    with pytest.raises(HardwareFault, match="does not answer"):
        asked(engine(HELLO), budget)
    assert gone(tmp_path)


def test_after_a_fault_the_program_is_started_anew(engine: Callable[[str], str]) -> None:
    once = HELLO + (
        '    flag = __file__ + ".once"\n'
        '    if word == "go" and not os.path.exists(flag): open(flag, "w"); sys.exit(1)\n'
        '    if word == "go": say("bestmove g1f3")\n'
    )
    with player_named(GAME, engine(once), random.Random(1)) as player:
        with pytest.raises(HardwareFault, match="it has ended"):
            player.choose(START, Budget(seconds=0.1))
        assert str(player.choose(START, Budget(nodes=10)).action) == "g1-f3"


def test_a_program_that_ended_between_two_moves_is_told(
    engine: Callable[[str], str], tmp_path: Path
) -> None:
    with player_named(GAME, engine(PLAYS), random.Random(1)) as player:
        player.choose(START, Budget(nodes=10))
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
        with pytest.raises(HardwareFault, match="it has ended"):
            player.choose(START, Budget(nodes=10))


def test_a_score_of_mate_is_certain(engine: Callable[[str], str]) -> None:
    mate = HELLO + '    if word == "go": say("info score mate -3"); say("bestmove e2e4")\n'
    assert asked(engine(mate)).expected == 0.0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("uci:/no/such/engine", "there is no program"),
        ("uci:true@strong", "“strong” is no strength"),
    ],
)
def test_a_program_that_cannot_be_had_is_told(name: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        asked(name)


def test_a_program_that_cannot_be_run_is_told(tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_bytes(b"\x7fELF nothing")
    odd.chmod(0o755)
    with pytest.raises(HardwareFault, match="cannot be started"):
        asked(f"uci:{odd}")


def test_a_strength_is_asked_for_where_the_program_has_one(engine: Callable[[str], str]) -> None:
    assert str(asked(f"{engine(PLAYS)}@1320").action) == "e2-e4"
    with pytest.raises(BadInput, match="plays at one strength only"):
        asked(f"{engine(PLAYS.replace('UCI_Elo', 'Style'))}@1320")


CHESS960 = """
    if word == "uci":
        say("option name UCI_Chess960 type check default false"); say("uciok")
    if word == "isready": say("readyok")
    if word == "go": say("bestmove f1h1")
"""
SWAP = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1"


def test_a_program_is_told_that_kings_castle_from_other_squares(
    engine: Callable[[str], str],
) -> None:
    state = GAME.read_position(GAME.setup(), SWAP)
    with player_named(GAME, engine(CHESS960), random.Random(1)) as player:
        assert str(player.choose(state, Budget()).action) == "h1-f1"
    plain = CHESS960.replace("UCI_Chess960", "Style")
    with (
        player_named(GAME, engine(plain), random.Random(1)) as player,
        pytest.raises(BadInput, match="UCI_Chess960"),
    ):
        player.choose(state, Budget())


@pytest.mark.parametrize("position", ["518", "192"])
def test_stockfish_plays_a_match(
    position: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its process is a modest one: on a busy machine others come first.
    monkeypatch.setattr(uci, "GRACE", 60.0)
    if shutil.which("stockfish", path=f"{os.environ.get('PATH')}:/usr/games") is None:
        lacking("there is no stockfish: run `make test`, or install the package stockfish")
    assert (
        main(
            [
                "match",
                "chess",
                "uci:stockfish@1320",
                "random",
                "--games",
                "2",
                "--nodes",
                "300",
                "--option",
                f"position={position}",
            ]
        )
        == 0
    )
    assert "won 2 of 2" in capsys.readouterr().out
