"""Reading files that users name: whole, of limited size, and never waiting for a pipe. Writing our
own files: whole or not at all, and readable by their owner alone."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from companion.rules import BadInput, given

MOST_TEXT = 16_000_000
"""Bytes of the largest text that is read; a table file with everything told in 20,000 moves is as
large."""
KINDS = {
    stat.S_IFDIR: "it is a folder, not a file",
    stat.S_IFIFO: "it is a pipe, not a file; write what it gives into a file first",
    stat.S_IFSOCK: "it is a socket, not a file",
    stat.S_IFCHR: "it is a device, not a file",
    stat.S_IFBLK: "it is a device, not a file",
}
"""What may lie under a name and cannot be read whole, because it never ends or never begins."""


def open_file(path: Path) -> BinaryIO:
    """Open the file for reading.

    Raises:
        OSError: it is no file, or cannot be opened; ``strerror`` says which.
    """
    # Without O_NONBLOCK, opening a pipe waits for somebody who writes.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    kind = stat.S_IFMT(os.fstat(number).st_mode)
    if kind != stat.S_IFREG:
        os.close(number)
        raise OSError(errno.EINVAL, KINDS.get(kind, "it is not a file"), str(path))
    return open(number, "rb")


def read_bytes(path: Path, most: int) -> bytes:
    """Return what the file holds, ``most`` bytes at the most.

    Raises:
        OSError: it is no file, is larger, or cannot be read; ``strerror`` says which.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 1_000_000} MB", str(path))
    return data


def read_text(path: Path) -> str:
    """Return the text (UTF-8) that the file holds.

    Raises:
        OSError: as :func:`read_bytes`, or it is no text; ``strerror`` says which.
    """
    try:
        return read_bytes(path, MOST_TEXT).decode("utf-8")
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is no text in UTF-8", str(path)) from None


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object that the file holds.

    Raises:
        BadInput: there is no such file, or no object of ours in it.
    """
    try:
        return given.read_object(read_text(path), str(path))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error


def private(path: str, flags: int) -> int:
    """Open a file that its owner alone may read, from now on; an ``opener`` for :func:`open`."""
    number = os.open(path, flags, 0o600)
    if hasattr(os, "geteuid") and os.fstat(number).st_uid == os.geteuid():
        os.fchmod(number, 0o600)
    return number


def private_folder(folder: Path) -> None:
    """Make ``folder``, if it is not there, so that its owner alone may look into it.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Let one process at a time change what is kept in ``folder``; the others wait."""
    import fcntl

    place = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)


def write_private(path: Path, data: bytes | str) -> None:
    """Write a file, whole or not at all, that its owner alone may read. A link leads to it as
    before; what an administrator writes stays the one's to whom it, or its folder, belongs.

    Raises:
        OSError: the disk does not take it; what was there before still is.
    """
    target = Path(os.path.realpath(path))
    fresh = target.with_name(f"{target.name}.new")
    try:
        with open(fresh, "wb", opener=private) as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            owner = (target if target.exists() else target.parent).stat()
            os.chown(fresh, owner.st_uid, owner.st_gid)
        fresh.replace(target)
    except OSError:
        with suppress(OSError):
            fresh.unlink()
        raise
