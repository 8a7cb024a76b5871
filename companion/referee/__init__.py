"""The referee: whether something was allowed, what in a game did not stand, games written down."""

from companion.referee.referee import (
    Audit,
    Irregularity,
    Verdict,
    audit,
    audit_journal,
    audit_record,
    audits,
    export_record,
    verdict,
    what_if,
    why,
)

__all__ = [
    "Audit",
    "Irregularity",
    "Verdict",
    "audit",
    "audit_journal",
    "audit_record",
    "audits",
    "export_record",
    "verdict",
    "what_if",
    "why",
]
