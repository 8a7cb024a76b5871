"""Frames from files: a folder of stills, a single picture, a video."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np

from companion.rules import BadInput
from vision.frames import Frame, Image, Source

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})


def load_picture(path: Path) -> Image | None:
    """Return the picture in ``path``, blue-green-red, or None where it cannot be decoded."""
    try:
        data = np.fromfile(path, np.uint8)
    except OSError:
        return None
    if not data.size:
        return None
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


class FolderSource:
    """The pictures of a folder in the order of their names, numbers counted as numbers.

    A picture that cannot be decoded comes as a frame without image that says so.

    Raises:
        BadInput: the folder holds no picture, or none that can be decoded.
    """

    def __init__(self, folder: Path, interval: float = 1.0) -> None:
        if not folder.is_dir():
            raise BadInput(f"{folder} is not a folder of pictures")
        self._init(sorted(_pictures(folder), key=_order), str(folder), interval)

    def _init(self, paths: list[Path], name: str, interval: float) -> None:
        if not paths:
            raise BadInput(f"{name} holds no pictures; expected files such as 0000.jpg")
        self._paths, self._interval, self._next = paths, interval, 0
        if not any(load_picture(path) is not None for path in paths):
            raise BadInput(f"no picture of {name} can be read; are the files damaged?")

    def read(self) -> Frame | None:
        """Return the next picture; None after the last one."""
        if self._next >= len(self._paths):
            return None
        path, at = self._paths[self._next], self._next * self._interval
        self._next += 1
        image = load_picture(path)
        trouble = "" if image is not None else f"{path.name} cannot be read and is skipped"
        return Frame(image, at, path.name, trouble)

    def close(self) -> None:
        """Hand out no more pictures."""
        self._next = len(self._paths)


class PictureSource(FolderSource):
    """A single picture as a source of one frame."""

    def __init__(self, path: Path) -> None:
        self._init([path], str(path), 0.0)


class VideoSource:
    """The frames of a video file; a frame is named by its six-digit index.

    Raises:
        BadInput: the file cannot be opened as a video.
    """

    def __init__(self, path: Path) -> None:
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise BadInput(f"{path} cannot be opened as a video")
        self._rate = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        self._next = 0
        self._first: Frame | None = self._grab()
        if self._first is None:
            raise BadInput(f"no frame of the video {path} can be read")

    def read(self) -> Frame | None:
        """Return the next frame; None after the last one."""
        if self._first is not None:
            frame, self._first = self._first, None
            return frame
        return self._grab()

    def close(self) -> None:
        """Close the file."""
        self._first = None
        self._capture.release()

    def _grab(self) -> Frame | None:
        done, image = self._capture.read()
        if not done:
            return None
        index, self._next = self._next, self._next + 1
        return Frame(np.asarray(image, np.uint8), index / self._rate, f"{index:06d}")


def open_source(path: str | Path) -> Source:
    """Open a folder of pictures, a single picture or a video file.

    Raises:
        BadInput: nothing is there, or nothing in it can be read.
    """
    path = Path(path)
    if path.is_dir():
        return FolderSource(path)
    if not path.exists():
        raise BadInput(f"{path} does not exist; give a folder of pictures or a video file")
    if path.suffix.lower() in PICTURES:
        return PictureSource(path)
    return VideoSource(path)


def _pictures(folder: Path) -> list[Path]:
    return [p for p in folder.iterdir() if p.suffix.lower() in PICTURES and p.is_file()]


def _order(path: Path) -> tuple[list[tuple[int, int, str]], str]:
    parts = re.split(r"(\d+)", path.stem)
    return [(1, int(p), "") if p.isdigit() else (0, 0, p) for p in parts], path.name
