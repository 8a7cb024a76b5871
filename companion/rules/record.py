"""A whole game as text: a few header lines, then one action a line.

    game: victorus
    seats: red, purple
    option: corner = left

    h2-h4
    end
    # a line that begins with # is a remark

A game that did not begin at the usual start has a line ``place: h2 = red white T`` for each
token on the board, and may have a line ``to move: red``. ``rules: 2`` is the version of the rules
by which it was begun; a record without that line was begun by version 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.rules.action import Action
from companion.rules.answers import rules_of
from companion.rules.errors import BadInput
from companion.rules.game import Game
from companion.rules.given import quoted, whole_number
from companion.rules.options import Setup
from companion.rules.values import Position, S
from companion.rules.words import say


class Record(NamedTuple):
    """A game's name, who played by which options of which version of the rules, and every action in
    order.

    ``position`` and ``to_move`` are None for the usual start; ``lines`` holds the number of the
    line on which each action was read. ``called`` tells who played and when, as another program
    wrote it: no part of the game.
    """

    game: str
    seats: tuple[str, ...]
    options: Mapping[str, str] = MappingProxyType({})
    actions: tuple[str, ...] = ()
    position: dict[str, str] | None = None
    to_move: str | None = None
    rules: int = 1
    lines: tuple[int, ...] = ()
    called: str = ""

    def __eq__(self, other: object) -> bool:
        """Tell whether the same game is recorded, on whatever lines it was written."""
        return isinstance(other, Record) and self[:-2] == other[:-2]

    def __ne__(self, other: object) -> bool:
        return not self == other


class Imports(ABC):
    """Whole games are read from what other programs wrote."""

    @abstractmethod
    def read_notation(self, text: str) -> Sequence[Record]:
        """Return the records of the games that ``text`` tells, none if it is in no notation that is
        read here.

        Raises:
            BadInput: it is, and something in it is wrong, in one sentence.
        """


def read_foreign(text: str, games: Iterable[Game[Any]]) -> Sequence[Record]:
    """Return the games that ``text`` tells in a notation that one of ``games`` reads; none where
    none of them does.

    Raises:
        BadInput: something in it is wrong.
    """
    for game in games:
        if isinstance(game, Imports) and (records := game.read_notation(text)):
            return records
    return ()


def rewritten(game: Game[Any], record: Record) -> str:
    """Return the text of a ``record`` of ``game``."""
    setup = game.setup(record.seats, record.options)
    actions = [game.parse(setup, action) for action in record.actions]
    return write_record(game, setup, actions, record.position, record.to_move)


def write_record(
    game: Game[S],
    setup: Setup,
    actions: Sequence[Action],
    position: Position | None = None,
    to_move: str | None = None,
    told: Sequence[str] = (),
) -> str:
    """Return the record's text; only options that differ from the default are written.

    ``position`` and ``to_move`` tell where the game began, if not at the usual start; ``told`` are
    the actions in words, as remarks beside them.
    """
    defaults = {option.name: option.default for option in game.options}
    lines = [f"game: {game.name}", f"seats: {', '.join(setup.seats)}"]
    # Records of games whose rules are still read as they were first look as they did.
    lines += [f"rules: {rules_of(game)}"] if rules_of(game) > 1 else []
    lines += [
        f"option: {name} = {value}"
        for name, value in setup.options.items()
        if value != defaults[name]
    ]
    lines += [f"place: {spot} = {token}" for spot, token in (position or {}).items()]
    if to_move is not None:
        lines.append(f"to move: {to_move}")
    written = [game.format(action) for action in actions]
    wide = max(map(len, written), default=0)
    for number, words in enumerate(told[: len(written)]):
        written[number] = f"{written[number]:{wide}}  # {number + 1}. {words}"
    return "\n".join([*lines, "", *written]) + "\n"


def read_record(text: str) -> Record:
    """Read a record.

    Raises:
        BadInput: a line that is neither header, action nor remark, no ``game:`` line, or a version
            of the rules that is no number.
    """
    head: dict[str, str] = {}
    pairs: dict[str, dict[str, str]] = {"option": {}, "place": {}}
    actions: list[str] = []
    lines: list[int] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not line:
            continue
        if not colon:
            actions.append(line)
            lines.append(number)
        elif actions or key not in ("game", "seats", "rules", "to move", *pairs):
            raise BadInput(
                say(
                    "line {line} of the record, {text}, is no header and no action",
                    line=number,
                    text=quoted(raw),
                )
            )
        elif key in pairs:
            name, _, chosen = (part.strip() for part in value.partition("="))
            pairs[key][name] = chosen
        else:
            head[key] = value
    if "game" not in head:
        raise BadInput(say("the record does not begin with the game that it is of"))
    seats = tuple(seat.strip() for seat in head.get("seats", "").split(",") if seat.strip())
    return Record(
        head["game"],
        seats,
        pairs["option"],
        tuple(actions),
        pairs["place"] or None,
        head.get("to move"),
        _version(head.get("rules", "1")),
        tuple(lines),
    )


def _version(text: str) -> int:
    version = whole_number(text)
    if not version:
        raise BadInput(
            say("the version of the rules is a whole number from 1 up, not {value}",
                value=quoted(text))
        )  # fmt: skip
    return version
