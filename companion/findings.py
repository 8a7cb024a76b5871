"""What a check of the machine found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: ``level`` is ``ok``, ``note`` (works, something is absent) or ``fault``; the
    ``advice`` is what to do."""

    check: str
    level: str
    message: str
    advice: str = ""
