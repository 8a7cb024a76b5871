"""Time controls as players write them: ``5``, ``3+2``, ``5 d3``, ``40/90+30,30+30``."""

from __future__ import annotations

import re
from random import Random

from companion.rules.clock import TimePhase
from companion.rules.given import quoted
from companion.rules.options import Option
from companion.rules.words import say

MOST_PHASES = 5
LONGEST_DELAY = 3600
"""Seconds of an increment or a delay at most."""
_PHASE = (
    r"(?:(?P<moves>[0-9]{1,3}) ?/ ?)?(?P<minutes>[0-9]{1,4}(?:\.[0-9]{1,2})?)"
    r"(?: ?(?P<sign>[+db]) ?(?P<seconds>[0-9]{1,4}))?"
)


def read_control(text: str, most: int) -> tuple[TimePhase, ...] | None:
    """Return the phases that ``text`` writes, none for ``0``; None for what is no time control.

    Phases stand between commas: ``moves/minutes``, the last without moves, and after a ``+`` the
    seconds of an increment, after ``d`` of a delay, after ``b`` of a delay by Bronstein. None has
    more than ``most`` minutes.
    """
    parts = text.split(",")
    phases = [_phase(part.strip(), most) for part in parts[:MOST_PHASES]]
    if len(parts) > MOST_PHASES or not all(phases):
        return () if text.strip() == "0" else None
    told = tuple(phase for phase in phases if phase)
    fits = all(phase.moves for phase in told[:-1]) and told[-1].moves is None
    return told if fits else None


def _phase(text: str, most: int) -> TimePhase | None:
    match = re.fullmatch(_PHASE, text)
    if match is None:
        return None
    seconds, sign, bonus = 60 * float(match["minutes"]), match["sign"], int(match["seconds"] or 0)
    moves = None if match["moves"] is None else int(match["moves"])
    if not 0 < seconds <= 60 * most or bonus > LONGEST_DELAY or moves == 0:
        return None
    increment = float(bonus) if sign == "+" else 0.0
    delay = float(bonus) if sign in ("d", "b") else 0.0
    return TimePhase(seconds, increment, delay, sign == "b", moves)


class TimeControlOption(Option):
    """A choice that is a time control (:func:`read_control`), of at most ``most`` minutes a phase;
    ``0`` is none."""

    __slots__ = ()

    def read(self, value: str) -> str:
        """Return ``value`` with one way of spacing: ``40/90+30,30 d5``."""
        text = re.sub(r"\s*([,+/])\s*", r"\1", value.strip())
        return re.sub(r"\s*([db])\s*(?=[0-9])", r" \1", text)

    def problem(self, value: str) -> str | None:
        """Return one sentence saying why ``value`` does not fit, or None."""
        if read_control(value, self.most) is not None:
            return None
        return say(
            "{option} is 0, or minutes such as 5, 3+2 (seconds for each move), 5 d3 (a delay; "
            "b3 by Bronstein) or 40/90+30,30+30 (40 moves in the first 90 minutes), at most {most} "
            "minutes at a time; not {value}",
            option=self.label,
            most=self.most,
            value=quoted(value),
        )

    def draw(self, chance: Random) -> str:
        """Return whole minutes that ``chance`` draws."""
        return str(chance.randint(1, self.most))
