"""Drawings on the pages of a PDF."""

from __future__ import annotations

from typing import Any

from companion.rules import Drawing


def draw(pdf: Any, drawing: Drawing, middle: tuple[float, float], size: float) -> None:
    """Draw a token about ``middle`` in ``size`` millimetres."""
    reach = max((abs(v) for stroke in drawing for point in stroke.points for v in point), default=1)
    put(pdf, drawing, middle, size / 2 / (reach or 1))


def put(pdf: Any, drawing: Drawing, middle: tuple[float, float], scale: float) -> None:
    """Draw about ``middle``, ``scale`` times as large as it is."""
    for stroke in drawing:
        points = [(middle[0] + x * scale, middle[1] + y * scale) for x, y in stroke.points]
        if stroke.fill:
            pdf.set_fill_color(*_rgb(stroke.fill))
        if stroke.colour:
            pdf.set_draw_color(*_rgb(stroke.colour))
            pdf.set_line_width(max(0.05, stroke.width * scale))
        style = ("D" if stroke.colour else "") + ("F" if stroke.fill else "")
        if style and stroke.closed:
            pdf.polygon(points, style=style)
        elif style:
            pdf.polyline(points, style=style)


def _rgb(colour: str) -> tuple[int, int, int]:
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
