"""``audit``: a whole record or journal or the games of a PGN, and what in it did not stand."""

from __future__ import annotations

import argparse

from companion.commands.common import print_json
from companion.referee import Audit, audits


def run_audit(arguments: argparse.Namespace) -> int:
    """Replay whole games and list what did not stand."""
    every = audits(arguments.record)
    if arguments.json:
        found = [one.as_json() for one in every]
        print_json(found if len(found) > 1 else found[0])
        return 0
    for one in every:
        _tell(one)
    return 0


def _tell(found: Audit) -> None:
    who = found.called or ", ".join(found.seats)
    print(f"{found.game}, {who}: {found.played} actions stand")
    for finding in found.findings:
        ruling = finding.verdict.ruling
        print(
            f"  {finding.where}: {finding.verdict.action} REFUSED by {ruling.rule}: {ruling.reason}"
        )
    for where in found.spoilt:
        print(f"  {where}: this photograph is not the one that was taken")
    if found.outcome:
        print(f"  {found.outcome.reason} ({found.outcome.rule})")
