"""Counting sequences of actions of Victorus in bulk: its last two plies at once.

After a move that captures nothing and ends the turn only two cells have changed, and along most
lines the next seat's pieces have as many actions as before. So each line is counted once together
with the cells that were looked at, and again only where a move falls among them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.victorus import geometry as g
from companion.games.victorus.fate import ChangingTable
from companion.games.victorus.lines import EdgeRay, SpokeRay
from companion.games.victorus.moves import CELLS, OPEN_LAND, conquers, legal
from companion.games.victorus.pieces import KING, ROYAL, SUB, is_knight
from companion.games.victorus.play import advance, is_slide
from companion.games.victorus.state import FRESH, NOBODY, SECOND, VictorusState
from companion.rules import Action

Probe = tuple[Callable[..., int], Any, bytes]
"""How to count a line, the line, and the cells on which its piece may not capture."""

FEW = 8
"""Fewer actions are sooner played than counted; a pivot never has more."""


def bulk_perft(state: VictorusState, depth: int) -> int:
    """Return what ``companion.rules.perft`` does, for a ``depth`` of 2 or more."""
    if depth == 2:
        return two_plies(state)
    return sum(bulk_perft(advance(state, action), depth - 1) for action in legal(state))


def two_plies(state: VictorusState) -> int:
    """Return the number of sequences of two legal actions."""
    actions = legal(state)
    few = len(actions) < FEW
    if few or state.asked or state.tally.waiting or state.tally.time_up:
        return sum(len(legal(advance(state, action))) for action in actions)
    census = Census(state, ChangingTable(state).next_place())
    nodes, moves, captures = 0, [], []
    for action in actions:
        if action.verb != "move":
            nodes += len(legal(advance(state, action)))
            continue
        origin, target = g.INDEX[action.origin], g.INDEX[action.target]
        if is_plain_capture(state, origin, target):
            captures.append((origin, target))
        elif state.board[target] or target == g.CENTRE:
            nodes += len(legal(advance(state, action)))
        elif ends_turn(state, origin, target):
            moves.append((origin, target))
        else:
            nodes += census.going_on(action)
    return nodes + census.after(moves) + (Spoils(state).after(captures) if captures else 0)


def is_plain_capture(state: VictorusState, origin: int, target: int) -> bool:
    """Tell whether a regular knight captures a knight as its whole turn: one bonus move of any
    other piece follows (VIC-5.2)."""
    victim = state.board[target]
    return (
        bool(victim) and state.turn.stage == FRESH and not state.arena.quick
        and SUB[state.board[origin]] < 8 and is_knight(SUB[victim])
    )  # fmt: skip


def ends_turn(state: VictorusState, origin: int, target: int) -> bool:
    """Tell whether the turn is over after a move to an empty cell."""
    turn, sub = state.turn, SUB[state.board[origin]]
    if turn.stage == FRESH:
        return sub < 8 or (sub >= ROYAL and not is_slide(sub, state.place, origin, target))
    if turn.stage == SECOND:
        return turn.first == NOBODY
    return turn.bonus == 1 and sub not in (8, 9)


class Census:
    """How many first moves the pieces of ``place`` have after a quiet move of the seat in turn,
    counted line by line."""

    def __init__(self, state: VictorusState, place: int) -> None:
        self.state, self.place = state, place
        self.view = state.arena.view(state.tally.live)
        self.board = bytearray(state.board)
        own = state.arena.mine[place]
        self.cells = [cell for cell in CELLS if own[self.board[cell]]]
        setup = state.arena.setup
        self.bends, self.returns = setup["dogleg"] == "must", setup["return"] == "yes"
        self.goes_on = setup["second"] == "must"
        self.ways = state.arena.entries[state.place]
        self.least = 0 if state.arena.may_pass else 1
        self.opened, self.strategic = state.gate_open(place), True

    def going_on(self, action: Action) -> int:
        """Return the actions after a move to an empty cell that does not end the turn."""
        state, origin, target = self.state, g.INDEX[action.origin], g.INDEX[action.target]
        sub = SUB[state.board[origin]]
        if state.turn.stage != FRESH or self.is_special(target, sub):
            return len(legal(advance(state, action)))
        return self.pivots(origin, target) if sub < KING else self.seconds(origin, target, sub)

    def is_special(self, target: int, sub: int) -> bool:
        """Tell whether a move needs the long way: a King or Queen near its portal, a royal
        knight that has to turn off its line."""
        if sub >= ROYAL:
            return self.bends
        return sub >= KING and target in self.ways

    def seconds(self, origin: int, target: int, sub: int) -> int:
        """Return the actions of a two-move piece that has gone from ``origin`` to ``target``
        and captured nothing."""
        board, place, lines = self.board, self.state.place, self.view.lines
        shut = OPEN_LAND if self.view.deep[place][origin] else self.view.foreign[place]
        if sub >= ROYAL:
            plan = lines.plan(place % 3, sub, target)
        else:
            shade = self.state.arena.shade[target]
            plan = lines.royal(place, shade, target, self.state.gate_open(place))
        board[target], board[origin] = board[origin], 0
        prey = self.state.arena.prey[place]
        found = sum(_edge(board, prey, ray, shut, []) for ray in plan.edges)
        found += sum(_spoke(board, prey, ray, shut, []) for ray in plan.spokes)
        board[origin], board[target] = board[target], 0
        # The way back to the origin is always open.
        found -= sub >= ROYAL and not self.returns
        return found if found and self.goes_on else found + 1

    def pivots(self, origin: int, via: int) -> int:
        """Return the actions of a Hospitaller that has travelled from ``origin`` to ``via``."""
        board, place, near = self.board, self.state.place, self.view.lines.pivots[via]
        prey = self.state.arena.prey[place]
        shut = OPEN_LAND if self.view.deep[place][origin] else self.view.foreign[place]
        found = sum(not board[n] or (prey[board[n]] and not shut[n]) for n in near)
        return found + (not self.state.arena.must_pivot)

    def after(self, moves: list[tuple[int, int]]) -> int:
        """Return the sum of the seat's actions after each of the quiet ``moves``."""
        if not moves:
            return 0
        self.load([probe for cell in self.cells for probe in self.probes(cell)])
        total, nodes = sum(self.counts), 0
        for origin, target in moves:
            touched = self.watched[origin] | self.watched[target]
            found = total + self.gained(touched, origin, target)
            nodes += (found or 1) if self.least else found + 1
        return nodes

    def load(self, lines: list[Probe]) -> None:
        """Count every one of ``lines`` and note, cell by cell, which of them looked there."""
        prey = self.state.arena.prey[self.place]
        self.lines, self.counts, self.watched = lines, list[int](), [0] * g.SIZE
        for number, (count, line, shut) in enumerate(lines):
            seen: list[int] = []
            self.counts.append(count(self.board, prey, line, shut, seen))
            bit = 1 << number
            for step in seen:
                self.watched[step] |= bit

    def gained(self, touched: int, origin: int, target: int) -> int:
        """Return how many more actions the ``touched`` lines have after a move."""
        board, prey, found = self.board, self.state.arena.prey[self.place], 0
        victim, board[target], board[origin] = board[target], board[origin], 0
        while touched:
            number = touched.bit_length() - 1
            count, line, shut = self.lines[number]
            found += count(board, prey, line, shut, []) - self.counts[number]
            touched ^= 1 << number
        board[origin], board[target] = board[target], victim
        return found

    def probes(self, cell: int, colour: int | None = None) -> list[Probe]:
        """Return what to count for the moves of the piece on ``cell``, a King or Queen to
        ``colour``, else to the other one than it stands on."""
        arena, place, lines = self.state.arena, self.place, self.view.lines
        sub = SUB[self.board[cell]]
        shut = OPEN_LAND if self.view.deep[place][cell] else self.view.foreign[place]
        found: list[Probe] = []
        if KING <= sub < ROYAL:
            ends = 1 - arena.shade[cell] if colour is None else colour
            plan = lines.royal(place, ends, cell, self.opened)
            if self.opened and cell in arena.entries[place]:
                found.append((self._conquest, cell, shut))
        else:
            plan = lines.plan(place % 3, sub, cell)
        if sub in (8, 9):
            return [(self._travel, ray, shut) for ray in plan.spokes]
        if plan.steps and self.strategic:
            found.append((_steps, plan.steps, shut))
        found += [(_edge, ray, shut) for ray in plan.edges]
        return found + [(_spoke, ray, shut) for ray in plan.spokes]

    def _travel(
        self, board: bytearray, prey: bytes, ray: SpokeRay, shut: bytes, seen: list[int]
    ) -> int:
        found, free = 0, not self.state.arena.must_pivot
        for target, action, f, s in ray:
            seen += (target, f, s)
            if board[target] or (board[f] and board[s]):
                break
            if action:
                near = self.view.lines.pivots[target]
                seen += near
                found += free or any(not board[n] or (prey[board[n]] and not shut[n]) for n in near)
        return found

    def _conquest(
        self, board: bytearray, prey: bytes, cell: int, shut: bytes, seen: list[int]
    ) -> int:
        """Count 1 if the King or Queen on ``cell`` may enter the centre (VIC-7.1)."""
        seen += self.state.arena.entries[self.place]
        now = self.state._replace(board=bytes(board), place=self.place)
        return conquers(now, cell)


class Spoils(Census):
    """How many bonus moves the seat in turn has after a plain capture (VIC-5.2 to VIC-5.5)."""

    def __init__(self, state: VictorusState) -> None:
        super().__init__(state, state.place)
        setup = state.arena.setup
        self.opened = state.tally.gate[state.place] + 1 >= 3
        self.strategic = setup["bonus_strategic"] == "yes"
        self.same = setup["royal_bonus_colour"] == "same"
        self.least = 0 if setup["bonus"] == "must" else 1

    def after(self, moves: list[tuple[int, int]]) -> int:
        """Return the sum of the actions after each of the captures ``moves``."""
        lines: list[Probe] = []
        mine, crowns = {}, []
        for cell in self.cells:
            if not KING <= SUB[self.board[cell]] < ROYAL:
                mine[cell] = self.added(lines, self.probes(cell))
        for colour in (0, 1):
            ending = [self.probes(c, colour) for c in self.cells if c not in mine]
            crowns.append(self.added(lines, [probe for probes in ending for probe in probes]))
        self.load(lines)
        sums = {cell: sum(self.counts[part]) for cell, (part, _) in mine.items()}
        royal = [sum(self.counts[part]) for part, _ in crowns]
        nodes, total = 0, sum(sums.values())
        for origin, target in moves:
            shade = self.state.arena.shade[target]
            # The captor is frozen; King and Queen end on one colour only.
            colour = shade if self.same else 1 - shade
            idle = mine[origin][1] | crowns[1 - colour][1]
            found = total - sums[origin] + royal[colour]
            touched = (self.watched[origin] | self.watched[target]) & ~idle
            found += self.gained(touched, origin, target)
            nodes += found + (self.least if found else 1)
        return nodes

    @staticmethod
    def added(lines: list[Probe], more: list[Probe]) -> tuple[slice, int]:
        """Add ``more`` to ``lines``; return where they are, as a slice and as bits."""
        first = len(lines)
        lines += more
        return slice(first, len(lines)), (1 << len(lines)) - (1 << first)


def _edge(board: bytearray, prey: bytes, ray: EdgeRay, shut: bytes, seen: list[int]) -> int:
    found = 0
    for target, action in ray:
        seen.append(target)
        met = board[target]
        if met:
            return found + (action is not None and prey[met] and not shut[target])
        if action:
            found += 1
    return found


def _spoke(board: bytearray, prey: bytes, ray: SpokeRay, shut: bytes, seen: list[int]) -> int:
    found = 0
    for target, action, f, s in ray:
        seen += (target, f, s)
        if board[f] and board[s]:
            break
        met = board[target]
        if met:
            return found + (action is not None and prey[met] and not shut[target])
        if action:
            found += 1
    return found


def _steps(
    board: bytearray, prey: bytes, steps: tuple[tuple[int, Action, int, int], ...], shut: bytes,
    seen: list[int],
) -> int:  # fmt: skip
    for target, _, f, s in steps:
        seen += (target, f, s)
    return sum(not board[target] and not (board[f] and board[s]) for target, _, f, s in steps)
