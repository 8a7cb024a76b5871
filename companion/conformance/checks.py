"""What the kit checks: each check by its name, its level and the capabilities that it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.conformance.evidence import Evidence
from companion.rules import Game

BRONZE, SILVER, GOLD = LEVELS = ("bronze", "silver", "gold")
"""The rules hold; the table sees it and shows it; it is proven, and told to its players."""
FEWEST_WORDS = 3
"""A reason has no fewer."""

AnyGame: TypeAlias = "Game[Any]"


class Missing(Exception):
    """Nothing is wrong, but something that a level asks for is not there."""


class Exempt(Exception):
    """The game is not held to this, for the reason that it gives."""


@dataclass(frozen=True)
class CheckedGame:
    """A game that is checked, what its package holds as evidence, and from what it is exempt, with
    the reasons."""

    game: AnyGame
    evidence: Evidence
    exempt: Mapping[str, str]


@dataclass(frozen=True)
class Check:
    """One check. ``run`` raises AssertionError where the game does not hold, :class:`Missing` where
    something is not there. ``needs``: it is made of games that declare one of these capabilities;
    of all where there are none."""

    name: str
    level: str
    run: Callable[[CheckedGame], None]
    needs: tuple[type, ...] = ()

    @property
    def about(self) -> str:
        """Return what is checked, in one line."""
        return (self.run.__doc__ or self.name).partition("\n")[0]

    def of(self, candidate: CheckedGame) -> None:
        """Check ``candidate``.

        Raises:
            AssertionError: it does not hold.
            Missing: something is not there.
            Exempt: it is exempt, with a reason.
        """
        reason = candidate.exempt.get(self.name, "")
        if reason and self.level != BRONZE:
            raise Exempt(reason)
        self.run(candidate)


CHECKS: dict[str, Check] = {}
"""Every check by its name, in the order in which they are made."""


def check(level: str, *needs: type) -> Callable[[Callable[[CheckedGame], None]], Check]:
    """Make the function below a check, by its own name."""

    def made(run: Callable[[CheckedGame], None]) -> Check:
        found = CHECKS[run.__name__] = Check(run.__name__, level, run, needs)
        return found

    return made
