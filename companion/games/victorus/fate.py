"""The table being changed: captures, rescue, elimination, promotion, whose turn is next."""

from __future__ import annotations

from typing import Final

from companion.games.victorus import geometry as g
from companion.games.victorus.arena import SeatView
from companion.games.victorus.moves import nearest_free
from companion.games.victorus.pieces import (
    EMPTY,
    KING,
    OWNER,
    PIECES,
    QUEEN,
    ROYAL,
    SUB,
    code_of,
    is_double,
    is_knight,
)  # fmt: skip
from companion.games.victorus.state import FRESH, NEW_TURN, PILE, Card, VictorusState, VictorusTurn
from companion.games.victorus.winding import start_laps

POINTS: Final = {"T": 2, "U": 2, "B": 2, "E": 4, "H": 5, "K": 10, "Q": 10}
ROYAL_POINTS: Final = {"T": 6, "U": 6, "B": 6, "E": 8}


class ChangingTable:
    """A draft of the next state: it is changed step by step, then :meth:`state` closes it."""

    def __init__(self, state: VictorusState) -> None:
        self.before = state
        self.arena, self.tally, self.place = state.arena, state.tally, state.place
        self._board: bytes | bytearray = state.board
        self.asked = 0
        self.fallen = 0

    @property
    def view(self) -> SeatView:
        """The board with the kingdoms that stand now."""
        return self.arena.view(self.tally.live)

    @property
    def board(self) -> bytearray:
        """The board, to be written on."""
        if isinstance(self._board, bytes):
            self._board = bytearray(self._board)
        return self._board

    def state(self, turn: VictorusTurn) -> VictorusState:
        """Return the finished state, still the same seat's turn."""
        return VictorusState(
            self.arena, bytes(self._board), self.place, turn, self.tally, self.asked
        )

    def move(self, origin: int, target: int) -> None:
        """Carry a piece; what stood there is gone."""
        self.board[target], self.board[origin] = self.board[origin], EMPTY

    # -- captures --------------------------------------------------------------------

    def capture(self, captor: int, victim: int) -> None:
        """Book a capture: scorecard, promotion, gate, rescue, elimination (VIC-5.1, 6, 7)."""
        sub, place, owner = SUB[captor], self.place, OWNER[victim]
        tally = self.tally
        if sub < 8:
            merit = bytearray(tally.merit)
            merit[8 * place + sub] += 2 if is_double(SUB[victim]) else 1
            tally = tally._replace(merit=bytes(merit))
        if is_knight(sub) or self.arena.setup["gate"] == "all":
            gate = list(tally.gate)
            gate[place] += 1
            tally = tally._replace(gate=tuple(gate))
        self.tally = tally
        self._file(place, min(sub, PILE), victim)
        if not is_knight(SUB[victim]) and not self._rescue(victim):
            self._eliminate(owner)

    def _file(self, place: int, field: int, code: int) -> None:
        cards = [list(card) for card in self.tally.cards]
        cards[place][field] = (*cards[place][field], code)
        self.tally = self.tally._replace(cards=tuple(map(tuple, cards)))

    def _take_from(self, place: int, code: int) -> bool:
        """Take ``code`` off a scorecard; tell whether it lay there."""
        card = self.tally.cards[place]
        for field, codes in enumerate(card):
            if code in codes:
                rest: Card = (*card[:field], tuple(c for c in codes if c != code),
                              *card[field + 1:])  # fmt: skip
                cards = (*self.tally.cards[:place], rest, *self.tally.cards[place + 1 :])
                self.tally = self.tally._replace(cards=cards)
                return True
        return False

    def _rescue(self, victim: int) -> bool:
        """Exchange royals if the victim's owner holds one of the captor's (VIC-7.5)."""
        for sub in (KING, QUEEN):
            held = code_of(self.place, sub)
            if self._take_from(OWNER[victim], held):
                self._take_from(self.place, victim)
                waiting = (*self.tally.waiting, held, victim)
                self.tally = self.tally._replace(waiting=waiting)
                return True
        return False

    def _eliminate(self, owner: int) -> None:
        """Remove a player whose King and Queen are both captured (VIC-7.4)."""
        royals = {code_of(owner, KING), code_of(owner, QUEEN)}
        if any(code in self.board or code in self.tally.waiting for code in royals):
            return
        left = []
        for cell in range(g.COUNT):
            if self.board[cell] and OWNER[self.board[cell]] == owner:
                left.append((cell, self.board[cell]))
                self.board[cell] = EMPTY
        bit = 1 << owner
        self.fallen = bit
        self.tally = self.tally._replace(
            live=self.tally.live & ~bit,
            playing=self.tally.playing & ~bit,
            removed=(*self.tally.removed, *left),
        )
        if not self.tally.playing & ~self.arena.friends[self.place]:
            self._win(self.place, "VIC-7.4")

    # -- royals ----------------------------------------------------------------------

    def laps(self, code: int) -> int:
        """Return the laps of a King or Queen."""
        return self.tally.laps[2 * OWNER[code] + SUB[code] - KING]

    def set_laps(self, code: int, laps: int) -> None:
        """Write down the laps of a King or Queen."""
        place = 2 * OWNER[code] + SUB[code] - KING
        before = self.tally.laps
        if before[place] != laps:
            now = (*before[:place], laps, *before[place + 1 :])
            self.tally = self.tally._replace(laps=now)

    def put(self, code: int, cell: int) -> None:
        """Put a returned royal on ``cell``; its way begins anew (VIC-7.2), then the next one."""
        self.board[cell] = code
        waiting = list(self.tally.waiting)
        waiting.remove(code)
        self.tally = self.tally._replace(waiting=tuple(waiting))
        self.set_laps(code, start_laps(code, cell))
        self.settle()

    def settle(self) -> None:
        """Bring back the royals that wait: at once where the original cell is free, by the
        owner's choice where another is, later where none is (VIC-7.5)."""
        self.asked = 0
        if self.tally.ending:
            return
        for code in self.tally.waiting:
            if not self.board[self.arena.home_of[code]]:
                self.put(code, self.arena.home_of[code])
                return
        for code in self.tally.waiting:
            if nearest_free(self.arena, bytes(self.board), code):
                self.asked = code
                return

    # -- the end ---------------------------------------------------------------------

    def _win(self, place: int, rule: str) -> None:
        winners = self.arena.friends[place] & self.arena.seated
        self.tally = self.tally._replace(winners=winners, ending=rule)

    def conquer(self, place: int) -> None:
        """A royal has entered the centre (VIC-7.1, VIC-8.2)."""
        self._win(place, "VIC-8.2" if self.arena.allied else "VIC-7.1")

    def call_time(self) -> None:
        """The game time is up: the round is finished, then points decide (VIC-8.1)."""
        self.tally = self.tally._replace(time_up=True)
        begun = self.before.turn.stage != FRESH or self.before.asked
        if self.place == self.leader() and not begun:
            self.score()
        else:
            self.asked = self.before.asked

    def leader(self) -> int:
        """Return the place that begins a round: the first in order of play still in."""
        return next(place for place in self.arena.order if self.tally.playing >> place & 1)

    def score(self) -> None:
        """End the quick game by points (VIC-8.1)."""
        totals = {
            place: points(self.tally.cards[place])
            for place in self.arena.order
            if self.tally.playing >> place & 1
        }
        best = [place for place, total in totals.items() if total == max(totals.values())]
        shared = len(best) == 1 or self.arena.setup["tie"] == "shared"
        winners = sum(1 << place for place in best) if shared else 0
        self.tally = self.tally._replace(winners=winners, ending="VIC-8.1")

    def next_place(self) -> int:
        """Return the next seat in order of play that is still in; count finished rounds."""
        place, finished = self.arena.next_place(self.place, self.tally.playing)
        if finished:
            self.tally = self.tally._replace(rounds=self.tally.rounds + 1)
        return place


def points(card: Card) -> int:
    """Return what the captured pieces on a scorecard count in the quick game (VIC-8.1)."""
    total = 0
    for field in card:
        for code in field:
            kind, _, royal = PIECES[SUB[code]]
            total += (ROYAL_POINTS if royal else POINTS)[kind]
    return total


def promote(table: ChangingTable) -> None:
    """Turn over the mover's knights that have earned it (VIC-6.1, VIC-6.2)."""
    for sub in range(8):
        if table.tally.merit[8 * table.place + sub] >= 2:
            code = code_of(table.place, sub)
            while (cell := table.board.find(code, 0, g.COUNT)) >= 0:
                table.board[cell] = code_of(table.place, sub + ROYAL)


def end_turn(table: ChangingTable, captured: bool = True) -> VictorusState:
    """Return the state after the turn: promotion, then the next seat's turn, or the end."""
    if captured:
        promote(table)
    table.place = table.next_place()
    if table.tally.time_up and table.place == table.leader():
        table.score()
    return table.state(NEW_TURN)
