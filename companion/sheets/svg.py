"""Sheets as SVG at true size, for laser cutters and for whoever draws on: all in millimetres, and
what is cut or drilled on a layer of its own, in the red that laser cutters take for a cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from types import MappingProxyType
from typing import Any

from companion.rules import Stroke
from companion.sheets.sheet import Sheet, Words

_CUT: Mapping[str, Any] = MappingProxyType({"colour": "#ff0000", "width": 0.1})


def svg_of(sheet: Sheet) -> str:
    """Return the whole sheet as one SVG file, however large it is."""
    left, top, _, _ = sheet.box
    width, height = sheet.size
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="{width:.3f}mm" '
            f'height="{height:.3f}mm" viewBox="{left:.3f} {top:.3f} {width:.3f} {height:.3f}">',
            f"<title>{escape(sheet.title)}</title>",
            *_layer("art", (*map(_stroke, sheet.strokes), *map(_words, sheet.words))),
            *_layer("cut", (_stroke(stroke._replace(fill="", **_CUT)) for stroke in sheet.cuts)),
            "</svg>\n",
        )
    )


def _layer(name: str, drawn: Iterable[str]) -> Iterator[str]:
    """Yield what Inkscape and the programs of laser cutters show as a layer called ``name``."""
    yield f'<g id="{name}" inkscape:groupmode="layer" inkscape:label="{name}">'
    yield from drawn
    yield "</g>"


def _stroke(stroke: Stroke) -> str:
    way = "L".join(f"{x:.3f} {y:.3f}" for x, y in stroke.points)
    return f'<path d="M{way}{"Z" if stroke.closed else ""}"{"".join(_inks(stroke))}/>'


def _inks(stroke: Stroke) -> Iterator[str]:
    yield f' fill="{stroke.fill or "none"}"'
    if stroke.colour and stroke.width:
        yield f' stroke="{stroke.colour}" stroke-width="{stroke.width:.3f}"'


def _words(words: Words) -> str:
    (x, y), size, text = words.at, words.size, escape(words.text)
    # A capital of Helvetica is 0.72 of the type size high.
    return (
        f'<text x="{x:.3f}" y="{y + 0.36 * size:.3f}" font-size="{size:.3f}" '
        f'font-family="Helvetica, Arial, sans-serif" text-anchor="middle" '
        f'fill="{words.colour}">{text}</text>'
    )
