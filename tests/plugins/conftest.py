"""Packages of games as pip installs them: built from a copy of their folder, without network."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checks.foreign import found

HERE = Path(__file__).parent
PACKAGES = ("draughts", "morris")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install both packages into a folder of their own; return it."""
    sources, target = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("site")
    # Building leaves files beside the sources.
    copies = [shutil.copytree(HERE / name, sources / name) for name in PACKAGES]
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps"]
    pip += ["--no-build-isolation", "--quiet", "--target", str(target), *map(str, copies)]
    done = subprocess.run(pip, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(autouse=True)
def packages(site: Path) -> Iterator[None]:
    """Let the companion find them, and nothing of them after the test."""
    with found(site):
        yield
