"""What tables and their club say to each other over MQTT: topics and payloads (docs/club.md)."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from companion.journal.copying import EventRow, GameRow
from companion.rules import BadInput, quoted

VERSION = 1
ROOT = "companion/1"
PARTS = 16
"""Into so many parts tables are divided, so that several consumers share the work."""
MOST_EVENTS, MOST_BYTES = 100, 262_144
"""Events and bytes of one message at most."""
MOST_JPEG, JPEG = 180_000, b"\xff\xd8\xff"
"""Bytes of a photograph at most, and how it begins."""
GREATEST = 2**53
ROUNDS = 101
"""How often a password is hashed: it is long and random, nobody guesses it."""
STATES = ("online", "playing", "offline")
_MOMENT = re.compile(r"[a-z]{1,16}")
_HASHED = re.compile(rf"\$7\${ROUNDS}\$[A-Za-z0-9+/]{{16}}\$[A-Za-z0-9+/]{{86}}==")
_TABLE = re.compile(r"[a-z0-9]{8,32}")
_INVITED = re.compile(r"[0-9a-f]{16}")
JOURNAL = 8
"""Letters at the beginning of an epoch that tell the journal: a table may have several."""


def part_of(table: str) -> int:
    """Return the part to which ``table`` belongs."""
    return zlib.crc32(table.encode()) % PARTS


def invited_as(name: str) -> str:
    """Return the id of the table that comes in at the broker as ``name``; empty if it is no id that
    a club gave."""
    return name if _INVITED.fullmatch(name) else ""


def topic(table: str, what: str) -> str:
    """Return the topic of ``table`` for ``events``, ``stored`` or ``state``."""
    return f"{ROOT}/{part_of(table):02d}/{table}/{what}"


def matches(pattern: str, name: str) -> bool:
    """Tell whether the topic ``name`` is one of ``pattern``, in which ``+`` stands for a level."""
    wanted, levels = pattern.split("/"), name.split("/")
    return len(wanted) == len(levels) and all(
        one in ("+", other) for one, other in zip(wanted, levels, strict=True)
    )


def table_of(name: str) -> tuple[str, str]:
    """Return the table and the word of a topic.

    Raises:
        BadInput: it is none of ours.
    """
    *root, part, table, what = name.split("/") if name.count("/") == 4 else ("", "", "", "")
    if "/".join(root) != ROOT or not _TABLE.fullmatch(table) or part != f"{part_of(table):02d}":
        raise BadInput(f"{quoted(name[:100])} is no topic of a table")
    return table, what


class Place(NamedTuple):
    """A place in a table's line of events: the number of the last one, and the digest of all up to
    it."""

    seq: int = 0
    digest: str = ""

    def then(self, row: EventRow) -> Place:
        """Return the place after ``row``."""
        told = json.dumps([self.digest, *row], ensure_ascii=False, separators=(",", ":"))
        data = told.encode("utf-8", "surrogatepass")
        return Place(row.seq, hashlib.sha256(data).hexdigest())


class Batch(NamedTuple):
    """Events of one epoch of a table's journal that follow one another, ``after`` a place."""

    epoch: str
    after: Place
    rows: tuple[EventRow, ...]

    def end(self) -> Place:
        """Return the place after all of them."""
        place = self.after
        for row in self.rows:
            place = place.then(row)
        return place


class Stored(NamedTuple):
    """What the club has stored of a table: up to which place of which epoch. ``lacks`` asks for
    what follows to be sent again."""

    epoch: str
    place: Place
    lacks: bool = False


class PhotographPlace(NamedTuple):
    """Which photograph: of which event, at which moment."""

    seq: int = 0
    moment: str = ""


class Photograph(NamedTuple):
    """A photograph of an event of an epoch, at a moment such as ``after``: the bytes of a JPEG."""

    epoch: str
    seq: int
    moment: str
    jpeg: bytes


class TableState(NamedTuple):
    """How a table is: ``state`` is one of STATES, since when (seconds since 1970), the ``name`` it
    gives itself and the ``game`` that is played."""

    state: str
    since: float
    name: str = ""
    game: str = ""


def write_batch(batch: Batch) -> bytes:
    """Return ``batch`` as a payload."""
    return _json(
        {"v": VERSION, "epoch": batch.epoch, "after": list(batch.after), "events": batch.rows}
    )


def read_batch(payload: bytes) -> Batch:
    """Return the batch of a payload.

    Raises:
        BadInput: it is none.
    """
    said = _parsed(payload)
    rows = said.get("events")
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_EVENTS:
        raise BadInput(f"a message of events holds 1 to {MOST_EVENTS} of them")
    last = _place(said.get("after"))
    found: list[EventRow] = []
    for row in rows:
        event = _event(row)
        if event.seq <= (found[-1].seq if found else last.seq):
            raise BadInput("events come in the order of their numbers")
        found.append(event)
    return Batch(_name(said.get("epoch")), last, tuple(found))


def write_stored(stored: Stored) -> bytes:
    """Return ``stored`` as a payload."""
    told = {"v": VERSION, "epoch": stored.epoch, "stored": list(stored.place)}
    return _json(told | ({"lacks": True} if stored.lacks else {}))


def read_stored(payload: bytes) -> Stored:
    """Return what a payload says the club has stored.

    Raises:
        BadInput: it says nothing of the kind.
    """
    said = _parsed(payload)
    return Stored(_name(said.get("epoch")), _place(said.get("stored")), said.get("lacks") is True)


def write_photograph(photograph: Photograph) -> bytes:
    """Return ``photograph`` as a payload."""
    told = {**photograph._asdict(), "jpeg": b64encode(photograph.jpeg).decode()}
    return _json({"v": VERSION, **told})


def read_photograph(payload: bytes) -> Photograph:
    """Return the photograph of a payload.

    Raises:
        BadInput: it is none, or too large.
    """
    said = _parsed(payload)
    taken = _taken([said.get("seq"), said.get("moment")])
    try:
        jpeg = b64decode(str(said.get("jpeg")), validate=True)
    except ValueError:
        jpeg = b""
    if not jpeg.startswith(JPEG) or len(jpeg) > MOST_JPEG:
        raise BadInput(f"a photograph is a JPEG of {MOST_JPEG} bytes at most, in Base64")
    return Photograph(_name(said.get("epoch")), *taken, jpeg)


def write_kept(epoch: str, taken: PhotographPlace) -> bytes:
    """Return as a payload that this photograph is kept."""
    return _json({"v": VERSION, "epoch": epoch, "kept": taken})


def read_kept(payload: bytes) -> tuple[str, PhotographPlace]:
    """Return of which epoch and which photograph a payload says that it is kept.

    Raises:
        BadInput: it says nothing of the kind.
    """
    said = _parsed(payload)
    return _name(said.get("epoch")), _taken(said.get("kept"))


def _taken(given: Any) -> PhotographPlace:
    if (
        isinstance(given, list) and len(given) == 2 and _is_number(given[0])
        and isinstance(given[1], str) and _MOMENT.fullmatch(given[1])
    ):  # fmt: skip
        return PhotographPlace(*given)
    raise BadInput("a photograph is told by an event's number and a moment")


def hashed(password: str, salt: bytes) -> str:
    """Return by what a broker knows ``password`` without having it: PBKDF2 of SHA-512, written as
    Mosquitto does; ``salt`` is 12 random bytes."""
    derived = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${b64encode(salt).decode()}${b64encode(derived).decode()}"


def write_password(password: str) -> bytes:
    """Return as a payload by which password, :func:`hashed`, a table wants to come in."""
    return _json({"v": VERSION, "password": password})


def read_password(payload: bytes) -> str:
    """Return the hash of the password by which a table wants to come in.

    Raises:
        BadInput: it is none.
    """
    password = _parsed(payload).get("password")
    if not isinstance(password, str) or not _HASHED.fullmatch(password):
        raise BadInput("a table's password is told by its hash")
    return password


def write_state(told: TableState) -> bytes:
    """Return ``told`` as a payload."""
    return _json({"v": VERSION, **told._asdict()})


def read_state(payload: bytes) -> TableState:
    """Return how a table says that it is.

    Raises:
        BadInput: it does not say so.
    """
    said = _parsed(payload)
    state, since = said.get("state"), said.get("since", -1)
    texts = [said.get("name", ""), said.get("game", "")]
    if state not in STATES or not _is_time(since):
        raise BadInput(f"a table is {', '.join(STATES)}, since a time in seconds")
    if not _are_texts(texts) or max(map(len, texts)) > 100:
        raise BadInput("a table's name and game are short texts")
    return TableState(str(state), float(since), *map(str, texts))


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def _parsed(payload: bytes) -> dict[str, Any]:
    if len(payload) > MOST_BYTES:
        raise BadInput(f"a message has {MOST_BYTES} bytes at most, not {len(payload)}")
    try:
        said = json.loads(payload)
    except (ValueError, RecursionError):
        raise BadInput(f"{quoted(repr(payload[:40]))} is no message in JSON") from None
    if not isinstance(said, dict) or said.get("v") != VERSION:
        raise BadInput(f"a message tells its version, {VERSION}, as “v”")
    return said


def _place(given: Any) -> Place:
    if (
        isinstance(given, list) and len(given) == 2 and _is_number(given[0])
        and isinstance(given[1], str) and len(given[1]) in (0, 64)
    ):  # fmt: skip
        return Place(given[0], given[1])
    raise BadInput("a place is a list of an event's number and a digest")


def _name(given: Any) -> str:
    if isinstance(given, str) and _TABLE.fullmatch(given):
        return given
    raise BadInput("an epoch is called by 8 to 32 small letters and digits")


def _event(given: Any) -> EventRow:
    """Return an event of a message; what its texts hold is the table's own."""
    if not isinstance(given, list) or len(given) != len(EventRow._fields):
        raise BadInput("an event is a list of its fields, as the journal has them")
    seq, game, at, actor, kind, action, ruling, data, begun = given
    if not (_is_number(seq) and seq > 0 and _is_number(game) and _is_time(at)):
        raise BadInput("an event tells its number, its game and its time")
    if not (_are_texts((actor, kind, data)) and _are_texts(t for t in (action, ruling) if t)):
        raise BadInput("an event tells its actor, its kind and its data in texts")
    if begun is not None:
        if not isinstance(begun, list) or len(begun) != len(GameRow._fields):
            raise BadInput("a game is a list of its fields, as the journal has them")
        if not _are_texts([*begun[:3], begun[5], *(text for text in begun[3:5] if text)]):
            raise BadInput("a game tells its name, seats and options in texts")
        begun = GameRow(*begun)
    return EventRow(seq, game, float(at), actor, kind, action, ruling, data, begun)


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < GREATEST


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 1e11


def _are_texts(values: Iterable[Any] | Sequence[Any]) -> bool:
    """Tell whether all are texts that a database takes: PostgreSQL takes no NUL, and no halves of
    a character."""
    return all(
        isinstance(text, str)
        and "\0" not in text
        and not any("\ud800" <= sign <= "\udfff" for sign in text)
        for text in values
    )
