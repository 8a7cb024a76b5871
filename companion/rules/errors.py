"""The errors of the companion. All have one root; the class tells who can mend it."""

from __future__ import annotations


class CompanionError(Exception):
    """Root of all errors of the companion. The message is one clear sentence."""

    @property
    def sentence(self) -> str:
        """The message, which can be told in other languages if it was made by ``say``."""
        message: str = self.args[0] if self.args else ""
        return message


class BadInput(CompanionError, ValueError):
    """Something given to us cannot be understood: a name, a file, an option, a notation."""


class HardwareFault(CompanionError, RuntimeError):
    """A machine's fault: camera, lights, disk. The players did nothing wrong."""


class GameFault(CompanionError, RuntimeError):
    """A game's fault: it broke its contract. Neither players nor machine did anything wrong.

    ``game`` is its name, ``what`` the detail for those who wrote it: which method, what happened.
    """

    def __init__(self, message: str, game: str, what: str) -> None:
        super().__init__(message)
        self.game, self.what = game, what
