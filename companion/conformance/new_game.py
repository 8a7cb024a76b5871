"""Beginning a game: the skeleton of a distribution that the kit passes at once."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from companion.games import find_game
from companion.games.plugins import installed
from companion.rules import BadInput, quoted

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
LONGEST = 30
Parts = tuple[str, ...]
TAKEN = ("companion", "web", "vision", "hardware", "test", "tests")


def write_skeleton(name: str, into: Path) -> tuple[Path, ...]:
    """Write the skeleton of the game ``name`` into the new folder ``into``; return its files.

    Raises:
        BadInput: the name is no name for a game or taken, or the folder is there already.
        OSError: the files cannot be written.
    """
    game = check_name(name)
    if into.exists():
        raise BadInput(f"{into} is there already; take another --folder, or remove it")
    words = {
        "mygame": game,
        "My Game": game.replace("_", " ").title(),
        "MyGame": game.replace("_", " ").title().replace(" ", ""),
        "MG-": f"{game.replace('_', '')[:3].upper()}-",
    }
    written = []
    for parts, source in sorted(_files(resources.files(__package__) / "skeleton", ())):
        target = into.joinpath(*(part.replace("mygame", game) for part in parts))
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        for mark, word in words.items():
            text = text.replace(mark, word)
        target.write_text(text, encoding="utf-8")
        written.append(target)
    return tuple(written)


def check_name(name: str) -> str:
    """Return how programs call the game that is to be called ``name``.

    Raises:
        BadInput: no file could be called so, or there is such a game.
    """
    game = name.replace("-", "_")
    odd = not NAME.fullmatch(name) or len(name) > LONGEST or keyword.iskeyword(game)
    if odd or game in TAKEN:
        raise BadInput(
            f"{quoted(name)} is no name for a game: small letters, digits, - and _, beginning with "
            f"a letter, {LONGEST} at most"
        )
    if game in installed() or _known(game):
        raise BadInput(f"there is a game called {quoted(game)} already; choose another name")
    return game


def _known(game: str) -> bool:
    try:
        return find_game(game).name == game
    except BadInput:
        return False


def _files(
    folder: Traversable, above: tuple[str, ...]
) -> list[tuple[tuple[str, ...], Traversable]]:
    """Return the files of a folder and of those in it, each with the names that lead there."""
    found = []
    for one in folder.iterdir():
        if one.name in ("__pycache__", ".pytest_cache"):
            continue
        if one.is_dir():
            found += _files(one, (*above, one.name))
        elif not one.name.endswith(".pyc"):
            found.append(((*above, one.name), one))
    return found
