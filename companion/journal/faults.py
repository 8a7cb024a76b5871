"""What SQLite reports, as one sentence for the people at the table."""

from __future__ import annotations

import errno

from companion.journal.reserve import no_room
from companion.rules import BadInput, HardwareFault

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SHUT = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)


class DiskFull(HardwareFault):
    """The disk is full; nothing of what was to be written was."""


class Damaged(HardwareFault):
    """Something in the journal is not what a companion wrote; the rest of it can be read."""


def fault_of(path: str, error: Exception, called: str = "") -> BadInput | HardwareFault:
    """Return the error to raise for what SQLite, or the system, reported about the journal at
    ``path``, which people know as it is ``called``."""
    text, number, called = str(error), getattr(error, "errno", None), called or path
    if isinstance(error, UnicodeDecodeError):
        # Of a page that is none SQLite cannot even say what is wrong with it.
        text = "it is damaged"
    if "not a database" in text:
        return BadInput(f"{called} is no journal; name another file or move this one away")
    if "full" in text or number in _FULL or ("I/O" in text and no_room(path)):
        return DiskFull(
            f"the disk of the journal {called} is full; nothing was lost, but this last step was "
            "not taken: make room and repeat it"
        )
    if "unable to open" in text or number in _SHUT:
        return HardwareFault(
            f"the journal {called} cannot be opened; its folder must exist and be writable"
        )
    return HardwareFault(f"the journal {called} cannot be used ({text}); check its disk")
