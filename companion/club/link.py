"""A line to an MQTT broker, driven by whoever uses it: no thread of its own, and nothing waits."""

from __future__ import annotations

import hashlib
import re
import selectors
import socket
import ssl
import time
import weakref
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from companion.rules import BadInput, HardwareFault, quoted

PLAIN, SECURE = 1883, 8883
_PIN = re.compile(r"[0-9a-f]{64}")
COMMAND = "/set/"
"""What a topic of commands has in it: they count at once or never, so none is kept for whoever is
away, and one that the broker retains is not heard."""
MOST_AT_ONCE = 500
"""Messages that are taken in before any of them is looked at."""
CONNECTING = 5.0
"""Seconds that a broker has to answer."""
ANSWERING = 10.0
"""Seconds in which it has to let in, and then to take each topic that is subscribed to; else it
counts as away."""
KEEPALIVE = 20
"""Seconds after which a broker takes a silent table for gone."""
_Waiting = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""What waits for lines: where there is a choice not ``select``, which knows no descriptor from 1024
on, and a house full of phones has as many."""


class Address(NamedTuple):
    """Where a broker is and how one comes in: ``mqtt://NAME:PASSWORD@host:1883``, ``mqtts://`` with
    TLS; ``others``, with commas between, are as good. A broker whose address ends in ``#`` and the
    SHA-256 of its certificate (64 hexadecimal digits, ``pin``) is known by that alone; else ``ca``
    is a file with the authority that signed for it, empty for the system's."""

    host: str
    port: int
    secure: bool = False
    name: str = ""
    password: str = ""
    ca: str = ""
    pin: str = ""
    others: tuple[tuple[str, int], ...] = ()

    @property
    def places(self) -> list[tuple[str, int]]:
        """Return every host and port where the broker is."""
        return [(self.host, self.port), *self.others]


def read_address(text: str, ca: str = "") -> Address:
    """Return the address in ``text``.

    Raises:
        BadInput: it is none.
    """
    try:
        who, at, where = text.rpartition("@")
        where, comma, more = where.partition(",")
        more, hash_sign, end = more.partition("#")
        parts = urlsplit(who + at + where + hash_sign + end)
        port = parts.port
        others = [urlsplit(f"//{one}") for one in more.split(",") if comma]
        places = [(one.hostname or "", one.port) for one in others]
    except ValueError:
        parts, port, places = urlsplit(""), None, []
    if not all(host for host, _ in places):
        parts = urlsplit("")
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname:
        shown = parts.hostname or "it"
        raise BadInput(
            f"{quoted(shown)} is no broker; write mqtt://192.168.1.9 or mqtts://club:8883"
        )
    secure, pin = parts.scheme == "mqtts", parts.fragment.lower()
    if pin and not (secure and _PIN.fullmatch(pin)):
        raise BadInput(
            f"what follows # in the address of {quoted(parts.hostname)} is no certificate's SHA-256"
        )
    name, password = unquote(parts.username or ""), unquote(parts.password or "")
    usual = SECURE if secure else PLAIN
    rest = tuple((host, number or usual) for host, number in places)
    return Address(parts.hostname, port or usual, secure, name, password, ca, pin, rest)


class NotLetIn(HardwareFault):
    """The broker is there and does not let us in."""


class Link(Protocol):
    """A line to a broker."""

    @property
    def hosts(self) -> int:
        """Return at how many hosts the broker is."""

    def open(self) -> None:
        """Connect, to another host than the last time where there are several; raises HardwareFault
        where that is not possible now."""

    @property
    def up(self) -> bool:
        """Whether the broker has let us in and all subscriptions stand."""

    def turn(self, seconds: float) -> Sequence[tuple[str, bytes]]:
        """Send and receive for at most so long; return the messages that came: topic, payload.
        Raises HardwareFault where the line is cut."""

    def wake(self) -> None:
        """End the wait of a turn, also one that begins soon. May be called from any thread."""

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Send a message with quality of service 1."""

    def close(self) -> None:
        """Take leave of the broker."""


class MqttLink:
    """A line to the broker at ``address`` by paho-mqtt. ``client`` is remembered by the broker,
    which keeps what comes for it meanwhile; ``topics`` are subscribed to; ``will`` is the retained
    message (topic, payload) that the broker tells when the line is cut."""

    def __init__(
        self,
        address: Address,
        client: str,
        topics: Sequence[str],
        will: tuple[str, bytes] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from paho.mqtt import client as paho
        from paho.mqtt.enums import CallbackAPIVersion

        self._address, self._topics, self._paho = address, topics, paho
        self._came: deque[tuple[str, bytes]] = deque()
        self._unanswered, self._denied = 0, ""
        # Tables do not all go to the same one of several.
        self._places = address.places
        self._at = zlib.crc32(client.encode()) % len(self._places)
        self._refused = ""
        self.up, self.hosts = False, len(self._places)
        self._clock, self._answer_by = clock, 0.0
        self._woken, self._waker = socket.socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
            weakref.finalize(self, end.close)
        self._client: Any = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=client, clean_session=False
        )
        self._client.max_inflight_messages_set(200)
        self._client.on_connect = self._connected
        self._client.on_subscribe = self._subscribed
        self._client.on_message = self._heard
        self._client.connect_timeout = CONNECTING
        if will is not None:
            self._client.will_set(*will, qos=1, retain=True)
        if address.name:
            self._client.username_pw_set(address.name, address.password)
        self._trusted = not address.secure

    def open(self) -> None:
        """Connect anew; where there are several hosts, to another one than the last time."""
        self.up, self._refused = False, ""
        self._at = (self._at + 1) % self.hosts
        try:
            if not self._trusted:
                self._client.tls_set_context(self._context())
                self._trusted = True
            self._client.connect(*self._places[self._at], keepalive=KEEPALIVE)
            self._answer_by = self._clock() + ANSWERING
        except (OSError, ssl.SSLError, socket.gaierror) as error:
            raise self._gone(str(error)) from error

    def turn(self, seconds: float) -> Sequence[tuple[str, bytes]]:
        """Send and receive for at most so long."""
        self._wait(seconds)
        code, before = self._exchange(), (-1, -1)
        # The library takes in one packet at a time: all that has come is taken in together.
        while code == self._paho.MQTT_ERR_SUCCESS and len(self._came) < MOST_AT_ONCE:
            now = len(self._came), self._unanswered
            if now == before:
                break
            before, code = now, self._exchange()
        if self._refused:
            self.up = False
            raise NotLetIn(self._gone(self._refused).sentence)
        if code != self._paho.MQTT_ERR_SUCCESS:
            self.up = False
            raise self._gone(self._paho.error_string(code))
        if not self.up and self._clock() > self._answer_by:
            raise self._gone("it does not answer")
        came = list(self._came)
        self._came.clear()
        return came

    def _wait(self, seconds: float) -> None:
        """Wait until there is something to receive or to send, or somebody wakes."""
        line = self._client.socket()
        # What TLS has read already no select tells of.
        if line is None or (isinstance(line, ssl.SSLSocket) and line.pending()):
            return
        events = selectors.EVENT_READ | selectors.EVENT_WRITE * self._client.want_write()
        with suppress(OSError, ValueError), _Waiting() as waiting:
            waiting.register(line, events)
            waiting.register(self._woken, selectors.EVENT_READ)
            waiting.select(seconds)
            self._woken.recv(MOST_AT_ONCE)

    def _exchange(self) -> int:
        """Take in a packet and send what waits, as far as that is possible at once; return the
        library's code. Its own loop uses ``select``."""
        client = self._client
        sent = client.loop_read() or (client.want_write() and client.loop_write())
        return int(sent or client.loop_misc())

    def wake(self) -> None:
        """End the wait of a turn."""
        with suppress(OSError):
            self._waker.send(b".")

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Send a message; what is under way when the line is cut is sent again by whoever lacks
        it."""
        self._client.publish(topic, payload, qos=1, retain=retain)

    def close(self) -> None:
        """Take leave: the broker tells no last will."""
        self.up = False
        self._client.disconnect()
        self._wait(0.1)
        self._exchange()

    def _context(self) -> ssl.SSLContext:
        """Return by what the broker is known."""
        if not self._address.pin:
            return ssl.create_default_context(cafile=self._address.ca or None)
        certificate = ssl.get_server_certificate(self._places[self._at], timeout=CONNECTING)
        shown = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).hexdigest()
        if shown != self._address.pin:
            raise ssl.SSLError(
                "it shows another certificate than the one in its address; is it the club's?"
            )
        # Nothing else is trusted, whatever name it has: it is what the address says.
        context = ssl.create_default_context(cadata=certificate)
        context.check_hostname = False
        return context

    def _gone(self, why: str) -> HardwareFault:
        where = "{}:{}".format(*self._places[self._at])
        return HardwareFault(f"the broker at {where} cannot be reached: {why}")

    def _connected(self, client: Any, data: Any, flags: Any, reason: Any, more: Any) -> None:
        if reason.is_failure:
            self._refused = str(reason)
        else:
            # A cluster has to agree on each, and keeps what it has answered when the line breaks
            # meanwhile: asked for all in one message it would begin with all of them anew.
            self._unanswered, self._denied = len(self._topics), ""
            for name in self._topics:
                client.subscribe(name, int(COMMAND not in name))
            self._answered()

    def _subscribed(self, client: Any, data: Any, number: int, reasons: Any, more: Any) -> None:
        self._unanswered -= 1
        self._denied = next((str(one) for one in reasons if one.is_failure), self._denied)
        self._answered()

    def _answered(self) -> None:
        """Go on waiting; once all is answered the line is up, or refused: the broker is not left
        while it goes on with the rest."""
        self._answer_by = self._clock() + ANSWERING
        if not self._unanswered:
            self._refused, self.up = self._denied, not self._denied

    def _heard(self, client: Any, data: Any, message: Any) -> None:
        if not (message.retain and COMMAND in message.topic):
            self._came.append((message.topic, bytes(message.payload)))
