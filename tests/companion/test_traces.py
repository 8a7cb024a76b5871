"""The last readings of a live table: bounded in number and bytes, for any thread."""

from __future__ import annotations

import json
from itertools import count

import numpy as np
import pytest

from companion.games import find_game
from companion.live.traces import KEPT, PICTURES, SPOTS, Traces
from companion.rules import BadInput
from vision.board.calibrate import Camera
from vision.decoding.trace import Candidate, SpotTrace, Trace
from vision.frames import Frame

GAME = find_game("chess")
BOARD = GAME.board(GAME.setup())
NOISE = np.random.default_rng(1).integers(0, 256, (960, 1280, 3), dtype=np.uint8)


def trace(number, spots=1, verdict="took"):
    names = list(BOARD.spots)[:spots]
    found = tuple(
        SpotTrace(name, None, (Candidate(None, -1.0),), ("changed",), tuple(BOARD[name].outline))
        for name in names
    )
    return Trace(f"{number:04}.jpg", verdict, f"reason {number}", found)


@pytest.fixture
def traces():
    ticks = count(1000)
    return Traces(BOARD, lambda: float(next(ticks)))


def test_the_last_two_hundred_readings_are_kept_the_latest_first(traces):
    for number in range(KEPT + 5):
        traces.keep(trace(number, 0), Frame(None, 0.0), None)
    kept = traces.last()
    assert len(kept) == KEPT == 200
    assert (kept[0]["frame"], kept[-1]["frame"]) == ("0204.jpg", "0005.jpg")
    with pytest.raises(BadInput, match="kept no longer"):
        traces.one(1)


def test_readings_in_a_row_that_say_the_same_count_as_one(traces):
    for _ in range(50):
        traces.keep(trace(1, 0, "calm"), Frame(None, 0.0), None)
    traces.keep(trace(2), Frame(None, 0.0), None)
    assert [one["times"] for one in traces.last()] == [1, 50]


def test_pictures_are_kept_only_where_something_new_was_read(traces):
    frame = Frame(NOISE, 0.0)
    for number, verdict in enumerate(("waited", "calm", "took")):
        traces.keep(trace(number, 0 if verdict == "calm" else 1, verdict), frame, None)
    assert [one["picture"] for one in traces.last()] == [True, False, False]
    assert traces.picture(traces.last()[0]["number"])[:2] == b"\xff\xd8"
    with pytest.raises(BadInput, match="no picture"):
        traces.picture(traces.last()[1]["number"])


def test_the_bytes_of_all_pictures_are_bounded_and_the_oldest_go_first(traces):
    for number in range(60):
        traces.keep(trace(number), Frame(NOISE, 0.0), None)
    kept = traces.last()
    held = [len(traces.picture(one["number"])) for one in kept if one["picture"]]
    assert 0 < sum(held) <= PICTURES
    assert [one["picture"] for one in kept] == [True] * len(held) + [False] * (60 - len(held))
    assert len(held) < 60


def test_a_trace_of_a_whole_board_is_cut_to_its_telling_spots(traces):
    traces.keep(trace(1, 64), Frame(None, 0.0), None)
    assert len(traces.one(1)["spots"]) == SPOTS < 64


def test_a_trace_is_json_with_outlines_in_pixels(traces):
    camera = Camera(np.array([[2.0, 0, 320], [0, 2.0, 240], [0, 0, 1]]), size=(640, 480))
    traces.keep(trace(1), Frame(NOISE, 0.0), camera)
    one = json.loads(json.dumps(traces.one(1)))
    [spot] = one["spots"]
    assert spot["candidates"] == [{"token": None, "log_likelihood": -1.0, "share": 1.0}]
    assert len(one["board"]) == len(BOARD.spots)
    (x, y), *_ = BOARD[spot["spot"]].outline
    assert spot["outline"][0] == pytest.approx([320 + 2 * x, 240 + 2 * y], abs=0.1)
