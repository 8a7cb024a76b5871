"""Why a piece cannot travel from one cell to another: lines, blockers, walls, colours, captures.

Every function returns the refusal, or None where it has no objection.
"""

from __future__ import annotations

from itertools import pairwise

from companion.games.victorus import geometry as g
from companion.games.victorus.arena import SeatView
from companion.games.victorus.lines import EDGE_LINES, SPOKE_LINES, STEP_EDGES, STEP_SPOKES
from companion.games.victorus.moves import closed_to, conquers, shut_for
from companion.games.victorus.pieces import (
    KING,
    OWNER,
    PIECES,
    QUEEN,
    ROYAL,
    SUB,
)  # fmt: skip
from companion.games.victorus.state import VictorusState
from companion.games.victorus.winding import is_round, needed
from companion.games.victorus.winding import way as gone_round
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
    if piece.kind == "Q":
        # In other languages a colour has another ending beside a Queen.
        return say("{seat} Queen on {spot}", seat=seat, spot=spot)
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
            "Seen from {seat}'s seat a {kind} slides {how}; {spot} is not on such a line from "
            "{origin}.",
            seat=COLOURS[state.arena.colours[OWNER[state.board[origin]]]],
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


def _walled(state: VictorusState, here: int, there: int, d: int) -> Ruling:
    """Object to a spoke that a wall closes: it lies on the spoke, the spoke goes round its bend, or
    touches its inner end where that is forbidden (VIC-2.4)."""
    lines, sides = view_of(state).lines, frozenset(g.flanks(here, d))
    spots = {"origin": g.NAMES[here], "spot": g.NAMES[there]}
    if sides in lines.walls:
        reason = say("A wall runs along the spoke from {origin} to {spot}.", **spots)
        return refuse("VIC-2.4", reason, *(cell for cell in g.flanks(here, d) if cell is not None))
    if frozenset((here, there)) in lines.tips:
        reason = say("The spoke from {origin} to {spot} touches the inner end of a wall.", **spots)
        return refuse("VIC-2.4", reason, here, there)
    reason = say("The spoke from {origin} to {spot} goes round the bend of a wall.", **spots)
    return refuse("VIC-2.4", reason, here, there)


def _spoke(state: VictorusState, here: int, there: int, d: int) -> Ruling | None:
    if there == g.CENTRE:
        return _centre(there)
    lines = view_of(state).lines
    if lines.spoke_wall(here, d):
        return _walled(state, here, there, d)
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


def ending(
    state: VictorusState, origin: int, target: int, colour: int, rule: str, why: Text | None = None
) -> Ruling | None:
    """Object to where a move ends: colour of the cell, own and allied pieces, forbidden
    captures. ``rule`` is where the colour is prescribed, ``why`` tells what it is, if that is not
    for the piece's edge."""
    shade = state.arena.shade[target]
    if shade != colour:
        names = (say("white"), say("grey"))
        edges = (say("for its edge is white"), say("for its edge is black"))
        reason = say(
            "The {piece} has to end on {colour}, {why}; {spot} is {shade}.",
            piece=title(state, origin), colour=names[colour], why=why or edges[colour],
            spot=g.NAMES[target], shade=names[shade],
        )  # fmt: skip
        return refuse(rule, reason, target)
    return taking(state, origin, target) if state.board[target] else None


def stepping(state: VictorusState, origin: int, target: int) -> Ruling | None:
    """Object to a strategic step to a cell where something stands (VIC-4.2)."""
    if not state.board[target]:
        return None
    reason = say(
        "No slide of a {kind} leads there, only a step to an empty cell: the {other} stands there.",
        kind=TITLES[kind_at(state, origin)],
        other=title(state, target),
    )
    return refuse("VIC-4.2", reason, target)


def travelling(state: VictorusState, origin: int, target: int) -> Ruling | None:
    """Object to where a Hospitaller's travel ends: what stands there, the colour (VIC-4.3)."""
    if state.board[target]:
        reason = say(
            "A Hospitaller travels to an empty cell and captures when it pivots: the {other} "
            "stands there.",
            other=title(state, target),
        )
        return refuse("VIC-4.3", reason, target)
    return ending(state, origin, target, edge_colour(state, origin), "VIC-3.2")


def no_pivot(state: VictorusState, origin: int, via: int) -> Ruling:
    """Refuse a travel from which no pivot follows, and tell what stands in its way (VIC-4.3)."""
    near = view_of(state).lines.pivots[via]
    told = [title(state, cell) for cell in near if state.board[cell]]
    words = {"piece": title(state, origin), "spot": g.NAMES[via]}
    reason = say("From {spot} the {piece} could not pivot: rim and walls leave no cell of its "
                 "colour beside it.", **words)  # fmt: skip
    if told:
        reason = say("From {spot} the {piece} could not pivot: it may not take the {other}.",
                     **words, other=told[0])  # fmt: skip
    if len(told) > 1:
        reason = say(
            "From {spot} the {piece} could not pivot: it may take neither the {other} nor the "
            "{third}.",
            **words, other=told[0], third=told[1],
        )  # fmt: skip
    return refuse("VIC-4.3", reason, via, *near)


def edge_colour(state: VictorusState, cell: int) -> int:
    """Return the colour of cells that belongs to the edge of the knight on ``cell``."""
    edge = PIECES[SUB[state.board[cell]]].edge
    assert edge is not None, "only knights have one edge colour"
    return edge


def taking(state: VictorusState, cell: int, target: int) -> Ruling | None:
    """Object to capturing what stands on ``target`` (VIC-5.6, VIC-8.1, VIC-8.2)."""
    arena, place, owner = state.arena, state.place, OWNER[state.board[target]]
    if owner == place:
        reason = say("The {other} belongs to the same player.", other=title(state, target))
        return refuse("VIC-5.1", reason, target)
    if arena.friends[place] >> owner & 1:
        return refuse(
            "VIC-8.2", say("The {other} is an ally's piece.", other=title(state, target)), target
        )
    if not shut_for(state, cell)[target]:
        return None
    zone, then = view_of(state).zone[target], state.turn.start_of(cell)
    if zone in closed_to(state, cell):
        return refuse(
            "VIC-5.7",
            say(
                "The {piece} has captured in {seat}'s kingdom and captures nothing more in it in "
                "this turn.",
                piece=title(state, cell),
                seat=COLOURS[arena.colours[zone]],
            ),
            target,
        )
    words = {"piece": title(state, cell), "start": g.NAMES[then], "spot": g.NAMES[target]}
    reason = say(
        "The {piece} began this turn inside a kingdom, on {start}: in this turn it captures "
        "nothing in an enemy kingdom, and {spot} lies in one.",
        **words,
    )
    if arena.same and view_of(state).foreign[place][then]:
        reason = say(
            "The {piece} began this turn in an enemy kingdom, on {start}: it captures in that one "
            "and in the battlefield, and {spot} lies in another.",
            **words,
        )
    return refuse("VIC-5.6", reason, then, target)


def gate(state: VictorusState, origin: int, target: int) -> Ruling | None:
    """Object to a King or Queen that leaves its kingdom too early (VIC-4.6)."""
    arena, place = state.arena, state.place
    if state.gate_open(place) or SUB[state.board[origin]] not in (KING, QUEEN):
        return None
    out = [cell for cell in g.track(origin, target)[1:] if arena.land[cell] != place]
    if not out:
        return None
    left, seat = 3 - state.tally.gate[place], COLOURS[arena.colours[place]]
    return refuse("VIC-4.6", _until(arena.setup["gate"] == "knights", left, seat), *out)


def _until(knights: bool, left: int, seat: Text) -> Text:
    """Return what has still to happen before King and Queen of ``seat`` leave (VIC-4.6)."""
    words = {"seat": seat, "left": left}
    if knights and left == 1:
        return say(
            "King and Queen of {seat} stay in their kingdom until 1 more capture is made by its "
            "knights.",
            **words,
        )
    if knights:
        return say(
            "King and Queen of {seat} stay in their kingdom until {left} more captures are made by "
            "its knights.",
            **words,
        )
    if left == 1:
        return say(
            "King and Queen of {seat} stay in their kingdom until 1 more capture is made.",
            **words,
        )
    return say(
        "King and Queen of {seat} stay in their kingdom until {left} more captures are made.",
        **words,
    )


def entering(state: VictorusState, origin: int) -> Ruling | None:
    """Object to how a piece would slide into the centre: which piece, from where, what lies on the
    way (VIC-7.1, VIC-7.3)."""
    code, axis = state.board[origin], state.arena.entries[state.place]
    if not KING <= SUB[code] < ROYAL:
        return _centre(g.CENTRE)
    if origin not in axis:
        return refuse(
            "VIC-7.3",
            say(
                "The {piece} enters the centre through its own portal alone, straight from {spot}.",
                piece=title(state, origin),
                spot=g.NAMES[axis[0]],
            ),
            axis[0],
            g.CENTRE,
        )
    for cell in reversed(axis[: axis.index(origin)]):
        if state.board[cell]:
            return refuse(
                "VIC-3.2", say("The {piece} is in the way.", piece=title(state, cell)), cell
            )
    return None


def conquest(state: VictorusState, origin: int) -> Ruling | None:
    """Object to a King or Queen that slides into the centre (VIC-7.1 … VIC-7.3)."""
    objection = entering(state, origin) or gate(state, origin, g.CENTRE)
    if objection:
        return objection
    code = state.board[origin]
    if not is_round(state, code, origin):
        queen = SUB[code] == QUEEN
        words = {
            "piece": title(state, origin),
            "gone": round(-gone_round(state, code, origin) if queen else
                          gone_round(state, code, origin)),
            "needed": round(needed(state)),
        }  # fmt: skip
        reason = say(
            "The {piece} has gone {gone}° of {needed}° round the centre clockwise.", **words
        )
        if queen:
            reason = say(
                "The {piece} has gone {gone}° of {needed}° round the centre counter-clockwise.",
                **words,
            )
        return refuse("VIC-7.2", reason, origin, g.CENTRE)
    assert conquers(state, origin), "the generator and the judge agree on the centre"
    return None
