"""What a board of sensors says: one line of JSON a message (docs/sensors.md).

{"v": 1, "seq": 17, "on": [0, 5, "e2"], "left": [9]}
{"v": 1, "seq": 18, "tokens": {"e2": "white P"}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.rules import BadInput, quoted, say
from vision.frames import Sensed

VERSION = 1
MOST_BYTES = 16_384
"""A longer message is none of ours."""


class Messages:
    """Takes in the messages of one board. Each tells the whole board, so that the next one mends
    what a lost one left open."""

    def __init__(self) -> None:
        self._seq: int | None = None
        self._before: frozenset[str | int] = frozenset()

    def take(self, data: bytes) -> Sensed:
        """Return what ``data`` says. Where a message before it was lost, anything may have been
        lifted meanwhile.

        Raises:
            BadInput: it is no such message.
        """
        seq, sensed = parse(data)
        lost = self._seq is not None and seq != self._seq + 1
        self._seq, before, self._before = seq, self._before, sensed.occupied
        if not lost:
            return sensed
        return Sensed(sensed.occupied, sensed.left | sensed.occupied | before, sensed.tokens)


def parse(data: bytes) -> tuple[int, Sensed]:
    """Return a message's number and what it says.

    Raises:
        BadInput: it is no message of this format.
    """
    if len(data) > MOST_BYTES:
        raise _unknown(data[:40] + b"...")
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        raise _unknown(data) from None
    if not isinstance(said, dict) or type(said.get("seq")) is not int:
        raise _unknown(data)
    if said.get("v") != VERSION:
        raise BadInput(
            say(
                "the board of sensors speaks version {version} of its messages; {known} is known",
                version=quoted(str(said.get("v"))),
                known=VERSION,
            )
        )
    return said["seq"], sensed_in(said, data)


def sensed_in(said: Mapping[str, Any], data: bytes) -> Sensed:
    """Return what a message ``said``, which came as ``data``.

    Raises:
        BadInput: it tells of no spots.
    """
    left, tokens = _spots(said.get("left", []), data), said.get("tokens")
    if tokens is None:
        return Sensed(_spots(said.get("on"), data), left)
    if not isinstance(tokens, dict) or not all(isinstance(t, str) for t in tokens.values()):
        raise _unknown(data)
    return Sensed(_spots([*tokens], data), left, tokens)


def _spots(given: Any, data: bytes) -> frozenset[str | int]:
    if not isinstance(given, list):
        raise _unknown(data)
    if not all(type(spot) in (str, int) for spot in given):
        raise _unknown(data)
    return frozenset(given)


def _unknown(data: bytes) -> BadInput:
    text = data[:60].decode("utf-8", "replace")
    return BadInput(
        say("the board of sensors sends what is no message of it: {text}", text=quoted(text))
    )
