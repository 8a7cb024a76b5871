"""A table in Home Assistant: its device is announced over the table's own line to the broker, by
the MQTT discovery that Home Assistant documents."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, NamedTuple

from companion.club.messages import topic
from companion.journal.journal import PACKAGE
from companion.rules import CompanionError

_log = logging.getLogger(__name__)

PREFIX = "homeassistant"
"""Where Home Assistant listens for devices, unless somebody has changed that there."""
BIRTH = f"{PREFIX}/status"
THERE = "{{ 'offline' if value_json.state == 'offline' else 'online' }}"
"""How Home Assistant reads from a table's state whether it is there."""
PACE = 0.2
"""Seconds between two messages of how the table is."""


class TableNow(NamedTuple):
    """How a table is: ``state`` is ``waiting``, ``playing``, ``paused`` or ``over``; ``turn`` the
    seat whose decision is awaited, empty if none is; ``scores`` by seat; ``ends`` when the time of
    that seat is up (seconds since 1970), None where no clock runs; whether it is ``lit``."""

    game: str
    state: str
    turn: str
    scores: Mapping[str, int]
    ends: float | None
    lit: bool


class Home:
    """The device of the table with this id, which calls itself ``name``. ``now`` tells how the
    table is; ``press`` ends the turn, ``light`` switches the lights, both raise what keeps them
    from it."""

    def __init__(
        self,
        table: str,
        name: str,
        now: Callable[[], TableNow],
        press: Callable[[], None],
        light: Callable[[bool], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table, self._name, self._now = table, name or f"Table {table[:4]}", now
        self._press, self._light, self._clock = press, light, clock
        self._state, self._set = topic(table, "home"), f"{topic(table, 'home')}/set"
        self.topics = (BIRTH, f"{self._set}/+")
        self._known, self._told, self._next = False, b"", clock()

    def opened(self) -> None:
        """Announce the device, and how it is."""
        self._known, self._told = False, b""

    def hear(self, topic: str, payload: bytes) -> None:
        """Take in that Home Assistant has started, or what is to be done at the table."""
        if topic == BIRTH:
            if payload == b"online":
                self.opened()
            return
        what = (topic.rpartition("/")[2], payload)
        try:
            if what == ("turn", b"PRESS"):
                self._press()
            elif what in (("lights", b"ON"), ("lights", b"OFF")):
                self._light(payload == b"ON")
            else:
                _log.warning("nothing at the table is done by %s", topic[:100])
        except CompanionError as error:
            _log.warning("what was asked by Home Assistant is not done: %s", error)

    def due(self) -> Iterable[tuple[str, bytes, bool]]:
        """Return the announcement, if it is due, and how the table is, if that has changed."""
        if not self._known:
            self._known = True
            yield config_topic(self._table), _json(self.device()), True
        if (now := self._clock()) < self._next:
            return
        told = _json(_values(self._now()))
        if told != self._told:
            self._told, self._next = told, now + PACE
            yield self._state, told, True

    def close(self) -> None:
        """Let go; what was announced stays, its table is offline."""

    def device(self) -> dict[str, Any]:
        """Return what is announced: one device with all that belongs to it."""
        return {
            "device": {
                "identifiers": [f"companion_{self._table}"],
                "name": self._name,
                "model": "Tabletop companion",
                "manufacturer": "tabletop-companion",
                "sw_version": version(PACKAGE),
            },
            "origin": {"name": PACKAGE, "sw_version": version(PACKAGE)},
            "availability": [{"topic": topic(self._table, "state"), "value_template": THERE}],
            "state_topic": self._state,
            "components": dict(self._components()),
        }

    def _components(self) -> Iterable[tuple[str, dict[str, Any]]]:
        slug = re.sub(r"\W+", "_", self._name.casefold(), flags=re.ASCII).strip("_") or self._table
        more: dict[str, dict[str, Any]] = {
            "state": {"device_class": "enum", "options": ["waiting", "playing", "paused", "over"]},
            "turn": {},
            "score": {"json_attributes_topic": self._state,
                      "json_attributes_template": "{{ value_json.scores | tojson }}"},
            "clock": {"device_class": "timestamp"},
            "game": {},
        }  # fmt: skip
        for key, extra in more.items():
            told = {"value_template": f"{{{{ value_json.{key} }}}}", **extra}
            yield key, self._component("sensor", key, slug, key.capitalize(), told)
        switched = {
            "value_template": "{{ value_json.lights }}",
            "command_topic": f"{self._set}/lights",
        }
        yield "lights", self._component("switch", "lights", slug, "Lights", switched)
        pressed = {"command_topic": f"{self._set}/turn", "payload_press": "PRESS"}
        yield "end_turn", self._component("button", "end_turn", slug, "End of turn", pressed)

    def _component(
        self, platform: str, key: str, slug: str, name: str, more: Mapping[str, Any]
    ) -> dict[str, Any]:
        return {
            "platform": platform,
            "unique_id": f"companion_{self._table}_{key}",
            "default_entity_id": f"{platform}.{slug}_{key}",
            "name": name,
            **more,
        }


def config_topic(table: str) -> str:
    """Return where the device of ``table`` is announced."""
    return f"{PREFIX}/device/companion_{table}/config"


def _values(now: TableNow) -> dict[str, Any]:
    """Return how a table is as Home Assistant takes it: what is ``None`` is unknown there."""
    scores = ", ".join(f"{seat} {score}" for seat, score in now.scores.items())
    ends = None if now.ends is None else datetime.fromtimestamp(round(now.ends), UTC).isoformat()
    return {
        "game": now.game,
        "state": now.state,
        "turn": now.turn or "None",
        "score": scores or "None",
        "scores": dict(now.scores),
        "clock": ends or "None",
        "lights": "ON" if now.lit else "OFF",
    }


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
