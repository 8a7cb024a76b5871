"""A game to take away: scorecards for a spreadsheet and on paper, the game in the notations that
other programs read."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import Any

from companion.rules import (
    Action,
    Drawing,
    Game,
    Outcome,
    Record,
    Scorecard,
    Setup,
    Translate,
    say,
    tell,
)

COIN = 7.0
"""Size of a token on paper, in millimetres."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Sheet:
    """What a game has to show: ``players`` seat -> name, ``begun`` in seconds since 1970."""

    game: Game[Any]
    setup: Setup
    cards: Sequence[Scorecard]
    outcome: Outcome | None
    players: Mapping[str, str]
    begun: float
    actions: int

    @property
    def day(self) -> str:
        """The day on which the game began, such as ``2026-11-21``."""
        return datetime.fromtimestamp(self.begun).date().isoformat()


@dataclass(frozen=True)
class Followed:
    """A record played through as far as it stands. ``stopped`` says why not to its end."""

    game: Game[Any]
    setup: Setup
    states: tuple[Any, ...]
    actions: tuple[Action, ...]
    stopped: str = ""


def follow(record: Record, find: Callable[[str], Game[Any]]) -> Followed:
    """Play ``record`` through as far as the rules let it.

    Raises:
        BadInput: an unknown game, seat, option or spot, or a line that is no action of the game.
    """
    game = find(record.game)
    setup = game.setup(record.seats or None, record.options)
    if record.position is None:
        states = [game.start(setup)]
    else:
        states = [game.arrange(setup, record.position, record.to_move)]
    parsed = [game.parse(setup, text) for text in record.actions]
    for number, action in enumerate(parsed):
        ruling = game.judge(states[-1], action)
        if not ruling.allowed:
            why = say("{action}: {reason}", action=record.actions[number], reason=ruling.reason)
            return Followed(game, setup, tuple(states), tuple(parsed[:number]), why)
        states.append(game.advance(states[-1], action))
    return Followed(game, setup, tuple(states), tuple(parsed))


def scores_csv(sheet: Sheet, translate: Translate = str) -> str:
    """Return the scorecards as a table for a spreadsheet: a line for each field of each seat."""
    out = io.StringIO()
    rows = csv.writer(out)
    heads = (say("seat"), say("player"), say("field"), say("value"), say("tokens"))
    rows.writerow([tell(head, translate) for head in heads])
    for card in sheet.cards:
        who = [card.seat, sheet.players.get(card.seat, "")]
        for field in card.fields:
            tokens = ", ".join(tell(sheet.game.spoken(t), translate) for t in field.tokens)
            line = [*who, tell(field.label, translate), tell(field.value, translate), tokens]
            rows.writerow(map(plain, line))
        if card.score is not None:
            rows.writerow(map(plain, [*who, tell(say("score"), translate), str(card.score), ""]))
    return out.getvalue()


def plain(text: str) -> str:
    """Return ``text`` so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def scores_pdf(sheet: Sheet, translate: Translate = str) -> bytes:
    """Return the scorecards on paper, A4, captured tokens as pictures."""
    fpdf: Any = import_module("fpdf")
    pdf = fpdf.FPDF(format="A4")
    pdf.set_title(sheet.game.title)
    pdf.set_creator("tabletop-companion")
    pdf.set_auto_page_break(True, margin=15)
    pdf.add_page()
    paper = _Paper(pdf, sheet, translate)
    paper.head()
    for card in sheet.cards:
        paper.card(card)
    return bytes(pdf.output())


class _Paper:
    """Writes one sheet on pages."""

    def __init__(self, pdf: Any, sheet: Sheet, translate: Translate) -> None:
        self._pdf, self._sheet, self._tell = pdf, sheet, translate

    def _line(self, text: str, size: float, style: str = "", height: float = 6.0) -> None:
        self._pdf.set_font("helvetica", style, size)
        self._pdf.multi_cell(0, height, _latin(text), new_x="LMARGIN", new_y="NEXT")

    def head(self) -> None:
        """Write what was played, when, and how it ended."""
        sheet, pdf = self._sheet, self._pdf
        self._line(sheet.game.title, 20, "B", 10)
        moves = tell(say("{count} actions", count=sheet.actions), self._tell)
        self._line(f"{sheet.day} - {moves}", 10)
        if sheet.outcome is not None:
            winners = ", ".join(self._who(seat) for seat in sheet.outcome.winners)
            won = say("won by {winners}", winners=winners) if winners else say("no winner")
            reason = tell(sheet.outcome.reason, self._tell)
            self._line(f"{tell(won, self._tell)}. {reason}", 10)
        pdf.ln(4)

    def _who(self, seat: str) -> str:
        name = self._sheet.players.get(seat)
        return f"{seat} ({name})" if name else seat

    def card(self, card: Scorecard) -> None:
        """Write one scorecard."""
        pdf = self._pdf
        if pdf.get_y() > pdf.h - 60:
            pdf.add_page()
        score = "" if card.score is None else f": {card.score}"
        status = f" - {tell(card.status, self._tell)}" if card.status else ""
        self._line(f"{self._who(card.seat)}{score}{status}", 13, "B", 8)
        for field in card.fields:
            label, value = tell(field.label, self._tell), tell(field.value, self._tell)
            self._line(f"{label}: {value or len(field.tokens) or '-'}", 10)
            self._tokens(field.tokens)
        pdf.ln(4)

    def _tokens(self, tokens: Sequence[str]) -> None:
        pdf, room = self._pdf, self._pdf.l_margin
        if not tokens:
            return
        for token in tokens:
            if room + COIN > pdf.w - pdf.r_margin:
                pdf.ln(COIN + 1)
                room = pdf.l_margin
            if pdf.get_y() + COIN > pdf.h - 15:
                pdf.add_page()
            middle = (room + COIN / 2, pdf.get_y() + COIN / 2)
            draw(pdf, self._sheet.game.draw(self._sheet.setup, token), middle, COIN)
            room += COIN + 1
        pdf.ln(COIN + 2)


def draw(pdf: Any, drawing: Drawing, middle: tuple[float, float], size: float) -> None:
    """Draw a token about ``middle`` in ``size`` millimetres."""
    reach = max((abs(v) for stroke in drawing for point in stroke.points for v in point), default=1)
    scale = size / 2 / (reach or 1)
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


def _latin(text: str) -> str:
    """Return ``text`` in the letters that every printer has; others become question marks."""
    return text.replace("→", "-").replace("–", "-").encode("latin-1", "replace").decode("latin-1")
