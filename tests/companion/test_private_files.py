"""What a table keeps is its owner's alone: nobody else on the machine reads or lists it."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.calibrating import write_table_file
from companion.live.face_file import save_taught
from companion.live.recording import Recording
from companion.machine.backup import back_up, restore
from companion.runtime.files import write_private
from companion.runtime.supervisor import Supervisor
from companion.table import Table


@pytest.fixture(autouse=True)
def _everybody_may_read() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def readable(folder: Path) -> dict[str, str]:
    """Return what others may read under ``folder``, itself left out."""
    found = {path: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    return {str(path.relative_to(folder)): oct(mode) for path, mode in found.items() if mode & 0o77}


def test_journals_and_what_lies_beside_them(tmp_path: Path) -> None:
    game = find_game("chess")
    with Journal(tmp_path / "chess.sqlite3") as journal:
        Table.create(journal, game, game.setup())
        write_table_file(tmp_path / "chess.table.json", {"markers": {}})
        save_taught({"ace": np.zeros((4, 4), np.float32)}, tmp_path / "chess.faces.deck.npz")
        assert readable(tmp_path) == {}


def test_backups_and_what_is_restored(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    game = find_game("chess")
    with Journal(data / "chess.sqlite3") as journal:
        Table.create(journal, game, game.setup())
    back_up(data, tmp_path / "backup.zip", 0.0)
    restore(tmp_path / "backup.zip", tmp_path / "other")
    assert readable(tmp_path) == {}


def test_recordings(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "evening")
    recording.describe({"game": "chess"})
    assert recording.add(b"\xff\xd8", {"frame": "0000.jpg"})
    recording.describe({"game": "chess", "told": {}})
    assert readable(tmp_path) == {}


def test_what_went_wrong(tmp_path: Path) -> None:
    stop = threading.Event()
    file = tmp_path / "data" / "chess.troubles.json"
    supervisor = Supervisor(stop, file=file, wait=lambda seconds: stop.set())
    supervisor.run("lights", lambda: 1 / 0 > 0)
    assert json.loads(file.read_text())
    assert readable(tmp_path) == {}


def test_a_file_that_everybody_could_read_is_closed_when_it_is_written(tmp_path: Path) -> None:
    for name in ("kept.json", "kept.json.new"):
        (tmp_path / name).write_text("old")
    write_private(tmp_path / "kept.json", "fresh")
    assert (tmp_path / "kept.json").read_text() == "fresh"
    assert readable(tmp_path) == {}


def test_a_damaged_journal_is_replaced_by_its_backup(tmp_path: Path) -> None:
    game = find_game("chess")
    with Journal(tmp_path / "chess.sqlite3") as journal:
        Table.create(journal, game, game.setup())
    back_up(tmp_path, tmp_path / "backup.zip", 0.0)
    (tmp_path / "chess.sqlite3").write_bytes(b"torn" * 1000)
    restore(tmp_path / "backup.zip", tmp_path, replace=True)
    with Journal(tmp_path / "chess.sqlite3") as journal:
        assert Table.resume(journal).game is game
