"""The eye for boards of men without faces: it watches, and finds its light again when it changes.

Several pictures are kept to compare with. The first of them shows the last move, or the set-up.
When a picture differs from all of them, yet stays the same for a while and every man can be made
out in it where he is believed to stand, then the light changed or the first picture was spoilt;
such a picture is kept too. The one by which the next move is read stays.
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
"""A changed area of so many square pitches is a hand: two men with their shadows cover 1.5."""
MOVES = 0.08
"""Difference of a spot from the picture just before, in logarithms of light, at a move."""
SAME = 0.05
"""Difference of a spot, in logarithms of light, below which a picture shows just what the one
before did: men of the colour of their spot differ by twice that."""
FILM = 0.3
"""Pictures less than so many seconds apart are a film, later ones single pictures."""
BLEND = 0.3
"""Weight of a new still picture in the one it is compared with."""
CALM = 0.5
"""Seconds for which nothing may move before a picture is held for another light."""
KEPT = 4
"""Pictures kept: the last of them makes room for a new one."""
CHANGED, WATCHED = 0.5, 0.25
"""Change, 1 where a man comes or goes, from which a spot has changed, or may have."""
SEVERAL = 3
"""Changed spots from which the board may have been bumped."""
MOST = 10
"""Spots that a few moves may change; more are a hand, or a light that cannot be read by."""
BUMP, SHOVED = 0.05, 0.1
"""Pitches from which a board was surely moved, and what is round it looks new."""
SWEPT = 0.6
"""Share of the spots that changed from which the board is elsewhere."""
ALIKE = 0.55
"""Presence may differ by so much in another light; where a man went it differs by more."""
SPARSE = 0.7
"""Middle presence of the men at the set-up below which none of them is there."""
MISSING = 1.1
"""Presence and visibility together below which a man is missing at the set-up."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """One picture held against ``bodies``: spots that may have changed and how many have, whether
    a hand or a lamp is in the way, and what every spot shows."""

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
        return Glimpse(self._now.changed, self._now.hand or (film and not still), hasty=film)

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
        """Return what every spot shows."""
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
        """Learn nothing: bodies were seen from every side at the set-up."""

    def bare(self, spot: str) -> None:
        """Learn nothing here: :meth:`settle` learns every bare spot."""

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
