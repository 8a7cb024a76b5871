"""What there is to print of a game: its board with markers, markers alone, LEDs, the wiring."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from types import MappingProxyType
from typing import Any

from companion.rules import (
    BadInput,
    Board,
    DiceOnMat,
    Game,
    Point,
    Setup,
    Stroke,
    called,
    coordinates,
    disc,
    quoted,
    tokens_of,
)
from companion.sheets.leaflet import Wording, leaflet_sheets, wide
from companion.sheets.ornament import INK, framed
from companion.sheets.paper import fitting_scale
from companion.sheets.sheet import Sheet, Words, box_of, line
from companion.sheets.tokens import token_sheets
from hardware.strip import CHANNEL_MA, IDLE_MA
from hardware.wiring import Wiring, default_wiring
from vision.board.optics import CameraView, fit_view
from vision.board.printing import marker, marker_centres, printed
from vision.dice.traymat import printed_mat

HOLE_MM = 6.0
"""Millimetres: the diameter of the hole for an LED of 5 mm, or for the light of a strip's LED."""
CORNERS = ("far left", "far right", "near right", "near left")
"""Where markers 0 to 3 lie, as the first seat sees the board."""
_THIN, _SMALL = "#9a9a9a", 2.2
_NAME = 5.0
"""Millimetres: how high the name of a spot is written, to be read at arm's length."""


@dataclass(frozen=True)
class PrintOrder:
    """What is to be printed: of which game, on which ``paper``, ``scale`` times the usual size,
    with which ``wiring``, with or without letters and numbers round the board and with or without
    ornament, in whose ``wording`` if there is something to read."""

    game: Game[Any]
    setup: Setup
    paper: str = "a4"
    scale: float = 1.0
    wiring: Wiring | None = None
    lettered: bool = True
    ornate: bool = True
    wording: Wording | None = None

    @property
    def board(self) -> Board:
        """Return the board at its usual size."""
        return self.game.board(self.setup)

    @property
    def wired(self) -> Wiring:
        """Return the wiring, the usual one if none is given."""
        return self.wiring or default_wiring(self.board)


def board_sheet(order: PrintOrder) -> Sheet:
    """Return the board with the corner markers where the calibration looks for them."""
    view = replace(fit_view(order.board, CameraView(marks="markers")), mat="")
    edge = view.reach + 0.75 * view.marker_mm
    strokes = tuple(printed(order.board, view))
    cell = round(order.board.pitch * order.scale, 2)
    title = f"{order.game.title}: board, {cell:g} mm a cell"
    words = tuple(_lettering(order.board, view)) if order.lettered else ()
    return Sheet(title, (-edge, -edge, edge, edge), strokes, words).scaled(order.scale)


def _framed_board(order: PrintOrder) -> Iterator[Sheet]:
    """Yield the board as it is printed: with its ornament, unless it is to be plain."""
    sheet = board_sheet(order)
    if order.ornate:
        view = fit_view(order.board, CameraView(marks="markers"))
        plain = board_sheet(replace(order, scale=1.0))
        sheet = replace(
            framed(plain, order.board, view, order.game.title).scaled(order.scale),
            title=sheet.title,
        )
    yield sheet


def _lettering(board: Board, view: CameraView) -> Iterator[Words]:
    """Yield what is written on and round ``board``: coordinates, or the name of every spot where
    they are called otherwise. Where a camera reads cards, names stand beside the board."""
    if coordinates(board):
        yield from _letters(board, view)
        return
    for name, spot in board.spots.items():
        yield (_beyond if board.card_width else _upon)(called(name), spot.outline)


def _upon(text: str, outline: Sequence[Point]) -> Words:
    """Return ``text`` along the upper edge of what it names."""
    left, top, right, _ = box_of((Stroke(tuple(outline)),))
    return Words(text, ((left + right) / 2, top + _NAME), _NAME)


def _beyond(text: str, outline: Sequence[Point]) -> Words:
    """Return ``text`` beside what it names, away from the board's middle."""
    left, top, right, bottom = box_of((Stroke(tuple(outline)),))
    x, y = (left + right) / 2, (top + bottom) / 2
    if abs(x) > abs(y):
        x = math.copysign(max(-left, right) + _NAME + _wide(text) / 2, x)
    else:
        y = math.copysign(max(-top, bottom) + 1.5 * _NAME, y)
    return Words(text, (x, y), _NAME)


def _letters(board: Board, view: CameraView) -> Iterator[Words]:
    """Yield the coordinates round ``board``, but those that would stand beside a marker: a camera
    finds it by the white about it. Black ones would look to it like pips of white dice."""
    markers, clear = marker_centres(view).values(), 0.75 * view.marker_mm + 0.2 * board.pitch
    for text, (x, y) in coordinates(board):
        if all(max(abs(x - left), abs(y - top)) > clear for left, top in markers):
            yield Words(text, (x, y), 0.22 * board.pitch, INK)


def mat_sheets(order: PrintOrder) -> Iterator[Sheet]:
    """Yield the mat for the game's dice, if it has one: its zones with their names, and the
    markers by which a camera finds it. Its size is that of the dice and is not changed."""
    if not isinstance(order.game, DiceOnMat):
        return
    mat = order.game.mat(order.setup)
    width, height = mat.size
    words = tuple(_upon(called(name), outline) for name, outline in mat.zones.items())
    box = (-width / 2, -height / 2, width / 2, height / 2)
    strokes = tuple(printed_mat(mat, "#f4f2ec", ("#e4e2dc",)))
    yield Sheet(f"{order.game.title}: mat for the dice", box, strokes, words)


def markers_sheet(order: PrintOrder) -> Sheet:
    """Return the four corner markers alone, to be cut out and laid beside a board one has."""
    view = fit_view(order.board, CameraView(marks="markers"))
    size, small = view.marker_mm, _SMALL / order.scale
    strokes, words, cuts = [], [], []
    told = {
        number: f"{number}: {CORNERS[number]}, {abs(x) * order.scale:.0f} mm and "
        f"{abs(y) * order.scale:.0f} mm from the board's middle"
        for number, (x, y) in marker_centres(view).items()
    }
    # Neither markers nor what is told of them meet.
    wide = max(2.1 * size, *(_wide(text, small) for text in told.values()))
    for number, text in told.items():
        at = (wide * (number in (1, 2)), 2.3 * size * (number in (2, 3)))
        cuts.append(Stroke(circle_box(at, 0.75 * size), colour=_THIN, width=0.1))
        strokes += list(marker(number, at, size))
        words.append(Words(text, (at[0], at[1] + 0.86 * size), small))
    title = f"{order.game.title}: corner markers"
    _, top, _, bottom = box_of(cuts)
    box = (-wide / 2, top, 1.5 * wide, bottom + 0.11 * size + small)
    return Sheet(title, box, tuple(strokes), tuple(words), tuple(cuts)).scaled(order.scale)


def _wide(text: str, size: float = _NAME) -> float:
    """Return how wide ``text`` is at most: a letter is half as wide as it is high."""
    return 0.55 * size * len(text)


def circle_box(centre: Point, half: float) -> tuple[Point, ...]:
    """Return a square about ``centre``."""
    x, y = centre
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def led_places(board: Board, wiring: Wiring) -> dict[int, Point]:
    """Return where every LED of the wiring lies, in millimetres: at the board's rim, or in the
    middle of its spot, several of them side by side."""
    if wiring.places:
        return dict(wiring.places)
    places = {}
    for spot, leds in wiring.leds.items():
        x, y = board[spot].centre
        for number, led in enumerate(leds):
            places[led] = (x + 0.3 * board.pitch * (number - (len(leds) - 1) / 2), y)
    return places


def led_sheet(order: PrintOrder) -> Sheet:
    """Return the template for drilling: a hole for each LED, its number, the cells by name, the
    way of the strip."""
    board, hole = order.board, HOLE_MM / order.scale
    places = led_places(board, order.wired)
    strokes = [Stroke(spot.outline, colour="#cccccc", width=0.15) for spot in board.spots.values()]
    words, holes = [], []
    for led, (x, y) in sorted(places.items()):
        holes.append(Stroke(disc(hole / 2, (x, y), 24), colour="#000000", width=0.2))
        strokes += [
            line((x - hole, y), (x + hole, y), 0.1),
            line((x, y - hole), (x, y + hole), 0.1),
        ]
        words.append(Words(str(led), (x + 0.8 * hole, y - 0.8 * hole), 2.6 / order.scale))
    for name, spot in board.spots.items():
        (x, y), size = spot.centre, 2.6 / order.scale
        # A name, as a wiring file has it, ends beside its hole, however long it is.
        left = x - 0.55 * hole - wide(name, size) / 2
        words.append(Words(name, (left, y + 0.9 * hole), size))
    strokes += way(places, 0.25)
    title = f"{order.game.title}: LED template, holes of {HOLE_MM:g} mm"
    box = _reach(board, places, hole)
    sheet = Sheet(title, box, tuple(strokes), tuple(words), tuple(holes))
    return sheet.scaled(order.scale)


def _reach(
    board: Board, places: Mapping[int, Point], beyond: float
) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of the board and of the LEDs beside it."""
    left, top, right, bottom = board.bounds
    xs, ys = zip(*places.values(), strict=True)
    return (
        min(left, min(xs) - beyond),
        min(top, min(ys) - beyond),
        max(right, max(xs) + beyond),
        max(bottom, max(ys) + beyond),
    )


def way(places: Mapping[int, Point], width: float) -> Iterator[Stroke]:
    """Yield the way of the data line from LED to LED, with an arrow on every piece, all alike."""
    leds = sorted(places)
    size = 0.09 * median([math.dist(places[a], places[b]) for a, b in pairwise(leds)] or [0.0])
    for here, there in pairwise(leds):
        (x, y), (u, v) = places[here], places[there]
        yield line((x, y), (u, v), width, "#c0242b" if there == here + 1 else "#e8862a")
        angle, mx, my = math.atan2(v - y, u - x), (x + 2 * u) / 3, (y + 2 * v) / 3
        yield Stroke(
            tuple(
                (mx + size * math.cos(angle + turn), my + size * math.sin(angle + turn))
                for turn in (0.0, 2.6, -2.6)
            ),
            fill="#c0242b",
        )


def wiring_sheet(order: PrintOrder) -> Sheet:
    """Return the plan of the wiring, shrunk to one page: every LED's number, and the strips."""
    board, wiring = order.board, order.wired
    places = led_places(board, wiring)
    pitch = board.pitch
    strokes = [Stroke(spot.outline, colour="#888888", width=0.2) for spot in board.spots.values()]
    strokes += way(places, 0.02 * pitch)
    words = []
    for led, (x, y) in places.items():
        strokes.append(Stroke(disc(0.26 * pitch, (x, y), 24), "#ffffff", "#000000", 0.2))
        words.append(Words(str(led), (x, y), 0.22 * pitch))
    left, top, right, bottom = _reach(board, places, 0.3 * pitch)
    size = (right - left) / 45
    y = bottom + 2.5 * size
    for text in strip_lines(wiring):
        words.append(Words(text, ((left + right) / 2, y), size))
        y += 1.6 * size
    title = f"{order.game.title}: wiring plan"
    sheet = Sheet(title, (left, top, right, y), tuple(strokes), tuple(words))
    return sheet.scaled(fitting_scale(sheet, order.paper))


def strip_lines(wiring: Wiring) -> Iterator[str]:
    """Yield what is to know of every strip."""
    first = 0
    for number, part in enumerate(wiring.parts, start=1):
        most = part.count * (IDLE_MA + 3 * CHANNEL_MA)
        leds = f"LEDs {first} to {first + part.count - 1}"
        yield (
            f"strip {number}: {leds}, {part.lights or 'any driver'}, "
            f"colours {part.colours}, at most {min(most, part.limit_ma):.0f} mA of {most:.0f} mA"
        )
        first += part.count
    yield "5 V supply - 74AHCT125 level shifter - 330 ohm - data in; join all grounds"


def cut_out(order: PrintOrder) -> tuple[str, ...]:
    """Return the tokens to cut out: those of the game that are no dice."""
    game = order.game
    return tuple(token for token in tokens_of(game, order.setup) if not game.look(token).pips)


def flat(order: PrintOrder) -> bool:
    """Tell whether the game is played with flat tokens, not with men or dice."""
    game, tokens = order.game, cut_out(order)
    return bool(tokens) and not any(game.look(token).body for token in tokens)


def _tokens(order: PrintOrder) -> Iterator[Sheet]:
    return token_sheets(order.game, order.setup, cut_out(order), order.paper, order.scale)


def _leaflet(order: PrintOrder) -> Iterator[Sheet]:
    if order.wording is None:
        return iter(())
    return leaflet_sheets(order.game, order.setup, order.wording, order.paper)


KINDS: Mapping[str, Callable[[PrintOrder], Iterator[Sheet]]] = MappingProxyType(
    {
        "board": _framed_board,
        "tokens": _tokens,
        "mat": mat_sheets,
        "markers": lambda order: iter((markers_sheet(order),)),
        "leds": lambda order: iter((led_sheet(order),)),
        "wiring": lambda order: iter((wiring_sheet(order),)),
        "leaflet": _leaflet,
    }
)
"""Everything that can be printed."""


def sheets(order: PrintOrder, kinds: tuple[str, ...]) -> tuple[Sheet, ...]:
    """Return the sheets of ``kinds`` in order; by default the board, and flat tokens.

    Raises:
        BadInput: there is no such kind or paper, or the game has nothing of that kind.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise BadInput(f"{quoted(kind)} cannot be printed; choose from {', '.join(KINDS)}")
    chosen = kinds or (("board", "tokens") if flat(order) else ("board",))
    found = tuple(sheet for kind in chosen for sheet in KINDS[kind](order))
    if not found:
        raise BadInput(f"{order.game.title} has no {' or '.join(chosen)} to print")
    return found
