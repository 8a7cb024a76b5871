"""The eye for tokens with faces: the set-up shows every face, later ones are learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.raster import Floats
from vision.board.viewpoint import leaning
from vision.frames import Image
from vision.light.changes import without
from vision.tokens.album import Album, album_of, level_of
from vision.tokens.appearance import PLAINLY, Appearances, flat_field
from vision.tokens.eye import Eye
from vision.tokens.faces import JITTER, Face, FaceLikeness, Shift, coarse, fine, view
from vision.tokens.observe import CLEAR, UNKNOWN, Looks, Observation, fit_both
from vision.tokens.patches import PER_PITCH, cut, soften
from vision.tokens.veiled import first_veil
from vision.watching.watching import Watching

LIKELY = 4
"""Faces that fit a token best in the coarse comparison and are then fitted exactly."""
UNLIKE = 0.1
"""Share of the set-up that may look like no known face; beyond it the known faces are too poor to
say that a token is wrong."""
COMPARED = 2
"""Tokens of each face that are compared with their own, where that may have been learned badly."""
THICK = 0.1
"""Pitches: the greatest height of flat tokens; higher ones hide the print behind them."""


class FaceEye(Watching, Eye):
    """Learns the faces of the tokens that are ``expected`` in the first picture, and recognises
    them from then on.

    ``album`` holds faces of an earlier game at this table: by them wrong or turned tokens of the
    set-up are found, and tokens that come into play later. ``other_side`` returns what a token
    shows when it is turned over.
    """

    def __init__(
        self,
        board: Board,
        camera: Camera,
        image: Image,
        look: Looks,
        expected: Mapping[str, str],
        album: Album | None = None,
        other_side: Callable[[str], str] = str,
    ) -> None:
        super().__init__(board, camera, image)
        self._look, self._other_side = look, other_side
        patches = self._cut(image, camera, board.spots)
        self._field = flat_field(board, patches, expected)
        even = {spot: patch / self._field[spot] for spot, patch in patches.items()}
        self._veil = first_veil(board, patches, even, expected)
        if self._veil:
            seen = {spot: self._unveiled(spot, patch) for spot, patch in patches.items()}
            self._field = flat_field(board, seen, expected)
            even = {spot: patch / self._field[spot] for spot, patch in seen.items()}
        patches = even
        self._appearances = Appearances(board, patches, expected, _leans(board, camera))
        prints = self._appearances.prints
        self._bare = {spot: print_ for spot, print_ in prints.items() if spot not in expected}
        self._shown = self._best_shown(patches, expected)
        self._appearances.enrol({spot: look(expected[spot]) for spot in self._shown}, patches)
        if self._appearances.edged:
            self._learn_from_others(patches, expected)
        missing = self._appearances.missing(patches, expected)
        self.faults: dict[str, str] = dict.fromkeys(sorted(missing), "empty")
        self._album_fits = False
        if album is not None:
            self._compare(album, patches, expected)
        for spot in self.faults:
            if spot in self._shown:
                self._appearances.faces.pop(look(expected[spot]).face, None)
        if album is not None:
            self._take_over(album)
        self._seen: Observation | None = None

    @property
    def faces(self) -> int:
        """Return how many faces are known."""
        return len(self._appearances.faces)

    def album(self, game: str) -> Album:
        """Return the faces, to be kept for the next game."""
        return album_of(game, self._appearances)

    def told_apart(self, table: Mapping[str, str]) -> float:
        """Return which share of the tokens in the first picture look most like another token of
        their own face, out of those that have one. Carved men, seen from above, look more like
        another kind nearby. All do where an album's faces fit; 0 where none does and no two
        tokens have the same face."""
        if self._album_fits:
            return 1.0
        like: dict[str, list[str]] = {}
        for spot, token in table.items():
            if spot not in self.faults:
                like.setdefault(self._look(token).face, []).append(spot)
        others = {face: [s for s in on if s not in self._shown] for face, on in like.items()}
        asked = {spot: face for face, on in others.items() for spot in on}
        asked = {spot: face for spot, face in asked.items() if face in self._appearances.faces}
        right = [
            self._own(self._even(spot, patch), spot, asked[spot])
            for spot, patch in self._cut(self._image, self.camera, asked).items()
        ]
        return float(np.mean(right)) if right else 0.0

    def _own(self, patch: Floats, spot: str, own: str) -> bool:
        """Tell whether the face ``own`` fits ``patch`` best: better than other faces, of which
        the same way up is tried, and than the bare ``spot``."""
        seen, known, unit = view(patch), self._appearances, self._appearances.unit
        rough: dict[str, tuple[float, Shift, float]] = {}
        for name, face in known.faces.items():
            fits, shifts = coarse(seen, *face.turned(0.0), unit)
            best = int(fits.argmin())
            x, y = (float(value) for value in shifts[best])
            rough[name] = float(fits[best]), (x, y), JITTER[best]
        likely = {own, *sorted(rough, key=lambda name: rough[name][0])[:LIKELY]}
        errors = {n: fine(patch, known.faces[n], *rough[n][1:], unit).error for n in likely}
        return errors[own] == min(*errors.values(), known.strange(spot, patch))

    def strangers(self) -> frozenset[str]:
        """Return the spots that should be bare and did not look so in the first picture, provided
        that tokens were missing elsewhere. They are compared with the print of similar spots from
        then on."""
        if not self.faults:
            return frozenset()
        found = frozenset(
            spot
            for spot, patch in self._bare.items()
            if self._appearances.strange(spot, patch) > UNKNOWN
        )
        for spot in found:
            self._appearances.bare(spot, self._appearances.usual(spot))
        return found

    def observe(self, spots: Iterable[str]) -> Observation:
        """Compare the known faces with ``spots``, each in the light of the first picture."""
        spots = sorted(spots)
        beyond = self._beyond(spots)
        shown = [spot for spot in spots if spot not in beyond]
        cut = self._cut(self._image, self.camera, shown)
        relit, spans = self._watch.relit(self.glance, cut)
        patches = {spot: self._even(spot, patch) for spot, patch in relit.items()}
        known = self._appearances
        ends = known.lights(patches) if patches else {}
        ends |= {s: span.seen_by(partial(self._even, s)) for s, span in spans.items()}
        self._seen = Observation(patches, ends, known, self._look, self._other_side, beyond)
        return self._seen

    def _even(self, spot: str, patch: Floats) -> Floats:
        """Return a ``patch``, in the light of the first picture, in the mean light of that."""
        return np.asarray(self._unveiled(spot, patch) / self._field[spot], np.float32)

    def _unveiled(self, spot: str, patch: Floats) -> Floats:
        """Return a ``patch`` without the veil that lay over ``spot`` from the first picture on."""
        return without(patch, self._veil[spot]) if spot in self._veil else patch

    def learn(self, spot: str, token: str) -> None:
        """Take what lies on ``spot``, if it was observed, for ``token``: learn its face if it was
        never seen. A face learned after the set-up is checked against it, and learned anew once
        more pictures speak against it than for it."""
        if self._seen is None or spot not in self._seen.patches:
            return
        known, look = self._appearances, self._look(token)
        if look.face in known.faces:
            error = self._seen.fit(spot, look.face)
            if look.face not in known.late or error is None:
                return
            known.late[look.face] += 1 if error <= PLAINLY else -1
            if known.late[look.face] >= 0:
                return
        known.enrol_late(look, spot, self._seen.patches[spot])
        self._seen.forget(look.face)

    def settle(self, table: Mapping[str, str]) -> None:
        """Take the last picture, on which ``table`` lies, as the one to compare with."""
        super().settle(table)
        self._seen = None

    def bare(self, spot: str) -> None:
        """Learn the print of ``spot``, if it was observed."""
        if self._seen is not None and spot in self._seen.patches:
            self._appearances.bare(spot, self._seen.likest(spot, self._appearances.prints[spot]))

    def _best_shown(
        self, patches: Mapping[str, Floats], expected: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Return a spot that shows each face well: like most of those on which it stands out from
        the print, for on a spot of its own colour a token has no outline, and where it stands out
        most something else may lie over it."""
        like: dict[str, list[str]] = {}
        for spot, token in expected.items():
            like.setdefault(self._look(token).face, []).append(spot)
        shown = []
        for on in like.values():
            if len(on) > 1:
                out = {spot: self._appearances.strange(spot, patches[spot]) for spot in on}
                most = max(out.values())
                plain = sorted((s for s in on if 2 * out[s] >= most), key=lambda s: out[s])
                on = [plain[len(plain) // 2]]
            shown.append(on[0])
        return tuple(shown)

    def _learn_from_others(
        self, patches: Mapping[str, Floats], expected: Mapping[str, str]
    ) -> None:
        """Learn faces that do not fit other tokens like theirs from whichever of these fits the
        others best."""
        known = self._appearances
        for first in self._shown:
            name = self._look(expected[first]).face
            like = [s for s, token in expected.items() if self._look(token).face == name]
            some = [first, *[spot for spot in like if spot != first][:COMPARED]]
            best, least = first, self._misfit(name, first, some, patches)
            if least <= CLEAR / 4:
                continue
            for spot in some[1:]:
                known.learn_anew(self._look(expected[spot]), spot, patches[spot])
                if (error := self._misfit(name, spot, some, patches)) < least:
                    best, least = spot, error
            known.learn_anew(self._look(expected[best]), best, patches[best])

    def _misfit(
        self, face: str, own: str, spots: Sequence[str], patches: Mapping[str, Floats]
    ) -> float:
        """Return the greatest error of ``face`` on those of ``spots`` that are not its ``own``."""
        known, others = self._appearances, (spot for spot in spots if spot != own)
        errors = (_error(patches[spot], known.faces[face], known.unit) for spot in others)
        return max(errors, default=0.0)

    def _compare(
        self, album: Album, patches: Mapping[str, Floats], expected: Mapping[str, str]
    ) -> None:
        """Find tokens that stand where others belong, or the wrong way round. An album that fits
        hardly any token is of other pieces and says nothing."""
        known, unit = album.in_light(level_of(self._appearances)), self._appearances.unit
        asked = {
            spot: self._look(token)
            for spot, token in expected.items()
            if spot not in self.faults and self._look(token).face in known
        }
        fits = {spot: _fit(patches[spot], known[k.face], unit) for spot, k in asked.items()}
        best = {spot: min(fit.error for fit in both.values()) for spot, both in fits.items()}
        usual = float(np.median(list(best.values()) or [np.inf]))
        self._album_fits = usual <= CLEAR
        if not self._album_fits:
            return
        for spot, wanted in asked.items():
            if wanted.turn is not None and best[spot] < CLEAR:
                turn = (wanted.turn - album.turns[wanted.face]) % 360.0
                right = 0.0 if turn < 90 or turn > 270 else 180.0
                if fits[spot][right].error > 3 * fits[spot][180.0 - right].error + usual:
                    self.faults[spot] = "turned"
        faces = {spot: self._look(token).face for spot, token in expected.items()}
        shown = {
            spot: self._shown_instead(patches[spot], faces[spot], best[spot], known)
            for spot in asked
            if best[spot] > CLEAR
        }
        unlike = [spot for spot, others in shown.items() if not others]
        if len(unlike) > UNLIKE * len(asked):
            return
        away = {face for spot, face in faces.items() if best.get(spot, 1.0) > CLEAR}
        # A face that stands wherever it belongs is no token elsewhere: it was learned from a poor
        # picture, and fits many.
        settled = {*faces.values()} - away
        wrong = (spot for spot, others in shown.items() if not others <= settled)
        self.faults.update(dict.fromkeys(wrong, "wrong"))

    def _shown_instead(
        self, patch: Floats, own: str, error: float, known: Mapping[str, Face]
    ) -> frozenset[str]:
        """Return those of the ``known`` faces that ``patch`` plainly shows, where the face ``own``
        leaves ``error``."""
        most, unit = min(CLEAR, 0.5 * error), self._appearances.unit
        others = (name for name in known if name != own)
        return frozenset(name for name in others if _error(patch, known[name], unit) < most)

    def _take_over(self, album: Album) -> None:
        """Know the album's faces that this picture did not show."""
        if not self._album_fits:
            return
        for name, face in album.in_light(level_of(self._appearances)).items():
            if name not in self._appearances.faces:
                self._appearances.faces[name] = face
                self._appearances.turns[name] = album.turns[name]
                self._appearances.late[name] = 0

    def _cut(self, image: Image, camera: Camera, spots: Iterable[str]) -> dict[str, Floats]:
        names = list(spots)
        centres = [self._board[spot].centre for spot in names]
        taken = soften(cut(image, camera, self._board.pitch, centres))
        return dict(zip(names, taken, strict=True))


def _leans(board: Board, camera: Camera) -> dict[str, tuple[float, float]]:
    """Return how far the top of a flat token stands off its foot on each spot, in patch pixels,
    as ``camera`` sees it: away from the point under the camera."""
    (x, y), slope = leaning(camera, THICK * board.pitch)
    scale = slope * PER_PITCH / board.pitch
    spots = {name: spot.centre for name, spot in board.spots.items()}
    return {name: (scale * (cx - x), scale * (cy - y)) for name, (cx, cy) in spots.items()}


def _fit(patch: Floats, face: Face, unit: float) -> Mapping[float, FaceLikeness]:
    return fit_both(patch, view(patch), face, unit)


def _error(patch: Floats, face: Face, unit: float) -> float:
    """Return the error of ``face`` on ``patch``, whichever way round fits better."""
    return min(fit.error for fit in _fit(patch, face, unit).values())
