"""The notation of actions, and that whatever else is typed is refused with a sentence."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import Action, BadInput, read_action, write_action

NOTATION = {
    "h2-h4": Action("move", "h2", "h4"),
    "e7-e8=Q": Action("move", "e7", "e8", "Q"),
    "a1-b2-c3-d4": Action("move", "a1", "d4", via=("b2", "c3")),
    "*b8": Action("place", None, "b8"),
    "*h2=K": Action("place", None, "h2", "K"),
    "end": Action("end"),
    "scout=red, 4": Action("scout", detail="red, 4"),
    "aa10-ab11": Action("move", "aa10", "ab11"),
}


@pytest.mark.parametrize("text", NOTATION)
def test_the_notation_is_read_and_written_alike(text: str) -> None:
    assert read_action(text) == NOTATION[text]
    assert write_action(NOTATION[text]) == text
    assert str(NOTATION[text]) == text


@pytest.mark.parametrize(
    "text", ["", "h2-", "-h4", "h2h4", "h2 - h4", "*", "*b", "h2-h4=", "END", "2h-4h", "h2", "a=\n"]
)
def test_what_is_no_action_is_refused_with_how_to_write_one(text: str) -> None:
    with pytest.raises(BadInput, match="is not an action; write a move as h2-h4"):
        read_action(text)


SPOTS = st.from_regex(r"[a-z]{1,2}[1-9][0-9]?", fullmatch=True)
DETAILS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)


@pytest.mark.no_cover  # other tests prove line by line
@given(SPOTS, st.lists(SPOTS, max_size=3), SPOTS, DETAILS)
@pytest.mark.slow
def test_every_move_survives_writing_and_reading(
    origin: str, via: list[str], target: str, detail: str
) -> None:
    action = Action("move", origin, target, detail, tuple(via))
    assert read_action(write_action(action)) == action


@pytest.mark.no_cover  # other tests prove line by line
@given(SPOTS, DETAILS)
def test_every_placing_survives_writing_and_reading(target: str, detail: str) -> None:
    action = Action("place", None, target, detail)
    assert read_action(write_action(action)) == action


def test_an_action_names_its_spots_from_the_first_to_the_last() -> None:
    action = read_action("c5-d6-e5-f4=Q")
    assert action.spots == ("c5", "d6", "e5", "f4")
    assert action.ends == ("c5", "f4")
    assert read_action("*b8").spots == read_action("*b8").ends == ("b8",)
    assert read_action("end").spots == ()


def test_an_action_from_another_process_is_found_where_its_like_is() -> None:
    made = "import pickle, sys; from companion.rules import Action; "
    made += "sys.stdout.buffer.write(pickle.dumps(Action('move', 'a1', 'a2')))"
    seeded = {**os.environ, "PYTHONHASHSEED": "1"}
    sent = subprocess.run([sys.executable, "-c", made], env=seeded, capture_output=True, check=True)
    assert pickle.loads(sent.stdout) in {Action("move", "a1", "a2")}
