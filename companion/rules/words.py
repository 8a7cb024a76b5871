"""Sentences that are written once, in English, and can be said in other languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

Translate = Callable[[str], str]
"""Gives the sentence of another language for an English one, with the same ``{names}``; gives
the English one back where it knows none."""


class Text(str):
    """An English sentence that remembers how it was made; see :func:`say`.

    It is a plain ``str`` to everybody who does not ask for another language.
    """

    __slots__ = ("message", "values")

    message: str
    values: Mapping[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.message, dict(self.values))

    def told(self, translate: Translate) -> str:
        """Return the sentence in the language of ``translate``, its values as well."""
        said = {
            name: value.told(translate) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }
        return translate(self.message).format_map(said)


def say(message: str, /, **values: Any) -> Text:
    """Return ``message`` with its ``{names}`` filled in. Values that are themselves ``say(...)``
    are translated with it; all others (spots, numbers) stand as they are.

    ``message`` must be a literal: the translators' list is made from the source.

    Raises:
        KeyError: ``message`` names a value that was not given.

    >>> say("{piece} may not leave {spot}", piece="red T", spot="h2")
    'red T may not leave h2'
    """
    text = Text(message.format_map(values))
    text.message = message
    text.values = MappingProxyType(values)
    return text


def _again(message: str, values: Mapping[str, Any]) -> Text:
    return say(message, **values)


def tell(text: str, translate: Translate) -> str:
    """Return ``text`` in the language of ``translate``; a plain ``str`` is looked up whole."""
    return text.told(translate) if isinstance(text, Text) else translate(text)
