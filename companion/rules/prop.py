"""What pages draw on a board beside the tokens on its spots: hands face down, dice in their zones,
the words of a fight that is being decided."""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.geometry import Point


class Prop(NamedTuple):
    """A token or a word at a place ``at`` of the board, in millimetres. ``size`` is that of the
    token in its own sizes, or the height of the letters in millimetres, which are smaller where
    words in some language would be longer than their ``room`` (0: as long as they like).
    ``turn`` are degrees clockwise on the board; without, it stands upright for whoever looks, and
    what is ``fixed`` does not even change its place about the board's middle. What comes to pass
    one after another is shown in the order of ``step``, from 1 to 3; what has none, at once."""

    at: Point
    token: str = ""
    words: str = ""
    size: float = 1.0
    turn: float | None = None
    fixed: bool = False
    step: int = 0
    room: float = 0.0
