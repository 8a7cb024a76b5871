"""Rulings: for any action at all, the rule that decides and the spaces that prove it."""

from __future__ import annotations

from companion.games.invictus.layout import (
    AGREE,
    INDEX,
    PASS,
    SEATS,
    SIDE,
    SPOTS,
    own_row,
    sign,
    token,
)
from companion.games.invictus.state import (
    AGREED,
    LAST_DIE,
    NO_ACTION,
    NO_PROGRESS,
    State,
    moves,
)
from companion.rules import Action, Ruling

ENDINGS = {
    LAST_DIE: ("INV-7.1", "a player has no die left on the board"),
    NO_ACTION: ("INV-7.2", "neither player could act"),
    NO_PROGRESS: ("INV-7.3", "the dice only went sideways for too long"),
    AGREED: ("INV-7.3", "the players agreed to end"),
}


def _no(rule: str, reason: str, *spots: str) -> Ruling:
    return Ruling(False, rule, reason, spots)


def _yes(rule: str, reason: str, *spots: str) -> Ruling:
    return Ruling(True, rule, reason, spots)


def seat_name(seat: int) -> str:
    """Return ``Black`` or ``White``."""
    return SEATS[seat].capitalize()


def judge(state: State, action: Action) -> Ruling:
    """Rule on ``action``."""
    if state.ended:
        rule, why = ENDINGS[state.ended]
        return _no(rule, f"The game is over: {why}.")
    if state.pending:
        return _judge_return(state, action)
    if action.verb == "move":
        return _judge_move(state, action)
    if action.verb == "place":
        return _no("INV-5.4", "No die waits to be put back; only a captured die comes back.")
    if action == AGREE:
        return _yes("INV-7.3", "The players may agree to end the game and count it as it stands.")
    if action == PASS:
        return _judge_pass(state)
    return _no("INV-4.1", f"A turn is one move or one capture; '{action}' is neither.")


def _judge_pass(state: State) -> Ruling:
    me = seat_name(state.turn)
    if found := moves(state):
        example = found[0]
        return _no(
            "INV-4.3",
            f"{me} must act while he can, for example {example}.",
            str(example.origin),
            str(example.target),
        )
    return _yes("INV-4.3", f"{me} has no legal action and passes.")


def _judge_return(state: State, action: Action) -> Ruling:
    """Rule while a captured die waits to be put back (INV-5.4, INV-5.7)."""
    die = token(sign(state.turn) * state.pending)
    if action.verb != "place":
        return _no("INV-5.7", f"First {seat_name(state.turn)} puts back the captured die as {die}.")
    index = INDEX.get(str(action.target))
    if index is None:
        return _no("INV-5.4", f"'{action.target}' is no space of the board.")
    spot = str(action.target)
    if action.origin or action.detail or action.via:
        return _no("INV-5.4", f"The captured die comes back as {die} and nothing else.", spot)
    row = own_row(state.turn, index)
    if row > 4:
        where = "on the Divide" if row == 5 else "beyond the Divide"
        return _no(
            "INV-5.4",
            f"{spot} lies {where}; {die} goes back to {seat_name(state.turn)}'s first four rows.",
            spot,
        )
    if there := state.board[index]:
        return _no("INV-5.4", f"{spot} is taken by {token(there)}; {die} needs an empty space.",
                   spot)  # fmt: skip
    return _yes("INV-5.4", f"{die} comes back on {spot}, an empty space of its own side.", spot)


def _judge_move(state: State, action: Action) -> Ruling:
    """Rule on a die going from one space to another: first the die, then the way."""
    origin, target = INDEX.get(str(action.origin)), INDEX.get(str(action.target))
    if origin is None:
        return _no("INV-2.5", f"'{action.origin}' is no space of the board.")
    start, end, me = str(action.origin), str(action.target), seat_name(state.turn)
    die = state.board[origin]
    if not die:
        return _no("INV-4.1", f"There is no die on {start} to move.", start)
    if die * sign(state.turn) < 0:
        return _no("INV-4.1", f"It is {me}'s turn; {token(die)} on {start} is not his.", start)
    if target is None:
        return _no("INV-2.5", f"'{end}' is off the board; nothing goes over the edge.", start)
    if action.detail:
        return _no(
            "INV-1.3", f"{token(die)} on {start} keeps its top face when it moves.", start, end
        )
    return _judge_way(state, origin, target, bool(action.via)) or _judge_goal(state, origin, target)


def _judge_way(state: State, origin: int, target: int, bent: bool) -> Ruling | None:
    """Refuse a step that is not one space ahead, sideways or diagonally ahead (INV-4.2)."""
    start, end = SPOTS[origin], SPOTS[target]
    die = token(state.board[origin])
    ahead = own_row(state.turn, target) - own_row(state.turn, origin)
    across = abs(target % SIDE - origin % SIDE)
    if origin == target:
        return _no("INV-4.2", f"{die} on {start} must leave its space to move.", start)
    if ahead < 0:
        return _no("INV-4.2", f"{die} may not go back from {start} to {end}.", start, end)
    if bent or max(ahead, across) > 1:
        return _no("INV-4.2", f"{die} goes one space at a time, not from {start} to {end}.",
                   start, end)  # fmt: skip
    return None


def _judge_goal(state: State, origin: int, target: int) -> Ruling:
    """Rule on a step of the right shape by what stands at its end."""
    start, end, seat = SPOTS[origin], SPOTS[target], state.turn
    die, there = state.board[origin], state.board[target]
    ahead = own_row(seat, target) - own_row(seat, origin)
    diagonal = ahead == 1 and origin % SIDE != target % SIDE
    home = " and goes Home from there" if own_row(seat, target) == SIDE else ""
    if not there:
        return _yes("INV-4.2", f"{token(die)} goes from {start} to the empty {end}{home}.",
                    start, end)  # fmt: skip
    if there * sign(seat) > 0:
        return _no("INV-4.2", f"{end} is taken by {seat_name(seat)}'s own {token(there)}.", end)
    if not diagonal:
        way = "straight ahead" if ahead else "beside it"
        return _no(
            "INV-5.1",
            f"{token(die)} on {start} captures diagonally forward only; "
            f"{token(there)} on {end} stands {way}.",
            start,
            end,
        )
    if abs(there) > abs(die):
        return _no(
            "INV-5.2", f"{token(die)} on {start} is too weak for {token(there)} on {end}.",
            start, end,
        )  # fmt: skip
    return _yes(
        "INV-5.1", f"{token(die)} on {start} captures {token(there)} on {end}{home}.", start, end
    )
