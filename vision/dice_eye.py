"""The eye for dice: their pips are read as such, nothing is enrolled but colours and lean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from companion.rules import BadInput, Board, Look
from vision.calibrate import Camera
from vision.frames import Image
from vision.freesetup import LIMIT
from vision.observe import CLEAR, Looks, Token
from vision.tabledice import Seen as SeenDie
from vision.tabledice import learn_dice
from vision.watching import Watching

HAND = 4.0
"""A changed area of so many square pitches is a hand: a die that moved covers, with its sides,
its shadow and the spot it left, up to two."""


class SeenDice:
    """What the spots of one picture show of dice."""

    def __init__(self, seen: Mapping[str, SeenDie], look: Looks) -> None:
        self._seen, self._look = seen, look

    def error(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` explains the spot: 0 surely right, 1 surely wrong."""
        return self._seen[spot].error(None if token is None else self._look(token))

    def shows(self, spot: str, token: Token) -> bool:
        """Tell whether the spot may show ``token``."""
        return self.error(spot, token) <= CLEAR

    def known(self, token: str) -> bool:
        """Every face of a die is known."""
        return True


class DiceEye(Watching):
    """Learns from the first picture how the dice of this table lean and are coloured.

    ``expected`` tells whose dice lie where; their values need not be right. ``tokens`` are all
    that can lie on the board. ``position`` is what the first picture shows, ``rivals`` what else it
    may show.

    Raises:
        BadInput: too few dice are seen clearly where they are expected.
    """

    def __init__(
        self,
        board: Board,
        camera: Camera,
        image: Image,
        look: Looks,
        expected: Mapping[str, str],
        tokens: Iterable[str],
    ) -> None:
        dice = learn_dice(image, camera, board, {s: look(t).body for s, t in expected.items()})
        if dice is None:
            raise BadInput(
                "the first picture does not show the set-up: no dice are seen where they belong; "
                "set them up and look again"
            )
        super().__init__(board, camera, image, HAND)
        self._dice, self._look = dice, look
        faces = {token: look(token) for token in tokens}
        seen = dice.read(image, camera, board.spots)
        read = {spot: dice.token(die, faces) for spot, die in seen.items()}
        self.position = {spot: token for spot, token in read.items() if token is not None}
        self.rivals = {spot: _rivals(die, faces, read[spot]) for spot, die in seen.items()}
        self.wrong = frozenset(
            spot for spot in board.spots if self.position.get(spot) != expected.get(spot)
        )

    def observe(self, spots: Iterable[str]) -> SeenDice:
        """Read the dice on ``spots``."""
        gains = self._watch.gains(self.glance)
        seen = self._dice.read(self._image, self.camera, sorted(spots), gains)
        return SeenDice(seen, self._look)

    def learn(self, spot: str, token: str) -> None:
        """Nothing is to be learned of a die: its pips say what it is."""

    def bare(self, spot: str) -> None:
        """Nothing is to be learned of an empty spot."""


def _rivals(
    seen: SeenDie, faces: Mapping[str, Look], read: Token
) -> tuple[tuple[Token, float], ...]:
    """Return what else ``seen`` may be, likeliest first, and how many nats each is behind."""
    odds: dict[Token, float] = {token: seen.probability(look) for token, look in faces.items()}
    odds[None] = seen.probability(None)
    behind = {
        token: math.log((odds[read] + 1e-9) / (p + 1e-9))
        for token, p in odds.items()
        if token != read
    }
    near = [(token, max(0.0, nats)) for token, nats in behind.items() if nats < LIMIT]
    return tuple(sorted(near, key=lambda pair: pair[1]))
