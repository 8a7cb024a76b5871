"""The deck that a game prints: its faces and its back."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.rules import Drawing, Game, Setup, picture_of, tokens_of
from companion.rules.corner_code import code_strokes
from companion.rules.hidden import BACK
from vision.board.printing import paint
from vision.cards.cards import CARD_MM, PER_MM, KnownDeck
from vision.frames import Image

FINE = 3
"""Factor by which a card is drawn larger than needed before it is shrunk, for smooth edges."""
EDGE_MM = 4.0
"""Millimetres of white paper round the field on a card's back."""


def printed(game: Game[Any], setup: Setup) -> KnownDeck:
    """Return the printed deck of ``game``. What looks like one of its cards but has no code is a
    card of another deck."""
    deck = KnownDeck()
    for token in tokens_of(game, setup):
        look, drawing = game.look(token), picture_of(game, setup, token)
        if look.card and token != BACK:
            deck.enrol(token, flat(drawing), _uncoded(drawing, look.code))
    back = flat(picture_of(game, setup, BACK))
    deck.enrol(BACK, back)
    # On a light table the dark field within the paper's edge is what looks like a card.
    edge = round(EDGE_MM * PER_MM)
    field = cv2.resize(back[edge:-edge, edge:-edge], back.shape[1::-1])
    deck.enrol(BACK, np.asarray(field, np.uint8))
    return deck


def _uncoded(drawing: Drawing, code: int) -> Image | None:
    """Return the card without its code; None if it has none."""
    if code < 0:
        return None
    modules = {stroke.points for stroke in code_strokes(code, *CARD_MM, "")}
    return flat(tuple(stroke for stroke in drawing if stroke.points not in modules))


def flat(drawing: Drawing) -> Image:
    """Return a card's drawing as its upright picture."""
    per_mm = PER_MM * FINE
    width, height = (round(side * per_mm) for side in CARD_MM)
    canvas = np.full((height, width, 3), 90, np.uint8)
    middle = np.array((width, height)) / 2
    paint(canvas, drawing, lambda points: points * per_mm + middle, per_mm, cv2.LINE_AA)
    size = (width // FINE, height // FINE)
    return np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), np.uint8)
