"""The whole kit: every check there is, and which of them follow from what a game declares."""

from __future__ import annotations

# Importing them makes their checks known.
from companion.conformance import machines, proof, rules, seen  # noqa: F401
from companion.conformance.checks import CHECKS, LEVELS, AnyGame, Check


def checks_of(game: AnyGame) -> tuple[Check, ...]:
    """Return the checks that follow from the capabilities that ``game`` declares, bronze first."""
    return tuple(
        one
        for one in sorted(CHECKS.values(), key=lambda one: LEVELS.index(one.level))
        if not one.needs or isinstance(game, one.needs)
    )
