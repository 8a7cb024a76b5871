"""The printed deck: rasterised, cut out by its own outlines, and read again card by card."""

from __future__ import annotations

import numpy as np
import pypdfium2

from companion.games import find_game
from companion.sheets.contents import Order, sheets
from companion.sheets.pdf import pdf_of
from companion.sheets.tokens import BLEED
from vision.cards.cards import Deck, FoundCard, find_cards, read_code, upright

DPI = 80
GAME = find_game("victory_honor")
SETUP = GAME.setup()
CARDS = GAME.tokens(SETUP)


def pages():
    """Return the deck's pages as pictures, blue, green, red."""
    written = pdf_of(sheets(Order(GAME, SETUP), ("tokens",)), "a4")
    document = pypdfium2.PdfDocument(bytes(written.output()))
    found = [page.render(scale=DPI / 72).to_numpy()[:, :, :3] for page in document]
    document.close()
    return [np.ascontiguousarray(page) for page in found]


def cut_out(image: np.ndarray) -> list[np.ndarray]:
    """Return the cards of a page, cut where the scissors go: within the ground that bleeds."""
    found = []
    for card in find_cards(image):
        middle = card.corners.mean(axis=0)
        inner = FoundCard(middle + (card.corners - middle) / BLEED, card.fit)
        found.append(upright(image, inner))
    return found


def test_the_printed_deck_is_read_again_whole() -> None:
    deck, printed = Deck(dict(enumerate(CARDS))), pages()
    fronts = [card for page in printed[::2] for card in cut_out(page)]
    read = [deck.read(card).faces for card in fronts]
    assert sorted(faces[0][0] for faces in read) == sorted(CARDS)
    backs = cut_out(printed[1])
    assert len(backs) == 4
    assert [read_code(card) for card in backs] == [None] * 4
