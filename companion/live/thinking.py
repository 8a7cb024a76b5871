"""A process of its own in which machines think, so that the camera and the phones feel nothing of
it: niced, within a memory cap, and killed when nobody waits for its answer any more.

One line of JSON asks, one answers. The question: ``game``, ``state`` (as the game keeps it), and
``player``, who is to choose, or ``level``, of who is to advise; where seats play on cards that they
alone know also ``seat`` and its rack (``cards``, ``laid``, ``given``). What a player leaves to
chance follows from ``seed`` and the state, where there is one, so that the same game can be played
again. With ``actions`` the game that they make from the state on is looked at again. The answer:
``action``, ``expected`` and the own ``cards`` that it takes, or ``ideas`` as
:func:`companion.players.advice.as_json` gives them, what
:func:`companion.players.analysis.as_json` tells, or ``fault``, a sentence. Sentences come with how
they were made, so that each phone reads them in its language.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

from companion.journal.sentences import packed, unpacked
from companion.rules import CompanionError

if TYPE_CHECKING:
    from companion.runtime.line_process import LineProcess

NICER = 10
ADVICE = 10.0
"""Seconds after which an adviser tells what he has found."""
MEMORY = 512 * 1024 * 1024
"""Bytes that a thinking process may take."""


class ThinkingProcess:
    """The process, from the outside. It is started by the first question. Players with the same
    ``seed`` choose alike in the same state; None leaves that to chance."""

    def __init__(self, seed: str | None = None) -> None:
        self._process: LineProcess | None = None
        self._seed = seed

    @property
    def pid(self) -> int | None:
        """Return the number of the process, None where there is none."""
        return None if self._process is None else self._process.pid

    def ask(self, question: Mapping[str, Any]) -> None:
        """Ask; what was asked before is answered no more."""
        if self._process is None or not self._process.runs:
            # Loaded when somebody wants a machine to think.
            from companion.runtime.line_process import LineProcess

            self.stop()
            self._process = LineProcess([sys.executable, "-m", "companion.live.thinking"])
        self._process.tell(json.dumps({**question, "seed": self._seed}))

    def answer(self, seconds: float) -> Mapping[str, Any] | None:
        """Return the answer to what was asked, None if it does not come within ``seconds``. A
        process that has ended answers with a fault."""
        from companion.runtime.line_process import Ended

        if self._process is None:
            return {"fault": ""}
        try:
            line = self._process.hear(seconds)
        except Ended:
            return {"fault": ""}
        return None if line is None else _heard(json.loads(line))

    def stop(self) -> None:
        """End the process with all that it started."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()


def answered(question: Mapping[str, Any], players: dict[str, Any], open_players: ExitStack) -> Any:
    """Return the answer to ``question``; ``players`` are those that think already, by game and
    name, each with its chance, and ``open_players`` ends what runs for them."""
    from random import Random

    from companion.games import find_game
    from companion.players.advice import advise, as_json
    from companion.players.budget import Budget
    from companion.players.named import player_named
    from companion.rules.own_hand import InformationSet, Rack

    game: Any = find_game(question["game"])
    if "actions" in question:
        from companion.players import analysis

        state = game.load(question["state"])
        actions = [game.parse(state.setup, text) for text in question["actions"]]
        return analysis.as_json(
            game, list(analysis.analysed(game, state, actions, question["level"]))
        )
    if "level" in question:
        state = game.load(question["state"])
        return {"ideas": as_json(game, advise(game, state, question["level"], seconds=ADVICE))}
    key = f"{question['game']} {question['player']}"
    try:
        if key not in players:
            chance = Random()
            player = player_named(game, question["player"], chance)
            players[key] = open_players.enter_context(player), chance
        player, chance = players[key]
        if (seed := question.get("seed")) is not None:
            chance.seed(f"{seed} {json.dumps(question['state'], sort_keys=True)}")
        state = game.load(question["state"])
        if "seat" in question:
            rack = Rack(tuple(question["cards"]), question["laid"], question["given"])
            state = InformationSet(state, question["seat"], rack)
        thought = player.choose(state, Budget())
    except CompanionError as error:
        return {"fault": error.sentence}
    return {
        "action": game.format(thought.action),
        "expected": thought.expected,
        "cards": thought.cards,
    }


def _told(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``answer`` as JSON values; :func:`_heard` makes it of them again."""
    told = packed(answer)
    return (
        {**told, "ideas": [packed(one) for one in answer["ideas"]]} if "ideas" in answer else told
    )


def _heard(told: dict[str, Any]) -> dict[str, Any]:
    heard = unpacked(told)
    return {**heard, "ideas": list(map(unpacked, heard["ideas"]))} if "ideas" in heard else heard


def main() -> None:
    """Answer questions until there are no more."""
    os.nice(NICER)
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    players: dict[str, Any] = {}
    with ExitStack() as open_players:
        for line in sys.stdin:
            told = answered(json.loads(line), players, open_players)
            sys.stdout.write(json.dumps(_told(told)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
