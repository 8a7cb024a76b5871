"""What a table keeps for games to come: a start array for each game, and choices by their names."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.journal import Event

ARRAY, PRESET = "array", "preset"
"""The kinds of events by which something is kept. A preset without ``seats`` is forgotten."""
MOST = 24
"""Choices that are kept for a game."""


class Preset(NamedTuple):
    """A choice of seats and options for a game, by its ``name``."""

    name: str
    seats: tuple[str, ...]
    options: Mapping[str, str]


class KeptStarts:
    """The start arrays and presets, as the events so far tell of them."""

    def __init__(self) -> None:
        self.arrays: dict[str, Mapping[str, Any]] = {}
        self._presets: dict[str, dict[str, Preset]] = {}

    def presets(self, game: str) -> tuple[Preset, ...]:
        """Return what is kept for ``game``, in the order in which it was."""
        return tuple(self._presets.get(game, {}).values())

    def take(self, event: Event) -> None:
        """Take note of ``event``; other kinds change nothing."""
        data = event.data
        if event.kind == ARRAY:
            self.arrays[data["game"]] = MappingProxyType(dict(data))
        elif event.kind == PRESET:
            kept = self._presets.setdefault(data["game"], {})
            if "seats" in data:
                options = dict(data.get("options", {}))
                kept[data["name"]] = Preset(data["name"], tuple(data["seats"]), options)
            else:
                kept.pop(data["name"], None)
