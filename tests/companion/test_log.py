"""`companion log`: of the service by its journal, else the file beside the games."""

from __future__ import annotations

import json
import logging
import os

import pytest

from companion.cli import main
from companion.commands.log import read_since
from companion.rules import BadInput
from companion.runtime.own_log import logged


@pytest.fixture
def kept(tmp_path):
    """A folder of games with three entries."""
    with logged(tmp_path / ".", "chess"):
        for word in ("one", "two", "three"):
            logging.getLogger("companion").warning(word)
    return tmp_path


def test_the_last_entries_of_a_folder_are_told(kept, capsys):
    assert main(["log", "--data", str(kept), "--lines", "2"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.rpartition(" ")[2] for line in shown] == ["two", "three"]
    assert main(["log", "--data", str(kept), "--since", "1h", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 3


def test_no_entry_is_told_as_that(tmp_path, capsys):
    assert main(["log", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "Nothing has been logged.\n"


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A machine with the service, whose journalctl answers what the test writes."""
    unit = tmp_path / "etc/systemd/system/companion.service"
    unit.parent.mkdir(parents=True)
    unit.touch()
    program = tmp_path / "bin" / "journalctl"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

    def answers(script):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return tmp_path

    return answers


def test_the_journal_of_the_service_is_asked_and_codes_are_left_out(served, capsys):
    root = served('echo "$@"; echo "join: http://a/join#SECRET"; echo "x █▀▀ ▄█"; echo last')
    assert main(["log", "--root", str(root), "--lines", "7", "--since", "2026-11-24T20:15Z"]) == 0
    asked, invited, last = capsys.readouterr().out.splitlines()
    assert asked.startswith("-u companion --no-pager")
    assert asked.endswith("-n 7 --since=@1795551300")
    assert (invited, last) == ("join: http://a/join#…", "last")


def test_a_journal_that_may_not_be_read_is_told_in_a_sentence(served, capsys):
    root = served("echo 'No permission' >&2; exit 1")
    assert main(["log", "--root", str(root)]) == 2
    assert "does not tell the log of the service: No permission" in capsys.readouterr().err


def test_a_time_is_so_long_ago_or_a_day():
    assert read_since("30m", 10_000.0) == 8_200.0
    assert read_since("2h", 10_000.0) == 2_800.0
    assert read_since("3d", 10_000.0) == 0.0
    assert read_since("1970-01-02T00:00:00+00:00", 0.0) == 86_400.0
    for text in ("", "soon", "5", "-3m", "2026-13-01", "٣m", "0001-01-01"):
        with pytest.raises(BadInput, match="write 30m"):
            read_since(text, 1e9)
