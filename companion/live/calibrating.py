"""Calibrating from a phone: the live picture, the points that a person places, what is kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.rules import (
    BadInput,
    Board,
    Drawing,
    HardwareFault,
    Point,
    Position,
    quoted,
    say,
)
from companion.runtime.files import write_private
from vision.board.calibrate import Camera
from vision.board.calibration import (
    Located,
    entered,
    guess,
    handles,
    locate,
    locate_markers,
    locate_print,
    measured_markers,
    missing_markers,
    turned_to,
)
from vision.board.light_meter import light_meter
from vision.frames import Frame, Image, TableFile
from vision.pictures import to_jpeg

WORDS = {
    "guess": say("The board is not found yet. Put each point on the middle of its cell."),
    "points": say(
        "The outlines follow your points, but the picture does not confirm them: move the points "
        "until every outline lies on its printed cell."
    ),
    "print": say("The printed cells are found. Do all outlines lie on their cells?"),
    "men": say(
        "The pieces stand on other sides than your points say, so the board was turned. Do all "
        "outlines lie on their cells?"
    ),
    "markers": say("The printed markers are found. Do all outlines lie on their cells?"),
    "running": say("The camera knows the board. Do all outlines lie on their cells?"),
}
WHICH_SIDE = say(
    "The printed cells are found, but the board looks the same from several sides. Turn it until "
    "each point lies at its own cell."
)
NOT_FOUND = say(
    "the board is not found in this picture: show the camera all of it, with nobody leaning over "
    "it, or place the points"
)
AGAIN = 5.0
"""Seconds between two pictures in which the board is searched for unasked."""
SHOWN = 75
"""JPEG quality (0 to 100) of the pictures on the page."""
CORNERS = say("Put each point on the board's outer corner beside its cell.")


class Calibrator:
    """Finds the board together with a person (``web.Calibrator``).

    ``frame`` gives the camera's last frame or None, ``running`` the camera of the game's reader
    if it has one, ``table_file`` what that reader was given, ``position`` what should stand on the
    board, ``draw`` what a token looks like; ``keep`` takes the accepted table file. All methods may
    be called from any thread.
    """

    def __init__(
        self,
        board: Board,
        frame: Callable[[], Frame | None],
        position: Callable[[], Position],
        keep: Callable[[TableFile], None],
        running: Callable[[], Camera | None] = lambda: None,
        table_file: Callable[[], TableFile] = dict,
        draw: Callable[[str], Drawing] = lambda token: (),
    ) -> None:
        self._board, self._frame, self._position = board, frame, position
        self._keep, self._running, self._table_file = keep, running, table_file
        self._draw = draw
        self._guard = threading.RLock()
        self._ways: tuple[Located, ...] = ()
        self._points: dict[str, Point] = {}
        self._sought: Frame | None = None

    def picture(self) -> bytes:
        """Return the camera's last picture as JPEG.

        Raises:
            HardwareFault: the camera has not given one.
        """
        return to_jpeg(self._image(), SHOWN)

    def status(self) -> Mapping[str, Any]:
        """Return how the board is seen: ``size`` of the picture, ``points`` (name, x, y),
        ``outlines`` (spot -> pixels), ``how``, ``sure``, ``ways`` (how many ways round it may
        lie), ``words`` and ``remarks`` of the light meter (kind, text, bad).

        Raises:
            HardwareFault: the camera has not given a picture.
        """
        with self._guard:
            image = self._image()
            located, how = self._located(image)
            camera = located.camera
            names = handles(self._board)
            placed = self._points or _pixels(camera, names)
            words = CORNERS if how == "guess" and self._board.corners else WORDS[how]
            if len(self._ways) > 1 and how != "men":
                words = WHICH_SIDE
            return {
                "size": list(camera.size),
                "points": [
                    {"name": name, "x": round(x, 1), "y": round(y, 1)}
                    for name, (x, y) in placed.items()
                ],
                "outlines": outlines(camera, self._board),
                "how": how,
                "sure": located.sure,
                "ways": max(1, len(self._ways)),
                "words": words,
                "remarks": self._remarks(image, None if how == "guess" else camera),
            }

    def place(self, points: Mapping[str, Point]) -> None:
        """Take the points as a person put them: name -> pixel.

        Raises:
            BadInput: an unknown name, a pixel outside the picture, or points that fit no board.
            HardwareFault: the camera has not given a picture.
        """
        with self._guard:
            image = self._image()
            height, width = image.shape[:2]
            for name, (x, y) in points.items():
                if not (-width <= x <= 2 * width and -height <= y <= 2 * height):
                    raise BadInput(
                        say("point {spot} lies far outside the picture", spot=quoted(name))
                    )
            found = locate(image, self._board, points, self._position())
            self._ways = turned_to(image, self._board, found, self._men())
            self._points = {} if found.sure else dict(points)

    def find(self) -> None:
        """Look for the board in the picture as it is now, whatever was known before.

        Raises:
            BadInput: it is not found for certain.
            HardwareFault: the camera has not given a picture.
        """
        with self._guard:
            found = self._search(self._image())
            if not found:
                raise BadInput(NOT_FOUND)
            self._ways, self._points = found, {}

    def turn(self) -> None:
        """Turn the board to the next way round that it may lie."""
        with self._guard:
            self._ways = (*self._ways[1:], *self._ways[:1])

    def accept(self) -> None:
        """Keep what is shown: the game is read by it from now on, and what stands there learned
        anew.

        Raises:
            BadInput: the board is not found yet.
            HardwareFault: there is no picture, or the table file cannot be written.
        """
        with self._guard:
            image = self._image()
            located, how = self._located(image)
            if how == "guess":
                raise BadInput(say("the board is not found yet; place the points first"))
            if how == "running":
                file = dict(self._table_file())
            else:
                file = entered(self._board, located.camera)
                if located.sure:
                    file |= measured_markers(image, self._board, located.camera)
            self._keep(file)
            self._ways, self._points = (), {}

    def _image(self) -> Image:
        frame = self._frame()
        if frame is None or frame.image is None:
            raise HardwareFault(say("the camera has given no picture yet; is it plugged in?"))
        return frame.image

    def _located(self, image: Image) -> tuple[Located, str]:
        size = (image.shape[1], image.shape[0])
        if self._ways and self._ways[0].camera.size == size:
            return self._ways[0], self._ways[0].how
        running = self._running()
        if running is not None and running.size == size:
            return Located(running, "print"), "running"
        frame, sought = self._frame(), self._sought
        if frame is not None and (sought is None or not 0 <= frame.at - sought.at < AGAIN):
            self._sought, self._ways = frame, self._search(image)
        return (
            (self._ways[0], self._ways[0].how)
            if self._ways
            else (guess(self._board, size), "guess")
        )

    def _search(self, image: Image) -> tuple[Located, ...]:
        """Look for the board by its markers, else by its print."""
        position = self._position()
        markers = locate_markers(image, self._board, position)
        if markers is not None:
            return (markers,)
        return locate_print(image, self._board, self._men())

    def _men(self) -> dict[str, Drawing]:
        return {spot: self._draw(token) for spot, token in self._position().items()}

    def _remarks(self, image: Image, camera: Camera | None) -> list[dict[str, Any]]:
        unseen = missing_markers(image, self._board, self._table_file())
        remarks = light_meter(image, camera, self._board, unseen)
        return [{"kind": r.kind, "text": r.text, "bad": r.bad} for r in remarks]


def outlines(camera: Camera, board: Board) -> dict[str, list[list[float]]]:
    """Return the outline of every spot in pixels."""
    return {
        spot.name: [
            [round(float(x), 1), round(float(y), 1)] for x, y in camera.project(spot.outline)
        ]
        for spot in board.spots.values()
    }


def write_table_file(path: Path, file: Mapping[str, Any]) -> None:
    """Write a table file, whole or not at all.

    Raises:
        HardwareFault: the disk does not take it.
    """
    try:
        write_private(path, json.dumps(file, indent=1, ensure_ascii=False) + "\n")
    except OSError as error:
        raise HardwareFault(f"cannot write {path}: {error.strerror}") from error


def _pixels(camera: Camera, names: Mapping[str, Point]) -> dict[str, Point]:
    pixels = camera.project(list(names.values()))
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, pixels, strict=True)}
