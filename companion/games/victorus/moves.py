"""Every legal action (VIC-3 … VIC-5): walks the prebuilt rays of :mod:`lines`."""

from __future__ import annotations

from functools import cache
from itertools import compress
from typing import Final

from companion.games.victorus import geometry as g
from companion.games.victorus.arena import SeatView, VictorusArena
from companion.games.victorus.lines import Plan
from companion.games.victorus.pieces import KING, OWNER, PIECES, QUEEN, ROYAL, SUB, is_double
from companion.games.victorus.state import FRESH, NOBODY, PIVOT, SECOND, VictorusState
from companion.games.victorus.winding import is_round
from companion.rules import Action

END: Final = Action("end")
FORFEIT: Final = Action("forfeit")
TIME: Final = Action("time")
CELLS: Final = range(g.SIZE)
OPEN_LAND: Final = bytes(g.SIZE)
"""No cell closed to captures."""


def legal(state: VictorusState) -> list[Action]:
    """Return every legal action of the seat that decides; empty when the game is over."""
    if state.tally.ending:
        return []
    if state.asked:
        return placings(state, state.asked)
    if state.turn.stage == FRESH:
        found = fresh(state)
        if not found or state.arena.may_pass:
            found.append(END)
        return found
    return going_on(state)


def placings(state: VictorusState, code: int) -> list[Action]:
    """Return where the owner may put the returned royal ``code`` (VIC-7.5)."""
    queen = SUB[code] == QUEEN
    return [
        place_action(cell, "KQ"[queen]) for cell in nearest_free(state.arena, state.board, code)
    ]


@cache
def place_action(cell: int, kind: str) -> Action:
    """Return the one shared action that puts a King or Queen back on ``cell``."""
    return Action("place", None, g.NAMES[cell], kind)


def nearest_free(arena: VictorusArena, board: bytes, code: int) -> list[int]:
    """Return the free cells of its kingdom nearest to the royal's original cell, of the same
    colour: that cell alone where it is free, none where the kingdom is full (VIC-7.5)."""
    home, place = arena.home_of[code], OWNER[code]
    free = [
        cell for cell in range(g.COUNT)
        if arena.land[cell] == place and not board[cell]
        and arena.shade[cell] == arena.shade[home]
    ]  # fmt: skip
    least = min((g.distance(home, cell) for cell in free), default=0)
    return [cell for cell in free if g.distance(home, cell) == least]


# -- the first move of a turn: the fast path -----------------------------------------------


def fresh(state: VictorusState) -> list[Action]:  # noqa: C901
    """Return every first move of a turn. The rays of :func:`slide` are walked here again, in
    line: this is the one function that has to be quick."""
    arena, b, place = state.arena, state.board, state.place
    view, axis = arena.view(state.tally.live), place % 3
    lines = view.lines
    plans, prey = lines.plans[axis], arena.prey[place]
    foreign, deep, same = view.foreign[place], view.deep[place], arena.same
    out: list[Action] = []
    cell = -1
    # Cutting the board at the own pieces is the quickest way to find them.
    for gap in b.translate(arena.mine[place]).split(b"\1")[:-1]:
        cell += len(gap) + 1
        sub = SUB[b[cell]]
        shut = OPEN_LAND if deep[cell] else foreign
        if same and foreign[cell]:
            shut = view.within(place, view.zone[cell])
        if sub == 8 or sub == 9:
            travel(b, lines.plan(axis, sub, cell), pivots_of(view, arena), prey, shut, out)
            continue
        if sub < KING or sub >= ROYAL:
            edges, spokes, steps = plans[sub][cell] or lines.plan(axis, sub, cell)
            for target, step, f, s in steps:
                if not b[target] and not (b[f] and b[s]):
                    out.append(step)
        else:
            edges, spokes, _ = crown_plan(state, view, cell, 1 - arena.shade[cell], out)
        for ray in edges:
            for target, action in ray:
                if b[target]:
                    if action is not None and prey[b[target]] and not shut[target]:
                        out.append(action)
                    break
                if action is not None:
                    out.append(action)
        for spoke in spokes:
            for target, action, f, s in spoke:
                if b[f] and b[s]:
                    break
                if b[target]:
                    if action is not None and prey[b[target]] and not shut[target]:
                        out.append(action)
                    break
                if action is not None:
                    out.append(action)
    return out


def slide(b: bytes, plan: Plan, prey: bytes, shut: bytes, out: list[Action]) -> None:
    """Append every slide of ``plan``: ``prey`` marks codes that may be captured, ``shut`` cells
    where no capture may happen (VIC-3.2, VIC-3.3)."""
    edges, spokes, _ = plan
    for ray in edges:
        for target, action in ray:
            if b[target]:
                if action is not None and prey[b[target]] and not shut[target]:
                    out.append(action)
                break
            if action is not None:
                out.append(action)
    for spoke in spokes:
        for target, action, f, s in spoke:
            if b[f] and b[s]:
                break
            if b[target]:
                if action is not None and prey[b[target]] and not shut[target]:
                    out.append(action)
                break
            if action is not None:
                out.append(action)


def travel(
    b: bytes, plan: Plan, pivots: tuple[tuple[int, ...], ...] | None, prey: bytes, shut: bytes,
    out: list[Action],
) -> None:  # fmt: skip
    """Append every travel of a Hospitaller from which it can pivot; ``pivots`` None means that
    it need not (VIC-4.3)."""
    for spoke in plan.spokes:
        for target, action, f, s in spoke:
            if b[target] or (b[f] and b[s]):
                break
            if action:
                if pivots is None:
                    out.append(action)
                    continue
                for near in pivots[target]:
                    met = b[near]
                    if not met or (prey[met] and not shut[near]):
                        out.append(action)
                        break


def crown(state: VictorusState, view: SeatView, cell: int, colour: int, shut: bytes,
          out: list[Action]) -> None:  # fmt: skip
    """Append every move of a King or Queen on ``cell`` that ends on ``colour`` (VIC-4.5)."""
    plan = crown_plan(state, view, cell, colour, out)
    slide(state.board, plan, state.arena.prey[state.place], shut, out)


def crown_plan(
    state: VictorusState, view: SeatView, cell: int, colour: int, out: list[Action]
) -> Plan:
    """Return the lines of a King or Queen, at home while the gate is shut (VIC-4.6); append the
    conquest of the centre where it is possible (VIC-7.3)."""
    place = state.place
    opened = state.gate_open(place)
    if opened and cell in state.arena.entries[place] and conquers(state, cell):
        out.append(g.move_action(cell, g.CENTRE))
    return view.lines.royal(place, colour, cell, opened)


def conquers(state: VictorusState, cell: int) -> bool:
    """Tell whether the royal on ``cell`` may slide into the centre now (VIC-7.1 … VIC-7.3)."""
    way = state.arena.entries[state.place]
    if cell not in way or not is_round(state, state.board[cell], cell):
        return False
    return not any(state.board[step] for step in way[: way.index(cell)])


# -- the rest of a turn ----------------------------------------------------------------------


def going_on(state: VictorusState) -> list[Action]:
    """Return what may follow in a turn that has begun."""
    setup, turn = state.arena.setup, state.turn
    if turn.stage == PIVOT:
        found = pivots(state)
        return [*found, END] if setup["pivot"] == "may" else found
    again = second_moves(state) if turn.stage == SECOND else []
    if again and setup["second"] == "must":
        return again
    extra = bonus_moves(state) if turn.bonus else []
    # Only the two together can name an action twice.
    found = list(dict.fromkeys((*again, *extra))) if again and extra else [*again, *extra]
    if not (extra and setup["bonus"] == "must"):
        found.append(END)
    return found


def shut_for(state: VictorusState, cell: int) -> bytes:
    """Return the cells where the piece on ``cell`` may not capture, judged from where it stood
    when the turn began (VIC-5.6)."""
    arena, place, turn = state.arena, state.place, state.turn
    view, start = arena.view(state.tally.live), turn.start_of(cell)
    then = turn.fallen if arena.setup["fallen_kingdom"] == "then" else 0
    began = arena.view(state.tally.live | then) if then else view
    shut = OPEN_LAND if began.deep[place][start] else view.foreign[place]
    if arena.same and began.foreign[place][start]:
        shut = view.within(place, began.zone[start])
    closed = closed_to(state, cell) if arena.once else ()
    if not closed:
        return shut
    return bytes(no or zone in closed for no, zone in zip(shut, view.zone, strict=True))


def closed_to(state: VictorusState, cell: int) -> frozenset[int]:
    """Return the enemy kingdoms where the piece on ``cell`` has captured in this turn
    (VIC-5.7)."""
    return frozenset(kingdom for here, kingdom in state.turn.barred if here == cell)


def left_for_good(state: VictorusState, cell: int) -> frozenset[int]:
    """Return the kingdoms that the piece on ``cell`` may not enter again in this turn: those where
    a royal, King or Queen captured on its first move, in the quick game on any (VIC-5.7)."""
    if not is_double(SUB[state.board[cell]]):
        return frozenset()
    closed = closed_to(state, cell)
    return closed if state.arena.quick else closed & {state.turn.first}


def pivots_of(view: SeatView, arena: VictorusArena) -> tuple[tuple[int, ...], ...] | None:
    """Return where a Hospitaller pivots from each cell, None where it need not pivot."""
    return view.lines.pivots if arena.must_pivot else None


def pivots(state: VictorusState) -> list[Action]:
    """Return the pivots of the Hospitaller that has travelled (VIC-4.3)."""
    arena, b, cell = state.arena, state.board, state.turn.mover
    prey, shut = arena.prey[state.place], shut_for(state, cell)
    view = arena.view(state.tally.live)
    return [
        g.move_action(cell, target)
        for target in view.lines.pivots[cell]
        if not b[target] or (prey[b[target]] and not shut[target])
    ]  # fmt: skip


def second_moves(state: VictorusState) -> list[Action]:
    """Return the second moves of the piece that has made its first (VIC-4.4, VIC-4.5, VIC-5.7)."""
    arena, b, turn, cell = state.arena, state.board, state.turn, state.turn.mover
    view, sub = arena.view(state.tally.live), SUB[state.board[turn.mover]]
    shut = shut_for(state, cell)
    found: list[Action] = []
    if sub < ROYAL:
        crown(state, view, cell, arena.shade[cell], shut, found)
    else:
        plan = view.lines.plan(state.place % 3, sub, cell)
        slide(b, plan, arena.prey[state.place], shut, found)
        found = [a for a in found if bends(state, cell, a)]
    if 0 <= turn.first < 6:
        found = [a for a in found if view.zone[g.INDEX[a.target]] == g.BATTLEFIELD]
    return found


def bends(state: VictorusState, cell: int, action: Action) -> bool:
    """Tell whether a royal knight's second move keeps the options of VIC-4.4: it does not end
    where its turn began, and turns off the line of its first move."""
    setup, target = state.arena.setup, g.INDEX[action.target]
    if target == state.turn.start_of(cell) and not returns(state):
        return False
    return setup["dogleg"] == "free" or axis_of(cell, target) != state.turn.line


def returns(state: VictorusState) -> bool:
    """Tell whether a royal knight's second move may end where its turn began (VIC-4.4)."""
    allowed = state.arena.setup["return"]
    return allowed == "yes" or (allowed == "after_capture" and state.turn.first != NOBODY)


def axis_of(origin: int, target: int) -> int:
    """Return the number of the axis that joins two cells in line: 0 … 2 edges, 3 … 5 spokes."""
    found = g.heading(origin, target)
    assert found is not None, "a move runs along a line"
    return found[1] % 3 + (3 if found[0] else 0)


def bonus_movers(state: VictorusState) -> list[int]:
    """Return the cells of the pieces that may make an outstanding bonus move (VIC-5.2 … 5.4)."""
    arena, turn = state.arena, state.turn
    own = [
        cell for cell in compress(CELLS, state.board.translate(arena.mine[state.place]))
        if cell not in turn.frozen
    ]  # fmt: skip
    if arena.quick:
        return own
    if turn.stage == SECOND:
        return [cell for cell in own if cell != turn.mover]
    if turn.mover != NOBODY and arena.setup["pass_on"] == "no":
        return [turn.mover]
    return own


def bonus_moves(state: VictorusState) -> list[Action]:
    """Return every bonus move (VIC-5.3 … VIC-5.5)."""
    return [action for cell in bonus_movers(state) for action in bonus_of(state, cell)]


def bonus_colour(state: VictorusState) -> int:
    """Return the colour on which a King's or Queen's bonus move ends (VIC-5.5)."""
    same = state.arena.setup["royal_bonus_colour"] == "same"
    colour = state.arena.shade[state.turn.last]
    return colour if same else 1 - colour


def bonus_of(state: VictorusState, cell: int) -> list[Action]:
    """Return the bonus moves of the piece on ``cell``."""
    arena, b, place = state.arena, state.board, state.place
    view, sub = arena.view(state.tally.live), SUB[state.board[cell]]
    plan, shut = view.lines.plan(place % 3, sub, cell), shut_for(state, cell)
    found: list[Action] = []
    if PIECES[sub].kind == "H":
        travel(b, plan, pivots_of(view, arena), arena.prey[place], shut, found)
    elif sub in (KING, QUEEN):
        crown(state, view, cell, bonus_colour(state), shut, found)
    else:
        slide(b, plan, arena.prey[place], shut, found)
        if arena.setup["bonus_strategic"] == "yes":
            found += [
                action for target, action, f, s in plan.steps
                if not b[target] and not (b[f] and b[s])
            ]  # fmt: skip
    return unbarred(state, cell, found)


def unbarred(state: VictorusState, cell: int, found: list[Action]) -> list[Action]:
    """Drop the moves of a royal, King or Queen back into the kingdom that it may not enter again
    in this turn (VIC-5.7)."""
    closed = left_for_good(state, cell)
    if not closed:
        return found
    zone = state.arena.view(state.tally.live).zone
    return [
        action for action in found
        if (there := zone[g.INDEX[action.target]]) not in closed or there == zone[cell]
    ]  # fmt: skip
