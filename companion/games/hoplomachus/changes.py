"""Small changes of a position that play and the texts of cards have in common."""

from __future__ import annotations

from typing import Any

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import TACTIC
from companion.games.hoplomachus.pieces import COLOURS, FACES, Shown, one, plus
from companion.games.hoplomachus.state import HoplomachusState, card_of, zone


def paid(state: HoplomachusState) -> HoplomachusState:
    """Return the state without what was owed first."""
    return state._replace(owed=state.owed[1:])


def owe(state: HoplomachusState, *more: tuple[str, str]) -> HoplomachusState:
    """Return the state with ``more`` owed after all the rest."""
    return state._replace(owed=(*state.owed, *more))


def changed(state: HoplomachusState, field: str, value: Any) -> HoplomachusState:
    """Return the state with another ``value`` of one field."""
    changes: dict[str, Any] = {field: value}
    return state._replace(**changes)


def without_top(state: HoplomachusState, camp: int) -> HoplomachusState:
    """Return the state without the top card of a camp's pile."""
    piles = list(state.piles)
    piles[camp] = piles[camp][:-1]
    return state._replace(piles=tuple(piles))


def turned(shown: Shown, colour: int, before: int | None, after: int | None) -> Shown:
    """Return the showing dice with one of ``colour`` turned; None for one that comes or goes."""
    counts = list(shown[colour])
    if before is not None:
        counts[before] -= 1
    if after is not None:
        counts[after] += 1
    return (*shown[:colour], (counts[0], counts[1], counts[2]), *shown[colour + 1 :])


def read_die(told: str) -> tuple[int, int | None]:
    """Return colour and face of ``green=hit``; no face of ``green``."""
    colour, _, face = told.partition("=")
    return COLOURS.index(colour), FACES.index(face) if face else None


def shifted(
    state: HoplomachusState, die: tuple[int, int | None], origin: str, target: str
) -> HoplomachusState:
    """Carry a die, its colour and what it shows, from zone to zone; one that leaves the active
    ones shows nothing there any more, one that comes there is not rolled yet and counts as a
    blank. Of active dice whose face is not told one that shows nothing goes, else the worst."""
    colour, face = die
    if origin == "active":
        state = _unshown(state, colour, face)
    state = changed(state, origin, plus(zone(state, origin), one(colour), -1))
    state = changed(state, target, plus(zone(state, target), one(colour)))
    if target == "active" and state.stage == s.ASSIGN:
        state = state._replace(shown=turned(state.shown, colour, None, 0))
    return state


def _unshown(state: HoplomachusState, colour: int, face: int | None) -> HoplomachusState:
    """Return the state in which an active die that leaves shows nothing any more."""
    showing = sum(state.shown[colour]) + sum(state.kept[colour])
    if face is None and showing < state.active[colour]:
        return state
    field = "shown" if any(state.shown[colour]) else "kept"
    dice: Shown = getattr(state, field)
    worst = next(n for n in range(3) if dice[colour][n])
    gone = worst if face is None else face
    return changed(state, field, turned(dice, colour, gone, None))


def put_away(state: HoplomachusState, item: str) -> HoplomachusState:
    """Put an item away: a tactic to its area, an icon of influence to the pile (HV-8.4, 8.5)."""
    card = card_of(item)
    items = tuple(other for other in state.items if other != item)
    state = state._replace(items=items, ready=state.ready - {item})
    if card.kind == TACTIC:
        return state._replace(tactics=(*state.tactics, item))
    if card.influence:
        return state._replace(influence=(*state.influence, item))
    return state._replace(discard=(*state.discard, item))
