"""What a camera sees: the effect of an action on the table, and positions that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import MappingProxyType

from companion.games.invictus.geometry import (
    FIRST_SPACES,
    INDEX,
    SEATS,
    SIDE,
    SPOTS,
    own_row,
    sign,
    token,
)
from companion.games.invictus.judge import seat_name
from companion.games.invictus.state import InvictusState
from companion.rules import Action, Effect, Position, Problem, say


@lru_cache(maxsize=64)
def dice_on(board: tuple[int, ...]) -> Position:
    """Return spot -> die of a board."""
    return MappingProxyType({SPOTS[index]: token(die) for index, die in enumerate(board) if die})


def effect(state: InvictusState, action: Action) -> Effect:
    """Return what ``action``, legal or not, does to the table.

    A die that reaches its last row by a lawful step leaves the board; after an unlawful one it
    stands where it was put, and what stood there is knocked off.
    """
    if action.verb == "place":
        return _effect_of_return(state, action)
    origin, target = INDEX.get(str(action.origin)), INDEX.get(str(action.target))
    if action.verb != "move" or origin is None or target is None or not state.board[origin]:
        return Effect(SEATS[state.turn], None)
    die, there = state.board[origin], state.board[target]
    seat, piece = int(die < 0), token(die)
    arrives = _fits(state, origin, target) and own_row(seat, target) == SIDE
    changes = {SPOTS[origin]: None, SPOTS[target]: None if arrives else piece}
    return Effect(
        SEATS[seat],
        piece,
        captures=(token(there),) if there and origin != target else (),
        changes=MappingProxyType(changes if origin != target else {}),
        scored=abs(die) if arrives else None,
    )


def _fits(state: InvictusState, origin: int, target: int) -> bool:
    """Tell whether the step is lawful for the die's owner, whoever's turn it is."""
    die, there = state.board[origin], state.board[target]
    ahead = own_row(int(die < 0), target) - own_row(int(die < 0), origin)
    across = abs(target % SIDE - origin % SIDE)
    if ahead != 1 or across > 1:
        return False
    return not there or (there * die < 0 and across == 1 and abs(there) <= abs(die))


def _effect_of_return(state: InvictusState, action: Action) -> Effect:
    """Return the effect of putting back a die; ``detail`` may say that it shows another value."""
    seat = SEATS[state.turn]
    spot = str(action.target)
    if not state.pending or spot not in INDEX:
        return Effect(seat, None)
    shown = action.detail if action.detail in tuple("123456") else str(state.pending)
    piece = f"{seat} {shown}"
    return Effect(
        seat,
        piece,
        changes=MappingProxyType({spot: piece}),
        returned=(spot, int(shown)),
    )


def check(state: InvictusState) -> tuple[Problem, ...]:
    """Return why the position cannot be: as a set-up before the first action, else as a game."""
    test: Callable[[InvictusState, int], Iterator[Problem]] = (
        _check_play if state.begun else _check_setup
    )
    order = () if state.begun else tuple(_check_order(state))
    return (*order, *test(state, 0), *test(state, 1))


def _check_order(state: InvictusState) -> Iterator[Problem]:
    """White sets up having seen Black's dice, unless both arrange behind a screen (INV-3.3)."""
    early = max(state.board) <= 0 and min(state.board) < 0
    if early and state.setup["hidden_setup"] == "no":
        yield Problem("INV-3.3", say("Black sets up first; White waits until Black's dice stand."))


def _check_setup(state: InvictusState, seat: int) -> Iterator[Problem]:
    name, mine = seat_name(seat), sign(seat)
    stands = [index for index, die in enumerate(state.board) if die * mine > 0]
    allowed = FIRST_SPACES[seat]
    if empty := [index for index in allowed if state.board[index] * mine <= 0]:
        spots = _spots(empty)
        yield Problem(
            "INV-3.2",
            say("{who}'s rows 2 and 3 are not full: {spots}.", who=name, spots=spots),
            spots,
        )
    if astray := [index for index in stands if index not in allowed]:
        spots = _spots(astray)
        yield Problem(
            "INV-3.4",
            say(
                "{who} sets up on his rows 2 and 3 only, not on {spots}.",
                who=name,
                spots=spots,
            ),
            spots,
        )
    for value in range(1, 7):
        showing = [index for index in stands if abs(state.board[index]) == value]
        if len(showing) > 3:
            spots = _spots(showing)
            yield Problem(
                "INV-3.1",
                say(
                    "{who} shows {value} on {count} dice, not on three: {spots}.",
                    who=name,
                    value=value,
                    count=len(showing),
                    spots=spots,
                ),
                spots,
            )


def _check_play(state: InvictusState, seat: int) -> Iterator[Problem]:
    """Check what stays true all through a game: values only fall, and nobody stands at home."""
    name, mine = seat_name(seat), sign(seat)
    stands = {index: die * mine for index, die in enumerate(state.board) if die * mine > 0}
    if home := [index for index in stands if own_row(seat, index) == SIDE]:
        spots = _spots(home)
        yield Problem(
            "INV-4.4",
            say(
                "{who}'s dice on {spots} have arrived and go Home.",
                who=name,
                spots=spots,
            ),
            spots,
        )
    waiting = (state.pending,) if state.pending and seat == state.turn else ()
    values = (*stands.values(), *state.home[seat], *waiting)
    for least in range(6, 0, -1):
        most, count = 3 * (7 - least), sum(value >= least for value in values)
        if count > most:
            what = say("dice of {least} or more", least=least) if least > 1 else say("dice")
            yield Problem(
                "INV-3.1",
                say(
                    "{who} cannot have {count} {what}: there never are more than {most}.",
                    who=name,
                    count=count,
                    what=what,
                    most=most,
                ),
                _spots(index for index, value in stands.items() if value >= least),
            )
            return


def _spots(indices: Iterable[int]) -> tuple[str, ...]:
    return tuple(SPOTS[index] for index in indices)
