"""A small part of the vision soak: seconds of what `make soak` does for minutes."""

from __future__ import annotations

import pytest

from tests.checks.soaking import read_evening, status
from tests.soak import soak_vision as soak


def read(seed, art, marks, *, trouble, moves=5):
    plan = soak.Plan(seed, (1280, 960), marks, art, trouble)
    return soak.run("victorus", plan, moves=moves)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("art", "marks"),
    [
        ("letters", "taps"),
        ("photos", "markers"),
        pytest.param("own", "markers", marks=pytest.mark.slow),
    ],
)
def test_a_quiet_evening_is_read_without_a_fault_whatever_the_art(art, marks):
    score = read(3, art, marks, trouble=False)
    assert score.counts["actions"] >= 5
    assert score.failures == []


def test_nothing_is_silently_wrong_on_a_troubled_evening():
    score = read(9, "own", "markers", trouble=True)
    assert score.counts["stills"] >= 5
    assert (score.counts["wrong"], score.counts["false"]) == (0, 0)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_evening():
    first, again = (read(5, "shapes", "taps", trouble=True, moves=2) for _ in range(2))
    assert first.counts == again.counts
    assert first.by_p == again.by_p


def test_an_evening_is_written_down_as_a_recording(tmp_path):
    plan = soak.Plan(7, (640, 480), "markers", "own", trouble=False)
    soak.run("victorus", plan, moves=1, save=tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"table.json", "truth.json", "000000.jpg"} <= names


def test_a_reading_that_never_happened_is_counted_as_false():
    evening = soak.Evening(soak.find_game("victorus"), soak.Plan(1, (640, 480)))
    evening.read()
    judge = soak.Judge(evening)
    made_up = {"seat": "red", "from": "h2", "to": "h4", "legal": True, "p": 0.999}
    line = {"still": True, "position": evening.truth.position, "actions": [made_up]}
    assert not judge.line(line)
    assert judge.score.counts["false"] == 1
    assert judge.score.by_p[0.99] == [1, 0]


def test_an_evening_that_breaks_the_program_is_told_with_its_seed():
    class Breaking(soak.Judge):
        def line(self, line):
            raise ValueError("broken")

    evening = soak.Evening(soak.find_game("victorus"), soak.Plan(17, (640, 480)))
    score = read_evening(Breaking(evening), "victorus", 1)
    assert [(told["what"], told["seed"]) for told in score.failures] == [("crashed", 17)]
    assert status(score) == 1
