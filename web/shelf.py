"""What stands on the shelf: every game in its box, and what can be done with it at once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from companion.rules import Game, GameFault, Introduction, OwnCards, seatings_of, tell
from companion.table.kept_starts import Preset
from companion.table.past_games import past_games
from web.context import Context
from web.cover import cover, differing
from web.language import current, in_words, introduced, rules_in, translator

DRAWN = 4
"""Choices of an option that are drawn, where they change what is seen."""


@dataclass(frozen=True)
class Box:
    """A game on the shelf: ``about`` it (None where nobody wrote that), how many may play
    (``counts``), whether it is on the table ``now``, the number of a game that was ``left``
    unfinished, the ``usual`` seats and those of ``two`` (empty where it cannot be played so), why
    it is ``lacking``, and the choices that are kept."""

    name: str
    title: str
    cover: Markup
    about: Introduction | None
    counts: Sequence[int]
    now: bool
    left: int | None
    usual: Sequence[str]
    two: Sequence[str]
    lacking: str
    presets: Sequence[Preset]


def boxes(context: Context) -> Sequence[Box]:
    """Return the boxes of all games that can be played here, the present one first."""
    left = _left(context)
    found = []
    for game in context.evening.games():
        # One that is broken was told of in the log; the others are there.
        with suppress(GameFault):
            found.append(_box(context, game, left.get(game.name)))
    return sorted(found, key=lambda box: not box.now)


def _box(context: Context, game: Game[Any], left: int | None) -> Box:
    language = current()
    translate, seatings = translator(language), seatings_of(game)
    options = {option.name: option.default for option in game.options}
    lacking = game.lacking(options) if isinstance(game, OwnCards) else None
    return Box(
        name=game.name,
        title=tell(game.title, translate),
        cover=cover(game, game.setup()),
        about=introduced(game, language),
        counts=sorted({len(seats) for seats in seatings}),
        now=game.name == context.shown.game.name,
        left=left,
        usual=seatings[0] if seatings else (),
        two=next((seats for seats in seatings if len(seats) == 2), ()),
        lacking=str(in_words(lacking or "", translate)),
        presets=context.evening.presets(game.name),
    )


def _left(context: Context) -> dict[str, int]:
    """Return the number of the newest unfinished game by the games' names, without the present."""
    found: dict[str, int] = {}
    for past in past_games(context.evening.journal):
        if past.over is None and past.number != context.shown.game_id:
            found.setdefault(past.header.name, past.number)
    return found


def with_drawings(game: Game[Any], told: dict[str, Any]) -> dict[str, Any]:
    """Return what is ``told`` of a game's choices, each option with the text of its rule and the
    choices that are drawn."""
    rules = rules_in(game, current())
    options = {one["name"]: one["value"] for one in told["options"]}
    for one in told["options"]:
        rule = rules.get(one["rule"])
        one["rule_title"], one["rule_text"] = (rule.title, rule.text) if rule else ("", "")
        few = one["choices"] if 1 < len(one["choices"]) <= DRAWN else []
        shut = told["excluded"].get(one["name"], {})
        few = [choice for choice in few if choice not in shut]
        one["drawn"] = few if differing(game, options, one["name"], few) else []
    return told
