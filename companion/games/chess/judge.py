"""Ruling on any conceivable action: the article that decides, a sentence, the squares that
prove it."""

from __future__ import annotations

from companion.games.chess import ends
from companion.games.chess.attacks import attackers
from companion.games.chess.geometry import (
    BISHOP,
    FORWARD,
    HOME_RANK,
    INDEX,
    KING,
    KNIGHT,
    LAST_RANK,
    LEAPS,
    PAWN,
    PROMOTIONS,
    QUEEN,
    ROOK,
    SLIDES,
    SPOTS,
    TITLE,
    TOKENS,
    Castle,
    between,
    castles,
)
from companion.games.chess.moves import TAKEABLE, endangered
from companion.games.chess.play import after_move
from companion.games.chess.state import ChessState
from companion.games.chess.words import COLOURS, KINDS, WORDS, spoken
from companion.rules import Action, Ruling, Text, misspoken, quoted, say

ARTICLE = {KNIGHT: "CH-3.6", BISHOP: "CH-3.2", ROOK: "CH-3.3", QUEEN: "CH-3.4", KING: "CH-3.8.1"}
WAYS = {
    KNIGHT: say("a knight goes two squares along a rank or file and one across"),
    BISHOP: say("a bishop goes along a diagonal"),
    ROOK: say("a rook goes along a rank or a file"),
    QUEEN: say("a queen goes along a rank, a file or a diagonal"),
    KING: say("a king goes to a square beside its own, or castles from its first square"),
}


def named(man: int) -> str:
    """Return a man in words: ``white knight``."""
    return spoken(TOKENS[man])


def refuse(rule: str, reason: str, *squares: int) -> Ruling:
    """Return a refusal with the squares that prove it."""
    return Ruling(False, rule, reason, tuple(SPOTS[square] for square in squares))


def judge(state: ChessState, action: Action) -> Ruling:
    """Rule on ``action``; allowed exactly if it is a legal move or may be announced now."""
    over = ends.outcome(state)
    if over is not None:
        return Ruling(False, over.rule, say("The game is over: {why}", why=over.reason))
    if action.verb != "move":
        return _judge_word(state, action)
    unknown = [spot for spot in action.spots if spot not in INDEX]
    if unknown:
        return _no_square(unknown[0])
    origin, target = INDEX[str(action.origin)], INDEX[str(action.target)]
    return (
        _judge_hand(state, origin, target)
        or _judge_stops(state, origin, action.via)
        or _judge_way(state, origin, target)
        or _judge_target(state, origin, target)
        or _judge_turn(state, origin)
        or _judge_king(state, action, origin, target)
        or _judge_detail(state, action, origin, target)
        or _allow(state, action, origin, target)
    )


def _no_square(spot: str | None) -> Ruling:
    reason = say("There is no square {spot} on the board.", spot=quoted(spot))
    return Ruling(False, "CH-2.1", reason)


def _judge_hand(state: ChessState, origin: int, target: int) -> Ruling | None:
    """Refuse a hand that moves nothing."""
    man = state.squares[origin]
    if not man:
        return refuse(
            "CH-3.10.1",
            say("Nothing stands on {origin} to be moved.", origin=SPOTS[origin]),
            origin,
        )
    if origin == target:
        return refuse(
            "CH-3.1",
            say("The {man} on {origin} has to leave it.", man=named(man), origin=SPOTS[origin]),
            origin,
        )
    return None


def _judge_stops(state: ChessState, origin: int, via: tuple[str, ...]) -> Ruling | None:
    """Refuse a man that is to stop on its way and go on."""
    if not via:
        return None
    reason = say(
        "The {man} on {origin} may not go to {spot} and then on: that is more than one move.",
        man=named(state.squares[origin]), origin=SPOTS[origin], spot=via[0],
    )  # fmt: skip
    return refuse("CH-1.2", reason, *(INDEX[spot] for spot in via))


def _judge_way(state: ChessState, origin: int, target: int) -> Ruling | None:
    """Refuse a way that the man does not go, or that is blocked."""
    kind = state.squares[origin] & 7
    if kind == PAWN:
        return _judge_pawn(state, origin, target)
    if castle := castle_tried(state, origin, target):
        return _judge_castling(state, castle)
    if kind in LEAPS:
        reached = any(square == target for square, _ in LEAPS[kind][origin])
        return None if reached else _wrong_way(state, origin, target, ARTICLE[kind], WAYS[kind])
    reached = any(square == target for ray in SLIDES[kind][origin] for square, _ in ray)
    if reached:
        return _judge_line(state, origin, target)
    return _wrong_way(state, origin, target, ARTICLE[kind], WAYS[kind])


def _judge_target(state: ChessState, origin: int, target: int) -> Ruling | None:
    """Refuse the taking of a man of one's own, or of a king."""
    side, met = state.squares[origin] >> 3, state.squares[target]
    if castle_tried(state, origin, target):
        return None
    if met and met >> 3 == side:
        return refuse(
            "CH-3.1",
            say("Its own {man} stands on {spot}.", man=named(met), spot=SPOTS[target]),
            target,
        )
    if met and not TAKEABLE[side][met]:
        return refuse(
            "CH-1.4.1",
            say("The {man} on {spot} is never taken.", man=named(met), spot=SPOTS[target]),
            target,
        )
    return None


def _judge_turn(state: ChessState, origin: int) -> Ruling | None:
    """Refuse a man whose side is not to move."""
    man = state.squares[origin]
    if man >> 3 == state.side:
        return None
    reason = say(
        "It is {side}'s move; the man on {origin} is a {man}.",
        side=COLOURS[state.side],
        origin=SPOTS[origin],
        man=named(man),
    )
    return refuse("CH-1.2", reason, origin)


def _wrong_way(state: ChessState, origin: int, target: int, rule: str, how: Text) -> Ruling:
    reason = say(
        "The {man} on {origin} does not reach {spot}: {how}.",
        man=named(state.squares[origin]), origin=SPOTS[origin], spot=SPOTS[target], how=how,
    )  # fmt: skip
    return refuse(rule, reason, origin, target)


def _judge_line(state: ChessState, origin: int, target: int) -> Ruling | None:
    for square in between(origin, target):
        man = state.squares[square]
        if man:
            reason = say("The {man} on {spot} is in the way.", man=named(man), spot=SPOTS[square])
            return refuse("CH-3.5", reason, square)
    return None


def _judge_pawn(state: ChessState, origin: int, target: int) -> Ruling | None:
    men, side = state.squares, state.squares[origin] >> 3
    files = target % 8 - origin % 8
    ranks = (target // 8 - origin // 8) * FORWARD[side]
    if abs(files) == 1 and ranks == 1:
        return None if men[target] else _judge_passing(state, origin, target)
    if files == 0 and ranks == 1:
        return _free(state, "CH-3.7.1", target)
    if files == 0 and ranks == 2 and origin // 8 == HOME_RANK[side]:
        return _free(state, "CH-3.7.2", *between(origin, target), target)
    if files == 0 and ranks == 2:
        reason = say(
            "The {man} on {origin} has left its first square; only from there does a pawn go two.",
            man=named(men[origin]), origin=SPOTS[origin],
        )  # fmt: skip
        return refuse("CH-3.7.2", reason, origin)
    # Only an enemy could have been taken: an own man on the target makes no capture of it.
    rule = "CH-3.7.3" if men[target] and men[target] >> 3 != side else "CH-3.7.1"
    if ranks < 0:
        reason = say(
            "From {origin} to {spot} the {man} would go back: a pawn goes only ahead.",
            origin=SPOTS[origin], spot=SPOTS[target], man=named(men[origin]),
        )  # fmt: skip
        return refuse(rule, reason, origin, target)
    how = say(
        "a pawn goes one square straight ahead, two from its first square, and takes one square "
        "diagonally ahead"
    )
    return _wrong_way(state, origin, target, rule, how)


def _free(state: ChessState, rule: str, *squares: int) -> Ruling | None:
    """Refuse a pawn's advance where a man stands on one of ``squares``."""
    for square in squares:
        man = state.squares[square]
        if man:
            reason = say(
                "The {man} on {spot} stops the pawn, which takes diagonally.",
                man=named(man),
                spot=SPOTS[square],
            )
            return refuse(rule, reason, square)
    return None


def _judge_passing(state: ChessState, origin: int, target: int) -> Ruling | None:
    """Judge a pawn's diagonal step to an empty square (CH-3.7.4): only one that crosses the square
    that an enemy's pawn may pass in its first move could take it."""
    side = state.squares[origin] >> 3
    if target == state.en_passant and side == state.side:
        return None
    beside = target - 8 * FORWARD[side]
    passed = target // 8 == (2 if side else 5)
    if passed and state.squares[beside] == PAWN + 8 * (1 - side):
        reason = say(
            "The pawn on {origin} has not just come two squares past {spot}.",
            origin=SPOTS[beside],
            spot=SPOTS[target],
        )
        return refuse("CH-3.7.4", reason, beside, target)
    reason = say("A pawn goes diagonally only to take, and {spot} is empty.", spot=SPOTS[target])
    return refuse("CH-3.7.3", reason, target)


def castle_tried(state: ChessState, origin: int, target: int) -> Castle | None:
    """Return the castling that is meant by the way of a king from its first square, or of the rook
    where the king's own way would not tell it."""
    side, kind = state.squares[origin] >> 3, state.squares[origin] & 7
    castle = castles(state.homes).by_way.get(64 * origin + target)
    if castle is None or castle.side != side or castle.king != state.kings[side]:
        return None
    return castle if kind == (KING if origin == castle.king else ROOK) else None


def rook_goes_along(state: ChessState, castle: Castle) -> bool:
    """Tell whether the hand that moves the king so can bring the rook along, allowed or not."""
    free = not any(state.squares[square] for square in castle.free)
    return free and state.squares[castle.rook] == ROOK + 8 * castle.side


def _judge_castling(state: ChessState, castle: Castle) -> Ruling | None:
    men, foe = state.squares, 1 - castle.side
    if not state.castling & castle.bit:
        reason = say(
            "The king on {origin} or the rook of {spot} has moved.",
            origin=SPOTS[castle.king],
            spot=SPOTS[castle.rook],
        )
        if men[castle.rook] != ROOK + 8 * castle.side:
            reason = say(
                "No rook of its own is left on {spot} to castle with.", spot=SPOTS[castle.rook]
            )
        return refuse("CH-3.8.2.1", reason, castle.king, castle.rook)
    blocked = [square for square in castle.free if men[square]]
    if blocked:
        reason = say(
            "The {man} on {spot} stands between king and rook.",
            man=named(men[blocked[0]]),
            spot=SPOTS[blocked[0]],
        )
        return refuse("CH-3.8.2.2", reason, *blocked)
    square = endangered(state, castle)
    if square < 0:
        return None
    after = bytearray(men)
    after[castle.king] = 0
    if square == castle.to:
        after[castle.rook], after[castle.to_rook] = 0, ROOK + 8 * castle.side
    spot = SPOTS[square]
    reason = say("The king would pass over {spot}, which is attacked.", spot=spot)
    if square == castle.king:
        reason = say("The king is in check on {spot}.", spot=spot)
    elif square == castle.to:
        reason = say("The king would come to {spot}, which is attacked.", spot=spot)
    return refuse("CH-3.8.2.2", reason, square, *attackers(after, square, foe))


def _judge_king(state: ChessState, action: Action, origin: int, target: int) -> Ruling | None:
    """Refuse what leaves or puts the own king in check (CH-3.9.2)."""
    men, side = state.squares, state.side
    after = after_move(state, Action("move", SPOTS[origin], SPOTS[target]))
    king = after.kings[side]
    if king < 0:
        return None
    proof = attackers(after.squares, king, 1 - side)
    if not proof:
        return None
    by = say("the {man} on {spot}", man=named(after.squares[proof[0]]), spot=SPOTS[proof[0]])
    if origin == state.kings[side]:
        return refuse(
            "CH-3.9.2",
            say("On {spot} {by} attacks the king.", spot=SPOTS[king], by=by),
            king,
            *proof,
        )
    if any(square in proof for square in attackers(men, king, 1 - side)):
        return refuse(
            "CH-3.9.2", say("The king stays in check: {by} attacks it.", by=by), king, *proof
        )
    reason = say(
        "The {man} on {origin} is pinned: {by} would attack the king.",
        man=named(men[origin]),
        origin=SPOTS[origin],
        by=by,
    )
    return refuse("CH-3.9.2", reason, origin, king, *proof)


def _judge_detail(state: ChessState, action: Action, origin: int, target: int) -> Ruling | None:
    """Refuse a promotion without a piece, and a piece named where none is due (CH-3.7.5)."""
    man = state.squares[origin]
    promotes = man & 7 == PAWN and target // 8 == LAST_RANK[state.side]
    if promotes and action.detail in PROMOTIONS:
        return None
    if promotes and action.detail:
        reason = say(
            "The pawn becomes a queen, rook, bishop or knight on {spot}, not {given}.",
            spot=SPOTS[target], given=quoted(action.detail),
        )  # fmt: skip
        return refuse("CH-3.7.5", reason, target)
    if promotes:
        reason = say(
            "Say what the pawn becomes on {spot}: queen, rook, bishop or knight.",
            spot=SPOTS[target],
        )
        return refuse("CH-3.7.5", reason, target)
    if action.detail:
        reason = say(
            "The {man} that goes from {origin} to {spot} stays what it is; only a pawn that comes "
            "to its last rank becomes another man.",
            man=named(man), origin=SPOTS[origin], spot=SPOTS[target],
        )  # fmt: skip
        return refuse("CH-3.7.5", reason, origin, target)
    return None


def _allow(state: ChessState, action: Action, origin: int, target: int) -> Ruling:
    """Return the ruling on a move against which nothing speaks."""
    men, kind = state.squares, state.squares[origin] & 7
    taken, spots = men[target], (SPOTS[origin], SPOTS[target])
    step = {"man": named(men[origin]), "origin": spots[0], "spot": spots[1]}
    if castle := castle_tried(state, origin, target):
        rook, to = SPOTS[castle.to_rook], SPOTS[castle.to]
        reason = say(
            "The king castles from {origin} to {spot}, its rook goes to {rook}.",
            **{**step, "spot": to}, rook=rook,
        )  # fmt: skip
        rule = "CH-3.8.2" if castle.usual else "CH-960.3"
        return Ruling(True, rule, reason, (spots[0], to, SPOTS[castle.rook], rook))
    if kind == PAWN and not taken and target % 8 != origin % 8:
        passed = SPOTS[target - 8 * FORWARD[state.side]]
        reason = say(
            "The {man} takes the pawn on {passed} in passing, from {origin} to {spot}.",
            **step, passed=passed,
        )  # fmt: skip
        return Ruling(True, "CH-3.7.4", reason, (*spots, passed))
    rule = ARTICLE.get(kind, "CH-3.7.3" if taken else "CH-3.7.1")
    if kind == PAWN and action.detail:
        return Ruling(True, "CH-3.7.5", _promoted(step, taken, action.detail), spots)
    reason = say("The {man} goes from {origin} to {spot}.", **step)
    if taken:
        other = named(taken)
        reason = say("The {man} takes the {other} from {origin} to {spot}.", **step, other=other)
    double = kind == PAWN and abs(target - origin) == 16
    return Ruling(True, "CH-3.7.2" if double else rule, reason, spots)


def _promoted(step: dict[str, str], taken: int, letter: str) -> Text:
    new = KINDS[letter]
    if taken:
        return say(
            "The {man} takes the {other} from {origin} to {spot} and becomes a {new}.",
            **step, other=named(taken), new=new,
        )  # fmt: skip
    return say("The {man} goes from {origin} to {spot} and becomes a {new}.", **step, new=new)


def _judge_word(state: ChessState, action: Action) -> Ruling:
    """Rule on what is said instead of moved."""
    end = ends.claims(state).get(action)
    if end is not None:
        return Ruling(True, end.rule, end.reason)
    if action.verb == "claim":
        return _judge_claim(state, action)
    if action.verb == "agree":
        early = say("A draw can be agreed once both sides have moved.")
        agreed = ends.AGREE in ends.claims(state)
        reason = misspoken(action, WORDS, {}, TITLE) if agreed else early
        return Ruling(False, "CH-5.2.3", reason)
    if action.verb == "resign":
        return Ruling(False, "CH-5.1.2", say("Say who resigns: White or Black."))
    if action.verb == "flag":
        reason = say("Say whose flag fell: White's or Black's.")
        if dict(state.options)["minutes"] == "0":
            reason = say("This game is played without a clock.")
        return Ruling(False, "CH-6.9", reason)
    if action.verb == "place":
        return _judge_put(action)
    return Ruling(False, "CH-1.2", misspoken(action, WORDS, {}, TITLE))


def _judge_put(action: Action) -> Ruling:
    """Refuse a man that is put on the board from beside it."""
    if action.target not in INDEX:
        return _no_square(action.target)
    target = INDEX[action.target]
    reason = say(
        "No man comes to {spot} from beside the board: a move goes from square to square.",
        spot=SPOTS[target],
    )
    return refuse("CH-3.10.1", reason, target)


def _judge_claim(state: ChessState, action: Action) -> Ruling:
    """Refuse a draw that cannot be claimed."""
    what, _, move = action.detail.partition(" ")
    if what == ends.REPETITION:
        reason = say(
            "The position has stood {count} of the 3 times that are needed.",
            count=ends.occurrences(state),
        )
        if move:
            reason = say(
                "{move} is no move after which the position stands for the third time.",
                move=quoted(move),
            )
        return Ruling(False, "CH-9.2.1", reason)
    if what == ends.FIFTY:
        reason = say(
            "{count} of the 50 moves without capture or pawn move are made.",
            count=state.halfmoves // 2,
        )
        if move:
            reason = say(
                "{move} is no move that completes fifty without capture or pawn move.",
                move=quoted(move),
            )
        return Ruling(False, "CH-9.3.1", reason)
    reason = say("By what the draw is claimed has to be said: by repetition or by fifty moves.")
    return Ruling(False, "CH-9.2.1", reason)
