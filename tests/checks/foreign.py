"""Games of other people: packages as pip would have installed them, found by entry point."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import companion.games

TINY = (Path(__file__).parents[1] / "tiny" / "tiny_game.py").read_text(encoding="utf-8")


def installed(
    folder: Path, name: str, more: str = "", *, package: str = "", source: str = ""
) -> Path:
    """Lay a package into ``folder`` that brings the tiny game as ``name``, with ``more`` of its
    class's body changed, or a module of another ``source``."""
    package = package or f"their-{name}"
    module = package.replace("-", "_")
    text = source or (
        f"{TINY}\n\nclass Theirs(TinyGame):\n    name = {name!r}\n    title = {name.title()!r}\n"
        f"{more}\n\nGAME = Theirs()\n"
    )
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    facts = folder / f"{module}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[companion.games]\n{name} = {module}:GAME\n")
    return folder


def pip_installed(folder: Path, *packages: Path) -> Path:
    """Install ``packages``, which are folders of sources, into ``folder`` as anybody would without
    network; return where they lie."""
    # Building leaves files beside the sources.
    copies = [shutil.copytree(package, folder / package.name) for package in packages]
    site = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps"]
    pip += ["--no-build-isolation", "--quiet", "--target", str(site), *map(str, copies)]
    done = subprocess.run(pip, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return site


@contextmanager
def found(folder: Path) -> Iterator[None]:
    """Let the packages in ``folder`` be found, and nothing of them afterwards."""
    known = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    companion.games.forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - known:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
        companion.games.forget()
