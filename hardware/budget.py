"""How much current a table's lights draw, strip by strip: an estimate before anything is built."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.rules import Game, Setup
from hardware.animation import animate
from hardware.lights import LightFrame, Moment, lights
from hardware.settings import LightSettings
from hardware.strip import CHANNEL_MA, IDLE_MA, current_ma
from hardware.wiring import Wiring

SPARE = 1.25
"""Factor by which a supply should be able to give more than it is asked for."""


@dataclass(frozen=True, slots=True)
class CurrentBudget:
    """What one strip draws, in milliampere: dark, in the brightest frame that a game begins
    with, all white, and what it is limited to. ``supply_a`` is the supply to buy, in ampere."""

    leds: int
    idle: float
    brightest: float
    white: float
    limit: float

    @property
    def supply_a(self) -> float:
        """Return what the supply should give, in ampere."""
        return SPARE * min(self.white, max(self.limit, self.idle)) / 1000


def budgets(
    game: Game[Any], setup: Setup, wiring: Wiring, settings: LightSettings | None = None
) -> tuple[CurrentBudget, ...]:
    """Return the budget of every strip of ``wiring`` under the board of ``game``."""
    share = (settings or LightSettings()).share(12 * 60)
    frames = list(_frames(game, setup))
    found, first = [], 0
    for part in wiring.parts:
        cut = slice(first, first + part.count)
        brightest = max(_most(frame, wiring, cut, share) for frame in frames)
        idle, white = part.count * IDLE_MA, part.count * (IDLE_MA + 3 * CHANNEL_MA)
        found.append(CurrentBudget(part.count, idle, brightest, white, part.limit_ma))
        first += part.count
    return tuple(found)


def _frames(game: Game[Any], setup: Setup) -> Iterable[LightFrame]:
    state = game.start(setup)
    standing = tuple(game.expect(state))
    yield lights(game, state, Moment(missing=standing))
    yield lights(game, state, Moment(wrong=standing))
    yield lights(game, state, Moment())
    for lifted in {action.origin for action in game.legal(state) if action.origin}:
        yield lights(game, state, Moment(lifted=lifted))


def _most(frame: LightFrame, wiring: Wiring, cut: slice, share: float) -> float:
    """Return what a part draws while every effect is at its brightest."""
    animation = animate(frame, wiring)
    strip = np.zeros((wiring.count, 3))
    strip[animation.leds] = animation.colours * share
    return current_ma(np.rint(strip[cut]).astype(np.uint8))
