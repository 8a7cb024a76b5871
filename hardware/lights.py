"""What every light means: a pure function from a game's state and a moment to lit spots.

No meaning rests on colour alone: meanings that can be lit together differ in effect, or one is
at least three times as bright as the other. ``blink`` always asks for something to be mended,
``pulse`` says *look here*, ``steady`` informs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from companion.rules import Action, Effect, Game

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

EffectName = Literal["steady", "pulse", "blink"]
Level = Literal["full", "errors", "off"]


@dataclass(frozen=True, slots=True)
class Light:
    """How the light under one spot shines, and which of :data:`MEANINGS` it has."""

    colour: Colour
    effect: EffectName = "steady"
    meaning: str = ""


LightFrame = Mapping[str, Light]
"""Spot -> light; a spot that is not named is dark. Never changes once it is made."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What goes on at the table besides the game's state.

    ``lifted`` is the spot whose token is in the hand; ``differs`` the spots where the table does
    not fit the state; ``proof`` the spots that prove the last refusal; ``last`` the spots of the
    last action, in order. ``level``: ``full``, ``errors`` (differences and proofs alone), ``off``.
    """

    lifted: str | None = None
    differs: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    level: Level = "full"


MEANINGS: Mapping[str, Light] = MappingProxyType(
    {
        "differs": Light((255, 40, 0), "blink", "differs"),
        "proof": Light((255, 140, 0), "pulse", "proof"),
        "capture": Light((255, 0, 60), "pulse", "capture"),
        "destination": Light((0, 220, 70), "steady", "destination"),
        "nowhere": Light((255, 140, 0), "pulse", "nowhere"),
        "home": Light((40, 40, 60), "steady", "home"),
        "highlight": Light((0, 110, 160), "pulse", "highlight"),
        "last": Light((35, 35, 60), "steady", "last"),
        "turn": Light((12, 12, 8), "steady", "turn"),
    }
)
"""Every meaning with its light, the weightier first: where two fall on one spot it wins."""


def lights(game: Game[Any], state: Any, moment: Moment) -> LightFrame:
    """Return what to light for ``state`` at this ``moment``.

    One thing at a time: while something differs or a refusal is explained nothing else is lit;
    while a token is in the hand only where it may go; else the quiet lights. Spots that the board
    does not have are left out.
    """
    if moment.level == "off":
        return _frame({})
    if moment.differs or moment.proof:
        wanted: dict[str, Iterable[str]] = {"differs": moment.differs, "proof": moment.proof}
    elif moment.level == "errors":
        return _frame({})
    elif moment.lifted:
        wanted = _where_to(game, state, moment.lifted)
    else:
        wanted = _quiet(game, state, moment)
    board = game.board(game.setup_of(state))
    lit: dict[str, Light] = {}
    for meaning, light in MEANINGS.items():
        for spot in wanted.get(meaning, ()):
            if spot in board:
                lit.setdefault(spot, light)
    return _frame(lit)


def _where_to(game: Game[Any], state: Any, lifted: str) -> dict[str, Iterable[str]]:
    """Return the lights while the token from ``lifted`` is in the hand."""
    here = game.expect(state)
    moves = [action for action in game.legal(state) if action.origin == lifted]
    if not moves:
        return {"nowhere": (lifted,)}
    plain: list[str] = []
    captures: list[str] = []
    for action in moves:
        effect = game.effect(state, action)
        if effect.captures:
            captures += _victims(action, effect, here)
        if action.target and action.target not in captures:
            plain.append(action.target)
    return {"capture": captures, "destination": plain, "home": (lifted,)}


def _victims(action: Action, effect: Effect, here: Mapping[str, str]) -> list[str]:
    """Return the target and every spot from which the action takes a token away."""
    emptied = [
        spot
        for spot, token in effect.changes.items()
        if token is None and spot in here and spot != action.origin
    ]
    return ([action.target] if action.target else []) + emptied


def _quiet(game: Game[Any], state: Any, moment: Moment) -> dict[str, Iterable[str]]:
    """Return the lights while nobody's hand is over the board."""
    legal = game.legal(state)
    marked = [spot for spots in game.highlights(state).values() for spot in spots]
    places = [action.target for action in legal if action.verb == "place" and action.target]
    movable = [action.origin for action in legal if action.origin]
    return {"destination": places, "highlight": marked, "last": moment.last, "turn": movable}


def _frame(lit: dict[str, Light]) -> LightFrame:
    return MappingProxyType(lit)
