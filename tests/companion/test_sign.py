"""The sign on paper is the one on the pages, and every printed page bears it with the name."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest

import web
from companion.games import find_game
from companion.referee.sign import NAME, SIGN
from companion.sheets.contents import PrintOrder, board_sheet
from companion.sheets.pdf import pdf_of

STATIC = Path(web.__file__).parent / "static"
ICON = (STATIC / "icon.svg").read_text(encoding="utf-8")


def corners(path):
    """Return the points of a path of absolute and relative moves, about the icon's middle."""
    x = y = 0.0
    for letter, numbers in re.findall(r"([MLHVlhv])([^A-Za-z]*)", path.replace("z", "")):
        values = [float(value) for value in re.findall(r"-?\d*\.?\d+", numbers)]
        while values:
            if letter in "vV":
                y = values.pop(0) + y * (letter == "v")
            else:
                x, y = (v + o * (letter == "l") for v, o in zip(values[:2], (x, y), strict=True))
                del values[:2]
            letter = {"M": "L"}.get(letter, letter)
            yield round(x - 16, 2), round(y - 16, 2)


def test_the_sign_on_paper_has_the_cells_and_colours_of_the_icon():
    drawn = [set(corners(path)) for path in re.findall(r' d="([^"]*)"', ICON)]
    cells = [{(round(x, 2), round(y, 2)) for x, y in stroke.points} for stroke in SIGN[:2]]
    assert cells[0] == drawn[0]
    assert cells[1] == drawn[1]
    assert all((stroke.fill or stroke.colour) in ICON for stroke in SIGN)


@pytest.mark.parametrize("paper", ["a4", "a0"])
def test_every_page_of_a_board_bears_the_name(paper):
    game = find_game("chess")
    pdf = pdf_of([board_sheet(PrintOrder(game, game.setup(), paper))], paper)
    document = pypdfium2.PdfDocument(bytes(pdf.output()))
    assert len(document) == pdf.page_no()
    for page in document:
        assert NAME in page.get_textpage().get_text_range()
    document.close()


def test_pages_are_titled_with_the_name_and_lie_on_a_home_screen_by_it():
    assert f'"name": "{NAME}"' in (STATIC / "app.webmanifest").read_text(encoding="utf-8")
    base = (STATIC.parent / "templates" / "base.html").read_text(encoding="utf-8")
    assert f"· {NAME}</title>" in base
