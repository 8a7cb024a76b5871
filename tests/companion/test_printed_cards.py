"""The printed deck: rasterised, cut out by its own outlines, and read again card by card."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.games import find_game
from companion.sheets.contents import PrintOrder, sheets
from companion.sheets.pdf import pdf_of
from companion.sheets.tokens import BLEED
from vision.cards.cards import upright
from vision.cards.printed_cards import printed

COARSE, FINE = 80, 130
TURNS = (0, 30, 90, 215)
"""Degrees by which the pages lie turned."""
GAME = find_game("victory_honor")
SETUP = GAME.setup()
CARDS = GAME.tokens(SETUP)


@cache
def pages(dpi: int) -> list[np.ndarray]:
    """Return the deck's pages as pictures, blue, green, red."""
    written = pdf_of(sheets(PrintOrder(GAME, SETUP), ("tokens",)), "a4")
    document = pypdfium2.PdfDocument(bytes(written.output()))
    found = [page.render(scale=dpi / 72).to_numpy()[:, :, :3] for page in document]
    document.close()
    return [np.ascontiguousarray(page) for page in found]


def turned(page: np.ndarray, degrees: float) -> np.ndarray:
    """Return the page turned on white ground, none of it cut off."""
    height, width = page.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    cos, sin = abs(turn[0, 0]), abs(turn[0, 1])
    size = (round(width * cos + height * sin), round(width * sin + height * cos))
    turn[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2
    return np.asarray(cv2.warpAffine(page, turn, size, borderValue=(255, 255, 255)))


def cut_out(image: np.ndarray) -> list[np.ndarray]:
    """Return the cards of a page, cut where the scissors go: within the ground that bleeds."""
    found = []
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    # Without the marks for the scissors.
    printed_on = cv2.morphologyEx((gray < 235).astype(np.uint8), cv2.MORPH_OPEN, np.ones((9, 9)))
    outlines, _ = cv2.findContours(printed_on, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        middle, sides, turn = cv2.minAreaRect(outline)
        if min(sides) < 100:
            continue
        corners = cv2.boxPoints((middle, [side / BLEED for side in sides], turn))
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        found.append(upright(image, np.roll(corners, -int(sides[0] > sides[1]), axis=0)))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("dpi", "degrees"),
    [
        (COARSE, TURNS[1]),
        *(pytest.param(COARSE, t, marks=pytest.mark.slow) for t in (TURNS[0], *TURNS[2:])),
        pytest.param(FINE, 0, marks=pytest.mark.slow),
    ],
)
def test_the_printed_deck_is_read_again_whole(dpi: int, degrees: float) -> None:
    deck = printed(GAME, SETUP)
    read = []
    for page in pages(dpi)[::2]:
        for card in cut_out(turned(page, degrees)):
            reading = deck.read(card)
            assert reading.sure
            read.append(reading.faces[0][0])
    assert sorted(read) == sorted(CARDS)


def test_backs_are_known() -> None:
    backs = cut_out(pages(COARSE)[1])
    assert len(backs) == 4
    deck = printed(GAME, SETUP)
    assert [deck.read(card).faces[0][0] for card in backs] == ["back"] * 4
