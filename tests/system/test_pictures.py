"""Pages look as their kept pictures do; ``make screenshots`` makes those anew after a change that
is meant. Compared is what an eye half closed sees: letters of another font are no difference."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.journal import Journal
from tests.system.screenshots import FOLDER, PAGES, STAGES, middle_game, shoot

COARSE = (18, 37)
"""Fields of a phone's picture that are compared, across and down."""
ALIKE, APART = 3.0, 30.0
"""How far fields may differ, of 255: in the mean, and the one that differs most."""
STEADY = ("game", "scores", "moves", "more", "rules", "seats", "settings", "shelf", "box", "view")
"""Pages of one game that show the same at whatever time they are looked at."""


def fields(data):
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return cv2.resize(picture, COARSE, interpolation=cv2.INTER_AREA).astype(float)


def far(one, other):
    """Return how far two pictures differ: in the mean, and where they differ most."""
    apart = np.abs(one - other).mean(axis=2)
    return float(apart.mean()), float(apart.max())


@pytest.fixture(scope="module")
def seen(browser):
    """The pages of a few games as a phone shows them in the dark, by the name of their picture."""
    found = {}
    for name, begun in STAGES.items():
        with Journal() as journal:
            found.update(shoot(browser, *begun(journal), {name: "/"}, ("phone",), ("dark",)))
    with Journal() as journal:
        table, seat = middle_game(journal)[:2]
        pages = {name: PAGES[name] for name in STEADY}
        found.update(shoot(browser, table, seat, pages, ("phone",), ("dark",)))
    with Journal() as journal:
        table, seat = middle_game(journal)[:2]
        found.update(shoot(browser, table, seat, {"view": "/view"}, ("tv",), ("dark",)))
    return found


@pytest.mark.parametrize(
    "picture", [*(f"{name}-phone-dark" for name in (*STEADY, *STAGES)), "view-tv-dark"]
)
def test_a_page_looks_as_its_kept_picture(seen, picture):
    mean, most = far(fields(seen[picture]), fields((FOLDER / f"{picture}.webp").read_bytes()))
    assert mean <= ALIKE, "look at it; if it is meant, run make screenshots"
    assert most <= APART, "look at it; if it is meant, run make screenshots"


def test_what_is_missing_is_noticed(seen):
    whole = fields(seen["game-phone-dark"])
    without = whole.copy()
    without[22:26] = whole[21]
    assert far(whole, without)[1] > APART or far(whole, without)[0] > ALIKE
