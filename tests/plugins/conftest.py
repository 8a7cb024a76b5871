"""Two games that come as packages of their own, installed and found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checks.foreign import found, pip_installed

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install both packages; return where they lie."""
    return pip_installed(tmp_path_factory.mktemp("pip"), HERE / "draughts", HERE / "morris")


@pytest.fixture(autouse=True)
def packages(site: Path) -> Iterator[None]:
    """Let the companion find them, and nothing of them after the test."""
    with found(site):
        yield
