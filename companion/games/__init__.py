"""The games, one folder each. A folder with a ``GAME`` is found by its name."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from companion.rules import BadInput, Game, quoted, say

LONGEST = 40
"""No title of a game has more letters."""


@cache
def games() -> tuple[str, ...]:
    """Return the names of all games, in alphabetical order."""
    return tuple(sorted(entry.name for entry in iter_modules(__path__) if entry.ispkg))


@lru_cache(64)
def find_game(name: str) -> Game[Any]:
    """Return the game called ``name``.

    Raises:
        BadInput: there is no such game.
    """
    module = _module(name)
    if module is None:
        titles = [find_game(one).title for one in games()]
        raise BadInput(
            say("there is no game {name}; there are {games}", name=quoted(name), games=titles)
        )
    game: Game[Any] = import_module(f"{__name__}.{module}").GAME
    return game


def _module(name: str) -> str | None:
    """Return the folder of the game that ``name`` or a title such as ``Victory & Honor`` means."""
    if name in games():
        return name
    plain = "_".join(re.findall(r"[a-z0-9]+", name[:LONGEST].casefold()))
    return next((one for one in games() if f"{plain}_".startswith(f"{one}_")), None)
