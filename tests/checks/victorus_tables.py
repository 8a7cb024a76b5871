"""Positions of Victorus, red to move, and what may be asked of them."""

from __future__ import annotations

from companion.games.victorus import GAME
from companion.games.victorus.state import VictorusState
from companion.rules import Ruling, read_action

ROYALS = {"h1": "red half K", "l1": "red half Q", "j14": "purple half K", "f14": "purple half Q"}


def table(pieces: dict[str, str], seats: tuple[str, ...] = ("red", "purple"),
          royals: dict[str, str] = ROYALS, **options: str) -> VictorusState:  # fmt: skip
    """Return a position with red to move: ``pieces`` beside Kings and Queens at home."""
    setup = GAME.setup(seats, options)
    return GAME.arrange(setup, {**royals, **pieces}, "red")


def opened(state: VictorusState) -> VictorusState:
    """Return the state with the gate open for red."""
    return state._replace(tally=state.tally._replace(gate=(3, 0, 0, 0, 0, 0)))


def why(state: VictorusState, text: str) -> Ruling:
    """Return the ruling on ``text``."""
    return GAME.judge(state, read_action(text))


def after(state: VictorusState, *texts: str) -> VictorusState:
    """Return the state after the actions, all legal."""
    for text in texts:
        state = GAME.apply(state, read_action(text))
    return state
