"""Dice on a mat with marked zones: which lies in which zone, of which colour, showing what.

    tray = Tray({"reserve": [(x, y), ...], "active": [...]}, size=(420, 297))
    tray.bare(frame)                                   # the empty mat, once
    tray.enrol(frame, ["yellow hit", "yellow crit"])   # faces without pips, each shown once
    reading = tray.read(frame)
    for die in reading.dice:
        print(die.zone, die.colour, die.value, die.sure)

Millimetres have their origin in the middle of the mat, x to the right and y to the player, as on
all boards. The mat is found by its four corner markers (:attr:`Tray.board` says what to print),
or by a table file with ``corners``. The names of enrolled faces are a colour and a value,
``yellow hit``; they are given row by row as the dice lie, from the far left. A die that is like
no enrolled face is read by its pips, which need no enrolment; its ``value`` is ``1`` to ``6`` and
its ``colour`` the plain word for what its body looks like.

A die of which anything is in doubt is not ``sure``; ``doubt`` then says why, and ``likely`` what
it may show. Whoever reads a tray asks about such dice, and takes the others as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput, Point, Uncertain, say
from vision.board.calibrate import Camera, camera_from_table
from vision.board.raster import Floats, Raster, cut_out
from vision.board.viewpoint import viewpoint
from vision.dice.dice import DieReading
from vision.dice.dice_net import dice_nets
from vision.dice.dicefind import Sizes, places_of
from vision.dice.lean import Lean
from vision.dice.tabledice import DiceView
from vision.dice.traycubes import STANDS, Cube, Lens, Patch, Shape, measured, patches_of, stacked
from vision.dice.trayfaces import KNOWN, SHOWN, SIZE, KnownFaces, likelihoods
from vision.dice.trayground import MatGround, MatSeen
from vision.dice.traymat import areas_of, in_rows, plain_colour, tray_board, tray_markers, zone_at
from vision.frames import Frame, Image, TableFile
from vision.watching.motion import Motion

STEP = 0.5
"""Millimetres between the points of the flat picture of the mat."""
SURE = 0.97
"""Probability from which a face needs no question."""
ARM = 3.0
"""Dice that something hides which reaches over the mat's edge: if more, it is an arm."""
AGAINST = 1.25
"""Sides of a die between the middles of two dice that may touch."""
LIKE_A_DIE = 0.68
"""Probability of the learned finder from which what is as light as the mat is a die."""
FLAT = 0.80
"""Probability of a face on top from which on a die with pips lies flat, whatever its outline
says."""
LEANS = 0.93, 0.18
"""A die that fits its outline by less than the first of these, and its best face with a greater
difference than the second, leans a little."""
PATCH = 2.2
"""Sides of a die: the width of the patches in which pips are searched."""

EDGE, STACK, HARD, BETWEEN = "on edge", "on another", "hard to read", "between zones"


@dataclass(frozen=True, slots=True)
class TrayDie:
    """A die: its ``zone`` ("" beside all zones), ``colour`` and ``value`` in words, and the middle
    of its base in millimetres. ``doubt`` is empty for a die that is ``sure``, else ``on edge``,
    ``on another``, ``hard to read`` or ``between zones``; ``likely`` holds what it may show as
    (colour, value, probability), the likeliest first."""

    zone: str
    colour: str
    value: str
    x: float
    y: float
    doubt: str = ""
    likely: tuple[tuple[str, str, float], ...] = ()

    @property
    def sure(self) -> bool:
        """Tell whether nobody has to be asked."""
        return not self.doubt


@dataclass(frozen=True, slots=True)
class TrayReading:
    """What one picture shows: ``still`` is False while anything moves or a hand is in view, and
    ``dice`` is then empty. ``message`` says what a player should do, if anything."""

    frame: str
    still: bool
    dice: tuple[TrayDie, ...] = ()
    message: str = ""

    @property
    def sure(self) -> bool:
        """Tell whether every die is sure."""
        return self.still and all(die.sure for die in self.dice)

    def zone(self, name: str) -> tuple[TrayDie, ...]:
        """Return the dice in one zone."""
        return tuple(die for die in self.dice if die.zone == name)


class Tray:
    """Reads the dice on one mat.

    ``zones`` are outlines by name, ``size`` is the mat's width and height, ``die_mm`` the side of
    the dice, roughly: all in millimetres. ``table_file`` says how the mat is found where it is
    not by the usual corner markers.

    Raises:
        BadInput: there is no zone, or one with fewer than three corners or off the mat.
    """

    def __init__(
        self,
        zones: Mapping[str, Sequence[Point]],
        size: tuple[float, float],
        die_mm: float = 16.0,
        table_file: TableFile | None = None,
    ) -> None:
        self.board = tray_board(zones, size, die_mm)
        self.table_file = table_file or tray_markers(size)
        self._shape, self._measured = Shape(die_mm), False
        width, height = size
        self._raster = Raster(
            -width / 2, -height / 2, round(width / STEP) + 1, round(height / STEP) + 1, STEP
        )
        self._areas = areas_of(self.board, self.table_file, self._raster)
        self._ground = MatGround(self._raster, self._areas)
        self._faces = KnownFaces()
        self._motion = Motion()
        self.camera: Camera | None = None
        """How the last picture shows the mat, None before it was found."""

    @property
    def side(self) -> float:
        """Return the side of the dice in millimetres, as measured once any were seen."""
        return self._shape.side

    @property
    def faces(self) -> tuple[str, ...]:
        """Return the names of the faces that were enrolled."""
        return tuple(self._faces.pictures)

    def bare(self, frame: Frame) -> None:
        """Learn how the empty mat looks. Without it each zone is taken to have one colour.

        Raises:
            BadInput: there is no picture, or the mat is not found in it.
        """
        image, camera = self._found(frame)
        self._ground.learn(image, camera)

    def enrol(self, frame: Frame, names: Sequence[str]) -> None:
        """Learn faces: each die on the mat shows one, named row by row from the far left.

        May be called again for more faces, or for the same in other light.

        Raises:
            BadInput: the mat is not found.
            Uncertain: as many dice as names are not seen lying flat; nothing is learned.
        """
        image, camera = self._found(frame)
        seen, lens = self._ground.look(image, camera), _lens(camera)
        patches = self._patches(seen, lens)
        cubes = in_rows([cube for patch in patches for cube in patch.cubes], self.side)
        if len(cubes) != len(names):
            raise Uncertain(
                say(
                    "{named} faces are named and {seen} dice are seen; lay the dice apart and "
                    "flat, one for each name",
                    named=len(names),
                    seen=len(cubes),
                )
            )
        for cube, name in zip(cubes, names, strict=True):
            self._faces.learn(name, self._face(image, camera, lens, cube, seen))

    def read(self, frame: Frame) -> TrayReading:
        """Read one picture. It never raises for what it shows; ``message`` says what is amiss."""
        if frame.image is None:
            return TrayReading(frame.name, False, message=frame.trouble or say("no picture"))
        moves = self._motion.moves(frame)
        try:
            image, camera = self._found(frame)
        except BadInput as error:
            return TrayReading(frame.name, False, message=str(error))
        if moves:
            return TrayReading(frame.name, False)
        seen, lens = self._ground.look(image, camera), _lens(camera)
        patches = self._patches(seen, lens)
        if any(self._is_arm(patch) for patch in patches):
            return TrayReading(frame.name, False)
        dice = self._dice(image, camera, lens, seen, patches)
        some = sum(not die.sure for die in dice)
        asks = say("Look at the dice that cannot be told: {count}.", count=some) if some else ""
        return TrayReading(frame.name, True, dice, asks)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything that was learned, to be kept (``numpy.savez_compressed``)."""
        shown = [(name, face) for name, some in self._faces.pictures.items() for face in some]
        kept: dict[str, NDArray[Any]] = {
            "names": np.array([name for name, _ in shown], dtype=str),
            "faces": np.array([face for _, face in shown], np.float32).reshape(-1, SIZE, SIZE, 3),
            "shape": np.array([self.side, self._shape.bevel, float(self._measured)]),
        }
        if self._ground.bare is not None:
            kept["bare"] = self._ground.bare
        return kept

    def take_arrays(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take over what :meth:`to_arrays` returned for a tray of the same size.

        Raises:
            BadInput: ``kept`` is something else, or of a tray of another size.
        """
        try:
            names, faces = [str(name) for name in kept["names"]], kept["faces"]
            side, bevel, known = (float(v) for v in kept["shape"])
            bare = np.asarray(kept["bare"], np.float32) if "bare" in kept else None
        except (KeyError, ValueError) as error:
            raise BadInput("this does not hold the faces of a tray; enrol them again") from error
        shape = (self._raster.height, self._raster.width, 3)
        if (bare is not None and bare.shape != shape) or faces.shape[1:] != (SIZE, SIZE, 3):
            raise BadInput("this belongs to a tray of another size; show the empty mat again")
        self._faces, self._shape, self._measured = KnownFaces(), Shape(side, bevel), bool(known)
        self._ground.bare = bare
        for name, face in zip(names, faces, strict=True):
            self._faces.learn(name, np.asarray(face, np.float32))

    # -- where the mat lies ------------------------------------------------------------

    def _found(self, frame: Frame) -> tuple[Image, Camera]:
        """Return the picture and where the mat lies in it."""
        if frame.image is None:
            raise BadInput(frame.trouble or "there is no picture")
        self.camera = camera_from_table(self.board, self.table_file, frame.image)
        return frame.image, self.camera

    # -- dice --------------------------------------------------------------------------

    def _patches(self, seen: MatSeen, lens: Lens) -> list[Patch]:
        """Return the patches of hidden mat with their cubes; measure the dice when first seen."""
        what = seen.hidden, seen.tone, self._raster, lens
        if not self._measured:
            shape = measured(*what, self._shape)
            self._shape, self._measured = shape or self._shape, shape is not None
        return patches_of(*what, self._shape)

    def _is_arm(self, patch: Patch) -> bool:
        filled = bool(patch.cubes) and patch.cubes[0].fit >= STANDS
        return patch.rim and patch.area > ARM * self.side**2 and not filled

    def _dice(
        self, image: Image, camera: Camera, lens: Lens, seen: MatSeen, patches: Sequence[Patch]
    ) -> tuple[TrayDie, ...]:
        cubes = [cube for patch in patches for cube in patch.cubes]
        cubes += self._overlooked(seen, lens, cubes)
        lean = Lean(self.side / (lens.high - self.side), (lens.x, lens.y), self.side / 4)
        found: list[tuple[Cube, TrayDie]] = []
        others = []
        for cube in cubes:
            face = self._face(image, camera, lens, cube, seen)
            off = self._faces.compare(face)
            if cube.fit and off and (min(off.values()) < KNOWN or self._faces.have_body(face)):
                found.append((cube, self._enrolled(cube, off)))
            else:
                others.append(cube)
        view = DiceView(image, camera, PATCH * self.side)
        pips = view.read([(cube.x, cube.y) for cube in others], lean)
        for cube, reading in zip(others, pips, strict=True):
            if cube.fit or reading.die > FLAT:
                cube = _under(cube, reading, lean)
                found.append((cube, self._pips(cube, reading, seen)))
        heaped = stacked([cube for cube, _ in found])
        dice = [replace(die, doubt=STACK) if cube in heaped else die for cube, die in found]
        # Too much in one heap to tell the dice apart.
        dice += [
            TrayDie(
                zone_at(self.board, patch.middle, self.side)[0], "", "", *patch.middle, doubt=STACK
            )
            for patch in patches
            if not patch.cubes
        ]
        return tuple(sorted(self._beside_stacks(dice), key=lambda die: (die.y, die.x)))

    def _beside_stacks(self, dice: Sequence[TrayDie]) -> list[TrayDie]:
        """Return the dice, those in doubt too that lie against dice on each other: where the dice
        of a stack are is not certain."""
        stacks = [(die.x, die.y) for die in dice if die.doubt == STACK]
        reach = AGAINST * self.side
        return [
            replace(die, doubt=STACK)
            if die.sure and any(math.dist((die.x, die.y), at) < reach for at in stacks)
            else die
            for die in dice
        ]

    def _overlooked(self, seen: MatSeen, lens: Lens, cubes: Sequence[Cube]) -> list[Cube]:
        """Return where the learned finder sees a die and the outlines do not: white dice may be
        as light as the mat. Their turn is not known, and their fit is 0."""
        found: list[Cube] = []
        for find in places_of(Sizes(seen.flat), dice_nets()[0]):
            if find.die < LIKE_A_DIE:
                break
            last = np.array(self._areas.shape) - 1
            row, column = np.clip((int(find.y), int(find.x)), 0, last)
            if self._areas[row, column] < 0:
                continue
            at = self._raster.to_board(np.array([[find.x, find.y]]))
            # What is seen of a die lies about as far off as the middle of the whole die.
            foot = np.array((lens.x, lens.y))
            x, y = (foot + (at[0] - foot) * (1 - self.side / 2 / lens.high)).tolist()
            near = [math.dist((x, y), (cube.x, cube.y)) for cube in [*cubes, *found]]
            if min(near, default=np.inf) > 0.8 * self.side:
                found.append(Cube(x, y, 0.0, self.side, 0.0))
        return found

    def _enrolled(self, cube: Cube, off: Mapping[str, float]) -> TrayDie:
        """Return a die with an enrolled face, which it shows if nothing else comes near."""
        odds = list(likelihoods(off).items())[:4]
        likely = tuple((*name.rpartition(" ")[::2], round(p, 4)) for name, p in odds)
        least = min(off.values())
        sure = likely[0][2] >= SURE and least < KNOWN
        leans = cube.fit < LEANS[0] and least > LEANS[1]
        edge = EDGE * (cube.fit < STANDS or leans)
        return self._told(cube, likely, edge or ("" if sure else HARD))

    def _pips(self, cube: Cube, reading: DieReading, seen: MatSeen) -> TrayDie:
        """Return a die with pips. These tell better how it lies than its outline does: black and
        white dice have the colour of shadows and paper."""
        colour = plain_colour(np.array(reading.body) / 255 / self._light(seen, cube))
        order = sorted(range(6), key=lambda k: -reading.faces[k])
        likely = tuple(
            (colour, str(k + 1), round(reading.faces[k] * reading.die, 4)) for k in order[:4]
        )
        doubt = ""
        if likely[0][2] < SURE:
            doubt = HARD
        elif cube.fit < STANDS and reading.flat < FLAT:
            doubt = EDGE
        return self._told(cube, likely, doubt)

    def _told(self, cube: Cube, likely: tuple[tuple[str, str, float], ...], doubt: str) -> TrayDie:
        zone, near = zone_at(self.board, (cube.x, cube.y), self.side)
        colour, value, _ = likely[0]
        doubt = doubt or (BETWEEN if near else "")
        return TrayDie(zone, colour, value, round(cube.x, 1), round(cube.y, 1), doubt, likely)

    def _face(self, image: Image, camera: Camera, lens: Lens, cube: Cube, seen: MatSeen) -> Floats:
        """Return the picture (SIZE, SIZE, 3) of a die's top in the light of the empty mat."""
        top = cube.top(lens)
        inner = top.mean(0) + SHOWN * (top - top.mean(0))
        pixels = camera.project(inner)
        fine = cut_out(image, pixels, (2 * SIZE, 2 * SIZE))
        cut = cv2.resize(fine, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
        return np.asarray(np.asarray(cut, np.float32) / 255 / self._light(seen, cube), np.float32)

    def _light(self, seen: MatSeen, cube: Cube) -> Floats:
        """Return how much lighter it is at a die than when the mat was seen bare."""
        x, y = np.round(self._raster.to_pixels(np.array([[cube.x, cube.y]]))[0]).astype(int)
        height, width = seen.light.shape[:2]
        there = seen.light[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        return np.asarray(np.exp(there), np.float32)


def _lens(camera: Camera) -> Lens:
    return Lens(*viewpoint(camera))


def _under(cube: Cube, reading: DieReading, lean: Lean) -> Cube:
    """Return ``cube`` moved to where the pips of its top are."""
    if reading.die * max(reading.faces) < SURE:
        return cube
    width, (fx, fy) = PATCH * cube.side, lean.foot
    raised = 1 + lean.slope
    x, y = cube.x + reading.middle[0] * width, cube.y + reading.middle[1] * width
    return replace(cube, x=fx + (x - fx) / raised, y=fy + (y - fy) / raised)
