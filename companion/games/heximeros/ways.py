"""Why a piece does not get to a space: the deciding rule, one sentence, the proving spaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.games.heximeros import geometry as g
from companion.games.heximeros.moves import moves_of, sides_of
from companion.games.heximeros.pieces import (
    M_FIRST,
    NAMED,
    OWNER,
    SUB,
    TITLES,
    kind_of,
)
from companion.games.heximeros.plans import (
    FARTHEST,
    assassin_ways,
    cavalier_ways,
    dreadnaught_ways,
    shots_from,
)
from companion.games.heximeros.state import HexiMerosState
from companion.rules import Action, Ruling, Text, say


def refuse(rule: str, reason: Text, *cells: int) -> Ruling:
    """Return a refusal with the cells that prove it."""
    return Ruling(False, rule, reason, tuple(g.NAMES[cell] for cell in dict.fromkeys(cells)))


def allow(rule: str, reason: Text, *cells: int) -> Ruling:
    """Return an approval with the cells it is about."""
    return Ruling(True, rule, reason, tuple(g.NAMES[cell] for cell in dict.fromkeys(cells)))


def title(code: int) -> Text:
    """Return a piece in words: ``silver Hatted Militant``."""
    return say("{colour} {rank}", colour=NAMED[OWNER[code]], rank=TITLES[kind_of(code)])


def colour(state: HexiMerosState) -> Text:
    """Return the colour of the army that has the Token."""
    return NAMED[state.army]


def _here(state: HexiMerosState, cell: int) -> Text:
    return title(state.board[cell])


def is_double(state: HexiMerosState, origin: int, target: int) -> bool:
    """Tell whether a move from Ground Zero is a doubled one (HX-4.8)."""
    kind, found = kind_of(state.board[origin]), g.heading(origin, target)
    if kind == "C":
        return target not in cavalier_ways(origin, False)
    if kind == "As":
        return all(target not in way for way in assassin_ways(origin, False))
    step, times = found or ((0, 0), 0)  # a new Prelate's first move ends beside its lines
    single = {"S": 1, "M+": 1, "Ar": 1, "D": 4, "M": 1 if step in g.FLATS else g.COUNT}
    return times > single.get(kind, g.COUNT)


def ending(state: HexiMerosState, target: int) -> Ruling | None:
    """Object to what stands where a move would end."""
    code = state.board[target]
    if not code or sides_of(state).prey[code]:
        return None
    words = {"piece": title(code), "spot": g.NAMES[target]}
    if state.tally.live >> OWNER[code] & 1:
        reason = say("The {piece} on {spot} is on the same side.", **words)
        return refuse("HX-3.3", reason, target)
    reason = say("The {piece} on {spot} is out of play and only blocks.", **words)
    return refuse("HX-5.3", reason, target)


def outside(origin: int, target: int) -> Ruling:
    """Object to a way that leaves the spaces of the board."""
    return refuse("HX-1.2", say("The way leads over the Out of Bounds."), origin, target)


def along(state: HexiMerosState, origin: int, target: int, rule: str) -> Ruling | None:
    """Object to a straight way that is not open: a space that is none, or a piece on it."""
    found = g.heading(origin, target)
    assert found is not None, "the two are on one axis"
    step, times = found
    way = g.ray(origin, step)[:times]
    if target not in way:
        return outside(origin, target)
    for cell in way[:-1]:
        if state.board[cell]:
            return _in_the_way(state, cell, rule)
    return None


def _in_the_way(state: HexiMerosState, cell: int, rule: str) -> Ruling:
    piece, spot = _here(state, cell), g.NAMES[cell]
    return refuse(rule, say("The {piece} on {spot} is in the way.", piece=piece, spot=spot), cell)


def shape(origin: int, target: int) -> g.Axial:
    """Return how ``target`` lies from ``origin``, as axial coordinates."""
    (q, r), (u, v) = g.AXIAL[origin], g.AXIAL[target]
    return u - q, v - r


def no_march(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why a Militant does not get there (HX-4.1)."""
    place = state.arena.places[state.army]
    way = g.rotate(shape(origin, target), -place)
    first, ahead = SUB[state.board[origin]] == M_FIRST, _ahead(origin, place)
    if way in ((0, -1), (0, -2)) and (way == (0, -1) or first):
        cell = ahead if state.board[ahead] else target
        return refuse("HX-4.1", say("A Militant moves ahead to empty spaces only: the {piece} "
                                    "stands on {spot}.", piece=_here(state, cell),
                                    spot=g.NAMES[cell]), cell)  # fmt: skip
    if way in ((0, -2), (1, -3), (-1, -2)) and not first and origin != g.GROUND_ZERO:
        return refuse("HX-4.1", say("Only on its first move a Militant goes farther than one "
                                    "space."), origin)  # fmt: skip
    if way in ((1, -3), (-1, -2)) and state.board[ahead]:
        return _in_the_way(state, ahead, "HX-4.1")
    if way in ((1, -1), (-1, 0), (1, -2), (-1, -1), (1, -3), (-1, -2)):
        return ending(state, target) or refuse(
            "HX-4.1", say("A Militant goes diagonally only to capture, and {spot} is empty.",
                          spot=g.NAMES[target]), target)  # fmt: skip
    if origin == g.GROUND_ZERO:
        return _no_rush(state, target)
    return refuse("HX-4.1", say("A Militant goes one space straight ahead and captures one space "
                                "diagonally ahead."), origin, target)  # fmt: skip


def _no_rush(state: HexiMerosState, target: int) -> Ruling:
    """Tell why a Militant does not double its move from Ground Zero to get there (HX-4.8)."""
    plans, origin = state.arena.plans, g.GROUND_ZERO
    rush = plans.march(state.arena.places[state.army], origin)[-1]
    over = next((over for over, end, _ in rush.strikes if end == target), ())
    if over and state.board[target]:
        return ending(state, target) or refuse(
            "HX-4.8",
            say("The Militant would capture there after one flat, and pieces stand on {spots}.",
                spots=[g.NAMES[cell] for cell in over]), *over,
        )  # fmt: skip
    objection = _doubled(state, origin, target, g.FLATS)
    if objection:
        return objection
    if state.board[target] and any(end == target for _, end, _ in rush.doubles):
        return refuse(
            "HX-4.8",
            say("From Ground Zero a Militant captures on a diagonal after one flat; {spot} lies "
                "straight on.", spot=g.NAMES[target]), origin, target,
        )  # fmt: skip
    if over:
        return refuse("HX-4.1", say("A Militant goes diagonally only to capture, and {spot} is "
                                    "empty.", spot=g.NAMES[target]), target)  # fmt: skip
    return refuse(
        "HX-4.8",
        say("From Ground Zero a Militant may also go two flats along one axis, or one and then "
            "capture on a diagonal."), origin, target,
    )  # fmt: skip


def _ahead(origin: int, place: int) -> int:
    return g.NUMBER.get(g.add(g.AXIAL[origin], g.FLATS[(place + 3) % 6]), g.BLOCKER)


def _doubled(
    state: HexiMerosState, origin: int, target: int, steps: tuple[g.Axial, ...]
) -> Ruling | None:
    """Object to two spaces along one axis from Ground Zero that are not open (HX-4.8)."""
    found = g.heading(origin, target)
    if origin != g.GROUND_ZERO or found is None or found[0] not in steps or found[1] != 2:
        return None
    return along(state, origin, target, "HX-4.8") or ending(state, target)


def no_step(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why a Sovereign or a Hatted Militant does not get there (HX-4.2, HX-5.1)."""
    found = g.heading(origin, target)
    objection = ending(state, target) if found and found[1] == 1 else None
    kind = kind_of(state.board[origin])
    piece, rule = TITLES[kind], "HX-4.2" if kind == "S" else "HX-5.1"
    return objection or _doubled(state, origin, target, (*g.FLATS, *g.LINES)) or refuse(
        rule, say("A {piece} goes one space along a flat or a line.", piece=piece), origin, target
    )  # fmt: skip


def no_line(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why an Alcazar, a Prelate or a Regent does not get there (HX-4.2)."""
    kind, found = kind_of(state.board[origin]), g.heading(origin, target)
    steps = {"Al": g.FLATS, "P": g.LINES, "R": (*g.FLATS, *g.LINES)}[kind]
    if found is None or found[0] not in steps:
        reason = {
            "Al": say("An Alcazar goes along the flats."),
            "P": say("A Prelate goes along the lines, and past its first move only there."),
            "R": say("A Regent goes along flats and lines."),
        }[kind]
        return refuse("HX-4.2", reason, origin, target)
    if kind == "P" and found[1] > FARTHEST:
        return refuse(
            "HX-4.2", say("A Prelate goes up to ten spaces along a line."), origin, target
        )
    objection = along(state, origin, target, "HX-4.2") or ending(state, target)
    assert objection is not None, "a refused move along a line is blocked or ends on no prey"
    return objection


def no_flower(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why a Prelate's first move does not get there (HX-4.2)."""
    found = g.heading(origin, target)
    if found and found[0] in g.LINES and found[1] <= FARTHEST:
        return no_line(state, origin, target)
    return ending(state, target) or refuse(
        "HX-4.2", say("No open line of up to ten spaces leads the Prelate to {spot} or beside it.",
                      spot=g.NAMES[target]), origin, target)  # fmt: skip


def no_leap(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why a Cavalier does not get there (HX-4.3)."""
    if target in cavalier_ways(origin, origin == g.GROUND_ZERO):
        objection = ending(state, target)
        assert objection is not None, "a leap that is refused ends on what cannot be captured"
        return objection
    if _at_centre(origin, target) in cavalier_ways(g.GROUND_ZERO, False):
        return outside(origin, target)
    return refuse("HX-4.3", say("A Cavalier goes three flats and two aslant, or two flats and one "
                                "aslant."), origin, target)  # fmt: skip


def _at_centre(origin: int, target: int) -> int:
    """Return the cell that lies from Ground Zero as ``target`` lies from ``origin``."""
    return g.NUMBER.get(shape(origin, target), g.BLOCKER)


def no_sweep(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why a Dreadnaught does not get there (HX-4.5)."""
    plans = state.arena.plans
    ways = {way[-1]: way for way in dreadnaught_ways(origin, plans.doubled(origin))}
    if target in ways:
        spared = sides_of(state).spared
        cell = next(cell for cell in ways[target] if state.board[cell] in spared)
        if kind_of(state.board[cell]) == "S":
            return refuse("HX-4.5", say("A Dreadnaught does not sweep over its own side's "
                                        "Sovereign."), cell)  # fmt: skip
        return refuse("HX-5.3", say("The {piece} on {spot} is out of play and only blocks.",
                                    piece=_here(state, cell), spot=g.NAMES[cell]),
                      cell)  # fmt: skip
    found = g.heading(origin, target)
    if found and found[0] in g.FLATS and found[1] == 4:
        return outside(origin, target)
    return refuse("HX-4.5", say("A Dreadnaught goes exactly four flats in one direction."),
                  origin, target)  # fmt: skip


def no_ambush(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why an Assassin does not get there (HX-4.6)."""
    ways = assassin_ways(origin, state.arena.plans.doubled(origin))
    if any(target in way for way in ways):
        return ending(state, target) or refuse(
            "HX-4.6", say("An Assassin stops short of its third space only to capture, and {spot} "
                          "is empty.", spot=g.NAMES[target]), target)  # fmt: skip
    centre = _at_centre(origin, target)
    if any(centre in way for way in assassin_ways(g.GROUND_ZERO, False)):
        return outside(origin, target)
    return refuse("HX-4.6", say("An Assassin goes one flat and two lines of one axis, or one line "
                                "and two flats of one axis."), origin, target)  # fmt: skip


def no_stand(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why an Archer does not get there (HX-4.4)."""
    found = g.heading(origin, target)
    if found and state.board[target] and found[1] <= (2 if origin == g.GROUND_ZERO else 1):
        return refuse("HX-4.4", say("An Archer goes to an empty space; it captures by shooting "
                                    "alone."), target)  # fmt: skip
    doubled = state.arena.plans.doubled(origin)
    return (_doubled(state, origin, target, (*g.FLATS, *g.LINES)) if doubled else None) or refuse(
        "HX-4.4", say("An Archer goes one space along a flat or a line."), origin, target
    )  # fmt: skip


def no_shot(state: HexiMerosState, action: Action) -> Ruling:
    """Tell why a piece does not shoot there (HX-4.4, HX-4.8)."""
    origin, end = g.INDEX[action.origin], g.INDEX[action.target]
    if kind_of(state.board[origin]) != "Ar":
        return refuse("HX-4.4", say("Archers alone shoot."), origin)
    if g.move_action(origin, end) not in moves_of(state, origin):
        return no_stand(state, origin, end)
    target = g.INDEX.get(action.detail[1:], g.BLOCKER)
    distance = 8 if is_double(state, origin, end) else 4
    if target not in shots_from(end, distance):
        found = None if target == g.BLOCKER else g.heading(end, target)
        if found and found[0] in g.FLATS and found[1] == distance:
            return outside(end, target)
        return refuse("HX-4.4", say("From {spot} an Archer shoots exactly {count} flats away.",
                                    spot=g.NAMES[end], count=distance), end)  # fmt: skip
    return ending(state, target) or refuse(
        "HX-4.4", say("There is nothing to shoot on {spot}.", spot=g.NAMES[target]), target
    )


def no_sanctuary(state: HexiMerosState, origin: int, target: int) -> Ruling | None:
    """Object to a flight into the Sanctuary; None where it is none (HX-4.7)."""
    for way in state.arena.sanctuaries[state.army]:
        if (way.move.origin, way.end) != (g.NAMES[origin], target):
            continue
        taken = [cell for cell in (way.end, way.beside) if state.board[cell]]
        if taken:
            return refuse("HX-4.7", say("The spaces of the Cavalier and the Prelate have to be "
                                        "empty."), *taken)  # fmt: skip
        return refuse("HX-4.7", say("The Sanctuary is the first move of both Sovereign and "
                                    "Alcazar."), origin, way.alcazar)  # fmt: skip
    return None


WHY: Mapping[str, Callable[[HexiMerosState, int, int], Ruling]] = MappingProxyType({
    "M": no_march, "M+": no_step, "S": no_step, "Al": no_line, "P": no_line, "R": no_line,
    "C": no_leap, "D": no_sweep, "As": no_ambush, "Ar": no_stand,
})  # fmt: skip
"""For each kind what tells why it does not get there."""
