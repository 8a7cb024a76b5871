"""Sheets on paper: PDF pages at true size, with a ruler, glue marks and page names."""

from __future__ import annotations

from collections.abc import Iterable

from fpdf import FPDF
from fpdf.enums import RenderStyle, StrokeCapStyle

from companion.referee.sign import NAME, signed
from companion.rules import Stroke
from companion.sheets.paper import MARGIN, OVERLAP, Page, Tiling, divided, meets
from companion.sheets.sheet import Box, Sheet, Words, box_of

RULER_MM = 100
"""Length of the ruler in the lower margin of every page."""
_POINTS_PER_MM = 72 / 25.4


def pdf_of(sheets: Iterable[Sheet], paper: str) -> FPDF:
    """Return the pages of all sheets."""
    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    pdf.set_creator(NAME)
    for sheet in sheets:
        tiling = divided(sheet, paper)
        for page in tiling.pages:
            _page(pdf, sheet, tiling, page)
    return pdf


def _page(pdf: FPDF, sheet: Sheet, tiling: Tiling, page: Page) -> None:
    pdf.add_page(format=(page.width, page.height))
    left, top, right, bottom = page.window
    # Its own context: after the clip readers go back to the font before it, and so has pdf to.
    # Lines end where they end, as in an SVG.
    butt = {"stroke_cap_style": StrokeCapStyle.BUTT}
    with pdf.local_context(**butt), pdf.rect_clip(MARGIN, MARGIN, right - left, bottom - top):
        for stroke in (*sheet.strokes, *sheet.cuts):
            if stroke.points and meets(_grown(box_of([stroke]), stroke.width), page.window):
                _draw(pdf, stroke, page)
        for words in sheet.words:
            _write(pdf, words, page.place(*words.at))
    _glue(pdf, page)
    _ruler(pdf, page)
    signed(pdf, MARGIN + 2, MARGIN / 2)
    name = sheet.title
    if tiling.rows * tiling.columns > 1:
        name += f"   row {page.row + 1} of {tiling.rows}"
        name += f", column {page.column + 1} of {tiling.columns}"
    _write(pdf, Words(name, (0.0, 0.0), 3.0), (page.width / 2, MARGIN / 2 + 1))


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _draw(pdf: FPDF, stroke: Stroke, page: Page) -> None:
    points = [page.place(x, y) for x, y in stroke.points]
    lined = bool(stroke.colour and stroke.width)
    if stroke.fill:
        pdf.set_fill_color(*_rgb(stroke.fill))
    if lined:
        pdf.set_draw_color(*_rgb(stroke.colour))
        pdf.set_line_width(stroke.width)
    if stroke.fill and lined:
        style = RenderStyle.DF
    else:
        style = RenderStyle.F if stroke.fill else RenderStyle.D
    if stroke.fill or lined:
        pdf.polyline(points, polygon=stroke.closed, style=style)


def _rgb(colour: str) -> tuple[int, int, int]:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue


def _write(pdf: FPDF, words: Words, at: tuple[float, float]) -> None:
    """Write a line with its middle at ``at`` of the page."""
    pdf.set_text_color(*_rgb(words.colour))
    pdf.set_font("helvetica", size=words.size * _POINTS_PER_MM)
    text = words.text.encode("latin-1", "replace").decode("latin-1")
    # A capital of Helvetica is 0.72 of the type size high.
    pdf.text(at[0] - pdf.get_string_width(text) / 2, at[1] + 0.36 * words.size, text)


def _glue(pdf: FPDF, page: Page) -> None:
    """Mark how far the next pages cover this one, and where their corners come to lie."""
    left, top = MARGIN, MARGIN
    right, bottom = page.width - MARGIN, page.height - MARGIN
    pdf.set_draw_color(120, 120, 120)
    pdf.set_line_width(0.15)
    pdf.set_dash_pattern(2, 2)
    if page.glued_right:
        pdf.line(right - OVERLAP, top - 4, right - OVERLAP, bottom + 2)
        _write(pdf, Words("glue", (0.0, 0.0), 2.5), (right - OVERLAP / 2, top - 2))
    if page.glued_below:
        pdf.line(left - 4, bottom - OVERLAP, right + 4, bottom - OVERLAP)
        _write(pdf, Words("glue", (0.0, 0.0), 2.5), (left - 4, bottom - OVERLAP / 2))
    pdf.set_dash_pattern()
    for x, cut_x in ((left, page.column), (right, page.glued_right)):
        for y, cut_y in ((top, page.row), (bottom, page.glued_below)):
            if cut_x or cut_y:
                out_x, out_y = (-5 if x == left else 5), (-5 if y == top else 5)
                pdf.line(x + out_x / 5, y, x + out_x, y)
                pdf.line(x, y + out_y / 5, x, y + out_y)


def _ruler(pdf: FPDF, page: Page) -> None:
    """Draw a ruler of 100 mm in the lower margin: whoever prints measures it."""
    start, y = page.width / 2 - RULER_MM / 2, page.height - MARGIN / 2 - 1.5
    pdf.set_draw_color(0, 0, 0)
    pdf.set_line_width(0.2)
    pdf.line(start, y, start + RULER_MM, y)
    for mm in range(0, RULER_MM + 1, 10):
        pdf.line(start + mm, y, start + mm, y - (2.5 if mm % 50 == 0 else 1.5))
    text = f"{RULER_MM} mm: measure it, print at 100 %"
    _write(pdf, Words(text, (0.0, 0.0), 2.2), (page.width / 2, y + 2.2))
