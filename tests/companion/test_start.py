"""The pages are there before the camera: nothing heavy is loaded for the first of them."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, url_for
from werkzeug.routing import Rule

from companion.commands.parser import FAMILIES, build_parser
from companion.games import find_game, games
from companion.live.composition import Composition, PlayRequest
from companion.machine.options import Parser
from web import compiled
from web.app import Route

HEAVY = (
    "babel", "cv2", "fpdf", "hypothesis", "numpy", "PIL", "segno", "snowballstemmer",
    "zeroconf", "companion.machine.doctor",
    "companion.live.service", "companion.referee.hints", "hardware.buttons", "hardware.pins",
    "vision.decoding.reader", "web.shelf",
    "vision.decoding.reading", "companion.simulation.table_camera",
)  # fmt: skip

FIRST_PAGES = """
import json, sys
from companion.commands import live
from companion.commands.parser import parse
from companion.live.composition import Composition
stage = Composition(live.request_of(parse(sys.argv[1:])))
phone = stage._app.test_client()
codes = [phone.get(path).status_code for path in ("/", "/table", "/rules", "/allowed")]
message = phone.get("/api/state").json["camera"]["message"]
print(json.dumps({"codes": codes, "message": message, "loaded": sorted(sys.modules)}))
stage.__exit__()
"""


def first_pages(folder: Path, *words: str) -> dict[str, Any]:
    """Return what a start answers before its camera is loaded, and what it has loaded."""
    command = [sys.executable, "-c", FIRST_PAGES, "play", *words, "--host", "127.0.0.1"]
    told: dict[str, Any] = json.loads(
        subprocess.check_output(
            [*command, "--port", "0", "--journal", str(folder / "game.sqlite3")]
        )
    )
    return told


@pytest.mark.parametrize("game", games())
def test_the_first_pages_are_there_before_anything_that_looks_at_the_table(
    game: str, tmp_path: Path
) -> None:
    told = first_pages(tmp_path, game)
    assert told["codes"] == [200, 200, 200, 200]
    assert told["message"] == "The table is starting."
    assert sorted({*HEAVY} & {*told["loaded"]}) == []


def test_nothing_is_searched_for_garbage_while_a_command_is_loaded() -> None:
    script = "import gc, sys; from companion.__main__ import main; searched = set()\n"
    script += "loaded = lambda *_: searched.add('companion.commands.rules' in sys.modules)\n"
    script += "gc.callbacks.append(loaded); sys.argv = ['companion', 'games']; main()\n"
    script += "print(searched, gc.isenabled())"
    told = subprocess.check_output([sys.executable, "-c", script], text=True)
    assert told.splitlines()[-1] == "{True} True"


@pytest.mark.parametrize("words", ["--help", "games", "games chess", "legal victorus"])
def test_a_quick_question_loads_neither_pages_nor_camera(words: str) -> None:
    script = "import sys; from companion.cli import main\ntry: main(sys.argv[1:])\nfinally: "
    script += "print([name for name in sys.modules], file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script, *words.split()], capture_output=True, text=True, check=False
    )
    loaded = done.stderr.rpartition("[")[2]
    assert "companion.cli" in loaded
    for name in (*HEAVY, "flask", "waitress", "segno"):
        assert f"'{name}'" not in loaded


def test_a_command_is_read_without_the_options_of_most_others() -> None:
    everything = commands_of(build_parser())
    assert everything == [name for names in FAMILIES.values() for name in names]
    for names in FAMILIES.values():
        for name in names:
            assert commands_of(build_parser(name)) == [*names]
    assert commands_of(build_parser("pla")) == everything


def commands_of(parser: Parser) -> list[str]:
    return [name for action in parser._actions for name in (action.choices or ())]


def test_what_puts_the_address_of_a_route_together_is_written_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[str] = []
    write = Rule._compile_builder

    def compile_builder(rule: Rule, *given: bool) -> Any:
        written.append(rule.rule)
        return write(rule, *given)

    monkeypatch.setattr(Rule, "_compile_builder", compile_builder)
    app = Flask("pages")
    app.url_rule_class = Route
    app.add_url_rule("/games/<int:number>/<path:name>", "game", defaults={"part": "all"})
    assert "/games/<int:number>/<path:name>" not in written
    with app.test_request_context():
        for number in (7, 12):
            told = url_for("game", number=number, name="a b/c", part="all", at=3)
            assert told == f"/games/{number}/a%20b/c?at=3"
    assert written.count("/games/<int:number>/<path:name>") == 1


def test_the_camera_starts_by_itself_once_the_pages_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = find_game("chess")
    play_request = PlayRequest(
        game=game, setup=game.setup(), journal=tmp_path / "evening.sqlite3", new=False,
        camera="simulated", table_file=None, lights="simulated", wiring=None, host="127.0.0.1",
        port=0, address="127.0.0.1",
    )  # fmt: skip
    with Composition(play_request) as stage:
        assert stage._eyes.status()["message"] == "The table is starting."
        assert not stage._eyes.status()["lost"]
        looked = threading.Event()
        monkeypatch.setattr(stage, "_changed", looked.set)
        stage.start()
        assert looked.wait(60)
        assert stage._eyes.status()["message"] != "The table is starting."


def test_what_is_compiled_is_kept_until_its_source_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "_path", lambda name: tmp_path / "new" / name)
    made: list[bytes] = []

    def make() -> bytes:
        made.append(b"compiled")
        return made[-1]

    for source in (b"one", b"one", b"two", b"two"):
        assert compiled.kept("it.mo", source, make) == b"compiled"
    assert len(made) == 2
    (tmp_path / "new" / "it.mo").write_bytes(b"torn")
    assert compiled.kept("it.mo", b"two", make) == b"compiled"
    assert len(made) == 3
    monkeypatch.setattr(compiled, "_path", lambda name: tmp_path / "new" / "it.mo" / name)
    assert compiled.kept("it.mo", b"two", make) == b"compiled"
