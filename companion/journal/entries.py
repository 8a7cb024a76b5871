"""What a journal holds: games with their headers, and the events of which they are made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.journal.sentences import SAID, pack, unpack, unpacked
from companion.journal.soundness import (
    check_data,
    check_event,
    check_ruling,
    check_said,
    check_texts,
    decoded,
)
from companion.rules import Ruling

Row = tuple[int, float, str, str, str | None, str | None, str, tuple[str, ...]]
"""An event as it is stored: seq, at, actor, kind, action, ruling and data as JSON, photographs."""


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Header(NamedTuple):
    """What a game was begun with. ``position`` and ``to_move`` are None for the usual start;
    ``rules`` is the version of the rules, which the game's first event tells."""

    name: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    position: Mapping[str, str] | None = None
    to_move: str | None = None
    rules: int = 1


class Draft(NamedTuple):
    """An event before its commit. ``photographs``: ``before``, ``after`` -> JPEG bytes."""

    actor: str
    kind: str
    action: str | None = None
    ruling: Ruling | None = None
    data: Mapping[str, Any] = _NOTHING
    photographs: Mapping[str, bytes] = _NOTHING


class Event(NamedTuple):
    """Something that happened. ``seq`` grows through the whole journal, ``at`` is in seconds since
    1970; ``photographs`` names the moments of which the journal keeps a picture."""

    seq: int
    at: float
    actor: str
    kind: str
    action: str | None = None
    ruling: Ruling | None = None
    data: Mapping[str, Any] = _NOTHING
    photographs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"event {self.seq}"


def json_text(value: Any) -> str:
    """Return ``value`` as the JSON text that the journal stores."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def ruling_text(ruling: Ruling) -> str:
    """Return ``ruling`` as the JSON text that the journal stores, with how its reason was made."""
    return json_text(
        [ruling.allowed, ruling.rule, ruling.reason, ruling.spots, pack(ruling.reason)]
    )


def sound_event(row: Row) -> Event:
    """Return the event of a row of a journal, after checking it
    (:mod:`companion.journal.soundness`).

    Raises:
        TypeError, ValueError: no companion wrote it.
    """
    seq, at, actor, kind, action, ruling, data, _ = row
    check_event(seq, at, (actor, kind, action))
    fields = decoded(data)
    check_data(kind, fields)
    said = fields.get(SAID) or {}
    if not isinstance(said, dict) or any(name not in fields for name in said):
        raise ValueError("no sentence is made so")
    for made in said.values():
        check_said(made)
    if ruling is not None:
        check_ruling(decoded(ruling))
    return event_of(row)


@lru_cache(maxsize=256)
def event_of(row: Row) -> Event:
    """Return the event of a row that was checked before. The newest are looked at again after every
    change, for every phone; who looks shares them, and changes nothing."""
    seq, at, actor, kind, action, ruling, data, photographs = row
    fields = unpacked(json.loads(data))
    return Event(seq, at, actor, kind, action, _ruling(ruling), fields, photographs)


@lru_cache(maxsize=1024)
def _ruling(text: str | None) -> Ruling | None:
    if text is None:
        return None
    # Journals of the first version do not tell how the reason was made.
    allowed, rule, reason, spots, *said = json.loads(text)
    return Ruling(allowed, rule, unpack(reason, *said or [None]), tuple(spots))


def header_of(row: tuple[Any, ...]) -> Header:
    """Return the header of a game from its row in a journal.

    Raises:
        TypeError, ValueError: no companion wrote it.
    """
    name, seats, options, position, to_move, begun = row
    check_texts([name, *([] if to_move is None else [to_move])])
    told = [decoded(seats), decoded(options), None if position is None else decoded(position)]
    for value, kind in zip(told, (list, dict, dict), strict=True):
        if value is not None:
            if not isinstance(value, kind):
                raise ValueError("a game is not begun with that")
            check_texts(value)
    return Header(name, tuple(told[0]), told[1], told[2], to_move, _rules(begun))


def _rules(begun: str | None) -> int:
    """Return the version of the rules that the data of a game's first event tells: 1 where it
    tells none. Whoever reads the event itself hears what is wrong with it."""
    try:
        version = decoded(begun or "{}").get("rules")
    except (AttributeError, TypeError, ValueError):
        return 1
    return version if isinstance(version, int) and version > 0 else 1
