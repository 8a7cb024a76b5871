"""The state of a game, what a move makes of it, and how the game ends."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from companion.rules import Action, Outcome, Setup, say
from companion_draughts.moves import SEATS, VARIANTS, Men, Variant, moves, owner

COLOURS = {"black": say("Black"), "white": say("White")}
OTHER = {"black": "white", "white": "black"}


class State(NamedTuple):
    """``seat`` is to move. ``quiet`` counts the moves of both since a capture or a man's move,
    ``alone`` those since a lone king holds out (DR-5.4); ``earlier`` may come again."""

    rules: str
    men: Men
    seat: str
    quiet: int = 0
    alone: int = 0
    earlier: tuple[tuple[Men, str], ...] = ()

    @property
    def variant(self) -> Variant:
        return VARIANTS[self.rules]

    @property
    def setup(self) -> Setup:
        return Setup(SEATS, {"rules": self.rules})

    @property
    def moves(self) -> Mapping[Action, Action]:
        return moves(self.men, self.seat, self.variant)

    @property
    def limit(self) -> int:
        """How many moves of each a lone king has to hold out, 0 if there is none (DR-5.4)."""
        kings = Counter(owner(token) for _, token in self.men if token.endswith("king"))
        men = Counter(owner(token) for _, token in self.men)
        lone = len(kings) == 2 and any(men[seat] == kings[seat] == 1 for seat in men)
        few = self.variant.flying and lone and len(self.men) <= 4
        return (16 if len(self.men) == 4 else 5) if few else 0


def after(state: State, move: Action) -> State:
    """Return the state after a legal move, of which ``via`` names what it takes."""
    board = dict(state.men)
    token = board.pop(move.origin)
    for spot in move.via:
        del board[spot]
    king = token.endswith("king") or state.variant.crowned(move.target, token)
    board[move.target] = f"{state.seat} {'king' if king else 'man'}"
    quiet = not move.via and token.endswith("king")
    then = state._replace(
        men=tuple(sorted(board.items())),
        seat=OTHER[state.seat],
        quiet=state.quiet + 1 if quiet else 0,
        earlier=(*state.earlier, (state.men, state.seat)) if quiet else (),
    )
    return then._replace(alone=state.alone + 1 if 0 < then.limit == state.limit else 0)


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    if not state.moves:
        reason = say("{seat} cannot move.", seat=COLOURS[state.seat])
        return Outcome((OTHER[state.seat],), "DR-5.1", reason)
    if state.earlier.count((state.men, state.seat)) >= 2:
        return Outcome((), "DR-5.2", say("The position stands for the third time: a draw."))
    if state.quiet >= 2 * state.variant.quiet:
        reason = say("{n} moves without a capture or a man's move: a draw.", n=state.quiet // 2)
        return Outcome((), "DR-5.3", reason)
    if state.alone and state.alone >= 2 * state.limit:
        reason = say("The lone king held out for {n} moves: a draw.", n=state.limit)
        return Outcome((), "DR-5.4", reason)
    return None
