"""A board that lags behind the game: what was told elsewhere, on a phone or at another table, and
has still to be made here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.rules import Action, Game, Position, S, accepted, say
from companion.table import Table
from companion.table.history import StaleState
from companion.table.mirror import Elsewhere
from vision.decoding.reading import Reading, Step


def misfits(game: Game[S], state: S, position: Position) -> tuple[str, ...]:
    """Return the spots on which ``position`` shows a token that the game does not accept there in
    ``state``."""

    def face(token: str | None) -> str | None:
        return None if token is None else game.look(token).face

    return tuple(
        spot
        for spot in sorted({*position, *game.expect(state)})
        if face(position.get(spot)) not in {face(t) for t in accepted(game, state, spot)}
    )


class Lag:
    """How far the board of ``table`` lags behind its game."""

    def __init__(self, table: Table[Any]) -> None:
        self._table = table
        self._line = self._set = table.line
        self._behind = False
        self._untold: tuple[Step, ...] = ()

    @property
    def unmade(self) -> Sequence[Action]:
        """Return the last actions, which were told and not made on this board."""
        line = self._table.line
        if not self._behind or line.cut(self._set.length) is not self._set:
            return ()
        return line.actions[self._set.length :]

    @property
    def changed(self) -> bool:
        """Tell whether others than the camera have changed the game since :meth:`done`."""
        return self._table.line is not self._line

    def done(self) -> None:
        """Take the game as it stands for what the camera knows."""
        self._line = self._table.line

    def keep(self, steps: Sequence[Step]) -> None:
        """Keep the ``steps`` of a picture that the table could not take now."""
        self._untold = tuple(steps)

    def again(self, reading: Reading) -> Reading:
        """Return ``reading`` with the steps that were kept before its own, if the board still shows
        what they led to and the game has not gone on. Else the board lags."""
        kept, self._untold = self._untold, ()
        if not kept:
            return reading
        game, state = self._table.game, self._table.state
        plain = all(step.takeback is None and step.legal for step in kept)
        if plain and not self.changed and reading.position is not None:
            for step in kept:
                state = game.advance(state, step.action)
            if not misfits(game, state, reading.position):
                return replace(reading, steps=(*kept, *reading.steps))
        self._behind = True
        return reading

    def compared(self, reading: Reading, changed: bool) -> Reading:
        """Return ``reading`` with where the table lags behind a state that others ``changed``: a
        move entered on a phone or made at another table, an undo, a decision. It does until it fits
        once."""
        self._behind = self._behind or changed
        known = reading.position is not None and not (reading.asks or reading.lifted)
        if self._behind and known and reading.position is not None and not reading.differs:
            spots = misfits(self._table.game, self._table.state, reading.position)
            self._behind = bool(spots)
            if spots:
                words = say("Set the table as the game stands: {spots}.", spots=spots[:8])
                return replace(reading, differs=spots, message=reading.message or words)
        if not self._behind:
            self._set = self._table.line
        return reading

    def not_taken(self, reading: Reading, error: Elsewhere | StaleState) -> Reading:
        """Return ``reading`` where the table that owns the game did not take what was done here:
        the board differs from the game then."""
        self._behind = True
        spots = misfits(self._table.game, self._table.state, reading.position or {})
        late = say("Something else was played first; it stands.")
        why = error.sentence if isinstance(error, Elsewhere) else late
        return replace(reading, steps=(), differs=spots, message=why)
