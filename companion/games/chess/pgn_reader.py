"""Games as other programs write them (PGN), in: their tags, their start, their moves."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from companion.games.chess.fen import from_fen
from companion.games.chess.geometry import INDEX, LETTERS, USUAL, castles, homes_of
from companion.games.chess.moves import moves
from companion.games.chess.play import after_move
from companion.games.chess.state import ChessState, first_position, first_squares, new_state
from companion.rules import Action, BadInput, Setup, quoted, say

MOST_MOVES, MOST_GAMES = 2_000, 100
"""Moves of one game and games of one text that are read at most; no game has as many."""
LONGEST_MOVE = 24
"""Letters and signs of a move at most."""
LONGEST_NAME = 30
"""Letters by which a player is told apart; more do not stand in a list on a phone."""
_GAP, _VALUE = r"[\x20\t]", r'(?:[^"\\\n]|\\.)*|[^\n]{0,999}'
_TAG = rf'\[{_GAP}*(?P<name>\w[\w+#=:-]*){_GAP}+"(?P<value>{_VALUE})"{_GAP}*\]'
_PARTS = re.compile(
    rf"""(?P<comment>\{{[^}}]*\}}?|;[^\n]*)  # what people and programs say between the moves
      | (?P<tag>{_TAG})
      | (?P<open>\() | (?P<close>\))         # what might have been played
      | (?P<nag>\$\d+|[!?]+|e\.p\.|[ND](?=\s)|\[[^\]\n]*\]?)
      | (?P<result>1[-–]0|0[-–]1|1/2(?:[-–]1/2)?|½[-–]½|\*)(?![\w-])
      | (?P<number>\d+\.+|\d+(?=\s|$)|\.+)
      | (?P<word>[^\s{{}}();$!?\[]+)""",
    re.VERBOSE,
)
_BEGINS = re.compile(rf"\s*(?:(?:\{{[^}}]*\}}|;[^\n]*)\s*)*(?:{_TAG}|1\s*\.)")
_MOVE = re.compile(r"([KQRBNP]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])=?([QRBNqrbn]?)")
_CASTLE = re.compile(r"[O0]-[O0](-[O0])?")
SetupOf = Callable[[int], Setup]
G = TypeVar("G")
R = TypeVar("R")
_NULL = ("--", "Z0")
_FREE = ("chess960", "fischerandom", "fischerrandom")
_STANDARD = ("", "standard", "chess", "normal", "fromposition", *_FREE)


class PgnGame(NamedTuple):
    """The ``position`` of Chess960 by its number from which a game began, the state in which it
    did (``start``), its legal ``actions``, and its ``tags``."""

    position: int
    start: ChessState
    actions: tuple[Action, ...]
    tags: dict[str, str]


class _Written(NamedTuple):
    """A game as it is written: its tags, and the words of its moves."""

    tags: dict[str, str]
    words: list[str]


def is_pgn(text: str) -> bool:
    """Tell whether ``text`` begins as a PGN does: with a tag, or its first move."""
    return _BEGINS.match(_without_escapes(text)) is not None


def read_pgn(text: str, setup_of: SetupOf) -> list[PgnGame]:
    """Read the games of a PGN; ``setup_of`` returns the set-up for a first position by its number.

    A text that is cut off ends its last game: what was begun of a comment, of a variation or of a
    move is passed over.

    Raises:
        BadInput: it holds no game or too many, one of another kind of chess, or a move that is
            none; of several games the sentence tells in which.
    """
    written = _games(_without_escapes(text))
    if not written:
        raise BadInput(say("the PGN holds no game"))
    if len(written) > MOST_GAMES:
        raise BadInput(say("the PGN has more than {most} games", most=MOST_GAMES))
    return of_each(written, lambda one: _game(one, setup_of))


def of_each(games: Sequence[G], make: Callable[[G], R]) -> list[R]:
    """Return what ``make`` makes of each game; of several a fault tells in which it is.

    Raises:
        BadInput: what ``make`` raises.
    """
    made = []
    for number, one in enumerate(games, start=1):
        try:
            made.append(make(one))
        except BadInput as error:
            if len(games) == 1:
                raise
            words = {"number": number, "count": len(games), "why": error.sentence}
            raise BadInput(say("game {number} of {count}: {why}", **words)) from error
    return made


def called(tags: Mapping[str, str]) -> str:
    """Return who played and when, by the ``tags`` of a game; empty where nobody is named."""
    players = [_named(tags.get(colour, "")) for colour in ("White", "Black")]
    if not any(players):
        return ""
    known = itertools.takewhile(str.isdigit, tags.get("Date", "")[:10].split("."))
    return ", ".join(filter(None, (" - ".join(one or "?" for one in players), "-".join(known))))


def _named(player: str) -> str:
    name = "".join(filter(str.isprintable, " ".join(player.split())))
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 1]}…"
    return "" if name == "?" else name


def _without_escapes(text: str) -> str:
    """Return ``text`` without the lines for programs alone, which begin with %, and without the
    marks of byte order that stand between files put together."""
    lines = text.replace("\ufeff", "").splitlines(keepends=True)
    return "".join("\n" if line.startswith("%") else line for line in lines)


def _games(text: str) -> list[_Written]:
    """Return the games of ``text``; what might have been played, comments and marks are passed
    over. A game ends with its result, or where the tags of the next begin."""
    games: list[_Written] = []
    depth, over = 0, True
    for part in _PARTS.finditer(text):
        kind, word = part.lastgroup, part.group()
        if kind == "tag":
            if over or games[-1].words:
                games.append(_Written({}, []))
                depth, over = 0, False
            games[-1].tags[part["name"]] = re.sub(r"\\(.)", r"\1", part["value"])
        elif kind in ("open", "close"):
            depth = max(0, depth + (1 if kind == "open" else -1))
        elif depth == 0 and kind == "result":
            over = True
        elif depth == 0 and kind == "word" and _tells(word, cut_off=part.end() == len(text)):
            if over:
                games.append(_Written({}, []))
                over = False
            games[-1].words.append(word)
    return games


def _tells(word: str, *, cut_off: bool) -> bool:
    """Tell whether ``word`` is to be a move: neither a sign of how somebody judges the position,
    nor what is left of the last move of a text that is ``cut_off``."""
    signs = not any(map(str.isalnum, word)) and word not in _NULL
    return not signs and not (cut_off and not _castle(word) and not _moves(word))


def _game(written: _Written, setup_of: SetupOf) -> PgnGame:
    tags = written.tags
    variant = tags.get("Variant", "").casefold().replace(" ", "")
    if variant not in _STANDARD:
        named = quoted(tags["Variant"])
        raise BadInput(say("the PGN is of {variant}, which is not played here", variant=named))
    if len(written.words) > MOST_MOVES:
        raise BadInput(say("the PGN has more than {most} moves", most=MOST_MOVES))
    position, start = _start(tags.get("FEN", ""), variant in _FREE, setup_of)
    state, actions = start, list[Action]()
    for word in written.words:
        action = _move(state, word)
        actions.append(action)
        state = after_move(state, action)
    return PgnGame(position, start, tuple(actions), tags)


def _start(fen: str, free: bool, setup_of: SetupOf) -> tuple[int, ChessState]:
    """Return where a game begins, and a first position in which kings and rooks may castle as the
    FEN says: of ``free`` chess and where the usual one does not do, that whose rank stands there.

    Raises:
        BadInput: the FEN is wrong.
    """
    if not fen:
        return USUAL, _first(setup_of(USUAL))
    white = fen.split()[0].rpartition("/")[2] if fen.split() else ""
    own = [number for number in range(960) if _rank(number) == white]
    read, fault = None, None
    for position in (*(own if free else ()), USUAL, *own, *range(960)):
        try:
            start = from_fen(setup_of(position), fen)
        except BadInput as error:
            fault = fault or error
            continue
        if not start.castling or start.homes == homes_of(position):
            return position, start
        read = read or (position, start)
    if read is None and fault is not None:
        raise fault
    assert read is not None
    return read


def _first(setup: Setup) -> ChessState:
    return new_state(setup, first_squares(first_position(setup)), castling=15)


def _rank(number: int) -> str:
    return "".join(LETTERS[man] for man in first_squares(number)[:8])


def _plain(word: str) -> str:
    """Return a move as it is written without what is said of it: check, taken in passing."""
    return re.sub(r"(?:e\.?p\.?)?\W*$", "", word) if len(word) <= LONGEST_MOVE else word


def _castle(word: str) -> re.Match[str] | None:
    return _CASTLE.fullmatch(_plain(word))


def _moves(word: str) -> re.Match[str] | None:
    return _MOVE.fullmatch(_plain(word))


def _move(state: ChessState, word: str) -> Action:
    """Return the legal move that ``word`` names, in short or long notation.

    Raises:
        BadInput: none, or more than one.
    """
    castle, written = _castle(word), _moves(word)
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
