"""The state of a game, which actions there are, what they make of it, and how the game ends."""

from functools import lru_cache
from typing import NamedTuple

from companion.rules import Action, Outcome, Setup, say
from companion_morris.geometry import MILLS, NEXT, POINTS, SEATS, STOCK

COLOURS = {"white": say("White"), "black": say("Black")}
OTHER = {"white": "black", "black": "white"}
QUIET = 50
"""After so many moves of each without a mill the game is a draw (NM-5.4)."""


class State(NamedTuple):
    """``men`` are all spots with a man, and whose it is, in order; ``seat`` is to move, and if it
    ``takes``, it has closed a mill. ``quiet`` counts the moves of both since the last mill;
    ``earlier`` are the positions since then."""

    flying: str
    men: tuple[tuple[str, str], ...]
    seat: str = "white"
    takes: bool = False
    quiet: int = 0
    earlier: tuple[tuple[object, ...], ...] = ()

    @property
    def setup(self) -> Setup:
        return Setup(SEATS, {"flying": self.flying})

    @property
    def position(self) -> tuple[object, ...]:
        """What makes two positions the same: the men on the points and whose turn it is."""
        return self.seat, *((spot, man) for spot, man in self.men if spot in NEXT)

    def left(self, seat: str) -> int:
        """Return how many men ``seat`` still has, on the points and to be placed."""
        return sum(man == seat and spot not in STOCK[OTHER[seat]] for spot, man in self.men)

    def mill(self, spot: str) -> tuple[str, ...]:
        """Return the first mill that the man on ``spot`` stands in, empty for none."""
        board = dict(self.men)
        return next((m for m in MILLS if spot in m and len({board.get(p) for p in m}) == 1), ())


@lru_cache(maxsize=4096)
def actions(state: State) -> tuple[Action, ...]:
    """Return every legal action, whether or not the game is over."""
    board = dict(state.men)
    free = [point for point in POINTS if point not in board]
    stock = [spot for spot in STOCK[state.seat] if board.get(spot) == state.seat]
    if state.takes:
        theirs = [point for point in POINTS if board.get(point) == OTHER[state.seat]]
        open_ = [point for point in theirs if not state.mill(point)]
        places = [spot for spot in STOCK[state.seat] if spot not in board]
        pairs = [(man, place) for man in open_ or theirs for place in places]
    elif stock:
        pairs = [(man, point) for man in stock for point in free]
    else:
        mine = [point for point in POINTS if board.get(point) == state.seat]
        far = flies(state)
        pairs = [(man, to) for man in mine for to in free if far or to in NEXT[man]]
    return tuple(Action("move", *pair) for pair in pairs)


def flies(state: State) -> bool:
    """Tell whether the seat to move is down to three men and may go to any point (NM-3.2)."""
    return state.flying == "yes" and state.left(state.seat) == 3


def after(state: State, action: Action) -> State:
    """Return the state after a legal action."""
    board = dict(state.men)
    board[str(action.target)] = board.pop(str(action.origin))
    moved = state._replace(men=tuple(sorted(board.items())), takes=not state.takes)
    if not state.takes and moved.mill(str(action.target)) and actions(moved):
        return moved
    placed = action.origin in STOCK[state.seat]
    return moved._replace(
        seat=OTHER[state.seat],
        takes=False,
        quiet=0 if state.takes or placed else state.quiet + 1,
        earlier=() if state.takes or placed else (*state.earlier, state.position),
    )


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    if state.left(state.seat) < 3:
        reason = say("{seat} has two men left.", seat=COLOURS[state.seat])
        return Outcome((OTHER[state.seat],), "NM-5.1", reason)
    if not actions(state):
        return Outcome(
            (OTHER[state.seat],), "NM-5.2", say("{seat} cannot move.", seat=COLOURS[state.seat])
        )
    if state.earlier.count(state.position) >= 2:
        return Outcome((), "NM-5.3", say("The position stands for the third time: a draw."))
    if state.quiet >= 2 * QUIET:
        return Outcome((), "NM-5.4", say("{n} moves without a mill: a draw.", n=QUIET))
    return None
