"""Questions to a machine in a process of its own, whose answers are kept: ideas for a position, and
games that were played, looked at again."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from companion.live.thinking import ThinkingProcess
from companion.rules import Action, BadInput, Evaluation, Game, HardwareFault, SavedStates, say

LEVEL = 2
"""How hard each position of a game is looked at."""
PATIENCE = 1.0
"""Seconds that one question about a game waits for the answer."""
KEPT = 8
"""Answers that are kept in memory; the oldest goes first."""


class Analyst:
    """Looks at one thing at a time; what he found is kept until others have taken its place. One
    who ``stays`` keeps his process, so that the next answer comes soon. ``most`` are the seconds
    after which he comes to no end."""

    def __init__(self, stays: bool = False, most: float = float("inf")) -> None:
        self._process, self._lock = ThinkingProcess(), threading.Lock()
        self._stays, self._most = stays, most
        self._asked: object = None
        self._since = 0.0
        self._found: dict[object, Mapping[str, Any]] = {}

    def answer(
        self, key: object, question: Mapping[str, Any], seconds: float
    ) -> Mapping[str, Any] | None:
        """Return the answer to ``question``, known by ``key``; None if it does not come within
        ``seconds``, after which he is to be asked again. Another question ends what he looks at.

        Raises:
            HardwareFault: he came to no end.
        """
        with self._lock:
            if key in self._found:
                return self._found[key]
            if self._asked != key:
                if self._asked is not None:
                    self.stop()
                self._process.ask(question)
                self._asked, self._since = key, time.monotonic()
            answer = self._process.answer(seconds)
            if answer is None and time.monotonic() - self._since < self._most:
                return None
            failed = answer is None or "fault" in answer
            if failed or not self._stays:
                self._process.stop()
            self._asked = None
            if answer is None or failed:
                raise HardwareFault(say("The adviser does not come to an end; ask again."))
            self._found[key] = answer
            if len(self._found) > KEPT:
                del self._found[next(iter(self._found))]
            return answer

    def analyse(
        self, game: Game[Any], start: Any, actions: Sequence[Action]
    ) -> Mapping[str, Any] | None:
        """Return the analysis of ``actions`` from ``start`` on, as
        :func:`companion.players.analysis.as_json` tells; None while it is made. Raises as
        :meth:`answer` does, and:

        Raises:
            BadInput: no machine thinks ahead in this game.
        """
        if not (isinstance(game, Evaluation) and isinstance(game, SavedStates)):
            raise BadInput(say("no machine thinks ahead in {game} yet", game=game.title))
        texts = [game.format(action) for action in actions]
        asked = {"game": game.name, "state": game.dump(start), "actions": texts, "level": LEVEL}
        return self.answer((game.name, start, tuple(actions)), asked, PATIENCE)

    def stop(self) -> None:
        """End what he looks at."""
        self._asked = None
        self._process.stop()
