"""Every failure of ours has one root; what kind it is tells whose move it is to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.rules.words import say

if TYPE_CHECKING:
    from companion.rules.action import Action
    from companion.rules.ruling import Ruling


class CompanionError(Exception):
    """Root of all errors of the companion. The message is one clear sentence."""


class BadInput(CompanionError, ValueError):
    """Something given to us cannot be understood: a name, a file, an option, a notation."""


class IllegalAction(CompanionError, ValueError):
    """A player's mistake: the rules refuse the action. Carries the ruling that says why."""

    def __init__(self, action: Action, ruling: Ruling) -> None:
        super().__init__(say("{reason} ({rule})", reason=ruling.reason, rule=ruling.rule))
        self.action = action
        self.ruling = ruling


class Uncertain(CompanionError, LookupError):
    """Our doubt: nobody did wrong, but several things may be meant, or what follows from something
    is not known. Carries what may have been done, most likely first."""

    def __init__(self, message: str, candidates: Sequence[Sequence[Action]] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(tuple(c) for c in candidates)


class HardwareFault(CompanionError, RuntimeError):
    """A machine's fault: camera, lights, disk. The players did nothing wrong."""


class GameFault(CompanionError, RuntimeError):
    """A game's fault: it broke its contract. Neither players nor machine did anything wrong.

    ``game`` is its name, ``what`` the detail for those who wrote it: which method, what happened.
    """

    def __init__(self, message: str, game: str, what: str) -> None:
        super().__init__(message)
        self.game, self.what = game, what
