"""The games, one folder each. A folder with a ``GAME`` is found by its name."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from companion.rules import BadInput, Game


@cache
def games() -> tuple[str, ...]:
    """Return the names of all games, in alphabetical order."""
    return tuple(sorted(entry.name for entry in iter_modules(__path__) if entry.ispkg))


@cache
def find_game(name: str) -> Game[Any]:
    """Return the game called ``name``.

    Raises:
        BadInput: there is no such game.
    """
    if name not in games():
        raise BadInput(f"there is no game {name!r}; there are {', '.join(games())}")
    game: Game[Any] = import_module(f"{__name__}.{name}").GAME
    return game
