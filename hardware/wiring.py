"""Which LED lies under which spot: data, read from a file, checked, or found by walking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.rules import BadInput, Board, Point, is_texts, quoted, read_toml, whole_number
from companion.runtime.files import read_text
from hardware.rim import WAYS, rim_leds

_FIELDS = ("first", "leds_per_spot", "serpentine", "order", "leds", "count", "strips")
_BY_SPOT = ("leds_per_spot", "serpentine", "order", "leds")
_RIM_FIELDS = ("rim", "rim_start")
_PART_FIELDS = ("count", "lights", "limit_ma", "colours")
MOST_LEDS = 20_000
"""The greatest number of LEDs; no table has as many."""
LIMIT_MA = 2000.0
COLOURS = "GRB"
"""The order in which a WS2812 takes its colours."""


@dataclass(frozen=True, slots=True)
class Part:
    """One strip of several that are numbered through: its ``count`` of LEDs, the address of its
    ``lights`` (empty: the one that is given when the lights are opened), how much its supply may
    give, and in which order its LEDs take their ``colours``."""

    count: int
    lights: str = ""
    limit_ma: float = LIMIT_MA
    colours: str = COLOURS


@dataclass(frozen=True)
class Wiring:
    """``leds``: spot -> the indexes of its LEDs; ``count``: LEDs of all strips together;
    ``strips``: the strips in order, empty for a single one; ``places``: where the LEDs lie, in
    millimetres, if they lie at the board's rim, several spots sharing them, and not under it."""

    leds: Mapping[str, tuple[int, ...]]
    count: int
    strips: tuple[Part, ...] = ()
    places: Mapping[int, Point] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def order(self) -> tuple[str, ...]:
        """Return the spots in the order in which the strip comes to them."""
        return tuple(sorted(self.leds, key=self.leds.__getitem__))

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return the strips, at least one."""
        return self.strips or (Part(self.count),)

    def check(self, board: Board) -> None:
        """Compare with a board.

        Raises:
            BadInput: a cell of the board has no LED, or a wired spot does not exist.
        """
        for name in self.leds:
            if name not in board:
                raise BadInput(
                    f"the wiring names spot {quoted(name)}, which this board does not have"
                )
        for spot in board.spots.values():
            if spot.kind == "cell" and not self.leds.get(spot.name):
                raise BadInput(
                    f"spot {spot.name} has no LED in the wiring; add it to “order” or to “leds”"
                )


def default_wiring(board: Board) -> Wiring:
    """Return the usual wiring: one LED a cell, column by column from the west, up and down in
    turn, beginning at the south end of the first column; on a board without cells one at each
    place for cards or dice."""
    columns: dict[int, list[tuple[float, str]]] = {}
    spots = board.spots.values()
    for spot in [spot for spot in spots if spot.kind == "cell"] or spots:
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
    data = read_toml(text, "the wiring file")
    for name in data:
        if name not in (*_FIELDS, *_RIM_FIELDS):
            listed = ", ".join(map(quoted, (*_FIELDS, *_RIM_FIELDS)))
            raise BadInput(f"the wiring file has no field {quoted(name)}; it has {listed}")
    leds, places = _at_rim(data, board) if "rim" in data else (_under(data), {})
    highest = max((index for indexes in leds.values() for index in indexes), default=-1)
    strips = _strips(data)
    together = sum(strip.count for strip in strips)
    count = _number(data, "count", together or highest + 1, 1)
    if strips and count != together:
        raise BadInput(f"the wiring's count is {count}, but its strips have {together} LEDs")
    if count <= highest:
        raise BadInput(f"the wiring's count is {count}, but LED {highest} is wired")
    wiring = Wiring(MappingProxyType(leds), count, strips, MappingProxyType(places))
    wiring.check(board)
    return wiring


def _under(data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the LEDs under the spots, every one under one spot alone."""
    if "rim_start" in data:
        raise BadInput("the wiring's “rim_start” needs a rim beside it")
    leds = _ordered(data) | _listed(data)
    _once(leds)
    return leds


def _at_rim(
    data: Mapping[str, Any], board: Board
) -> tuple[dict[str, tuple[int, ...]], dict[int, Point]]:
    """Return the LEDs at the ends of each spot's lines, and where they lie."""
    for name in _BY_SPOT:
        if name in data:
            raise BadInput(f"a wiring with a rim has no “{name}”: its LEDs lie under no spot")
    way, start = data["rim"], data.get("rim_start")
    if way not in WAYS:
        raise BadInput(f"the wiring's rim is {' or '.join(WAYS)}, not {quoted(way)}")
    if start is not None and not (isinstance(start, str) and start in board):
        raise BadInput(f"the wiring's “rim_start” {quoted(start)} is no cell of this board")
    return rim_leds(board, _number(data, "first", 0, 0), way, start)


def load_wiring(path: Path, board: Board) -> Wiring:
    """Read the wiring file at ``path``.

    Raises:
        BadInput: the file cannot be read, or see :func:`read_wiring`.
    """
    try:
        text = read_text(path)
    except OSError as error:
        raise BadInput(f"the wiring file {path} cannot be read: {error.strerror}") from None
    return read_wiring(text, board)


def write_wiring(wiring: Wiring) -> str:
    """Return the file's text, each spot with its LEDs."""
    lines = [f"count = {wiring.count}", ""]
    for strip in wiring.strips:
        lines += ["[[strips]]", f"count = {strip.count}", f'lights = "{strip.lights}"']
        lines += [f"limit_ma = {strip.limit_ma:g}", f'colours = "{strip.colours}"', ""]
    lines += ["[leds]"]
    lines += [f"{spot} = {list(indexes)}" for spot, indexes in wiring.leds.items()]
    return "\n".join(lines) + "\n"


def _ordered(data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the LEDs given by ``order``: runs of the strip, ``-`` for an LED under no spot."""
    runs = data.get("order", [])
    if not is_texts(runs):
        raise BadInput('the wiring\'s order is a list of texts such as “["a1 a2 a3", "b3 - b2"]”')
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
                raise BadInput(f"spot {quoted(word)} stands twice in the wiring's order")
            if index + each > MOST_LEDS:
                raise BadInput(f"the wiring's order has more than {MOST_LEDS} LEDs")
            leds[word] = tuple(range(index, index + each))
            index += each
    return leds


def _gap(word: str) -> int:
    number = whole_number(word[1:] or "1")
    if number is None or number > MOST_LEDS:
        raise BadInput(
            f"{quoted(word)} in the wiring's order is no gap; write - or, for five LEDs, -5"
        )
    return number


def _listed(data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    given = data.get("leds", {})
    if not isinstance(given, dict):
        raise BadInput("the wiring's “leds” is a table such as “h2 = [12, 13]”")
    for spot, indexes in given.items():
        fits = isinstance(indexes, list) and all(
            type(i) is int and 0 <= i < MOST_LEDS for i in indexes
        )
        if not fits:
            raise BadInput(
                f"spot {quoted(spot)} in the wiring's “leds” needs a list of LED numbers"
            )
    return {spot: tuple(indexes) for spot, indexes in given.items()}


def _strips(data: Mapping[str, Any]) -> tuple[Part, ...]:
    given = data.get("strips", [])
    if not isinstance(given, list) or not all(isinstance(strip, dict) for strip in given):
        raise BadInput("each strip of the wiring begins with “[[strips]]” and has its own count")
    return tuple(_strip(number, strip) for number, strip in enumerate(given, start=1))


def _strip(number: int, strip: Mapping[str, Any]) -> Part:
    for name in strip:
        if name not in _PART_FIELDS:
            listed = ", ".join(map(quoted, _PART_FIELDS))
            raise BadInput(
                f"strip {number} of the wiring has no field {quoted(name)}; it has {listed}"
            )
    count, lights = strip.get("count"), strip.get("lights", "")
    limit, colours = strip.get("limit_ma", LIMIT_MA), strip.get("colours", COLOURS)
    if type(count) is not int or not 1 <= count <= MOST_LEDS:
        raise BadInput(
            f"strip {number} of the wiring needs its count of LEDs, from 1 to {MOST_LEDS}"
        )
    if not isinstance(lights, str):
        raise BadInput(f"the lights of strip {number} are an address such as “spi:0.0”")
    if type(limit) not in (int, float) or limit <= 0:
        raise BadInput(
            f"“limit_ma” of strip {number} is a number of milliampere, not {quoted(limit)}"
        )
    if not isinstance(colours, str) or sorted(colours) != sorted(COLOURS):
        raise BadInput(
            f"colours of strip {number} is an order of the letters R, G and B, such as GRB, "
            f"not {quoted(colours)}"
        )
    return Part(count, lights, float(limit), colours)


def _once(leds: Mapping[str, tuple[int, ...]]) -> None:
    owner: dict[int, str] = {}
    for spot, indexes in leds.items():
        for index in indexes:
            if index in owner:
                raise BadInput(f"LED {index} is wired twice, under {owner[index]} and under {spot}")
            owner[index] = spot


def _number(data: Mapping[str, Any], name: str, default: int, least: int) -> int:
    value = data.get(name, default)
    if type(value) is not int or (name in data and not least <= value <= MOST_LEDS):
        raise BadInput(
            f"the wiring's “{name}” is a whole number from {least} to {MOST_LEDS}, "
            f"not {quoted(value)}"
        )
    return value
