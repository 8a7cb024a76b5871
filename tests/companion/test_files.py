"""What somebody hands us by name may be no file at all: it is said, and never waited for."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main

NOTHING = ("victorus", "--seats", "red,purple")
READERS = {
    "look": ("look", "{}"),
    "look, its table": ("look", "{picture}", "--table", "{}"),
    "dice": ("dice", "{}"),
    "replay": ("replay", "{}"),
    "replay, its table": ("replay", "{folder}", "--table", "{}"),
    "record": ("record", "{}", "{new}"),
    "record, its table": ("record", "{folder}", "{new}", "--table", "{}"),
    "audit": ("audit", "{}"),
    "a position": ("legal", *NOTHING, "--position", "{}"),
    "restore": ("restore", "{}"),
    "a wiring": ("lights", "victorus", "--wiring", "{}"),
    "a practised wiring": ("wire", "victorus", "--pretend", "{}"),
    "play, its table": ("play", "--camera", "v4l2:0", "--table", "{}"),
    "play, its wiring": ("play", "--wiring", "{}", "--journal", "{new}"),
    "play, its panel": ("play", "--panel", "{}"),
}


def strange(folder: Path, kind: str) -> Path:
    path = folder / f"strange-{kind}"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(str(path))
    elif kind == "endless device":
        return Path("/dev/zero")
    return path


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket", "endless device"])
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_named_and_not_waited_for(
    tmp_path: Path, reader: str, kind: str, capsys: pytest.CaptureFixture[str], monkeypatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "table.json").write_text('{"game": "victorus", "seats": ["red", "purple"]}')
    picture = folder / "0000.bmp"
    picture.write_bytes(one_point())
    names = {"folder": folder, "picture": picture, "new": tmp_path / "new"}
    path = strange(tmp_path, kind)
    arguments = [text.format(path, **names) for text in READERS[reader]]
    assert main(arguments) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert path.name in complaint
    assert "Errno" not in complaint


def one_point() -> bytes:
    head = b"BM" + (58).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    size = (40).to_bytes(4, "little") + (1).to_bytes(4, "little") * 2
    return head + size + b"\1\0\x18\0" + bytes(24) + bytes(4)


def test_a_pipe_as_a_picture_ends_the_command_at_once(tmp_path: Path) -> None:
    pipe = strange(tmp_path, "pipe")
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "look", str(pipe)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert "it is a pipe" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_text_of_any_length_is_not_read(tmp_path: Path, capsys) -> None:
    long = tmp_path / "long.json"
    with long.open("wb") as file:
        file.truncate(10**12)
    assert main(["legal", "victorus", "--position", str(long)]) == 2
    assert "larger than 16 MB" in capsys.readouterr().err
