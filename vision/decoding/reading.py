"""What the vision says about one frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules import Action, Position, Ruling

ASKED = 6
"""Answers that are offered at most when somebody is asked."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action that explains the picture, in the order of play.

    ``p`` is the probability that it happened. ``takeback`` is the number of accepted actions
    that it undoes, and is 0 with ``ruling`` None for a token put back after a refused move:
    ``action`` then runs from where the token stood to where it came from.
    ``ruling`` is None for take-backs; ``legal`` steps carry an allowing ruling. ``silent``: it was
    told before, or is in doubt; it is here for what comes after it.
    """

    action: Action
    p: float
    ruling: Ruling | None = None
    takeback: int | None = None
    silent: bool = False

    @property
    def legal(self) -> bool:
        """Tell whether the table should accept this step as play."""
        return self.takeback is None and self.ruling is not None and self.ruling.allowed

    @property
    def refused(self) -> bool:
        """Tell whether the rules refuse this step."""
        return self.ruling is not None and not self.ruling.allowed


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of one frame.

    ``still`` is False while a hand is in view or the frame could not be read. ``position`` is
    what stands on the board, None when not still. ``steps`` explains what changed since the last
    still frame; ``asks`` holds the candidates, most likely first, when it is not certain, and
    ``ahead`` the likeliest with what was played whatever the doubt is about: the table is given
    that once the doubt is settled. ``differs`` are the spots where the table does not fit the
    state and no action explains it.
    ``missing`` are those of them where nothing lies though something belongs there, before the
    game. ``lifted`` is the spot whose token is in the hand. ``message`` says in one sentence what a
    player should know or do. ``set_up`` is the position that the players chose, in the first
    picture of a game with a free set-up: the table begins with it. ``instead``: moves told
    earlier were made in another order; so many actions give way to these before the steps.
    ``dark``: lights spoil the picture; the next one is to be taken without them. ``reason`` says
    why nothing is told yet, where no player need know.
    """

    frame: str
    still: bool
    position: Position | None = None
    steps: tuple[Step, ...] = ()
    asks: tuple[tuple[Step, ...], ...] = ()
    ahead: tuple[Step, ...] = ()
    differs: tuple[str, ...] = ()
    lifted: str | None = None
    message: str = ""
    set_up: Position | None = None
    missing: tuple[str, ...] = ()
    instead: tuple[int, tuple[Action, ...]] | None = None
    dark: bool = False
    reason: str = ""


def with_probability(steps: Sequence[Step], p: float) -> tuple[Step, ...]:
    """Return ``steps`` with their common probability."""
    return tuple(replace(step, p=round(p, 4)) for step in steps)
