"""Programs of others as players: the Universal Chess Interface (UCI), as published.

A program runs as a process group of its own, is never linked and never shipped. Every answer has a
deadline of ours; a program that misses it, ends or answers nonsense is stopped, group and all.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from companion.players.budget import Budget
from companion.players.outlook import expected
from companion.players.player import Progress, Thought, unheard
from companion.rules import BadInput, Game, HardwareFault, Text, UciNotation, quoted, say
from companion.runtime.line_process import Ended, LineProcess

START = 10.0
"""Seconds that a program has to say that it is there."""
GRACE = 2.0
"""Seconds that it has beyond the time it was given to think."""
LEAVING = 0.2
"""Seconds that it has to leave by itself."""
THINKS = 1.0
"""Seconds that it thinks where the budget sets no limit."""
PAWN = 0.55
"""What a pawn is worth as the logarithm of the odds, to turn a score into what is expected."""
_SCORE = re.compile(r"\bscore (cp|mate) (-?\d+)")


class Engine:
    """One running program: every answer of it has a deadline, and a fault of it is one sentence."""

    def __init__(self, command: list[str], name: str) -> None:
        self._name = name
        try:
            self._process = LineProcess(command, quiet=True, within=True)
        except OSError as error:
            raise HardwareFault(
                say(
                    "{program} cannot be started: {why}",
                    program=quoted(name),
                    why=os.strerror(error.errno or 0),
                )
            ) from error
        self.tell = self._process.tell

    def hear(self, until: str, budget: Budget, seconds: float) -> Iterator[str]:
        """Yield its lines up to the one that begins with ``until``.

        Raises:
            HardwareFault: it ended, or did not come to that line within ``seconds``.
        """
        end = budget.clock() + seconds
        while (left := end - budget.clock()) > 0 and not budget.cancelled():
            try:
                line = self._process.hear(min(left, 0.05))
            except Ended:
                raise self.fault(say("it has ended")) from None
            if line is None:
                continue
            yield line
            if line.split(" ")[0] == until:
                return
        raise self.fault(say("it does not answer"))

    def fault(self, why: Text) -> HardwareFault:
        """Stop the program, and return the sentence that says why."""
        self.stop()
        return HardwareFault(
            say("the program {program} failed: {why}", program=quoted(self._name), why=why)
        )

    def stop(self) -> None:
        """End the program and all that it started; nothing of it stays."""
        self.tell("quit")
        self._process.stop(LEAVING)


class UciPlayer:
    """Plays as a program of somebody else does; a context manager that leaves no process."""

    def __init__(self, game: Game[Any], program: str) -> None:
        path, _, elo = program.partition("@")
        self._elo = elo
        if elo and not elo.isdigit():
            raise BadInput(say("{text} is no strength; write it as 1320", text=quoted(elo)))
        words = shlex.split(path)
        found = shutil.which(words[0], path=_where()) if words else None
        if found is None:
            raise BadInput(
                say("there is no program {program} on this machine", program=quoted(path))
            )
        self._command, self._name = [found, *words[1:]], Path(found).name
        assert isinstance(game, UciNotation)
        self._game: UciNotation[Any] = game
        self._engine: Engine | None = None

    def __enter__(self) -> UciPlayer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._engine is not None:
            self._engine.stop()
            self._engine = None

    def choose(self, state: Any, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return the move that the program plays.

        Raises:
            HardwareFault: it cannot be started, does not answer, ends, or plays what is not legal.
        """
        if self._engine is None:
            self._engine = self._started(state, budget)
        engine = self._engine
        try:
            return self._asked(engine, state, budget, progress)
        except HardwareFault:
            self._engine = None
            raise

    def _started(self, state: Any, budget: Budget) -> Engine:
        engine = Engine(self._command, self._name)
        engine.tell("uci")
        options = [line for line in engine.hear("uciok", budget, START) if "option name" in line]
        if self._elo:
            if not any("UCI_Elo" in line for line in options):
                engine.stop()
                raise BadInput(
                    say("{program} plays at one strength only", program=quoted(self._name))
                )
            engine.tell("setoption name UCI_LimitStrength value true")
            engine.tell(f"setoption name UCI_Elo value {self._elo}")
        for name, value in self._game.uci_options(state).items():
            if not any(f"option name {name} " in line for line in options):
                engine.stop()
                raise BadInput(
                    say(
                        "{program} does not play this kind of the game: it has no {option}",
                        program=quoted(self._name),
                        option=name,
                    )
                )
            engine.tell(f"setoption name {name} value {value}")
        engine.tell("ucinewgame")
        engine.tell("isready")
        for _ in engine.hear("readyok", budget, START):
            pass
        return engine

    def _asked(self, engine: Engine, state: Any, budget: Budget, progress: Progress) -> Thought:
        seconds = THINKS if budget.seconds is None else budget.seconds
        limits = [f"movetime {max(1, round(1000 * seconds))}"]
        if budget.nodes is not None:
            limits = [f"nodes {budget.nodes}"]
            seconds = START if budget.seconds is None else seconds
        engine.tell(f"position {self._game.uci_position(state)}")
        engine.tell(f"go {' '.join(limits)}")
        hope, nodes = 0.5, 0
        for line in engine.hear("bestmove", budget, seconds + GRACE):
            if match := _SCORE.search(line):
                hope = _hoped(match[1], int(match[2]))
            if match := re.search(r"\bnodes (\d+)", line):
                nodes = int(match[1])
        answer = line.split()[1:2]
        action = self._game.uci_action(state, answer[0]) if answer else None
        if action is None:
            played = quoted(" ".join(answer))
            raise engine.fault(say("it plays {move}, which is not legal", move=played))
        thought = Thought(action, hope, (action,), nodes)
        progress(thought)
        return thought


def _where() -> str:
    """Return where programs are looked for: also where Debian keeps games."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/games"))


def _hoped(kind: str, value: int) -> float:
    """Return the share of the result that goes with a score of UCI."""
    if kind == "mate":
        return 1.0 if value > 0 else 0.0
    return expected(PAWN * value / 100)
