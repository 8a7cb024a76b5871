"""The games: ours, one folder each with a ``GAME``, and those that other packages bring."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from companion.games import plugins
from companion.games.guarded import logged
from companion.games.plugins import Unplayable
from companion.rules import BadInput, Game, Setup, is_texts, quoted, say

__all__ = ["Unplayable", "find_game", "forget", "games", "table_game", "unplayable"]

LONGEST = 40
"""Letters that the title of a game may have."""
OURS = "tabletop-companion"


@cache
def games() -> tuple[str, ...]:
    """Return the names of all games that can be played, in alphabetical order."""
    return tuple(name for name in _names() if not isinstance(_tried(name), Unplayable))


@cache
def unplayable() -> tuple[Unplayable, ...]:
    """Return what is installed and cannot be played, each with the reason: it cannot be loaded, or
    several packages bring a game of one name. Ours are played whoever else brings their like."""
    tried = [_tried(name) for name in _names()]
    both = sorted(_folders() & plugins.installed().keys())
    return (
        *(one for one in tried if isinstance(one, Unplayable)),
        *(Unplayable(name, plugins.twins(name, [OURS, *plugins.packages(name)])) for name in both),
    )


@lru_cache(64)
def find_game(name: str) -> Game[Any]:
    """Return the game called ``name``; a title such as ``Victory & Honor`` means it, too.

    Raises:
        BadInput: there is no such game, or it cannot be played.
    """
    known = _known(name)
    if known is None:
        titles = [find_game(one).title for one in games()]
        raise BadInput(
            say("there is no game {name}; there are {games}", name=quoted(name), games=titles)
        )
    if known in _folders():
        module = f"{__name__}.{known}"
        return plugins.loaded(known, OURS, lambda: import_module(module).GAME)
    return plugins.load(known)


def forget() -> None:
    """Look again, when somebody asks next, which games there are and what is wrong with them."""
    logged.clear()
    for kept in (games, unplayable, find_game, plugins.installed, _folders):
        kept.cache_clear()


@cache
def _folders() -> frozenset[str]:
    """Return the names of our own games. They are found by their folders, so that they are there
    in a source tree that nobody installed."""
    return frozenset(entry.name for entry in iter_modules(__path__) if entry.ispkg)


def _names() -> list[str]:
    return sorted({*_folders(), *plugins.installed()})


def _tried(name: str) -> Game[Any] | Unplayable:
    try:
        return find_game(name)
    except BadInput as error:
        return Unplayable(name, error.args[0])


def _known(name: str) -> str | None:
    """Return the game that ``name`` or a title such as ``Victory & Honor`` means. What others
    bring is looked for only where the name is none of ours."""
    if name in _folders():
        return name
    names = _names()
    if name in names:
        return name
    plain = "_".join(re.findall(r"[a-z0-9]+", name[:LONGEST].casefold()))
    return next((one for one in names if f"{plain}_".startswith(f"{one}_")), None)


def table_game(table_file: Mapping[str, Any]) -> tuple[Game[Any], Setup]:
    """Return the game that a table file names, and who plays it by which options.

    Raises:
        BadInput: a field is missing or wrong.
    """
    for name in ("game", "seats"):
        if name not in table_file:
            raise BadInput(f"the table file has no field {quoted(name)}")
    seats, options = table_file["seats"], table_file.get("options", {})
    if not is_texts(seats):
        raise BadInput(
            f'“seats” of the table file is a list such as “["red"]”, not {quoted(seats)}'
        )
    if not isinstance(options, dict):
        raise BadInput(f"“options” of the table file gives values for names, not {quoted(options)}")
    game = find_game(str(table_file["game"]))
    return game, game.setup(seats, {name: str(value) for name, value in options.items()})
