"""The game's own notation (HX-7.1), in and out: pieces by colour, flat axis and kind.

``S.SAr.M h9`` is the Militant in front of a silver Archer going to h9, ``S.SAr`` the Archer itself.
Both flanks have an Archer: where two moves would read alike the space where they begin is written
too, ``S.SAr.M b5-b7``. ``=R[1]`` promotes to the army's first new Regent, ``S.R[1]`` from then on;
``S.R[1] @q27`` puts it on a space, ``*f3`` shoots. ``S <=> A.Al`` and ``S <=> R.Al`` are the
Sanctuary on the Assassin's and the Regent's flank. Words stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import Sanctuary
from companion.games.heximeros.declare import claims, legal
from companion.games.heximeros.hats import piece_named
from companion.games.heximeros.pieces import COLOURS, OWNER, TOKENS, kind_of
from companion.games.heximeros.play import advance, deed
from companion.games.heximeros.setup import start_array
from companion.games.heximeros.state import HexiMerosState
from companion.rules import Action


def letter(army: int) -> str:
    """Return the first letter of an army's colour."""
    return COLOURS[army][0].upper()


class Score:
    """A game written down move by move. ``state`` is where it stands; every piece keeps the name
    it got at the start or by its promotion."""

    def __init__(self, state: HexiMerosState) -> None:
        self.state = state
        self._new: Counter[tuple[int, str]] = Counter()
        homes = self._homes()
        self._names = {
            cell: homes.get((cell, TOKENS[code]), f"{letter(OWNER[code])}.{kind_of(code)}")
            for cell, code in enumerate(state.board[: g.COUNT]) if code
        }  # fmt: skip

    def _homes(self) -> dict[tuple[int, str], str]:
        """Return the names of the pieces on their own places of the start array."""
        arena, names = self.state.arena, {}
        array = start_array(arena.setup["assassin_side"])
        for army, colour in enumerate(COLOURS):
            for (q, r), kind in array:
                axis = next(k for (p, _), k in array if p == q)
                name = f"{letter(army)}.{letter(army)}{axis}" + (".M" if kind == "M" else "")
                cell = g.NUMBER[g.rotate((q, r), arena.places[army])]
                names[cell, f"{colour} {kind}"] = name
        return names

    def write(self, action: Action) -> str:
        """Return ``action``, which is allowed now, in the game's own notation."""
        short = self._text(action)
        alike = sum(self._text(other) == short for other in self._candidates())
        return short if alike == 1 else self._text(action, origin=True)

    def play(self, action: Action) -> None:
        """Go on by ``action``."""
        before, self.state = self.state, advance(self.state, action)
        target = g.INDEX.get(action.target, g.BLOCKER)
        if action.verb == "move" and target != g.BLOCKER:
            carried = {target: self._names[g.INDEX[action.origin]]}
            if way := flight(before, action):
                carried[way.beside] = self._names[way.alcazar]
            for cell, _ in deed(before, action).changes:
                self._names.pop(cell, None)
            self._names.update(carried)
        if becomes(action):
            code = self.state.board[target]
            self._new[OWNER[code], kind_of(code)] += 1
            name = f"{letter(OWNER[code])}.{kind_of(code)}"
            self._names[target] = f"{name}[{self._new[OWNER[code], kind_of(code)]}]"
        board = self.state.board
        self._names = {cell: name for cell, name in self._names.items() if board[cell]}

    def _candidates(self) -> list[Action]:
        return [*legal(self.state), *claims(self.state)]

    def _text(self, action: Action, origin: bool = False) -> str:
        """Return ``action`` in short, or with the space where it begins."""
        target = str(action.target)
        if way := flight(self.state, action):
            assassin = self.state.arena.setup["assassin_side"]
            left = way is self.state.arena.sanctuaries[self.state.army][0]
            return f"S <=> {'A' if left == (assassin == 'left') else 'R'}.Al"
        if action.verb == "place":
            return f"{self._next(action)} @{target}"
        if action.origin not in g.INDEX:
            return str(action)
        way_ = f"{action.origin}-{target}" if origin else target
        shot = action.detail if action.detail.startswith("*") else ""
        rank = f"={self._next(action)[2:]}" if becomes(action) else ""
        return f"{self._names[g.INDEX[action.origin]]} {way_}{shot}{rank}"

    def _next(self, action: Action) -> str:
        """Return the name of the piece that a promotion brings."""
        code = piece_named(self.state, action.detail)
        army, kind = OWNER[code], kind_of(code)
        return f"{letter(army)}.{kind}[{self._new[army, kind] + 1}]"


def flight(state: HexiMerosState, action: Action) -> Sanctuary | None:
    """Return the Sanctuary that ``action`` is, None for any other action (HX-4.7)."""
    ways = state.arena.sanctuaries[state.army]
    sovereign = action.origin in g.INDEX and kind_of(state.board[g.INDEX[action.origin]]) == "S"
    return next((way for way in ways if sovereign and way.move == action), None)


def becomes(action: Action) -> bool:
    """Tell whether ``action`` promotes a piece."""
    shoots = action.detail.startswith("*")
    return action.verb == "place" or (action.verb == "move" and action.detail != "" and not shoots)


def write_score(start: HexiMerosState, actions: Iterable[Action]) -> list[str]:
    """Return a whole game from ``start`` in the game's own notation, one line an action."""
    score, lines = Score(start), []
    for action in actions:
        lines.append(score.write(action))
        score.play(action)
    return lines
