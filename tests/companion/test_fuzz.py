"""A little of soak/soak_fuzz.py, always the same: what nobody means is answered with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules.own import NOTHING, furnish
from tests.checks.fuzzing import Requests, Texts, fields


@pytest.fixture(autouse=True)
def no_cards_of_ones_own():
    yield
    furnish(lambda game: NOTHING)


def test_texts_that_nobody_means_are_refused_in_a_sentence() -> None:
    counted = Texts(1).run(1800)
    assert counted.failed == []
    assert counted.refused.total() > 600
    assert len({*counted.read, *counted.refused}) == 9


def test_requests_that_no_page_sends_are_answered_with_a_sentence(tmp_path: Path) -> None:
    requests = Requests(1, tmp_path)
    counted = requests.run(400)
    assert counted.failed == []
    assert counted.refused.total() > 100


def test_the_fields_of_requests_are_found() -> None:
    assert {"state_id", "action", "seat", "position", "record", "paused"} <= set(fields())
