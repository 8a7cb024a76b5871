"""The reader of a board of sensors under a camera: what one cannot see the other tells, and where
they contradict each other nothing is taken for a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Generic

from companion.rules import Board, Game, S, Setup, say
from vision.board.calibrate import Camera
from vision.decoding.belief import Belief
from vision.decoding.reader import Reader
from vision.decoding.reading import Reading, Step
from vision.decoding.trace import Trace
from vision.frames import Frame, Sensed, TableFile
from vision.sensing.felt import Felt
from vision.sensing.sensor_reader import SensorReader
from vision.tokens.album import Album
from vision.tokens.eye import Seen

CONTRADICTED = 5.0
"""Seconds for which the camera has to say otherwise about a spot of a table that lies still, before
its sensor counts as broken."""
COVERED = 10.0
"""Seconds for which no still board is seen, though nothing is felt to move, until that is said."""
UNSEEN = say("The camera sees no still board")


class BothReader(Generic[S]):
    """Reads frames that hold a picture and what was felt at the same time; where one of them is
    missing the other goes on alone. See :class:`vision.decoding.reader.Reader` for ``live`` and
    ``album``, :class:`SensorReader` for the field ``sensors`` of ``table_file``."""

    def __init__(
        self,
        game: Game[S],
        setup: Setup,
        table_file: TableFile,
        *,
        live: bool = False,
        album: Album | None = None,
    ) -> None:
        self._game = game
        self._camera: Reader[S] = Reader(game, setup, table_file, live=live, album=album)
        self._sees = False
        self._sensors: SensorReader[S] = SensorReader(
            game, setup, table_file, live=live, sight=self._sight
        )
        self._told: Reader[S] | SensorReader[S] = self._camera
        self._since: dict[str, float] = {}
        self._broken: frozenset[str | int] = frozenset()
        self._sensed = Sensed(frozenset())
        self._deaf = False
        self._unseen = -COVERED
        self._watched: tuple[float, S] | None = None

    @property
    def board(self) -> Board:
        """Return the board that is read."""
        return self._camera.board

    @property
    def camera(self) -> Camera | None:
        """Return how the last picture shows the board; None before the first."""
        return self._camera.camera

    @property
    def light(self) -> float:
        """Return how bright the lights may be for the camera, 0 to 1."""
        return self._camera.light

    @property
    def faces(self) -> int:
        """Return how many faces are known."""
        return self._camera.faces

    def album(self) -> Album | None:
        """Return the faces known by now, None where there are none."""
        return self._camera.album()

    def why(self, reading: Reading, closely: bool = False) -> Trace:
        """Return how ``reading``, that of the last frame, came about, by the eye that told it."""
        return self._told.why(reading, closely)

    def read(self, frame: Frame, past: Sequence[S]) -> Reading:
        """Read one frame. ``past`` holds every state up to the current one, which comes last.

        Raises:
            BadInput: in the first picture of a recording the board is not found.
        """
        if (misset := self._misset(frame, past)) is not None:
            return misset
        before = self._camera.belief.kept()
        seen = self._camera.read(frame, past)
        self._sees = frame.image is not None and seen.still
        if self._missed(frame, past[-1]):
            self._camera.begin_anew()
        self._deaf |= frame.sensed is None
        if frame.sensed is None:
            why = frame.trouble or say("the board of sensors says nothing")
            return self._alone(self._camera, seen, say("{why}; the camera goes on", why=why))
        self._sensed = sensed = self._mended(self._sensors.named(frame.sensed))
        taken = bool(seen.steps or seen.instead) and self._feels(seen, before)
        if (seen.steps or seen.instead) and not taken:
            self._camera.not_taken(before)
        felt = self._sensors.read(replace(frame, sensed=sensed), past, self._camera.belief)
        self._deaf &= not felt.still or bool(self._contradicted(self._camera.belief.table))
        if self._blind(frame, seen, felt):
            why = frame.trouble or seen.message or UNSEEN
            return self._alone(self._sensors, felt, say("{why}; the sensors go on", why=why))
        return self._judged(frame, seen, felt, past, taken)

    def _misset(self, frame: Frame, past: Sequence[S]) -> Reading | None:
        """Return what a board that knows its tokens says while it feels one where another belongs:
        by the set-up the camera learns how each looks."""
        if self._camera.begun or self._sensors.begun or not (frame.sensed and frame.sensed.tokens):
            return None
        self._told = self._sensors
        felt = self._sensors.read(frame, past, self._camera.belief)
        at_rest = felt.still and set(felt.differs) <= set(felt.missing)
        return None if self._sensors.begun or at_rest else felt

    def _missed(self, frame: Frame, state: S) -> bool:
        """Tell whether the game went on without the camera, which has seen no still board for
        long."""
        if self._sees or self._watched is None or not self._camera.begun:
            self._watched = frame.at, state
        since, then = self._watched
        return frame.at - since > COVERED and state != then

    def _blind(self, frame: Frame, seen: Reading, felt: Reading) -> bool:
        """Tell whether the camera sees nothing of the table, though no hand may be over it."""
        if seen.still or not felt.still:
            self._unseen = frame.at
        return (
            frame.image is None
            or bool(seen.message and not seen.still)
            or (frame.at - self._unseen > COVERED)
        )

    def _sight(self, spots: frozenset[str]) -> Seen | None:
        return self._camera.sight(spots) if self._sees else None

    def _alone(self, eye: Reader[S] | SensorReader[S], reading: Reading, why: str) -> Reading:
        """Return what one eye reads while the other is away, and say so."""
        self._told, self._since = eye, {}
        return replace(reading, message=reading.message or why)

    def _judged(
        self, frame: Frame, seen: Reading, felt: Reading, past: Sequence[S], taken: bool
    ) -> Reading:
        """Return what both say about one frame; the board feels what was ``taken`` to be seen."""
        self._told = self._sensors
        if felt.steps or not seen.still:
            return felt
        self._told = self._camera
        if not self._camera.begun or seen.set_up is not None:
            return seen
        if taken:
            return seen
        if seen.asks:
            return self._narrowed(seen, felt, past)
        if felt.asks:
            self._told = self._sensors
            return felt
        return self._contradiction(frame, seen, felt)

    def _contradicted(self, table: Mapping[str, str]) -> set[str]:
        """Return the spots where the board feels something else than lies there by ``table``."""
        occupied, tokens = map(str, self._sensed.occupied), self._sensed.tokens
        known = {str(spot): token for spot, token in (tokens or {}).items()}
        felt = Felt(self._game, frozenset(occupied), known, tokens is not None)
        return {s for s in self.board if not felt.shows(s, table.get(s))} - self._broken

    def _feels(self, seen: Reading, before: Belief[S]) -> bool:
        """Tell whether the board feels something just where the camera sees it, and felt something
        lifted wherever the camera cannot tell what came from what lay there ``before``. Of what
        happened while the board said nothing it need not have felt that."""
        there, was = dict(seen.position or {}), before.table
        if self._contradicted(there):
            return False
        ends = {str(step.action.target) for step in seen.steps} & there.keys() & was.keys()
        kept = ends - self._broken - self._sensors.lifted(self._sensed)
        return self._deaf or all(self._told_apart(s, was[s], there[s]) for s in kept)

    def _told_apart(self, spot: str, one: str, other: str) -> bool:
        sight = self._camera.sight(frozenset({spot}))
        return one == other or (sight is not None and sight.told_apart(one, other))

    def _narrowed(self, seen: Reading, felt: Reading, past: Sequence[S]) -> Reading:
        """Return the camera's question without what the board contradicts."""
        if not felt.still:
            return felt
        fitting = tuple(steps for steps in seen.asks if self._allows(steps, past[-1]))
        if len(fitting) == 1:
            return replace(seen, steps=fitting[0], asks=(), message="")
        return replace(seen, asks=fitting or seen.asks)

    def _allows(self, steps: Sequence[Step], state: S) -> bool:
        """Tell whether the board feels what ``steps`` lead to; if not all are legal, it may."""
        if not all(step.legal for step in steps):
            return True
        for step in steps:
            state = self._game.advance(state, step.action)
        return not self._contradicted(self._game.expect(state))

    def _contradiction(self, frame: Frame, seen: Reading, felt: Reading) -> Reading:
        """Return what is to be said where nothing is told: that the eyes contradict each other, if
        they do. A sensor that the camera contradicts for long, and nothing else does, is broken."""
        there, known = dict(seen.position or {}), self._sensed.tokens or {}
        spots = self._contradicted(there) if felt.still and not seen.lifted else set()
        others = {spot for spot in spots if spot in there and spot in known}
        if not all(self._told_apart(s, there[s], known[s]) for s in others - set(seen.differs)):
            self._told = self._sensors
            return felt
        spots -= others & set(seen.differs)  # both say so
        self._since = {spot: self._since.get(spot, frame.at) for spot in spots}
        calm = not (seen.steps or seen.differs or seen.lifted)
        broken = {s for s, since in self._since.items() if frame.at - since >= CONTRADICTED}
        if calm and broken:
            self._broken |= broken
        shown = replace(seen, steps=(), instead=None)
        if left := tuple(sorted(spots - self._broken)):
            said = say("camera and sensors contradict each other about {spots}", spots=left)
            asks = (seen.steps,) if seen.steps and all(s.legal for s in seen.steps) else ()
            return replace(shown, differs=left, asks=asks, message=said)
        if self._broken and not seen.message:
            spots_ = tuple(sorted(self._broken))
            said = say("the sensors of {spots} are not believed: the camera decides", spots=spots_)
            return replace(shown, message=said)
        return felt if seen.steps else shown

    def _mended(self, sensed: Sensed) -> Sensed:
        """Return what was ``sensed``, by what is believed where a sensor is broken."""
        if not (broken := self._broken):
            return sensed
        table = self._camera.belief.table
        tokens = sensed.tokens
        if tokens is not None:
            kept = {spot: token for spot, token in tokens.items() if spot not in broken}
            tokens = kept | {spot: token for spot, token in table.items() if spot in broken}
        return Sensed(
            (sensed.occupied - broken) | (broken & table.keys()), sensed.left - broken, tokens
        )
