"""Decoding pictures: the head of the file is read first, and the rest only if the picture is of a
known kind and not too large."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np

from companion.rules import BadInput, Text, say
from companion.runtime.files import read_bytes
from vision.frames import Image

MOST_POINTS = 1 << 26
"""Pixels of the largest picture that is decoded, 67 million of three bytes each. Small files may
claim any number."""
MOST_BYTES = 1 << 28
"""Bytes of the largest file that is read: the largest picture uncompressed, with room for its
head."""
MOST_PARTS = 10_000
"""Segments before the pixels of a JPEG that are skipped; a real file has some dozens."""
KINDS = {
    b"\xff\xd8\xff": "Jpeg",
    b"\x89PNG\r\n\x1a\n": "Png",
    b"BM": "Bmp",
    b"RIFF": "WebP",
    b"II*\0": "Tiff",
    b"MM\0*": "Tiff",
}
"""What a picture begins with, and what Pillow calls its kind."""
PHONES_OWN = {
    **dict.fromkeys((b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1"), "HEIC"),
    **dict.fromkeys((b"avif", b"avis"), "AVIF"),
}
"""Kinds in which some phones keep their photographs, by the brand in their head."""


def load_picture(path: Path, name: str = "") -> Image:
    """Return the picture in the file, blue-green-red; ``name`` is what an error calls it instead
    of by its path.

    Raises:
        BadInput: there is none, it is too large, cut off, or of a kind that is not read.
    """
    try:
        data = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise _refused(name or str(path), str(error.strerror)) from error
    return decode(data, name or str(path))


def decode(data: bytes, name: str) -> Image:
    """Return the picture in ``data``, blue-green-red; ``name`` is what an error calls it.

    Raises:
        BadInput: there is none, it is too large, cut off, or of a kind that is not read.
    """
    if trouble := _trouble(data):
        raise _refused(name, trouble)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise _refused(name, _damaged())
    return np.asarray(image, np.uint8)


def kind_of(data: bytes) -> str:
    """Return the kind of picture that begins so, empty if it is none."""
    if data[4:8] == b"ftyp":
        return PHONES_OWN.get(data[8:12], "")
    kind = next((kind for start, kind in KINDS.items() if data.startswith(start)), "")
    return "" if kind == "WebP" and data[8:12] != b"WEBP" else kind


def _refused(name: str, why: str) -> BadInput:
    return BadInput(say("{picture} cannot be read: {why}", picture=name, why=why))


def _damaged() -> Text:
    return say("it is damaged or cut off; copy it again")


def _trouble(data: bytes) -> str:
    """Return what can be told to be wrong without decoding the picture, empty if nothing is."""
    if not data:
        return say("it is empty; copy it again")
    kind = kind_of(data)
    if kind in PHONES_OWN.values():
        return say("it is {kind}, a format of phones; save or send it as JPEG", kind=kind)
    if not kind:
        return say("it is no picture; JPEG, PNG, WebP, BMP and TIFF are read")
    if _CUT[kind](data):
        return say("it is cut off before its end; copy it again")
    return _too_large(data, kind)


def _too_large(data: bytes, kind: str) -> str:
    pillow = import_module("PIL.Image")
    reader = getattr(import_module(f"PIL.{kind}ImagePlugin"), f"{kind}ImageFile")
    most = MOST_POINTS // 1_000_000
    try:
        # Pillow warns of what is strange in a head. Only the size is asked for.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            width, height = reader(io.BytesIO(data)).size
    except pillow.DecompressionBombError:
        return say("it has more than {most} million points; make it smaller", most=most)
    except Exception:  # Pillow's readers raise whatever a damaged head leads to.
        return _damaged()
    if width * height > MOST_POINTS:
        return say(
            "it has {width} x {height} points, more than {most} million; make it smaller",
            width=width,
            height=height,
            most=most,
        )
    return ""


def _jpeg_cut(data: bytes) -> bool:
    """Tell whether the end is missing. What lies before the pixels, such as a small picture for
    previews, has ends of its own and is passed over."""
    at = 2
    for _ in range(MOST_PARTS):
        if data[at : at + 1] != b"\xff" or data[at + 1 : at + 2] == b"\xda":
            break
        at += 1 if data[at + 1 : at + 2] == b"\xff" else 2 + _number(data, at + 2, 2, "big")
    return data.find(b"\xff\xd9", at) < 0


def _tiff_cut(data: bytes) -> bool:
    """Tell whether the list of what the file holds, which may stand at its end, is missing."""
    return _number(data, 4, 4, "little" if data.startswith(b"II") else "big") + 2 > len(data)


def _number(data: bytes, at: int, size: int, order: str) -> int:
    return int.from_bytes(data[at : at + size], "big" if order == "big" else "little")


_CUT: dict[str, Callable[[bytes], bool]] = {
    "Jpeg": _jpeg_cut,
    "Png": lambda data: data.find(b"IEND") < 0,
    "Bmp": lambda data: _number(data, 2, 4, "little") > len(data),
    "WebP": lambda data: _number(data, 4, 4, "little") + 8 > len(data),
    "Tiff": _tiff_cut,
}


def to_jpeg(image: Image, quality: int) -> bytes:
    """Return ``image`` as the bytes of a JPEG file."""
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())
