"""docs/adding-a-game.md, every line of it: in an environment of its own, as its reader does."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REPLACE = re.compile(
    r"In `([^`]+)`, replace\n\n```\w+\n(.*?)```\n\nby\n\n```\w+\n(.*?)```", re.DOTALL
)
WRITE = re.compile(r"Write `([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


class Reader:
    """Somebody who follows the guide: a folder to work in, and commands on the path."""

    def __init__(self, place: Path) -> None:
        self.desk, environment = place / "desk", place / "env"
        self.desk.mkdir()
        venv.create(environment)
        self._python = environment / "bin" / "python"
        (site,) = environment.glob("lib/python*/site-packages")
        # What the companion needs is there, and nothing is fetched.
        lines = f"{ROOT}\n{sysconfig.get_paths()['purelib']}\n"
        (site / "companion.pth").write_text(lines)
        usual = "--no-deps --no-build-isolation --no-index --quiet --disable-pip-version-check"
        self._command("companion", f'exec {self._python} -m companion "$@"')
        # Installed, the kit is found by its entry point; in a source tree it is named.
        kit = "-p companion.conformance.pytest_plugin -p no:cacheprovider"
        self._command("pytest", f'{self._python} -m pytest {kit} "$@"')
        pip = f"{sys.executable} -m pip --python {self._python} install"
        self._command("pip", f'shift; exec {pip} {usual} "$@"')
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "PATH": f"{self._python.parent}:{os.environ['PATH']}",
            "XDG_DATA_HOME": str(place / "data"),
        }

    def _command(self, name: str, does: str) -> None:
        file = self._python.with_name(name)
        file.write_text(f"#!/bin/sh\n{does}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def run(self, command: str, shown: list[str]) -> None:
        """Type a line; what the guide shows of its output has to be in it."""
        words, _, remark = command.partition("  # status ")
        if words.startswith("companion play"):
            self.play(words)
            return
        done = subprocess.run(
            words.split(), cwd=self.desk, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == int(remark or 0), f"{command}\n{done.stdout}{done.stderr}"
        missing = [line for line in shown if line not in done.stdout]
        assert not missing, f"{command}\n{done.stdout}{done.stderr}"

    def play(self, command: str) -> None:
        """Look at the page of a table that is served, and end it."""
        serving = subprocess.Popen(
            [*command.split(), "--json", "--host", "127.0.0.1", "--journal", "fox.sqlite3"],
            cwd=self.desk, env=self.environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert serving.stdout
            page = json.loads(serving.stdout.readline())["page"]
            with urllib.request.urlopen(f"{page}/api/state", timeout=60) as answer:
                assert json.load(answer)["game"] == "fox"
        finally:
            serving.terminate()
            serving.communicate()


def steps() -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield what the guide asks for, with where it stands."""
    for kind, form in (("replace", REPLACE), ("write", WRITE), ("console", CONSOLE)):
        for found in form.finditer(GUIDE):
            yield found.start(), kind, found.groups()


def test_nothing_in_the_guide_is_left_out() -> None:
    blocks = {"replace": 2, "write": 1, "console": 1}
    asked = [kind for _, kind, _ in steps()]
    assert sum(blocks[kind] for kind in asked) == len(FENCE.findall(GUIDE)) > 8


@pytest.mark.slow
def test_every_line_of_the_guide_does_what_it_says(tmp_path: Path) -> None:
    reader, ran = Reader(tmp_path), 0
    for _, kind, parts in sorted(steps()):
        if kind == "console":
            for told in parts[0].split("$ ")[1:]:
                command, *shown = told.strip().splitlines()
                reader.run(command, [line.strip() for line in shown])
                ran += 1
            continue
        file = reader.desk / parts[0]
        if kind == "write":
            file.write_text(parts[1], encoding="utf-8")
            continue
        text = file.read_text("utf-8")
        assert text.count(parts[1]) == 1, parts
        file.write_text(text.replace(parts[1], parts[2]), encoding="utf-8")
    assert ran > 8
