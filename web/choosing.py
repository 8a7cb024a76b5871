"""What a host can choose for another game: which game, who plays it, by which options."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import SystemRandom
from typing import Any

from companion.rules import (
    Game,
    GameFault,
    Option,
    OrderOption,
    TimeControlOption,
    Translate,
    excluded_by,
    seatings_of,
    tell,
)
from web.context import Context
from web.language import current, in_words, translator

chance = SystemRandom()
"""What the page draws for a new game with."""


def choices(context: Context) -> Mapping[str, Any]:
    """Return what a host can choose for another game."""
    setup, offered = context.shown.setup, []
    for game in context.evening.games():
        # One that is broken was told of in the log; the others are there.
        with suppress(GameFault):
            offered.append(choice_of(context, game))
    return {
        "games": offered,
        "present": {
            "game": context.shown.game.name,
            "seats": list(setup.seats),
            "options": dict(setup.options),
        },
    }


def seatings(game: Game[Any], options: Mapping[str, str]) -> dict[str, Any]:
    """Return who can play together by ``options``, and the choices that do not go with them.

    Raises:
        BadInput: an unknown option, or a value that does not fit.
    """
    told: dict[str, Any] = {
        "seatings": [list(seats) for seats in seatings_of(game, options)],
        "excluded": excluded_by(game, options),
    }
    return {**told, "excluded": in_words(told["excluded"], translator(current()))}


def choice_of(context: Context, game: Game[Any]) -> dict[str, Any]:
    """Return what a host can choose for ``game``: who plays and by which options, those of the
    present game as it is played.

    Raises:
        GameFault: a game of another package broke its contract.
    """
    translate = translator(current())
    present, kept = context.shown, context.evening.array(game.name)
    now = present.setup if present.game.name == game.name else None
    chosen = dict(now.options) if now else {o.name: o.default for o in game.options}
    chosen |= {o.name: o.draw(chance) for o in game.options if o.drawn}
    possible = seatings(game, chosen)
    usual: list[str] = next(iter(possible["seatings"]), [])
    return {
        "name": game.name,
        "title": tell(game.title, translate),
        "seats": list(game.seats),
        "options": [_option(option, chosen[option.name], translate) for option in game.options],
        **possible,
        "chosen": list(now.seats) if now and list(now.seats) in possible["seatings"] else usual,
        "array": kept is not None,
        "array_seats": [] if kept is None else list(kept["seats"]),
    }


def _option(option: Option, value: str, translate: Translate) -> dict[str, Any]:
    order = option.parts(value) if isinstance(option, OrderOption) else ()
    return {
        "name": option.name,
        "label": tell(option.label, translate),
        "words": {one: tell(option.word(one), translate) for one in (*option.choices, *order)},
        "default": option.default,
        "value": value,
        "choices": list(option.choices),
        "order": list(order),
        "text": isinstance(option, TimeControlOption),
        "least": option.least,
        "most": option.most,
        "about": tell(option.about, translate),
        "rule": option.rule,
        "house_rule": option.house_rule,
    }
