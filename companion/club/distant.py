"""What two tables that play one game say to each other: the guest asks, the owner tells
(docs/distant.md). Either message may be lost, come twice, late or in another order."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.club.messages import (
    GREATEST,
    MOST_BYTES,
    MOST_EVENTS,
    ROOT,
    VERSION,
    Batch,
    Place,
    part_of,
    read_batch,
    write_batch,
)
from companion.journal.sentences import pack, unpack
from companion.journal.soundness import check_said
from companion.rules import BadInput, quoted
from companion.table.mirror import SETTLED, OwnerRequest

LINK = "distant:"
DOES = ("play", "correct", "undo", *SETTLED)
MOST_REQUESTS = 8
"""Requests, and answers to them, of one message."""
_TABLE = re.compile(r"[0-9a-f]{16}")
_CODE = re.compile(r"[A-Za-z0-9_-]{22}")
_NUMBER = re.compile(r"[0-9a-f]{16}")
_BEAT = re.compile(r"[0-9a-f]{8}\.[0-9]{1,15}")


class Proposal(NamedTuple):
    """A request of a guest, by its number. ``heard`` is the owner's last message that was known
    when it was made, by which the owner knows how old it is."""

    number: str
    heard: str
    request: OwnerRequest


class Answer(NamedTuple):
    """What became of the proposal ``number``: it ``stands`` (with the ``ruling`` as the journal
    writes it, where one was asked for), or not, for a ``reason``; it is ``stale`` where something
    else came first. All up to event ``told`` has to be known to see what came of it."""

    number: str
    stands: bool
    told: int
    ruling: str = ""
    reason: str = ""
    stale: bool = False


class Ask(NamedTuple):
    """What a guest says: by which ``code`` it came in, up to which ``place`` of which ``epoch`` it
    has followed, whether its board is ``set`` so, what it wants, and its ``name``."""

    code: str
    epoch: int
    place: Place
    set: bool
    wishes: tuple[Proposal, ...] = ()
    name: str = ""


class Telling(NamedTuple):
    """A message from the table that owns the game to a guest: its own ``beat``, the guest's
    ``seats``, answers, the owner's ``name``, and events of the ``epoch`` that follow the guest's
    place; no batch where there are no more."""

    epoch: int
    beat: str
    seats: tuple[str, ...]
    answers: tuple[Answer, ...] = ()
    name: str = ""
    batch: Batch | None = None


def asks_topic(owner: str, guest: str) -> str:
    """Return where ``guest`` asks; ``+`` for any."""
    return f"{ROOT}/{part_of(owner):02d}/{owner}/asks/{guest}"


def told_topic(owner: str, guest: str) -> str:
    """Return where ``owner`` tells ``guest``."""
    return f"{ROOT}/{part_of(owner):02d}/{owner}/told/{guest}"


def speaker(topic: str) -> tuple[str, str, str]:
    """Return the owner, the word (``asks``, ``told``) and the guest of a topic; three empty texts
    for another's."""
    names = topic.split("/")
    if len(names) != 6 or names[4] not in ("asks", "told"):
        return "", "", ""
    return names[3], names[4], names[5]


def write_link(owner: str, code: str) -> str:
    """Return the invitation as it is shown."""
    return f"{LINK}{owner}.{code}"


def read_link(text: str) -> tuple[str, str]:
    """Return the owner and the code of an invitation.

    Raises:
        BadInput: it is none.
    """
    owner, _, code = text.strip().removeprefix(LINK).partition(".")
    if not (_CODE.fullmatch(code) and _TABLE.fullmatch(owner)):
        raise BadInput(
            f"{quoted(text[:60])} is no invitation of another table; it begins with {LINK}"
        )
    return owner, code


def write_ask(ask: Ask) -> bytes:
    """Return ``ask`` as a payload."""
    wishes = [[one.number, one.heard, *one.request] for one in ask.wishes]
    return _json({"v": VERSION, **ask._asdict(), "place": list(ask.place), "wishes": wishes})


def read_ask(payload: bytes) -> Ask:
    """Return what a guest says.

    Raises:
        BadInput: it is not understood.
    """
    said = _parsed(payload)
    match said:
        case {
            "code": str(code), "epoch": int(epoch), "place": [int(seq), str(digest)],
            "set": bool(fits), "wishes": list(wishes), "name": str(name),
        } if (
            _CODE.fullmatch(code) and _counts(epoch) and _counts(seq) and len(digest) in (0, 64)
            and len(wishes) <= MOST_REQUESTS and len(name) <= 100
        ):  # fmt: skip
            proposals = tuple(_proposal(one) for one in wishes)
            return Ask(code, epoch, Place(seq, digest), fits, proposals, name)
    raise BadInput("what another table asks is not understood")


def _proposal(given: Any) -> Proposal:
    match given:
        case [str(number), str(heard), str(do), str(seat), int(seen), dict(data)] if (
            _NUMBER.fullmatch(number) and _BEAT.fullmatch(heard) and do in DOES
            and len(seat) <= 100 and _counts(seen)
        ):  # fmt: skip
            return Proposal(number, heard, OwnerRequest(do, seat, seen, data))
    raise BadInput("what another table wants is not understood")


def write_told(told: Telling) -> bytes:
    """Return ``told`` as a payload; of its events only as many as it takes."""
    batch = told.batch
    rest: dict[str, Any] = {
        "v": VERSION, "epoch": told.epoch, "beat": told.beat, "seats": told.seats,
        "name": told.name,
        "answers": [[*one, pack(one.reason)] for one in told.answers],
    }  # fmt: skip
    room = MOST_BYTES - len(_json(rest)) - 100
    while batch is not None and len(events := write_batch(batch)) > room:
        half = batch.rows[: len(batch.rows) // 2]
        batch = batch._replace(rows=half) if half else None
    return _json(rest | ({"batch": json.loads(events)} if batch is not None else {}))


def read_told(payload: bytes) -> Telling:
    """Return what the owner says.

    Raises:
        BadInput: it is not understood.
    """
    said = _parsed(payload)
    match said:
        case {
            "epoch": int(epoch), "beat": str(beat), "seats": list(seats), "name": str(name),
            "answers": list(answers),
        } if (
            _counts(epoch) and _BEAT.fullmatch(beat) and len(name) <= 100
            and len(answers) <= MOST_REQUESTS and len(seats) <= MOST_EVENTS
            and all(isinstance(seat, str) and len(seat) <= 100 for seat in seats)
        ):  # fmt: skip
            batch = read_batch(_json(said["batch"])) if "batch" in said else None
            return Telling(epoch, beat, tuple(seats), tuple(map(_answer, answers)), name, batch)
    raise BadInput("what the other table tells is not understood")


def _answer(given: Any) -> Answer:
    match given:
        case [
            str(number), bool(stands), int(told), str(ruling), str(reason), bool(stale), made
        ] if (
            _NUMBER.fullmatch(number) and _counts(told)
        ):  # fmt: skip
            try:
                if made is not None:
                    check_said(made)
                return Answer(number, stands, told, ruling, unpack(reason, made), stale)
            except (TypeError, ValueError, KeyError):
                pass
    raise BadInput("an answer of the other table is not understood")


def _counts(value: int) -> bool:
    return type(value) is int and 0 <= value < GREATEST


def _json(value: Mapping[str, Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _parsed(payload: bytes) -> Any:
    try:
        said = json.loads(payload) if len(payload) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("v") != VERSION:
        raise BadInput("what another table says is no message of ours")
    return said
