"""Frames from files: a folder of stills, what a board of sensors felt, a picture, a video."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.rules import BadInput
from companion.runtime.files import open_file
from vision import _cv
from vision.frames import Frame, Image, Source
from vision.pictures import MOST_POINTS, kind_of, load_picture
from vision.sensing.sensor_log import SENSORS, SensorLog

SIZE = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
PICTURES = frozenset(
    {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".heic", ".heif", ".avif"}
)
"""How pictures are called; the last three are not read, and it is said why."""


class FolderSource:
    """The pictures of a folder in the order of their names, numbers counted as numbers.

    They count as taken a second apart. A picture that cannot be decoded comes as a frame without
    image that says so. With ``follow`` the last one is followed by those that have come into the
    folder meanwhile.

    Raises:
        BadInput: the folder holds no picture, or none that can be decoded.
    """

    def __init__(self, folder: Path, *, follow: bool = False) -> None:
        if not folder.is_dir():
            raise BadInput(f"{folder} is not a folder of pictures")
        paths = sorted(_pictures(folder), key=_order)
        if not paths:
            raise BadInput(f"{folder} holds no pictures; expected files such as 0000.jpg")
        if not any(_read(path)[0] is not None for path in paths):
            raise BadInput(f"no picture of {folder} can be read: {_read(paths[0])[1]}")
        self._init(paths, folder if follow else None)

    def _init(self, paths: list[Path], folder: Path | None = None) -> None:
        self._paths, self._next, self._folder = paths, 0, folder
        self._tried: tuple[Path, int] | None = None

    def read(self) -> Frame | None:
        """Return the next picture; None where there is none, or none yet."""
        if self._next >= len(self._paths) and self._folder is not None:
            with suppress(BadInput):  # the folder is gone
                known = set(self._paths)
                fresh = (path for path in _pictures(self._folder) if path not in known)
                self._paths += sorted(fresh, key=_order)
        if self._next >= len(self._paths):
            return None
        path, at = self._paths[self._next], float(self._next)
        image, trouble = _read(path)
        if image is None and self._grows(path):
            return None
        self._next += 1
        return Frame(image, at, _shown(path), trouble, recorded=True)

    def _grows(self, path: Path) -> bool:
        """Tell whether the last picture, which cannot be read, may still be written: it has grown
        since it was tried last."""
        if self._folder is None or path != self._paths[-1]:
            return False
        try:
            now = path, path.stat().st_size
        except OSError:
            return False
        grows, self._tried = now != self._tried, now
        return grows

    def close(self) -> None:
        """Hand out no more pictures."""
        self._next, self._folder = len(self._paths), None


class PictureSource(FolderSource):
    """A single picture as a source of one frame.

    Raises:
        BadInput: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        load_picture(path)
        self._init([path])


class VideoSource:
    """The frames of a video file; a frame is named by its six-digit index.

    Raises:
        BadInput: the file cannot be opened as a video.
    """

    def __init__(self, path: Path) -> None:
        self._capture = _cv.capture(str(path))
        if not self._capture.isOpened():
            raise BadInput(f"{path} cannot be opened as a video")
        width, height = (self._capture.get(size) for size in SIZE)
        if width * height > MOST_POINTS:
            raise BadInput(f"{path} has pictures of {width:.0f} x {height:.0f}; make it smaller")
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
        at = index / self._rate
        return Frame(np.asarray(image, np.uint8), at, f"{index:06d}", recorded=True)


def open_source(path: str | Path, *, follow: bool = False) -> Source:
    """Open a folder of pictures, a single picture or a video file. With ``follow`` a folder may
    grow.

    Raises:
        BadInput: nothing is there, or nothing in it can be read.
    """
    path = Path(path)
    if (path / SENSORS).is_file():
        return SensorLog(path / SENSORS)
    if path.is_dir():
        return FolderSource(path, follow=follow)
    if not path.exists():
        raise BadInput(f"{path} does not exist; give a folder of pictures or a video file")
    if _called_picture(path) or _begins_as_picture(path):
        return PictureSource(path)
    return VideoSource(path)


def _pictures(folder: Path) -> list[Path]:
    try:
        return [p for p in folder.iterdir() if _called_picture(p) and p.is_file()]
    except OSError as error:
        raise BadInput(f"the folder {folder} cannot be read: {error.strerror}") from error


def _called_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURES


def _begins_as_picture(path: Path) -> bool:
    """Tell whether the file is a picture under another name; a film opens such pictures, too,
    however large they are."""
    try:
        with open_file(path) as file:
            return bool(kind_of(file.read(16)))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error


def _order(path: Path) -> tuple[list[int | str], str]:
    # Every second part is a number; ² is a digit of no number.
    parts = re.split(r"([0-9]+)", path.stem)
    return [int(part) if n % 2 else part for n, part in enumerate(parts)], path.name


def _shown(path: Path) -> str:
    """Return the name as it can be printed: a foreign system's letters may be none of ours."""
    return path.name.encode("utf-8", "backslashreplace").decode("utf-8")


def _read(path: Path) -> tuple[Image | None, str]:
    """Return the picture, or else what is wrong with it."""
    try:
        return load_picture(path, _shown(path)), ""
    except BadInput as error:
        return None, error.sentence
