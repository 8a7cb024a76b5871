"""A camera over a simulated table: a source of frames as a real one would give them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.rules import Board, Point, picture_of
from companion.simulation.hand import draw_hand
from companion.simulation.render import Painter
from companion.simulation.sensor import Levels, RoomLight, Sensor, SimulatedRoom, blurred
from companion.simulation.shine import add_glare, add_sleeves, add_veil
from companion.simulation.tabletop import Gesture, LyingPiece, SimulatedTable
from companion.simulation.troubles import Colour, Troubles
from vision.board.optics import CameraView, Optics, fit_view
from vision.board.printing import DICTIONARY, marker_centres
from vision.frames import Frame, Image, TableFile

__all__ = ["CameraView", "Glow", "SimulatedCamera", "SimulatedTable", "Troubles"]

Glow = Callable[[float], Mapping[str, Colour]]
"""Returns, for a time in seconds, the colour of the LED under every lit spot."""

_STEP = 8
"""Grey levels in which the LEDs' light is graded in the picture."""
_GRASP, _HOLD, _LET_GO = 0.3, 0.35, 0.72
"""When in a gesture, from 0 to 1, the hand has arrived, has lifted, has put down."""


@dataclass(frozen=True, slots=True)
class _Pose:
    """Where a hand is in the middle of a gesture, and what lies on the table meanwhile."""

    tip: Point
    lift: float
    pieces: Mapping[str, LyingPiece]
    held: LyingPiece | None


def _dark(at: float) -> Mapping[str, Colour]:
    return {}


class SimulatedCamera:
    """Frames of a :class:`SimulatedTable`; a :class:`vision.frames.Source`.

    Everything by chance is drawn from ``seed``; ``clock`` gives the frames' times; ``wait`` is
    called before every frame and may hold it back to keep a pace. ``troubles`` may be replaced
    at any time. One thread reads; the table may be played on from any other.
    """

    def __init__(
        self,
        table: SimulatedTable,
        view: CameraView | None = None,
        troubles: Troubles | None = None,
        *,
        seed: int = 0,
        clock: Callable[[], float],
        wait: Callable[[], None] | None = None,
        glow: Glow = _dark,
    ) -> None:
        self.table = table
        self.view = view or fit_view(table.board)
        self.troubles = troubles or Troubles()
        self._seed = seed
        self._clock = clock
        self._wait = wait
        self._glow = glow
        self._chance = np.random.default_rng(seed)
        self._room = SimulatedRoom(self.view.image_size)
        self._sensor = Sensor(self.view.image_size, self._chance)
        self._hands: Iterator[Image] = iter(())
        self._queue: list[Gesture] = []
        table.gestures()  # what happened before this camera looked is no news
        self._shown = table.pieces
        self._gesture: Gesture | None = None
        self._count = 0
        self._moved = self._shift()
        self._painter = Painter(table.board, self._drawing, self._optics(), seed)
        self._soft: tuple[object, ...] = ()
        self._still: Image | None = None
        self.latest: Frame | None = None
        """The last whole frame, for whoever wants to look without taking one."""
        self.hand_in_view = False
        """Whether the frame read last shows a hand; for truths, never for a reader."""

    def read(self) -> Frame | None:
        """Return the next frame. There is always one."""
        if self._wait:
            self._wait()
        at = self._clock()
        name = f"{self._count:06d}"
        self._count += 1
        if self._shift() != self._moved:
            self._moved = self._shift()
            self._painter.look_from(self._optics())
        clean = self._picture(at)
        if self.troubles.lost and self._chance.random() < self.troubles.lost:
            return Frame(None, at, name, "the camera sent an unreadable frame")
        self.latest = Frame(self._sensor.expose(clean, self.troubles), at, name)
        return self.latest

    def close(self) -> None:
        """Nothing has to be given back."""

    @property
    def busy(self) -> bool:
        """Tell whether gestures are still to be shown."""
        return bool(self._queue) or self._gesture is not None

    @property
    def position(self) -> dict[str, str]:
        """Return spot -> token as the last frame shows it, hands apart; for truths."""
        return {spot: piece.token for spot, piece in self._shown.items()}

    def table_file(self) -> TableFile:
        """Return what the owner of this table would enter: the content of ``table.json``."""
        board, optics = self.table.board, self._optics()
        entered: TableFile = {
            "game": self.table.game.name,
            "seats": list(self.table.setup.seats),
            "image_size": list(self.view.image_size),
        }
        changed = _changed_options(self.table)
        if changed:
            entered["options"] = changed
        if self.view.marks == "markers":
            centres = marker_centres(self.view)
            entered["markers"] = {
                "dictionary": DICTIONARY,
                "size_mm": self.view.marker_mm,
                "centres_mm": {str(number): list(point) for number, point in centres.items()},
            }
            entered["cell_mm"] = board.pitch
        elif self.view.marks == "corners":
            names = list(board.corners)
            pixels = optics.project([board.corners[name] for name in names])
            entered["corners"] = _rounded(names, pixels)
        else:
            names = _tapped(board)
            pixels = optics.project([board[name].centre for name in names])
            slip = 0.12 * board.pitch * optics.scale((0.0, 0.0))
            entered["taps"] = _rounded(
                names, pixels + np.random.default_rng(self._seed).normal(0, slip, pixels.shape)
            )
        return entered

    # -- inside ----------------------------------------------------------------------

    def _drawing(self, token: str) -> Any:
        return picture_of(self.table.game, self.table.setup, token)

    def _shift(self) -> tuple[float, ...]:
        return (*self.troubles.bump_mm, *self.troubles.bump_px, self.troubles.bump_turn)

    def _optics(self) -> Optics:
        t = self.troubles
        return Optics(self.view, t.bump_mm, t.bump_px, t.bump_turn)

    def _things(self) -> dict[str, tuple[str | LyingPiece, Point]]:
        """Return what lies on the table beside the tokens in play."""
        t, board = self.troubles, self.table.board
        left = {"cup": t.cup, "phone": t.phone, "paper": t.paper}
        things: dict[str, tuple[str | LyingPiece, Point]] = {
            name: (name, board[spot].centre) for name, spot in left.items() if spot
        }
        _, top, right, _ = board.bounds
        taken = self.table.off[-t.beside :] if t.beside else ()
        for number, token in enumerate(taken):
            at = right + 0.9 * board.pitch, top + (0.5 + 1.1 * number) * board.pitch
            things[f"beside {number}"] = (LyingPiece(token), at)
        return things

    def _picture(self, at: float) -> Image:
        """Return the next clean picture: of a hand while a gesture goes on, else of the table."""
        self._queue += self.table.gestures()
        self.hand_in_view = False
        shown = next(self._hands, None)
        while shown is None and self._queue:
            gesture = self._queue.pop(0)
            self._hands = self._reach(gesture, at)
            shown = next(self._hands, None)
        return self._rest(at) if shown is None else shown

    def _rest(self, at: float) -> Image:
        light = self._room.light(self.troubles)
        glow = self._lit(at)
        blur = self.troubles.blur
        key = (
            id(self._shown),
            id(light),
            tuple(glow.items()),
            tuple(self._things().items()),
            blur,
            self._moved,
            (
                self.troubles.glare,
                self.troubles.veil,
                self.troubles.gloss,
                self.troubles.resting,
            ),
        )
        if key != self._soft or self._still is None:
            picture = self._painter.update(self._shown, glow, light, self._things()).copy()
            self._reflect(picture, self._shown)
            if self.troubles.resting:
                self._rest_hand(picture, self.troubles.resting, light)
            self._still = blurred(picture, blur)
            self._soft = key
        self.hand_in_view = self.troubles.resting is not None
        return self._still

    def _reflect(self, picture: Image, pieces: Mapping[str, LyingPiece]) -> None:
        """Add the lamp's reflections: on sleeves, on a spot, as a veil."""
        t, optics, board = self.troubles, self._painter.optics, self.table.board
        if t.gloss:
            outlines = [self._outline(board[spot].centre, piece) for spot, piece in pieces.items()]
            add_sleeves(picture, optics, outlines, t.gloss, t.lamp)
        if t.glare:
            add_glare(picture, optics, board[t.glare].centre, t.lamp)
        if t.veil:
            spot, levels = t.veil
            left, _, right, _ = board.bounds
            add_veil(picture, optics, board[spot].centre, (right - left) / 4, levels * t.lamp)

    def _outline(self, centre: Point, piece: LyingPiece) -> Any:
        model = self._painter.model(piece.token)
        placed = model.placed((centre[0] + piece.dx, centre[1] + piece.dy), piece.turn)
        return placed[: len(model.strokes[0].points)]

    def _rest_hand(self, picture: Image, spot: str, light: RoomLight) -> None:
        """Draw a hand whose fingertips lie in the middle of ``spot``."""
        tip = self.table.board[spot].centre
        x, y = tip if math.hypot(*tip) >= self.table.board.pitch else (0.0, 1.0)
        arm = (x / math.hypot(x, y), y / math.hypot(x, y))
        shine = self._shine(light, tip)
        draw_hand(picture, self._painter.optics, tip, arm, 0.0, self.troubles, shine)

    def _lit(self, at: float) -> dict[str, Colour]:
        """Return the LEDs' light, in small steps so that a slow pulse costs little."""
        strength = self.troubles.led
        if not strength:
            return {}
        return {
            spot: (_step(r * strength), _step(g * strength), _step(b * strength))
            for spot, (r, g, b) in self._glow(at).items()
        }

    def _reach(self, gesture: Gesture, at: float) -> Iterator[Image]:
        """Yield the pictures of one gesture; what lies on the table changes on the way."""
        frames = self.troubles.hand_frames
        arm = self._arm(gesture)
        self._gesture = gesture
        for number in range(frames):
            pose = self._pose(gesture, arm, (number + 0.5) / frames)
            light = self._room.light(self.troubles)
            picture = self._painter.update(pose.pieces, self._lit(at), light, self._things()).copy()
            self._reflect(picture, pose.pieces)
            if pose.held:
                model = self._painter.model(pose.held.token)
                points = model.placed(pose.tip, pose.held.turn)
                self._painter.put(picture, model, points, pose.lift, self._shine(light, pose.tip))
            back = (pose.tip[0] + 10 * arm[0], pose.tip[1] + 10 * arm[1])
            shine = self._shine(light, pose.tip)
            self.hand_in_view = draw_hand(
                picture, self._painter.optics, back, arm, pose.lift, self.troubles, shine
            )
            self._soft = ()
            yield blurred(picture, self.troubles.blur)
        self._shown, self._gesture = gesture.after, None

    def _shine(self, light: RoomLight, point: Point) -> Levels:
        """Return the light (blue, green, red) at a board point, at the rim for one outside."""
        width, height = self.view.image_size
        u, v = self._painter.optics.project([point])[0]
        column, row = min(max(int(u), 0), width - 1), min(max(int(v), 0), height - 1)
        return np.asarray(light.over((column, row, column + 1, row + 1))[0, 0], np.float32)

    def _pose(self, gesture: Gesture, arm: Point, when: float) -> _Pose:
        rim = 1.5 * max(abs(value) for value in self.table.board.bounds)
        away = (rim * arm[0], rim * arm[1])
        start = self._place(gesture.origin) or away
        end = self._place(gesture.target) or away
        between = {spot: piece for spot, piece in gesture.before.items() if spot != gesture.origin}
        if when < _GRASP:
            return _Pose(_between(away, start, when / _GRASP), 12.0, gesture.before, None)
        if when < _LET_GO:
            part = min(1.0, max(0.0, (when - _HOLD) / (_LET_GO - _HOLD)))
            held = gesture.piece if gesture.origin != gesture.target else None
            on_table = between if held else gesture.before
            lift = 6.0 + 40.0 * math.sin(math.pi * (0.15 + 0.7 * part))
            return _Pose(_between(start, end, part), lift, on_table, held)
        part = (when - _LET_GO) / (1 - _LET_GO)
        return _Pose(_between(end, away, part), 12.0, gesture.after, None)

    def _place(self, spot: str | None) -> Point | None:
        return self.table.board[spot].centre if spot else None

    def _arm(self, gesture: Gesture) -> Point:
        """Return where the arm comes from: the rim nearest to where the hand begins."""
        spots = [spot for spot in (gesture.origin, gesture.target) if spot]
        x, y = self.table.board[spots[0]].centre if spots else (0.0, 1.0)
        if math.hypot(x, y) < self.table.board.pitch:
            x, y = 0.0, 1.0
        angle = math.atan2(y, x) + self._chance.normal(0, 0.2)
        return math.cos(angle), math.sin(angle)


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def _step(value: float) -> int:
    return min(255, round(value / _STEP) * _STEP)


def _rounded(names: list[str], pixels: Any) -> dict[str, list[float]]:
    return {
        name: [round(float(u), 1), round(float(v), 1)]
        for name, (u, v) in zip(names, pixels, strict=True)
    }


def _changed_options(table: SimulatedTable) -> dict[str, str]:
    defaults = {option.name: option.default for option in table.game.options}
    return {
        name: value for name, value in table.setup.options.items() if value != defaults.get(name)
    }


def _tapped(board: Board) -> list[str]:
    """Return the spots that an owner would tap: the middle one and six far out all round."""
    cells = [spot for spot in board.spots.values() if spot.kind == "cell"]
    middle = min(cells, key=lambda spot: math.hypot(*spot.centre))
    chosen = [middle.name]
    for k in range(6):
        turn = 2 * math.pi * (k + 0.1) / 6
        far = max(cells, key=lambda s: s.centre[0] * math.cos(turn) + s.centre[1] * math.sin(turn))
        if far.name not in chosen:
            chosen.append(far.name)
    return chosen
