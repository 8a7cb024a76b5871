"""Tells programs elsewhere what happens at the table, at the addresses that its owner has set:
whose turn it is, what was refused, that a game is over; each signed, with a picture.

Signed as Standard Webhooks has it. What cannot be delivered is tried again after growing pauses;
the table never waits for it, and nobody is asked at another address.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from companion.journal import Event
from companion.rules import BadInput, HardwareFault, quoted
from companion.table import Table
from companion.table.evening import Evening
from companion.table.view import outcome_json, ruling_json

_log = logging.getLogger(__name__)

KINDS = ("turn", "refused", "over")
PATIENCE = 10.0
"""Seconds that an address has to answer."""
PAUSES = (5.0, 30.0, 120.0, 600.0, 3600.0, 10_800.0)
"""Seconds after each try that failed; then it is given up."""
WAITING = 100
"""Messages that wait for an address at most; the oldest go first."""
RESTS = 60.0
"""Seconds at most between two looks at what is due; whatever happens wakes it."""
SECRET = "whsec_"


class HookAddress(NamedTuple):
    """Where somebody listens."""

    secure: bool
    host: str
    port: int | None
    path: str


class HookMessage(NamedTuple):
    """A message as it is sent, with its number."""

    number: str
    body: bytes


class HookListener:
    """Who listens at an ``address``: the messages that wait for him, and when he is tried again."""

    def __init__(self, address: HookAddress) -> None:
        self.address = address
        self.waiting: deque[HookMessage] = deque(maxlen=WAITING)
        self.tries, self.due = 0, 0.0


Picture = Callable[[Table[Any], Event], tuple[str, bytes]]
"""Returns what is seen after an event: its media type and the picture itself."""


class Webhooks:
    """Sends what happens at the table of ``evening`` to ``addresses``, signed with ``secret``.
    ``clock`` gives steady seconds."""

    def __init__(
        self,
        evening: Evening,
        addresses: str,
        secret: str,
        picture: Picture,
        clock: Callable[[], float],
    ) -> None:
        """Begin to listen to the table.

        Raises:
            BadInput: an address is none, or the secret is none.
        """
        self._evening, self._picture, self._clock = evening, picture, clock
        self._key = read_secret(secret)
        self._listeners = [HookListener(read_address(text)) for text in addresses.split()]
        self._happened: deque[tuple[Table[Any], Event]] = deque(maxlen=WAITING)
        self._wake = threading.Event()
        self._told: tuple[int, str | None, bool] | None = None
        self._stop = evening.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        """Take down what happened; called by the table, which waits for nothing here."""
        self._happened.append((self._evening.table, event))
        self._wake.set()

    def step(self) -> bool:
        """Send what is due, or wait for it; return that there is more to do."""
        while self._happened:
            for message in self._messages(*self._happened.popleft()):
                for listener in self._listeners:
                    listener.waiting.append(message)
        due = [one for one in self._listeners if one.waiting and one.due <= self._clock()]
        for listener in due:
            self._deliver(listener)
        if not (due or self._happened):
            later = [one.due - self._clock() for one in self._listeners if one.waiting]
            self._wake.wait(max(0.0, min([RESTS, *later])))
            self._wake.clear()
        return True

    def close(self) -> None:
        """Listen no more; what waits is not sent."""
        self._stop()
        self._wake.set()

    # -- what is told ------------------------------------------------------------------

    def _messages(self, table: Table[Any], event: Event) -> list[HookMessage]:
        """Return the messages about ``event`` at ``table``."""
        kinds = ["refused"] if event.kind == "refused" else []
        now = (table.game_id, table.to_move, table.outcome is not None)
        if now != self._told:
            before, self._told = self._told, now
            if now[2]:
                kinds += ["over"] if before is not None and not before[2] else []
            elif before is None or before[:2] != now[:2]:
                kinds.append("turn")
        if not kinds:
            return []
        media, picture = self._picture(table, event)
        shown = {"media": media, "base64": base64.b64encode(picture).decode()}
        about = {**_about(table, event), "picture": shown}
        happened = datetime.fromtimestamp(event.at, UTC).isoformat()
        return [
            HookMessage(
                f"{table.game_id}-{event.seq}-{kind}",
                json.dumps(
                    {"type": kind, "timestamp": happened, "data": about}, ensure_ascii=False
                ).encode(),
            )
            for kind in kinds
        ]

    # -- the way -----------------------------------------------------------------------

    def _deliver(self, listener: HookListener) -> None:
        """Send the first message that waits; it stays where it was not taken."""
        message = listener.waiting[0]
        try:
            send(listener.address, message.body, self._headers(message))
        except (OSError, http.client.HTTPException, HardwareFault) as error:
            if listener.tries == len(PAUSES):
                _log.warning("%s is told no more of it: %s", listener.address.host, error)
                listener.tries = 0
                listener.waiting.popleft()
                return
            listener.due = self._clock() + PAUSES[listener.tries]
            listener.tries += 1
            return
        listener.tries, listener.due = 0, 0.0
        listener.waiting.popleft()

    def _headers(self, message: HookMessage) -> Mapping[str, str]:
        # When it is sent, not when it happened: what is older than minutes nobody believes.
        at = int(self._evening.clock())
        return {
            "Content-Type": "application/json",
            "User-Agent": "tabletop-companion",
            "webhook-id": message.number,
            "webhook-timestamp": str(at),
            "webhook-signature": signature(self._key, message, at),
        }


def send(address: HookAddress, body: bytes, headers: Mapping[str, str]) -> None:
    """Post ``body`` to ``address``.

    Raises:
        OSError, HTTPException: it cannot be reached.
        HardwareFault: it does not take it.
    """
    kind = http.client.HTTPSConnection if address.secure else http.client.HTTPConnection
    line = kind(address.host, address.port, timeout=PATIENCE)
    try:
        line.request("POST", address.path, body, dict(headers))
        answer = line.getresponse()
        if not 200 <= answer.status < 300:
            # A 3xx too: nobody is asked at an address that the owner has not set.
            raise HardwareFault(f"status {answer.status}")
    finally:
        line.close()


def signature(key: bytes, message: HookMessage, at: int) -> str:
    """Return what stands in ``webhook-signature`` of a message that is sent ``at`` a second since
    1970: version 1, HMAC-SHA256."""
    signed = f"{message.number}.{at}.".encode() + message.body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def read_secret(text: str) -> bytes:
    """Return the key that ``whsec_…`` (base64) tells.

    Raises:
        BadInput: it is none, or too short to keep anybody out.
    """
    try:
        key = base64.b64decode(text.removeprefix(SECRET), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not text.startswith(SECRET) or len(key) < 16:
        raise BadInput(
            "messages to hooks.addresses are signed with hooks.secret, which is whsec_ and 16 to "
            "64 random bytes in base64: companion settings hooks.secret=whsec_$(head -c 32 "
            "/dev/urandom | base64)"
        )
    return key


def read_address(text: str) -> HookAddress:
    """Return the address in ``text``.

    Raises:
        BadInput: it is none.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise BadInput(f"{quoted(text)} is no address; write one such as http://192.168.1.9/hook")
    path = f"{parts.path or '/'}{'?' * bool(parts.query)}{parts.query}"
    return HookAddress(parts.scheme == "https", parts.hostname, port, path)


def _about(table: Table[Any], event: Event) -> Mapping[str, Any]:
    """Return what is told of ``event``: only what everybody at the table may know."""
    outcome = table.outcome
    return {
        "game": table.game.name,
        "number": table.game_id,
        "state_id": event.seq,
        "kind": event.kind,
        "actor": event.actor,
        "action": event.action,
        "ruling": None if event.ruling is None else ruling_json(event.ruling),
        "to_move": table.to_move,
        "result": None if outcome is None else outcome_json(outcome, str(table.ended_by)),
    }
