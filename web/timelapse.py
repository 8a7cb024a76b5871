"""The photographs of an evening one after another as a moving picture, each with what was done and
how it was ruled: MP4, which every messenger shows, where ``ffmpeg`` is installed, else WebP."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import textwrap
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from companion.journal import Journal
from companion.rules import HardwareFault, Text, say

MOST = 90
"""Photographs that are shown at most; of a longer evening every second one, every third ..."""
WIDTH, LINE, LINES, LETTERS = 480, 22, 3, 52
"""Of the picture and of the caption beneath it, in pixels; letters in a line."""
MILLISECONDS, LAST = 900, 4000
"""How long a photograph is looked at, and the last one."""
QUALITY = 55
ENCODER = "ffmpeg"
"""The program that makes MP4; it is not ours, and only called where there is one."""
PATIENCE = 60.0
"""Seconds that it may take for one evening; on the smallest computer it takes a third of that."""
PAPER, INK, REFUSED = "#100f0c", "#f0eadd", "#ff9b8e"


class Still(NamedTuple):
    """One photograph (JPEG) with its caption; ``refused`` if it shows what was not allowed."""

    photograph: bytes
    caption: str
    refused: bool


def stills(kept: Journal, past: Mapping[str, Any]) -> list[Still]:
    """Return the photographs that ``kept``, a journal, has of the game that ``past`` tells, at most
    :data:`MOST` of them: what lay on the table after each action and each refused one."""
    told = [one for one in past["moves"] if one["seq"] and "after" in one["photographs"]]
    chosen = told[:: -(-len(told) // MOST) or 1]
    if told and chosen[-1] is not told[-1]:
        chosen.append(told[-1])
    found = []
    for one in chosen:
        ruling = one["ruling"]
        refused = bool(ruling) and not ruling["allowed"]
        caption = f"✗ {one['text']}. {ruling['reason']}" if refused else one["text"]
        if photograph := kept.shown(past["number"], one["seq"]).get("after"):
            found.append(Still(photograph, caption, refused))
    return found


class Timelapses:
    """Makes them one at a time and keeps the last, for each takes seconds."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._made: tuple[list[Still], str, bytes] = ([], "", b"")

    def of(self, shown: list[Still], kind: str) -> bytes:
        """Return the moving picture of ``shown``, empty where nothing of it can be seen; ``kind``
        is one of :func:`kinds`.

        Raises:
            HardwareFault: the encoder failed, or another one is being made and takes too long.
        """
        if not self._guard.acquire(timeout=PATIENCE):
            raise HardwareFault(say("another evening is being made into a film; ask again later"))
        try:
            if self._made[:2] != (shown, kind):
                self._made = (shown, kind, _MAKERS[kind](shown))
            return self._made[2]
        finally:
            self._guard.release()


def kinds() -> list[str]:
    """Return the kinds of moving pictures that this machine makes, the best first."""
    return ["mp4", "webp"] if shutil.which(ENCODER) else ["webp"]


def mp4(shown: Sequence[Still]) -> bytes:
    """Return a film of ``shown``, empty where none of them can be read.

    Raises:
        HardwareFault: the encoder failed, or has not ended after :data:`PATIENCE` seconds.
    """
    frames = _frames(shown)
    first = next(frames, None)
    if first is None:
        return b""
    with TemporaryDirectory() as folder:
        film = Path(folder) / "film.mp4"
        looks = (
            "fps=10,pad=ceil(iw/2)*2:ceil(ih/2)*2,"
            f"tpad=stop_mode=clone:stop_duration={LAST - MILLISECONDS}ms"
        )
        command = [
            ENCODER, "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24",
            "-video_size", f"{first.width}x{first.height}", "-framerate", f"1000/{MILLISECONDS}",
            "-i", "-", "-vf", looks, "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(film),
        ]  # fmt: skip
        _encode(command, (frame.tobytes() for frame in chain([first], frames)))
        try:
            return film.read_bytes()
        except OSError:
            raise HardwareFault(_failed()) from None


def _encode(command: Sequence[str], frames: Iterator[bytes]) -> None:
    """Let a program that reads ``frames`` do its work; nothing that it started outlives this.

    Raises:
        HardwareFault: it failed, or did not end in time.
    """
    late = threading.Event()
    try:
        encoder = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    except OSError:  # it is not there any more
        raise HardwareFault(_failed()) from None

    def end() -> None:
        late.set()
        _end(encoder.pid)

    # It may neither take what it is given nor end: a thread of its own looks at the time.
    watch = threading.Timer(PATIENCE, end)
    watch.start()
    try:
        assert encoder.stdin is not None
        with suppress(OSError), encoder.stdin as given:  # it may have given up
            for frame in frames:
                given.write(frame)
        encoder.wait()
    finally:
        watch.cancel()
        _end(encoder.pid)
        encoder.wait()
    if late.is_set():
        raise HardwareFault(
            say(
                "{program} was still not done with the film after {seconds} seconds and was ended",
                program=ENCODER,
                seconds=round(PATIENCE),
            )
        )
    if encoder.returncode:
        raise HardwareFault(_failed())


def _end(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _failed() -> Text:
    return say("{program} could not make the film; the log says why", program=ENCODER)


def webp(shown: Sequence[Still]) -> bytes:
    """Return a moving WebP of ``shown``, empty where none of them can be read."""
    frames = list(_frames(shown))
    if not frames:
        return b""
    file = io.BytesIO()
    times = [MILLISECONDS] * (len(frames) - 1) + [LAST]
    frames[0].save(
        file, "WEBP", save_all=True, append_images=frames[1:], duration=times, loop=0,
        quality=QUALITY, method=2,
    )  # fmt: skip
    return file.getvalue()


_MAKERS = {"mp4": mp4, "webp": webp}


def _frames(shown: Sequence[Still]) -> Iterator[Any]:
    from PIL import Image, ImageDraw, ImageFont, ImageOps

    font: Any = ImageFont.load_default(16)
    height = 0
    for still in shown:
        try:
            file = Image.open(io.BytesIO(still.photograph), formats=("JPEG",))
            file.draft("RGB", (WIDTH, WIDTH))
            photograph = file.convert("RGB")
        except OSError:
            continue
        # All are as high as the first, none is stretched: what is kept is cut out round each move.
        height = height or min(WIDTH, round(WIDTH * photograph.height / photograph.width))
        frame = Image.new("RGB", (WIDTH, height + LINES * LINE + 8), PAPER)
        frame.paste(ImageOps.pad(photograph, (WIDTH, height), color=PAPER))
        # The letters that Pillow brings know no arrows and no signs.
        words = still.caption.replace("→", "-").replace("✗", "x")
        lines = textwrap.wrap(words, LETTERS, max_lines=LINES, placeholder=" ...")
        drawn = ImageDraw.Draw(frame)
        for number, line in enumerate(lines):
            place = (8, height + 4 + number * LINE)
            drawn.text(place, line, REFUSED if still.refused else INK, font)
        yield frame
