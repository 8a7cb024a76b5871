"""What changed on a board of tokens with faces since the last still picture, whether a hand is in
view, whether camera or board moved.

Everything is computed on a small raster seen from above, so that a frame in which nothing changed
costs a fraction of its decoding. "Difference" is in grey levels of the colour channel that differs
most; the *usual* difference is its median where nothing changed: the camera's noise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera, Points
from vision.board.drift import drift, slopes_of
from vision.board.fit import match
from vision.board.light_meter import WHITE
from vision.board.raster import Floats, edge_of, grey, in_view, raster_over, within, worst
from vision.board.refind import moved_cameras
from vision.frames import Image
from vision.light.changes import Finder, SpotLight, smooth_light, veil_light
from vision.light.hard import hard_light
from vision.light.mirrored import MirroredLamp
from vision.light.shade import hides_print, quiet, strange
from vision.tokens import patches
from vision.watching.flat import shrunk, smaller, whole_cells
from vision.watching.glance import SEVERAL, Glance, blinding, in_shade, plainer_than
from vision.watching.hands import ROUGH, all_round, large_things, outline, reaches_in, strangers
from vision.watching.last_still import LastStill
from vision.watching.spots import Spots

PER_PITCH = 8
"""Raster points a pitch: a face still covers forty of them."""
FINER, CLOSE = 1.3, 0.8
"""A camera's picture is shrunk, before it is laid on the raster, to about FINER times the raster's
resolution, so that a bump shifts the picture's own pixels little against it. The shrinking is kept
as long as that ratio stays above CLOSE."""
MARGIN = 3.5
"""Pitches (distances between neighbouring spots) watched round the board: a sleeve comes from
there, and captured pieces lie there."""
MANY = 0.25
"""Share of all spots, 0 to 1. Where more of them changed at once, the light or the place of the
camera changed, not the pieces."""
SWEPT = 0.5
"""Share of all spots that changed, beyond which the board itself must have gone elsewhere: hands
that nudge pieces between two pictures never change as many."""
LITTLE = 3.5
"""Grey levels on a good camera: a spot whose difference is below has not moved."""
STILL, SHIFTED, NEARBY = 0.015, 0.04, 0.3
"""Pitches. Up to STILL a board did not move, from SHIFTED on it is looked for; a place found within
NEARBY of the old one is the same board, not one that fits a whole square further on."""
NO_WORSE = 1.1
"""Factor on the usual difference up to which a new place of the board explains the picture as well
as the old one. A hand that lies on the board leads to worse places."""
FOUND = ((0.75, 0.1), (0.3, 0.05))
"""Two passes of the search for a board that was bumped: how far round every spot is searched, and
the greatest error of the place found, both in pitches. Tall tokens lean another way then."""
UPSET = 0.1
"""Share of all spots. If more look altogether different, a bumped board may have been found in the
wrong place."""
SAME = 0.003
"""Part by which the light may change without being evened out; one grey level is more."""
HAND = 1.6
"""Square pitches: a changed area larger than this is no piece; the largest covers 0.8."""


class Watch:
    """Holds the last still picture and where the camera was, and compares each new frame with
    them."""

    def __init__(
        self,
        board: Board,
        camera: Camera,
        image: Image,
        hand: float = HAND,
        tops: Points | None = None,
    ) -> None:
        """The tops of tall tokens are seen over the board points ``tops`` (n, 2)."""
        self._hand_size = hand * PER_PITCH**2
        self._board = board
        self._raster = whole_cells(raster_over(board, PER_PITCH, MARGIN), self._coarse)
        self._spots = Spots(self._raster, board, PER_PITCH, tops)
        outlines = (spot.outline for spot in board.spots.values())
        self._on_board = within(self._raster, outlines) > 0
        self._where = self._unlit = self._everywhere = np.ones_like(self._on_board)
        self._crept, self._shrink = np.zeros(2), 0
        self._beneath: tuple[Camera, NDArray[np.bool_], NDArray[np.bool_]] | None = None
        """Where the board lay before a hand: by what that leaves to be seen it is found askew
        beneath it, which is good for that picture alone, unless it is settled."""
        self._slopes: Floats | None
        self._seen = np.zeros_like(self._on_board)
        self._without: LastStill | None = None  # Settled before something large was.
        self._mirror = MirroredLamp(self._seen.copy(), PER_PITCH)
        self._beside: Floats | None = None
        self._small: tuple[Image, int, Image] | None = None
        self._look_through(camera)
        self._seen |= self._valid
        self._picture, small = image, self.smaller(image)  # No whole one is kept.
        self._last = LastStill(self._flat(image), (small, small), np.zeros_like(self._seen))
        self._found = np.ascontiguousarray(self._last.reference[..., 1])
        self._slopes = slopes_of(self._found, self._valid)

    def relocate(self, camera: Camera, image: Image, cleared: bool = False) -> Glance:
        """Compare ``image`` anew with ``camera`` as the place of the board, which somebody else
        found. All that lies there may be ``cleared`` away at once, as cards are."""
        before = self._camera, self._where, self._last.doubted
        self._look_through(camera)
        self._picture = image
        glance = self._with_arm_beside(self._after_bump(image))
        if not cleared and glance.usual > blinding(self._last.usual):
            glance = replace(glance, hand=True, loose=False)
        lost = glance.upset > SWEPT and not glance.hand
        self._beneath = before if glance.hand or lost else None
        self._last.usual = self._last.usual if self._beneath else glance.usual
        return replace(glance, lost=lost)

    @property
    def camera(self) -> Camera:
        """Return where the board lies in the last picture."""
        return self._camera

    def look(
        self, image: Image, lit: Collection[str] = (), known: Collection[Points] = ()
    ) -> Glance:
        """Compare ``image`` with the last still picture, and follow the board if it moved. Over
        lights under ``lit`` spots and ``known`` outlines (n, 2), in mm, nothing large is seen."""
        self._unlit = self._spots.apart_from(lit, known)
        if self._beneath is not None:
            camera, self._where, self._last.doubted = self._beneath
            self._look_through(camera)
        glance = self._followed(image)
        if self._without and (glance.lost or glance.share > MANY):
            glance = self._taken_away(image, glance, self._without)
        self._picture = image
        # What was moved back while a large thing lay there looks as it did before.
        changed = tuple(dict.fromkeys(glance.changed + self._last.since))
        return self._with_arm_beside(replace(glance, changed=changed))

    def _taken_away(self, image: Image, glance: Glance, without: LastStill) -> Glance:
        """Compare with what was settled ``without`` a large thing, if ``image`` is more like it."""
        camera, keep = self._camera, (self._where, self._last, self._crept, self._beneath)
        self._last, self._where, self._slopes = without.kept(), self._everywhere, None
        found = self._followed(image)
        if not found.lost and (glance.lost or found.share < glance.share):
            return found
        self._look_through(camera)
        self._where, self._last, self._crept, self._beneath = keep
        return glance

    def _with_arm_beside(self, glance: Glance) -> Glance:
        """Return ``glance``, with a hand where one reaches in beside a board that was shoved:
        there only whole pictures can be compared."""
        if self._where is not self._on_board or (glance.hand and not glance.loose):
            return glance
        arm = self._arm_beside(glance)
        return replace(glance, hand=glance.hand or arm, loose=glance.loose and not arm)

    def _arm_beside(self, glance: Glance) -> bool:
        """Tell whether an arm reaches in beside a board that was shoved: something that was there
        neither in the settled picture, nor in the one before, nor beside the board. An arm that was
        taken for the table leaves it in the next picture."""
        step = max(1, round(self._camera.pixels_per_mm() * self._board.pitch / ROUGH))
        small = self.smaller(self._picture), *self._last.pictures
        now, *settled = (outline(p, self._camera.size, step) for p in small)
        other = np.min([strangers(now, then) for then in settled], 0)
        columns, rows = self._raster.maps(self._camera, step)
        new = strange(glance.off, self._last.reference[..., 1])
        new &= np.asarray(cv2.remap(other, columns, rows, cv2.INTER_NEAREST)) > 0
        new &= self._valid & self._seen & ~self._on_board
        return reaches_in(new, self._rim, PER_PITCH)

    def _followed(self, image: Image) -> Glance:
        plain = self._nudged(image)
        lit = self._in_other_light(image, plain, plain.share > MANY)
        glance, usual = lit or plain, plain.usual
        many = glance.share > MANY
        # Before a second picture nobody knows how much is usual, but what surely is little.
        first, most = not self._last.usual, blinding(self._last.usual)
        if lit and not many and self._drift(lit) < SHIFTED and lit.usual <= most:
            return lit
        calm = not glance.hand and usual < most if first else usual < 1.5 * self._last.usual
        if (usual < LITTLE or not first) and not many and calm and self._drift(plain) < SHIFTED:
            self._last.usual = usual if first else 0.9 * self._last.usual + 0.1 * usual
            return glance
        camera = self._align(image)
        bumped = camera is not None and self._spots.moved(self._camera, camera) > STILL
        if camera is None:
            # A hand leaves a quarter of the spots as they were, a board elsewhere none.
            lost = not calm or (many and not glance.hand and not lit)
            return replace(glance, lost=lost, upset=0.0)
        before = self._camera, self._where, self._last.doubted
        if bumped and not self._goes_along(image, camera, usual):
            lost = not glance.hand and (many or not calm)
            return replace(glance, lost=lost, upset=0.0)
        glance = self._after_bump(image) if bumped else glance
        if bumped and (glance.hand or glance.usual > most):
            self._beneath = before
        if glance.usual > most:
            return replace(glance, hand=True, loose=False)
        if not glance.hand:
            self._last.usual = glance.usual
        if glance.upset > SWEPT:
            # Half a frame, or a table swept clean: nothing to be read move by move.
            return replace(glance, lost=not glance.hand)
        return glance

    def _nudged(self, image: Image) -> Glance:
        """Compare, and follow a camera that sagged by parts of a pixel since the last still picture
        as long as less differs then: sharp edges hide how far it did."""
        glance = self._compare(image)
        while self._drift(glance) > STILL / 3 and not glance.hand:
            keep, by = self._camera, glance.shift * self._board.pitch / PER_PITCH
            self._look_through(keep.moved(np.eye(2), by))
            nudged = self._compare(image)
            if nudged.usual >= glance.usual:
                self._look_through(keep)
                break
            self._crept, glance = self._crept + glance.shift, nudged
        return glance

    @staticmethod
    def _drift(glance: Glance) -> float:
        """Return how far a picture is shifted, in pitches."""
        return float(np.hypot(*glance.shift)) / PER_PITCH

    def _goes_along(self, image: Image, camera: Camera, usual: float) -> bool:
        """Look where the board was found, if as much is alike there: squares fit other squares, and
        one that was kicked by a whole square fits where it was. A bump shifts the picture against
        its grid, and a little is less alike."""
        keep, near = self._camera, self._spots.moved(self._camera, camera) < NEARBY
        self._look_through(self._least_upset(image, camera))
        most = max(NO_WORSE * usual if near else usual, LITTLE)
        alike = self._compare(image).usual <= most
        if not alike:
            self._look_through(keep)
        return alike

    def _after_bump(self, image: Image) -> Glance:
        """Compare through the camera's new place.

        Where the board moved on the table, what is around it looks new on all sides: until the
        next still picture only the board can then be compared. An arm comes from one side.
        """
        glance = self._in_shadow(image)
        around = strange(glance.off, self._last.reference[..., 1])
        around &= self._valid & self._seen & ~self._on_board
        if not glance.hand or not all_round(around, PER_PITCH):
            return glance
        self._where = self._on_board
        glance = self._in_shadow(image)
        new = strange(glance.off, self._last.reference[..., 1]).view(np.uint8)
        self._last.doubted = ~self._on_board & (cv2.dilate(new, np.ones((5, 5), np.uint8)) > 0)
        return glance

    def _in_shadow(self, image: Image) -> Glance:
        """Compare, with another light where that explains a hand or most of what changed."""
        glance = self._compare(image)
        return self._in_other_light(image, glance, False) or glance

    def _in_other_light(self, image: Image, glance: Glance, many: bool) -> Glance | None:
        """Compare with the light that explains a hand or most changes; None where none does."""
        best, found = glance, None
        if not glance.hand and glance.share <= SEVERAL:
            return None
        for change in (smooth_light, veil_light, hard_light):
            shaded = self._compare(image, change)
            if change is veil_light and shaded.hand:
                continue  # A hand is as bright as a veil in parts: what adds explains all.
            plainer = plainer_than(glance, shaded)
            less = (shaded.hand, shaded.share) < (best.hand, best.share)
            better = less and plainer if found else plainer or many
            if better and in_shade(glance, shaded):
                best, found = shaded, shaded.after(glance)
                if shaded.share <= SEVERAL:
                    break
        return found

    def settle(self, glance: Glance, blend: float = 0.5) -> None:
        """Take the still picture of ``glance`` as the one to compare with. Where nothing changed it
        is averaged into the old one with the weight ``blend`` (0 to 1), to reduce noise."""
        if not (glance.hand or glance.share > MANY):
            self._without = None
        else:
            self._without = self._without or self._last.kept()
            self._without.since += glance.changed
        self._last.since = ()
        self._beneath, self._mirror = None, glance.mirror or self._mirror
        off, before = glance.off, glance.reference
        if self._last.doubted.any():
            self._last.doubted &= strange(off, before[..., 1])
        mean = cv2.addWeighted(before, 1 - blend, glance.even, blend, 0)
        new = off > 3 * quiet(off[::3, ::3]) + 1
        reference = np.asarray(cv2.copyTo(glance.even, new.view(np.uint8), mean), np.float32)
        if self._where is not self._on_board:
            self._wait_beside(glance, new & ~self._on_board, reference)
        else:
            self._beside = None
        first = self._valid & ~self._seen
        cv2.copyTo(before, self._beyond, reference)
        if first.any():
            reference[first] = glance.even[first]
            self._seen |= self._valid
            self._rim = self._edge()
        self._where = self._everywhere
        if glance.bare is not None:
            self._last.covered.take_away(glance.bare)
        if glance.hand or glance.edge:
            # A hand rests, or else this picture would not be settled; fingertips may go again.
            self._last.covered.lay(new, before)
        self._last.reference = reference
        self._creep(blend * glance.shift)
        self._last.pictures = self._last.pictures[1], self.smaller(self._picture)
        self._last.evenness.settle()
        if glance.changed:
            self._slopes = None

    def _creep(self, shift: Points) -> None:
        """Follow a board or a camera that moves too little from one picture to the next to be
        noticed. What is settled goes along with it, by ``shift`` points the last time; the picture
        by which the board was ``_found`` first does not."""
        self._crept = self._crept + shift
        if np.hypot(*self._crept) < STILL * PER_PITCH:
            return
        self._crept, keep = np.zeros(2), self._camera
        camera = self._follow(self._picture, self._found, keep)
        self._look_through(camera or keep)
        if camera is not None:
            self._last.reference = self._evened(self._flat(self._picture))[0]

    def _wait_beside(self, glance: Glance, new: NDArray[np.bool_], reference: Floats) -> None:
        """Leave in ``reference`` what lies ``new`` beside the board until a second still picture
        shows it too: it may be the hand of somebody who leaves."""
        beside, self._beside = self._beside, glance.even if new.any() else None
        if self._beside is None:
            return
        if beside is not None:
            new = new & strange(worst(glance.even - beside), self._last.reference[..., 1])
        reference[new] = self._last.reference[new]

    def lights(self, glance: Glance, spots: Collection[str]) -> dict[str, SpotLight]:
        """Return how the light on ``spots`` changed since the first picture."""
        return {s: glance.light_on(self._spots.points(s), self._coarse) for s in spots}

    def relit(
        self, glance: Glance, cut: Mapping[str, Floats]
    ) -> tuple[dict[str, Floats], dict[str, patches.Span]]:
        """Return what was ``cut`` (spot -> patch, as :func:`vision.tokens.patches.cut` makes it) in
        the light of the first picture, and of some what else it may be in that."""
        finer = patches.PER_PITCH / PER_PITCH
        seen = {
            s: glance.relit(p, self._spots.middles[s], self._coarse, finer) for s, p in cut.items()
        }
        spans = {spot: span for spot, (_, span) in seen.items() if span}
        return {spot: plain for spot, (plain, _) in seen.items()}, spans

    _coarse = 8

    def _look_through(self, camera: Camera) -> None:
        self._camera, self._slopes, self._beneath = camera, None, None
        pixels = camera.pixels_per_mm() * self._board.pitch
        finer, shrink = pixels / (FINER * PER_PITCH), self._shrink
        if not CLOSE * shrink <= finer < 2 / CLOSE * shrink:
            self._shrink = shrunk(finer)
        self._valid = in_view(camera, self._raster, 1)
        self._beyond = (~self._valid).view(np.uint8)
        grid = (self._raster.width // self._coarse, self._raster.height // self._coarse)
        part = cv2.resize(self._valid.astype(np.float32), grid, interpolation=cv2.INTER_AREA)
        self._whole = np.asarray(part) > 0.99
        self._sample = np.flatnonzero(self._valid)[::7]
        self._rim = self._edge()
        columns, rows = self._raster.maps(camera, self._shrink)
        self._maps = cv2.convertMaps(columns, rows, cv2.CV_16SC2)

    def _edge(self) -> NDArray[np.bool_]:
        """Return the edge of what can be compared: there arms reach in."""
        return edge_of(self._valid & self._seen if self._seen.any() else self._valid)

    def smaller(self, image: Image) -> Image:
        """Return ``image`` shrunk as far as the raster allows; computed once for each picture."""
        if self._small is None or self._small[0] is not image or self._small[1] != self._shrink:
            self._small = image, self._shrink, smaller(image, self._shrink)
        return self._small[2]

    def _flat(self, image: Image) -> Floats:
        small = self.smaller(image)
        flat = cv2.remap(small, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.float32)

    def _compare(self, image: Image, change: Finder | None = None) -> Glance:
        """Return the glance; what a ``change`` of light may explain is taken for one."""
        flat = self._flat(image)
        now, gain = self._evened(flat)
        even, known, light = now, self._valid & self._seen, None
        bare, reference = self._last.covered.bared(even, self._last.reference)
        if change:
            white = WHITE * np.asarray(now / np.maximum(flat, 1), np.float32)
            light = change(now, reference, known, PER_PITCH, white)
            even = light.removed(now, reference, white)
        differing = light.off if light else worst(even - reference)
        off = np.asarray(cv2.blur(differing, (2, 2)), np.float32)
        bright = np.asarray(cv2.extractChannel(reference, 1), np.float32)
        spots, usual = self._spots.differences(off, bright)
        differ = spots > (most := 1.7 * usual + 0.9)
        again = self._last.covered.uncovered(bare, self._spots.discs)
        if light:
            again |= light.edges.ravel()[self._spots.discs].any(1)
        again |= self._spots.topped(off, bright, most)
        changed = self._spots.named(np.flatnonzero(differ | again))
        # Where a shadow was taken away the noise has grown with the light.
        thing = off * np.minimum(grey(light.factor), 1) if light else off
        mirror = self._mirror.now(flat, off, bright)
        large = large_things(
            thing,
            np.asarray(cv2.extractChannel(even, 1), np.float32),
            bright,
            quiet(thing.ravel()[self._sample]),
            known
            & self._where
            & self._unlit
            & ~(self._last.doubted | mirror.near | self._mirror.near),
            self._rim,
            self._spots.discs,
            self._hand_size,
        )
        hidden = False
        if light and not large.arm:
            hidden = hides_print(now, even, reference, light, known, large.at, PER_PITCH, HAND)
        hand, loose = large.arm or large.loose or hidden, not (large.arm or hidden)
        over, near = map(self._spots.named, (large.over, large.near))
        upset = float(np.mean(spots > 4 * usual + 6))
        shift = self._shift(even, bright)
        shown = even, differing, gain, reference, shift, bare, float(differ.mean())
        what = hand and loose, over, large.edge, near, large.at, False
        return Glance(changed, hand, False, *shown, upset, usual, *what, mirror, light)

    def _evened(self, flat: Floats) -> tuple[Floats, Floats]:
        """Return a picture on the raster in the light of the first one, and how strong its own
        light is on a coarse grid."""
        gain = self._last.evenness.fit(flat, self._last.reference, self._whole)
        if float(gain.max()) <= 1 + SAME and float(gain.min()) >= 1 - SAME:
            return flat, gain
        light = cv2.resize(gain, (flat.shape[1], flat.shape[0]))
        return np.asarray(cv2.divide(flat, light), np.float32), gain

    def _shift(self, even: Floats, bright: Floats) -> Points:
        """Return by how many points the whole picture shifted."""
        if self._slopes is None:
            self._slopes = slopes_of(bright, self._valid)
        return drift(self._slopes, even, bright)

    def _align(self, image: Image) -> Camera | None:
        """Find the board again after a bump; None where it is not to be found."""
        keep = self._camera
        model = np.ascontiguousarray(self._last.reference[..., 1])
        found = self._follow(image, model, keep) or next(self._found_anew(image, keep), None)
        self._look_through(keep)
        return found

    def _least_upset(self, image: Image, found: Camera) -> Camera:
        """Return ``found``, or where the whole board fits far better: cells that look alike fit
        one cell further too."""
        keep, best = self._camera, found
        self._look_through(found)
        least = self._compare(image).upset
        if least > UPSET:
            for other in self._found_anew(image, keep):
                self._look_through(other)
                upset = self._compare(image).upset
                if upset < 0.5 * least:
                    best, least = other, upset
        self._look_through(keep)
        return best

    def _found_anew(self, image: Image, camera: Camera) -> Iterator[Camera]:
        """Yield where the whole board may lie now, wherever ``camera`` saw it."""
        model = np.ascontiguousarray(self._last.reference[..., 1])
        self._look_through(camera)
        seen = np.ascontiguousarray(self._flat(image)[..., 1])
        for start in moved_cameras(model, seen, self._raster, self._board, camera):
            found = self._follow(image, model, start)
            if found is not None:
                yield found

    def _follow(self, image: Image, model: Floats, camera: Camera) -> Camera | None:
        """Refine ``camera`` to the settled picture; None where that does not fit."""
        for reach, most in FOUND:
            self._look_through(camera)
            seen = np.ascontiguousarray(self._flat(image)[..., 1])
            fit = match(model, seen, self._raster, self._board, camera, 1.0, reach, 0)
            if not (fit.share > 0.35 and fit.error < most and fit.likeness > 0.6):
                return None
            camera = fit.camera
        return camera
