"""How a picture was read, as a page: on its own, for whoever has no table at hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from web.alone import environment

_STATIC = Path(__file__).parent / "static"


def standing_page(trace: Mapping[str, Any], picture: str) -> str:
    """Return an HTML page that needs no other file, in English: ``trace`` as
    :meth:`web.ports.Readings.one` has it, ``picture`` the address of the picture (``data:…``)."""
    drawn = environment()
    drawn.filters["told"] = str
    style = Markup((_STATIC / "readings.css").read_text(encoding="utf-8"))
    page = drawn.get_template("reading_file.html")
    return page.render(one=trace, picture=picture, style=style)
