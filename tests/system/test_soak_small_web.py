"""Two evenings of what the pages' soak does for twenty, and proof that it sees faults."""

from __future__ import annotations

import pytest

import web.fragments
from tests.soak import soak_web as soak


@pytest.mark.slow
def test_two_evenings_pass_without_a_fault():
    told = soak.Soak(3, phones=3).run(2)
    assert told["told"] > 200
    assert told["errors"] == told["stale"] == told["wrong state"] == told["too many"] == 0


def test_a_part_that_is_kept_too_long_is_counted(monkeypatch):
    monkeypatch.setattr(web.fragments.PagePart, "fits", lambda part, view: True)
    assert soak.Soak(3, phones=2).run(1)["stale"] > 0
