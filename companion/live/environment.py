"""Everything outside the program that the running companion uses: time, cameras, strips of LEDs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.runtime.timekeeper import Timekeeper

if TYPE_CHECKING:
    from hardware.strip import Strip
    from vision.frames import Source


@dataclass(frozen=True)
class Environment:
    """Clocks, cameras and strips as the running program uses them; a test replaces some of them.

    ``clock`` gives steady seconds; ``wait`` waits so many of them, or until the event is set.
    ``time`` tells the time of day and the time that passed, for what is written into journals.
    ``camera`` and ``strip`` are handed every source of frames and every strip before it is used,
    and return what is used. ``seed`` is what machines' choices by chance follow from, None to let
    them differ from game to game.
    """

    clock: Callable[[], float] = time.monotonic
    wait: Callable[[threading.Event, float], object] = threading.Event.wait
    time: Timekeeper = field(default_factory=Timekeeper)
    camera: Callable[[Source], Source] = lambda source: source
    strip: Callable[[Strip], Strip] = lambda strip: strip
    seed: str | None = None
