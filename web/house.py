"""Everything that the routes share."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import segno
from flask import render_template, request
from markupsafe import Markup

from companion.rules import tell
from companion.table import Table
from web import drawing
from web.config import Config
from web.language import current, translator
from web.once import Once
from web.rate import Rate
from web.seats import Door, Person
from web.snapshot import Views
from web.stream import Streams
from web.virtual import Eyes, VirtualTable

COOKIE = "companion_phone"
PARTS = (
    "turn", "message", "mine", "ruling", "moves", "legend", "say", "cards", "seats", "scores",
)  # fmt: skip
"""The pieces of a page that are drawn anew when something happens, one template each."""

Answer = tuple[dict[str, Any], str | None]
"""The body of an accepted request, and the phone's new key where it changes."""


@dataclass(frozen=True, slots=True)
class House:
    """One table with its door, its views, its streams and the world it stands in."""

    table: Table[Any]
    config: Config
    door: Door
    views: Views
    streams: Streams
    once: Once[Answer]
    rate: Rate
    eyes: Eyes
    picture: drawing.Picture
    virtual: VirtualTable | None

    def person(self) -> Person:
        """Return who sends the current request."""
        return self.door.person(request.cookies.get(COOKIE))

    def snapshot(self, person: Person, seen: int | None = None, html: bool = False) -> Any:
        """Return a snapshot; with ``html`` also the parts of the page, ready to be put in."""
        view = self.views.snapshot(person, seen)
        if html:
            view["html"] = {
                part: render_template(f"parts/{part}.html", view=view) for part in PARTS
            }
        return view

    def symbol(self, token: str) -> Markup:
        """Return the picture of ``token``; raises BadInput for one that this game has not."""
        game = self.table.game
        upright = game.look(token).turn is None
        return drawing.symbol(
            token, game.draw(self.table.setup, token), self.spoken(token), upright
        )

    def spoken(self, token: str) -> str:
        """Return what people call ``token`` in the language of the request."""
        return tell(self.table.game.spoken(token), translator(current()))

    def invitation(self, uses: int = 1) -> str:
        """Return an address that lets ``uses`` phones in within ten minutes.

        The code stands behind a ``#``, so no log and no Referer ever holds it.
        """
        return f"{self.config.address.rstrip('/')}/join#{self.door.mint(uses)}"


def qr(text: str) -> Markup:
    """Return ``text`` as a QR code in SVG, dark on light in every colour scheme."""
    code = segno.make(text, error="m", micro=False)
    svg = code.svg_inline(scale=6, border=4, dark="#000", light="#fff", omitsize=True)
    return Markup(svg)


@cache
def version() -> str:
    """Return a digest of the static files, so that browsers keep them until they change."""
    folder = Path(__file__).parent / "static"
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()[:10]
