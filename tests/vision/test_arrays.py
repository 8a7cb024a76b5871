"""Faces and mats that were kept are read as somebody else might have written them."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from companion.live.face_file import load_taught
from companion.rules import BadInput
from vision.arrays import MOST_BYTES, read_arrays
from vision.tokens.album import load_album

FACES = {"one": np.arange(600, dtype=np.float32), "two": np.eye(9, dtype=np.float16)}


def packed(arrays: dict[str, np.ndarray]) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def bomb() -> bytes:
    """More of nothing than may be unpacked, in a hundred and thirty kilobytes."""
    out = io.BytesIO()
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"shape": (MOST_BYTES,), "fortran_order": False, "descr": "|u1"}
    )
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("face.npy", "w", force_zip64=True) as file,
    ):
        file.write(head.getvalue())
        for _ in range(MOST_BYTES >> 20):
            file.write(bytes(1 << 20))
    return out.getvalue()


def single() -> bytes:
    out = io.BytesIO()
    np.save(out, FACES["one"])
    return out.getvalue()


def test_what_was_kept_is_read_again() -> None:
    again = read_arrays(packed(FACES))
    assert again.keys() == FACES.keys()
    assert all((again[name] == FACES[name]).all() for name in FACES)


def test_an_archive_that_unpacks_to_too_much_is_not_unpacked() -> None:
    with pytest.raises(BadInput, match="unpacks to more than 134 MB"):
        read_arrays(bomb())


@pytest.mark.parametrize("data", [b"", b"no archive", single(), packed({"face": np.array([{}])})])
def test_what_holds_no_named_arrays_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput):
        read_arrays(data)


def test_no_damage_leads_to_anything_but_arrays_or_a_sentence() -> None:
    chance, whole = np.random.default_rng(5), np.frombuffer(packed(FACES), np.uint8)
    refused = 0
    for _ in range(400):
        data = whole[: chance.integers(1, whole.size + 1)].copy()
        for at in chance.integers(0, data.size, 4):
            data[at] = chance.integers(256)
        try:
            assert read_arrays(data.tobytes()) is not None
        except BadInput:
            refused += 1
    assert refused > 300


def test_a_pipe_in_the_place_of_faces_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "faces.npz"
    os.mkfifo(pipe)
    assert load_taught(pipe) == {}
    with pytest.raises(BadInput, match="does not hold the faces"):
        load_album(pipe, "chess")
