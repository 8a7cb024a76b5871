"""Why a piece cannot travel from one cell to another: lines, blockers, walls, colours, captures.

Every function returns the refusal, or None where it has no objection.
"""

from __future__ import annotations

from itertools import pairwise

from companion.games.victorus import geometry as g
from companion.games.victorus.arena import View
from companion.games.victorus.lines import EDGE_LINES, SPOKE_LINES, STEP_EDGES, STEP_SPOKES
from companion.games.victorus.moves import conquers, shut_for
from companion.games.victorus.pieces import (
    KING,
    OWNER,
    PIECES,
    QUEEN,
    ROYAL,
    SUB,
    TITLES,
)  # fmt: skip
from companion.games.victorus.state import State
from companion.games.victorus.winding import is_round
from companion.rules import Ruling

_LINES = {
    "T": "vertically or horizontally", "U": "along the 45° lines",
    "B": "horizontally or along the 60° lines", "H": "horizontally or along the 60° lines",
    "E": "vertically, horizontally or along the 45° lines",
}  # fmt: skip


def refuse(rule: str, reason: str, *cells: int) -> Ruling:
    """Return a refusal with the cells that prove it."""
    return Ruling(False, rule, reason, tuple(g.NAMES[cell] for cell in cells))


def title(state: State, cell: int) -> str:
    """Return how the players call the piece on ``cell``: ``red royal Templar on h4``."""
    code = state.board[cell]
    piece = PIECES[SUB[code]]
    royal = "royal " if piece.royal else ""
    return f"{state.arena.colours[OWNER[code]]} {royal}{TITLES[piece.kind]} on {g.NAMES[cell]}"


def view_of(state: State) -> View:
    """Return the board with the kingdoms that stand now."""
    return state.arena.view(state.tally.live)


def kind_at(state: State, cell: int) -> str:
    """Return the kind of the piece on ``cell``."""
    return PIECES[SUB[state.board[cell]]].kind


def is_line(state: State, origin: int, target: int) -> bool:
    """Tell whether the piece's lines of movement lead to ``target`` on an empty board."""
    found = g.heading(origin, target)
    if found is None:
        return False
    spoke, d, _ = found
    lines = (SPOKE_LINES if spoke else EDGE_LINES)[kind_at(state, origin)]
    return (d - state.place) % 6 in lines


def is_strategic(state: State, origin: int, target: int) -> bool:
    """Tell whether ``target`` is a strategic step away that no slide of the piece is
    (VIC-4.2)."""
    found = g.heading(origin, target)
    if found is None or found[2] != 1:
        return False
    steps = (STEP_SPOKES if found[0] else STEP_EDGES).get(kind_at(state, origin), ())
    return (found[1] - state.place) % 6 in steps


def off_line(state: State, origin: int, target: int) -> Ruling:
    """Refuse a move that no line of the piece makes."""
    kind = kind_at(state, origin)
    rule, how = {"K": ("VIC-4.5", "E"), "Q": ("VIC-4.5", "E"), "H": ("VIC-4.3", "H")}.get(
        kind, ("VIC-4.1", kind)
    )
    return refuse(
        rule,
        f"A {TITLES[kind]} moves {_LINES[how]}; {g.NAMES[target]} is not on such a line "
        f"from {g.NAMES[origin]}.",
        origin, target,
    )  # fmt: skip


def way(state: State, origin: int, target: int) -> Ruling | None:
    """Object to what lies between two cells in line: walls, blocked spokes, pieces."""
    found = g.heading(origin, target)
    assert found is not None, "the line is judged before the way"
    spoke, d, _ = found
    path = g.track(origin, target)
    for here, there in pairwise(path):
        step = _spoke(state, here, there, d) if spoke else _edge(state, here, there)
        if step is not None:
            return step
        if there != target and state.board[there]:
            return refuse("VIC-3.2", f"The {title(state, there)} is in the way.", there)
    return None


def _edge(state: State, here: int, there: int) -> Ruling | None:
    if g.CENTRE in (here, there):
        return _centre(g.CENTRE)
    if frozenset((here, there)) in view_of(state).lines.walls:
        return _wall(here, there)
    return None


def _centre(*cells: int) -> Ruling:
    return refuse(
        "VIC-3.4", "Nothing travels through the centre or rests there but a winning King or Queen.",
        *cells,
    )  # fmt: skip


def _wall(here: int, there: int) -> Ruling:
    return refuse(
        "VIC-2.4", f"A wall stands between {g.NAMES[here]} and {g.NAMES[there]}.", here, there
    )


def _spoke(state: State, here: int, there: int, d: int) -> Ruling | None:
    if there == g.CENTRE:
        return _centre(there)
    lines = view_of(state).lines
    if lines.spoke_wall(here, d):
        return _wall(here, there)
    step = lines.spoke_step(here, d)
    assert step is not None, "walls and the centre are judged before"
    if not (state.board[step[1]] and state.board[step[2]]):
        return None
    sides = [cell for cell in g.flanks(here, d) if cell is not None]
    told = [_flank(state, cell) for cell in sides]
    told += ["the rim of the board"] * (2 - len(sides))
    return refuse(
        "VIC-3.3",
        f"The spoke from {g.NAMES[here]} to {g.NAMES[there]} is blocked on both sides: "
        f"by {told[0]} and by {told[1]}.",
        *sides,
    )


def _flank(state: State, cell: int) -> str:
    return "the centre" if cell == g.CENTRE else f"the {title(state, cell)}"


def ending(state: State, origin: int, target: int, colour: int, rule: str) -> Ruling | None:
    """Object to where a move ends: colour of the cell, own and allied pieces, forbidden
    captures. ``rule`` is where the colour is prescribed."""
    shade = state.arena.shade[target]
    if shade != colour:
        names = ("white", "grey")
        return refuse(
            rule,
            f"The {title(state, origin)} has to end on {names[colour]}; "
            f"{g.NAMES[target]} is {names[shade]}.",
            target,
        )
    return taking(state, origin, target) if state.board[target] else None


def edge_colour(state: State, cell: int) -> int:
    """Return the colour of cells that belongs to the edge of the knight on ``cell``."""
    edge = PIECES[SUB[state.board[cell]]].edge
    assert edge is not None, "only knights have one edge colour"
    return edge


def taking(state: State, cell: int, target: int) -> Ruling | None:
    """Object to capturing what stands on ``target`` (VIC-5.6, VIC-8.1, VIC-8.2)."""
    arena, place, owner = state.arena, state.place, OWNER[state.board[target]]
    if owner == place:
        return refuse("VIC-5.1", f"The {title(state, target)} is your own piece.", target)
    if arena.friends[place] >> owner & 1:
        return refuse("VIC-8.2", f"The {title(state, target)} is an ally's piece.", target)
    if not shut_for(state, cell)[target]:
        return None
    zone, then = view_of(state).zone[target], state.turn.start_of(cell)
    if any(here == cell and kingdom == zone for here, kingdom in state.turn.barred):
        return refuse(
            "VIC-8.1",
            f"The {title(state, cell)} has captured in this kingdom and may not capture in it "
            "again in this turn.",
            target,
        )
    return refuse(
        "VIC-5.6",
        f"The {title(state, cell)} began this turn inside a kingdom, on {g.NAMES[then]}: it "
        f"captures in the battlefield, not in the enemy kingdom on {g.NAMES[target]}.",
        then, target,
    )  # fmt: skip


def gate(state: State, origin: int, target: int) -> Ruling | None:
    """Object to a King or Queen that leaves its kingdom too early (VIC-4.6)."""
    arena, place = state.arena, state.place
    if state.gate_open(place) or SUB[state.board[origin]] not in (KING, QUEEN):
        return None
    out = [cell for cell in g.track(origin, target)[1:] if arena.land[cell] != place]
    if not out:
        return None
    left = 3 - state.tally.gate[place]
    return refuse(
        "VIC-4.6",
        f"King and Queen of {arena.colours[place]} stay in their kingdom until "
        f"{left} more {'capture is' if left == 1 else 'captures are'} made.",
        *out,
    )


def conquest(state: State, origin: int) -> Ruling | None:
    """Object to a King or Queen that slides into the centre (VIC-7.1 … VIC-7.3)."""
    code, axis = state.board[origin], state.arena.entries[state.place]
    if not KING <= SUB[code] < ROYAL:
        return _centre(g.CENTRE)
    if origin not in axis:
        return refuse(
            "VIC-7.3",
            f"The centre is entered straight through the own portal, from {g.NAMES[axis[0]]}.",
            axis[0], g.CENTRE,
        )  # fmt: skip
    if not state.gate_open(state.place):
        return gate(state, origin, g.CENTRE)
    for cell in reversed(axis[: axis.index(origin)]):
        if state.board[cell]:
            return refuse("VIC-3.2", f"The {title(state, cell)} is in the way.", cell)
    if not is_round(state, code, origin):
        sense = "clockwise" if SUB[code] == KING else "counter-clockwise"
        return refuse(
            "VIC-7.2",
            f"The {title(state, origin)} has not gone all the way round the centre {sense}.",
            origin, g.CENTRE,
        )  # fmt: skip
    assert conquers(state, origin), "the generator and the judge agree on the centre"
    return None
