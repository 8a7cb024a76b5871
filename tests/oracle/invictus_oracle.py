"""Invictus read a second time, naively, from the words of its rules: what may be done, what comes
of it, which rules refuse what, and who has won.

Shares nothing with the engine but the names of spaces and dice: every position is a dictionary of
spaces, and every question is asked of each space anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

Space = tuple[int, int]
"""File 1 to 9 from Black's left, row 1 to 9 from Black."""
Die = tuple[str, int]

SIDES = ("black", "white")
OTHER = {"black": "white", "white": "black"}
BOARD = {(file, row): None for row in range(1, 10) for file in range(1, 10)}
"""The spaces, in order."""


def name(space: Space) -> str:
    """Return ``a1`` for the left near space of Black."""
    return "abcdefghi"[space[0] - 1] + str(space[1])


SPACE = {name(space): space for space in BOARD}


def own_row(side: str, space: Space) -> int:
    """Return the row of ``space`` as ``side`` counts it from himself (INV-2.1)."""
    return space[1] if side == "black" else 10 - space[1]


@dataclass(frozen=True)
class Tray:
    """What lies beside the board before one player: his own dice that got across, and how many
    captured ones."""

    home: tuple[int, ...] = ()
    prisoners: int = 0


@dataclass(frozen=True)
class Game:
    """A position and all that decides how it goes on. ``hand`` is the die that ``turn`` has to put
    back, with the value it comes back with; ``passed`` and ``sideways`` count in a row."""

    dice: Mapping[Space, Die]
    turn: str = "black"
    hand: int | None = None
    trays: Mapping[str, Tray] = field(default_factory=lambda: {side: Tray() for side in SIDES})
    sideways: int = 0
    passed: int = 0
    over: str = ""
    limit: int = 40
    divide: bool = False

    # -- what may be done ------------------------------------------------------------

    def steps(self, side: str, start: Space) -> Iterator[Space]:
        """Yield the spaces to which a die of ``side`` may step at all (INV-4.2)."""
        ahead = 1 if side == "black" else -1
        for aside in (-1, 0, 1):
            for space in ((start[0] + aside, start[1]), (start[0] + aside, start[1] + ahead)):
                if space in BOARD and space != start:
                    yield space

    def targets(self, start: Space) -> Iterator[Space]:
        """Yield the spaces to which the die on ``start`` may go by a move or a capture."""
        side, value = self.dice[start]
        for space in self.steps(side, start):
            other = self.dice.get(space)
            aslant = space[0] != start[0] and space[1] != start[1]
            if other is None or (aslant and other[0] != side and other[1] <= value):
                yield space

    def legal(self) -> set[str]:
        """Return every action that the one whose decision is awaited may take."""
        if self.over:
            return set()
        if self.hand is not None:
            territory = [space for space in BOARD if own_row(self.turn, space) <= 4]
            return {"*" + name(space) for space in territory if space not in self.dice}
        own = [space for space, die in self.dice.items() if die[0] == self.turn]
        actions = {f"{name(a)}-{name(b)}" for a in own for b in self.targets(a)}
        return actions or {"pass"}

    # -- what comes of it ------------------------------------------------------------

    def after(self, action: str) -> Game:
        """Return the game after a legal ``action``."""
        if action == "pass":
            return replace(self, turn=OTHER[self.turn], passed=self.passed + 1).tested()
        if action.startswith("*"):
            put = {SPACE[action[1:]]: (self.turn, self.hand or 0)}
            return replace(self, dice={**self.dice, **put}, hand=None).tested()
        return self.moved(*(SPACE[text] for text in action.split("-")))

    def moved(self, start: Space, end: Space) -> Game:
        """Return the game after a move or a capture (INV-5.6)."""
        dice, trays = dict(self.dice), dict(self.trays)
        side, value = dice.pop(start)
        victim, hand = dice.pop(end, None), None
        mine = trays[side]
        if own_row(side, end) == 9:
            mine = replace(mine, home=(*mine.home, value))
        else:
            dice[end] = (side, value)
        if victim and victim[1] == 1:
            mine = replace(mine, prisoners=mine.prisoners + 1)
        elif victim:
            hand = victim[1] - 1
        trays[side] = mine
        aside = start[1] == end[1]
        game = replace(
            self,
            dice=dice,
            turn=OTHER[side],
            hand=hand,
            trays=trays,
            sideways=self.sideways + 1 if aside else 0,
            passed=0,
        )
        return game if hand is not None else game.tested()

    def tested(self) -> Game:
        """Return the game, over if anything ends it now (INV-7)."""
        if {owner for owner, _ in self.dice.values()} != set(SIDES):
            return replace(self, over="INV-7.1")
        if self.passed == 2:
            return replace(self, over="INV-7.2")
        if self.sideways >= self.limit:
            return replace(self, over="INV-7.3")
        return self

    def score(self, side: str) -> int:
        """Return what ``side`` has (INV-8)."""
        counted = (5, 6, 7, 8) if self.divide else (6, 7, 8)
        ahead = [
            value
            for space, (owner, value) in self.dice.items()
            if owner == side and own_row(side, space) in counted
        ]
        tray = self.trays[side]
        return sum(tray.home) + tray.prisoners + sum(ahead)

    def winners(self) -> tuple[str, ...]:
        """Return who has more, nobody for a draw."""
        black, white = map(self.score, SIDES)
        return () if black == white else ("black",) if black > white else ("white",)

    # -- what refuses an action ------------------------------------------------------

    def refused_by(self, action: str) -> list[set[str]]:
        """Return the rules that refuse ``action``, grouped in the order in which a referee would
        name them; empty where it is legal."""
        if self.over:
            return [{self.over}]
        if action == "pass" and self.hand is not None:
            return [{"INV-4.3", "INV-5.4", "INV-5.7"}]
        if action == "pass":
            return [] if "pass" in self.legal() else [{"INV-4.3"}]
        if action.startswith("*"):
            put = SPACE[action[1:]]
            right = self.hand is not None and put not in self.dice and own_row(self.turn, put) <= 4
            return [] if right else [{"INV-5.4"}]
        start, end = (SPACE[text] for text in action.split("-"))
        if start not in self.dice:
            return [{"INV-4.1"}]
        side, value = self.dice[start]
        other = self.dice.get(end)
        aslant = start[0] != end[0] and start[1] != end[1]
        broken = []
        if end not in self.steps(side, start):
            broken.append({"INV-4.2"})
        elif (other and other[0] == side) or (other and not aslant):
            broken.append({"INV-4.2", "INV-5.1"})
        elif other and other[1] > value:
            broken.append({"INV-5.2"})
        if self.hand is not None:
            broken.append({"INV-5.4", "INV-5.7"})
        elif side != self.turn:
            broken.append({"INV-4.1"})
        return broken
