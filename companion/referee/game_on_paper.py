"""Games as PDF: the scorecards with pictures of captured tokens, and the whole game with its last
position and every action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from companion.referee import sign
from companion.referee.export import Followed, ScoreSheet, field_name
from companion.referee.on_paper import draw, put
from companion.rules import Scorecard, Stroke, Translate, picture_of, say, tell

COIN = 7.0
"""Millimetres: the size of a captured token on paper."""
BOARD = 120.0
"""Millimetres: the longer side of the board on paper."""
GRAPH = 45.0
"""Millimetres: how high the graph of expectations is on paper."""
COLUMNS = 4
"""Columns in which actions are printed."""


class Review(NamedTuple):
    """What a machine found in a game: the ``shares`` of the result that each seat could expect
    after each action (0 to 1), the ``colours`` of the seats (as in CSS, empty
    for none), and ``lines`` about the seats and the turning points."""

    shares: Sequence[Mapping[str, float]]
    colours: Mapping[str, str]
    lines: Sequence[str]


def scores_pdf(sheet: ScoreSheet, translate: Translate = str) -> bytes:
    """Return the scorecards on paper, A4, captured tokens as pictures."""
    paper = _Paper(_blank(sheet), sheet, translate)
    paper.head()
    for card in sheet.cards:
        paper.card(card)
    return bytes(paper.pdf.output())


def game_pdf(
    sheet: ScoreSheet,
    followed: Followed,
    lines: Sequence[str],
    translate: Translate = str,
    review: Review | None = None,
) -> bytes:
    """Return the whole game on paper, A4: how it ended, the last position, the scorecards,
    ``lines``, the actions as this game writes them, and a ``review``."""
    paper = _Paper(_blank(sheet), sheet, translate)
    paper.head()
    paper.position(followed)
    for card in sheet.cards:
        paper.card(card)
    paper.actions(lines)
    if review is not None:
        paper.review(review)
    return bytes(paper.pdf.output())


def numbered(followed: Followed) -> list[str]:
    """Return the actions of a game that has no notation of its own, numbered, with who played."""
    game = followed.game
    return [
        f"{number}. {game.to_move(state) or ''} {game.format(action)}"
        for number, (state, action) in enumerate(
            zip(followed.states, followed.actions, strict=False), start=1
        )
    ]


def _blank(sheet: ScoreSheet) -> Any:
    fpdf: Any = import_module("fpdf")
    pdf = fpdf.FPDF(format="A4")
    pdf.set_title(sheet.game.title)
    pdf.set_creator(sign.NAME)
    pdf.set_auto_page_break(True, margin=15)
    pdf.add_page()
    sign.signed(pdf, pdf.w - pdf.r_margin - 36, pdf.t_margin + 2)
    return pdf


class _Paper:
    """Writes one sheet on pages."""

    def __init__(self, pdf: Any, sheet: ScoreSheet, translate: Translate) -> None:
        self.pdf, self._sheet, self._tell = pdf, sheet, translate

    def _line(self, text: str, size: float, style: str = "", height: float = 6.0) -> None:
        self.pdf.set_font("helvetica", style, size)
        self.pdf.multi_cell(0, height, _latin(text), new_x="LMARGIN", new_y="NEXT")

    def head(self) -> None:
        """Write what was played, when, and how it ended."""
        sheet, pdf = self._sheet, self.pdf
        self._line(sheet.game.title, 20, "B", 10)
        moves = tell(say("actions: {count}", count=sheet.actions), self._tell)
        self._line(f"{sheet.day} - {moves}", 10)
        if sheet.outcome is not None:
            winners = ", ".join(self._who(seat) for seat in sheet.outcome.winners)
            won = say("won by {winners}", winners=winners) if winners else say("no winner")
            parts = (one for one in (won, sheet.outcome.reason) if one)
            told = (tell(say("{what}.", what=one), self._tell) for one in parts)
            self._line(" ".join(told), 10)
        pdf.ln(4)

    def _who(self, seat: str) -> str:
        name = self._sheet.players.get(seat)
        return f"{seat} ({name})" if name else seat

    def card(self, card: Scorecard) -> None:
        """Write one scorecard."""
        pdf = self.pdf
        if pdf.get_y() > pdf.h - 60:
            pdf.add_page()
        score = "" if card.score is None else f": {card.score}"
        status = f" - {tell(card.status, self._tell)}" if card.status else ""
        self._line(f"{self._who(card.seat)}{score}{status}", 13, "B", 8)
        for field in card.fields:
            label, value = (
                tell(field_name(self._sheet.game, field), self._tell),
                tell(field.value, self._tell),
            )
            self._line(f"{label}: {value or len(field.tokens) or '-'}", 10)
            self._tokens(field.tokens)
        pdf.ln(4)

    def position(self, followed: Followed) -> None:
        """Draw the board as it stood at the end, tokens and all."""
        game, setup = followed.game, followed.setup
        board, pdf = game.board(setup), self.pdf
        left, top, right, bottom = board.bounds
        scale = BOARD / max(right - left, bottom - top)
        x0, y0 = (pdf.w - scale * (left + right)) / 2, pdf.get_y() - scale * top
        cells = [Stroke(s.outline, s.shade, "#8a8a8a", 0.3) for s in board.spots.values()]
        put(pdf, (*cells, *board.marks), (x0, y0), scale)
        for spot, token in game.expect(followed.states[-1]).items():
            x, y = board[spot].centre
            put(pdf, picture_of(game, setup, token), (x0 + scale * x, y0 + scale * y), scale)
        pdf.set_y(y0 + scale * bottom + 6)

    def actions(self, lines: Sequence[str]) -> None:
        """Write every action, in columns."""
        pdf = self.pdf
        self._line(tell(say("Moves"), self._tell), 13, "B", 8)
        pdf.set_font("helvetica", "", 8)
        text = "\n".join(_latin(line) for line in lines)
        with pdf.text_columns(ncols=COLUMNS, gutter=4, text_align="L") as columns:
            columns.write(text)
        pdf.ln(4)

    def review(self, review: Review) -> None:
        """Draw what each seat could expect, and write what was found."""
        pdf = self.pdf
        pdf.add_page()
        self._line(tell(say("Looked at again"), self._tell), 13, "B", 8)
        most = max((max(row.values()) for row in review.shares), default=0.0) or 1.0
        colour_of = import_module("fpdf.html").color_as_decimal
        step = (pdf.w - pdf.l_margin - pdf.r_margin) / max(1, len(review.shares) - 1)
        bottom = pdf.get_y() + GRAPH
        for seat, colour in review.colours.items():
            line = [
                (pdf.l_margin + step * at, bottom - GRAPH * row[seat] / most)
                for at, row in enumerate(review.shares)
            ]
            # A pale colour is seen on white by the darker line beneath it.
            for width, shade in ((0.9, "#444444"), (0.6, colour or "#444444")):
                pdf.set_line_width(width)
                pdf.set_draw_color(colour_of(shade))
                pdf.polyline(line)
        pdf.set_y(bottom + 4)
        for text in review.lines:
            self._line(text, 10)

    def _tokens(self, tokens: Sequence[str]) -> None:
        pdf, room = self.pdf, self.pdf.l_margin
        if not tokens:
            return
        for token in tokens:
            if room + COIN > pdf.w - pdf.r_margin:
                pdf.ln(COIN + 1)
                room = pdf.l_margin
            if pdf.get_y() + COIN > pdf.h - 15:
                pdf.add_page()
            middle = (room + COIN / 2, pdf.get_y() + COIN / 2)
            draw(pdf, picture_of(self._sheet.game, self._sheet.setup, token), middle, COIN)
            room += COIN + 1
        pdf.ln(COIN + 2)


def _latin(text: str) -> str:
    """Return ``text`` in the letters that every printer has; others become question marks."""
    return text.replace("→", "-").replace("–", "-").encode("latin-1", "replace").decode("latin-1")
