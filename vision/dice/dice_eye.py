"""The eye for dice: their pips are read as such, nothing is enrolled but colours and lean."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.rules import BadInput, Board, Look
from vision.board.calibrate import Camera
from vision.dice.tabledice import DieSeen as SeenDie
from vision.dice.tabledice import FirstLook
from vision.frames import Frame, Image
from vision.tokens.eye import Glimpse, Seen, WeighingEye
from vision.tokens.observe import CLEAR, Looks, Token, out_of_sight
from vision.watching.watching import Watching

HAND = 4.0
"""Square pitches: a changed area from which on it is a hand. A die that moved covers up to two,
with its sides, its shadow and the spot it left."""
PLAIN = 0.03
"""Error below which a die is clearly read."""
SAME = 0.35
"""Pitches between tops within which two readings are of the same die."""
LEAST = 1e-5
"""Probability counted for what certainly is not so, to keep logarithms finite."""


class SeenDice(Seen):
    """What the spots of one picture show of dice. Spots ``beyond`` the picture may hold whatever
    they are believed to."""

    def __init__(
        self, seen: Mapping[str, SeenDie], look: Looks, beyond: Mapping[str, Token]
    ) -> None:
        self._seen, self._look, self._beyond = seen, look, beyond

    def error(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` explains the spot: 0 surely right, 1 surely wrong."""
        if spot in self._beyond:
            return out_of_sight(self._beyond[spot], token)
        return self._seen[spot].error(None if token is None else self._look(token))

    def told_apart(self, one: str, other: str) -> bool:
        """Tell whether two tokens can be told apart: those of different faces can."""
        return self._look(one).face != self._look(other).face


class DiceEye(Watching, WeighingEye):
    """Learns from the first picture how the dice of this table lean and are coloured.

    ``expected`` tells whose dice lie where; their values need not be right. ``tokens`` are all
    that can lie on the board. ``position`` is what the first picture shows, ``nats`` how much
    speaks against each token on each spot.

    Raises:
        BadInput: too few dice are seen clearly where they are expected.
    """

    overlooks = False

    def __init__(
        self,
        board: Board,
        camera: Camera,
        image: Image,
        look: Looks,
        expected: Mapping[str, str],
        tokens: Iterable[str],
    ) -> None:
        bodies = {spot: look(token).body for spot, token in expected.items()}
        first = FirstLook(image, camera, board, bodies)
        if (moved := first.aligned()) is not camera:
            camera, first = moved, FirstLook(image, moved, board, bodies)
        dice = first.learn()
        if dice is None:
            raise BadInput(
                "the first picture does not show the set-up: no dice are seen where they belong; "
                "set them up and look again"
            )
        tops = {spot: dice.over(spot) for spot in board.spots}
        super().__init__(board, camera, image, HAND, tops, dice.side)
        self._dice, self._look = dice, look
        self._seen: dict[str, SeenDie] = {}
        self._faces = {token: look(token) for token in tokens}
        seen = dice.read(image, camera, board.spots)
        read = {spot: dice.token(die, self._faces) for spot, die in seen.items()}
        self.position = {spot: token for spot, token in read.items() if token is not None}
        self.nats = {spot: _nats(die, self._faces) for spot, die in seen.items()}
        unlike = (s for s in board.spots if self.position.get(s) != expected.get(s))
        self.faults = dict.fromkeys(unlike, "wrong")

    def look(self, frame: Frame, table: Mapping[str, str]) -> Glimpse:
        """Compare a picture with the settled one."""
        self._seen.clear()
        return super().look(frame, table)

    def seek(self, camera: Camera) -> Glimpse:
        """Look at the last picture again, through ``camera``: where the board lies now."""
        self._seen.clear()
        return super().seek(camera)

    def _beyond(self, spots: Collection[str]) -> dict[str, Token]:
        """Return those of ``spots`` that do not lie whole in the last picture, with what is
        believed to lie there. One where a die of another player than that is plain to see is none
        of them; of the same die fewer pips may be in sight."""
        beyond = super()._beyond(spots)
        seen = self._read(beyond)
        return {s: token for s, token in beyond.items() if not self._another(seen[s], token)}

    def _another(self, die: SeenDie, believed: Token) -> bool:
        """Tell whether the ``die`` that is seen plainly belongs to another player than the one that
        is ``believed`` to lie there, if any is."""
        token = self._dice.token(die, self._faces)
        if token is None or die.error(look := self._faces[token]) > PLAIN:
            return False
        return believed is None or look.body != self._look(believed).body

    def observe(self, spots: Iterable[str]) -> SeenDice:
        """Read the dice on ``spots``; one that is hardly seen, or seems gone, may have been pushed
        aside, if none like it came elsewhere."""
        spots = set(spots)
        beyond = self._beyond(spots)
        seen = self._read(spots - beyond.keys())
        looks = {spot: self._look(self._table[spot]) for spot in seen.keys() & self._table.keys()}
        dim = sorted(s for s, look in looks.items() if seen[s].error(look) > PLAIN)
        gone = [spot for spot in dim if _gone(seen[spot], looks[spot])]
        left = Counter(self._table[spot] for spot in gone)
        came = {token: self._came(token, seen) for token in left}
        # Where as many like it came elsewhere as are gone, none was pushed aside.
        went = {spot for spot in gone if came[t := self._table[spot]] >= left[t]}
        aside = self._aside([spot for spot in dim if spot not in went])
        plain = {spot: die for spot, die in aside.items() if die.error(looks[spot]) < PLAIN}
        self._seen |= plain
        return SeenDice({**seen, **plain}, self._look, beyond)

    def _aside(self, spots: Sequence[str]) -> dict[str, SeenDie]:
        """Read dice that may lie off the middle of ``spots``, but those of spots near."""
        if not spots:
            return {}
        lights = self._watch.lights(self.glance, spots)
        found = self._dice.read(self._image, self.camera, spots, lights, aside=True)
        return {spot: die for spot, die in found.items() if not self._on_another(spot, die)}

    def _came(self, token: str, seen: Mapping[str, SeenDie]) -> int:
        """Return on how many spots that held none a die like ``token`` is ``seen``."""
        look = self._look(token)
        return sum(
            die.error(look) <= CLEAR < die.error(None) and self._table.get(spot) != token
            for spot, die in seen.items()
        )

    def _on_another(self, spot: str, die: SeenDie) -> bool:
        """Tell whether the ``die`` found beside the middle of ``spot`` is that of a spot near."""
        top, pitch = self._dice.top(spot, die), self._board.pitch
        centre = self._board[spot].centre
        near = [
            other
            for other, place in self._board.spots.items()
            if other != spot and math.dist(place.centre, centre) < 1.6 * pitch
        ]
        return any(
            other.reading.die > 0.5 and math.dist(self._dice.top(name, other), top) < SAME * pitch
            for name, other in self._read(near).items()
        )

    def _read(self, spots: Iterable[str]) -> dict[str, SeenDie]:
        """Read the dice on ``spots``, each of them once a picture."""
        some = set(spots)
        if new := sorted(some - self._seen.keys()):
            lights = self._watch.lights(self.glance, new)
            self._seen |= self._dice.read(self._image, self.camera, new, lights)
        return {spot: self._seen[spot] for spot in sorted(some)}

    def weigh(self, spots: Iterable[str]) -> dict[str, dict[Token, float]]:
        """Return how many nats speak against each token, and against none, on ``spots``."""
        return {spot: _nats(die, self._faces) for spot, die in self._read(spots).items()}

    def learn(self, spot: str, token: str) -> None:
        """Do nothing: the pips of a die say what it is."""

    def bare(self, spot: str) -> None:
        """Do nothing: nothing has to be learned of an empty spot."""


def _gone(die: SeenDie, look: Look) -> bool:
    """Tell whether a spot hardly shows a die that looks just so, or rather shows none."""
    return die.error(look) > min(CLEAR, die.error(None))


def _nats(seen: SeenDie, faces: Mapping[str, Look]) -> dict[Token, float]:
    """Return how much speaks against each token, and against a bare spot."""
    odds: dict[Token, float] = {token: seen.probability(look) for token, look in faces.items()}
    odds[None] = seen.probability(None)
    return {token: -math.log(p + LEAST) for token, p in odds.items()}
