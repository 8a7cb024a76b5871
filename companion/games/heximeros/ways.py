"""Why a piece does not get to a space: the deciding rule, one sentence, the proving spaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.games.heximeros import geometry as g
from companion.games.heximeros.moves import moves_of, sides_of
from companion.games.heximeros.pieces import (
    BLOCKED,
    M_FIRST,
    NAMED,
    OWNER,
    S_FIRST,
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


def named(state: HexiMerosState, cell: int) -> Text:
    """Return what stands on ``cell`` in words: ``silver Regent on r1``."""
    return say("{piece} on {spot}", piece=title(state.board[cell]), spot=g.NAMES[cell])


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
    if sides_of(state).marks[code] != BLOCKED:
        return None
    words = {"piece": title(code), "spot": g.NAMES[target]}
    if state.tally.live >> OWNER[code] & 1:
        reason = say("The {piece} on {spot} belongs to the same side.", **words)
        return refuse("HX-3.3", reason, target)
    reason = say("The {piece} on {spot} is out of play and only blocks.", **words)
    return refuse("HX-5.3", reason, target)


def outside(origin: int, target: int) -> Ruling:
    """Object to a way that leaves the spaces of the board."""
    spots = {"origin": g.NAMES[origin], "spot": g.NAMES[target]}
    reason = say("From {origin} to {spot} the way leads over the Out of Bounds.", **spots)
    return refuse("HX-1.2", reason, origin, target)


def unreached(
    state: HexiMerosState, origin: int, target: int, rule: str, how: Text, doubles: bool = False
) -> Ruling:
    """Refuse a move that no way of the piece makes, wherever pieces stand: it goes ``how``, and
    twice as far if it ``doubles`` its move from Ground Zero."""
    words = {"piece": named(state, origin), "how": how, "spot": g.NAMES[target]}
    reason = say("The {piece} goes {how}; that does not lead to {spot}.", **words)
    if doubles:
        reason = say("The {piece} goes {how}, or twice as far from Ground Zero; that does not lead "
                     "to {spot}.", **words)  # fmt: skip
    return refuse(rule, reason, origin, target)


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
    return refuse(rule, say("The {piece} is in the way.", piece=named(state, cell)), cell)


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
                                    "stands on {spot}.", piece=title(state.board[cell]),
                                    spot=g.NAMES[cell]), cell)  # fmt: skip
    if way in ((0, -2), (1, -3), (-1, -2)) and not first and origin != g.GROUND_ZERO:
        return refuse("HX-4.1", say("The {piece} has made its first move: it goes one space only, "
                                    "not as far as {spot}.", piece=named(state, origin),
                                    spot=g.NAMES[target]), origin)  # fmt: skip
    if way in ((1, -3), (-1, -2)) and state.board[ahead]:
        return _in_the_way(state, ahead, "HX-4.1")
    if way in ((1, -1), (-1, 0), (1, -2), (-1, -1), (1, -3), (-1, -2)):
        return ending(state, target) or _diagonal(target)
    if origin == g.GROUND_ZERO:
        return _no_rush(state, target)
    how = say("one space straight ahead, or captures one space diagonally ahead")
    if first:
        how = say("one or two spaces straight ahead on its first move, or captures diagonally "
                  "ahead, at once or after one space")  # fmt: skip
    return unreached(state, origin, target, "HX-4.1", how)


def _no_rush(state: HexiMerosState, target: int) -> Ruling:
    """Tell why a Militant does not double its move from Ground Zero to get there (HX-4.8)."""
    plans, origin = state.arena.plans, g.GROUND_ZERO
    rush = plans.march(state.arena.places[state.army], origin)[-1]
    over = next((over for over, end, _ in rush.strikes if end == target), ())
    straight_on = any(end == target for _, end, _ in rush.doubles)
    if over and (state.board[target] or not straight_on):
        return _no_strike(state, over, target)
    if straight_on:
        return along(state, origin, target, "HX-4.8") or ending(state, target) or refuse(
            "HX-4.8",
            say("From Ground Zero a Militant captures on a diagonal after one flat; {spot} lies "
                "straight on.", spot=g.NAMES[target]), origin, target,
        )  # fmt: skip
    how = say("one space straight ahead or two along any flat, and captures one space diagonally "
              "ahead, at once or after any flat")  # fmt: skip
    if plans.straight:
        how = say("one space straight ahead or two along any flat, where it may capture, and "
                  "captures one space diagonally ahead")  # fmt: skip
    return unreached(state, origin, target, "HX-4.8", how)


def _no_strike(state: HexiMerosState, over: tuple[int, ...], target: int) -> Ruling:
    """Tell why a Militant on Ground Zero captures nothing after a step to one of the cells ``over``
    (HX-4.8)."""
    if all(state.board[cell] for cell in over):
        reason = say(
            "The Militant would capture on {spot} after one flat, and that is blocked: {pieces}.",
            spot=g.NAMES[target],
            pieces=[say("the {piece}", piece=named(state, cell)) for cell in over],
        )
        return refuse("HX-4.8", reason, *over)
    return ending(state, target) or _diagonal(target)


def _diagonal(target: int) -> Ruling:
    reason = say("A Militant goes diagonally only to capture, and {spot} is empty.",
                 spot=g.NAMES[target])  # fmt: skip
    return refuse("HX-4.1", reason, target)


def _ahead(origin: int, place: int) -> int:
    return g.NUMBER.get(g.add(g.AXIAL[origin], g.FLATS[(place + 3) % 6]), g.BLOCKER)


def no_step(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why a Sovereign or a Hatted Militant does not get there (HX-4.2, HX-5.1)."""
    kind, doubles = kind_of(state.board[origin]), origin == g.GROUND_ZERO
    found, rule = g.heading(origin, target), "HX-4.2" if kind == "S" else "HX-5.1"
    if found is None or found[1] > 1 + doubles:
        how = say("one space along a flat or a line")
        return unreached(state, origin, target, rule, how, doubles)
    objection = along(state, origin, target, "HX-4.8") or ending(state, target)
    assert objection is not None, "a refused step is blocked or ends on no prey"
    return objection


def no_line(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why an Alcazar, a Prelate or a Regent does not get there (HX-4.2)."""
    kind, found = kind_of(state.board[origin]), g.heading(origin, target)
    steps = {"Al": g.FLATS, "P": g.LINES, "R": (*g.FLATS, *g.LINES)}[kind]
    farthest = FARTHEST if kind == "P" else g.COUNT
    if found is None or found[0] not in steps or found[1] > farthest:
        how = {
            "Al": say("any distance along a flat"),
            "P": say("up to ten spaces along a line, and ends beside one on its first move alone"),
            "R": say("any distance along a flat or a line"),
        }[kind]
        return unreached(state, origin, target, "HX-4.2", how)
    objection = along(state, origin, target, "HX-4.2") or ending(state, target)
    assert objection is not None, "a refused move along a line is blocked or ends on no prey"
    return objection


def no_flower(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why a Prelate's first move does not get there (HX-4.2)."""
    ways = _flower_ways(origin, target)
    if not ways:
        how = say("up to ten spaces along a line and on its first move may end one space beside it")
        return unreached(state, origin, target, "HX-4.2", how)
    met = {next((cell for cell in way if state.board[cell]), g.BLOCKER): None for way in ways}
    if g.BLOCKER in met:
        objection = ending(state, target)
        assert objection is not None, "a refused first move along an open way ends on no prey"
        return objection
    if len(met) == 1:
        return _in_the_way(state, next(iter(met)), "HX-4.2")
    pieces = [say("the {piece}", piece=named(state, cell)) for cell in met]
    reason = say("Every way to {spot} is blocked: {pieces}.", spot=g.NAMES[target], pieces=pieces)
    return refuse("HX-4.2", reason, *met)


def _flower_ways(origin: int, target: int) -> list[tuple[int, ...]]:
    """Return the ways of a Prelate's first move to ``target``, each by the cells that have to be
    empty: along a line, or to a space beside it or beside the Prelate (HX-4.2)."""
    near = {end for step in g.FLATS for end in g.ray(target, step)[:1]}
    ways: list[tuple[int, ...]] = [()] if origin in near else []
    for step in g.LINES:
        line = g.ray(origin, step)[:FARTHEST]
        ways += (line[:n] for n, cell in enumerate(line) if cell == target)
        ways += (line[: n + 1] for n, cell in enumerate(line) if cell in near)
    return ways


def no_leap(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why a Cavalier does not get there (HX-4.3)."""
    if target in cavalier_ways(origin, origin == g.GROUND_ZERO):
        objection = ending(state, target)
        assert objection is not None, "a leap that is refused ends on what cannot be captured"
        return objection
    if _at_centre(origin, target) in cavalier_ways(g.GROUND_ZERO, False):
        return outside(origin, target)
    how = say("three flats and then two at sixty degrees to them, or two flats and then one")
    return unreached(state, origin, target, "HX-4.3", how, origin == g.GROUND_ZERO)


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
                                        "Sovereign: the {piece} is on its way.",
                                        piece=named(state, cell)), cell)  # fmt: skip
        return refuse("HX-5.3", say("The {piece} is out of play and only blocks.",
                                    piece=named(state, cell)), cell)  # fmt: skip
    found = g.heading(origin, target)
    if found and found[0] in g.FLATS and found[1] == 4:
        return outside(origin, target)
    how = say("exactly four flats in one direction")
    return unreached(state, origin, target, "HX-4.5", how, plans.doubled(origin))


def no_ambush(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why an Assassin does not get there (HX-4.6)."""
    ways = assassin_ways(origin, state.arena.plans.doubled(origin))
    if any(target in way for way in ways):
        return ending(state, target) or refuse(
            "HX-4.6", say("An Assassin stops before the end of its way only to capture, and "
                          "{spot} is empty.", spot=g.NAMES[target]), target)  # fmt: skip
    centre = _at_centre(origin, target)
    if any(centre in way for way in assassin_ways(g.GROUND_ZERO, False)):
        return outside(origin, target)
    how = say("one flat and then two lines of one axis, or one line and then two flats of one axis")
    return unreached(state, origin, target, "HX-4.6", how, state.arena.plans.doubled(origin))


def no_stand(state: HexiMerosState, origin: int, target: int) -> Ruling:
    """Tell why an Archer does not get there (HX-4.4)."""
    found, doubles = g.heading(origin, target), state.arena.plans.doubled(origin)
    if found is None or found[1] > 1 + doubles:
        how = say("one space along a flat or a line")
        return unreached(state, origin, target, "HX-4.4", how, doubles)
    return along(state, origin, target, "HX-4.8") or refuse(
        "HX-4.4", say("An Archer goes to an empty space and captures by shooting alone: the "
                      "{piece} stands on {spot}.", piece=title(state.board[target]),
                      spot=g.NAMES[target]), target)  # fmt: skip


def no_shot(state: HexiMerosState, action: Action) -> Ruling:
    """Tell why a piece does not shoot there (HX-4.4, HX-4.8)."""
    origin, end = g.INDEX[action.origin], g.INDEX[action.target]
    if kind_of(state.board[origin]) != "Ar":
        reason = say("Archers alone shoot; the {piece} does not.", piece=named(state, origin))
        return refuse("HX-4.4", reason, origin)
    if g.move_action(origin, end) not in moves_of(state, origin):
        return no_stand(state, origin, end)
    target = g.INDEX.get(action.detail[1:], g.BLOCKER)
    distance = 8 if is_double(state, origin, end) else 4
    if target not in shots_from(end, distance):
        found = None if target == g.BLOCKER else g.heading(end, target)
        if found and found[0] in g.FLATS and found[1] == distance:
            return outside(end, target)
        return refuse(
            "HX-4.4", say("From {spot} an Archer shoots exactly {count} flats away in a straight "
                          "line; {shot} does not lie so.", spot=g.NAMES[end], count=distance,
                          shot=action.detail[1:]), end)  # fmt: skip
    return ending(state, target) or refuse(
        "HX-4.4", say("There is nothing to shoot on {spot}.", spot=g.NAMES[target]), target
    )


def no_sanctuary(state: HexiMerosState, origin: int, target: int) -> Ruling | None:
    """Object to a flight into the Sanctuary; None where it is none (HX-4.7)."""
    for way in state.arena.sanctuaries[state.army]:
        if (way.move.origin, way.end) != (g.NAMES[origin], target):
            continue
        if SUB[state.board[origin]] != S_FIRST:
            return refuse("HX-4.7", say("The Sanctuary is the Sovereign's first move, and the "
                                        "{piece} has moved.", piece=named(state, origin)),
                          origin)  # fmt: skip
        if state.board[way.alcazar] != way.before:
            reason = say("The Sanctuary is the Alcazar's first move too, and on {spot} stands none "
                         "that has not moved.", spot=g.NAMES[way.alcazar])  # fmt: skip
            return refuse("HX-4.7", reason, origin, way.alcazar)
        cell = way.end if state.board[way.end] else way.beside
        reason = say(
            "For the Sanctuary the spaces of the Cavalier and the Prelate have to be empty: the "
            "{piece} stands on {spot}.",
            piece=title(state.board[cell]), spot=g.NAMES[cell],
        )  # fmt: skip
        return refuse("HX-4.7", reason, cell)
    return None


WHY: Mapping[str, Callable[[HexiMerosState, int, int], Ruling]] = MappingProxyType({
    "M": no_march, "M+": no_step, "S": no_step, "Al": no_line, "P": no_line, "R": no_line,
    "C": no_leap, "D": no_sweep, "As": no_ambush, "Ar": no_stand,
})  # fmt: skip
"""For each kind what tells why it does not get there."""
