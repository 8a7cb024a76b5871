"""Contact sheets: every page and sheet of every game, small and side by side.

``make screenshots`` makes those that are kept under docs/screenshots/all, each game in a language
of its own on a phone, a desktop and a television. ``python -m tests.system.contact_sheets FOLDER``
makes all: every game in every language and size, light and dark.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from companion.journal import Journal
from tests.checks.chromium import chromium
from tests.checks.every_page import LOST, PAGES, at_table, seen
from tests.system.screenshots import FOLDER, SIZES, TABLES
from web.language import languages

ACROSS = {"phone": 8, "desktop": 4, "tv": 2}
WIDE = {"phone": 160, "desktop": 320, "tv": 480}
"""How wide each page is, in pixels."""
FAR = {name: PAGES[name] for name in ("game", "view", "table")}
"""Pages that are seen on a television."""
LIMITS = {"phone": 90, "desktop": 60, "tv": 40}
"""How many KB a sheet may take: the finest quality that fits is kept, or the coarsest."""
QUALITIES = (75, 65, 55, 45, 35, 25)
KEPT = {
    "victorus": "en", "invictus": "it", "heximeros": "fr", "victory_honor": "es",
    "hoplomachus": "it", "chess": "fr",
}  # fmt: skip


def sheet(shots, size):
    """Return pages as one picture, row by row."""
    width, height = SIZES[size]
    fit = (WIDE[size], round(WIDE[size] * height / width))
    pages = [cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR) for shot in shots]
    pages = [cv2.resize(page, fit, interpolation=cv2.INTER_AREA) for page in pages]
    pages += [np.full_like(pages[0], 128)] * (-len(pages) % ACROSS[size])
    framed = [cv2.copyMakeBorder(page, 2, 2, 2, 2, cv2.BORDER_CONSTANT) for page in pages]
    rows = range(0, len(framed), ACROSS[size])
    return cv2.vconcat([cv2.hconcat(framed[at : at + ACROSS[size]]) for at in rows])


def packed(picture, size):
    """Return a sheet as WebP."""
    for quality in QUALITIES:
        done = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes()
        if len(done) <= LIMITS[size] * 1024:
            break
    return done


def shoot(browser, game, language, size, scheme):
    """Return every page and sheet of a game as one picture."""
    width, height = SIZES[size]
    pages = FAR if size == "tv" else {**PAGES, **LOST}
    with Journal() as journal:
        table, seat = TABLES[game](journal)
        looks = {"locale": language, "viewport": {"width": width, "height": height}}
        with at_table(browser, table, seat, color_scheme=scheme, **looks) as (page, address):
            return sheet([page.screenshot() for _ in seen(page, address, game, pages)], size)


def main(folder=None):
    """Make the sheets that are kept, or all of them into ``folder``."""
    target = Path(folder) if folder else FOLDER / "all"
    target.mkdir(parents=True, exist_ok=True)
    wanted = product(TABLES, languages(), SIZES, ("light", "dark"))
    if not folder:
        looks = (("phone", "dark"), ("desktop", "light"), ("tv", "dark"))
        wanted = ((game, KEPT[game], *look) for game, look in product(TABLES, looks))
    with chromium() as browser:
        for game, language, size, scheme in wanted:
            path = target / f"{game}-{language}-{size}-{scheme}.webp"
            path.write_bytes(packed(shoot(browser, game, language, size, scheme), size))
            sys.stdout.write(f"{path.name} {path.stat().st_size // 1024} KB\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
