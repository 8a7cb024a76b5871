"""Ruling on any conceivable action: the article that decides, a sentence, the squares that
prove it."""

from __future__ import annotations

from companion.games.chess import ends
from companion.games.chess.attacks import attacked, attackers
from companion.games.chess.moves import TAKEABLE
from companion.games.chess.play import after_move
from companion.games.chess.state import State
from companion.games.chess.tables import (
    BISHOP,
    CASTLES_OF,
    FORWARD,
    HOME_RANK,
    INDEX,
    KING,
    KNIGHT,
    LAST_RANK,
    LEAPS,
    NAMES,
    PAWN,
    PROMOTIONS,
    QUEEN,
    ROOK,
    SEATS,
    SLIDES,
    SPOTS,
    Castle,
    between,
)
from companion.rules import Action, Ruling

ARTICLE = {KNIGHT: "CH-3.6", BISHOP: "CH-3.2", ROOK: "CH-3.3", QUEEN: "CH-3.4", KING: "CH-3.8.1"}
WAYS = {
    KNIGHT: "a knight goes two squares along a rank or file and one across",
    BISHOP: "a bishop goes along a diagonal",
    ROOK: "a rook goes along a rank or a file",
    QUEEN: "a queen goes along a rank, a file or a diagonal",
    KING: "a king goes to a square beside its own, or castles from its first square",
}


def say(man: int) -> str:
    """Return a man in words: ``white knight``."""
    return f"{SEATS[man >> 3]} {NAMES[man & 7]}"


def refuse(rule: str, reason: str, *squares: int) -> Ruling:
    """Return a refusal with the squares that prove it."""
    return Ruling(False, rule, reason, tuple(SPOTS[square] for square in squares))


def judge(state: State, action: Action) -> Ruling:
    """Rule on ``action``; allowed exactly if it is a legal move or may be announced now."""
    over = ends.outcome(state)
    if over is not None:
        return Ruling(False, over.rule, f"The game is over: {over.reason}")
    if action.verb != "move":
        return _judge_word(state, action)
    unknown = [spot for spot in (action.origin, *action.via, action.target) if spot not in INDEX]
    if unknown:
        return Ruling(False, "CH-2.1", f"There is no square {unknown[0]} on the board.")
    origin, target = INDEX[str(action.origin)], INDEX[str(action.target)]
    if action.via:
        via = tuple(INDEX[spot] for spot in action.via)
        return refuse("CH-1.2", "A move goes from one square straight to another.", *via)
    return (
        _judge_hand(state, origin, target)
        or _judge_way(state, origin, target)
        or _judge_king(state, action, origin, target)
        or _judge_detail(state, action, origin, target)
        or _allow(state, action, origin, target)
    )


def _judge_hand(state: State, origin: int, target: int) -> Ruling | None:
    """Refuse what may not be touched or taken, whatever the man."""
    man, met = state.squares[origin], state.squares[target]
    if not man:
        return refuse("CH-3.10.1", f"Nothing stands on {SPOTS[origin]} to be moved.", origin)
    if man >> 3 != state.side:
        reason = f"It is {SEATS[state.side].title()}'s move; the man on {SPOTS[origin]} is a "
        return refuse("CH-1.2", f"{reason}{say(man)}.", origin)
    if origin == target:
        return refuse("CH-3.1", f"The {say(man)} on {SPOTS[origin]} has to leave it.", origin)
    if met and met >> 3 == state.side:
        return refuse("CH-3.1", f"Its own {NAMES[met & 7]} stands on {SPOTS[target]}.", target)
    return None


def _judge_way(state: State, origin: int, target: int) -> Ruling | None:
    """Refuse a way that the man does not go, or that is blocked; then the taking of a king."""
    man, met = state.squares[origin], state.squares[target]
    kind = man & 7
    if kind == PAWN:
        found = _judge_pawn(state, origin, target)
    elif castle := castle_tried(state, origin, target):
        found = _judge_castling(state, castle)
    elif kind in LEAPS:
        reached = any(square == target for square, _ in LEAPS[kind][origin])
        found = None if reached else _wrong_way(kind, origin, target)
    else:
        reached = any(square == target for ray in SLIDES[kind][origin] for square, _ in ray)
        found = _judge_line(state, origin, target) if reached else _wrong_way(kind, origin, target)
    if found is None and met and not TAKEABLE[state.side][met]:
        return refuse("CH-1.4.1", f"The {say(met)} on {SPOTS[target]} is never taken.", target)
    return found


def _wrong_way(kind: int, origin: int, target: int) -> Ruling:
    reason = f"From {SPOTS[origin]} it does not reach {SPOTS[target]}: {WAYS[kind]}."
    return refuse(ARTICLE[kind], reason, origin, target)


def _judge_line(state: State, origin: int, target: int) -> Ruling | None:
    for square in between(origin, target):
        man = state.squares[square]
        if man:
            reason = f"The {say(man)} on {SPOTS[square]} is in the way."
            return refuse("CH-3.5", reason, square)
    return None


def _judge_pawn(state: State, origin: int, target: int) -> Ruling | None:
    men, side = state.squares, state.side
    files = target % 8 - origin % 8
    ranks = (target // 8 - origin // 8) * FORWARD[side]
    if abs(files) == 1 and ranks == 1:
        return None if men[target] else _judge_passing(state, origin, target)
    if files == 0 and ranks == 1:
        return _free(state, "CH-3.7.1", target)
    if files == 0 and ranks == 2 and origin // 8 == HOME_RANK[side]:
        return _free(state, "CH-3.7.2", *between(origin, target), target)
    if files == 0 and ranks == 2:
        reason = f"Only a pawn still on its first square goes two; {SPOTS[origin]} is not one."
        return refuse("CH-3.7.2", reason, origin)
    rule = "CH-3.7.3" if men[target] else "CH-3.7.1"
    how = "a pawn goes straight ahead, and takes one square diagonally ahead"
    return refuse(rule, f"From {SPOTS[origin]} to {SPOTS[target]}: {how}.", origin, target)


def _free(state: State, rule: str, *squares: int) -> Ruling | None:
    """Refuse a pawn's advance where a man stands on one of ``squares``."""
    for square in squares:
        man = state.squares[square]
        if man:
            reason = f"The {say(man)} on {SPOTS[square]} stops the pawn, which takes diagonally."
            return refuse(rule, reason, square)
    return None


def _judge_passing(state: State, origin: int, target: int) -> Ruling | None:
    """Judge a pawn's diagonal step to an empty square (CH-3.7.4)."""
    if target == state.en_passant:
        return None
    beside = target - 8 * FORWARD[state.side]
    if state.squares[beside] == PAWN + 8 * (1 - state.side):
        reason = f"The pawn on {SPOTS[beside]} has not just come two squares past {SPOTS[target]}."
        return refuse("CH-3.7.4", reason, beside, target)
    reason = f"There is nothing to take on {SPOTS[target]}."
    return refuse("CH-3.7.3", reason, target)


def castle_tried(state: State, origin: int, target: int) -> Castle | None:
    """Return the castling that a king's move of two squares from its first square means."""
    side = state.squares[origin] >> 3
    if origin != state.kings[side]:
        return None
    return next((c for c in CASTLES_OF[side] if (c.king, c.to) == (origin, target)), None)


def rook_goes_along(state: State, castle: Castle) -> bool:
    """Tell whether the hand that moves the king so can bring the rook along, allowed or not."""
    free = not any(state.squares[square] for square in castle.free)
    return free and state.squares[castle.rook] == ROOK + 8 * castle.side


def _judge_castling(state: State, castle: Castle) -> Ruling | None:
    men, foe = state.squares, 1 - castle.side
    if not state.castling & castle.bit:
        reason = f"The king on {SPOTS[castle.king]} or the rook of {SPOTS[castle.rook]} has moved."
        if men[castle.rook] != ROOK + 8 * castle.side:
            reason = f"No rook of its own is left on {SPOTS[castle.rook]} to castle with."
        return refuse("CH-3.8.2.1", reason, castle.king, castle.rook)
    blocked = [square for square in castle.free if men[square]]
    if blocked:
        reason = f"The {say(men[blocked[0]])} on {SPOTS[blocked[0]]} stands between king and rook."
        return refuse("CH-3.8.2.2", reason, *blocked)
    for square, what in (
        (castle.king, "The king is in check on"),
        (castle.to_rook, "The king would pass over an attacked square,"),
        (castle.to, "The king would come to an attacked square,"),
    ):
        if attacked(men, square, foe):
            proof = attackers(men, square, foe)
            return refuse("CH-3.8.2.2", f"{what} {SPOTS[square]}.", square, *proof)
    return None


def _judge_king(state: State, action: Action, origin: int, target: int) -> Ruling | None:
    """Refuse what leaves or puts the own king in check (CH-3.9.2)."""
    men, side = state.squares, state.side
    after = after_move(state, Action("move", SPOTS[origin], SPOTS[target]))
    king = after.kings[side]
    if king < 0:
        return None
    proof = attackers(after.squares, king, 1 - side)
    if not proof:
        return None
    by = f"the {say(after.squares[proof[0]])} on {SPOTS[proof[0]]}"
    if origin == state.kings[side]:
        return refuse("CH-3.9.2", f"On {SPOTS[king]} {by} attacks the king.", king, *proof)
    if any(square in proof for square in attackers(men, king, 1 - side)):
        return refuse("CH-3.9.2", f"The king stays in check: {by} attacks it.", king, *proof)
    reason = f"The {say(men[origin])} on {SPOTS[origin]} is pinned: {by} would attack the king."
    return refuse("CH-3.9.2", reason, origin, king, *proof)


def _judge_detail(state: State, action: Action, origin: int, target: int) -> Ruling | None:
    """Refuse a promotion without a piece, and a piece named where none is due (CH-3.7.5)."""
    side = state.side
    promotes = state.squares[origin] & 7 == PAWN and target // 8 == LAST_RANK[side]
    if promotes and action.detail in PROMOTIONS:
        return None
    move = f"{SPOTS[origin]}-{SPOTS[target]}"
    if promotes:
        reason = f"Say what the pawn becomes on {SPOTS[target]}: {move}=Q, R, B or N."
        return refuse("CH-3.7.5", reason, target)
    if action.detail:
        reason = f"Only a pawn that comes to its last rank becomes something; write {move}."
        return refuse("CH-3.7.5", reason, origin, target)
    return None


def _allow(state: State, action: Action, origin: int, target: int) -> Ruling:
    """Return the ruling on a move against which nothing speaks."""
    men, kind = state.squares, state.squares[origin] & 7
    there, taken = f"from {SPOTS[origin]} to {SPOTS[target]}", men[target]
    spots: tuple[str, ...] = (SPOTS[origin], SPOTS[target])
    if castle := castle_tried(state, origin, target):
        reason = f"The king castles {there}, its rook goes to {SPOTS[castle.to_rook]}."
        spots += (SPOTS[castle.rook], SPOTS[castle.to_rook])
        return Ruling(True, "CH-3.8.2", reason, spots)
    what = f"takes the {say(taken)}" if taken else "goes"
    rule = ARTICLE.get(kind, "CH-3.7.3" if taken else "CH-3.7.1")
    if kind == PAWN and action.detail:
        rule, there = "CH-3.7.5", f"{there} and becomes a {NAMES[' PNBRQK'.index(action.detail)]}"
    elif kind == PAWN and abs(target - origin) == 16:
        rule = "CH-3.7.2"
    elif kind == PAWN and not taken and target % 8 != origin % 8:
        passed = SPOTS[target - 8 * FORWARD[state.side]]
        rule, what, spots = "CH-3.7.4", f"takes the pawn on {passed} in passing", (*spots, passed)
    return Ruling(True, rule, f"The {say(men[origin])} {what} {there}.", spots)


def _judge_word(state: State, action: Action) -> Ruling:
    """Rule on what is said instead of moved."""
    end = ends.claims(state).get(action)
    if end is not None:
        return Ruling(True, end.rule, end.reason)
    if action.verb == "claim":
        return _judge_claim(state, action)
    if action.verb == "agree":
        return Ruling(False, "CH-5.2.3", "A draw can be agreed once both sides have moved.")
    if action.verb == "resign":
        return Ruling(False, "CH-5.1.2", "Say who resigns: resign=white or resign=black.")
    if action.verb == "flag":
        reason = "Say whose flag fell: flag=white or flag=black."
        if dict(state.options)["minutes"] == "0":
            reason = "This game is played without a clock."
        return Ruling(False, "CH-6.9", reason)
    reason = f"{SEATS[state.side].title()} makes one move; there is nothing to {action.verb}."
    return Ruling(False, "CH-1.2", reason)


def _judge_claim(state: State, action: Action) -> Ruling:
    """Refuse a draw that cannot be claimed."""
    what = action.detail.split(" ")[0]
    if what == ends.REPETITION:
        count = ends.occurrences(state)
        reason = f"The position has stood {count} of the 3 times that are needed."
        return Ruling(False, "CH-9.2.1", reason)
    if what == ends.FIFTY:
        reason = f"{state.halfmoves // 2} of the 50 moves without capture or pawn move are made."
        return Ruling(False, "CH-9.3.1", reason)
    return Ruling(False, "CH-9.2.1", "Claim a draw by claim=repetition or claim=fifty.")
