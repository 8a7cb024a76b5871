"""What a host sets at a table, kept from one evening to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from companion.rules import BadInput, Text, quoted, say

DAY, MEGABYTE = 86_400.0, 1_000_000
MOST = 100_000
"""The greatest number that a setting may have."""
LABELS: Mapping[str, Text] = {
    "play": say("Moves are made"),
    "sound": say("Phones make sounds"),
    "speech": say("Phones say the moves aloud"),
    "act_for_others": say("Anybody seated may act for a seat without a phone"),
    "advice": say("A machine gives advice to whoever asks"),
    "take_back_offers": say("Offer to take back what gives much away"),
    "keep_days": say("Keep photographs for days (0: for ever)"),
    "keep_megabytes": say("Room for photographs, in MB"),
}
"""The settings as people call them."""


class TableSettings(NamedTuple):
    """``play``: who enters the moves, ``camera`` or ``phone``. ``sound`` and ``speech`` are what
    phones begin with. ``act_for_others``: whether anybody seated may act for a seat without a
    phone; ``advice``: whether a machine says what it would do;
    ``take_back_offers``: whether it offers to take back what gave much away. Replay photographs
    are kept for ``keep_days`` (0: for ever) and as far as ``keep_megabytes`` hold them."""

    play: str = "camera"
    sound: bool = True
    speech: bool = False
    act_for_others: bool = True
    advice: bool = True
    take_back_offers: bool = False
    keep_days: int = 30
    keep_megabytes: int = 200

    def changed(self, changes: Mapping[str, Any]) -> TableSettings:
        """Return the settings with ``changes``.

        Raises:
            BadInput: there is no such setting, or a value does not fit.
        """
        usual = self._field_defaults
        for name, value in changes.items():
            if name not in usual:
                raise BadInput(say("there is no setting {name}", name=quoted(name)))
            setting = LABELS[name]
            if type(value) is not type(usual[name]):
                raise BadInput(
                    say("{setting}: {value} will not do", setting=setting, value=quoted(value))
                )
            if isinstance(value, int) and not 0 <= value <= MOST:
                raise BadInput(
                    say(
                        "{setting}: a whole number from 0 to {most}, not {value}",
                        setting=setting,
                        most=MOST,
                        value=quoted(value),
                    )
                )
        if changes.get("play", "camera") not in ("camera", "phone"):
            raise BadInput(say("moves come from the camera or the phone"))
        return self._replace(**changes)


class Kept(Protocol):
    """Where settings are kept beside the journal: one section of the settings file."""

    def load(self) -> Mapping[str, Any]:
        """Return what is kept.

        Raises:
            BadInput: it cannot be read.
        """

    def save(self, values: Mapping[str, Any]) -> None:
        """Keep ``values`` too.

        Raises:
            BadInput, HardwareFault: they cannot be kept; nothing is changed.
        """


def known(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return those entries of ``data`` that are settings of this version."""
    return {name: value for name, value in data.items() if name in TableSettings._fields}
