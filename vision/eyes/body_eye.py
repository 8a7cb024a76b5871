"""The eye for boards of men without faces: what each spot shows by its colour, with all that men
nearer to the lens hide taken into account.

| picture                                   | glimpse                                        |
|-------------------------------------------|------------------------------------------------|
| shows what the one before did             | nothing changed                                |
| in a film, differs from the one before    | ``moving``                                     |
| something reaches over the board          | ``hand``                                       |
| it, or what no move explained, lies still | it hides what it lies ``over``                 |
| most spots do not show what is believed   | ``lost``                                       |
| else                                      | the spots that ``changed`` or may have         |
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.raster import Floats, worst
from vision.frames import Frame, Image
from vision.light.tone import Tone
from vision.tokens.arms import UNDER, Remainder, Thing
from vision.tokens.bodies import Bodies
from vision.tokens.body_sight import BodyObservation
from vision.tokens.eye import Eye, Glimpse
from vision.tokens.ground import Ground
from vision.tokens.observe import Looks
from vision.tokens.occupancy import presence, unevenness
from vision.watching.motion import FILM, PATIENCE

MOVES = 0.08
"""Logarithm of light by which a spot differs from the picture just before while a man is moved."""
SAME = 0.05
"""Logarithm of light below which a picture shows the same as the one before. Men of the colour of
their spot change it by twice as much."""
CREPT = 0.05
"""Pitches by which the board seems to have crept, from picture to picture, until it is looked for:
half a point of the raster, for less may as well be a hand that passed."""
SEVERAL = 3
"""Spots: if more changed, the board may have been bumped."""
SWEPT = 0.6
"""Share of the spots in view that do not show what is believed, beyond which the board is
elsewhere."""
SPARSE = 0.7
"""Median presence of the men at the set-up, below which none of them is there."""
POOR = 11.0
"""Nats that speak against a true story at most. Of 250 that were told of stills of two recordings
and six evenings one had more than 6, and that one 9; of hands that were taken for men three had 13
to 27, and explained 7 to 9 (November 2026). In poor light true ones have more, and explain more."""
MISSING = 1.1
"""Presence plus visibility of a man, below which he is missing at the set-up."""


class BodyEye(Eye):
    """Watches one board from its first picture on. ``look`` tells the body of every token,
    ``expected`` what should stand in the first picture; ``table`` is what of that does. ``faults``
    says ``empty`` of each spot whose man is missing and, if any is, ``wrong`` of those on which
    somebody stands who is not expected."""

    sees_all = True

    def __init__(
        self, board: Board, camera: Camera, frame: Frame, look: Looks, expected: Mapping[str, str]
    ) -> None:
        assert frame.image is not None
        self._board, self._look_of = board, look
        self._ground = Ground(board, camera)
        self._last = self._settled = self._found = self._ground.lay(frame.image)
        self._crept = np.zeros(2)
        self._last_at = self._calm_since = frame.at
        self._image, self._shoved = frame.image, False
        self._before = self._ground.kept(frame.image), camera
        self._tone = Tone(board, camera, frame.image)
        self._lit: frozenset[str] = frozenset()
        self._thing: Thing | None = None
        self._bodies, self.table, self._proven = self._begin(expected)
        self.faults = dict.fromkeys(sorted(expected.keys() - self.table.keys()), "empty")
        if self.faults:
            self.faults |= dict.fromkeys(self._strangers(expected), "wrong")
        self._seen = self._compare(self._last, self.table)

    @property
    def camera(self) -> Camera:
        """Return where the board lies."""
        return self._ground.camera

    def _strangers(self, expected: Mapping[str, str]) -> list[str]:
        """Return the spots on which somebody surely stands, though the set-up leaves them bare; of
        what men before a spot may hide nothing is said."""
        bare = [spot for spot in self._board.spots if spot not in expected]
        sure = presence(self._board, unevenness(self._image, self.camera, self._board), bare)
        return [s for s in bare if sure[s] >= 1 and self._bodies.visible(s, self.table).all()]

    def look(self, frame: Frame, table: Mapping[str, str]) -> Glimpse:
        """Compare a picture with the settled one; ``table`` is what is believed to stand."""
        assert frame.image is not None
        self._image = self._tone.evened(frame.image, frame.image)
        now, before = self._ground.lay(self._image), self._seen
        calm = before.calm and table == before.table
        same = calm and float(self._ground.amounts(now - self._last).max()) < SAME
        previous = self._last
        # Pictures without times are single ones, too.
        film = 0 < frame.at - self._last_at < FILM
        self._last, self._last_at = now, frame.at
        self._lit = frozenset(frame.lit or ()) & self._board.spots.keys()
        if same:
            # What lies over the board and was not understood lies there yet.
            return Glimpse(rests=not film or frame.at - self._calm_since >= PATIENCE)
        apart = self._ground.amounts(self._ground.difference(now, previous))
        still = float(apart.max()) < max(MOVES, 4 * float(np.median(apart)))
        if not still:
            self._calm_since = frame.at
        if self._thing and not self._thing.lies(self._ground, now):
            self._thing = None
        self._seen = self._compare(now, table)
        # Between two single pictures everything may have moved.
        readable = still or not film
        if readable:
            self._follow(self._image)
        if readable and not (self._proven or self._seen.calm):
            # The first picture may have been spoilt.
            bodies, standing, sound = self._begin(table)
            if sound and standing == table:
                # Either may have been, so what one of them shows is not new.
                bodies.recall(self._bodies.recent[-1])
                self._bodies, self._settled = bodies, self._last
                self._seen = self._compare(self._last, table)
        if self._elsewhere and readable:
            return Glimpse(lost=True)
        if not readable:
            return Glimpse(self._seen.changed, hand=True, hasty=True, moving=True)
        rests = still and (not film or frame.at - self._calm_since >= PATIENCE)
        # In a single picture men may have moved, but not what lies where it lay.
        rest = self._seen.lasting(before) if rests or not film else None
        if rest and (rest.solid or self._seen.covered):
            self._thing = Thing(rest, now, self._settled, self._thing)
            self._seen = self._compare(now, table)
        changed, faint = self._seen.changed, self._seen.shaded
        if self._seen.covered:
            return Glimpse(changed, hand=True, hasty=film)
        over = tuple(sorted(self._seen.under))
        return Glimpse(changed, hasty=film, over=over, rests=rest is not None, faint=faint)

    def seek(self, camera: Camera) -> Glimpse:
        """Look at the last picture again, through ``camera``: where the board lies now."""
        keep, before = self.camera, self._last
        self._ground.look_through(camera)
        self._last, self._shoved = self._ground.lay(self._image), True
        self._seen = self._compare(self._last, self._seen.table)
        if self._elsewhere:
            self._ground.look_through(keep)
            self._last = before
            return Glimpse(lost=True)
        self._look_round()
        return Glimpse(self._seen.changed, bool(self._seen.covered))

    @property
    def _elsewhere(self) -> bool:
        """Tell whether the board is not where it was: a hand leaves some spots as they were."""
        seen = len(self._ground.names) - len(self._seen.hidden)
        return len(self._seen.changed) > SWEPT * seen

    def _follow(self, image: Image) -> None:
        """Look where the board is now, if much looks different, and follow it if most of that then
        looks as before: what lies over a board does not move it."""
        seen, keep = self._seen, self.camera
        if not seen.covered and len(seen.unlike) <= SEVERAL:
            return
        for camera in self._ground.follow(image, self._settled):
            self._ground.look_through(camera)
            last = self._ground.lay(image)
            found = self._compare(last, seen.table)
            fewer = 2 * len(found.unlike) <= len(seen.unlike)
            if fewer or 2 * len(found.changed) < len(seen.changed):
                self._last = last
                self._look_round()
                return
        self._ground.look_through(keep)

    def _look_round(self) -> None:
        """Compare what lies round the board, which was found elsewhere, with what a camera that
        stayed where it was saw there before, if it seems to have stayed: less is new then."""
        ground, bodies = self._ground, self._bodies
        table, shows = ground.table(*self._before, ground.on_board | bodies.men_on(self.table))
        there = shows & ~ground.on_board
        here = np.where(ground.on_board[..., None], self._settled, table)
        offs = (worst(ground.beside(self._last, p))[there] for p in (self._settled, here))
        went, stayed = (float(off.sum()) for off in offs)
        if stayed < went:
            bodies.look_round(here, shows)
        self._shoved = True
        self._seen = self._compare(self._last, self._seen.table)

    def _creep(self) -> None:
        """Follow a camera that sags, too little from one picture to the next to be noticed. What is
        settled goes along with it; the picture by which the board was ``_found`` last does not."""
        self._crept = self._crept + self._seen.shift()
        if np.hypot(*self._crept) < CREPT:
            return
        self._crept = np.zeros(2)
        if camera := next(self._ground.follow(self._image, self._found), None):
            self._ground.look_through(camera)
            self._last = self._found = self._ground.lay(self._image)
            self._seen = self._compare(self._last, self._seen.table)

    def unexplained(self, moved: Collection[str], refused: bool) -> Remainder | None:
        """Return what lies over the board besides the men who came to the spots ``moved``, or left
        them, if anything does; the rules may have ``refused`` their move."""
        return self._seen.unexplained(moved, refused)

    @property
    def poor(self) -> float:
        """Return the nats that speak against a true story at most: any number where the board was
        moved just now, and every man with it, or where more changed than a hand covers."""
        return math.inf if self._shoved or len(self._seen.changed) > UNDER else POOR

    def other_ends(self, changed: frozenset[str], again: bool = False) -> frozenset[str]:
        """Return the spots that may be the other ends of moves seen at the ``changed`` ones."""
        return self._seen.other_ends(changed, again)

    def unsure(self) -> frozenset[str]:
        """Return the spots that may show another than is believed."""
        return self._seen.unsure()

    def completed(self, changed: frozenset[str], spots: frozenset[str]) -> frozenset[str]:
        """Return ``changed`` spots, or else those of ``spots`` that plainly show another than is
        believed, with all of which nothing is seen but, perhaps, somebody who came before them."""
        changed = changed or self._seen.surely() & spots
        return changed.union(self._seen.veiled, self._seen.under) if changed else changed

    def observe(self, spots: Iterable[str]) -> BodyObservation:
        """Return what ``spots`` show in the last picture."""
        return self._seen

    def settle(self, table: Mapping[str, str]) -> None:
        """Take the picture, if ``table`` stands on it, as the one to compare with."""
        if self._seen.calm and table == self.table and not self._shoved:
            return
        self._creep()
        if self._seen.settle(table):
            self._proven, self._shoved = True, False
            self._before = self._ground.kept(self._image), self.camera
            self._settled, self.table = self._last, dict(table)
            self._tone.settle(self.camera, self._image)

    def learn(self, spot: str, token: str) -> None:
        """Learn what ``token`` looks like on ``spot``."""
        self._seen.learn(spot, token)

    def bare(self, spot: str) -> None:
        """Learn what the bare ``spot`` looks like."""
        self._seen.learn(spot, None)

    def _compare(self, now: Floats, table: Mapping[str, str]) -> BodyObservation:
        return BodyObservation(self._bodies, self._ground, now, table, self._lit, self._thing)

    def _begin(self, expected: Mapping[str, str]) -> tuple[Bodies, Mapping[str, str], bool]:
        """Learn what the last picture shows; return also which of the men ``expected`` are there,
        and whether they surely are, and nobody else."""
        board, ground = self._board, self._ground
        bare = [spot for spot in board.spots if spot not in expected]
        sure = presence(board, unevenness(self._image, self.camera, board), bare)
        if np.median([sure[spot] for spot in expected] or [0.0]) < SPARSE:
            return Bodies(board, ground, self._look_of, self._last, {}), {}, False
        bodies = Bodies(board, ground, self._look_of, self._last, expected)
        shown = {spot: bodies.shown(spot, token) for spot, token in expected.items()}
        standing = {s: t for s, t in expected.items() if sure[s] + shown[s] >= MISSING}
        if standing != expected:
            return Bodies(board, ground, self._look_of, self._last, standing), standing, False
        alone = max((sure[spot] for spot in bare), default=0.0) < SPARSE
        return bodies, standing, alone and not bodies.missing(expected)
