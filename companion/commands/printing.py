"""``print``: the board, its pieces, LED templates and wiring plans at true size, as a PDF or as
SVG."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.commands.common import chosen_setup, print_json
from companion.games import find_game
from companion.rules import BadInput, Game, HardwareFault
from companion.sheets.bill import as_csv, bill
from companion.sheets.contents import PrintOrder, board_sheet, sheets
from companion.sheets.leaflet import Wording
from companion.sheets.paper import fitting_scale, paper_size
from companion.sheets.pdf import pdf_of
from companion.sheets.scad import scad_of
from companion.sheets.sheet import Sheet
from companion.sheets.svg import svg_of
from hardware.wiring import load_wiring

LEAST_CELL, MOST_CELL = 10.0, 120.0
"""Millimetres of a printed cell: smaller ones are too small for fingers, larger ones for any
table."""


def run_print(arguments: argparse.Namespace) -> int:
    """Write the sheets and say what they are."""
    game = find_game(arguments.game)
    setup = chosen_setup(game, arguments)
    paper_size(arguments.paper)
    board = game.board(setup)
    wiring = load_wiring(arguments.wiring, board) if arguments.wiring else None
    order = PrintOrder(
        game, setup, arguments.paper, wiring=wiring, ornate=not arguments.plain,
        lettered=not (arguments.plain or arguments.no_letters),
        wording=wording_in(game, arguments.language),
    )  # fmt: skip
    order = replace(order, scale=scale_of(arguments, order))
    kinds = tuple(arguments.what.split(",")) if arguments.what else ()
    printed = sheets(order, kinds)
    out: Path = arguments.out or Path(f"{game.name}.pdf")
    files, pages = written(printed, arguments.paper, out)
    if arguments.parts:
        save(arguments.parts, as_csv(bill(order)).encode())
    if arguments.frame:
        save(arguments.frame, scad_of(order).encode())
    cell = round(board.pitch * order.scale, 2)
    if arguments.json:
        print_json(
            {
                "file": str(out),
                "files": [str(file) for file in files],
                "pages": pages,
                "cell_mm": cell,
                "sheets": [s.title for s in printed],
            }
        )
        return 0
    if pages:
        paper = f"{'page' if pages == 1 else 'pages'} {arguments.paper.upper()}"
        print(f"{out}: {pages} {paper}, {cell:g} mm a cell")
        print("Print at 100 % (no fitting to the page) and measure the ruler: 100 mm.")
    else:
        print(f"{', '.join(map(str, files))}: {cell:g} mm a cell")
    return 0


def wording_in(game: Game[Any], language: str) -> Wording:
    """Return what is said of ``game`` in ``language``."""
    # Catalogs are read by Babel, which takes a while: not for boards and pieces.
    from web.language import introduced, rules_in, translator

    return Wording(introduced(game, language), rules_in(game, language), translator(language))


def written(printed: Sequence[Sheet], paper: str, out: Path) -> tuple[Sequence[Path], int]:
    """Write a PDF, or by the name of ``out`` an SVG file for each sheet; return the files and the
    pages of the PDF, 0 where it is none.

    Raises:
        HardwareFault: a file cannot be written.
    """
    pages, files = 0, {}
    if out.suffix.lower() != ".svg":
        pdf = pdf_of(printed, paper)
        pages, files = int(pdf.page_no()), {out: bytes(pdf.output())}
    elif len(printed) == 1:
        files = {out: svg_of(printed[0]).encode()}
    else:
        for number, sheet in enumerate(printed, start=1):
            file = out.with_stem(f"{out.stem}-{number}")
            files[file] = svg_of(sheet).encode()
    for file, content in files.items():
        save(file, content)
    return tuple(files), pages


def save(file: Path, content: bytes) -> None:
    """Write ``content`` to ``file``.

    Raises:
        HardwareFault: it cannot be written.
    """
    try:
        file.write_bytes(content)
    except OSError as error:
        raise HardwareFault(f"{file} cannot be written: {error.strerror}") from error


def scale_of(arguments: argparse.Namespace, order: PrintOrder) -> float:
    """Return how many times its usual size the board is printed.

    Raises:
        BadInput: --cell is no size for a board, or it stands beside --fit.
    """
    if arguments.cell is not None and arguments.fit:
        raise BadInput("--cell and --fit both choose the size; give one of them")
    if arguments.cell is not None:
        if not LEAST_CELL <= arguments.cell <= MOST_CELL:
            raise BadInput(f"--cell is a size from {LEAST_CELL:g} to {MOST_CELL:g} mm")
        return float(arguments.cell / order.board.pitch)
    return fitting_scale(board_sheet(order), order.paper) if arguments.fit else 1.0
