"""Running the kit on a game, installed or still in its folder."""

from __future__ import annotations

import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import pytest

from companion.conformance.verdicts import Result, Verdicts
from companion.games import find_game, forget, games
from companion.games.plugins import GROUP
from companion.rules import BadInput, quoted

PLUGIN = "companion.conformance.pytest_plugin"
SUITE = Path(__file__).with_name("suite.py")


def conformance_of(name: str, quiet: bool = False) -> Result:
    """Run every check of the game ``name``, which is installed or lies in the folder ``name``, and
    return what it has reached. pytest tells what it does, on stderr where all is to be ``quiet``.

    Raises:
        BadInput: there is no such game, or it cannot be loaded.
    """
    with offered(name) as game:
        verdicts = Verdicts()
        told = [str(SUITE), "--companion-game", find_game(game).name, "-p", PLUGIN]
        usual = ["-q", "--no-header", "--tb=short", "--import-mode=importlib", "-o", "addopts="]
        # The command has loaded what a plain pytest would rewrite; nothing of it asserts.
        usual += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        where = ["--rootdir", os.curdir, "-p", "no:cacheprovider", "-p", "no:cov"]
        with redirect_stdout(sys.stderr if quiet else sys.stdout):
            status = pytest.main([*told, *usual, *where], plugins=[verdicts])
        found = verdicts.results()
        if not found:
            raise BadInput(f"{quoted(name)} could not be checked: pytest ended with {int(status)}")
        return found[0]


@contextmanager
def offered(name: str) -> Iterator[str]:
    """Let the game of a folder that is not installed be found as if it were; yield its name.

    Raises:
        BadInput: nothing of this name is installed, and it is no folder of a game.
    """
    folder = Path(name)
    declared = folder / "pyproject.toml"
    if name in games() or not declared.is_file():
        yield name
        return
    entries = entry_points_of(declared)
    with tempfile.TemporaryDirectory() as place:
        facts = Path(place) / "unpacked_game-0.dist-info"
        facts.mkdir()
        told = f"Metadata-Version: 2.1\nName: {folder.resolve().name}\nVersion: 0\n"
        (facts / "METADATA").write_text(told, encoding="utf-8")
        lines = [f"[{GROUP}]", *(f"{one} = {value}" for one, value in entries.items())]
        (facts / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
        source = folder / "src" if (folder / "src").is_dir() else folder
        added = [place, str(source.resolve())]
        sys.path[:0] = added
        forget()
        try:
            yield next(iter(entries))
        finally:
            for path in added:
                sys.path.remove(path)
            forget()


def entry_points_of(declared: Path) -> dict[str, str]:
    """Return the games that a ``pyproject.toml`` declares.

    Raises:
        BadInput: it cannot be read, or declares none.
    """
    try:
        found = tomllib.loads(declared.read_text(encoding="utf-8"))
        entries = found["project"]["entry-points"][GROUP]
        return {str(name): str(value) for name, value in entries.items()}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{declared} cannot be read: {error}") from error
    except (KeyError, AttributeError, TypeError) as error:
        raise BadInput(
            f'{declared} declares no game; it needs [project.entry-points."{GROUP}"]'
        ) from error
