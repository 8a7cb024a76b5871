"""Pages look as their kept pictures do; ``make screenshots`` makes those anew after a change that
is meant. Compared is what an eye half closed sees: letters of another font are no difference."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.journal import Journal
from tests.system.screenshots import FOLDER, STAGES, middle_game, shoot

COARSE = (18, 37)
"""Fields of a phone's picture that are compared, across and down."""
ALIKE, APART = 3.0, 30.0
"""How far fields may differ, of 255: in the mean, and the one that differs most."""
BEGUN = {"game": lambda journal: middle_game(journal)[:2], **STAGES}


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
    for name, begun in BEGUN.items():
        with Journal() as journal:
            found.update(shoot(browser, *begun(journal), {name: "/"}, ("phone",), ("dark",)))
    return found


@pytest.mark.parametrize("name", BEGUN)
def test_a_page_looks_as_its_kept_picture(seen, name):
    picture = f"{name}-phone-dark"
    mean, most = far(fields(seen[picture]), fields((FOLDER / f"{picture}.webp").read_bytes()))
    assert mean <= ALIKE, "look at it; if it is meant, run make screenshots"
    assert most <= APART, "look at it; if it is meant, run make screenshots"


def test_what_is_missing_is_noticed(seen):
    whole = fields(seen["game-phone-dark"])
    without = whole.copy()
    without[22:26] = whole[21]
    assert far(whole, without)[1] > APART or far(whole, without)[0] > ALIKE
