"""The commands, as a program that reads their JSON would use them."""

from __future__ import annotations

import errno
import importlib.metadata
import io
import json
import os
import random
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.cli import THREADS, main
from companion.commands.live import request_of, show_code
from companion.commands.parser import parse
from companion.games import find_game, games
from companion.machine.findings import Finding
from companion.rules import BadInput, Uncertain
from companion.runtime.native import build_kind
from tests.checks.loops import some
from web.serving.server import _bound as bound

ROOT = Path(__file__).parents[2]
Run = Callable[..., tuple[int, list[Any], str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command with --json; return its exit status, its JSON lines and what it complained."""

    def run(*arguments: str) -> tuple[int, list[Any], str]:
        try:
            status = main([*arguments, "--json"])
        except SystemExit as stop:
            status = int(stop.code or 0)
        out, err = capsys.readouterr()
        return status, [json.loads(line) for line in out.splitlines()], err

    return run


def test_every_game_is_listed_with_its_seats_and_options(run: Run) -> None:
    status, (listed,), _ = run("games")
    assert status == 0
    assert tuple(game["name"] for game in listed) == games()
    victorus = next(game for game in listed if game["name"] == "victorus")
    assert victorus["seats"] == ["red", "black", "orange", "purple", "blue", "green"]
    assert all(option["default"] and option["rule"] for option in victorus["options"])


def test_numpy_multiplies_with_one_thread_unless_somebody_wants_more(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(THREADS, "3")
    run("games")
    assert os.environ[THREADS] == "3"
    monkeypatch.delenv(THREADS)
    run("games")
    assert os.environ[THREADS] == "1"


def test_a_legal_action_says_who_moves_what_from_where_to_where(run: Run) -> None:
    status, (listed,), _ = run("legal", "victorus")
    assert status == 0
    assert {
        "action": "h2-h4",
        "seat": "red",
        "piece": "red black T",
        "from": "h2",
        "to": "h4",
        "captures": None,
    } in listed
    assert {entry["seat"] for entry in listed} == {"red"}


def test_actions_may_stand_on_either_side_of_the_options(run: Run) -> None:
    before = run("legal", "victorus", "h2-h4", "--seats", "red,purple")
    after = run("legal", "victorus", "--seats", "red,purple", "h2-h4")
    assert before == after
    assert {entry["seat"] for entry in before[1][0]} == {"purple"}


def test_what_is_legal_is_what_the_judge_allows(run: Run) -> None:
    _, (listed,), _ = run("legal", "victorus")
    for entry in some(listed):
        _, (ruling,), _ = run("judge", "victorus", entry["action"])
        assert ruling["allowed"], ruling


def test_a_refused_action_is_not_played_and_the_next_is_judged_on_the_same_position(
    run: Run,
) -> None:
    status, rulings, _ = run("judge", "victorus", "h2-h5", "h2-h4", "h4-h6")
    assert status == 0
    assert [ruling["allowed"] for ruling in rulings] == [False, True, False]
    assert all(ruling["rule"].startswith("VIC-") and ruling["reason"] for ruling in rulings)
    assert rulings[2]["rule"] == "VIC-8.3", "it is another seat's turn by then"


def test_a_malformed_action_ends_the_judging_but_earlier_lines_stay(run: Run) -> None:
    status, rulings, complaint = run("judge", "victorus", "h2-h4", "h2:h4", "d3-f3")
    assert status == 2
    assert [ruling["action"] for ruling in rulings] == ["h2-h4"]
    assert "h2:h4" in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("legal", "parcheesi"), "parcheesi"),
        (("legal", "victorus", "--seats", "red,pink"), "pink"),
        (("legal", "victorus", "--option", "corner=up"), "corner"),
        (("legal", "victorus", "--option", "corner"), "NAME=VALUE"),
        (("legal", "victorus", "--option", "speed=9"), "speed"),
        (("legal", "victorus", "h2-z9"), "z9"),
        (("legal", "victorus", "h2-h5"), "VIC-"),
        (("legal", "victorus", "--position", "nowhere.json"), "nowhere.json"),
        (("judge", "victorus", "h2-h99"), "h99"),
        (("perft", "victorus", "many"), "many"),
        (("replay", "no-such-folder"), "no-such-folder"),
        (("audit", "no-such-file"), "no-such-file"),
        (("legal", "victorus", "--fen", "8/8"), "written on one line"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_gets_one_sentence_that_names_it(
    run: Run, arguments: tuple[str, ...], named: str
) -> None:
    status, lines, complaint = run(*arguments)
    assert status == 2
    assert not lines
    assert named in complaint.splitlines()[-1]


def test_a_position_file_gives_the_position_and_who_moves(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(
        '{"position": {"h4": "red black T", "h14": "purple white H"}, "to_move": "red"}'
    )
    _, (listed,), _ = run("legal", "victorus", "--seats", "red,purple", "--position", str(file))
    assert {entry["from"] for entry in listed} == {"h4"}
    file.write_text('{"h4": "red black T", "h14": "purple white H"}')
    assert run("legal", "victorus", "--seats", "red,purple", "--position", str(file))[1] == [listed]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[]", "list"),
        ("{", "JSON"),
        ('{"position": {"h99": "red black T"}}', "h99"),
        ('{"position": {"h4": "red T"}}', "red T"),
    ],
)
def test_a_position_file_that_cannot_be_is_named(
    run: Run, tmp_path: Path, text: str, named: str
) -> None:
    file = tmp_path / "position.json"
    file.write_text(text)
    status, _, complaint = run("legal", "victorus", "--position", str(file))
    assert status == 2
    assert named in complaint


def test_perft_counts_sequences_of_legal_actions(run: Run) -> None:
    _, (listed,), _ = run("legal", "victorus")
    status, (counted,), _ = run("perft", "victorus", "1")
    assert status == 0
    assert counted["depth"] == 1
    assert counted["nodes"] == len(listed)
    assert counted["seconds"] >= 0


def test_an_audit_lists_what_did_not_stand(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text("game: victorus\nseats: red, purple\n\nh2-h4\nh2-h5\n")
    status, (found,), _ = run("audit", str(record))
    assert status == 0
    assert found["played"] == 1
    assert [finding["where"] for finding in found["findings"]] == ["line 5"]


def test_the_doctor_finds_what_every_machine_needs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    status, (findings,), _ = run("doctor")
    assert status == 0
    checks = {finding["check"]: finding["level"] for finding in findings}
    assert checks["python"] == checks["cv2"] == checks["disk"] == "ok"


@pytest.mark.parametrize(
    "command", ["play", "games", "legal", "judge", "perft", "replay", "audit", "doctor"]
)
def test_every_command_explains_itself_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert f"companion {command}" in capsys.readouterr().out.partition("example:")[2]


def test_every_command_is_in_the_readme() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    for command in ("play", "games", "legal", "judge", "perft", "replay", "audit", "doctor"):
        assert f"companion {command}" in readme


def test_a_doubt_of_ours_is_told_as_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def doubts(arguments: object) -> int:
        raise Uncertain("two readings fit")

    monkeypatch.setattr(cli, "command", lambda name: doubts)
    assert main(["games"]) == 2
    assert capsys.readouterr().err == "companion is not sure: two readings fit\n"


# -- positions that no game has ------------------------------------------------------


def nested(depth: int) -> str:
    return '{"position": ' + "[" * depth + "]" * depth + "}"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (nested(100_000), "deep"),
        (nested(60), "deep"),
        (json.dumps({"position": {f"h{n}": "red black T" for n in range(30_000)}}), "more than"),
        (json.dumps({"earlier": ["8/8 w - - 0 1"] * 200_000}), "more than"),
        (json.dumps({"position": {"h4": "x" * 100_000}}), "longer than"),
        ('{"plies": 1e999}', "number"),
        ('{"plies": NaN}', "number"),
        (json.dumps({"plies": 10**300}), "number"),
        ('{"plies": ' + "9" * 5000 + "}", "number"),
        (" " * 17_000_000, "larger than"),
    ],
    ids=["nested", "deep", "spots", "values", "text", "infinite", "nan", "great", "digits", "file"],
)
@pytest.mark.parametrize("command", [("legal",), ("judge",), ("perft", "1")], ids=str)
def test_a_position_that_no_game_has_is_refused_before_any_work(
    run: Run, tmp_path: Path, command: tuple[str, ...], text: str, named: str
) -> None:
    file = tmp_path / "position.json"
    file.write_text(text)
    name, *rest = command
    status, lines, complaint = run(name, "victorus", *rest, "--position", str(file))
    assert (status, lines) == (2, [])
    assert named in complaint
    assert str(file) in complaint
    assert complaint.count("\n") == 1
    assert len(complaint) < 800


def changed(data: Any, seed: random.Random) -> Any:
    """Return ``data`` with something else in one of its places."""
    other = [0, -1, 10**9, 1.5, None, True, "", "-5", [], {}, [[]], ["a1"], {"a1": 1}, "x" * 1999]
    if isinstance(data, (dict, list)) and data and seed.random() < 0.7:
        place = seed.choice(list(data) if isinstance(data, dict) else range(len(data)))
        copy = data.copy()
        copy[place] = changed(data[place], seed)
        return copy
    if isinstance(data, list) and seed.random() < 0.5:
        return data * 3 + data[:-1]
    return seed.choice(other)


@pytest.mark.parametrize("name", games())
def test_a_state_that_somebody_changed_is_played_from_or_refused_in_one_sentence(
    run: Run, tmp_path: Path, name: str
) -> None:
    game, seed, file = find_game(name), random.Random(17), tmp_path / "state.json"
    state = game.start(game.setup())
    for _ in range(6):
        state = game.apply(state, seed.choice(game.legal(state)))
    whole = json.loads(json.dumps(game.dump(state)))
    for _ in range(60):
        file.write_text(json.dumps(changed(whole, seed)))
        status, _, complaint = run("legal", name, "--position", str(file))
        assert status in (0, 2)
        told = "the position cannot come about" in complaint
        assert complaint.count("\n") == (status == 2 or told), complaint
        assert "Error" not in complaint


# -- as one expects of a command -----------------------------------------------------


@pytest.mark.parametrize("port", ["99999", "65536", "-1", "http", "", "8e3", "²", "9" * 5000])
def test_a_port_that_is_none_is_told_before_anything_begins(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, port: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    status, lines, complaint = run("play", f"--port={port}")
    assert (status, lines) == (2, [])
    assert "from 0 to 65535" in complaint
    assert complaint.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_port_in_use_is_told_with_what_to_do(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = str(taken.getsockname()[1])
        status, _, complaint = run("play", "--host", "127.0.0.1", "--port", number)
    assert status == 2
    assert "in use" in complaint
    assert f"choose another, as with --port {int(number) + 1}" in complaint


def test_a_port_for_root_alone_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("socket.socket.bind", refused)
    with pytest.raises(BadInput, match="below 1024"):
        bound("127.0.0.1", 80)


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which ``companion`` is the command."""
    program = f"{sys.executable} -m companion"
    return subprocess.run(
        ["bash", "-c", line.replace("companion", program, 1)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is full")
@pytest.mark.parametrize(
    "words", ["games", "legal chess", "games --json", "--help", "play --help", "--version"]
)
def test_output_to_a_full_disk_is_told_in_one_sentence(words: str) -> None:
    done = shell(f"companion {words} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "companion: the output cannot be used: No space left on device\n"


@pytest.mark.parametrize("words", ["games", "legal victorus", "--help"])
def test_output_that_nobody_reads_to_its_end_is_no_fault(words: str) -> None:
    done = shell(f"companion {words} | true; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, done.stderr) == (0, "")
    assert shell(f"companion {words} >&-").returncode == 0


def test_what_a_terminal_cannot_show_is_written_as_its_number() -> None:
    done = shell("companion judge chess 'ﬀ'", PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_the_version_is_told_and_python_knows_the_command_by_its_package() -> None:
    told = shell("companion --version")
    assert told.returncode == 0
    name, version, kind = told.stdout.split(maxsplit=2)
    assert name == "companion"
    assert kind.strip() == f"({build_kind()})"
    assert version == importlib.metadata.version("tabletop-companion")


@pytest.mark.parametrize("words", ["frob", "play --frob", "perft chess", "perft chess -3", ""])
def test_words_that_are_not_understood_get_one_sentence(run: Run, words: str) -> None:
    status, lines, complaint = run(*words.split())
    assert (status, lines) == (2, [])
    assert complaint.count("\n") == 1
    assert "--help` lists" in complaint


def test_the_doctor_s_status_tells_whether_something_has_to_be_mended(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [Finding("python", "ok", "it is"), Finding("camera", "note", "none", "buy one")]
    monkeypatch.setattr("companion.commands.doctor.examine", lambda *_: found)
    assert run("doctor")[0] == 0
    found.append(Finding("disk", "fault", "it is full", "make room"))
    status, (told,), _ = run("doctor")
    assert status == 1
    assert told[-1]["check"] == "disk"
    assert main(["doctor"]) == 1


def test_at_any_free_port_phones_are_invited_to_the_very_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    play_request = request_of(parse(["play", "chess", "--port", "0"]))
    assert 0 < play_request.port <= 65535


def test_a_command_that_needs_no_lights_waits_for_no_arithmetic() -> None:
    done = shell("companion games; true", PYTHONPROFILEIMPORTTIME="1")
    assert "companion.machine.settings_file" in done.stderr
    assert not re.search(r"\| +(numpy|tomlkit|flask|cv2)$", done.stderr, re.MULTILINE)


@pytest.mark.parametrize("path", ["", ".", "/", "a/.."])
@pytest.mark.parametrize(
    "words",
    ["lights victorus --journal", "play victorus --journal", "play victorus --record",
     "backup", "print victorus --out", "calibrate v4l2:0 victorus --out"],
)  # fmt: skip
def test_a_path_without_a_name_is_no_file(run: Run, words: str, path: str) -> None:
    status, _, told = run(*words.split(), path)
    assert status == 2
    assert "is no name of a file" in told


def test_a_complaint_neither_colours_nor_clears_the_terminal(run: Run) -> None:
    status, _, told = run("audit", "\x1b[2J\x1b[31m\u202e.txt")
    assert status == 2
    assert told.rstrip("\n").isprintable()


@pytest.mark.parametrize(
    "words",
    ["record v4l2:97 recording", "calibrate v4l2:97 chess", "calibrate http://127.0.0.1:9/ chess"],
)
def test_a_camera_that_is_not_there_is_told_in_our_own_sentence_alone(
    words: str, tmp_path: Path
) -> None:
    done = shell(f"cd {tmp_path} && companion {words}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("companion: ")


@pytest.mark.parametrize("words", ["print chess --output x.pdf", "doctor now", "perft chess 2 -z"])
def test_words_that_a_command_does_not_know_lead_to_its_own_help(
    capsys: pytest.CaptureFixture[str], words: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert f"`companion {words.split()[0]} --help` lists" in capsys.readouterr().err


def test_without_a_word_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2
    assert "Begin with `companion play`" in capsys.readouterr().out


@pytest.mark.parametrize(("encoding", "drawn"), [("utf-8", True), ("ascii", False)])
def test_a_code_is_drawn_where_the_terminal_has_blocks_for_it(
    monkeypatch: pytest.MonkeyPatch, encoding: str, drawn: bool
) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    monkeypatch.setattr("sys.stdout", out)
    show_code("http://192.168.1.5:8000/join#ABCDEFGH")
    out.seek(0)
    told = out.read()
    assert ("\u2580" in told) is drawn
    assert "\\u" not in told


def test_a_word_too_many_is_told_whatever_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["play", "victorus", "extra"],
        ["play", "--players", "red=level:1", "victorus", "extra"],
    ):
        with pytest.raises(SystemExit):
            main(words)
        said = capsys.readouterr().err
        assert "“extra” means nothing here" in said
