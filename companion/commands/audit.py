"""``audit``: a whole record or journal, and what in it did not stand."""

from __future__ import annotations

import argparse

from companion.commands.common import print_json
from companion.referee import audit


def run_audit(arguments: argparse.Namespace) -> int:
    """Replay a whole record and list what did not stand."""
    found = audit(arguments.record)
    if arguments.json:
        print_json(found.as_json())
        return 0
    print(f"{found.game}, {', '.join(found.seats)}: {found.played} actions stand")
    for finding in found.findings:
        ruling = finding.verdict.ruling
        print(
            f"  {finding.where}: {finding.verdict.action} REFUSED by {ruling.rule}: {ruling.reason}"
        )
    for where in found.spoilt:
        print(f"  {where}: this photograph is not the one that was taken")
    if found.outcome:
        print(f"  {found.outcome.reason} ({found.outcome.rule})")
    return 0
