"""Values in hot paths: equal by their parts, changed by being made anew."""

from __future__ import annotations

from typing import Final

import pytest

from companion.rules.plain import Plain


class Spot(Plain):
    """A place with a remark that does not count."""

    PARTS = ("x", "y", "remark")
    __slots__ = PARTS
    SAME = ("x", "y")
    KEY = ("x",)

    def __init__(self, x: int, y: list[int], remark: str = "") -> None:
        self.x: Final = x
        self.y: Final = y
        self.remark: Final = remark


class Other(Spot):
    """Of another kind."""


def test_values_are_equal_by_the_parts_that_count() -> None:
    here = Spot(1, [2], "here")
    assert here == Spot(1, [2], "there")
    assert here != Spot(1, [3], "here")
    assert here != Other(1, [2], "here")
    assert here != (1, [2], "here")


def test_equal_values_have_one_hash_though_a_part_cannot_be_hashed() -> None:
    assert hash(Spot(1, [2], "here")) == hash(Spot(1, [2], "there"))


def test_a_changed_value_is_another_one() -> None:
    here = Spot(1, [2], "here")
    there = here.but(x=5, remark="there")
    assert repr(there) == "Spot(x=5, y=[2], remark='there')"
    assert repr(here) == "Spot(x=1, y=[2], remark='here')"
    with pytest.raises(TypeError):
        here.but(z=1)
