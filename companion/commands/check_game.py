"""``check-game``: the conformance kit, run on one game. It needs pytest."""

from __future__ import annotations

import argparse

from companion.commands.common import print_json
from companion.conformance.running import conformance_of
from companion.conformance.verdicts import FAILED


def run_check_game(arguments: argparse.Namespace) -> int:
    """Run the conformance kit on a game; the status is 1 where a check fails."""
    result = conformance_of(arguments.game, quiet=arguments.json)
    if arguments.json:
        print_json(result.json)
    return int(any(verdict.status == FAILED for verdict in result.wanting))
