"""The tables of the build guide: what a board needs, where its camera stands, how lights are fed.

``python -m companion.sheets.build_guide docs/build.md`` writes them anew from the boards' own
geometry.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.games import find_game, games
from companion.sheets.bill import feeding
from companion.sheets.camera_placement import LEAN, LENSES, site
from companion.sheets.contents import PrintOrder, board_sheet
from companion.sheets.paper import divided, fitting_scale
from hardware.budget import budgets
from hardware.wiring import Wiring, default_wiring
from vision.board.light_meter import ENOUGH


class Built(NamedTuple):
    """What is built for one game: its board to be printed, its strips as they are usually wired,
    and what the brightest frame draws, in milliamperes."""

    order: PrintOrder
    wiring: Wiring
    brightest: float

    @property
    def title(self) -> str:
        """Return what the game is called."""
        return self.order.game.title


def built(name: str) -> Built:
    """Return what is built for the game called ``name``."""
    game = find_game(name)
    order = PrintOrder(game, game.setup())
    wiring = default_wiring(order.board)
    drawn = budgets(game, order.setup, wiring)[0].brightest if wiring.count else 0.0
    return Built(order, wiring, drawn)


def camera_rows(table: Built) -> Iterator[str]:
    """Yield the rows of the camera table for one game's board."""
    board = table.order.board
    for lens in LENSES:
        above, leaning = site(board, lens, 0.0), site(board, lens, LEAN)
        good = "" if min(above.pixels, leaning.pixels) >= ENOUGH else " (too few)"
        yield (
            f"| {table.title} | {lens.name} | {above.height / 10:.0f} cm | {above.pixels:.0f} | "
            f"{leaning.height / 10:.0f} cm up, {leaning.beside / 10:.0f} cm from the middle | "
            f"{leaning.pixels:.0f}{good} |"
        )


def board_row(table: Built) -> str:
    """Return what one game's board needs: paper, LEDs, the current of the brightest frame."""
    board, sheet = table.order.board, board_sheet(table.order)
    left, top, right, bottom = board.bounds
    pages = len(divided(sheet, "a4").pages)
    fitted = fitting_scale(sheet, "a2") * board.pitch
    return (
        f"| {table.title} | {board.pitch:g} mm | {right - left:.0f} × {bottom - top:.0f} mm | "
        f"{sheet.size[0]:.0f} × {sheet.size[1]:.0f} mm | {pages} | {fitted:.1f} mm | "
        f"{table.wiring.count or '–'} | "
        f"{f'{table.brightest / 1000:.1f} A' if table.brightest else '–'} |"
    )


def feeding_row(table: Built) -> str:
    """Return how the lights of one game are fed that shine as brightly as they may."""
    fed = feeding(table.brightest, table.wiring)
    return (
        f"| {table.title} | 5 V {fed.supply} A | {fed.limit} | {fed.fuse:g} A "
        f"| {fed.square:g} mm² | {'both ends' if fed.ends == 2 else 'one end'} |"
    )


def tables(names: Sequence[str]) -> dict[str, str]:
    """Return every computed table by its name, as Markdown."""
    every = [built(name) for name in names]
    boards = [
        "| game | a cell | the board | with markers | pages A4 | a cell on one A2 | LEDs "
        "| brightest frame |",
        "|---|---|---|---|---|---|---|---|",
        *map(board_row, every),
    ]
    cameras = [
        "| game | camera | straight above | pixels a cell | leaning in by 25° | pixels a cell |",
        "|---|---|---|---|---|---|",
        *(row for table in every for row in camera_rows(table)),
    ]
    feeding = [
        "| game | supply | `limit_ma` | fuse, slow | cable | fed at |",
        "|---|---|---|---|---|---|",
        *map(feeding_row, every),
    ]
    made = {"boards": boards, "cameras": cameras, "feeding": feeding}
    return {name: "\n".join(rows) for name, rows in made.items()}


def filled(text: str, made: dict[str, str]) -> str:
    """Return ``text`` with each table between its marks, as ``<!-- boards -->``, replaced."""
    for name, table in made.items():
        mark = f"<!-- {name} -->"
        if text.count(mark) == 2:
            before, _, after = text.split(mark)
            text = f"{before}{mark}\n{table}\n{mark}{after}"
    return text


def main(arguments: Sequence[str]) -> int:
    """Write the tables of every game into the guides that are named."""
    made = tables(tuple(games()))
    for name in arguments:
        path = Path(name)
        path.write_text(filled(path.read_text(encoding="utf-8"), made), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
