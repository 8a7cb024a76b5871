"""Time controls as players write them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import TimeControlOption, TimePhase, read_control

CONTROL = TimeControlOption("minutes", "0", (), "X-1", "", most=1440)


@pytest.mark.parametrize(
    ("text", "phases"),
    [
        ("0", ()),
        ("5", (TimePhase(300.0),)),
        ("0.5", (TimePhase(30.0),)),
        ("3+2", (TimePhase(180.0, increment=2.0),)),
        ("5 d3", (TimePhase(300.0, delay=3.0),)),
        ("5b3", (TimePhase(300.0, delay=3.0, bronstein=True),)),
        ("40/90+30,30+30", (TimePhase(5400.0, 30.0, moves=40), TimePhase(1800.0, 30.0))),
        (
            "40/100, 20/50, 15 + 30",
            (TimePhase(6000.0, moves=40), TimePhase(3000.0, moves=20), TimePhase(900.0, 30.0)),
        ),
    ],
)
def test_a_time_control_is_read(text: str, phases: tuple[TimePhase, ...]) -> None:
    assert read_control(text, 1440) == phases
    assert CONTROL.problem(CONTROL.read(text)) is None
    assert read_control(CONTROL.read(text), 1440) == phases


@pytest.mark.parametrize(
    "text",
    ["", "-1", "5+", "5 x3", "40/90", "30,40/90", "30,30", "0/90,30", "1441", "5+9999", "0,5", "٥",
     "40/90,,30", "1/1," * 5 + "1", "9" * 500, "1e3", "5 d3 b3"],
)  # fmt: skip
def test_what_is_none_is_told_in_one_sentence(text: str) -> None:
    told = CONTROL.problem(text)
    assert told is not None
    assert "40/90+30,30+30" in str(told)
    assert len(str(told)) < 300


@pytest.mark.parametrize(
    ("text", "written"), [(" 5d3 ", "5 d3"), ("40 /90 +30 , 30", "40/90+30,30"), ("5", "5")]
)
def test_one_control_is_written_in_one_way(text: str, written: str) -> None:
    assert CONTROL.read(text) == written


@given(st.text(max_size=30))
def test_no_text_is_read_amiss(text: str) -> None:
    assert (CONTROL.problem(text) is None) == (read_control(text, 1440) is not None)
    assert CONTROL.read(CONTROL.read(text)) == CONTROL.read(text)


def test_a_drawn_control_fits() -> None:
    assert CONTROL.problem(CONTROL.draw(Random(3))) is None
