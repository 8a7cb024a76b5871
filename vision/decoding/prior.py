"""How likely anything is to happen between two pictures, before either is looked at: one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prior:
    """What each thing costs, in nats.

    There are some hundred legal moves, and people mostly play by the rules. They seldom take back,
    but then often more than one move.
    """

    legal: float = 5.0
    """A move by the rules."""
    goes_on: float = 2.0
    """A further move of the piece that has just moved, in the same turn: there are few, and such
    pieces mostly use them."""
    untraced: float = 3.0
    """A stop, ended by another move than that, on a spot that shows no trace: one move is likelier
    than two that end in the same place."""
    spoken: float = 0.4
    """What is said and moves nothing."""
    unheard: float = 3.0
    """That a picture shows no more than something said, or that a refused move comes with it."""
    refused: float = 10.0
    """A move against the rules."""
    takeback: float = 8.0
    """The last move taken back."""
    put_back: float = 1.0
    """The last refused move put back, as players are asked to."""
    further: float = 1.0
    """Each move before it, taken back as well."""
    swapped: float = 14.0
    """Two pieces that changed places: any two may, and hardly ever do."""
    in_hand: float = 12.0
    """A token in a hand that is not seen: lifted and not yet put down."""
    kept: float = 6.0
    """A spot that somebody touched, and left as it was."""


PRIOR = Prior()
