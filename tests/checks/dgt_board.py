"""A board with the DGT protocol on the simulated table, at the other end of a serial line."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from companion.simulation.tabletop import Gesture
from vision.sensing import dgt

CODES = {dgt.piece(code): code for code in range(13)}
FRAME = 96
"""Bytes that come within a frame at most, at 9600 baud."""
FIELDS = {dgt.square(field, turned=False): field for field in range(64)}


class Handled(Protocol):
    """A table as a board under it feels it: what lies where, and what hands did since it was asked
    last."""

    @property
    def position(self) -> dict[str, str]: ...

    def gestures(self) -> Sequence[Gesture]: ...


class DgtPort:
    """A serial port of pyserial, as far as it is asked: what hands do on ``table`` is told field by
    field, those that a piece left and those where it came in any order, cut where chance has it."""

    name = "a simulated board"

    def __init__(self, table: Handled, chance: random.Random) -> None:
        self._table, self._chance = table, chance
        self._told, self._tells = bytearray(), False
        self.timeout = 0.0

    @property
    def in_waiting(self) -> int:
        """Return how many bytes have come by now."""
        return min(len(self._told), self._chance.randint(0, FRAME))

    def write(self, commands: bytes) -> None:
        """Do what the table asks for."""
        for command in commands:
            self._feel()
            if bytes([command]) == dgt.SEND_BOARD:
                lying = self._table.position
                codes = bytes(CODES[lying.get(spot)] for spot in FIELDS)
                self._told += bytes([dgt.DUMP, 0, 67]) + codes
            self._tells |= bytes([command]) == dgt.SEND_UPDATES
            self._tells &= bytes([command]) != dgt.RESET

    def read(self, count: int) -> bytes:
        """Return so many bytes, or what there is."""
        self._feel()
        came, self._told = bytes(self._told[:count]), self._told[count:]
        return came

    def close(self) -> None:
        """Be silent."""
        self._told.clear()

    def _feel(self) -> None:
        for gesture in self._table.gestures():
            before, after = gesture.before, gesture.after
            changed = [s for s in FIELDS if before.get(s) is not after.get(s)]
            self._chance.shuffle(changed)
            for spot in changed if self._tells else ():
                token = after[spot].token if spot in after else None
                self._told += bytes([dgt.UPDATE, 0, 5, FIELDS[spot], CODES[token]])
