"""What somebody reads of a game before its rules: the aim, how a turn goes, how to win."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from companion.rules.errors import BadInput
from companion.rules.given import quoted

_TEXTS = ("needed", "aim", "turn", "win")


class Introduction(NamedTuple):
    """A game in a few sentences of one language. ``minutes`` are the least and the most that it
    usually takes, ``needed`` is what has to be at hand, and ``aim``, ``turn`` and ``win`` tell what
    it is about, how a turn goes and how to win."""

    minutes: tuple[int, int]
    needed: str
    aim: str
    turn: str
    win: str


@cache
def introduction(package: str, language: str = "en") -> Introduction | None:
    """Return the introduction in ``introduction.toml`` beside the game in ``package``: ``minutes``
    and a table of texts for each language, English where there is no other; None where the game
    has none.

    Raises:
        BadInput: the file is not what it should be.
    """
    try:
        source = resources.files(package) / "introduction.toml"
    except (ImportError, TypeError, ValueError):
        return None  # a game that lies in no package
    if not source.is_file():
        return None
    import tomllib

    try:
        return _read(tomllib.loads(source.read_text(encoding="utf-8")), language)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(
            f"introduction.toml of {package} has to give minutes = [LEAST, MOST] and, under [en], "
            f"{', '.join(_TEXTS)}: {quoted(str(error))}"
        ) from error


def _read(data: Mapping[str, Any], language: str) -> Introduction:
    least, most = map(int, data["minutes"])
    texts = data.get(language, data["en"])
    return Introduction((least, most), *(str(texts[name]) for name in _TEXTS))
