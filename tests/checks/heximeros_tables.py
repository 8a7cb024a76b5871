"""Positions of HexiMeros by coordinates, as the rules give them: Silver sits south, facing north.

A piece is written ``silver R 3 4``: token, then axial q and r. Whose Sovereign is not named stands
at home, unless ``out`` names its army.
"""

from __future__ import annotations

from typing import Any

from companion.games.heximeros import GAME
from companion.games.heximeros import geometry as g  # the tests reach it through here
from companion.games.heximeros.arena import arena_of
from companion.games.heximeros.pieces import COLOURS, TOKENS, kind_of
from companion.games.heximeros.state import HexiMerosState
from companion.rules import Action, Ruling

Cell = tuple[int, int]


def spot(q: int, r: int) -> str:
    """Return the name of the space at ``(q, r)``."""
    return g.NAMES[g.NUMBER[q, r]]


def lay(text: str, to_move: str = "silver", out: str = "", **options: str) -> HexiMerosState:
    """Return the position with the pieces in ``text``, separated by semicolons."""
    setup = GAME.setup(None, options)
    position: dict[str, str] = {}
    for line in filter(None, (part.strip() for part in text.split(";"))):
        colour, kind, q, r = line.split()
        position[spot(int(q), int(r))] = f"{colour} {kind}"
    for cell, code in arena_of(setup).homes.items():
        token = TOKENS[code]
        named = token in position.values() or token.split()[0] in out.split()
        if kind_of(code) == "S" and not named:
            position[g.NAMES[cell]] = token
    return GAME.arrange(setup, position, to_move)


def move(origin: Cell, target: Cell, detail: str = "") -> Action:
    """Return the move from ``origin`` to ``target``."""
    return Action("move", spot(*origin), spot(*target), detail)


def shot(origin: Cell, stand: Cell, target: Cell) -> Action:
    """Return an Archer's step with a shot."""
    return move(origin, stand, f"*{spot(*target)}")


def place(cell: Cell, detail: str) -> Action:
    """Return the placing of a promoted piece."""
    return Action("place", None, spot(*cell), detail)


def play(state: HexiMerosState, *actions: Action | str) -> HexiMerosState:
    """Return the state after ``actions``, words among them; each has to be allowed."""
    for action in actions:
        if isinstance(action, str):
            action = GAME.parse(state.setup, action)
        state = GAME.apply(state, action)
    return state


def ends(state: HexiMerosState, origin: Cell) -> set[Cell]:
    """Return where the piece on ``origin`` may go."""
    return {
        g.AXIAL[g.INDEX[action.target]]
        for action in GAME.legal(state)
        if action.origin == spot(*origin)
    }


def shots(state: HexiMerosState, origin: Cell) -> set[tuple[Cell, Cell]]:
    """Return where the Archer on ``origin`` may step and what it may shoot from there."""
    return {
        (g.AXIAL[g.INDEX[action.target]], g.AXIAL[g.INDEX[action.detail[1:]]])
        for action in GAME.legal(state)
        if action.origin == spot(*origin) and action.detail.startswith("*")
    }


def judged(state: HexiMerosState, action: Action | str) -> Ruling:
    """Return the ruling on ``action``; it has to agree with what is legal."""
    if isinstance(action, str):
        action = GAME.parse(state.setup, action)
    ruling = GAME.judge(state, action)
    allowed = action in GAME.legal(state) or action in GAME.claims(state)
    assert ruling.allowed == allowed, (action, ruling)
    return ruling


def refused(state: HexiMerosState, action: Action | str) -> tuple[str, tuple[Any, ...]]:
    """Return the rule and the proving cells of a refusal, by coordinates."""
    ruling = judged(state, action)
    assert not ruling.allowed, ruling
    return ruling.rule, tuple(g.AXIAL[g.INDEX[name]] for name in ruling.spots)


def allowed(state: HexiMerosState, action: Action | str) -> str:
    """Return the rule that allows ``action``."""
    ruling = judged(state, action)
    assert ruling.allowed, ruling
    return ruling.rule


def standing(state: HexiMerosState, cell: Cell) -> str | None:
    """Return what stands on ``cell``."""
    return GAME.expect(state).get(spot(*cell))


def score(state: HexiMerosState, colour: str) -> int | None:
    """Return the points on a player's scorecard."""
    return GAME.scorecards(state)[COLOURS.index(colour)].score
