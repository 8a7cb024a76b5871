"""The evening as a moving picture."""

from __future__ import annotations

import io
import shutil
import threading
from collections import Counter
from pathlib import Path

import cv2
import pytest
from PIL import Image

from companion.rules import Action, HardwareFault
from tests.checks.lacking import lacking
from tests.checks.online_table import wait_until
from web.timelapse import LAST, MILLISECONDS, MOST, Still, Timelapses, mp4, stills, webp


def jpeg(grey, size=(640, 480)):
    file = io.BytesIO()
    Image.new("RGB", size, (grey, grey, grey)).save(file, "JPEG")
    return file.getvalue()


def moved(picture):
    """Return the middles of all frames and how long each is seen."""
    film = Image.open(io.BytesIO(picture))
    seen = []
    for number in range(film.n_frames):
        film.seek(number)
        film.load()
        seen.append((film.convert("RGB").getpixel((240, 100))[0], film.info["duration"]))
    return seen


def test_photographs_follow_each_other_and_the_last_stays():
    film = moved(webp([Still(jpeg(40), "one", False), Still(jpeg(200), "two", True)]))
    assert [round(grey, -1) for grey, _ in film] == [40, 200]
    assert [time for _, time in film] == [MILLISECONDS, LAST]


@pytest.mark.parametrize("size", [(200, 640), (640, 200), (900, 100)])
def test_a_photograph_of_another_shape_is_not_stretched(size):
    shown = [Still(jpeg(40), "one", False), Still(jpeg(200, size), "two", False)]
    film = Image.open(io.BytesIO(webp(shown)))
    film.seek(1)
    grey = film.convert("L").point(lambda one: 255 * (150 < one < 230)).crop((0, 0, 480, 360))
    left, top, right, bottom = grey.getbbox()
    assert (right - left) / (bottom - top) == pytest.approx(size[0] / size[1], rel=0.06)


def test_what_cannot_be_read_is_left_out():
    shown = [Still(b"no picture", "one", False), Still(jpeg(90), "two", False)]
    assert len(moved(webp(shown))) == 1
    assert webp(shown[:1]) == b""


def test_the_same_evening_is_made_once():
    made, shown = Timelapses(), [Still(jpeg(90), "one", False)]
    assert made.of(shown, "webp") is made.of(list(shown), "webp")


def test_of_a_long_evening_so_many_are_shown_and_the_last_one():
    class Album:
        def shown(self, game, seq):
            return {"after": b"%d" % seq}

    move = {"photographs": ["after"], "text": "a", "ruling": None}
    long = {"number": 1, "moves": [{**move, "seq": n} for n in range(1, 3 * MOST)]}
    found = stills(Album(), long)
    assert MOST / 2 < len(found) <= MOST + 1
    assert found[-1].photograph == b"%d" % (3 * MOST - 1)


@pytest.fixture
def encoder():
    """The folder of the real encoder."""
    found = shutil.which("ffmpeg")
    if found is None:
        lacking("ffmpeg is not installed: apt install ffmpeg")
    return str(Path(found).parent)


def filmed(film, folder):
    """Return the grey of the middle of all frames of an MP4, and its kind of frames."""
    path = folder / "evening.mp4"
    path.write_bytes(film)
    read = cv2.VideoCapture(str(path))
    kind = int(read.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little").decode()
    greys = []
    while (frame := read.read()[1]) is not None:
        greys.append(int(frame[100, 240, 0]))
    return greys, kind


@pytest.mark.parametrize("size", [(640, 480), (641, 363), (333, 501)])
def test_as_mp4_photographs_follow_each_other_and_the_last_stays(encoder, tmp_path, size):
    shown = [
        Still(b"no picture", "none", False), Still(jpeg(40, size), "one", False),
        Still(jpeg(120, size), "two", True), Still(jpeg(200, size), "three", False),
    ]  # fmt: skip
    greys, kind = filmed(mp4(shown), tmp_path)
    assert kind == "h264"
    seen = Counter(round(grey, -1) for grey in greys)
    tenths = MILLISECONDS // 100
    assert list(seen) == [40, 120, 200]
    assert seen[40] == pytest.approx(tenths, abs=1) == pytest.approx(seen[120], abs=1)
    assert seen[200] == pytest.approx(LAST // 100, abs=1)


def test_of_nothing_that_can_be_read_there_is_no_film(encoder):
    assert mp4([Still(b"no picture", "one", False)]) == b""


@pytest.fixture
def replaced(tmp_path, monkeypatch):
    """Puts a shell script in the place of the encoder."""

    def put(script):
        program = tmp_path / "bin" / "ffmpeg"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")

    return put


LONG = [Still(jpeg(40 + n), "one", False) for n in range(20)]


@pytest.mark.parametrize("script", ["exit 1", "cat > /dev/null; exit 0", "kill -9 $$"])
def test_an_encoder_that_gives_up_is_told(replaced, script):
    replaced(script)
    with pytest.raises(HardwareFault, match="ffmpeg could not make the film"):
        mp4(LONG)


def gone(process):
    """Tell whether the process has ended; one that nobody asked about yet has ended as well."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


@pytest.mark.parametrize("heard", ["", "cat > /dev/null;"])
def test_an_encoder_that_never_ends_is_ended_with_what_it_started(
    replaced, tmp_path, monkeypatch, heard
):
    ids = tmp_path / "ids"
    replaced(f"sleep 1000 & echo $$ $! > {ids}.new; mv {ids}.new {ids}\n{heard} wait")
    begins = threading.Timer

    def once_it_runs(seconds, end):
        wait_until(ids.exists)
        return begins(0.1, end)

    monkeypatch.setattr(threading, "Timer", once_it_runs)
    with pytest.raises(HardwareFault, match="ffmpeg was still not done with the film after 60"):
        mp4(LONG)
    wait_until(lambda: all(map(gone, ids.read_text().split())))


def test_an_encoder_that_leaves_a_program_behind_is_swept_up_after(replaced, tmp_path):
    replaced(f"cat > /dev/null; sleep 1000 & echo $! > {tmp_path}/ids; exit 1")
    with pytest.raises(HardwareFault):
        mp4(LONG)
    wait_until(lambda: gone((tmp_path / "ids").read_text().strip()))


def test_who_asks_for_a_film_that_fails_reads_why(joined, refused_once, replaced):
    replaced("exit 1")
    answer = joined.get(f"{refused_once}/evening.mp4")
    assert answer.status_code == 503
    assert "ffmpeg could not make the film" in answer.text


@pytest.fixture
def refused_once(table):
    table.play(Action("move", "a1", "b3"), "camera", evidence={"after": jpeg(60)})
    table.play(Action("move", "a1", "a2"), "camera", evidence={"after": jpeg(90)})
    return f"/games/{table.game_id}"


def test_a_refused_move_is_captioned_with_its_ruling(joined, refused_once, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))  # no encoder
    answer = joined.get(f"{refused_once}/evening.webp")
    assert answer.mimetype == "image/webp"
    assert len(moved(answer.data)) == 2
    assert "evening.webp" in joined.get(refused_once).text
    assert joined.get(f"{refused_once}/evening.mp4").status_code == 404


def test_where_there_is_an_encoder_the_evening_is_offered_as_mp4(
    encoder, joined, refused_once, tmp_path, monkeypatch
):
    monkeypatch.setenv("PATH", encoder)
    assert "evening.mp4" in joined.get(refused_once).text
    answer = joined.get(f"{refused_once}/evening.mp4")
    assert answer.mimetype == "video/mp4"
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    assert {round(grey, -1) for grey in filmed(answer.data, tmp_path)[0]} == {60, 90}
    assert joined.get(f"{refused_once}/evening.gif").status_code == 404


@pytest.mark.parametrize("who", ["phone", "joined"])
def test_without_photographs_or_a_seat_at_the_table_there_is_none(who, request, table):
    answer = request.getfixturevalue(who).get(f"/games/{table.game_id}/evening.webp")
    assert answer.status_code == (403 if who == "phone" else 404)
