"""Sentences that are written once, in English, and can be said in other languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from companion.rules.joints import filled

Translate = Callable[[str], str]
"""Returns the translation of an English sentence, with the same ``{names}``; the sentence itself if
there is none."""


class Tongue:
    """A :data:`Translate` that tells its ``language`` (``fr``), in which words before a value are
    joined to it; any other is taken for English."""

    __slots__ = ("_look_up", "language")

    def __init__(self, language: str, look_up: Translate) -> None:
        self.language, self._look_up = language, look_up

    def __call__(self, sentence: str) -> str:
        return self._look_up(sentence)


class Text(str):
    """An English sentence that remembers how it was made, so that it can be translated; see
    :func:`say`. Otherwise a plain ``str``."""

    __slots__ = ("message", "values")

    message: str
    values: Mapping[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.message, dict(self.values))

    def told(self, translate: Translate) -> str:
        """Return the sentence in the language of ``translate``, its values as well."""
        said = {name: _worded(value, translate) for name, value in self.values.items()}
        sentence = translate(self.message)
        # What a catalog lacks stays English.
        spoken = translate.language if isinstance(translate, Tongue) else "en"
        return filled(sentence, said, "en" if sentence == self.message else spoken)


_CALLED: dict[str, Text] = {}


def call(names: Mapping[str, Text]) -> None:
    """Have all sentences use other words for some names: a spot written ``south.L`` becomes
    "South's left flank" wherever it stands in a sentence."""
    _CALLED.update(names)


def called(name: str) -> str:
    """Return the words for ``name``; ``name`` itself if there are none."""
    return _CALLED.get(name, name)


_BROUGHT: dict[str, None] = {}


def bring(package: str) -> None:
    """Have sentences looked up in the catalogs of ``package`` as well, after the companion's own:
    ``languages/LANGUAGE.po`` in its folder."""
    _BROUGHT[package] = None


def brought() -> tuple[str, ...]:
    """Return the packages that bring catalogs of their own, in the order in which they came."""
    return tuple(_BROUGHT)


def say(message: str, /, **values: Any) -> Text:
    """Return ``message`` with its ``{names}`` filled in. Values that are themselves ``say(...)``
    are translated with it; places and seats are called as people :func:`call` them; of several in
    a list each is; all others (cells, numbers) stand as they are.

    ``message`` must be a literal: the translators' list is made from the source.

    Raises:
        KeyError: ``message`` names a value that was not given.

    >>> say("{piece} may not leave {spot}", piece="red T", spot="h2")
    'red T may not leave h2'
    >>> say("{who} takes a {piece}.", who="white", piece="orange Regent")
    'White takes an orange Regent.'
    """
    text = Text(filled(message, {name: _worded(value) for name, value in values.items()}, "en"))
    text.message = message
    text.values = MappingProxyType(values)
    return text


def _worded(value: Any, translate: Translate | None = None) -> Any:
    if isinstance(value, list | tuple):
        return ", ".join(str(_worded(one, translate)) for one in value)
    named = _CALLED.get(value, value) if type(value) is str else value
    return named.told(translate) if translate and isinstance(named, Text) else named


def _again(message: str, values: Mapping[str, Any]) -> Text:
    return say(message, **values)


def tell(text: str, translate: Translate) -> str:
    """Return ``text`` in the language of ``translate``; a plain ``str`` is looked up whole."""
    return text.told(translate) if isinstance(text, Text) else translate(text)
