"""The photographs in a journal's file, each with a digest by which it is known."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from companion.journal.connection import Connection, one

BATCH = 1_000_000
"""Bytes of photographs that are deleted in one transaction."""
SINCE = 4
"""The version of journals since which photographs have digests."""


def keep(db: Connection, seq: int, photographs: Mapping[str, bytes]) -> None:
    """Write the photographs of event ``seq``: moment -> JPEG bytes."""
    for moment, jpeg in photographs.items():
        db.execute("INSERT INTO evidence VALUES (?, ?, ?)", (seq, moment, jpeg))
        db.execute("INSERT INTO digest VALUES (?, ?, ?)", (seq, moment, digest(jpeg)))


def digest(jpeg: bytes) -> str:
    """Return the SHA-256 digest of a photograph."""
    return hashlib.sha256(jpeg).hexdigest()


def spoilt(db: Connection, game: int, seq: int | None = None) -> Iterator[tuple[int, str]]:
    """Yield the event's number and the moment of every photograph of ``game``, or of its event
    ``seq``, that is not what its digest says, or is missing though nobody deleted it."""
    events = f"SELECT seq FROM event WHERE game = ? {'' if seq is None else 'AND seq = ?'}"
    values = (game,) if seq is None else (game, seq)
    for at, moment, jpeg, kept in db.execute(
        "SELECT e.seq, e.moment, e.jpeg, d.sha256 FROM evidence e LEFT JOIN digest d "
        f"ON d.seq = e.seq AND d.moment = e.moment WHERE e.seq IN ({events}) ORDER BY e.rowid",
        values,
    ):
        if digest(bytes(jpeg)) != kept:
            yield at, moment
    yield from db.execute(
        f"SELECT seq, moment FROM digest WHERE seq IN ({events}) "
        "AND (seq, moment) NOT IN (SELECT seq, moment FROM evidence) ORDER BY seq",
        values,
    )


def too_much(db: Connection, most: int) -> int:
    """Return the number of the last event whose photographs have to go for ``most`` bytes to be
    left; 0 for none."""
    return int(
        one(
            db,
            "SELECT coalesce(max(seq), 0) FROM (SELECT seq, sum(length(jpeg)) "
            f"OVER (ORDER BY seq DESC) AS total FROM evidence) WHERE total > {int(most)}",
        )
    )


def batch(db: Connection, where: str, values: Sequence[int], most: int) -> list[int]:
    """Return the rows of the oldest photographs that fulfil the SQL condition ``where`` with
    ``values``, about ``most`` bytes of them, at least one if there are any."""
    total = 0
    rows: list[int] = []
    for row, size in db.execute(
        f"SELECT rowid, length(jpeg) FROM evidence WHERE {where} ORDER BY seq LIMIT 1000", values
    ):
        if rows and total + size > most:
            break
        rows.append(row)
        total += size
    return rows


def delete(db: Connection, rows: Sequence[int]) -> None:
    """Delete the photographs of these ``rows`` and their digests."""
    marks = ", ".join("?" * len(rows))
    db.execute(
        "DELETE FROM digest WHERE (seq, moment) IN "
        f"(SELECT seq, moment FROM evidence WHERE rowid IN ({marks}))",
        rows,
    )
    db.execute(f"DELETE FROM evidence WHERE rowid IN ({marks})", rows)


def digest_all(db: Connection) -> None:
    """Give each photograph of an older journal its digest."""
    last = 0
    while rows := list(
        db.execute(
            "SELECT rowid, seq, moment, jpeg FROM evidence WHERE rowid > ? ORDER BY rowid LIMIT 50",
            (last,),
        )
    ):
        for last, seq, moment, jpeg in rows:  # noqa: B007
            db.execute(
                "INSERT OR REPLACE INTO digest VALUES (?, ?, ?)", (seq, moment, digest(jpeg))
            )
