"""The whole state as JSON values, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.chess.fen import (
    from_fen,
    read_board,
    read_passed,
    read_rights,
    to_fen,
    write_board,
    write_rights,
)
from companion.games.chess.geometry import INDEX, MEN, SPOTS, TOKENS
from companion.games.chess.state import ChessState, first_position
from companion.rules import Game, Outcome, loading


def dump(state: ChessState) -> dict[str, Any]:
    """Return ``state`` as JSON values; positions are the fields of a FEN."""
    over = state.claimed
    return {
        "options": dict(state.options),
        "fen": to_fen(state),
        "homes": [SPOTS[square] for square in state.homes],
        "plies": state.plies,
        "earlier": [_write_key(state, entry) for entry in state.earlier],
        "captured": [TOKENS[man] for man in state.captured],
        "exchanged": [SPOTS[square] for square in range(64) if state.lately >> square & 1],
        "claimed": [list(over.winners), over.rule, over.reason] if over else None,
    }


def _write_key(state: ChessState, entry: bytes) -> str:
    passed = SPOTS[entry[66] - 1] if entry[66] else "-"
    rights = write_rights(state, entry[:64], entry[65])
    return f"{write_board(entry[:64])} {'wb'[entry[64]]} {rights} {passed}"


def _read_key(text: str, position: int) -> bytes:
    board, side, rights, passed = text.split()
    squares, number = read_board(board), "wb".index(side)
    castling, _ = read_rights(rights, squares, position)
    square = read_passed(passed, squares, number)
    return squares + bytes((number, castling, square + 1))


def load(game: Game[ChessState], data: Mapping[str, Any]) -> ChessState:
    """Return the state that :func:`dump` wrote.

    Raises:
        BadInput: a field is missing or wrong.
    """
    with loading(game.title):
        setup = game.setup(options=data["options"])
        state = from_fen(setup, data["fen"])
        homes = bytes(INDEX[spot] for spot in data["homes"]) if "homes" in data else state.homes
        plies = int(data["plies"])
        earlier = tuple(_read_key(entry, first_position(setup)) for entry in data["earlier"])
        captured = bytes(MEN[token] for token in data["captured"])
        lately = sum(1 << INDEX[spot] for spot in set(data["exchanged"]))
        claimed = _read_claimed(data["claimed"])
    return state._replace(
        plies=plies,
        earlier=earlier,
        captured=captured,
        lately=lately,
        claimed=claimed,
        homes=homes,
    )


def _read_claimed(data: Any) -> Outcome | None:
    if data is None:
        return None
    winners, rule, reason = data
    return Outcome(tuple(winners), str(rule), str(reason))
