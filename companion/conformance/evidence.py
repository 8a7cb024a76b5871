"""What a game's package holds beside its code: what proves it, what players read, exemptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from companion.rules import BadInput, Game, package_of, read_toml

EXEMPTIONS = "conformance.toml"


@dataclass(frozen=True)
class Evidence:
    """``counts``: files of perft counts; ``games``: whole games as records; ``manual``: the page
    about the game, None where there is none; ``package``: the files beside the code, None for a
    game that lies in no package."""

    counts: tuple[Traversable, ...] = ()
    games: tuple[Traversable, ...] = ()
    manual: Traversable | None = None
    package: Traversable | None = None


def evidence_of(game: Game[Any]) -> Evidence:
    """Return what lies in the package of ``game``: ``*.perft``, ``games/*.txt``, ``manual.md``."""
    name = package_of(game)
    if not name:
        return Evidence()
    package = resources.files(name)
    manual = package / "manual.md"
    return Evidence(
        counts=_files(package, ".perft"),
        games=_files(package / "games", ".txt"),
        manual=manual if manual.is_file() else None,
        package=package,
    )


def exemptions_of(game: Game[Any]) -> Mapping[str, str]:
    """Return from which checks ``game`` asks to be exempt, and why: the table ``[exempt]`` of
    ``conformance.toml`` in its package.

    Raises:
        BadInput: the file cannot be read, or a reason is no text.
    """
    name = package_of(game)
    file = resources.files(name) / EXEMPTIONS if name else None
    if file is None or not file.is_file():
        return {}
    asked = read_toml(file.read_text(encoding="utf-8"), EXEMPTIONS).get("exempt", {})
    if not isinstance(asked, dict) or not all(isinstance(why, str) for why in asked.values()):
        raise BadInput(f'{EXEMPTIONS} of {game.name}: [exempt] is a list of CHECK = "reason"')
    return asked


def _files(folder: Traversable, ending: str) -> tuple[Traversable, ...]:
    if not folder.is_dir():
        return ()
    found = (file for file in folder.iterdir() if file.name.endswith(ending))
    return tuple(sorted(found, key=lambda file: file.name))
