"""A state as JSON values, and back; a state with other cards lying open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import TITLE, known, unknown_card
from companion.games.hoplomachus.geometry import CAMPS, NAMES
from companion.games.hoplomachus.pieces import NUMBER
from companion.games.hoplomachus.scorecards import BOARD, all_dice
from companion.games.hoplomachus.setup import OPTIONS
from companion.games.hoplomachus.state import SEAT, Enemy, HoplomachusState
from companion.rules import (
    BadInput,
    Position,
    Setup,
    loading,
    say,
    unknown_seat,
    unknown_spot,
    version_of,
)


def dump(state: HoplomachusState) -> dict[str, Any]:
    """Return ``state`` as JSON values."""
    data = state._asdict()
    del data["options"]
    data["to_move"] = None if state.ending else SEAT
    data["enemies"] = [enemy._asdict() for enemy in state.enemies]
    data["ready"] = sorted(state.ready)
    setup = state.setup
    rules = version_of(OPTIONS)
    return {"seats": list(setup.seats), "options": dict(setup.options), "rules": rules, **data}


def load(setup: Setup, data: Mapping[str, Any]) -> HoplomachusState:
    """Return the state that :func:`dump` wrote.

    Raises:
        BadInput: a field is missing or wrong.
    """
    with loading(TITLE):
        # Dumps of earlier versions lack what came later.
        newer = HoplomachusState._field_defaults.keys() & {"kept"}
        fields = {
            name: _frozen(data[name])
            for name in HoplomachusState._fields
            if name != "options" and (name in data or name not in newer)
        }
        fields["enemies"] = tuple(
            Enemy(**{name: _frozen(value) for name, value in enemy.items()})
            for enemy in data["enemies"]
        )
        fields["ready"] = frozenset(data["ready"])
        state = HoplomachusState(tuple(setup.options.items()), **fields)
        _checked(state, data["to_move"])
    return state


def _checked(state: HoplomachusState, to_move: str | None) -> None:
    if to_move != (None if state.ending else SEAT):
        raise ValueError(f"to_move is {to_move}")
    cards = (state.lieutenant, *state.offered, *state.tactics, *state.items, *state.influence,
             *state.discard, *(card for pile in state.piles for card in pile),
             *(enemy.card for enemy in state.enemies))  # fmt: skip
    if unknown := [card for card in cards if not known(card)]:
        raise ValueError(f"there is no card {unknown[0]}")
    if all_dice(state) != NUMBER:
        raise ValueError("there are not seventeen unit dice")


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def arranged(start: HoplomachusState, position: Position, to_move: str | None) -> HoplomachusState:
    """Return ``start`` with the cards of ``position`` on top of the camps or as enemies.

    Raises:
        BadInput: an unknown spot, card or seat, or a card where it cannot lie.
    """
    if to_move not in (None, SEAT):
        raise unknown_seat(to_move, TITLE, (SEAT,))
    piles: list[tuple[str, ...]] = [()] * len(CAMPS)
    enemies = []
    for spot, card in position.items():
        if spot not in BOARD:
            raise unknown_spot(spot)
        if not known(card):
            raise unknown_card(card)
        if spot in CAMPS:
            piles[CAMPS.index(spot)] = (card,)
        elif spot.startswith("enemy."):
            enemies.append(Enemy(card))
        elif spot != NAMES[-1]:
            raise BadInput(say("a card does not lie on {spot}", spot=spot))
    stage = s.ENGAGE if enemies else start.stage
    return start._replace(piles=tuple(piles), enemies=tuple(enemies), stage=stage)
