"""How a picture was read, as a page: on its own, for whoever has no table at hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, select_autoescape
from markupsafe import Markup

_STATIC = Path(__file__).parent / "static"


def standing_page(trace: Mapping[str, Any], picture: str) -> str:
    """Return an HTML page that needs no other file, in English: ``trace`` as
    :meth:`web.ports.Readings.one` has it, ``picture`` the address of the picture (``data:…``)."""
    environment = Environment(
        loader=PackageLoader("web"),
        autoescape=select_autoescape(),
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
    environment.filters["told"] = str
    style = Markup((_STATIC / "readings.css").read_text(encoding="utf-8"))
    page = environment.get_template("reading_file.html")
    return page.render(one=trace, picture=picture, style=style)
