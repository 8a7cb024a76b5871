"""What SQLite says, as one sentence for the people at the table."""

from __future__ import annotations

from companion.rules import BadInput, HardwareFault


def fault_of(path: str, error: Exception) -> BadInput | HardwareFault:
    """Return what is to be raised for an ``error`` of the journal at ``path``."""
    text = str(error)
    if "not a database" in text:
        return BadInput(f"{path} is no journal; name another file or move this one away")
    if "full" in text or getattr(error, "errno", None) == 28:
        return HardwareFault(
            f"the disk of the journal {path} is full; nothing was lost, but this last step was "
            "not taken: make room and repeat it"
        )
    if "unable to open" in text:
        return HardwareFault(
            f"the journal {path} cannot be opened; its folder must exist and be writable"
        )
    return HardwareFault(f"the journal {path} cannot be used ({text}); check its disk")
