"""The last readings of a live table and how each came about; a trace as JSON values."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from companion.rules import BadInput, Board, say
from vision.board.calibrate import Camera
from vision.decoding.trace import Hypothesis, SpotTrace, Trace, shares
from vision.frames import Frame, Image
from vision.pictures import to_jpeg

KEPT, SPOTS, PICTURES = 200, 40, 6_000_000
"""Readings that are kept, spots of each, and bytes of all their pictures together."""
ACROSS, QUALITY = 960, 70
"""Pixels across of a picture that is kept, and its quality as JPEG."""


@dataclass(frozen=True, slots=True)
class KeptTrace:
    """One trace that was kept: when it was made (seconds since 1970), how many readings in a row
    said the same, how the camera saw the board, and the picture as JPEG, where one was read and
    something was new in it."""

    number: int
    at: float
    trace: Trace
    camera: Camera | None = None
    picture: bytes = b""
    times: int = 1


class Traces:
    """The last readings of one table, for any thread. Old ones go when new ones come."""

    def __init__(self, board: Board, now: Callable[[], float] = time.time) -> None:
        self._board, self._now = board, now
        self._kept: deque[KeptTrace] = deque(maxlen=KEPT)
        self._guard = threading.Lock()
        self._count = 0

    def keep(self, trace: Trace, frame: Frame, camera: Camera | None) -> None:
        """Keep the ``trace`` of ``frame``; one that says what the last one said counts with it."""
        last = self._kept[-1] if self._kept else None
        if last is not None and trace.alike(last.trace):
            with self._guard:
                self._kept[-1] = replace(last, trace=_short(trace), times=last.times + 1)
            return
        fresh = trace.verdict != "waited" and trace.spots and frame.image is not None
        picture = small_jpeg(frame.image) if fresh and frame.image is not None else b""
        self._count += 1
        kept = KeptTrace(self._count, self._now(), _short(trace), camera, picture)
        with self._guard:
            self._kept.append(kept)
            self._let_go()

    def _let_go(self) -> None:
        """Let the oldest pictures go of which there are too many bytes."""
        total = 0
        for index in range(len(self._kept) - 1, -1, -1):
            total += len(self._kept[index].picture)
            if total > PICTURES:
                self._kept[index] = replace(self._kept[index], picture=b"")

    def last(self) -> list[dict[str, Any]]:
        """Return the readings, the latest first, without their spots and searches."""
        with self._guard:
            kept = list(self._kept)
        return [_head(one) for one in reversed(kept)]

    def one(self, number: int) -> dict[str, Any]:
        """Return one reading with its trace.

        Raises:
            BadInput: it is not kept any more.
        """
        kept = self._found(number)
        return {**_head(kept), **told(kept.trace, self._board, kept.camera)}

    def picture(self, number: int) -> bytes:
        """Return the picture of a reading as JPEG.

        Raises:
            BadInput: it is not kept.
        """
        picture = self._found(number).picture
        if not picture:
            raise BadInput(say("no picture of this reading is kept"))
        return picture

    def _found(self, number: int) -> KeptTrace:
        with self._guard:
            found = next((one for one in self._kept if one.number == number), None)
        if found is None:
            raise BadInput(say("this reading is kept no longer"))
        return found


def small_jpeg(image: Image) -> bytes:
    """Return a picture as JPEG of a size for a page."""
    height, width = image.shape[:2]
    if width > ACROSS:
        size = (ACROSS, round(height * ACROSS / width))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return to_jpeg(image, QUALITY)


def told(trace: Trace, board: Board, camera: Camera | None) -> dict[str, Any]:
    """Return a trace as JSON values, outlines in pixels as ``camera`` sees the ``board``."""

    def pixels(outline: Sequence[tuple[float, float]]) -> list[list[float]]:
        if camera is None:
            return []
        return np.asarray(camera.project(outline)).round(1).tolist()  # type: ignore[no-any-return]

    return {
        "frame": trace.frame,
        "verdict": trace.verdict,
        "reason": trace.reason,
        "size": list(camera.size) if camera is not None else None,
        "board": [pixels(spot.outline) for spot in board.spots.values()],
        "spots": [_spot(spot, pixels(spot.outline)) for spot in _telling(trace)],
        "searches": [
            {
                "spots": list(search.spots),
                "result": search.result,
                "hypotheses": [_hypothesis(one) for one in search.hypotheses],
            }
            for search in trace.searches
        ],
    }


def _spot(spot: SpotTrace, outline: Sequence[Sequence[float]]) -> dict[str, Any]:
    share = shares([one.log_likelihood for one in spot.candidates])
    return {
        "spot": spot.spot,
        "believed": spot.believed,
        "marks": list(spot.marks),
        "outline": outline,
        "candidates": [
            {"token": one.token, "log_likelihood": one.log_likelihood, "share": p}
            for one, p in zip(spot.candidates, share, strict=True)
        ],
    }


def _hypothesis(one: Hypothesis) -> dict[str, Any]:
    return {
        "actions": list(one.actions),
        "prior": one.prior,
        "evidence": one.evidence,
        "circumstances": one.circumstances,
        "p": one.p,
        "against": list(one.against),
        "legal": one.legal,
    }


def _telling(trace: Trace) -> list[SpotTrace]:
    """Return the spots, those first that are marked or look like something else."""

    def dull(spot: SpotTrace) -> tuple[bool, bool]:
        fits = not spot.candidates or spot.candidates[0].token == spot.believed
        return not spot.marks, fits

    return sorted(trace.spots, key=dull)


def _short(trace: Trace) -> Trace:
    return (
        trace if len(trace.spots) <= SPOTS else replace(trace, spots=tuple(_telling(trace)[:SPOTS]))
    )


def _head(kept: KeptTrace) -> dict[str, Any]:
    return {
        "number": kept.number,
        "at": kept.at,
        "times": kept.times,
        "frame": kept.trace.frame,
        "verdict": kept.trace.verdict,
        "reason": kept.trace.reason,
        "picture": bool(kept.picture),
    }
