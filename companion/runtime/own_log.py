"""What the companion itself tells of its running: for each table a file of limited size beside its
games, for its owner alone. No code, token or password is in it, and nothing of what hands hold."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from traceback import format_tb

from companion.rules import Uncertain
from companion.runtime.files import private, read_bytes

ENDING = ".log"
MOST_BYTES = 256_000
"""Bytes after which a new file is begun; the one before is kept beside it."""
MOST_TEXT = 8_000
"""Characters of one entry."""
_INNER = "  "
"""What the further lines of an entry begin with."""
_SECRETS = re.compile(r"(?<=join#)\S+|(?<=://)[^\s/@]+(?=@)|(?<=[Bb]earer )\S+")
_CODE = re.compile("[█▀▄]")


class _Entry(logging.Formatter):
    """An entry: when, how grave, whose, what; of a fault where it was and its kind. What a fault or
    a doubt says is left out: it may name a card."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the entry of ``record``."""
        told = record.getMessage()
        if isinstance(record.args, tuple) and any(isinstance(a, Uncertain) for a in record.args):
            told = "the game did not follow an action"
        lines = [told]
        if record.exc_info and (kind := record.exc_info[0]):
            lines += [*map(str.rstrip, format_tb(record.exc_info[2])), kind.__name__]
        when = datetime.fromtimestamp(record.created).astimezone().isoformat(timespec="seconds")
        text = f"{when} {record.levelname} {record.name}: " + "\n".join(lines)
        return f"\n{_INNER}".join(plain(text[:MOST_TEXT]).splitlines())


class _LogFile(RotatingFileHandler):
    """The file. A disk that does not take an entry costs the entry, and nothing else."""

    def _open(self) -> TextIOWrapper:
        return open(
            self.baseFilename, "a", encoding="utf-8", errors="backslashreplace", opener=private
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Let it be: the same has been told on stderr."""


def plain(text: str) -> str:
    """Return ``text`` without secrets, and without what changes a terminal."""
    shown = _SECRETS.sub("…", text)
    return "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in shown)


@contextmanager
def logged(folder: Path, table: str) -> Iterator[None]:
    """Keep what is logged meanwhile in ``folder``, in the file of ``table``: two that run at once
    would cut one file off under each other. Warnings go to stderr as they do without it."""
    root, own = logging.getLogger(), logging.getLogger("companion")
    file = _LogFile(folder / f"{table}{ENDING}", maxBytes=MOST_BYTES, backupCount=1, delay=True)
    file.setFormatter(_Entry())
    to_stderr = None if root.handlers else logging.lastResort
    handlers = [one for one in (file, to_stderr) if one is not None]
    level = own.level
    own.setLevel(logging.INFO)
    for one in handlers:
        root.addHandler(one)
    try:
        yield
    finally:
        for one in handlers:
            root.removeHandler(one)
        own.setLevel(level)
        file.close()


def last_entries(
    folder: Path, most: int, since: float = 0.0, table: str | None = None
) -> Sequence[str]:
    """Return the last ``most`` entries kept in ``folder`` that were made at ``since`` (seconds
    since 1970) or later, the newest last; an entry may have several lines. They are those of
    ``table``, or of all tables."""
    made: list[tuple[float, str]] = []
    for path in sorted(folder.glob(f"*{ENDING}")):
        if table not in (None, path.stem):
            continue
        entries: list[str] = []
        for one in (path.with_name(f"{path.name}.1"), path):
            text = b""
            with suppress(OSError):
                text = read_bytes(one, 2 * MOST_BYTES)
            for line in text.decode("utf-8", "replace").splitlines():
                if line.startswith(_INNER) and entries:
                    entries[-1] += f"\n{line}"
                else:
                    entries.append(line)
        made += [(_made(entry), entry) for entry in entries]
    # Those of one table stay in their order though its clock was set.
    ordered = made if table is not None else sorted(made, key=lambda entry: entry[0])
    return [plain(entry) for at, entry in ordered if at >= since][-most:]


def _made(entry: str) -> float:
    """Return when an entry was made, 0 where it does not tell."""
    with suppress(ValueError):
        return datetime.fromisoformat(entry.partition(" ")[0]).timestamp()
    return 0.0


def without_codes(lines: Sequence[str]) -> Sequence[str]:
    """Return ``lines`` of a journal without the codes that let phones in, written or drawn."""
    return [plain(line) for line in lines if not _CODE.search(line)]
