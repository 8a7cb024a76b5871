"""A moment to keep: the board of a game with its last move as a picture by itself, and beneath it
who played, when, what was done and how it was ruled."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from flask import current_app

from companion.rules import say, tell
from web.drawing import Picture
from web.language import current, translator
from web.wording import named

LETTERS = 46
"""Letters in a line of the text."""
SIZE, LEADING = 0.036, 1.4
"""The height of letters, in widths of the board, and of lines, in heights of letters."""


def keepsake(past: Mapping[str, Any], picture: Picture, day: str) -> str:
    """Return the moment that ``past`` tells as an SVG file; ``day`` is when the game began."""
    left, top, width, height = map(float, picture.view_box.split())
    size = round(SIZE * width, 2)
    texts = [line for text in _texts(past, day) for line in textwrap.wrap(text, LETTERS)]
    step = LEADING * size
    lines = [
        (round(left + size, 2), round(top + height + step * (number + 1), 2), text)
        for number, text in enumerate(texts)
    ]
    box = (left, top, width, round(height + step * (len(lines) + 1), 2))
    macros: Any = current_app.jinja_env.get_or_select_template("still.html").module
    drawn: str = macros.moment(picture, past, box, lines, size)
    return drawn


def _texts(past: Mapping[str, Any], day: str) -> list[str]:
    """Return what is written beneath the board: game and day, players, the action and its ruling,
    how the game ended."""
    translate = translator(current())

    def told(text: str) -> str:
        return tell(text, translate)

    texts = [f"{past['title']} · {day}"]
    players = [f"{told(named(seat))}: {name}" for seat, name in past["players"].items()]
    texts += [", ".join(players)] * bool(players)
    if end := past["outcome"]:
        texts += _result(past, end, told)
    for one in past["moves"]:
        if past["at"] and one["number"] == past["at"]:
            texts.append(f"{one['number']}. {one['text']}")
            if one["ruling"]:
                texts.append("✓ {reason} ({rule})".format_map(one["ruling"]))
    return texts


def _result(
    past: Mapping[str, Any], end: Mapping[str, Any], told: Callable[[str], str]
) -> list[str]:
    """Return who won and how, and the points of each seat where there are any."""
    winners = ", ".join(told(named(seat)) for seat in end["winners"])
    if winners:
        won = say("won by {winners}", winners=winners)
    else:
        won = say("Stopped without result") if end.get("by") == "abort" else say("A draw")
    scores = [
        f"{told(named(card['seat']))} {card['score']}"
        for card in past["scorecards"]
        if card["score"] is not None
    ]
    sentences = (told(say("{what}.", what=text)) for text in (won, end["reason"]) if text)
    return [" ".join(sentences), *[" · ".join(scores)] * bool(scores)]
