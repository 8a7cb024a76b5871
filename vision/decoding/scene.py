"""What a search for an explanation is given: a picture, and what is known about it besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vision.tokens.eye import Seen

HELD = 16_000
"""Stories that are thought of and held against one picture; recorded games take 1,500 at most, and
eleven moves at once 12,000."""


class Effort:
    """What all searches for one picture may take together: ``left`` of :data:`HELD`. A picture that
    takes more is not understood, however it is looked at."""

    def __init__(self) -> None:
        self.left = HELD


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture: ``seen`` tells what the ``checked`` spots show, of which those ``changed``, and
    ``table`` what was believed to lie there.

    Somebody touched the ``stirred`` spots. An earlier picture did not explain what changed on the
    spots ``opened``, of which the ``stale`` ones look just the same in this one; it showed others
    that were ``unlike`` what was believed, as under a hand. Of the
    ``concealed`` spots nothing is seen, for what lies before them lay there already: anything may
    come and go there. ``effort`` is what searches for this picture may still take.
    """

    seen: Seen
    table: Mapping[str, str]
    changed: frozenset[str]
    checked: frozenset[str]
    stirred: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    unlike: frozenset[str] = frozenset()
    concealed: frozenset[str] = frozenset()
    effort: Effort = field(default_factory=Effort)
