"""The evening as a moving picture."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from companion.rules import Action
from web.timelapse import LAST, MILLISECONDS, MOST, Still, Timelapses, stills, timelapse


def jpeg(grey):
    file = io.BytesIO()
    Image.new("RGB", (640, 480), (grey, grey, grey)).save(file, "JPEG")
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
    film = moved(timelapse([Still(jpeg(40), "one", False), Still(jpeg(200), "two", True)]))
    assert [round(grey, -1) for grey, _ in film] == [40, 200]
    assert [time for _, time in film] == [MILLISECONDS, LAST]


def test_what_cannot_be_read_is_left_out():
    shown = [Still(b"no picture", "one", False), Still(jpeg(90), "two", False)]
    assert len(moved(timelapse(shown))) == 1
    assert timelapse(shown[:1]) == b""


def test_the_same_evening_is_made_once():
    made, shown = Timelapses(), [Still(jpeg(90), "one", False)]
    assert made.of(shown) is made.of(list(shown))


def test_of_a_long_evening_so_many_are_shown_and_the_last_one():
    class Album:
        def shown(self, game, seq):
            return {"after": b"%d" % seq}

    move = {"photographs": ["after"], "text": "a", "ruling": None}
    long = {"number": 1, "moves": [{**move, "seq": n} for n in range(1, 3 * MOST)]}
    found = stills(Album(), long)
    assert MOST / 2 < len(found) <= MOST + 1
    assert found[-1].photograph == b"%d" % (3 * MOST - 1)


def test_a_refused_move_is_captioned_with_its_ruling(joined, table):
    table.play(Action("move", "a1", "b3"), "camera", evidence={"after": jpeg(60)})
    table.play(Action("move", "a1", "a2"), "camera", evidence={"after": jpeg(90)})
    answer = joined.get(f"/games/{table.game_id}/evening.webp")
    assert answer.mimetype == "image/webp"
    assert len(moved(answer.data)) == 2
    assert "evening.webp" in joined.get(f"/games/{table.game_id}").text


@pytest.mark.parametrize("who", ["phone", "joined"])
def test_without_photographs_or_a_seat_at_the_table_there_is_none(who, request, table):
    answer = request.getfixturevalue(who).get(f"/games/{table.game_id}/evening.webp")
    assert answer.status_code == (403 if who == "phone" else 404)
