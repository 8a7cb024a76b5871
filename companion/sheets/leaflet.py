"""A game on a page: its aim, how a turn goes, its symbols, and the rules that its lessons teach, as
pages and lessons on phones have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from fpdf import FPDF

from companion.referee.lessons import lessons_of
from companion.rules import (
    Drawing,
    Game,
    Introduction,
    Rule,
    RuleBook,
    Setup,
    Stroke,
    Translate,
    name_of,
    owner_of,
    picture_of,
    tell,
    tokens_of,
)
from companion.sheets.paper import MARGIN, paper_size
from companion.sheets.sheet import Sheet, Words, box_of, moved
from companion.sheets.tokens import CUT, outline_of

SIZES = (3.6, 3.4, 3.2, 3.0, 2.8, 2.6)
"""Millimetres of the type: the first with which all lies on one page, else the last."""
_COLUMN, _BETWEEN = 90.0, 7.0
"""Millimetres: how wide a column is at most, and how far columns are apart."""
_LEADING = 1.3
_FEW = 15
"""So many symbols are six in a row, more of them ten."""


class Wording(NamedTuple):
    """What is said of a game in one language: what is read before its rules, the rules, and the
    language's translation of every other sentence."""

    introduction: Introduction | None
    rules: RuleBook
    translate: Translate


class Block(NamedTuple):
    """What stays together: words and strokes from the column's upper left corner, ``high``
    millimetres."""

    words: tuple[Words, ...]
    strokes: tuple[Stroke, ...]
    high: float


def leaflet_sheets(game: Game[Any], setup: Setup, wording: Wording, paper: str) -> Iterator[Sheet]:
    """Yield the pages of the leaflet, one where the smallest type lets it be one."""
    width, height = (length - 2 * MARGIN for length in paper_size(paper))
    columns = max(1, round(width / _COLUMN))
    column = (width - (columns - 1) * _BETWEEN) / columns
    for size in SIZES:
        blocks = list(_blocks(game, setup, wording, column, size))
        placed = list(_flowing(blocks, columns, column, height, size))
        if placed[-1][0] == 0:
            break
    box = (0.0, 0.0, width, height)
    for page in range(placed[-1][0] + 1):
        here = [(x, y, block) for number, x, y, block in placed if number == page]
        strokes = (s for x, y, block in here for s in moved(block.strokes, (x, y)))
        words = (
            replace(w, at=(x + w.at[0], y + w.at[1])) for x, y, block in here for w in block.words
        )
        yield Sheet(game.title, box, tuple(strokes), tuple(words))


def _flowing(
    blocks: Sequence[Block], columns: int, column: float, height: float, size: float
) -> Iterator[tuple[int, float, float, Block]]:
    """Yield each block with the page and the place where it begins, column after column."""
    number, y = 0, 0.0
    for block in blocks:
        if y and y + block.high > height:
            number, y = number + 1, 0.0
        yield number // columns, number % columns * (column + _BETWEEN), y, block
        y += block.high + 0.6 * size


def _blocks(
    game: Game[Any], setup: Setup, wording: Wording, column: float, size: float
) -> Iterator[Block]:
    """Yield what the leaflet says of ``game``, in order."""
    say = wording.translate
    yield _text(((game.title, 1.9 * size),), column)
    if about := wording.introduction:
        for heading, text in (
            ("The aim", about.aim), ("How a turn goes", about.turn),
            ("How to win", about.win), ("What you need", about.needed),
        ):  # fmt: skip
            yield _text(((say(heading), 1.3 * size), (text, size)), column)
    yield _symbols(game, setup, say, column)
    section = ""
    for rule in taught(game, wording.rules):
        above = ((rule.section, 1.3 * size),) if rule.section != section else ()
        section = rule.section
        yield _text((*above, (f"{rule.title}. {rule.text}", size)), column)


def taught(game: Game[Any], rules: RuleBook) -> list[Rule]:
    """Return the rules of the sections from which the game's lessons teach one, section by section
    in the book's order."""
    sections = {rules[lesson.rule].section for lesson in lessons_of(game)}
    order = dict.fromkeys(rule.section for rule in rules.values() if rule.section in sections)
    return [rule for section in order for rule in rules.values() if rule.section == section]


def symbols(game: Game[Any], setup: Setup) -> tuple[str, ...]:
    """Return each token that the first seat has, and those that are nobody's."""
    whose = (None, setup.seats[0])
    found = dict.fromkeys(tokens_of(game, setup))
    return tuple(token for token in found if owner_of(game, token) in whose)


def _symbols(game: Game[Any], setup: Setup, say: Translate, column: float) -> Block:
    tokens = symbols(game, setup)
    few = len(tokens) <= _FEW
    across, small = (6, 2.0) if few else (10, 1.7)
    cell = column / across
    words: list[Words] = []
    strokes: list[Stroke] = []
    y = small
    for first in range(0, len(tokens), across):
        row, deep = tokens[first : first + across], 0.0
        drawn = [_rimmed(picture_of(game, setup, token)) for token in row]
        boxes = [box_of(drawing) for drawing in drawn]
        widest = max(max(right - left, 0.7 * (low - top)) for left, top, right, low in boxes)
        by = 0.8 * cell / widest
        tall = max((low - top) * by for _, top, _, low in boxes)
        for number, (token, drawing) in enumerate(zip(row, drawn, strict=True)):
            x = (number + 0.5) * cell
            strokes += [
                s._replace(points=tuple((x + u * by, y + tall / 2 + v * by) for u, v in s.points),
                           width=s.width * by)
                for s in drawing
            ]  # fmt: skip
            name = tell(name_of(game, token), say)
            for line, text in enumerate(wrapped(name, cell - 1, small)):
                words.append(Words(text, (x, y + tall + (line + 1) * _LEADING * small), small))
                deep = max(deep, (line + 1.8) * _LEADING * small)
        y += tall + deep
    return Block(tuple(words), tuple(strokes), y)


def _rimmed(face: Drawing) -> Drawing:
    """Return ``face`` with its rim as a line: on paper a white one is not seen."""
    return (*face, CUT._replace(points=outline_of(face)))


def _text(parts: Sequence[tuple[str, float]], column: float) -> Block:
    """Return texts one below the other, each with its size, broken to the width of a column."""
    words, y = [], 0.0
    for text, size in parts:
        for line in wrapped(text, column, size):
            y += _LEADING * size
            words.append(Words(line, (wide(line, size) / 2, y - 0.5 * size), size))
    return Block(tuple(words), (), y)


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Return ``text`` in lines that are at most ``width`` millimetres wide, but for single words
    that are wider."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and wide(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def wide(text: str, size: float) -> float:
    """Return how wide ``text`` is printed, in millimetres."""
    return (
        float(_ruler().get_string_width(text.encode("latin-1", "replace").decode("latin-1"))) * size
    )


@cache
def _ruler() -> FPDF:
    """Return what measures type one millimetre high."""
    pdf = FPDF(unit="mm")
    pdf.set_font("helvetica", size=72 / 25.4)
    return pdf
