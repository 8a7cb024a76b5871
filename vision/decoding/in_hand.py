"""A token gone from the board for good, such as a die that came home, or in a hand that is not
seen: both look alike until some time has passed."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic

from companion.rules import Game, S
from vision.decoding.decoded import Decoded
from vision.frames import Frame

LIFTED = 5.0
"""Seconds after which a token that may be in a hand has left the board for good: few hold one out
of sight for longer. What is moved next tells it at once."""


class InHand(Generic[S]):
    """Tells whether a token that a move took off the board is rather in a hand yet. It never is
    where the pictures are not ``live``: a recording may show each move once.

    Call :meth:`begin` first with every picture.
    """

    def __init__(self, game: Game[S], live: bool) -> None:
        self._game, self._live = game, live
        self._at = 0.0
        self._before: tuple[str, float] | None = None
        self._since: tuple[str, float] | None = None

    def begin(self, frame: Frame) -> None:
        """Take the next picture."""
        self._at, self._before, self._since = frame.at, self._since, None

    def unless_lifted(self, decoded: Decoded[S], state: S) -> Decoded[S]:
        """Return ``decoded`` without its best story where that takes a token off the board by a
        move since ``state``, and the token may have been lifted to be put down elsewhere: as long
        as it has not been gone for LIFTED seconds of still pictures."""
        spot = self._either(decoded, state) if self._live else None
        if spot is None:
            return decoded
        since = self._before[1] if self._before and self._before[0] == spot else self._at
        self._since = spot, since
        return replace(decoded, best=None) if 0 <= self._at - since < LIFTED else decoded

    def _either(self, decoded: Decoded[S], state: S) -> str | None:
        """Return the spot of the one token that left the board by a move, where the rules let it
        move to another spot as well."""
        best, game = decoded.best, self._game
        if best is None or best.story.illegal or not best.story.gone:
            return None
        origin = move.origin if (move := best.story.single) else None
        stays = (
            action.target in game.expect(game.advance(state, action))
            for action in game.legal(state) if action.origin == origin
        )  # fmt: skip
        return origin if origin is not None and any(stays) else None
