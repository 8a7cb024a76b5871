"""A state as JSON values, and back; and a state from any position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.victorus import geometry as g
from companion.games.victorus.arena import VictorusArena, arena_of, blank
from companion.games.victorus.pieces import FROZEN, KING, OWNER, QUEEN, SUB, TITLE
from companion.games.victorus.setup import OPTIONS
from companion.games.victorus.state import NEW_TURN, VictorusState, VictorusTally, VictorusTurn
from companion.games.victorus.winding import start_laps
from companion.rules import (
    Position,
    Setup,
    loading,
    unknown_seat,
    unknown_spot,
    unknown_token,
    version_of,
)


def arranged(arena: VictorusArena, position: Position, to_move: str | None) -> VictorusState:
    """Return the state with ``position`` on the board, nothing counted yet.

    Raises:
        BadInput: an unknown cell or token, a seat that does not play.
    """
    board = blank()
    for spot, token in position.items():
        if spot not in g.INDEX:
            raise unknown_spot(spot)
        code = arena.code(token.removesuffix(FROZEN))
        if code is None or not arena.seated >> OWNER[code] & 1:
            raise unknown_token(token, TITLE)
        board[g.INDEX[spot]] = code
    if to_move is not None and to_move not in arena.setup.seats:
        raise unknown_seat(to_move, TITLE, arena.setup.seats)
    place = arena.colours.index(to_move) if to_move else arena.order[0]
    laps = [0] * 12
    for cell in range(g.COUNT):
        if board[cell] and SUB[board[cell]] in (KING, QUEEN):
            owner = OWNER[board[cell]]
            laps[2 * owner + SUB[board[cell]] - KING] = start_laps(board[cell], cell)
    tally = VictorusTally(arena.seated, arena.seated, laps=tuple(laps))
    return VictorusState(arena, bytes(board), place, NEW_TURN, tally)


def dump(state: VictorusState) -> dict[str, Any]:
    """Return the whole state as JSON values."""
    arena, turn, tally = state.arena, state.turn, state.tally
    return {
        "seats": list(arena.setup.seats),
        "options": dict(arena.setup.options),
        "rules": version_of(OPTIONS),
        "board": {g.NAMES[cell]: arena.token(state.board[cell])
                  for cell in range(g.COUNT) if state.board[cell]},
        "to_move": arena.colours[state.place],
        "asked": state.asked,
        "turn": turn._asdict() | {
            "frozen": sorted(turn.frozen), "barred": sorted(map(list, turn.barred)),
            "began": [list(pair) for pair in turn.began],
        },
        "tally": tally._asdict() | {
            "gate": list(tally.gate), "merit": list(tally.merit), "laps": list(tally.laps),
            "cards": [[list(field) for field in card] for card in tally.cards],
            "waiting": list(tally.waiting), "removed": [list(pair) for pair in tally.removed],
        },
    }  # fmt: skip


def load(setup: Setup, data: Mapping[str, Any]) -> VictorusState:
    """Return the state that :func:`dump` wrote for ``setup``.

    Raises:
        BadInput: a field is missing or wrong.
    """
    with loading(TITLE):
        state = arranged(arena_of(setup), data["board"], data["to_move"])
        turn, tally = dict(data["turn"]), dict(data["tally"])
        turn["frozen"] = frozenset(turn["frozen"])
        turn["began"] = tuple((int(a), int(b)) for a, b in turn["began"])
        turn["barred"] = frozenset((int(a), int(b)) for a, b in turn["barred"])
        for name in ("gate", "laps", "waiting"):
            tally[name] = tuple(tally[name])
        tally["merit"] = bytes(tuple(tally["merit"]))
        tally["cards"] = tuple(tuple(tuple(f) for f in card) for card in tally["cards"])
        tally["removed"] = tuple((int(a), int(b)) for a, b in tally["removed"])
        return state._replace(
            turn=VictorusTurn(**turn), tally=VictorusTally(**tally), asked=int(data["asked"])
        )
