"""Evenings on a simulated board of sensors under a simulated camera, of which one may be away."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from companion.simulation.recorded_game import RecordedScene, perform
from companion.simulation.table_camera import SimulatedCamera
from companion.simulation.tabletop import Gesture, SimulatedTable
from tests.checks.carved import CARVED, standing
from tests.checks.felt_evenings import FeltEvening, SimulatedSensors
from vision.board.optics import CameraView, fit_view
from vision.decoding.reading import Reading
from vision.frames import Frame, Sensed
from vision.readers import open_reader
from vision.sensing.both_reader import BothReader
from vision.sensing.sensor_source import SensorSource
from vision.watching.motion import PATIENCE

STEP = 0.3
"""Seconds between two frames."""
BOTH, COVERED, SILENT = "both", "covered", "silent"
"""What the frames hold: all, a picture of a covered lens, or nothing felt."""


class WatchedTable(SimulatedTable):
    """A table whose hands the camera sees and the sensors feel: ``felt`` is what these have not
    asked for."""

    felt: tuple[Gesture, ...] = ()

    def gestures(self) -> tuple[Gesture, ...]:
        """Return what hands did since the camera asked last."""
        done = super().gestures()
        self.felt += done
        return done


class Beneath:
    """A watched table as the sensors under it feel it."""

    def __init__(self, table: WatchedTable) -> None:
        self._table = table

    @property
    def position(self) -> dict[str, str]:
        """Return what lies where."""
        return self._table.position

    def gestures(self) -> Sequence[Gesture]:
        """Return what hands did since the sensors asked last."""
        done, self._table.felt = self._table.felt, ()
        return done


class Faulty:
    """A board of sensors of which some are ``broken``: they feel nothing. Some are ``slow``: they
    do not feel it if something is lifted and something else put down there at once. A board that
    knows its tokens may be ``mistaken`` about some."""

    broken: Collection[str] = ()
    slow: Collection[str] = ()
    mistaken: Mapping[str | int, str] = MappingProxyType({})

    def __init__(self, source: SensorSource | SimulatedSensors) -> None:
        self._source = source

    def read(self) -> Frame:
        """Return the next frame."""
        frame = self._source.read()
        if (sensed := frame.sensed) is None:
            return frame
        tokens = sensed.tokens
        if tokens is not None:
            tokens = {spot: token for spot, token in tokens.items() if spot not in self.broken}
            tokens |= self.mistaken
        occupied = sensed.occupied - frozenset(self.broken)
        left = sensed.left - (frozenset(self.slow) & occupied)
        return replace(frame, sensed=Sensed(occupied, left, tokens))


class BothEvening(FeltEvening):
    """One game that both eyes watch. ``eyes`` says which of them can tell anything now; with
    ``changing`` that changes by chance. The men may be of another ``art``, such as carved ones.
    What hands ``does`` before anybody looks sets the table up otherwise."""

    def __init__(
        self,
        name: str,
        seed: int,
        *,
        knows: bool = False,
        changing: bool = False,
        art: str | None = None,
        dgt: bool = False,
        does: Sequence[str] = (),
    ) -> None:
        self.eyes, self._art, self._does = BOTH, art, does
        self._changing, self._lots = changing, random.Random(f"eyes {seed}")
        super().__init__(name, seed, knows=knows, art=art, dgt=dgt)
        self._step = STEP

    def _open(self, expected: Any, seed: int, knows: bool) -> None:
        setup = self.table.setup
        self.hands = WatchedTable(self.game, setup, expected, seed=seed)
        for text in self._does:
            perform(self.hands, text)
        view = CameraView()
        if self._art == CARVED:
            view = standing(view, self.hands.board)
        view = fit_view(self.hands.board, view)
        self._camera = SimulatedCamera(self.hands, view, seed=seed, clock=lambda: self._now)
        self.sensors = Faulty(self._sensors(Beneath(self.hands), seed, knows))
        self.table_file = {**self._camera.table_file(), "sensors": [], "pictures": True}
        reader = open_reader(self.game, setup, self.table_file, live=True)
        assert isinstance(reader, BothReader)
        self._reader = reader

    def does(self, text: str) -> Reading:
        """Do what hands do, give the table what is read of it, and return that."""
        perform(self.hands, text)
        reading = self.look()
        self.carry_out(reading)
        return reading

    def wait(self, seconds: float) -> None:
        """Let time pass in which nobody looks."""
        self._now += seconds

    def frame(self) -> Frame:
        """Return the next frame of both."""
        self._now += STEP
        seen, felt = self._camera.read(), self.sensors.read()
        assert seen is not None
        assert seen.image is not None
        image = seen.image if self.eyes != COVERED else np.full_like(seen.image, 9)
        return replace(seen, image=image, sensed=None if self.eyes == SILENT else felt.sensed)

    def look(self) -> Reading:
        """Return what is read once hands have been away for as long as a thing has to lie still."""
        calm = 0
        while calm * STEP <= PATIENCE + STEP:
            busy = self.hands.stirred or self._camera.busy
            calm = 0 if busy else calm + 1
            if (reading := self._read()).steps:
                break
        return reading

    def _scene(self, scene: RecordedScene) -> None:
        if self._changing and self._lots.random() < 0.5:
            self.eyes = self._lots.choice([BOTH, BOTH, COVERED, SILENT])
            self.look()
            self.look()
        super()._scene(scene)
