"""A game as other programs write it (PGN), in: its tags, its start, its moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.games.chess.fen import from_fen
from companion.games.chess.geometry import INDEX, LETTERS, USUAL, castles
from companion.games.chess.moves import moves
from companion.games.chess.play import after_move
from companion.games.chess.state import ChessState, first_position, first_squares, new_state
from companion.rules import Action, BadInput, Setup, quoted, say

MOST_MOVES = 2_000
"""Moves that are read at most; no game has as many."""
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_PARTS = re.compile(
    r"""(?P<comment>\{[^}]*\}|;[^\n]*)   # what people and programs say between the moves
      | (?P<open>\() | (?P<close>\))      # what might have been played
      | (?P<tag>\[[^\n]*)                 # the next game has begun
      | (?P<nag>\$\d+|[!?]+|e\.p\.)
      | (?P<result>1-0|0-1|1/2-1/2|\*)(?![\w-])
      | (?P<number>\d+\.+|\d+(?=\s|$)|\.+)
      | (?P<word>[^\s{}();$!?\[]+)""",
    re.VERBOSE,
)
_MOVE = re.compile(r"([KQRBNP]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])=?([QRBNqrbn]?)")
_CASTLE = re.compile(r"[O0]-[O0](-[O0])?")
SetupOf = Callable[[int], Setup]
_STANDARD = ("", "standard", "chess", "from position", "chess960", "fischerandom")


class PgnGame(NamedTuple):
    """The ``position`` of Chess960 by its number from which a game began, the state in which it
    did (``start``), its legal ``actions``, and its ``tags``."""

    position: int
    start: ChessState
    actions: tuple[Action, ...]
    tags: dict[str, str]


def is_pgn(text: str) -> bool:
    """Tell whether ``text`` begins as a PGN does."""
    return _TAG.match(text.lstrip("\ufeff \t\r\n")) is not None


def read_pgn(text: str, setup_of: SetupOf) -> PgnGame:
    """Read the game of a PGN; ``setup_of`` returns the set-up for a first position by its number.

    Raises:
        BadInput: it holds no game or several, one of another kind of chess, or a move that is none.
    """
    # A line that begins with % is for programs alone.
    lines = [line for line in text.lstrip("\ufeff").splitlines() if not line.startswith("%")]
    head, body = _split(lines)
    tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in _TAG.findall("\n".join(head))}
    if tags.get("Variant", "").casefold() not in _STANDARD:
        raise BadInput(
            say(
                "the PGN is of {variant}, which is not played here", variant=quoted(tags["Variant"])
            )
        )
    position, start = _start(tags, setup_of)
    state, actions = start, list[Action]()
    for word in _words("\n".join(body)):
        if len(actions) >= MOST_MOVES:
            raise BadInput(say("the PGN has more than {most} moves", most=MOST_MOVES))
        action = _move(state, word)
        actions.append(action)
        state = after_move(state, action)
    return PgnGame(position, start, tuple(actions), tags)


def _split(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the lines of the tags, and those of the moves."""
    head: list[str] = []
    for at, line in enumerate(lines):
        if line.strip() and not line.lstrip().startswith("["):
            return head, list(lines[at:])
        head.append(line)
    return head, []


def _start(tags: dict[str, str], setup_of: SetupOf) -> tuple[int, ChessState]:
    fen = tags.get("FEN", "")
    position = USUAL
    if tags.get("Variant", "").casefold() in ("chess960", "fischerandom") and fen:
        white = fen.split()[0].rpartition("/")[2]
        found = (number for number in range(960) if _rank(number) == white)
        position = next(found, USUAL)
    start = from_fen(setup_of(position), fen) if fen else _first(setup_of(position))
    return position, start


def _first(setup: Setup) -> ChessState:
    return new_state(setup, first_squares(first_position(setup)), castling=15)


def _rank(number: int) -> str:
    return "".join(LETTERS[man] for man in first_squares(number)[:8])


def _words(text: str) -> Iterator[str]:
    """Yield the moves as they are written, up to the result; what might have been played, comments
    and marks are passed over.

    Raises:
        BadInput: another game follows, or a bracket is not closed.
    """
    depth, over = 0, False
    for part in _PARTS.finditer(text):
        kind = part.lastgroup
        depth += (kind == "open") - (kind == "close")
        if kind == "tag" or (over and kind == "word"):
            raise BadInput(say("the PGN holds several games; bring them in one by one"))
        if depth > 0 or kind in ("comment", "nag", "number", "open", "close"):
            continue
        if kind == "result":
            over = True
        else:
            yield part.group()
    if depth:
        raise BadInput(say("a bracket in the PGN is not closed"))


def _move(state: ChessState, word: str) -> Action:
    """Return the legal move that ``word`` names, in short or long notation.

    Raises:
        BadInput: none, or more than one.
    """
    plain = word.rstrip("+#")
    castle = _CASTLE.fullmatch(plain)
    written = _MOVE.fullmatch(plain)
    legal = moves(state)
    if castle:
        found = [a for a in legal if _castles(state, a) == (3 if castle[1] else 2)]
    elif written:
        kind, file, rank, target, became = written.groups()
        became = became.upper()
        found = [
            a
            for a in legal
            if a.target == target
            and LETTERS[state.squares[INDEX[str(a.origin)]] & 7] == (kind or "P")
            and str(a.origin).startswith(file)
            and str(a.origin).endswith(rank)
            and (a.detail or "") == became
            and not _castles(state, a)
        ]
        if not found and not kind and file and rank:
            found = [a for a in legal if (a.origin, a.target) == (file + rank, target)]
            found = [a for a in found if (a.detail or "") == became]
    else:
        found = []
    if len(found) != 1:
        at = f"{state.number}{'.' if state.side == 0 else '...'} {word}"
        if len(found) > 1:
            raise BadInput(say("{move} in the PGN may be several moves", move=quoted(at)))
        raise BadInput(say("{move} in the PGN is no legal move there", move=quoted(at)))
    return found[0]


def _castles(state: ChessState, action: Action) -> int:
    """Return 2 for a castling on the king's side, 3 on the queen's, 0 for any other move."""
    way = 64 * INDEX[str(action.origin)] + INDEX[str(action.target)]
    castle = castles(state.homes).by_way.get(way)
    if castle is None or not state.castling & castle.bit:
        return 0
    return 2 if castle.rook > castle.king else 3
