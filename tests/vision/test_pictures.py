"""Pictures as people hand them over: huge, cut off, of a phone's own kind, strangely named."""

from __future__ import annotations

import io
import os
import re
import struct
import subprocess
import sys
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

from companion.cli import main
from companion.rules import BadInput
from vision.pictures import MOST_POINTS, decode, load_picture
from vision.sources.sources import FolderSource, open_source

pytestmark = pytest.mark.opencv

WRITTEN = {
    "photo.jpg": {"format": "JPEG"},
    "progressive.jpeg": {"format": "JPEG", "progressive": True},
    "photo.png": {"format": "PNG"},
    "photo.bmp": {"format": "BMP"},
    "photo.webp": {"format": "WEBP"},
    "lossless.webp": {"format": "WEBP", "lossless": True},
    "photo.tif": {"format": "TIFF"},
    "packed.tiff": {"format": "TIFF", "compression": "tiff_lzw"},
}
SIDE = 16_000


def scene() -> Pillow.Image:
    chance = np.random.default_rng(17)
    rough = chance.integers(0, 255, (30, 40, 3), np.uint8)
    return Pillow.fromarray(cv2.resize(rough, (320, 240), interpolation=cv2.INTER_CUBIC))


def written(name: str, **more: object) -> bytes:
    out = io.BytesIO()
    scene().save(out, **{**WRITTEN[name], **more})
    return out.getvalue()


def from_phone() -> bytes:
    """A JPEG that carries a small picture for previews, with an end of its own, as phones' do."""
    small = io.BytesIO()
    scene().resize((32, 24)).save(small, "JPEG")
    data, preview = written("photo.jpg"), b"Exif\0\0" + small.getvalue()
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(preview) + 2) + preview + data[2:]


@cache
def huge_png(side: int = SIDE) -> bytes:
    """A PNG of one colour, a few kilobytes: it claims far more than it holds."""

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compressobj(9)
    row = bytes(3 * side + 1)
    data = b"".join(rows.compress(row) for _ in range(side)) + rows.flush()
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def claiming(name: str, side: int = SIDE) -> bytes:
    """A picture whose head says that it is ``side`` points wide and high."""
    data = bytearray(written(name))
    if name.endswith(("jpg", "jpeg")):
        at = next(i for i in range(len(data)) if data[i : i + 2] in (b"\xff\xc0", b"\xff\xc2"))
        data[at + 5 : at + 9] = struct.pack(">HH", side, side)
    elif name.endswith("bmp"):
        data[18:26] = struct.pack("<ii", side, side)
    elif name == "lossless.webp":
        at = data.index(b"VP8L") + 9
        rest = int.from_bytes(data[at : at + 4], "little") >> 28 << 28
        data[at : at + 4] = (rest | (side - 1) << 14 | (side - 1)).to_bytes(4, "little")
    elif name.endswith(("tif", "tiff")):
        return bytes(retagged(data, side))
    return bytes(data)


def retagged(data: bytearray, side: int) -> bytearray:
    (at,) = struct.unpack("<I", data[4:8])
    (count,) = struct.unpack("<H", data[at : at + 2])
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        if struct.unpack("<H", data[entry : entry + 2])[0] in (256, 257):
            data[entry + 2 : entry + 12] = struct.pack("<HII", 4, 1, side)
    return data


@pytest.mark.parametrize("name", WRITTEN)
def test_every_kind_is_read_whole(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(written(name))
    seen = load_picture(tmp_path / name)
    assert seen.shape == (240, 320, 3)
    wanted = np.asarray(scene(), int)[:, :, ::-1]
    assert np.abs(seen - wanted).mean() < 6


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("name", WRITTEN)
def test_a_picture_that_is_cut_off_is_named_as_that(name: str, part: float) -> None:
    data = written(name)
    with pytest.raises(BadInput, match=r"it is (damaged or )?cut off"):
        decode(data[: int(len(data) * part)], name)


@pytest.mark.parametrize("name", ["photo.jpg", "progressive.jpeg", "photo.png", "photo.webp"])
def test_what_was_cut_off_while_it_was_copied_is_sure(name: str) -> None:
    with pytest.raises(BadInput, match="cut off before its end; copy it again"):
        decode(written(name)[:-400], name)


def test_a_phones_photograph_with_a_preview_is_read_and_its_cut_is_seen() -> None:
    assert decode(from_phone(), "phone.jpg").shape == (240, 320, 3)
    with pytest.raises(BadInput, match="cut off before its end"):
        decode(from_phone()[:-2000], "phone.jpg")


def test_what_follows_the_end_of_a_photograph_does_no_harm() -> None:
    assert decode(from_phone() + b"made by a telephone", "phone.jpg").shape == (240, 320, 3)


@pytest.mark.parametrize(
    "name", [name for name in WRITTEN if name not in ("photo.png", "photo.webp")]
)
def test_a_picture_that_claims_too_much_is_refused_by_its_head(name: str) -> None:
    with pytest.raises(BadInput, match="more than 67 million"):
        decode(claiming(name), name)


@pytest.mark.thorough
def test_a_small_file_with_a_huge_picture_costs_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(huge_png())
    assert path.stat().st_size < 2_000_000
    measure = (
        # What a process that was forked takes over of its parent's peak is not its own.
        "import re, sys; from companion.cli import main; status = main(sys.argv[1:]); "
        "peak = re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read()); "
        "print(status, int(peak[1]) // 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", measure, "dice", str(path)], capture_output=True, text=True
    )
    assert "16000 x 16000 points, more than 67 million; make it smaller" in done.stderr
    status, megabytes = map(int, done.stdout.split())
    assert status == 2
    assert megabytes < 300


def test_the_largest_picture_of_a_phone_is_still_read() -> None:
    assert MOST_POINTS == 1 << 26, "8192 x 8192: phones take 8160 x 6120"
    assert decode(huge_png(5000), "large.png").shape == (5000, 5000, 3)


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC, a format of phones; save or send it"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "HEIC"),
        (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1", "AVIF"),
        (b"", "it is empty"),
        (b"<svg/>", "it is no picture; JPEG, PNG"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "it is no picture"),
        (b"\xff\xd8\xff", "cut off"),
        (b"\xff\xd8" + b"\xff" * 1_000_000, "cut off"),
        (b"\x89PNG\r\n\x1a\nIEND", "damaged"),
    ],
)
def test_what_cannot_be_read_is_called_by_its_name(data: bytes, named: str) -> None:
    with pytest.raises(BadInput, match=re.escape(named)):
        decode(data, "photo")


@pytest.mark.parametrize("name", WRITTEN)
def test_no_damage_leads_to_anything_but_a_picture_or_a_sentence(name: str) -> None:
    chance = np.random.default_rng(4)
    whole = np.frombuffer(written(name), np.uint8)
    for _ in range(60):
        data = whole[: chance.integers(1, whole.size + 1)].copy()
        for at in chance.integers(0, min(data.size, 400), 4):
            data[at] = chance.integers(256)
        with suppress(BadInput):
            assert decode(data.tobytes(), name).ndim == 3


def test_a_folder_tells_of_each_picture_what_is_wrong_with_it(tmp_path: Path) -> None:
    (tmp_path / "0.jpg").write_bytes(written("photo.jpg"))
    (tmp_path / "1.jpg").write_bytes(written("photo.jpg")[:-100])
    (tmp_path / "2.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    (tmp_path / "3.png").write_bytes(huge_png())
    (tmp_path / "4.png").write_bytes(b"")
    os.mkfifo(tmp_path / "5.png")
    source = FolderSource(tmp_path)
    told = [frame.trouble for frame in iter(source.read, None) if frame]
    assert [text.partition(" cannot be read: ")[0] for text in told] == [
        "", "1.jpg", "2.heic", "3.png", "4.png",
    ]  # fmt: skip
    assert ["cut off" in told[1], "HEIC" in told[2], "million" in told[3]] == [True] * 3


def test_digits_of_every_script_are_letters_of_a_name(tmp_path: Path) -> None:
    names = ["²³.png", "10.png", "9.png", "٣.png", "½.png", "x9.png", "x10.png", "9" * 200 + ".png"]
    for name in names:
        (tmp_path / name).write_bytes(written("photo.png"))
    source = open_source(tmp_path)
    told = [frame.name for frame in iter(source.read, None) if frame]
    assert sorted(told) == sorted(names)
    assert told.index("9.png") < told.index("10.png")
    assert told.index("x9.png") < told.index("x10.png")


def test_a_name_that_is_no_text_can_still_be_told(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff\xfe.png", "wb") as file:
        file.write(written("photo.png"))
    frame = open_source(tmp_path).read()
    assert frame is not None
    frame.name.encode("utf-8")


def test_a_picture_under_a_films_name_is_a_picture(tmp_path: Path) -> None:
    (tmp_path / "film.avi").write_bytes(huge_png())
    with pytest.raises(BadInput, match="16000 points, more than 67 million"):
        open_source(tmp_path / "film.avi")
    (tmp_path / "IMG_1.HEIC").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    with pytest.raises(BadInput, match="HEIC"):
        open_source(tmp_path / "IMG_1.HEIC")


def test_a_folder_that_holds_a_phones_photographs_alone_says_so(tmp_path: Path, capsys) -> None:
    (tmp_path / "IMG_1.HEIC").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    assert main(["record", str(tmp_path), str(tmp_path / "new")]) == 2
    assert "HEIC, a format of phones" in capsys.readouterr().err
