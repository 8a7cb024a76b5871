"""Men without faces: what changed, whether a spot is bare, and whose man stands on it.

Chessmen look different from every side and on every spot, and eight of them are the same. What a
camera does see is that a spot changed, that it is bare, and the colour of the man's body. The rules
know the rest. A change or presence of 1 is what a man makes who comes or goes; errors are 0 for a
perfect fit and 1 for none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from companion.rules import Board
from vision.board.ground import Ground, bare_ground, worst
from vision.board.raster import Floats
from vision.tokens.observe import CLEAR, Looks, Token

WEIGHT = 0.6
"""Error for a spot that changed as much as when a man comes or goes."""
FAINT = 0.5
"""Share of the usual change that a man makes at least on a spot of that shade."""
THIN = 0.12
"""Error for a man of whom hardly anything is seen."""
BESIDE = 0.75
"""Share of a bare spot's change that is no neighbour's shadow, at least."""
FOREIGN = 0.28
"""Error for a man of the wrong colour. It decides between two readings but rules nothing out, for
men have a light and a shadowed side."""
GONE, UNLIKE, LEFT = 0.6, 0.4, 0.27
"""Change from which on a spot may have lost its man (GONE), also one that was never seen bare
(UNLIKE), and the error of taking it for bare in that case (LEFT)."""
PUSH, PUSHED = 2, 0.1
"""Raster points by which a man may have been pushed aside, and the error that this adds to the
difference that remains."""
SLACK = 0.2
"""Change that does not count where a man stands, for he is never pushed by whole raster points
only."""
OTHER = 0.5
"""Error for another man of the same colour on a spot that did not change."""
NOISE = 0.2
"""Least deviation of a body's colour, in natural logarithms of light."""
LEAST = 0.12
"""Natural logarithm of light by which even a man of the colour of his spot changes it."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The colour of a side's men: mean and deviation in logarithms of light, per channel."""

    tone: Floats
    spread: Floats

    def off(self, tone: Floats) -> float:
        """Return minus twice the logarithm of the likelihood of the colour ``tone``."""
        return float((((tone - self.tone) / self.spread) ** 2 + 2 * np.log(self.spread)).mean())


class Bodies:
    """What bare spots and men look like in the light of the ``reference`` picture.

    ``table`` says what stands where in it, ``look`` which body a token has.
    """

    def __init__(
        self, board: Board, ground: Ground, look: Looks, reference: Floats, table: Mapping[str, str]
    ) -> None:
        self._board, self._ground, self._look = board, ground, look
        self._index = {name: i for i, name in enumerate(ground.names)}
        self.reference = reference
        self.bare = bare_ground(board, ground, reference, table)
        self._present = self._ground.amounts(reference - self.bare)
        self._guessed = set(table)
        self._rough = self._roughness(table)
        tones = ground.tones(reference)
        self._bodies, self._shows = self._learn(table, tones)

    def _learn(
        self, table: Mapping[str, str], tones: Floats
    ) -> tuple[dict[str, Body], dict[tuple[str, str], float]]:
        """Learn each body's colour, and how much it usually changes a bare spot of each shade."""
        found: dict[str, list[int]] = {}
        for spot, token in table.items():
            found.setdefault(self._look(token).body, []).append(self._index[spot])
        bodies, shows = {}, {}
        for body, some in found.items():
            mean = np.median(tones[some], 0)
            spread = 1.5 * np.median(np.abs(tones[some] - mean), 0) + NOISE
            bodies[body] = Body(mean, spread)
            shows[body, ""] = float(np.median(self._present[some]))
            for shade in {spot.shade for spot in self._board.spots.values()}:
                on = [i for i in some if self._board[self._ground.names[i]].shade == shade]
                if on:
                    shows[body, shade] = float(np.median(self._present[on]))
        return bodies, shows

    def expected(self, spot: str, token: Token) -> float:
        """Return the change of ``spot``, on which ``token`` is believed, when a man comes, goes or
        is captured there: at least half of what is usual."""
        usual = min(self.usual(body, spot) for body in self._bodies) if self._bodies else 0.3
        if token is None:
            return usual
        usual = self.usual(self._look(token).body, spot)
        return max(FAINT * usual, min(usual, float(self._present[self._index[spot]])))

    def _roughness(self, table: Mapping[str, str]) -> float:
        """Return how far the guess at a bare spot is off, as bare spots show."""
        guess = bare_ground(self._board, self._ground, self.reference, table, own=False)
        off = self._ground.amounts(self.reference - guess)
        bare = [index for spot, index in self._index.items() if spot not in table]
        return float(np.percentile(off[bare], 80)) if bare else 0.0

    def guessed(self, spot: str) -> bool:
        """Tell whether ``spot`` was never seen bare, so that its bare look is a guess."""
        return spot in self._guessed

    def emptiness(self, spot: str, token: str, amount: float) -> float:
        """Return 0 if ``spot``, believed to hold ``token``, differs by so small an ``amount`` from
        its bare look that it is bare, up to 1 if it holds a man. Where the bare look is a guess,
        the usual error of guesses does not count."""
        slack = self._rough if spot in self._guessed else 0.0
        whole = self.expected(spot, token)
        return max(0.0, amount - slack) / max(whole - slack, FAINT * whole)

    def visible(self, spot: str, token: str) -> float:
        """Return by how much ``spot`` differs from a bare one, 1 (the most) as much as ``token``
        makes it."""
        amount = float(self._present[self._index[spot]])
        return min(1.0, amount / self.usual(self._look(token).body, spot))

    def usual(self, body: str, spot: str) -> float:
        """Return by how much a man of ``body`` usually changes the bare ``spot``."""
        every = self._shows.get((body, ""), 0.3)
        return max(0.05, self._shows.get((body, self._board[spot].shade), every))

    def whose(self, tone: Floats) -> dict[str, float]:
        """Return the probability of each body for a man of colour ``tone``."""
        off = {name: body.off(tone) for name, body in self._bodies.items()}
        least = min(off.values(), default=0.0)
        weight = {name: float(np.exp(-0.5 * (value - least))) for name, value in off.items()}
        total = sum(weight.values())
        return {name: value / total for name, value in weight.items()}

    def pushed(self, spot: str, even: Floats) -> float:
        """Return by how much ``spot`` in the picture ``even`` differs from the man on it in the
        reference, wherever near he was pushed; 1 is as much as he differs from the bare spot."""
        ground, index = self._ground, self._index[spot]
        man = ground.windows(self.reference, index, 0)
        whole = float(worst(man - ground.windows(self.bare, index, 0)).mean())
        off = worst(ground.windows(even, index, PUSH) - man).mean(1)
        return float(off.min()) / max(whole, LEAST)

    def settle(
        self,
        even: Floats,
        table: Mapping[str, str],
        blend: float,
        doubtful: Collection[str] = (),
    ) -> None:
        """Take a still picture, in the light of the reference, as the new reference, but for
        ``doubtful`` spots."""
        before = self._ground.spots(self.reference)
        self.reference = self.reference + blend * (even - self.reference)
        for spot in doubtful:
            self._ground.put(self.reference, self._index[spot], before[self._index[spot]])
        pixels = self._ground.spots(self.reference)
        for spot, index in self._index.items():
            if spot not in table and spot not in doubtful:
                self._ground.put(self.bare, index, pixels[index])
                self._guessed.discard(spot)
        self._present = self._ground.amounts(self.reference - self.bare)


class BodyObservation:
    """The errors of tokens on the spots of one picture; see `vision.tokens.observe.Observation`."""

    def __init__(
        self,
        bodies: Bodies,
        ground: Ground,
        look: Looks,
        even: Floats,
        table: Mapping[str, str],
    ) -> None:
        """``even`` is the picture in the light of the reference, ``table`` what was believed
        to stand in the reference."""
        self.even = even
        self._bodies, self._look, self._table = bodies, look, table
        changed = ground.amounts(even - bodies.reference)
        core = np.maximum(ground.cores(even - bodies.reference), BESIDE * changed)
        present = ground.amounts(even - bodies.bare)
        self._changed: dict[str, float] = dict(zip(ground.names, changed.tolist(), strict=True))
        self._core: dict[str, float] = dict(zip(ground.names, core.tolist(), strict=True))
        self._present: dict[str, float] = dict(zip(ground.names, present.tolist(), strict=True))
        self._tones = dict(zip(ground.names, ground.tones(even), strict=True))
        self._whose: dict[str, Mapping[str, float]] = {}
        self._pushed: dict[str, float] = {}

    def change(self, spot: str) -> float:
        """Return how much the spot changed; 1 is as much as when a man comes or goes."""
        return self._changed[spot] / self._bodies.expected(spot, self._table.get(spot))

    def error(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` (None: nothing) explains the picture of ``spot``: 0 is a
        perfect fit, 1 none at all."""
        believed = self._table.get(spot)
        same = WEIGHT * self._differs(spot)
        if token == believed:
            return min(1.0, same)
        if token is None:
            assert believed is not None
            error = WEIGHT * self._bodies.emptiness(spot, believed, self._present[spot])
            # A spot that changed this much lost its man, unless another one stands there now.
            return min(error, LEFT if self._left(spot, believed) else 1.0)
        body = self._look(token).body
        alike = believed is not None and self._look(believed).face == self._look(token).face
        if alike:
            return min(1.0, same + 0.02)
        there = self._present[spot] / self._bodies.usual(body, spot)
        missing = max(0.0, 1 - there / FAINT) + THIN * max(0.0, 1 - there)
        if spot not in self._whose:
            self._whose[spot] = self._bodies.whose(self._tones[spot])
        error = missing + FOREIGN * (1 - self._whose[spot].get(body, 0.0))
        if believed is not None and self._look(believed).body == body:
            error += max(0.0, OTHER - same)
        return min(1.0, error)

    def _differs(self, spot: str) -> float:
        """Return how far the spot changed beyond what a man does who is pushed aside."""
        change = self.change(spot)
        if spot not in self._table:
            return min(change, self._core[spot] / self._bodies.expected(spot, None))
        if spot not in self._pushed and change > PUSHED:
            self._pushed[spot] = self._bodies.pushed(spot, self.even)
        change = min(change, PUSHED + self._pushed.get(spot, 1.0))
        return max(0.0, change - SLACK) / (1 - SLACK)

    def _left(self, spot: str, believed: str) -> bool:
        differs, guessed = self._differs(spot), self._bodies.guessed(spot)
        if differs < (UNLIKE if guessed else GONE):
            return False
        return guessed or self._present[spot] < GONE * self._bodies.expected(spot, believed)

    def shows(self, spot: str, token: Token) -> bool:
        """Tell whether ``spot`` may well show ``token``."""
        return self.error(spot, token) <= CLEAR

    def known(self, token: str) -> bool:
        """Tell whether the token's look was learned: bodies always are."""
        return True
