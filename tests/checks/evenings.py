"""Evenings at the simulated table: random games with random trouble, and what really happened."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.rules import Action, BadInput, Game, Setup
from companion.simulation.recorded_game import RecordedScene, perform
from companion.simulation.screenplay import Screenplay, refused
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable, Troubles
from companion.simulation.troubles import Colour, random_troubles
from tests.checks.carved import CARVED, standing
from tests.checks.repainted import STYLES, repainted
from vision.board.optics import CameraView, fit_view
from vision.frames import Frame
from vision.pictures import to_jpeg

SIZES = ((1640, 1232), (1280, 960), (640, 480))


@dataclass
class Truth:
    """What really is so in one frame: ``kind`` is still, hand, spoilt (torn, lost) or covered
    (something was left on the board)."""

    frame: str
    kind: str
    events: list[Mapping[str, Any]]
    position: dict[str, str]
    trouble: str


@dataclass
class Plan:
    """What an evening is like; the same ``seed`` gives the same evening."""

    seed: int
    size: tuple[int, int] | None = None
    marks: str | None = None
    art: str | None = None
    trouble: bool = True


class Evening:
    """A game in play before a simulated camera: a :class:`vision.frames.Source`.

    ``truth`` tells of the frame read last, ``coming`` what the next still will show, ``actions``
    how many moves of tokens were shown so far.
    """

    def __init__(self, game: Game[Any], plan: Plan) -> None:
        chance = random.Random(plan.seed)
        self.plan, self._chance = plan, chance
        self.art = plan.art or chance.choice(STYLES)
        self.game = repainted(game, self.art)
        self.setup = _some_seats(self.game, chance)
        state = game.start(self.setup)
        self._play = Screenplay(self.game, state)
        self._past: list[tuple[Any, Action]] = []
        self.size = plan.size or chance.choice(SIZES)
        ways = ("markers", "taps", *(["corners"] if game.board(self.setup).corners else []))
        marks = plan.marks or chance.choice(ways)
        view = self._view(chance, marks)
        if self.art == CARVED:
            view = standing(view, game.board(self.setup))
        table = SimulatedTable(
            self.game, self.setup, game.expect(state), seed=plan.seed,
            tidy=chance.uniform(0.1, 0.9) if plan.trouble else 0.8,
        )  # fmt: skip
        self._glow: dict[str, Colour] = {}
        calm = random_troubles(chance) if plan.trouble else Troubles()
        self._troubles = _for_size(calm, self.size)
        if plan.trouble:
            self._troubles = replace(self._troubles, beside=chance.choice((0, 0, 4)))
        self.camera = SimulatedCamera(
            table, fit_view(table.board, view), self._troubles, seed=plan.seed,
            clock=lambda: 0.0, glow=lambda at: self._glow,
        )  # fmt: skip
        self._lazy = chance.random() < 0.3
        self._late: list[str] = []
        self._frames = self._shown()
        self.truth = Truth("", "still", [], {}, "")
        self.coming: list[Mapping[str, Any]] = []
        self.actions = 0
        self.state = state
        self._log: list[Truth] = []
        self._images: list[Any] = []

    def read(self) -> Frame | None:
        """Return the next frame and set ``truth``."""
        return next(self._frames, None)

    def close(self) -> None:
        """Nothing has to be given back."""

    def _view(self, chance: random.Random, marks: str) -> CameraView:
        """Return where the camera stands."""
        return pose(chance, self.size, marks)

    def describe(self) -> str:
        """Return what is special about this evening."""
        view = self.camera.view
        return (
            f"{len(self.setup.seats)} seats, {self.size[0]}x{self.size[1]}, {view.marks}, "
            f"art {self.art}, tilt {view.tilt:.0f}, turn {view.turn:.0f}, lens {view.lens:.2f}, "
            f"{self._troubles}"
        )

    # -- frames ----------------------------------------------------------------------

    def _shown(self) -> Iterator[Frame]:
        for scene, trouble in self._scenes():
            self.coming = list(scene.events)
            if scene.troubles:
                self.camera.troubles = scene.troubles
            frame = None
            for line in scene.does:
                perform(self.camera.table, line)
                frame = self.camera.read()
                while self.camera.hand_in_view or self.camera.busy:
                    # A hand out of the picture cannot be told, nor that it holds a token.
                    if line.startswith("move") and self.camera.hand_in_view:
                        yield self._with_truth(frame, "hand", [], trouble)
                    frame = self.camera.read()
            frame = frame or self.camera.read()
            troubles = self.camera.troubles
            if troubles.torn or troubles.lost:
                self.camera.troubles = replace(troubles, torn=0.0, lost=0.0)
                yield self._with_truth(frame, "spoilt", [], trouble)
                frame = self.camera.read()
            self.actions += len(scene.events)
            left = troubles.cup or troubles.phone or troubles.paper or troubles.resting
            kind = "covered" if left else "still"
            yield self._with_truth(frame, kind, list(scene.events), trouble)

    def _with_truth(
        self, frame: Frame | None, kind: str, events: list[Mapping[str, Any]], trouble: str
    ) -> Frame:
        assert frame is not None
        self.truth = Truth(frame.name, kind, events, self.camera.position, trouble)
        return frame

    def save(self, folder: Path, frame: Frame) -> None:
        """Write the frame read last, and the truth so far, as a recording that can be replayed."""
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{frame.name}.jpg"
        data = b"" if frame.image is None else to_jpeg(frame.image, 95)
        (folder / name).write_bytes(data)
        self._log.append(replace(self.truth, frame=name))
        if len(self._log) == 1:
            (folder / "table.json").write_text(json.dumps(self.camera.table_file()))
        told = [vars(truth) for truth in self._log]
        (folder / "truth.json").write_text(json.dumps(told, indent=1))

    # -- scenes ----------------------------------------------------------------------

    def _scenes(self) -> Iterator[tuple[RecordedScene, str]]:
        yield RecordedScene(troubles=self._troubles), "set-up"
        chance = self._chance
        while self.game.legal(self._play.state):
            what = self._happening() if self.plan.trouble and chance.random() < 0.3 else ""
            scenes = list(self._turn())
            for scene, trouble in scenes:
                yield (
                    replace(scene, does=(*self._late_lines(), *scene.does),
                            troubles=self._troubles),
                    f"{trouble} {what}".strip(),
                )  # fmt: skip
                self._troubles = replace(self._troubles, torn=0.0, lost=0.0)
            if self.plan.trouble and chance.random() < 0.2:
                yield self._idle()
                self._troubles = replace(self._troubles, torn=0.0, lost=0.0)
            if self.plan.trouble and chance.random() < 0.04:
                yield from self._left_lying()

    def _late_lines(self) -> list[str]:
        late, self._late = self._late, []
        lying = self.camera.table.position
        return [line for line in late if line.split()[1] in lying]

    def _turn(self) -> Iterator[tuple[RecordedScene, str]]:
        """Yield a refused move and its take-back, moves taken back, or some moves on."""
        chance, roll = self._chance, self._chance.random()
        wrong = refused(self.game, self._play.state, chance) if roll < 0.1 else None
        if wrong is not None and not self._second_thought(wrong):
            first, second = self._play.cheat(wrong)
            yield first, "refused"
            yield second, "put back"
            return
        if roll < 0.16 and self._past:
            yield self._taken_back(), "taken back"
            return
        if roll < 0.28:
            yield self._several(), "several"
            return
        yield self._one(), "move"

    def _second_thought(self, wrong: Action) -> bool:
        """Tell whether a refused move looks as if the last move was only put right, or is seen as
        two lawful ones of the same piece."""
        game, state = self.game, self._play.state
        for first in game.legal(state):
            if first.origin == wrong.origin and first.target is not None:
                then = Action("move", first.target, wrong.target)
                if then in game.legal(game.apply(state, first)):
                    return True
        for before, last in reversed(self._past):
            if last.target is not None:
                other = replace(last, target=wrong.target)
                return wrong.origin == last.target and other in self.game.legal(before)
        return False

    def _one(self) -> RecordedScene:
        """Return the scene of one visible move, with what was spoken before it."""
        does: list[str] = []
        while legal := self.game.legal(self._play.state):
            action = self._choose(legal)
            self._past.append((self._play.state, action))
            scene = self._play.play(action)
            does += scene.does
            if action.target is not None:
                return replace(scene, does=tuple(self._maybe_late(does)))
        return RecordedScene(tuple(does))

    def _several(self) -> RecordedScene:
        """Return two or three moves before one still; none goes on from where another ended."""
        does: list[str] = []
        events: list[Mapping[str, Any]] = []
        left: set[str] = set()
        for _ in range(self._chance.choice((2, 2, 3))):
            saved, lying = self._play.state, dict(self._play.lying)
            length, late = len(self._past), self._late
            scene = self._one()
            touched = [e["from"] for e in scene.events] + [e["to"] for e in scene.events]
            touched += [spot for e in scene.events for spot in e.get("returned", ())[:1]]
            if left & set(touched):
                self._play.state, self._play.lying, self._late = saved, lying, late
                del self._past[length:]
                break
            left |= set(touched)
            does += scene.does
            events += scene.events
        return RecordedScene(tuple(does), tuple(events))

    def _taken_back(self) -> RecordedScene:
        does: list[str] = []
        events: list[Mapping[str, Any]] = []
        count = self._chance.choice((1, 1, 1, 2, 3))
        while self._past and count:
            before, action = self._past.pop()
            scene = self._play.take_back(before, action)
            does += scene.does
            events += scene.events
            count -= bool(scene.events)
        return RecordedScene(tuple(does), tuple(events))

    def _maybe_late(self, does: list[str]) -> list[str]:
        """Put off turning tokens round until the next move where the players are lazy."""
        if not self._lazy:
            return does
        self._late = [line for line in does if line.startswith("flip") and "frozen" in line]
        return [line for line in does if line not in self._late]

    def _choose(self, legal: Any) -> Action:
        """Prefer captures, by pieces that captured before too, so that games come to something."""
        chance, position = self._chance, self.game.expect(self._play.state)
        visible = [a for a in legal if a.target is not None]
        if not visible or (len(visible) < len(legal) and chance.random() < 0.3):
            return chance.choice([a for a in legal if a.target is None])
        takes = [a for a in visible if a.origin and a.target in position]
        if takes and chance.random() < 0.75:
            return chance.choice(takes)
        return chance.choice(visible)

    # -- trouble ---------------------------------------------------------------------

    def _happening(self) -> str:
        """Let something happen to light or camera; return what."""
        chance, now = self._chance, self._troubles
        scale = self.size[0] / 1640
        what = chance.choice(("lamp", "warm", "shadow", "no shadow", "bump", "shove", "torn",
                              "lost", "leds", "dark leds", "sun", "kick", "twist"))  # fmt: skip
        if what == "lamp":
            now = replace(now, lamp=chance.uniform(0.5, 1.05))
        elif what == "warm":
            now = replace(now, warmth=chance.uniform(0.0, 0.7))
        elif what in ("shadow", "no shadow"):
            now = replace(now, shadow=chance.uniform(0.1, 0.4) if what == "shadow" else 0.0)
        elif what == "bump":
            bump = chance.uniform(-25, 25) * scale, chance.uniform(-25, 25) * scale
            now = replace(now, bump_px=bump)
        elif what == "shove":
            shove = chance.uniform(-10, 10), chance.uniform(-10, 10), chance.uniform(-2, 2)
            now = replace(now, bump_mm=shove)
        elif what == "kick":
            far = 1.2 * self.camera.table.board.pitch
            kick = chance.uniform(-far, far), chance.uniform(-far, far), chance.uniform(-6, 6)
            now = replace(now, bump_mm=kick)
        elif what == "twist":
            now = replace(now, bump_turn=chance.uniform(-3, 3))
        elif what in ("torn", "lost"):
            now = replace(now, **{what: 1.0})
        elif what == "leds":
            self._light_some()
        elif what == "dark leds":
            self._glow.clear()
        else:
            now = replace(now, gradient=chance.uniform(0.0, 0.4))
        self._troubles = now
        return what

    def _idle(self) -> tuple[RecordedScene, str]:
        """Return a still in which no token is moved to another spot."""
        chance = self._chance
        if chance.random() < 0.5:
            spot = chance.choice(list(self._play.lying))
            far, way = 0.2 * self.camera.table.board.pitch, chance.uniform(0, 2 * math.pi)
            dx, dy = far * math.cos(way), far * math.sin(way)
            turn = chance.uniform(-20, 20)
            line = f"nudge {spot} {dx:.1f} {dy:.1f} {turn:.0f}"
            return RecordedScene((*self._late_lines(), line), troubles=self._troubles), "nudge"
        what = self._happening()
        return RecordedScene(tuple(self._late_lines()), troubles=self._troubles), f"idle {what}"

    def _left_lying(self) -> Iterator[tuple[RecordedScene, str]]:
        """Yield two stills in which something lies on the board, and one after it is gone."""
        chance = self._chance
        thing = chance.choice(("cup", "phone", "paper", "resting"))
        spot = chance.choice(list(self.camera.table.board))
        laid = replace(self._troubles, **{thing: spot})
        yield RecordedScene(troubles=laid), thing
        yield RecordedScene(troubles=laid), thing
        yield RecordedScene(troubles=self._troubles), f"no {thing}"

    def _light_some(self) -> None:
        chance = self._chance
        targets = [a.target for a in self.game.legal(self._play.state) if a.target]
        colour = chance.choice(((0, 255, 0), (255, 160, 0), (255, 255, 255), (0, 80, 255)))
        some = chance.sample(targets, min(len(targets), chance.randint(1, 10)))
        self._glow.clear()
        self._glow.update(dict.fromkeys(some, colour))


def _some_seats(game: Game[Any], chance: random.Random) -> Setup:
    """Return a set-up with some seats in play, in an order that the game takes."""
    for _ in range(20):
        count = chance.choice((2, 3, 4, 6))
        if count >= len(game.seats):
            break
        chosen = sorted(chance.sample(game.seats, count), key=game.seats.index)
        try:
            return game.setup(chosen)
        except BadInput:
            continue
    return game.setup()


def pose(chance: random.Random, size: tuple[int, int], marks: str) -> CameraView:
    """Return a camera somewhere above the board, over some table."""
    return CameraView(
        image_size=size,
        tilt=chance.uniform(0.0, 38.0),
        turn=chance.uniform(-25.0, 25.0),
        roll=chance.uniform(-4.0, 4.0),
        lens=chance.uniform(0.7, 1.4),
        distortion=chance.uniform(-0.12, 0.03),
        marks=marks,
        mat=chance.choice(("#474543", "#2d4a35", "")),
        table=chance.choice(("#8a5f43", "#d8c8a8", "#3b3a3c", "#9aa4ac")),
    )


def _for_size(troubles: Troubles, size: tuple[int, int]) -> Troubles:
    """Scale what is counted in pixels: a small picture of a lens is no less sharp a lens. Two
    hand frames a gesture show the hand over the board; in more it is on its way."""
    blur = max(0.3, troubles.blur * size[0] / 1640)
    return replace(troubles, blur=blur, hand_frames=min(2, troubles.hand_frames))
