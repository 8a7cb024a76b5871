"""Which LED lies under which spot: data, read from a file, checked, or found by walking."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.rules import BadInput, Board

_FIELDS = ("first", "leds_per_spot", "serpentine", "order", "leds", "count")


@dataclass(frozen=True)
class Wiring:
    """``leds``: spot -> the indexes of its LEDs on the strip; ``count``: LEDs of the strip."""

    leds: Mapping[str, tuple[int, ...]]
    count: int

    def check(self, board: Board) -> None:
        """Compare with a board.

        Raises:
            BadInput: a cell of the board has no LED, or a wired spot does not exist.
        """
        for name in self.leds:
            if name not in board:
                raise BadInput(f"the wiring names spot {name!r}, which this board does not have")
        for spot in board.spots.values():
            if spot.kind == "cell" and not self.leds.get(spot.name):
                raise BadInput(
                    f"spot {spot.name} has no LED in the wiring; add it to 'order' or to [leds]"
                )


def default_wiring(board: Board) -> Wiring:
    """Return the usual wiring: one LED a cell, column by column from the west, up and down in
    turn, beginning at the south end of the first column."""
    columns: dict[int, list[tuple[float, str]]] = {}
    for spot in board.spots.values():
        if spot.kind == "cell":
            x, y = spot.centre
            columns.setdefault(round(10 * x / board.pitch), []).append((-y, spot.name))
    order: list[str] = []
    for number, (_, column) in enumerate(sorted(columns.items())):
        order += [name for _, name in sorted(column, reverse=number % 2 == 1)]
    return Wiring(
        MappingProxyType({name: (index,) for index, name in enumerate(order)}), len(order)
    )


def read_wiring(text: str, board: Board) -> Wiring:
    """Read a wiring file (TOML; the format is in docs/wiring.md) and check it.

    Raises:
        BadInput: not TOML, an unknown or wrong field, an LED used twice, a spot without LED.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"the wiring file is not TOML: {error}") from None
    for name in data:
        if name not in _FIELDS:
            raise BadInput(f"the wiring file has no field {name!r}; it has {', '.join(_FIELDS)}")
    leds = _ordered(data)
    for spot, indexes in _listed(data).items():
        leds[spot] = indexes
    _once(leds)
    highest = max((index for indexes in leds.values() for index in indexes), default=-1)
    count = _number(data, "count", highest + 1, 1)
    if count <= highest:
        raise BadInput(f"the wiring's count is {count}, but LED {highest} is wired")
    wiring = Wiring(MappingProxyType(leds), count)
    wiring.check(board)
    return wiring


def load_wiring(path: Path, board: Board) -> Wiring:
    """Read the wiring file at ``path``.

    Raises:
        BadInput: the file cannot be read, or see :func:`read_wiring`.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the wiring file {path} cannot be read: {error}") from None
    return read_wiring(text, board)


def write_wiring(wiring: Wiring) -> str:
    """Return the file's text, each spot with its LEDs."""
    lines = [f"count = {wiring.count}", "", "[leds]"]
    lines += [f"{spot} = {list(indexes)}" for spot, indexes in wiring.leds.items()]
    return "\n".join(lines) + "\n"


def walk(count: int) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """Yield one strip of pixels for every LED, with that LED alone alight, in order.

    Whoever looks at the board answers which spot is lit; see :func:`wiring_of`."""
    for lit in range(count):
        yield tuple((0, 160, 0) if index == lit else (0, 0, 0) for index in range(count))


def wiring_of(board: Board, answers: Sequence[str | None]) -> Wiring:
    """Return the wiring that the answers of a :func:`walk` describe; None for an LED that lights
    no spot.

    Raises:
        BadInput: an answer that is no spot, or a cell that never lit up.
    """
    leds: dict[str, tuple[int, ...]] = {}
    for index, spot in enumerate(answers):
        if spot is not None:
            leds[spot] = (*leds.get(spot, ()), index)
    wiring = Wiring(MappingProxyType(leds), len(answers))
    wiring.check(board)
    return wiring


def _ordered(data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the LEDs given by ``order``: runs of the strip, ``-`` for an LED under no spot."""
    runs = data.get("order", [])
    if not isinstance(runs, list) or not all(isinstance(run, str) for run in runs):
        raise BadInput('the wiring\'s order is a list of texts such as ["a1 a2 a3", "b3 - b2"]')
    index = _number(data, "first", 0, 0)
    each = _number(data, "leds_per_spot", 1, 1)
    leds: dict[str, tuple[int, ...]] = {}
    for number, run in enumerate(runs):
        words = run.split()
        if data.get("serpentine", False) and number % 2 == 1:
            words.reverse()
        for word in words:
            if word.startswith("-"):
                index += _gap(word)
                continue
            if word in leds:
                raise BadInput(f"spot {word} stands twice in the wiring's order")
            leds[word] = tuple(range(index, index + each))
            index += each
    return leds


def _gap(word: str) -> int:
    number = word[1:] or "1"
    if not number.isdecimal():
        raise BadInput(f"{word!r} in the wiring's order is no gap; write - or, for five LEDs, -5")
    return int(number)


def _listed(data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    given = data.get("leds", {})
    if not isinstance(given, dict):
        raise BadInput("the wiring's [leds] is a table such as: h2 = [12, 13]")
    for spot, indexes in given.items():
        fits = isinstance(indexes, list) and all(type(i) is int and i >= 0 for i in indexes)
        if not fits:
            raise BadInput(f"spot {spot} in the wiring's [leds] needs a list of LED numbers")
    return {spot: tuple(indexes) for spot, indexes in given.items()}


def _once(leds: Mapping[str, tuple[int, ...]]) -> None:
    owner: dict[int, str] = {}
    for spot, indexes in leds.items():
        for index in indexes:
            if index in owner:
                raise BadInput(f"LED {index} is wired twice, under {owner[index]} and under {spot}")
            owner[index] = spot


def _number(data: Mapping[str, Any], name: str, default: int, least: int) -> int:
    value = data.get(name, default)
    if type(value) is not int or (name in data and value < least):
        raise BadInput(f"the wiring's {name} is a whole number from {least} up, not {value!r}")
    return value
