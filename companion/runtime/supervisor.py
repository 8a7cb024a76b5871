"""Runs the parts of the companion in threads: a part that falls is reported and started again."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import NamedTuple

from companion.rules import GameFault, Text, say
from companion.runtime.files import private_folder, write_private

_log = logging.getLogger(__name__)

FIRST, LONGEST = 1.0, 20.0
"""Seconds of the first pause before a part is started again, and of the longest; each is twice the
one before. systemd's watchdog waits longer."""
CALM = 5.0
"""Seconds for which a part has to go on, and at least as long as its last pause, to count as well
again."""

RETRY_SECONDS = 1.0
"""How long to wait before a camera that is lost, or has no more pictures, is asked again."""
KEPT = say("The game is kept; it goes on when this is mended.")

PARTS: Mapping[str, Text] = {
    "camera": say("the watch over the table"),
    "lights": say("the lights"),
    "box": say("the buzzer and the status LED"),
    "buttons": say("a button"),
    "pages": say("the pages"),
    "answers": say("an answer to a phone"),
    "network": say("the table's name in the network"),
    "heart": say("the signs of life"),
    "photographs": say("the tidying of photographs"),
    "club": say("the line to the club"),
    "broadcast": say("the broadcast of the game"),
    "hooks": say("the messages to programs elsewhere"),
    "online": say("the game on a server"),
    "server": say("the line to a server"),
}
"""The parts of the companion as people call them."""
GAME = "game"
"""The name under which it is kept that a game broke its contract; it is no part that could be
started again."""


class Trouble(NamedTuple):
    """A ``part`` that fell: ``what`` went wrong last, how many ``times``, when ``first`` and
    ``last`` (seconds since 1970), and whether it is ``well`` again."""

    part: str
    what: str
    times: int
    first: float
    last: float
    well: bool = False


@dataclass(slots=True)
class _Fall:
    """How long a part rests: the ``pause``, and ``until`` when by the clock."""

    pause: float
    until: float


class Supervisor:
    """Runs the parts of the companion, each until ``stop`` is set.

    An unexpected exception is logged once with its trace, ``changed`` is called, and the part goes
    on after a pause that grows. What happened is kept in ``file`` for ``companion doctor``.
    ``clock`` gives seconds, ``now`` those since 1970, ``wait`` lets so many pass. All methods may
    be called from any thread.
    """

    def __init__(
        self,
        stop: threading.Event,
        changed: Callable[[], None] = lambda: None,
        file: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self._stop, self._changed, self._file = stop, changed, file
        self._clock, self._now, self._wait = clock, now, wait or stop.wait
        self._guard = threading.Lock()
        self._falls: dict[str, _Fall] = {}
        self._troubles: dict[str, Trouble] = {}
        self._logged: set[tuple[object, ...]] = set()

    def begin(self) -> None:
        """Delete what was kept of the run before this one."""
        if self._file is not None:
            with suppress(OSError):
                self._file.unlink(missing_ok=True)

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """Everything that has happened to the parts, also to those that are well again."""
        return tuple(self._troubles.values())

    def told(self) -> tuple[Text, ...]:
        """Return a sentence for each part that is not well now."""
        return tuple(
            say(
                "A fault stopped {part}; it is started again by itself, and the game is kept.",
                part=PARTS.get(trouble.part, trouble.part),
            )
            for trouble in self.troubles
            if not trouble.well and trouble.part != GAME
        )

    def broke(self, fault: GameFault) -> None:
        """Keep for ``companion doctor`` that a game broke its contract; it has been logged."""
        with self._guard:
            at, what = self._now(), f"{fault.game}, {fault.what}"
            known = self._troubles.get(GAME) or Trouble(GAME, what, 0, at, at)
            self._troubles[GAME] = known._replace(what=what, times=known.times + 1, last=at)
            self._keep()

    def answered_with(self, error: Exception) -> None:
        """Record the error for which a request was answered with a fault. Who asked has been told,
        and nothing has stopped that could be started again."""
        at, what = self._now(), f"{type(error).__name__}: {error}"
        with self._guard:
            known = self._troubles.get("answers") or Trouble("answers", what, 0, at, at, well=True)
            self._troubles["answers"] = known._replace(what=what, times=known.times + 1, last=at)
            self._keep()

    def start(
        self, part: str, step: Callable[[], bool], stop: threading.Event | None = None
    ) -> threading.Thread:
        """Begin to :meth:`run` ``part`` in a thread of its own, which is returned."""
        thread = threading.Thread(target=self.run, args=(part, step, stop), name=part, daemon=True)
        thread.start()
        return thread

    def run(self, part: str, step: Callable[[], bool], stop: threading.Event | None = None) -> None:
        """Do ``step`` again and again while it returns True, until ``stop`` is set: that of the
        part, else that of all."""
        stopped = stop or self._stop
        while not stopped.is_set():
            try:
                goes_on = step()
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a thread that calls sys.exit() would end in silence
                self._wait(self._fell(part, error))
                continue
            self._went(part)
            if not goes_on:
                return

    def attempt(self, part: str, do: Callable[[], None]) -> None:
        """Call ``do``, which belongs to ``part``, unless the part is resting after a fall. An
        exception counts as a fall of the part and is not raised."""
        fall = self._falls.get(part)
        if fall is not None and self._clock() < fall.until:
            return
        try:
            do()
        except Exception as error:
            self._fell(part, error)
        else:
            self._went(part)

    def _fell(self, part: str, error: BaseException) -> float:
        """Tell of a fall; return how long to rest."""
        where = extract_tb(error.__traceback__)[-1]
        kind = (part, type(error), where.filename, where.lineno)
        with self._guard:
            before = self._falls.get(part)
            pause = min(2 * before.pause, LONGEST) if before else FIRST
            self._falls[part] = _Fall(pause, self._clock() + pause)
            at, what = self._now(), f"{type(error).__name__}: {error}"
            known = self._troubles.get(part) or Trouble(part, what, 0, at, at)
            self._troubles[part] = known._replace(
                what=what, times=known.times + 1, last=at, well=False
            )
            new = kind not in self._logged
            self._logged.add(kind)
            self._keep()
        if new:
            _log.error("a fault stopped %s", PARTS.get(part, part), exc_info=error)
        self._tell()
        return pause

    def _went(self, part: str) -> None:
        """Take note that a part does its work; after a while it is well again."""
        fall = self._falls.get(part)
        if fall is None or self._clock() < fall.until + max(CALM, fall.pause):
            return
        with self._guard:
            if self._falls.pop(part, None) is None:
                return
            self._troubles[part] = self._troubles[part]._replace(well=True)
            self._keep()
        _log.warning("%s: well again", PARTS.get(part, part))
        self._tell()

    def _tell(self) -> None:
        """Call ``changed``; that nobody can be told stops no part."""
        try:
            self._changed()
        except Exception:
            _log.exception("what happened to the parts cannot be told")

    def _keep(self) -> None:
        """Write down what happened, whole or not at all; a full disk must not stop anything."""
        if self._file is None:
            return
        try:
            private_folder(self._file.parent)
            write_private(
                self._file, json.dumps([one._asdict() for one in self._troubles.values()])
            )
        except OSError as error:
            _log.warning("cannot write %s: %s", self._file, error.strerror)


def read_troubles(file: Path) -> tuple[Trouble, ...]:
    """Return what a supervisor kept in ``file``; nothing where it cannot be read."""
    try:
        return tuple(Trouble(**one) for one in json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return ()
