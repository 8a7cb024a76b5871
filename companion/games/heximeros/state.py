"""The state of a game: immutable, hashable, one tuple of tuples and bytes."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.games.heximeros.arena import EVERYBODY, HexiMerosArena
from companion.rules import Setup

FRESH: Final = "fresh"
MOVED: Final = "moved"
NOWHERE: Final = -1


class HexiMerosTurn(NamedTuple):
    """What has happened since the Token came.

    ``stage``: nothing yet, or the one move is made and may be taken back until the Token is
    passed. ``end`` is the cell where the moved piece stands. ``hat`` is the cell of a Hatted
    Militant that may be promoted now, or of the capital that took its place while a second one
    may follow (``first`` is then its code).
    """

    stage: str = FRESH
    end: int = NOWHERE
    hat: int = NOWHERE
    first: int = 0


NEW_TURN: Final = HexiMerosTurn()


class HexiMerosTally(NamedTuple):
    """What outlasts a turn. Players and armies are numbered alike.

    ``live`` are the armies in play (bits), ``masters`` who plays each. ``captures`` are the codes
    each player took, ``promotions`` what each player's Militants became. ``outs`` are the players
    whose Sovereigns were captured, in order; ``left`` those who resigned, conceded or were
    expelled, with the word. ``points`` are the running totals (HX-6). ``checks`` are the armies
    upon whom Check stands declared (bits). ``removed`` are the codes of Sovereigns that were taken
    off without a capture. ``ending`` is the rule by which the game ended, ``winner`` the player,
    NOWHERE for a draw.
    """

    live: int = 63
    masters: tuple[int, ...] = EVERYBODY
    captures: tuple[tuple[int, ...], ...] = ((),) * 6
    promotions: tuple[tuple[int, ...], ...] = ((),) * 6
    outs: tuple[int, ...] = ()
    left: tuple[tuple[int, str], ...] = ()
    points: tuple[int, ...] = (0,) * 6
    checks: int = 0
    removed: tuple[int, ...] = ()
    ending: str = ""
    winner: int = NOWHERE

    def players(self) -> tuple[int, ...]:
        """Return the players who still have a Sovereign."""
        return tuple(p for p in EVERYBODY if any(
            self.live >> a & 1 and self.masters[a] == p for a in EVERYBODY
        ))  # fmt: skip


class HexiMerosState(NamedTuple):
    """A position and all that the rules need to know beside it.

    ``board`` is a code for each cell; ``army`` has the Token.
    """

    arena: HexiMerosArena
    board: bytes
    army: int
    turn: HexiMerosTurn
    tally: HexiMerosTally

    @property
    def setup(self) -> Setup:
        """Return the set-up that the game was begun with."""
        return self.arena.setup

    @property
    def player(self) -> int:
        """Return who plays the army that has the Token."""
        return self.tally.masters[self.army]
