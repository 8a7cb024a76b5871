"""Counting two plies at once, for bulk perft.

After a regular knight's slide to an empty cell only two cells have changed, and the next seat's
pieces whose rays do not touch either have as many actions as before. So each of its pieces is
counted once together with the cells it looked at, and again only where a move falls among them.
"""

from __future__ import annotations

from companion.games.victorus import geometry as g
from companion.games.victorus.fate import Table
from companion.games.victorus.lines import Plan
from companion.games.victorus.moves import CELLS, OPEN_LAND, conquers, legal
from companion.games.victorus.pieces import KING, ROYAL, SUB
from companion.games.victorus.state import FRESH, State
from companion.games.victorus.turn import advance, is_slide


def two_plies(state: State) -> int:
    """Return the number of sequences of two legal actions."""
    actions = legal(state)
    if state.turn.stage != FRESH or state.asked or state.tally.waiting or state.tally.time_up:
        return sum(len(legal(advance(state, action))) for action in actions)
    census = Census(state, Table(state).next_place())
    nodes, moves = 0, []
    for action in actions:
        if action.verb != "move":
            nodes += len(legal(advance(state, action)))
            continue
        origin, target = g.INDEX[action.origin], g.INDEX[action.target]
        sub = SUB[state.board[origin]]
        if state.board[target] or census.is_special(origin, target, sub):
            nodes += len(legal(advance(state, action)))
        elif sub < 8 or (sub >= ROYAL and not is_slide(sub, state.place, origin, target)):
            moves.append((origin, target))
        elif sub < KING:
            nodes += census.pivots(origin, target)
        else:
            nodes += census.seconds(origin, target, sub)
    return nodes + census.after(moves)


class Census:
    """How many first moves each piece of ``place`` has after a move of the seat in turn."""

    def __init__(self, state: State, place: int) -> None:
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

    def is_special(self, origin: int, target: int, sub: int) -> bool:
        """Tell whether a move needs the long way: a King or Queen near its portal, a royal
        knight that has to turn off its line."""
        if sub >= ROYAL:
            return self.bends
        return sub >= KING and (target == g.CENTRE or target in self.ways)

    def seconds(self, origin: int, target: int, sub: int) -> int:
        """Return the actions of a two-move piece that has gone from ``origin`` to ``target``
        and captured nothing."""
        board, place, lines = self.board, self.state.place, self.view.lines
        shut = OPEN_LAND if self.view.deep[place][origin] else self.view.foreign[place]
        if sub >= ROYAL:
            plan = lines.plans[place % 3][sub][target]
        else:
            gate = self.state.gate_open(place)
            plans = lines.crowns[place % 3] if gate else lines.homes[place]
            plan = plans[self.state.arena.shade[target]][target]
        board[target], board[origin] = board[origin], 0
        found = self._slides(plan, place, shut, [])
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
        counts, watched = [], [0] * g.SIZE
        for bit, cell in enumerate(self.cells):
            seen: list[int] = []
            counts.append(self.count(cell, seen))
            for step in seen:
                watched[step] |= 1 << bit
        total, nodes, board = sum(counts), 0, self.board
        for origin, target in moves:
            found, touched = total, watched[origin] | watched[target]
            if touched:
                board[target], board[origin] = board[origin], 0
                while touched:
                    low = touched & -touched
                    bit = low.bit_length() - 1
                    found += self.count(self.cells[bit], []) - counts[bit]
                    touched ^= low
                board[origin], board[target] = board[target], 0
            nodes += (found or 1) if self.least else found + 1
        return nodes

    def count(self, cell: int, seen: list[int]) -> int:
        """Return how many first moves the piece on ``cell`` has; add the cells that were looked
        at to ``seen``."""
        arena, place, lines = self.state.arena, self.place, self.view.lines
        sub = SUB[self.board[cell]]
        shut = OPEN_LAND if self.view.deep[place][cell] else self.view.foreign[place]
        if KING <= sub < ROYAL:
            colour = 1 - arena.shade[cell]
            opened = self.state.gate_open(place)
            plans = lines.crowns[place % 3] if opened else lines.homes[place]
            found = self._slides(plans[colour][cell], place, shut, seen)
            return found + (opened and self._conquers(cell, seen))
        plan = lines.plans[place % 3][sub][cell]
        if sub in (8, 9):
            return self._travels(plan, shut, seen)
        found = self._slides(plan, place, shut, seen)
        for target, _, f, s in plan.steps:
            seen += (target, f, s)
            if not self.board[target] and not (self.board[f] and self.board[s]):
                found += 1
        return found

    def _slides(self, plan: Plan, place: int, shut: bytes, seen: list[int]) -> int:
        board, prey, found = self.board, self.state.arena.prey[place], 0
        for ray in plan.edges:
            for target, action in ray:
                seen.append(target)
                met = board[target]
                if met:
                    if action and prey[met] and not shut[target]:
                        found += 1
                    break
                if action:
                    found += 1
        for spoke in plan.spokes:
            for target, action, f, s in spoke:
                seen += (target, f, s)
                if board[f] and board[s]:
                    break
                met = board[target]
                if met:
                    if action and prey[met] and not shut[target]:
                        found += 1
                    break
                if action:
                    found += 1
        return found

    def _travels(self, plan: Plan, shut: bytes, seen: list[int]) -> int:
        board, prey, found = self.board, self.state.arena.prey[self.place], 0
        free = not self.state.arena.must_pivot
        for spoke in plan.spokes:
            for target, action, f, s in spoke:
                seen += (target, f, s)
                if board[target] or (board[f] and board[s]):
                    break
                if action:
                    near = self.view.lines.pivots[target]
                    seen += near
                    found += free or any(
                        not board[n] or (prey[board[n]] and not shut[n]) for n in near
                    )
        return found

    def _conquers(self, cell: int, seen: list[int]) -> bool:
        """Tell whether the King or Queen may enter the centre (VIC-7.1)."""
        way = self.state.arena.entries[self.place]
        if cell not in way:
            return False
        seen += way
        now = self.state._replace(board=bytes(self.board), place=self.place)
        return conquers(now, cell)
