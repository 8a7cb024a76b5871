"""A small part of the Invictus soak: seconds of what `make soak` does for hours."""

from __future__ import annotations

import pytest

from tests.soak import soak_invictus as soak


@pytest.mark.thorough
def test_a_quiet_evening_with_dice_of_other_colours_is_read_without_a_fault():
    score = soak.run(soak.Plan(21, (1280, 960), "markers", None, False), moves=2)
    assert score.counts["actions"] >= 2
    assert score.failures == []


def test_a_reading_that_never_happened_is_counted_as_false():
    evening = soak.DiceEvening(soak.Plan(1, (640, 480)))
    evening.read()
    judge = soak.Judge(evening)
    line = {"still": True, "position": evening.truth.position, "actions": []}
    assert judge.line(line)
    made_up = {"seat": "black", "from": "a3", "to": "a4", "legal": True, "p": 0.999}
    assert not judge.line({**line, "actions": [made_up]})
    assert judge.score.counts["false"] == 1
    assert judge.score.by_p[0.99] == [1, 0]


def test_a_set_up_misread_without_a_word_is_counted_as_wrong():
    evening = soak.DiceEvening(soak.Plan(1, (640, 480)))
    evening.read()
    other = {**evening.truth.position, "a2": "black ?"}
    judge = soak.Judge(evening)
    assert not judge.line({"still": True, "position": other, "actions": []})
    assert judge.score.counts["wrong"] == 1
