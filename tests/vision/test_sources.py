"""Frames from folders, pictures and videos."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules import BadInput
from vision.sources.sources import FolderSource, open_source

pytestmark = pytest.mark.opencv

GREY = np.full((24, 32, 3), 120, np.uint8)


def test_the_pictures_of_a_folder_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("10.png", "9.png", "100.png"):
        cv2.imwrite(str(tmp_path / name), GREY)
    (tmp_path / "table.json").write_text("{}")
    source = open_source(tmp_path)
    names = []
    while (frame := source.read()) is not None:
        names.append(frame.name)
        assert frame.image is not None
        assert frame.image.shape == (24, 32, 3)
    assert names == ["9.png", "10.png", "100.png"]


def test_a_damaged_picture_is_handed_out_with_its_trouble(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0000.png"), GREY)
    (tmp_path / "0001.png").write_bytes(b"no picture")
    (tmp_path / "0002.png").write_bytes(b"")
    source = FolderSource(tmp_path)
    frames = [source.read() for _ in range(3)]
    assert [f is not None and f.image is not None for f in frames] == [True, False, False]
    assert frames[1] is not None
    assert "0001.png cannot be read" in frames[1].trouble


def test_a_folder_without_pictures_and_one_with_none_readable_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no pictures"):
        open_source(tmp_path)
    (tmp_path / "0000.jpg").write_bytes(b"no picture")
    with pytest.raises(BadInput, match="no picture of"):
        open_source(tmp_path)


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not exist"):
        open_source(tmp_path / "nothing")
    (tmp_path / "film.avi").write_bytes(b"no film")
    with pytest.raises(BadInput, match="film"):
        open_source(tmp_path / "film.avi")


def test_a_single_picture_is_a_source_of_one_frame(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), GREY)
    source = open_source(tmp_path / "one.png")
    assert source.read() is not None
    assert source.read() is None


def test_the_frames_of_a_video_are_named_by_their_index(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    codec = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(path), codec, 10.0, (64, 48))
    for level in (40, 120, 200):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    source = open_source(path)
    frames = [source.read() for _ in range(3)]
    assert [f.name for f in frames if f] == ["000000", "000001", "000002"]
    assert [round(f.at, 1) for f in frames if f] == [0.0, 0.1, 0.2]
    assert source.read() is None
    source.close()
    assert source.read() is None


def test_a_film_whose_name_is_no_text_is_refused_in_a_sentence(tmp_path: Path) -> None:
    film = tmp_path / os.fsdecode(b"b\xff\xfe.avi")
    film.write_text("no film")
    with pytest.raises(BadInput, match="give it another name"):
        open_source(film)


def test_pictures_whose_names_are_no_text_are_read(tmp_path: Path) -> None:
    picture = tmp_path / os.fsdecode(b"b\xff") / os.fsdecode(b"b\xfe.png")
    picture.parent.mkdir()
    picture.write_bytes(cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1].tobytes())
    for path in (picture, picture.parent):
        assert open_source(path).read().image is not None
