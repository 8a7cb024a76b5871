"""Recorded games with truth, read from the folder; skipped where there are none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("name", ["victorus-1", "victorus-2"])
def test_every_still_is_right_and_every_event_is_told_once(
    name: str, recordings: Path, score: Callable[[Path], Any]
) -> None:
    if not (recordings / name).is_dir():
        pytest.skip(f"the recording {name} is not there")
    result = score(recordings / name)
    assert result.slips == []
    assert result.right == result.stills > 0
    assert result.hits == result.events > 0
    assert result.false == 0
