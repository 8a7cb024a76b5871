"""Every legal action (HX-3 … HX-5): picks from the prebuilt tables of :mod:`plans`."""

from __future__ import annotations

from itertools import compress

from companion.games.heximeros.arena import HexiMerosArena, Sides
from companion.games.heximeros.geometry import GROUND_ZERO
from companion.games.heximeros.pieces import (
    ARCHER,
    ASSASSIN,
    CAVALIER,
    DREADNAUGHT,
    FREE,
    M_FIRST,
    MILITANT,
    P_FIRST,
    PREY,
    S_FIRST,
    SUB,
)
from companion.games.heximeros.plans import Arrivals, Bow, Ray, Rush, Stand, Sweeps
from companion.games.heximeros.state import HexiMerosState
from companion.rules import Action


def moves(state: HexiMerosState) -> list[Action]:
    """Return every move of the army that has the Token."""
    return moves_from(state, state.board.translate(state.arena.mine[state.army]))


def moves_of(state: HexiMerosState, cell: int) -> list[Action]:
    """Return the moves of the piece on ``cell``, which is of the army that has the Token."""
    return moves_from(state, bytes(cell) + b"\1")


def sides_of(state: HexiMerosState) -> Sides:
    """Return whom the army that has the Token may capture."""
    return state.arena.sides(state.tally.masters, state.tally.live, state.army)


# The one function that has to be quick: its branches stand in the order of how often they are
# taken, and cutting the marks at the ones is the quickest way to find them.
def moves_from(state: HexiMerosState, marks: bytes) -> list[Action]:  # noqa: C901
    """Return every move of the pieces on the cells marked 1, all of the army that has the Token."""
    arena, b, army, _, tally = state
    plans, (looks, spared) = arena.plans, arena.sides(tally.masters, tally.live, army)
    tables, marches = plans.rays, plans.marches[arena.places[army]]
    seen = b.translate(looks)
    out: list[Action] = []
    cell = -1
    for gap in marks.split(b"\1")[:-1]:
        cell += len(gap) + 1
        sub = SUB[b[cell]]
        if sub <= MILITANT:
            march = marches[cell] or plans.march(arena.places[army], cell)
            ahead, steps, further, strides, left, right, low, high, rush = march
            if seen[ahead] == FREE:
                out += steps
                if sub == M_FIRST:
                    if seen[further] == FREE:
                        out += strides
                    charge(rush.beyond, seen, out)
            if PREY in (seen[left], seen[right], seen[low], seen[high]):
                charge(rush.captures, seen, out)
            if cell == GROUND_ZERO:
                rushed(rush, plans.straight, seen, out)
        elif (table := tables[sub]) is not None:
            run(table[cell] or plans.lines(sub, cell), seen, out)
        elif sub == CAVALIER:
            ends, steps, _, _ = plans.cavaliers[cell] or plans.cavalier(cell)
            out += compress(steps, ends(seen))
        elif sub == ASSASSIN:
            ends, steps, victims, captures = plans.assassins[cell] or plans.assassin(cell)
            out += compress(steps, ends(seen))
            for mark, capture in zip(victims(seen), captures, strict=False):
                if mark == PREY:
                    out.append(capture)
        elif sub == DREADNAUGHT:
            sweep(plans.sweeps[cell] or plans.sweep(cell), b, spared, out)
        elif sub == ARCHER:
            shoot(plans.bows[cell] or plans.bow(cell), seen, out)
        elif sub == P_FIRST:
            flower(state, cell, seen, out)
        else:
            step(state, cell, seen, out)
    return out


def run(rays: tuple[Ray, ...], seen: bytes, out: list[Action]) -> None:
    """Append every move along ``rays``, up to what stands there or onto it (HX-4.2)."""
    for ends, moves_ in rays:
        count = 0
        for end in ends:
            if seen[end] != FREE:
                count += seen[end] == PREY
                break
            count += 1
        if count:
            out += moves_[:count]


def sweep(plan: Sweeps, b: bytes, spared: frozenset[int], out: list[Action]) -> None:
    """Append every sweep of a Dreadnaught over nothing that it has to spare (HX-4.5)."""
    crossed, sweeps, ways = plan
    if spared.isdisjoint(crossed(b)):
        out += sweeps
        return
    out += (
        move for way, move in zip(ways, sweeps, strict=True)
        if not any(b[passed] in spared for passed in way)
    )  # fmt: skip


def shoot(bow: Bow, seen: bytes, out: list[Action]) -> None:
    """Append every step of an Archer, with and without a shot (HX-4.4, HX-4.8)."""
    stands, doubles = bow
    for end, move, _, _ in stands:
        if seen[end] == FREE:
            out.append(move)
    for stand in stands:
        fire(stand, seen, out)
    for passed, stand in doubles:
        if seen[passed] == FREE and seen[stand[0]] == FREE:
            out.append(stand[1])
            fire(stand, seen, out)


def fire(stand: Stand, seen: bytes, out: list[Action]) -> None:
    """Append every shot of an Archer from a cell, if that is free (HX-4.4)."""
    end, _, targets, shots = stand
    if seen[end] == FREE:
        for at, target in enumerate(targets):
            if seen[target] == PREY:
                out.append(shots[at])


def charge(arrivals: Arrivals, seen: bytes, out: list[Action]) -> None:
    """Append a Militant's captures, each with its promotions (HX-4.1, HX-5.1)."""
    for end, moves_ in arrivals:
        if seen[end] == PREY:
            out += moves_


def rushed(rush: Rush, straight: bool, seen: bytes, out: list[Action]) -> None:
    """Append what a Militant doubles from Ground Zero, each with its promotions: two flats, or one
    and then a capture (HX-4.8)."""
    for passed, end, moves_ in rush.doubles:
        if seen[passed] == FREE and (seen[end] == FREE or (straight and seen[end] == PREY)):
            out += moves_
    for over, end, moves_ in rush.strikes:
        if seen[end] == PREY and any(seen[passed] == FREE for passed in over):
            out += moves_


def flower(state: HexiMerosState, cell: int, seen: bytes, out: list[Action]) -> None:
    """Append every first move of a Prelate: up to ten along a line, then one step to any side
    (HX-4.2)."""
    plans = state.arena.plans
    near, steps, firsts, beside, rays = plans.flowers[cell] or plans.flower(cell)
    if not any(firsts(seen)):
        out += compress(steps, near(seen))
        return
    found = {end: move for end, move in beside if seen[end]}
    for ray in rays:
        for end, move, around in ray:
            if seen[end]:
                found[end] = move
            if seen[end] != FREE:
                break
            for side, step in around:
                if seen[side]:
                    found[side] = step  # noqa: PERF403
    out += found.values()


def step(state: HexiMerosState, cell: int, seen: bytes, out: list[Action]) -> None:
    """Append every move of a Sovereign or a Hatted Militant (HX-4.2, HX-4.7, HX-4.8)."""
    plans = state.arena.plans
    ends, steps, doubles = plans.steps[cell] or plans.single(cell)
    out += compress(steps, ends(seen))
    for passed, end, move in doubles:
        if seen[passed] == FREE and seen[end]:
            out.append(move)
    if SUB[state.board[cell]] == S_FIRST:
        sanctuary(state.arena, state.army, state.board, out)


def sanctuary(arena: HexiMerosArena, army: int, b: bytes, out: list[Action]) -> None:
    """Append the flights of a Sovereign that has not moved (HX-4.7)."""
    out += (
        way.move for way in arena.sanctuaries[army]
        if not b[way.end] and not b[way.beside] and b[way.alcazar] == way.before
    )  # fmt: skip
