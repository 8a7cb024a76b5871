"""Actions: what one hand does once and a camera can see once, and the spoken ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from companion.rules.errors import BadInput
from companion.rules.given import quoted
from companion.rules.words import say


@dataclass(frozen=True, slots=True)
class Action:
    """One atomic action.

    ``verb`` is ``move`` (a token goes from ``origin`` to ``target``), ``place`` (a token from
    off the board comes to ``target``) or a spoken word such as ``end`` or ``pass``.
    ``via`` names the spots passed where the route matters. ``detail`` holds what else has to be
    said: the piece a pawn becomes, a position named by a scout.
    """

    verb: str
    origin: str | None = None
    target: str | None = None
    detail: str = ""
    via: tuple[str, ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A search looks the same ready-made actions up again and again.
        known = hash((self.verb, self.origin, self.target, self.detail, self.via))
        object.__setattr__(self, "_hash", known)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Action], tuple[object, ...]]:
        # Another process hashes texts otherwise.
        return Action, (self.verb, self.origin, self.target, self.detail, self.via)

    @property
    def spots(self) -> tuple[str, ...]:
        """The spots that it names, from the first to the last."""
        return tuple(spot for spot in (self.origin, *self.via, self.target) if spot)

    @property
    def ends(self) -> tuple[str, ...]:
        """The spots where it began and ended, without those passed on the way."""
        return tuple(spot for spot in (self.origin, self.target) if spot)

    def __str__(self) -> str:
        return write_action(self)


_SPOT = r"[a-z]+[0-9]+"
_MOVE = rf"({_SPOT})((?:-{_SPOT})*)-({_SPOT})(?:=(.+))?"
_PLACE = rf"\*({_SPOT})(?:=(.+))?"
_WORD = r"([a-z]+)(?:=(.+))?"


def write_action(action: Action) -> str:
    """Return the notation of ``action``: ``h2-h4``, ``e7-e8=Q``, ``*b8``, ``end``."""
    if action.verb == "move":
        text = "-".join([str(action.origin), *action.via, str(action.target)])
    elif action.verb == "place":
        text = f"*{action.target}"
    else:
        text = action.verb
    return f"{text}={action.detail}" if action.detail else text


def read_action(text: str) -> Action:
    """Read the notation of :func:`write_action`.

    Raises:
        BadInput: the text is no action in this notation; spots are not looked up here.
    """
    if match := re.fullmatch(_MOVE, text):
        origin, via, target, detail = match.groups()
        return Action("move", origin, target, detail or "", tuple(via.split("-")[1:]))
    if match := re.fullmatch(_PLACE, text):
        return Action("place", None, match[1], match[2] or "")
    if match := re.fullmatch(_WORD, text):
        return Action(match[1], detail=match[2] or "")
    raise BadInput(
        say(
            "{text} is not an action; write a move as h2-h4, a piece put back as *b8, "
            "the end of a turn as end",
            text=quoted(text),
        )
    )
