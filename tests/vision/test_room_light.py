"""A recording, read as another room would have given it, tells nothing that did not happen."""

from __future__ import annotations

import pytest

from tests.checks.recordings import recording
from tests.soak.soak_light import judge


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["sun", "wandering_sun", "blinds", pytest.param("veil", marks=pytest.mark.slow)]
)
def test_every_still_is_read_under_other_light(kind: str) -> None:
    counts = judge(recording("victorus-1"), kind, 1)
    assert counts["right"] == counts["stills"] == 18
    assert counts["told"] == counts["events"] == 15
    assert counts["false"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed"), [("invictus-2", 61), ("invictus-2", 501), ("chess-2", 61)]
)
def test_dice_and_men_are_read_where_a_lamp_is_mirrored(name: str, seed: int) -> None:
    counts = judge(recording(name), "veil", seed)
    assert counts["right"] == counts["stills"]
    assert counts["told"] == counts["events"]
    assert counts["false"] == 0


@pytest.mark.slow
def test_dice_are_read_on_while_the_camera_sags_until_a_row_is_out_of_the_picture() -> None:
    counts = judge(recording("invictus-2"), "sagging", 501)
    assert counts["right"] == counts["stills"]
    assert (counts["told"], counts["false"]) == (counts["events"], 0)


@pytest.mark.slow
def test_two_pieces_swapped_and_put_right_beside_a_shadow_lie_as_before() -> None:
    counts = judge(recording("victorus-4"), "shadow_beside", 61)
    assert counts["right"] == counts["stills"] == 42


@pytest.mark.slow
def test_round_who_leans_over_the_rim_every_move_is_told() -> None:
    counts = judge(recording("victorus-1"), "head", 1)
    assert counts["told"] == counts["events"] == 15
    assert counts["false"] == counts["hands"] == 0
    assert counts["right"] + counts["waited"] == 18, "the first picture with him is waited for"
