"""Evenings of Invictus: dice of many colours and sizes with pips on their sides, set up anyhow."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.games.invictus import geometry
from companion.games.invictus.game import Invictus
from companion.games.invictus.state import InvictusState
from companion.rules import Drawing, Game, Setup, Stroke
from companion.simulation import render
from companion.simulation.ink import Model, fill, fixed
from companion.simulation.recorded_game import RecordedScene
from tests.checks import evenings
from tests.checks.evenings import Evening, Plan
from vision.board.optics import CameraView

Colour = tuple[int, int, int]
PALETTES: tuple[tuple[Colour, Colour, Colour, Colour], ...] = (
    ((29, 29, 31), (247, 247, 242), (244, 241, 232), (21, 21, 21)),
    ((176, 24, 30), (250, 250, 250), (30, 60, 150), (250, 250, 250)),
    ((20, 110, 50), (245, 245, 240), (240, 220, 60), (20, 20, 20)),
    ((28, 28, 30), (220, 30, 40), (240, 238, 230), (200, 20, 30)),
    ((60, 30, 90), (235, 190, 60), (230, 225, 210), (20, 40, 140)),
    ((110, 70, 40), (245, 235, 215), (225, 205, 165), (60, 30, 15)),
    ((20, 40, 90), (240, 240, 240), (150, 30, 40), (240, 240, 240)),
    ((210, 100, 20), (10, 10, 10), (90, 170, 210), (10, 10, 10)),
    ((70, 72, 75), (245, 245, 245), (190, 192, 196), (15, 15, 15)),
    ((29, 29, 31), (247, 247, 242), (250, 250, 250), (20, 20, 200)),
)
"""Black's body and pips, White's body and pips (red, green, blue)."""
_SIDES = {1: (2, 3, 5, 4), 2: (1, 3, 6, 4), 3: (1, 2, 6, 5), 4: (1, 2, 6, 5), 5: (1, 3, 6, 4),
          6: (2, 3, 5, 4)}  # fmt: skip
"""Values round about for each on top."""


@dataclass(frozen=True)
class DiceStyle:
    """The dice of one evening: colours, side and bevel in millimetres, how far the pips stand
    apart (of half a side) and their radius (of a side), and how far dice are turned at most."""

    palette: tuple[Colour, Colour, Colour, Colour]
    side: float
    bevel: float
    spread: float
    pip: float
    turned: float

    def colours(self, token: str) -> tuple[Colour, Colour]:
        """Return the colours of body and pips."""
        mine = self.palette[2:] if token.startswith("white") else self.palette[:2]
        return mine[0], mine[1]


def dice_style(seed: int) -> DiceStyle:
    """Return the dice of the evening with this seed."""
    chance = random.Random(f"dice {seed}")
    side = chance.uniform(14.5, 18.5)
    return DiceStyle(
        PALETTES[seed % len(PALETTES)], side, side * chance.uniform(0.06, 0.14),
        chance.uniform(0.46, 0.56), chance.uniform(0.085, 0.12), chance.choice((5, 15, 30, 45)),
    )  # fmt: skip


def dice_game(style: DiceStyle, seed: int) -> Game[InvictusState]:
    """Return Invictus with such dice, set up in the way that belongs to ``seed``."""
    chance = random.Random(f"set-up {seed}")
    rows = {seat: chance.sample([*range(1, 7)] * 3, 18) for seat in (0, 1)}

    def draw(self: Invictus, setup: Setup, token: str) -> Drawing:
        return _drawn(style, token)

    def start(self: Invictus, setup: Setup) -> InvictusState:
        board = [0] * 81
        for seat, values in rows.items():
            for space, value in zip(geometry.FIRST_SPACES[seat], values, strict=True):
                board[space] = geometry.sign(seat) * value
        return InvictusState(setup, tuple(board))

    kind: Any = type("DiceInvictus", (Invictus,), {"draw": draw, "start": start})
    game: Game[InvictusState] = kind()
    return game


def _drawn(style: DiceStyle, token: str) -> Drawing:
    body, ink = style.colours(token)
    half, side = style.side / 2, style.side
    corners = []
    for x, y in ((-half, -half), (half, -half), (half, half), (-half, half)):
        inner_x = math.copysign(half - style.bevel, x)
        inner_y = math.copysign(half - style.bevel, y)
        pair = [(x, inner_y), (inner_x, y)]
        corners += pair if x * y > 0 else pair[::-1]
    pips = [
        geometry._disc(
            x * half * style.spread, y * half * style.spread, side * style.pip, _css(ink)
        )
        for x, y in geometry._PIPS[abs(geometry.die_of(token))]
    ]
    edge = tuple(int(0.7 * v) for v in body)
    return Stroke(tuple(corners), _css(body), _css(edge), 0.3), *pips


def _css(colour: tuple[int, ...]) -> str:
    return "#" + bytes(colour).hex()


class DicePainter(render.Painter):
    """Paints the pips on the sides of dice too."""

    style: DiceStyle

    def model(self, token: str) -> Model:
        """Return the prism, which remembers whose die it is."""
        model = super().model(token)
        model.token = token  # type: ignore[attr-defined]
        return model

    def _draw_prism(self, canvas, mask, model, points, origin, ground):  # type: ignore[no-untyped-def]
        super()._draw_prism(canvas, mask, model, points, origin, ground)
        token = getattr(model, "token", None)
        if token is None:
            return
        rim, value = points[:8], abs(geometry.die_of(token))
        way = np.roll(rim, -1, 0) - rim
        long = sorted(np.argsort(-np.hypot(*way.T))[:4])
        for side, k in enumerate(long):
            ends = rim[k], rim[(k + 1) % 8]
            if self._faces_us(ends, rim, model.height, ground):
                for x, y in geometry._PIPS[_SIDES[value][side]]:
                    self._side_pip(canvas, model, ends, (x, y), origin, ground)

    def _faces_us(self, ends, rim, height, ground):  # type: ignore[no-untyped-def]
        a, b = ends
        wall = np.vstack(
            [self.optics.project([a, b], ground), self.optics.project([b, a], ground + height)]
        )
        top = self.optics.project([rim[0], rim[2], rim[5]], ground)
        return _area(wall) * _area(top) > 0

    def _side_pip(self, canvas, model, ends, place, origin, ground):  # type: ignore[no-untyped-def]
        style, (a, b) = self.style, ends
        half, along = model.height / 2, (b - a) / np.hypot(*(b - a))
        turns, radius = np.linspace(0, 2 * np.pi, 10, endpoint=False), style.pip * style.side
        across = place[0] * half * style.spread + radius * np.cos(turns)
        up = half + place[1] * half * style.spread + radius * np.sin(turns)
        ring = self.optics.project((a + b) / 2 + np.outer(across, along), ground + up)
        ink = tuple(int(0.7 * v) for v in style.colours(model.token)[1][::-1])
        fill(canvas, fixed(ring, origin, self._fine), ink)


def _area(points: Any) -> float:
    following = np.roll(points, -1, 0)
    return float((points[:, 0] * following[:, 1] - points[:, 1] * following[:, 0]).sum())


class DiceEvening(Evening):
    """An evening of Invictus.

    Beside the troubles of all evenings a die is turned over by accident, a captured die is put
    back late, or with a wrong value that is then mended; ``truth.trouble`` begins with that.
    """

    def __init__(self, plan: Plan) -> None:
        self.dice = dice_style(plan.seed)
        super().__init__(dice_game(self.dice, plan.seed), replace(plan, art="own"))
        table, chance = self.camera.table, random.Random(f"turns {plan.seed}")
        put_down, most = table._down, self.dice.turned

        def down(token: str, turn: float = 0.0) -> Any:
            return replace(put_down(token, turn), turn=chance.uniform(-most, most))

        table._down = down  # type: ignore[method-assign]
        table._pieces = {
            spot: replace(piece, turn=chance.uniform(-most, most))
            for spot, piece in table._pieces.items()
        }
        self.camera._shown = table.pieces
        painter = self.camera._painter
        painter.__class__ = DicePainter
        painter.style = self.dice  # type: ignore[attr-defined]

    def _view(self, chance: random.Random, marks: str) -> CameraView:
        return replace(evenings.pose(chance, self.size, marks), thickness=self.dice.side)

    def describe(self) -> str:
        """Return what is special about this evening."""
        dice = self.dice
        return f"{super().describe()} dice {dice.side:.1f} mm, {PALETTES.index(dice.palette)}"

    def _one(self) -> RecordedScene:
        """Return the scene of one move; a captured die is put back at once."""
        does: tuple[str, ...] = ()
        events: tuple[Any, ...] = ()
        while legal := self.game.legal(self._play.state):
            scene = self._act(self._choose(legal))
            does += scene.does
            events += scene.events
            if events and not self._play.state.pending:
                break
        return RecordedScene(does, _told(events))

    def _act(self, action: Any) -> RecordedScene:
        self._past.append((self._play.state, action))
        return self._play.play(action)

    def _turn(self) -> Iterator[tuple[RecordedScene, str]]:
        roll = self._chance.random()
        if self.plan.trouble and roll < 0.04:
            spot = self._chance.choice(list(self._play.lying))
            token = self._play.lying[spot]
            yield RecordedScene((f"flip {spot} {self._another(token)}",)), "turned die"
            yield RecordedScene((f"flip {spot} {token}",)), "turned back"
            return
        if self.plan.trouble and roll < 0.16:
            state = self._play.state
            captures = [a for a in self.game.legal(state) if a.verb == "move"
                        and abs(state.board[geometry.INDEX[a.target]]) > 1]  # fmt: skip
            if captures:
                yield from self._slowly(self._chance.choice(captures))
                return
        yield from super()._turn()

    def _slowly(self, capture: Any) -> Iterator[tuple[RecordedScene, str]]:
        """Capture, and put the captured die back late or with a wrong value."""
        chance, taken = self._chance, self._act(capture)
        if chance.random() < 0.35:
            yield taken, "captured only"
            back = self._act(chance.choice(self.game.legal(self._play.state)))
            yield replace(back, events=()), "put back later"
            return
        place = chance.choice(self.game.legal(self._play.state))
        both = self._act(place)
        token = self.game.expect(self._play.state)[place.target]
        wrong = f"put {place.target} {self._another(token)}"
        events = _told((*taken.events, *both.events))
        yield RecordedScene((*taken.does, wrong), events), "wrong value"
        yield RecordedScene((f"flip {place.target} {token}",)), "value mended"

    def _another(self, token: str) -> str:
        colour, value = token.split()
        return f"{colour} {self._chance.choice([v for v in range(1, 7) if v != int(value)])}"


def _told(events: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the events with each die put back as a part of the capture before it."""
    told: list[Any] = []
    for event in events:
        if event["from"] is None and told:
            told[-1] = {**told[-1], "returned": [event["to"]]}
        else:
            told.append(event)
    return tuple(told)
