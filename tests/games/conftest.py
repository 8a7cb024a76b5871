"""Helpers for the tests of the games."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

ORACLE = Path(__file__).parent.parent / "oracle"


@pytest.fixture(scope="session")
def victorus_oracle() -> ModuleType:
    """The naive Victorus that the engine is compared with."""
    if str(ORACLE) not in sys.path:
        sys.path.insert(0, str(ORACLE))
    return importlib.import_module("victorus_oracle")
