"""Waiting for a set-up: when a look is worth it, and what still has to be done, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from companion.rules import Text, say
from vision.board.raster import Floats
from vision.frames import Frame
from vision.watching.flat import lightness
from vision.watching.motion import COLUMNS, Motion

MARK = 5.0
"""Grey levels by which a piece that is put down, or a die that moves, changes some point of the
shrunk picture at least."""
PATIENCE = 10
"""Frames after which the table is looked at even if nothing seems to have changed: a dark piece on
a dark cell changes little."""
NAMED = 6
MOVED = say("the board or the camera was moved too far; put it back or calibrate again")
REACHES = say("a hand, or something as large, is in view")
UNDER = say("something large lies there, and what is under it is not known")
MOVES = say("something moves")
SPOILT = say("so much is not explained that the picture may be spoilt")
HELD = say("fingers at the edge of the picture may still hold what was moved")
TWICE = say("this may be the middle of a move; the next picture has to say the same")
UNLIT = say("a light leaves a doubt; the next picture is taken without lights")


class Gate:
    """Decides when a costly look at the whole table is worth it: nobody reaches over the table, and
    something may have changed since the last look, or ``patience`` frames have passed."""

    def __init__(self, patience: int = PATIENCE) -> None:
        self._patience = patience
        self._motion = Motion()
        self._before: Floats | None = None
        self._looked: Floats | None = None
        self._since = 0

    def calm(self, frame: Frame) -> bool:
        """Tell whether nothing moved between the frame before and ``frame``. Call it once for every
        frame."""
        assert frame.image is not None
        first = self._before is None
        self._before = lightness(frame.image, COLUMNS, 2)
        self._since += 1
        return not self._motion.moves(frame) and not first

    def due(self) -> bool:
        """Tell whether a look is worth it now. A look is then taken as done."""
        assert self._before is not None, "calm was asked first"
        looked = self._looked
        if (
            looked is not None
            and self._since < self._patience
            and looked.shape == self._before.shape
            and float(_change(self._before, looked).max()) < MARK
        ):
            return False
        self._looked, self._since = self._before, 0
        return True

    def again(self) -> None:
        """Make the next look due, whatever it shows."""
        self._looked = None


def to_do(
    faults: Mapping[str, str], expected: Mapping[str, str], spoken: Callable[[str], str]
) -> Text:
    """Return what to do before the game can begin. ``faults``: spot -> ``empty``, ``wrong`` or
    ``turned``; ``expected``: spot -> the token that belongs there, called as ``spoken`` says."""
    said = []
    for spot, fault in sorted(faults.items()):
        piece = spoken(expected[spot]) if spot in expected else say("nothing")
        if fault == "empty":
            said.append(say("{spot} is empty ({piece} belongs there)", spot=spot, piece=piece))
        elif fault == "turned":
            said.append(say("{piece} on {spot} is turned round", spot=spot, piece=piece))
        else:
            said.append(
                say("{spot} shows another piece ({piece} belongs there)", spot=spot, piece=piece)
            )
    more = len(said) - NAMED
    return listed([*said[:NAMED], *([say("and {count} more", count=more)] if more > 0 else [])])


def amiss(wrong: Iterable[str], expected: Mapping[str, str], spoken: Callable[[str], str]) -> Text:
    """Return the sentences about every piece of the set-up in :func:`to_do`, in order; empty where
    nothing is wrong."""
    return listed(
        [
            say("{piece} is missing from {spot}", piece=spoken(expected[spot]), spot=spot)
            if spot in expected
            else say("{spot} is not bare", spot=spot)
            for spot in sorted(wrong)
        ]
    )


def differing(spots: Sequence[str]) -> Text:
    """Return the sentence that the table differs from the game at ``spots``, and what players can
    do."""
    words = ", ".join(spots)
    return say("the table differs from the game at {spots}; put it right or play on", spots=words)


def listed(said: Sequence[Text]) -> Text:
    """Return several sentences joined to one text."""
    text = said[0] if said else say("nothing")
    for other in said[1:]:
        text = say("{one}; {other}", one=text, other=other)
    return text


def _change(now: Floats, then: Floats) -> Floats:
    """Return how much each pixel changed, apart from a change of all light."""
    off = now - then
    return np.asarray(np.abs(off - np.median(off)), np.float32)
