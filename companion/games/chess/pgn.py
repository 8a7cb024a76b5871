"""Moves and games as players write them: SAN and PGN, out."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from math import log

from companion.games.chess import ends
from companion.games.chess.evaluation import PAWN_UP
from companion.games.chess.fen import START, to_fen
from companion.games.chess.geometry import INDEX, LETTERS, PAWN, USUAL, castles
from companion.games.chess.moves import in_check, moves
from companion.games.chess.play import after_move
from companion.games.chess.state import ChessState, first_position
from companion.rules import Action, ActionRemark

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
WIDTH = 79
GLUE = "\0"
"""What stands for a space at which no line may end."""


def san(state: ChessState, action: Action) -> str:
    """Return the legal move ``action`` in standard algebraic notation, with + or #."""
    origin, target = str(action.origin), str(action.target)
    man = state.squares[INDEX[origin]]
    kind = man & 7
    taken = "x" if state.squares[INDEX[target]] else ""
    castle = castles(state.homes).by_way.get(64 * INDEX[origin] + INDEX[target])
    if castle and state.castling & castle.bit:
        text = "O-O" if castle.rook > castle.king else "O-O-O"
    elif kind == PAWN:
        passing = origin[0] != target[0]
        text = (f"{origin[0]}x" if passing else "") + target
        text += f"={action.detail}" if action.detail else ""
    else:
        text = f"{LETTERS[kind]}{_which(state, action, man)}{taken}{target}"
    after = after_move(state, action)
    if not in_check(after):
        return text
    return text + ("+" if moves(after) else "#")


def _which(state: ChessState, action: Action, man: int) -> str:
    """Return the file, rank or square that tells the mover from its like."""
    origin = str(action.origin)
    others = [
        str(other.origin)
        for other in moves(state)
        if other.target == action.target
        and other.origin != origin
        and state.squares[INDEX[str(other.origin)]] == man
    ]
    if not others:
        return ""
    if all(other[0] != origin[0] for other in others):
        return origin[0]
    return origin if any(other[1] == origin[1] for other in others) else origin[1]


def write_pgn(
    start: ChessState,
    actions: Sequence[Action],
    tags: Mapping[str, str] | None = None,
    remarks: Sequence[ActionRemark] = (),
) -> str:
    """Return a whole game as PGN: the seven tags first, then ``tags``, then the moves.

    ``actions`` are legal one after another from ``start``; an announced end is a comment. After
    each move stands what ``remarks`` tell of it: the clock, the time it took, the evaluation.
    """
    state, words = start, []
    told = chain(remarks, repeat(ActionRemark()))
    for action, remark in zip(actions, told, strict=False):
        if action.verb != "move":
            end = ends.claims(state)[action]
            state = state._replace(claimed=end)
            words.append(f"{{{end.reason}}}")
            continue
        if state.side == 0:
            words.append(f"{state.number}.")
        elif not words or words[-1].endswith("}"):
            words.append(f"{state.number}...")
        words.append(san(state, action))
        state = after_move(state, action)
        if comment := _comment(remark):
            words.append(comment)
    result = result_of(state)
    head = {**ROSTER, "Result": result, **(tags or {})}
    result = head["Result"]
    first = {name: head.pop(name) for name in ROSTER}
    position = {} if to_fen(start) == START else {"SetUp": "1", "FEN": to_fen(start)}
    if first_position(start.setup) != USUAL or not castles_usually(start):
        position = {"Variant": "Chess960", "SetUp": "1", "FEN": to_fen(start)}
    lines = [
        f'[{name} "{_quoted(value)}"]' for name, value in {**first, **position, **head}.items()
    ]
    text = textwrap.wrap(" ".join([*words, result]), WIDTH, break_on_hyphens=False)
    return "\n".join([*lines, "", *text]).replace(GLUE, " ") + "\n"


def castles_usually(state: ChessState) -> bool:
    """Tell whether every king that may still castle does so from its usual square."""
    return all(c.usual for c in castles(state.homes).four if state.castling & c.bit)


def _comment(remark: ActionRemark) -> str:
    """Return ``{[%clk 0:09:58] [%emt 0:00:07] [%eval 0.35]}``, as far as it is known; a game that
    is won has no worth in pawns."""
    told = []
    if remark.left is not None:
        told.append(f"[%clk{GLUE}{_clock(remark.left)}]")
    if remark.took is not None:
        told.append(f"[%emt{GLUE}{_clock(remark.took)}]")
    if remark.expected is not None and 0 < remark.expected < 1:
        pawns = log(remark.expected / (1 - remark.expected)) / PAWN_UP
        told.append(f"[%eval{GLUE}{pawns:.2f}]")
    return f"{{{GLUE.join(told)}}}" if told else ""


def _clock(seconds: float) -> str:
    """Return what a clock shows, as ``0:09:58``; what is left of a second is not told."""
    minutes, left = divmod(int(max(0.0, seconds)), 60)
    return "{}:{:02}:{:02}".format(*divmod(minutes, 60), left)


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def result_of(state: ChessState) -> str:
    """Return ``1-0``, ``0-1``, ``1/2-1/2`` or ``*`` while the game goes on."""
    over = ends.outcome(state)
    if over is None:
        return "*"
    if not over.winners:
        return "1/2-1/2"
    return "1-0" if over.winners == ("white",) else "0-1"
