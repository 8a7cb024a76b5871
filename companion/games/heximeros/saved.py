"""A state as JSON values, and back; and a state from any position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import HexiMerosArena, arena_of, blank
from companion.games.heximeros.pieces import (
    CARRIED,
    COLOURS,
    DONE,
    FIRST,
    OWNER,
    SUB,
    TITLE,
    TOKEN_NAME,
    TOKENS,
    code_of,
    kind_of,
)
from companion.games.heximeros.setup import OPTIONS
from companion.games.heximeros.state import (
    NEW_TURN,
    NOWHERE,
    HexiMerosState,
    HexiMerosTally,
    HexiMerosTurn,
)
from companion.rules import (
    BadInput,
    Position,
    Setup,
    loading,
    say,
    unknown_seat,
    unknown_spot,
    unknown_token,
    version_of,
)


def arranged(arena: HexiMerosArena, position: Position, to_move: str | None) -> HexiMerosState:
    """Return the state with ``position`` on the board, nothing counted yet: armies without a
    Sovereign are out of play, pieces on their own place of the start array have not moved.

    Raises:
        BadInput: an unknown spot, token or seat, or a seat whose army is out of play.
    """
    board, army = blank(), None
    for spot, token in position.items():
        if arena.seen and spot in arena.tokens and token == TOKEN_NAME:
            army = arena.tokens.index(spot)
            continue
        if spot not in g.INDEX:
            raise unknown_spot(spot)
        code = arena.code(token, g.INDEX[spot])
        if code is None:
            raise unknown_token(token, TITLE)
        board[g.INDEX[spot]] = code
    return _begun(arena, bytes(board), HexiMerosTally(), to_move, army)


def rearranged(state: HexiMerosState, position: Position, to_move: str | None) -> HexiMerosState:
    """Return ``state`` with ``position`` on the board instead, as the table decided: scorecards and
    who plays which army are kept, and so is whose first move is still to come.

    Raises:
        BadInput: an unknown spot, token or seat, or a seat that plays no army.
    """
    fresh = arranged(state.arena, position, None)
    board = bytearray(fresh.board)
    for cell, code in enumerate(board[: g.COUNT]):
        if TOKENS[code] == TOKENS[state.board[cell]]:
            board[cell] = state.board[cell]
        elif code:
            board[cell] = code_of(OWNER[code], CARRIED[SUB[code]])
    tally = state.tally._replace(checks=0, ending="", winner=NOWHERE)
    return _begun(state.arena, bytes(board), tally, to_move, state.army)


def _begun(
    arena: HexiMerosArena,
    board: bytes,
    tally: HexiMerosTally,
    to_move: str | None,
    army: int | None,
) -> HexiMerosState:
    """Return a turn that begins: of an army that ``to_move`` plays, else of ``army`` or the next
    one in play; the game is over where fewer than two players have a Sovereign."""
    if to_move not in (None, *COLOURS):
        raise unknown_seat(to_move, TITLE, COLOURS)
    pieces = (code for code in board[: g.COUNT] if code)
    live = sum({1 << OWNER[code] for code in pieces if kind_of(code) == "S"})
    tally = tally._replace(live=live)
    ring = [((army or 0) + n) % 6 for n in range(6)]
    playing = [a for a in ring if live >> a & 1]
    if to_move is not None:
        playing = [a for a in playing if COLOURS[tally.masters[a]] == to_move]
        if not playing and live:
            raise BadInput(
                say("{seat} has no Sovereign on the board and cannot be to move", seat=to_move)
            )
    players = tally.players()
    if len(players) < 2:
        winner = players[0] if players else NOWHERE
        tally = tally._replace(ending="HX-5.4", winner=winner)
    return HexiMerosState(arena, board, playing[0] if playing else 0, NEW_TURN, tally)


def dump(state: HexiMerosState) -> dict[str, Any]:
    """Return the whole state as JSON values; ``unmoved`` are the spaces of the pieces whose first
    move is still to come and matters."""
    arena, tally = state.arena, state.tally
    return {
        "seats": list(arena.setup.seats),
        "options": dict(arena.setup.options),
        "rules": version_of(OPTIONS),
        "board": {g.NAMES[cell]: TOKENS[code]
                  for cell, code in enumerate(state.board[: g.COUNT]) if code},
        "unmoved": [g.NAMES[cell] for cell, code in enumerate(state.board[: g.COUNT])
                    if code and CARRIED[SUB[code]] != SUB[code]],
        "to_move": COLOURS[state.army],
        "turn": state.turn._asdict(),
        "tally": tally._asdict() | {
            "captures": [list(codes) for codes in tally.captures],
            "promotions": [list(codes) for codes in tally.promotions],
            "left": [list(pair) for pair in tally.left],
            **{name: list(getattr(tally, name))
               for name in ("masters", "outs", "points", "removed")},
        },
    }  # fmt: skip


def load(setup: Setup, data: Mapping[str, Any]) -> HexiMerosState:
    """Return the state that :func:`dump` wrote for ``setup``.

    Raises:
        BadInput: a field is missing or wrong.
    """
    arena = arena_of(setup)
    with loading(TITLE):
        board, unmoved = blank(), set(data["unmoved"])
        for spot, token in data["board"].items():
            colour, _, kind = token.partition(" ")
            sub = FIRST[kind] if spot in unmoved else DONE[kind]
            board[g.INDEX[spot]] = code_of(COLOURS.index(colour), sub)
        tally = dict(data["tally"])
        for name in ("masters", "outs", "points", "removed"):
            tally[name] = tuple(tally[name])
        for name in ("captures", "promotions"):
            tally[name] = tuple(tuple(codes) for codes in tally[name])
        tally["left"] = tuple((int(player), str(word)) for player, word in tally["left"])
        army = COLOURS.index(data["to_move"])
        return HexiMerosState(
            arena, bytes(board), army, HexiMerosTurn(**data["turn"]), HexiMerosTally(**tally)
        )
