"""What a table of a game takes, as rows of a spreadsheet: computed from the same board, wiring and
optics as prints, plans and places of cameras."""

from __future__ import annotations

import csv
import io
import math
from typing import NamedTuple

from companion.sheets.camera_placement import LEAN, LENSES, site
from companion.sheets.contents import PrintOrder, board_sheet
from companion.sheets.paper import divided
from hardware.budget import budgets
from hardware.wiring import Wiring, default_wiring

FED_ONCE = 100
"""LEDs of a strip that one end feeds."""
MOST_AMPERES = 6.0
"""What the LEDs of one table are limited to at most: a supply of 8 A gives four fifths of it."""
SPARE = 0.8
"""The share of a supply that is drawn at most."""
SUPPLIES = (3, 5, 8)
FUSES = (1.0, 2.0, 3.0, 5.0, 7.5)
CABLES = ((0.5, 3.0), (0.75, 6.0), (1.0, 10.0), (1.5, 16.0))
"""Square millimetres of flexible copper, and the amperes that one carries."""
COPPER = 0.0175
"""Ohms of a square millimetre of copper, a metre long."""
CABLE, DROP = 1.0, 0.25
"""Metres from the supply to the strip, and the volts that may be lost on them, there and back."""


class BillRow(NamedTuple):
    """One row: the ``part``, how many of which ``unit``, and what it is for and follows from."""

    part: str
    quantity: float
    unit: str
    why: str


class Feeding(NamedTuple):
    """How strips are fed with 5 V: the ``limit`` up to which they may draw, in milliamperes, the
    amperes of the ``supply`` and of the ``fuse``, ``square`` millimetres of the cable, and at how
    many ``ends`` each strip is fed."""

    limit: int
    supply: int
    fuse: float
    square: float
    ends: int


def feeding(brightest: float, wiring: Wiring) -> Feeding:
    """Return how the strips of ``wiring`` are fed whose ``brightest`` frame draws so many
    milliamperes; what draws more than the supply may give, or :data:`MOST_AMPERES`, is darkened.
    Fuse and cable bear the limit: other frames may be brighter than that one."""
    asked = min(brightest / 1000, MOST_AMPERES)
    supply = next((size for size in SUPPLIES if SPARE * size >= asked), SUPPLIES[-1])
    limit = round(1000 * min(SPARE * supply, MOST_AMPERES))
    drawn = limit / 1000
    fuse = next(size for size in FUSES if size >= 1.25 * drawn)
    least = 2 * COPPER * CABLE * drawn / DROP
    square = next(area for area, carries in CABLES if area >= least and carries >= fuse)
    longest = max(part.count for part in wiring.parts)
    return Feeding(limit, supply, fuse, square, 2 if longest > FED_ONCE else 1)


def bill(order: PrintOrder) -> list[BillRow]:
    """Return what the table of ``order`` takes, with a Pi, its camera and lights."""
    board, lens = order.board, LENSES[0]
    above, leaning = site(board, lens, 0.0), site(board, lens, LEAN)
    pages = len(divided(board_sheet(order), order.paper).pages)
    rows = [
        BillRow(f"paper {order.paper.upper()}", pages, "sheet", "the board, printed at true size"),
        BillRow("Raspberry Pi 4 or 5, 2 GB, with its own supply", 1, "piece", "reads the table"),
        BillRow("microSD card, 32 GB, class A1 or A2", 1, "piece", "its system and the games"),
        BillRow(lens.name, 1, "piece", f"{above.pixels:.0f} pixels a cell from straight above"),
        BillRow(
            "stand or boom arm, reaching up", math.ceil(above.height / 10), "cm",
            f"straight above; leaning in by {LEAN:g} degrees {leaning.height / 10:.0f} cm, "
            f"{leaning.beside / 10:.0f} cm from the middle",
        ),
    ]  # fmt: skip
    wiring = order.wiring or default_wiring(board)
    return rows + _lights(order, wiring) if wiring.count else rows


def _lights(order: PrintOrder, wiring: Wiring) -> list[BillRow]:
    brightest = budgets(order.game, order.setup, wiring)[0].brightest
    fed = feeding(brightest, wiring)
    strips, ends = len(wiring.parts), fed.ends * len(wiring.parts)
    limited = ", darkened to" if brightest > fed.limit else ";"
    return [
        BillRow("WS2812B LED", wiring.count, "piece", "one in the middle of each cell"),
        BillRow(
            f"supply 5 V {fed.supply} A", 1, "piece",
            f"the brightest frame would draw {brightest / 1000:.1f} A{limited} "
            f"limit_ma = {fed.limit}",
        ),
        BillRow(f"fuse {fed.fuse:g} A, slow", 1, "piece", "right behind the supply's +"),
        BillRow(
            f"flexible cable {fed.square:g} mm2, two cores", ends * CABLE, "m",
            f"feeds {strips} strip(s) at {fed.ends} end(s), {CABLE:g} m each",
        ),
        BillRow("capacitor 1000 uF, 6.3 V or more", ends, "piece", "where a strip is fed"),
        BillRow("74AHCT125 level shifter", 1, "piece", "3.3 V of the Pi to the LEDs' 5 V"),
        BillRow("resistor 330 ohm", strips, "piece", "in the data line of each strip"),
    ]  # fmt: skip


def as_csv(rows: list[BillRow]) -> str:
    """Return ``rows`` as comma-separated values, their names first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(BillRow._fields)
    writer.writerows((row.part, f"{row.quantity:g}", row.unit, row.why) for row in rows)
    return out.getvalue()
