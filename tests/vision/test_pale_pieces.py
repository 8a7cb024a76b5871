"""Where tokens are pale, spots are weighed together: a token lies on one spot only, and what stands
where nothing changed came nowhere."""

from __future__ import annotations

from tests.vision.test_in_hand import read
from tests.vision.test_leftovers import MOVED
from tests.vision.test_leftovers import read as explained

GONE = {"red white E": 0.19, None: 0.02}
"""What a spot shows from which a pale token left."""


def told(errors) -> list[str]:
    best = read(errors).best
    return [str(step.action) for step in best.story.steps] if best else []


def test_a_refused_move_is_told_though_what_stands_elsewhere_fits_a_little_better() -> None:
    like = {"red white E": 0.1, "orange black T": 0.04, None: 0.45}
    assert told({"g1": GONE, "i7": like}) == ["g1-i7"]


def test_a_refused_move_is_not_told_where_what_left_elsewhere_fits_better() -> None:
    like = {"red white E": 0.1, "red black T": 0.04, None: 0.45}
    gone = {"red black T": 0.19, None: 0.02}
    assert told({"g1": GONE, "i7": like, "h2": gone}) != ["g1-i7"]


def test_nor_where_something_that_stands_elsewhere_fits_incomparably_better() -> None:
    like = {"red white E": 0.15, "orange black T": 0.01, None: 0.9}
    assert told({"g1": GONE, "i7": like}) == []


def test_what_plainly_came_elsewhere_left_though_its_spot_hardly_shows_that() -> None:
    hardly = {"red white E": 0.15, None: 0.1}
    assert told({"g1": hardly, "i7": {"red white E": 0.01, None: 0.9}}) == ["g1-i7"]
    assert told({"g1": hardly, "i7": {"red white E": 0.2, None: 0.9}}) == [], "it may be anything"


def test_a_move_is_told_beside_both_a_shadow_and_what_looks_like_nothing() -> None:
    shaded = {"red black T": 0.29, None: 1.7}
    strange = {"red white T": 0.35, None: 0.7}
    moves, decoded, left = explained({**MOVED, "h2": shaded, "f2": strange})
    assert moves == ["g1-g3"]
    assert left == {"f2"}
    assert not decoded.best.story.illegal


def test_a_move_that_is_hard_to_see_is_told_beside_a_token_that_shows_though_not_well() -> None:
    hard = {"g1": {"red white E": 0.17, None: 0.01}, "g3": {"red white E": 0.31, None: 0.55}}
    beside = {"red black T": 0.16, None: 0.5}
    assert explained({**hard, "h2": beside})[0] == ["g1-g3"]
    assert explained({**hard, "h2": {"red black T": 0.5, None: 0.9}})[0] == []
