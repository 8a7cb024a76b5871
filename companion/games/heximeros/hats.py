"""What a Hatted Militant on a Base Line may become (HX-5.2): one capital, two, or a Sovereign."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import EVERYBODY
from companion.games.heximeros.pieces import CAPITALS, COLOURS, DONE, FIRST, OWNER, code_of
from companion.games.heximeros.state import NOWHERE, HexiMerosState
from companion.rules import Action


@cache
def place_action(cell: int, detail: str) -> Action:
    """Return the one shared action that puts a piece on ``cell``."""
    return Action("place", None, g.NAMES[cell], detail)


def placings(state: HexiMerosState) -> list[Action]:
    """Return every way to promote the Hatted Militant that has just come to a Base Line, or to
    add a second capital to the first."""
    if state.turn.hat == NOWHERE:
        return []
    return list(_second(state) if state.turn.first else _first(state))


def _first(state: HexiMerosState) -> Iterator[Action]:
    hat, army = state.turn.hat, state.army
    for kind in CAPITALS:
        yield place_action(hat, kind)
    for other in EVERYBODY:
        if other == army:
            continue
        fallen = not state.tally.live >> other & 1
        for kind in (*CAPITALS, "S") if fallen else CAPITALS:
            detail = f"{COLOURS[other]} {kind}"
            yield place_action(hat, detail)
            for cell in free(state, state.arena.base_lines[other]):
                yield place_action(cell, detail)


def _second(state: HexiMerosState) -> Iterator[Action]:
    sibling = OWNER[state.turn.first] == state.army
    for army in EVERYBODY:
        if army == state.army and not sibling:
            continue
        if not state.tally.live >> army & 1:
            continue
        prefix = "" if army == state.army else f"{COLOURS[army]} "
        for cell in free(state, second_cells(state, army)):
            for kind in CAPITALS:
                yield place_action(cell, prefix + kind)


def second_cells(state: HexiMerosState, army: int) -> tuple[int, ...]:
    """Return where a second capital of ``army`` may come: the promoting Base Line and its own."""
    promoting = g.BASE_LINES[g.BASE_OF[state.turn.hat]]
    return tuple(dict.fromkeys((*promoting, *state.arena.base_lines[army])))


def free(state: HexiMerosState, cells: tuple[int, ...]) -> list[int]:
    """Return the empty ones among ``cells``."""
    return [cell for cell in cells if not state.board[cell]]


def piece_named(state: HexiMerosState, detail: str) -> int:
    """Return the code that the ``detail`` of a promotion names: ``R`` of the army that has the
    Token, ``blue R``; 0 if it names none. A new Prelate has its first move again (HX-5.1)."""
    colour, _, kind = detail.rpartition(" ")
    army = COLOURS.index(colour) if colour in COLOURS else state.army
    if kind not in (*CAPITALS, "S") or colour not in ("", *COLOURS):
        return 0
    return code_of(army, FIRST["P"] if kind == "P" else DONE[kind])
