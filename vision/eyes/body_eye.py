"""The eye for boards of men without faces: it compares pictures, and adapts when the light changes.

Several earlier pictures are kept to compare with. The first shows the last move, or the set-up. If
a picture differs from all of them but stays the same for a while, and every man can be seen in it
where he is believed to stand, then the light changed or the first picture was spoilt, and the new
one is kept, too. The one by which the next move is read stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.ground import Ground
from vision.board.raster import Floats
from vision.frames import Frame, Image
from vision.tokens.bodies import Bodies, BodyObservation
from vision.tokens.eye import Glimpse
from vision.tokens.observe import Looks
from vision.tokens.occupancy import presence, unevenness

HAND = 2.0
"""Square pitches: a changed area from which on it is a hand. Two men with their shadows cover
1.5."""
MOVES = 0.08
"""Logarithm of light by which a spot differs from the picture just before while a man is moved."""
SAME = 0.05
"""Logarithm of light below which a picture shows the same as the one before. Men of the colour of
their spot change it by twice as much."""
FILM = 0.3
"""Seconds. Pictures that follow each other faster are a film, slower ones single pictures."""
BLEND = 0.3
"""Weight (0 to 1) of a new still picture in the average that is compared with."""
CALM = 0.5
"""Seconds without motion before a change is taken for a change of light."""
KEPT = 4
"""Pictures kept; the last one makes room for a new one."""
CHANGED, WATCHED = 0.5, 0.25
"""Change of a spot (1: as when a man comes or goes) from which on it has changed, and from which on
it may have."""
SEVERAL = 3
"""Spots: if more changed, the board may have been bumped."""
MOST = 10
"""Spots that a few moves change at most. More are a hand, or a light in which nothing can be
read."""
BUMP, SHOVED = 0.05, 0.1
"""Pitches by which a board moved for certain (BUMP), and from which on its surroundings look new
(SHOVED)."""
SWEPT = 0.6
"""Share of the spots that changed, beyond which the board is elsewhere."""
ALIKE = 0.55
"""By how much the presence of something on a spot (``vision.tokens.occupancy``) may differ in
another light; where a man went it differs by more."""
SPARSE = 0.7
"""Median presence of the men at the set-up, below which none of them is there."""
MISSING = 1.1
"""Presence plus visibility of a man, below which he is missing at the set-up."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """One picture compared with the ``bodies`` of an earlier one: the spots that may have
    ``changed``, how many surely have (``moved``), whether a hand or a lamp is in the way, and what
    every spot shows."""

    changed: tuple[str, ...]
    moved: int
    hand: bool
    seen: BodyObservation
    bodies: Bodies


class BodyEye:
    """Watches one board from its first picture on. ``look`` tells the body of every token,
    ``expected`` what should stand in the first picture; ``table`` is what does, and ``faults``
    says ``empty`` of each spot whose man is missing."""

    def __init__(
        self, board: Board, camera: Camera, frame: Frame, look: Looks, expected: Mapping[str, str]
    ) -> None:
        assert frame.image is not None
        self._board, self._look_of, self._expected = board, look, expected
        self._ground = Ground(board, camera)
        self._last = self._ground.lay(frame.image)
        self._last_at = self._calm_since = frame.at
        self._image = self._still = frame.image
        self._believed, self._looked, self._same = dict(expected), self._last, False
        self._seen_by, self._shoved = camera, False
        self.table = self._standing(frame.image, self._last)
        first = Bodies(board, self._ground, look, self._last, self.table)
        self._kept, self._settled = [first], first.reference
        self.faults = dict.fromkeys(sorted(expected.keys() - self.table.keys()), "empty")
        self._now = self._compare(self._last, first, self.table)
        self._proven = False

    @property
    def camera(self) -> Camera:
        """Return where the board lies."""
        return self._ground.camera

    @property
    def wrong(self) -> frozenset[str]:
        """Return the spots where a man is missing at the set-up."""
        return frozenset(self.faults)

    def look(self, frame: Frame, table: Mapping[str, str]) -> Glimpse:
        """Compare a picture with those kept; ``table`` is what is believed to stand."""
        assert frame.image is not None
        now, at = self._ground.lay(frame.image), frame.at
        self._same = self._shows_the_same(now, table)
        if self._same:
            self._last, self._last_at, self._image = now, at, frame.image
            return Glimpse(hasty=False)
        apart = self._ground.amounts(self._ground.difference(now, self._last))
        still = float(apart.max()) < max(MOVES, 4 * float(np.median(apart)))
        # Pictures without times are single ones, too.
        film = 0 < at - self._last_at < FILM
        self._last, self._last_at, self._image, self._believed = now, at, frame.image, dict(table)
        self._looked = now
        if not still:
            self._calm_since = at
        self._now = self._best(now, table)
        far = self._followed(frame.image) if still or not film else 0.0
        if far:
            self._last = now = self._ground.lay(frame.image)
            self._now = self._best(now, table)
        # After a bump men lean another way: they are learned anew where all stand as before.
        calm = far > BUMP or (still and (not self._proven or at - self._calm_since >= CALM))
        little = far and not self._now.hand and self._now.moved <= SEVERAL
        strange = self._now.hand or self._now.moved
        if strange and not little and calm and self._made_out(now, table):
            self._kept = [*self._kept[: KEPT - 1], self._fresh(now, table)]
            self._now = self._best(now, table)
        if self._elsewhere and (still or not film):
            return Glimpse(lost=True)
        moving = film and not still
        return Glimpse(self._now.changed, self._now.hand or moving, hasty=film, moving=moving)

    def _shows_the_same(self, now: Floats, table: Mapping[str, str]) -> bool:
        """Tell whether a picture shows, in the same light, what the one looked at last did, in
        which nothing had changed."""
        quiet = not (self._now.hand or self._now.changed) and table == self._believed
        return quiet and float(self._ground.amounts(now - self._looked).max()) < SAME

    @property
    def _elsewhere(self) -> bool:
        """Tell whether the board is not where it was: a hand leaves some spots as they were."""
        return self._now.moved > SWEPT * len(self._ground.names)

    def _followed(self, image: Image) -> float:
        """Return how far the board went since the settled picture, in pitches, and follow it."""
        if not self._now.hand and len(self._now.changed) <= SEVERAL:
            return 0.0
        far = self._ground.follow(image, self._settled)
        self._shoved |= far > SHOVED
        return far

    def seek(self, camera: Camera) -> Glimpse:
        """Look at the last picture again, through ``camera``: where the board lies now."""
        keep = self.camera
        self._ground.look_through(camera)
        self._shoved, self._last = True, self._ground.lay(self._image)
        self._now = self._best(self._last, self._believed)
        if self._elsewhere:
            self._ground.look_through(keep)
            return Glimpse(lost=True)
        return Glimpse(self._now.changed, self._now.hand)

    def observe(self, spots: Iterable[str]) -> BodyObservation:
        """Return what ``spots`` show in the last picture."""
        return self._now.seen

    def settle(self, table: Mapping[str, str]) -> None:
        """Take the picture, if ``table`` stands on it, as the one to compare with."""
        if self._same and table == self.table:
            return
        seen = self._now.seen
        doubtful = [spot for spot in self._now.changed if not seen.shows(spot, table.get(spot))]
        if 2 * len(doubtful) > len(self._now.changed):
            return
        bodies, moved = self._now.bodies, table != self.table
        bodies.settle(seen.even, table, 1.0 if moved or self._shoved else BLEND, doubtful)
        self._shoved = False
        if moved:
            self._kept = [bodies]
        self._settled = self._last
        self._proven = True
        self.table, self._still, self._seen_by = dict(table), self._image, self.camera

    def learn(self, spot: str, token: str) -> None:
        """Do nothing: the bodies of all men were learned at the set-up."""

    def bare(self, spot: str) -> None:
        """Do nothing: :meth:`settle` learns all bare spots."""

    def _best(self, now: Floats, table: Mapping[str, str]) -> Comparison:
        """Compare with the kept pictures, the first ones first, until one fits."""
        best = None
        for bodies in self._kept:
            found = self._compare(now, bodies, table)
            if not found.hand and not found.changed:
                return found
            if best is None or (best.hand, len(best.changed)) > (found.hand, len(found.changed)):
                best = found
        assert best is not None
        return best

    def _compare(self, now: Floats, bodies: Bodies, table: Mapping[str, str]) -> Comparison:
        difference = self._ground.difference(now, bodies.reference)
        even = bodies.reference + difference
        seen = BodyObservation(bodies, self._ground, self._look_of, even, table)
        changed = tuple(spot for spot in self._ground.names if seen.change(spot) > WATCHED)
        moved = sum(seen.change(spot) > CHANGED for spot in changed)
        hand = moved > MOST or self._ground.largest(difference, self._shoved) > HAND
        return Comparison(changed, moved, hand, seen, bodies)

    def _made_out(self, now: Floats, table: Mapping[str, str]) -> bool:
        """Tell whether everything is where it was, as far as one picture alone can show."""
        if not self._proven:
            return self._standing(self._image, now) == table
        before = self._presence(self._still, self._seen_by, table)
        after = self._presence(self._image, self.camera, table)
        return all(abs(after[spot] - before[spot]) < ALIKE for spot in before)

    def _standing(self, image: Image, now: Floats) -> Mapping[str, str]:
        """Return which of the men expected at the set-up are there."""
        sure = self._presence(image, self.camera, self._expected)
        if np.median([sure[spot] for spot in self._expected] or [0.0]) < SPARSE:
            return {}
        bodies = self._fresh(now, self._expected)
        return {
            spot: token
            for spot, token in self._expected.items()
            if sure[spot] + bodies.visible(spot, token) >= MISSING
        }

    def _fresh(self, now: Floats, table: Mapping[str, str]) -> Bodies:
        return Bodies(self._board, self._ground, self._look_of, now, table)

    def _presence(
        self, image: Image, camera: Camera, table: Mapping[str, str]
    ) -> Mapping[str, float]:
        bare = [spot for spot in self._board.spots if spot not in table]
        return presence(self._board, unevenness(image, camera, self._board), bare)
