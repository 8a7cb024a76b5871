"""A second look at what a person has just done: where it gave much away, the offer to take it back.
The host has to want it, and it is told to whoever did it alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.live.thinking import ThinkingProcess
from companion.players.levels import ADVISER
from companion.rules import Evaluation, SavedStates
from companion.table import Table
from companion.table.evening import Evening
from companion.table.history import RULED
from companion.table.machines import machines_of


class Blunder(NamedTuple):
    """``seat`` may take back what it did last: it gave away the share ``lost`` of the result."""

    seat: str
    lost: float


class SecondLook:
    """Looks at the last action of a person at the table of ``evening``, in a process of its own."""

    def __init__(self, evening: Evening) -> None:
        self._evening, self._process = evening, ThinkingProcess()
        self._about: Any = None
        self._found: Blunder | None = None
        self.waits = False
        """Whether the process looks at something."""

    def offer(self, table: Table[Any]) -> Blunder | None:
        """Return the offer that stands at ``table``."""
        return self._found if self._about is table.line else None

    def step(self) -> bool:
        """Take a step without waiting for anything; return whether :meth:`offer` is another one."""
        table, before = self._evening.table, self._found
        if table.line is not self._about:
            if self.waits or not self._evening.settings.take_back_offers:
                self._process.stop()
            self._about, self._found = table.line, None
            self.waits = self._ask(table)
        if self.waits and (answer := self._process.answer(0.0)) is not None:
            self.waits = False
            for one in answer.get("actions", ()):
                if one["blunder"]:
                    self._found = Blunder(one["seat"], one["lost"])
        return self._found != before

    def close(self) -> None:
        """End the process."""
        self._process.stop()

    def _ask(self, table: Table[Any]) -> bool:
        """Have the last action looked at, if it is a person's and was not looked at before; return
        whether it is."""
        game, actions = table.game, table.actions
        able = isinstance(game, Evaluation) and isinstance(game, SavedStates)
        if not (able and self._evening.settings.take_back_offers and actions):
            return False
        last, state = actions[-1], table.past[-2]
        newest = next(table.events().newest("action", "undone"), None)
        # What was done before something was taken back has been looked at, and was let stand.
        if last == RULED or newest is None or newest.kind == "undone":
            return False
        assert isinstance(game, Evaluation)
        assert isinstance(game, SavedStates)
        if state.setup.seats[game.decides(state)] in machines_of(table):
            return False
        self._process.ask(
            {"game": game.name, "state": game.dump(state), "actions": [game.format(last)],
             "level": ADVISER}
        )  # fmt: skip
        return True
