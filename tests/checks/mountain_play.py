"""Hoplomachus: Victorum played by texts: what its tests share."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import invented
from companion.games.hoplomachus.geometry import CAMPS
from companion.games.hoplomachus.pieces import COLOURS, NUMBER
from companion.games.hoplomachus.state import Enemy, HoplomachusState

SETUP = GAME.setup()


def play(state: HoplomachusState, *texts: str) -> HoplomachusState:
    """Return the state after the actions written in ``texts``, each of which must stand."""
    for text in texts:
        state = GAME.apply(state, GAME.parse(SETUP, text))
    return state


def texts(state: HoplomachusState) -> list[str]:
    return [GAME.format(action) for action in GAME.legal(state)]


def refused(state: HoplomachusState, text: str, rule: str) -> str:
    ruling = GAME.judge(state, GAME.parse(SETUP, text))
    assert not ruling.allowed
    assert ruling.rule == rule
    return ruling.reason


def dice(**counts: int) -> tuple[int, ...]:
    return tuple(counts.get(colour, 0) for colour in COLOURS)


def a_card(kind: str, **wanted: object) -> str:
    """Return an invented card of a kind whose numbers are as wanted."""
    return next(
        card.name
        for card in invented().values()
        if card.kind == kind and all(getattr(card, name) == v for name, v in wanted.items())
    )


def chosen() -> HoplomachusState:
    """Return a game whose hero and tactic are chosen."""
    state = GAME.start(SETUP)
    return play(state, f"hero {state.offered[0]}", "tactic Rally")


def fights(ready: HoplomachusState) -> Callable[..., HoplomachusState]:
    """Return what builds a fight: enemies faced at the foot, with a reserve as wished; the other
    dice are in training."""

    def build(*names: str, camp: str = "1.1", **changes: object) -> HoplomachusState:
        enemies = tuple(Enemy(name, CAMPS.index(camp)) for name in names)
        state = ready._replace(
            chip=CAMPS.index(camp), stage=s.ENGAGE, enemies=enemies, items=()
        )._replace(**changes)
        others = tuple(
            n - r - a - e
            for n, r, a, e in zip(NUMBER, state.reserve, state.active, state.exhausted, strict=True)
        )
        return state._replace(training=others)

    return build
