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
    """The world as it is; a test may put another in its place.

    ``clock`` gives seconds, ``wait`` lets so many pass unless the event is set meanwhile. ``time``
    is the table's own: what time it is, and how much has passed, for all that is remembered.
    ``camera`` and ``strip`` are handed every source of frames and every strip before it is used,
    and return what is used.
    """

    clock: Callable[[], float] = time.monotonic
    wait: Callable[[threading.Event, float], object] = threading.Event.wait
    time: Timekeeper = field(default_factory=Timekeeper)
    camera: Callable[[Source], Source] = lambda source: source
    strip: Callable[[Strip], Strip] = lambda strip: strip
