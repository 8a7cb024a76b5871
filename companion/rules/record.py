"""A whole game as text: a few header lines, then one action a line.

    game: victorus
    seats: red, purple
    option: corner = left

    h2-h4
    end
    # a line that begins with # is a remark
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.rules.action import Action
from companion.rules.errors import BadInput
from companion.rules.game import Game, S, Setup


@dataclass(frozen=True)
class Record:
    """A game's name, who played by which options, and every action in order."""

    game: str
    seats: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    actions: tuple[str, ...] = ()


def write_record(game: Game[S], setup: Setup, actions: Sequence[Action]) -> str:
    """Return the record's text; only options that differ from the default are written."""
    defaults = {option.name: option.default for option in game.options}
    lines = [f"game: {game.name}", f"seats: {', '.join(setup.seats)}"]
    lines += [
        f"option: {name} = {value}"
        for name, value in setup.options.items()
        if value != defaults[name]
    ]
    return "\n".join([*lines, "", *(game.format(action) for action in actions)]) + "\n"


def read_record(text: str) -> Record:
    """Read a record.

    Raises:
        BadInput: a line that is neither header, action nor remark, or no ``game:`` line.
    """
    head: dict[str, str] = {}
    options: dict[str, str] = {}
    actions: list[str] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not line:
            continue
        if not colon:
            actions.append(line)
        elif actions or key not in ("game", "seats", "option"):
            raise BadInput(f"line {number} of the record: {raw!r} is no header and no action")
        elif key == "option":
            name, _, chosen = (part.strip() for part in value.partition("="))
            options[name] = chosen
        else:
            head[key] = value
    if "game" not in head:
        raise BadInput("the record has no line 'game: NAME'")
    seats = tuple(seat.strip() for seat in head.get("seats", "").split(",") if seat.strip())
    return Record(head["game"], seats, options, tuple(actions))
