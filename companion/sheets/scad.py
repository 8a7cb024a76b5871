"""The frame and the camera's stand as an OpenSCAD program: what board, LEDs and optics say as
parameters, before what is built of them (``frame.scad``)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from importlib.resources import files

from companion.rules import Point
from companion.sheets.camera_placement import LEAN, LENSES, site
from companion.sheets.contents import HOLE_MM, PrintOrder, board_sheet, led_places


def scad_of(order: PrintOrder) -> str:
    """Return the program for the board of ``order``; all lengths are millimetres."""
    parameters = {
        "game": order.game.title,
        "sheet": board_sheet(order).size,
        "hole": HOLE_MM,
        "led_pitch": spacing(leds := led_spots(order)),
        "leds": leds,
        "leaning": LEAN,
        "cameras": list(cameras(order)),
    }
    said = "".join(f"{name} = {_written(value)};\n" for name, value in parameters.items())
    program = files("companion.sheets").joinpath("frame.scad").read_text(encoding="utf-8")
    return (
        "// Computed by `companion print`. Millimetres; LEDs from the middle, y down as on paper.\n"
        "// cameras: name; lens over the board straight above, 0 beside it; the same leaning in.\n"
        f"{said}\n{program}"
    )


def led_spots(order: PrintOrder) -> list[Point]:
    """Return where the LEDs lie as the board is printed, from its middle, y down as on paper."""
    places = led_places(order.board, order.wired) if order.wired.count else {}
    return [(x * order.scale, y * order.scale) for _, (x, y) in sorted(places.items())]


def spacing(leds: Sequence[Point]) -> float:
    """Return how far those two LEDs are apart that lie nearest; 0 for fewer than two."""
    ordered = sorted(leds)
    return min(
        (math.dist(a, b) for n, a in enumerate(ordered) for b in ordered[n + 1 :]), default=0.0
    )


def cameras(order: PrintOrder) -> Iterable[tuple[str, float, float, float, float]]:
    """Yield each lens with its height and how far beside the middle it stands, straight above and
    leaning in."""
    for lens in LENSES:
        above, leaning = (site(order.board, lens, lean) for lean in (0.0, LEAN))
        scaled = (above.height, above.beside, leaning.height, leaning.beside)
        first, second, third, fourth = (round(value * order.scale, 1) for value in scaled)
        yield lens.name, first, second, third, fourth


def _written(value: object) -> str:
    """Return a value as OpenSCAD writes it: JSON has the same lists, numbers and strings."""

    def rounded(part: object) -> object:
        if isinstance(part, (list, tuple)):
            return [rounded(one) for one in part]
        return round(part, 2) if isinstance(part, float) else part

    return json.dumps(rounded(value), ensure_ascii=False)
