"""Games that other packages bring: found by the entry point group ``companion.games``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint, distributions, entry_points
from typing import Any, NamedTuple

from companion.games.guarded import guarded
from companion.rules import BadInput, Game, Text, bring, package_of, quoted, say

GROUP = "companion.games"
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
"""How the id of a game may be written, for it names files, seats in journals and commands."""


class Unplayable(NamedTuple):
    """A game that is installed and cannot be played: its ``name``, and in one sentence why."""

    name: str
    reason: Text


@cache
def installed() -> dict[str, tuple[EntryPoint, ...]]:
    """Return what other packages offer, by the name of the game: one entry for each if all is
    well."""
    found: dict[str, dict[tuple[str, str], EntryPoint]] = {}
    for entry in _offered():
        found.setdefault(entry.name, {})[package(entry), entry.value] = entry
    return {name: tuple(found[name][key] for key in sorted(found[name])) for name in sorted(found)}


def _offered() -> Iterator[EntryPoint]:
    """Yield the entry points of our group; of packages that are damaged none."""
    try:
        yield from entry_points(group=GROUP)
    except Exception:
        for distribution in distributions():
            with suppress(Exception):
                yield from distribution.entry_points.select(group=GROUP)


def package(entry: EntryPoint) -> str:
    """Return the name and version of the package that brings ``entry``."""
    try:
        return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "?"
    except Exception:  # its metadata are damaged; what it brings may be whole
        return "?"


def packages(name: str) -> tuple[str, ...]:
    """Return the name and version of each package that brings a game called ``name``."""
    return tuple(map(package, installed()[name]))


def twins(name: str, packages: Iterable[str]) -> Text:
    """Return the sentence that several packages bring a game of this name."""
    return say(
        "several packages bring a game called {name}: {packages}; uninstall all but one",
        name=quoted(name),
        packages=list(packages),
    )


def load(name: str) -> Game[Any]:
    """Return the game ``name`` that another package brings.

    Raises:
        BadInput: it cannot be played; one sentence tells which package is at fault, and why.
        KeyError: no package brings such a game.
    """
    entries = installed()[name]
    if len(entries) > 1:
        raise BadInput(twins(name, packages(name)))
    game = loaded(name, package(entries[0]), entries[0].load)
    bring(package_of(game) or type(game).__module__)
    return game


def loaded(name: str, whose: str, load: Callable[[], object]) -> Game[Any]:
    """Return the game that ``load`` gives, of the package ``whose``.

    Raises:
        BadInput: it fails, or what it gives is not the game ``name``.
    """
    try:
        game = load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # code of strangers may even call sys.exit()
        why = say("it cannot be loaded ({why})", why=told(error))
        raise BadInput(_refused(name, whose, why)) from error
    if not isinstance(game, Game):
        why = say("what its entry point names is no game")
    elif not NAME.fullmatch(name):
        why = say("its name has to be small letters, digits and _, and begin with a letter")
    elif getattr(game, "name", None) != name:
        why = say("its entry point and its own name differ")
    elif not (_titled(game) and getattr(game, "seats", None)):
        why = say("it lacks a title or seats")
    else:
        return guarded(game)
    raise BadInput(_refused(name, whose, why))


def _titled(game: object) -> bool:
    """Tell whether a game has a title that can be shown."""
    title = getattr(game, "title", None)
    return isinstance(title, str) and bool(title.strip())


def _refused(name: str, whose: str, why: Text) -> Text:
    return say(
        "the game {name} of {package} cannot be played: {why}; update or uninstall that package",
        name=quoted(name),
        package=whose,
        why=why,
    )


def told(error: BaseException) -> str:
    """Return what went wrong in one line, for the maker of the game."""
    first = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
