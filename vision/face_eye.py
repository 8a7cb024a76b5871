"""The eye for tokens with faces: the set-up shows every face, later ones are learned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.rules import Board
from vision.appearance import Appearances, flat_field
from vision.calibrate import Camera
from vision.eye import Glimpse
from vision.frames import Frame, Image
from vision.observe import Looks, Observation
from vision.patches import cut, halve, soften
from vision.raster import Floats
from vision.watch import Glance, Watch


class FaceEye:
    """Enrols what ``expected`` says from the first picture, and recognises it from then on."""

    def __init__(
        self, board: Board, camera: Camera, image: Image, look: Looks, expected: Mapping[str, str]
    ) -> None:
        self._board, self._look = board, look
        patches = self._cut(image, camera, board.spots)
        self._field = flat_field(board, patches, expected)
        patches = {spot: patch / self._field[spot] for spot, patch in patches.items()}
        self._appearances = Appearances(board, patches, expected)
        for spot, token in expected.items():
            self._appearances.enrol(look(token), spot, patches[spot])
        self._appearances.measure()
        limit = self._appearances.empty_limit(patches, expected)
        self.wrong = frozenset(
            spot for spot in expected if self._appearances.emptiness(spot, patches[spot]) < limit
        )
        for spot in self.wrong:
            self._appearances.faces.pop(look(expected[spot]).face, None)
        self._watch = Watch(board, camera, image)
        self._image = image
        self._glance: Glance | None = None
        self._seen: Observation | None = None

    @property
    def camera(self) -> Camera:
        """Return where the board lies in the last picture."""
        return self._watch.camera

    def look(self, frame: Frame, table: Mapping[str, str]) -> Glimpse:
        """Compare a picture with the settled one."""
        assert frame.image is not None
        self._image = frame.image
        self._glance = glance = self._watch.look(frame.image)
        return Glimpse(glance.changed, glance.hand, glance.lost)

    def observe(self, spots: Iterable[str]) -> Observation:
        """Hold the faces against ``spots``, each in the light of the first picture."""
        assert self._glance is not None
        gains = self._watch.gains(self._glance)
        patches = {
            spot: patch / (gains[spot] * self._field[spot])
            for spot, patch in self._cut(self._image, self.camera, sorted(spots)).items()
        }
        self._seen = Observation(patches, self._appearances, self._look)
        return self._seen

    def settle(self, table: Mapping[str, str]) -> None:
        """Take the last picture as the one to compare with."""
        assert self._glance is not None
        self._watch.settle(self._glance)

    def learn(self, spot: str, token: str) -> None:
        """Enrol the face on ``spot``, if it was observed."""
        if self._seen is not None and spot in self._seen.patches:
            self._appearances.enrol(self._look(token), spot, self._seen.patches[spot])

    def bare(self, spot: str) -> None:
        """Learn the print of ``spot``, if it was observed."""
        if self._seen is not None and spot in self._seen.patches:
            self._appearances.bare(spot, self._seen.patches[spot])

    def _cut(self, image: Image, camera: Camera, spots: Iterable[str]) -> dict[str, Floats]:
        names = list(spots)
        small, shrink = halve(image, camera.pixels_per_mm() * self._board.pitch)
        centres = [self._board[spot].centre for spot in names]
        taken = soften(cut(small, shrink, camera, self._board.pitch, centres))
        return dict(zip(names, taken, strict=True))
