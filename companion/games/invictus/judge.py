"""Rulings: for any action at all, the rule that decides and the spaces that prove it."""

from __future__ import annotations

from dataclasses import replace

from companion.games.invictus.geometry import (
    INDEX,
    PASS,
    PLACE,
    SIDE,
    SPOTS,
    TITLE,
    WORDS,
    named,
    own_row,
    sign,
)
from companion.games.invictus.state import (
    AGREED,
    LAST_DIE,
    NO_ACTION,
    NO_PROGRESS,
    InvictusState,
    moves,
)
from companion.rules import Action, Ruling, Text, misspoken, quoted, say

ENDINGS = {
    LAST_DIE: ("INV-7.1", say("a player has no die left on the board")),
    NO_ACTION: ("INV-7.2", say("neither player could act")),
    NO_PROGRESS: ("INV-7.3", say("the dice only went sideways for too long")),
    AGREED: ("INV-7.3", say("the players agreed to end")),
}


def _no(rule: str, reason: str, *spots: str) -> Ruling:
    return Ruling(False, rule, reason, spots)


def _yes(rule: str, reason: str, *spots: str) -> Ruling:
    return Ruling(True, rule, reason, spots)


def seat_name(seat: int) -> Text:
    """Return ``Black`` or ``White``."""
    return (say("Black"), say("White"))[seat]


def judge(state: InvictusState, action: Action) -> Ruling:
    """Rule on ``action``."""
    if state.ended:
        rule, why = ENDINGS[state.ended]
        return _no(rule, say("The game is over: {why}.", why=why))
    if action.verb == "move":
        return _judge_move(state, action)
    if state.pending:
        return _judge_return(state, action)
    if action.verb == "place":
        return _no("INV-5.4", say("No die waits to be put back; only a captured die comes back."))
    if action.verb in WORDS:
        return _judge_word(state, action)
    return _no(
        "INV-4.1",
        say("A turn is one move or one capture; {action} is neither.", action=quoted(action)),
    )


def _judge_word(state: InvictusState, action: Action) -> Ruling:
    """Rule on what is said instead of moved: the word alone, then what follows it."""
    agreed = say("The players may agree to end the game and count it as it stands.")
    ruling = _judge_pass(state) if action.verb == PASS.verb else _yes("INV-7.3", agreed)
    if ruling.allowed and action != Action(action.verb):
        return _no(ruling.rule, misspoken(action, WORDS, {}, TITLE))
    return ruling


def _judge_pass(state: InvictusState) -> Ruling:
    me = seat_name(state.turn)
    if found := moves(state):
        example = found[0]
        return _no(
            "INV-4.3",
            say("{who} must act while he can, for example {action}.", who=me, action=str(example)),
            str(example.origin),
            str(example.target),
        )
    return _yes("INV-4.3", say("{who} has no legal action and passes.", who=me))


def _judge_return(state: InvictusState, action: Action) -> Ruling:
    """Rule while a captured die waits to be put back (INV-5.4, INV-5.7)."""
    die = named(sign(state.turn) * state.pending)
    if action.verb != "place":
        return _no(
            "INV-5.7",
            say(
                "First {who} puts back the captured die as {die}.",
                who=seat_name(state.turn),
                die=die,
            ),
        )
    index = INDEX.get(str(action.target))
    if index is None:
        return _no("INV-5.4", say("{spot} is no space of the board.", spot=quoted(action.target)))
    spot = str(action.target)
    row = own_row(state.turn, index)
    if row > 4:
        where = say("on the Divide") if row == 5 else say("beyond the Divide")
        reason = say(
            "{spot} lies {where}; {die} goes back to {who}'s first four rows.",
            spot=spot, where=where, die=die, who=seat_name(state.turn),
        )  # fmt: skip
        return _no("INV-5.4", reason, spot)
    if there := state.board[index]:
        reason = say(
            "{spot} is taken by {other}; the captured die, now {die}, needs an empty space.",
            spot=spot, other=named(there), die=die,
        )  # fmt: skip
        return _no("INV-5.4", reason, spot)
    if action != PLACE[index]:
        reason = say(
            "Name the space alone, {spot}: the captured die comes back as {die} in any case.",
            spot=spot, die=die,
        )  # fmt: skip
        return _no("INV-5.4", reason, spot)
    return _yes(
        "INV-5.4",
        say("{die} comes back on {spot}, an empty space of its own side.", die=die, spot=spot),
        spot,
    )


def _judge_move(state: InvictusState, action: Action) -> Ruling:
    """Rule on a die going from one space to another: how it goes, what stands there, whose turn it
    is, then the face that it is to show (docs/rulings.md)."""
    origin, target = INDEX.get(str(action.origin)), INDEX.get(str(action.target))
    if origin is None:
        return _no("INV-2.5", say("{spot} is no space of the board.", spot=quoted(action.origin)))
    start, end = str(action.origin), str(action.target)
    die = state.board[origin]
    if not die:
        return _no("INV-4.1", say("There is no die on {origin} to move.", origin=start), start)
    if target is None:
        return _no(
            "INV-2.5",
            say("{spot} is off the board; nothing goes over the edge.", spot=quoted(end)),
            start,
        )
    mover = state if die * sign(state.turn) > 0 else replace(state, turn=1 - state.turn)
    way = _judge_way(mover, origin, target, bool(action.via))
    goal = way or _judge_goal(mover, origin, target)
    if not goal.allowed:
        return goal
    return _judge_turn(state, origin) or _judge_face(state, origin, action.detail) or goal


def _judge_turn(state: InvictusState, origin: int) -> Ruling | None:
    """Refuse a die whose turn it is not."""
    die = state.board[origin]
    if state.pending:
        return _judge_return(state, Action("move"))
    if die * sign(state.turn) > 0:
        return None
    reason = say(
        "It is {who}'s turn; {die} on {origin} is not his.",
        who=seat_name(state.turn), die=named(die), origin=SPOTS[origin],
    )  # fmt: skip
    return _no("INV-4.1", reason, SPOTS[origin])


def _judge_face(state: InvictusState, origin: int, face: str) -> Ruling | None:
    """Refuse a die that is to show another value where its move ends (INV-1.3)."""
    if not face:
        return None
    start = SPOTS[origin]
    reason = say(
        "{die} on {origin} keeps its top face when it moves; none is named.",
        die=named(state.board[origin]), origin=start,
    )  # fmt: skip
    return _no("INV-1.3", reason, start)


def _judge_way(state: InvictusState, origin: int, target: int, bent: bool) -> Ruling | None:
    """Refuse a step that is not one space ahead, sideways or diagonally ahead (INV-4.2)."""
    start, end = SPOTS[origin], SPOTS[target]
    die = named(state.board[origin])
    ahead = own_row(state.turn, target) - own_row(state.turn, origin)
    across = abs(target % SIDE - origin % SIDE)
    if origin == target:
        return _no(
            "INV-4.2",
            say("{die} on {origin} must leave its space to move.", die=die, origin=start),
            start,
        )
    if ahead < 0:
        return _no(
            "INV-4.2",
            say("{die} may not go back from {origin} to {spot}.", die=die, origin=start, spot=end),
            start,
            end,
        )
    if bent or max(ahead, across) > 1:
        return _no(
            "INV-4.2",
            say(
                "{die} goes one space at a time, not from {origin} to {spot}.",
                die=die,
                origin=start,
                spot=end,
            ),
            start,
            end,
        )
    return None


def _judge_goal(state: InvictusState, origin: int, target: int) -> Ruling:
    """Rule on a step of the right shape by what stands at its end."""
    start, end, seat = SPOTS[origin], SPOTS[target], state.turn
    die, there = state.board[origin], state.board[target]
    home = own_row(seat, target) == SIDE
    step = {"die": named(die), "origin": start, "spot": end}
    if not there:
        reason = (
            say("{die} goes from {origin} to the empty {spot} and from there Home.", **step) if home
            else say("{die} goes from {origin} to the empty {spot}.", **step)
        )  # fmt: skip
        return _yes("INV-4.2", reason, start, end)
    other = named(there)
    if there * sign(seat) > 0:
        who = seat_name(seat)
        return _no(
            "INV-4.2", say("{spot} is taken by {other}, a die of {who}'s own.", spot=end, who=who,
                           other=other), end,
        )  # fmt: skip
    ahead = own_row(seat, target) - own_row(seat, origin)
    if ahead != 1 or origin % SIDE == target % SIDE:
        reason = say(
            "{die} on {origin} captures diagonally forward only; {other} on {spot} stands {how}.",
            **step, other=other, how=say("straight ahead") if ahead else say("beside it"),
        )  # fmt: skip
        return _no("INV-5.1", reason, start, end)
    if abs(there) > abs(die):
        reason = say("{die} on {origin} is too weak for {other} on {spot}.", **step, other=other)
        return _no("INV-5.2", reason, start, end)
    reason = (
        say("{die} on {origin} captures {other} on {spot} and goes Home from there.", **step,
            other=other)
        if home else say("{die} on {origin} captures {other} on {spot}.", **step, other=other)
    )  # fmt: skip
    return _yes("INV-5.1", reason, start, end)
