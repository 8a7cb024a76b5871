"""Sentences in the journal: stored in English together with how they were made, so that they can be
shown in other languages later."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.rules import Text

SAID = "said"
"""The field of an event's data that describes how the sentences in its other fields were made."""


def pack(text: str) -> dict[str, Any] | None:
    """Return how ``text`` was made by ``say``, as JSON values; None for a plain text."""
    if not isinstance(text, Text):
        return None
    values = {name: _value(value) for name, value in text.values.items()}
    return {"message": text.message, "values": values}


def unpack(text: str, said: Mapping[str, Any] | None) -> str:
    """Return ``text`` as the sentence that :func:`pack` described in ``said``; a plain text for
    None."""
    if said is None:
        return text
    sentence = Text(text)
    sentence.message = said["message"]
    sentence.values = MappingProxyType({n: _restored(v) for n, v in said["values"].items()})
    return sentence


def packed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``data`` as JSON values, with the field :data:`SAID` if there are sentences in it."""
    said = {name: made for name, text in data.items() if (made := pack(text)) is not None}
    return {**data, SAID: said} if said else dict(data)


def unpacked(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data that :func:`packed` was given."""
    said = data.pop(SAID, None) or {}
    return {**data, **{name: unpack(data[name], made) for name, made in said.items()}}


def _value(value: Any) -> Any:
    if isinstance(value, Text):
        return {**(pack(value) or {}), "text": str(value)}
    if isinstance(value, list | tuple):
        return [_value(one) for one in value]
    return value if isinstance(value, str | int | float | None) else str(value)


def _restored(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_restored(one) for one in value)
    return unpack(value["text"], value) if isinstance(value, dict) else value
