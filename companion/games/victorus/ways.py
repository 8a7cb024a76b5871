"""Why a piece cannot travel from one cell to another: lines, blockers, walls, colours, captures.

Every function returns the refusal, or None where it has no objection.
"""

from __future__ import annotations

from itertools import pairwise

from companion.games.victorus import geometry as g
from companion.games.victorus.arena import SeatView
from companion.games.victorus.lines import EDGE_LINES, SPOKE_LINES, STEP_EDGES, STEP_SPOKES
from companion.games.victorus.moves import conquers, shut_for
from companion.games.victorus.pieces import (
    KING,
    OWNER,
    PIECES,
    QUEEN,
    ROYAL,
    SUB,
)  # fmt: skip
from companion.games.victorus.state import VictorusState
from companion.games.victorus.winding import is_round
from companion.games.victorus.words import COLOURS, TITLES
from companion.rules import Ruling, Text, say

_LINES = {
    "T": say("vertically or horizontally"),
    "U": say("along the 45° lines"),
    "B": say("horizontally or along the 60° lines"),
    "H": say("horizontally or along the 60° lines"),
    "E": say("vertically, horizontally or along the 45° lines"),
}


def refuse(rule: str, reason: str, *cells: int) -> Ruling:
    """Return a refusal with the cells that prove it."""
    return Ruling(False, rule, reason, tuple(g.NAMES[cell] for cell in cells))


def title(state: VictorusState, cell: int) -> Text:
    """Return how the players call the piece on ``cell``: ``red royal Templar on h4``."""
    code = state.board[cell]
    piece, seat = PIECES[SUB[code]], COLOURS[state.arena.colours[OWNER[code]]]
    kind, spot = TITLES[piece.kind], g.NAMES[cell]
    if piece.royal:
        return say("{seat} royal {kind} on {spot}", seat=seat, kind=kind, spot=spot)
    return say("{seat} {kind} on {spot}", seat=seat, kind=kind, spot=spot)


def view_of(state: VictorusState) -> SeatView:
    """Return the board with the kingdoms that stand now."""
    return state.arena.view(state.tally.live)


def kind_at(state: VictorusState, cell: int) -> str:
    """Return the kind of the piece on ``cell``."""
    return PIECES[SUB[state.board[cell]]].kind


def is_line(state: VictorusState, origin: int, target: int) -> bool:
    """Tell whether the piece's lines of movement lead to ``target`` on an empty board."""
    found = g.heading(origin, target)
    if found is None:
        return False
    spoke, d, _ = found
    lines = (SPOKE_LINES if spoke else EDGE_LINES)[kind_at(state, origin)]
    return (d - state.place) % 6 in lines


def is_strategic(state: VictorusState, origin: int, target: int) -> bool:
    """Tell whether ``target`` is a strategic step away that no slide of the piece is
    (VIC-4.2)."""
    found = g.heading(origin, target)
    if found is None or found[2] != 1:
        return False
    steps = (STEP_SPOKES if found[0] else STEP_EDGES).get(kind_at(state, origin), ())
    return (found[1] - state.place) % 6 in steps


def off_line(state: VictorusState, origin: int, target: int) -> Ruling:
    """Refuse a move that no line of the piece makes."""
    kind = kind_at(state, origin)
    rule, how = {"K": ("VIC-4.5", "E"), "Q": ("VIC-4.5", "E"), "H": ("VIC-4.3", "H")}.get(
        kind, ("VIC-4.1", kind)
    )
    return refuse(
        rule,
        say(
            "A {kind} moves {how}; {spot} is not on such a line from {origin}.",
            kind=TITLES[kind],
            how=_LINES[how],
            spot=g.NAMES[target],
            origin=g.NAMES[origin],
        ),
        origin,
        target,
    )


def way(state: VictorusState, origin: int, target: int) -> Ruling | None:
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
            return refuse(
                "VIC-3.2", say("The {other} is in the way.", other=title(state, there)), there
            )
    return None


def _edge(state: VictorusState, here: int, there: int) -> Ruling | None:
    if g.CENTRE in (here, there):
        return _centre(g.CENTRE)
    if frozenset((here, there)) in view_of(state).lines.walls:
        return _wall(here, there)
    return None


def _centre(*cells: int) -> Ruling:
    return refuse(
        "VIC-3.4",
        say("Nothing travels through the centre or rests there but a winning King or Queen."),
        *cells,
    )


def _wall(here: int, there: int) -> Ruling:
    return refuse(
        "VIC-2.4",
        say(
            "A wall stands between {origin} and {spot}.", origin=g.NAMES[here], spot=g.NAMES[there]
        ),
        here,
        there,
    )


def _spoke(state: VictorusState, here: int, there: int, d: int) -> Ruling | None:
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
    told += [say("the rim of the board")] * (2 - len(sides))
    return refuse(
        "VIC-3.3",
        say(
            "The spoke from {origin} to {spot} is blocked on both sides: by {one} and by {other}.",
            origin=g.NAMES[here],
            spot=g.NAMES[there],
            one=told[0],
            other=told[1],
        ),
        *sides,
    )


def _flank(state: VictorusState, cell: int) -> Text:
    return say("the centre") if cell == g.CENTRE else say("the {piece}", piece=title(state, cell))


def ending(state: VictorusState, origin: int, target: int, colour: int, rule: str) -> Ruling | None:
    """Object to where a move ends: colour of the cell, own and allied pieces, forbidden
    captures. ``rule`` is where the colour is prescribed."""
    shade = state.arena.shade[target]
    if shade != colour:
        names = (say("white"), say("grey"))
        return refuse(
            rule,
            say(
                "The {piece} has to end on {colour}; {spot} is {shade}.",
                piece=title(state, origin),
                colour=names[colour],
                spot=g.NAMES[target],
                shade=names[shade],
            ),
            target,
        )
    return taking(state, origin, target) if state.board[target] else None


def edge_colour(state: VictorusState, cell: int) -> int:
    """Return the colour of cells that belongs to the edge of the knight on ``cell``."""
    edge = PIECES[SUB[state.board[cell]]].edge
    assert edge is not None, "only knights have one edge colour"
    return edge


def taking(state: VictorusState, cell: int, target: int) -> Ruling | None:
    """Object to capturing what stands on ``target`` (VIC-5.6, VIC-8.1, VIC-8.2)."""
    arena, place, owner = state.arena, state.place, OWNER[state.board[target]]
    if owner == place:
        return refuse(
            "VIC-5.1", say("The {other} is your own piece.", other=title(state, target)), target
        )
    if arena.friends[place] >> owner & 1:
        return refuse(
            "VIC-8.2", say("The {other} is an ally's piece.", other=title(state, target)), target
        )
    if not shut_for(state, cell)[target]:
        return None
    zone, then = view_of(state).zone[target], state.turn.start_of(cell)
    if any(here == cell and kingdom == zone for here, kingdom in state.turn.barred):
        return refuse(
            "VIC-8.1",
            say(
                "The {piece} has captured in this kingdom and may not capture in it "
                "again in this turn.",
                piece=title(state, cell),
            ),
            target,
        )
    return refuse(
        "VIC-5.6",
        say(
            "The {piece} began this turn inside a kingdom, on {start}: it "
            "captures in the battlefield, not in the enemy kingdom on {spot}.",
            piece=title(state, cell),
            start=g.NAMES[then],
            spot=g.NAMES[target],
        ),
        then,
        target,
    )


def gate(state: VictorusState, origin: int, target: int) -> Ruling | None:
    """Object to a King or Queen that leaves its kingdom too early (VIC-4.6)."""
    arena, place = state.arena, state.place
    if state.gate_open(place) or SUB[state.board[origin]] not in (KING, QUEEN):
        return None
    out = [cell for cell in g.track(origin, target)[1:] if arena.land[cell] != place]
    if not out:
        return None
    left, seat = 3 - state.tally.gate[place], COLOURS[arena.colours[place]]
    reason = say(
        "King and Queen of {seat} stay in their kingdom until {left} more captures are made.",
        seat=seat, left=left,
    )  # fmt: skip
    if left == 1:
        reason = say(
            "King and Queen of {seat} stay in their kingdom until 1 more capture is made.",
            seat=seat,
        )
    return refuse("VIC-4.6", reason, *out)


def conquest(state: VictorusState, origin: int) -> Ruling | None:
    """Object to a King or Queen that slides into the centre (VIC-7.1 … VIC-7.3)."""
    code, axis = state.board[origin], state.arena.entries[state.place]
    if not KING <= SUB[code] < ROYAL:
        return _centre(g.CENTRE)
    if origin not in axis:
        return refuse(
            "VIC-7.3",
            say(
                "The centre is entered straight through the own portal, from {spot}.",
                spot=g.NAMES[axis[0]],
            ),
            axis[0],
            g.CENTRE,
        )
    if not state.gate_open(state.place):
        return gate(state, origin, g.CENTRE)
    for cell in reversed(axis[: axis.index(origin)]):
        if state.board[cell]:
            return refuse(
                "VIC-3.2", say("The {piece} is in the way.", piece=title(state, cell)), cell
            )
    if not is_round(state, code, origin):
        reason = say(
            "The {piece} has not gone all the way round the centre clockwise.",
            piece=title(state, origin),
        )
        if SUB[code] == QUEEN:
            reason = say(
                "The {piece} has not gone all the way round the centre counter-clockwise.",
                piece=title(state, origin),
            )
        return refuse("VIC-7.2", reason, origin, g.CENTRE)
    assert conquers(state, origin), "the generator and the judge agree on the centre"
    return None
