"""What every test may use: the tiny game."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

TINY = Path(__file__).parent / "tiny"


@pytest.fixture(scope="session")
def tiny() -> Any:
    """A whole game on nine squares (see tiny/tiny_game.py)."""
    if str(TINY) not in sys.path:
        sys.path.insert(0, str(TINY))
    return importlib.import_module("tiny_game").TinyGame()
