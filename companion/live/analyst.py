"""Games that were played, looked at again by a machine in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from companion.live.thinking import ThinkingProcess
from companion.rules import Action, BadInput, Evaluation, Game, HardwareFault, SavedStates, say

LEVEL = 2
"""How hard each position is looked at."""
PATIENCE = 1.0
"""Seconds that one question waits for the answer."""
KEPT = 8
"""Analyses that are kept in memory; the oldest goes first."""


class Analyst:
    """Looks at one game at a time; what he found is kept until others have taken its place."""

    def __init__(self) -> None:
        self._process, self._lock = ThinkingProcess(), threading.Lock()
        self._asked: object = None
        self._found: dict[object, dict[str, Any]] = {}

    def analyse(
        self, game: Game[Any], start: Any, actions: Sequence[Action]
    ) -> dict[str, Any] | None:
        """Return the analysis of ``actions`` from ``start`` on, as
        :func:`companion.players.analysis.as_json` tells; None while it is made, for which he is to
        be asked again. A question about another game ends what he looks at.

        Raises:
            BadInput: no machine thinks ahead in this game.
            HardwareFault: he came to no end.
        """
        if not (isinstance(game, Evaluation) and isinstance(game, SavedStates)):
            raise BadInput(say("no machine thinks ahead in {game} yet", game=game.title))
        key = (game.name, start, tuple(actions))
        with self._lock:
            if key in self._found:
                return self._found[key]
            if self._asked != key:
                self.stop()
                texts = [game.format(action) for action in actions]
                state = game.dump(start)
                self._process.ask(
                    {"game": game.name, "state": state, "actions": texts, "level": LEVEL}
                )
                self._asked = key
            answer = self._process.answer(PATIENCE)
            if answer is None:
                return None
            self.stop()
            if "seats" not in answer:
                raise HardwareFault(say("The adviser does not come to an end; ask again."))
            self._found[key] = dict(answer)
            if len(self._found) > KEPT:
                del self._found[next(iter(self._found))]
            return self._found[key]

    def stop(self) -> None:
        """End what he looks at."""
        self._asked = None
        self._process.stop()
