"""Where a camera has to stand: by its own lens, and the picture that the companion takes of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from companion.rules import Board
from vision.board.optics import CameraView, Optics, fit_view
from vision.sources.cameras import CameraSettings

LEAN = 25.0
"""Degrees by which a camera beside the board is tilted."""


@dataclass(frozen=True, slots=True)
class CameraLens:
    """A camera: how far the mode that is used sees ``across``, in degrees, that mode's ``size`` in
    pixels, and the ``picture`` that the companion asks for, which is cut from the middle of it and
    made smaller. A lens that is no pinhole says how far it sees ``up`` as well."""

    name: str
    across: float
    size: tuple[int, int]
    picture: tuple[int, int] = CameraSettings().size
    up: float = 0.0

    @property
    def distortion(self) -> float:
        """Return the first radial coefficient that makes both angles fit the mode."""
        if not self.up:
            return 0.0
        x, y = (math.tan(math.radians(angle) / 2) for angle in (self.across, self.up))
        longer = y / x * self.size[0] / self.size[1]
        return (longer - 1) / (x**2 - longer * y**2)

    @property
    def focal(self) -> float:
        """Return the focal length in widths of the picture."""
        x = math.tan(math.radians(self.across) / 2)
        of_mode = 0.5 / (x * (1 + self.distortion * x**2)) * self.size[0]
        smaller = max(self.picture[0] / self.size[0], self.picture[1] / self.size[1])
        return of_mode * smaller / self.picture[0]


def across_of_lens(focal_mm: float, sensor_mm: float) -> float:
    """Return how far a lens sees across, in degrees, by its focal length and the sensor's width."""
    return 2 * math.degrees(math.atan(sensor_mm / 2 / focal_mm))


LENSES = (
    CameraLens("Pi Camera Module 3", 66.0, (2304, 1296)),
    CameraLens("Pi Camera Module 3 Wide", 102.0, (2304, 1296), up=67.0),
    CameraLens("Pi Camera Module 2", 62.2, (1640, 1232)),
    CameraLens("Pi HQ Camera, 6 mm lens", across_of_lens(6.0, 6.287), (2028, 1520)),
    CameraLens("USB webcam, 1080p, 78° corner to corner", 70.4, (1920, 1080), (1920, 1080)),
    CameraLens("USB webcam, 720p, 60° across", 60.0, (1280, 720), (1280, 720)),
)
"""Cameras with the angles that their makers give; that of the HQ camera follows from its sensor,
6.287 mm wide. The modes of Pi cameras see with the whole sensor; Module 3 has none of our shape."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a camera stands: its ``height`` over the board and how far ``beside`` its middle, in
    millimetres, and how many ``pixels`` a cell is wide where it is farthest."""

    height: float
    beside: float
    pixels: float


def site(board: Board, lens: CameraLens, lean: float) -> Site:
    """Return where ``lens`` sees the whole of ``board`` with its corner markers."""
    view = CameraView(
        image_size=lens.picture, tilt=lean, turn=0.0, roll=0.0,
        lens=lens.focal, distortion=lens.distortion,
    )  # fmt: skip
    fitted = fit_view(board, replace(view, marks="markers"))
    optics = Optics(fitted)
    farthest = min(optics.scale(spot.centre) for spot in board.spots.values())
    x, y, z = optics.eye
    return Site(-float(z), float(math.hypot(x, y)), farthest * board.pitch)
