"""Every failure of ours has one root; what kind it is tells whose move it is to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rules.action import Action
    from companion.rules.ruling import Ruling


class CompanionError(Exception):
    """Root of all errors of the companion. The message is one clear sentence."""


class BadInput(CompanionError, ValueError):
    """Something given to us cannot be understood: a name, a file, an option, a notation."""


def unfit(title: str, problem: Exception) -> BadInput:
    """Return what is said of a stored state of the game called ``title`` in which ``problem`` came
    up: it was changed by hand, or is another game's."""
    why = "something in it is not what the game wrote there"
    if isinstance(problem, CompanionError):
        why = str(problem)
    elif isinstance(problem, KeyError) and isinstance(problem.args[0], str):
        why = f"it lacks {problem.args[0][:40]!r}, or has it where it means nothing"
    return BadInput(f"this is no state of {title}: {why}")


class IllegalAction(CompanionError, ValueError):
    """A player's mistake: the rules refuse the action. Carries the ruling that says why."""

    def __init__(self, action: Action, ruling: Ruling) -> None:
        super().__init__(f"{ruling.reason} ({ruling.rule})")
        self.action = action
        self.ruling = ruling


class Uncertain(CompanionError, LookupError):
    """Our doubt: several readings fit. Carries the candidates, most likely first."""

    def __init__(self, message: str, candidates: Sequence[Sequence[Action]] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(tuple(c) for c in candidates)


class HardwareFault(CompanionError, RuntimeError):
    """A machine's fault: camera, lights, disk. The players did nothing wrong."""
