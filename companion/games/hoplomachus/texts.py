"""What a position becomes by what a card says or what lies on the table: stats, dice, cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.changes import changed, read_die, shifted, turned, without_top
from companion.games.hoplomachus.geometry import CAMPS
from companion.games.hoplomachus.pieces import COLOURS, FACES, nearest
from companion.games.hoplomachus.state import HoplomachusState

Step = Callable[[HoplomachusState, str], HoplomachusState]


def _lieutenant(state: HoplomachusState, name: str) -> HoplomachusState:
    return state._replace(lieutenant=name)


def _reveal(state: HoplomachusState, told: str) -> HoplomachusState:
    """Let another hero lie open than the one that was drawn."""
    drawn, _, name = told.partition(">")
    return state._replace(offered=tuple(name if n == drawn else n for n in state.offered))


def _top(state: HoplomachusState, told: str) -> HoplomachusState:
    """Let a hidden card lie open on a camp; what was thought to lie there is hidden instead."""
    place, _, name = told.partition(" ")
    camp = CAMPS.index(place)
    open_card = state.piles[camp][-1]
    swap = {name: open_card, open_card: name}
    piles = tuple(tuple(swap.get(card, card) for card in pile) for pile in state.piles)
    return state._replace(piles=piles)


def _tuck(state: HoplomachusState, told: str) -> HoplomachusState:
    """Let a primus lie under another camp; one that was thought to lie there changes with it."""
    name, _, place = told.partition(">")
    primuses, here, there = list(state.primuses), state.primuses.index(name), CAMPS.index(place)
    primuses[here], primuses[there] = primuses[there], name
    return _left(state._replace(primuses=tuple(primuses)))


def _left(state: HoplomachusState) -> HoplomachusState:
    """Let the chip go on where nothing is left to be done in its camp."""
    if state.awaited[0] == s.ACT and state.is_empty(state.chip):
        return state._replace(stage=s.CAMP)
    return state


def _fulfil(state: HoplomachusState, name: str) -> HoplomachusState:
    return state._replace(ready=state.ready | {name})


def _stat(name: str) -> Step:
    def change(state: HoplomachusState, told: str) -> HoplomachusState:
        return changed(state, name, getattr(state, name) + int(told))

    return change


def _shift(state: HoplomachusState, told: str) -> HoplomachusState:
    die, _, way = told.partition(" ")
    origin, _, target = way.partition(">")
    return shifted(state, read_die(die), origin, target)


def _swap(step: int) -> Step:
    def change(state: HoplomachusState, told: str) -> HoplomachusState:
        name, place = told.split()
        die = read_die(name)
        other = nearest(state.training, die[0], step)
        assert other is not None, "the training ground holds such a die"
        return shifted(shifted(state, die, place, "training"), (other, None), "training", place)

    return change


def _toss(state: HoplomachusState, name: str) -> HoplomachusState:
    camp = CAMPS.index(name)
    card = state.piles[camp][-1]
    state = without_top(state, camp)
    return _left(state)._replace(discard=(*state.discard, card))


def _reroll(state: HoplomachusState, told: str) -> HoplomachusState:
    colour, _, faces = told.partition("=")
    before, _, after = faces.partition(">")
    number = COLOURS.index(colour)
    shown = turned(state.shown, number, FACES.index(before), FACES.index(after))
    return state._replace(shown=shown)


STEPS: Mapping[str, Step] = MappingProxyType({
    "lieutenant": _lieutenant, "reveal": _reveal, "top": _top, "tuck": _tuck, "fulfil": _fulfil,
    "health": _stat("health"), "strategy": _stat("strategy"), "recovery": _stat("recovery"),
    "shift": _shift, "reinforce": _swap(1), "weaken": _swap(-1), "toss": _toss,
    "reroll": _reroll,
})  # fmt: skip
"""What each of these verbs does with what is written after it."""
