"""What a board of sensors says of its spots, as the decoder asks an eye (:class:`Seen`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.rules import Game
from vision.decoding.story import face_of
from vision.tokens.eye import Seen
from vision.tokens.observe import Token


class Felt(Seen):
    """One message of a board of sensors: something lies on the ``occupied`` spots. ``tokens`` are
    those that are known to lie there: all of them where the board ``knows`` its tokens, else those
    that nobody lifted since they were known. Sensors do not err a little: an error is 0 or 1."""

    def __init__(
        self, game: Game[Any], occupied: Collection[str], tokens: Mapping[str, str], knows: bool
    ) -> None:
        self._game, self._occupied = game, occupied
        self._tokens, self._knows = tokens, knows

    def error(self, spot: str, token: Token) -> float:
        """Return 0 where ``token`` (None: nothing) may lie on ``spot``, else 1."""
        if (token is not None) != (spot in self._occupied):
            return 1.0
        known = self._tokens.get(spot)
        if token is None or (known is None and not self._knows):
            return 0.0
        return float(face_of(self._game, known) != face_of(self._game, token))

    def told_apart(self, one: str, other: str) -> bool:
        """Tell whether the board knows what lies on it."""
        return self._knows

    def learn(self, spot: str, token: str) -> None:
        """Learn nothing."""

    def bare(self, spot: str) -> None:
        """Learn nothing."""


class FeltAndSeen(Seen):
    """What a board ``felt`` together with what a camera ``saw`` of the ``looked_at`` spots. Whether
    something lies on a spot the board tells; which token it is, the camera. Light that spoils a
    spot spoils it for every token, so that only what one fits worse than another counts."""

    def __init__(
        self,
        felt: Felt,
        seen: Seen,
        looked_at: Collection[str],
        tokens: Collection[str],
    ) -> None:
        self._felt, self._seen = felt, seen
        self._looked_at, self._tokens = looked_at, tokens
        self._least: dict[str, float] = {}

    def error(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` explains what is felt and seen of ``spot``, 0 to 1."""
        error = self._felt.error(spot, token)
        if error or token is None or spot not in self._looked_at:
            return error
        if spot not in self._least:
            self._least[spot] = min(self._seen.error(spot, one) for one in self._tokens)
        return min(max(self._seen.error(spot, token) - self._least[spot], 0.0), 1.0)

    def told_apart(self, one: str, other: str) -> bool:
        """Tell whether board or camera can tell two tokens apart."""
        return self._felt.told_apart(one, other) or self._seen.told_apart(one, other)
