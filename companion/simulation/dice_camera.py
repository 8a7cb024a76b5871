"""A camera over a simulated mat with dice: a source of frames as a real one would give them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.rules import Mat, Point
from companion.simulation.dice_painter import SHAPES, Colour, DicePainter, DiceStyle, Die, Picture
from companion.simulation.hand import draw_hand
from companion.simulation.sensor import Sensor, SimulatedRoom, blurred
from companion.simulation.troubles import Troubles
from companion.simulation.tumbling_dice import Dice, DiceGesture, SimulatedDice
from vision.board.optics import CameraView, Optics
from vision.board.printing import shade
from vision.dice.traymat import MARKER_MM, printed_mat, tray_markers
from vision.frames import Frame, Image, TableFile

ARM = (0.2, 0.98)
"""Where the player's arm comes from."""
_SHADES = ("#7b7d7e", "#6f7173", "#858688", "#77797c")


@dataclass(frozen=True, slots=True)
class _DicePose:
    """A moment of a gesture: the dice that are seen, which of them it moves, and where the hand
    is, if it is."""

    dice: Sequence[Die | None]
    moving: tuple[int, ...]
    hand: Point | None = None


def usual_style(mat: Mat) -> DiceStyle:
    """Return how the dice of ``mat`` look: bodies in their inks, symbols of our own. A side called
    ``blank`` shows nothing."""
    values = dict.fromkeys(side for kind in mat.kinds.values() for side in kind.sides)
    symbols = [v for v in values if v != "blank" and not v.isdecimal()]
    bodies = {colour: _rgb(kind.ink) for colour, kind in mat.kinds.items()}
    return DiceStyle(
        mat.side_mm,
        0.12,
        {value: k % SHAPES for k, value in enumerate(symbols)},
        bodies,
        {c: (22, 22, 24) if sum(body) > 370 else (240, 238, 230) for c, body in bodies.items()},
        {colour: kind.sides for colour, kind in mat.kinds.items()},
    )


def _rgb(text: str) -> Colour:
    blue, green, red = shade(text)
    return red, green, blue


def mat_view(mat: Mat, view: CameraView) -> CameraView:
    """Return ``view`` so near that the mat just fills the picture."""
    half = np.array(mat.size) / 2
    corners = [(x * half[0], y * half[1]) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    rim = 0.02 * view.image_size[0]
    near = replace(view, marker_mm=MARKER_MM)
    for distance in range(350, 3000, 10):
        near = replace(near, distance=float(distance))
        seen = Optics(near).project(corners)
        middle = (seen.min(0) + seen.max(0)) / 2
        near = replace(near, aim=Optics(near).board_point((float(middle[0]), float(middle[1]))))
        seen = Optics(near).project(corners)
        if (seen > rim).all() and (seen < np.array(view.image_size) - rim).all():
            break
    return near


class SimulatedDiceCamera:
    """Frames of :class:`SimulatedDice`; a :class:`vision.frames.Source`.

    Everything by chance is drawn from ``seed``; ``clock`` gives the frames' times; ``wait`` is
    called before every frame. ``troubles`` may be replaced at any time. One thread reads; the dice
    may be thrown from any other.
    """

    def __init__(
        self,
        dice: SimulatedDice,
        view: CameraView | None = None,
        troubles: Troubles | None = None,
        *,
        style: DiceStyle | None = None,
        seed: int = 0,
        clock: Callable[[], float],
        wait: Callable[[], None] | None = None,
    ) -> None:
        self.dice, self.troubles = dice, troubles or Troubles()
        self.style = style or usual_style(dice.mat)
        self.view = mat_view(dice.mat, view or CameraView(image_size=(1280, 960), tilt=12.0))
        self._clock, self._wait = clock, wait
        self._chance = random.Random(f"dice camera {seed}")
        self._room = SimulatedRoom(self.view.image_size)
        self._sensor = Sensor(self.view.image_size, np.random.default_rng(seed))
        self._poses: Iterator[_DicePose] = iter(())
        self._queue: list[DiceGesture] = []
        dice.gestures()  # what happened before this camera looked is no news
        self._shown: Dice = dice.dice
        self._moved: tuple[int, ...] = ()
        self._count = 0
        self._ground: tuple[object, Image] | None = None
        self._resting: tuple[object, Picture] | None = None
        self._lying: tuple[object, Picture] | None = None
        self.latest: Frame | None = None
        """The last whole frame, for whoever wants to look without taking one."""
        self.hand_in_view = False
        """Whether the frame read last shows a hand or a rolling die; never for a reader."""

    def read(self) -> Frame | None:
        """Return the next frame. There is always one."""
        if self._wait:
            self._wait()
        at, name = self._clock(), f"{self._count:06d}"
        self._count += 1
        clean = self._picture()
        if self.troubles.lost and self._chance.random() < self.troubles.lost:
            return Frame(None, at, name, "the camera sent an unreadable frame")
        self.latest = Frame(self._sensor.expose(clean, self.troubles), at, name)
        return self.latest

    def close(self) -> None:
        """Nothing has to be given back."""

    @property
    def busy(self) -> bool:
        """Tell whether gestures are still to be shown."""
        return bool(self._queue) or self.hand_in_view

    def table_file(self) -> TableFile:
        """Return what the owner of this table would enter: the content of ``table.json``."""
        markers = tray_markers(self.dice.mat.size)
        return {**markers, "image_size": list(self.view.image_size)}

    def show_faces(self, learn: Callable[[Image, Mapping[str, str]], None]) -> None:
        """Show the bare mat and every face of the dice to ``learn``, as an owner does once: the
        picture, and what lies there in the order of reading. What lies on the mat itself is left
        alone, and whoever plays with it meanwhile disturbs nothing."""
        sample = SimulatedDice(self.dice.mat, {})
        for faces in self.dice.mat.shows:
            sample.show(faces)
            image = self._sensor.expose(self._drawn(_DicePose(sample.dice, ())), self.troubles)
            learn(image, {str(place): face for place, face in enumerate(faces)})

    # -- inside ----------------------------------------------------------------------

    def _picture(self) -> Image:
        self._queue += self.dice.gestures()
        pose = next(self._poses, None)
        while pose is None and self._queue:
            gesture = self._queue.pop(0)
            self._shown, self._moved = gesture.after, gesture.numbers
            self._poses = self._reach(gesture)
            pose = next(self._poses, None)
        self.hand_in_view = pose is not None
        return self._drawn(pose or _DicePose(self._shown, self._moved))

    def _drawn(self, pose: _DicePose) -> Image:
        optics = Optics(self.view, self.troubles.bump_mm, self.troubles.bump_px,
                        self.troubles.bump_turn)  # fmt: skip
        key = (self.troubles.bump_mm, self.troubles.bump_px, self.troubles.bump_turn)
        painter = DicePainter(self.style, optics)
        if self._ground is None or self._ground[0] != key:
            strokes = printed_mat(self.dice.mat, self.view.mat, _SHADES)
            self._ground = key, painter.ground(strokes)
        picture = self._with_dice(painter, self._ground[1], key, pose)
        light = self._room.light(self.troubles)
        whole = light.over((0, 0, *self.view.image_size))
        lit = np.clip(picture * whole, 0, 255).astype(np.uint8)
        if pose.hand is not None:
            shine = light.tint * float(light.grey().mean())
            draw_hand(lit, optics, pose.hand, ARM, 20.0, self.troubles, shine)
        return blurred(lit, self.troubles.blur)

    def _with_dice(
        self, painter: DicePainter, ground: Image, key: object, pose: _DicePose
    ) -> Picture:
        """Return the ground with the dice of ``pose``; those that rest are painted once."""
        rest = tuple(d for n, d in enumerate(pose.dice) if d is not None and n not in pose.moving)
        if self._resting is None or self._resting[0] != (key, rest):
            picture = ground.astype(np.float32)
            painter.put(picture, rest)
            self._resting = (key, rest), picture
        moving = tuple(d for n in pose.moving if (d := pose.dice[n]) is not None)
        if self._lying is None or self._lying[0] != (key, rest, moving):
            picture = self._resting[1].copy()
            painter.put(picture, moving)
            self._lying = (key, rest, moving), picture
        return self._lying[1]

    def _reach(self, gesture: DiceGesture) -> Iterator[_DicePose]:
        """Yield the moments of one gesture."""
        frames = self.troubles.hand_frames
        if not gesture.numbers or not frames:
            return
        inside = [d for n in gesture.numbers if (d := gesture.before[n]) is not None]
        goal = [d for n in gesture.numbers if (d := gesture.after[n]) is not None]
        without = [None if n in gesture.numbers else d for n, d in enumerate(gesture.before)]
        numbers = gesture.numbers
        yield _DicePose(gesture.before, numbers, _middle(inside))
        for _ in range(max(0, frames - 3)):
            yield _DicePose(without, numbers, _middle(goal))
        if gesture.thrown:
            for _ in range(2):
                yield _DicePose(self._rolling(gesture), numbers)
        else:
            yield _DicePose(gesture.after, numbers, _middle(goal))

    def _rolling(self, gesture: DiceGesture) -> list[Die | None]:
        """Return the dice of a throw somewhere on their way."""
        dice = list(gesture.after)
        for number in gesture.numbers:
            die = dice[number]
            if die is not None:
                dice[number] = replace(
                    die,
                    x=die.x + self._chance.uniform(-15, 15),
                    y=die.y + self._chance.uniform(-15, 15),
                    turn=self._chance.uniform(0, 90),
                    lean=self._chance.uniform(5, 80),
                    rise=self._chance.uniform(0, 20),
                )
        return dice


def _middle(dice: Sequence[Die]) -> Point:
    if not dice:
        return 0.0, 100.0
    return sum(d.x for d in dice) / len(dice), sum(d.y for d in dice) / len(dice)
