"""A game to take away: played through from its record, its scorecards for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from companion.rules import (
    Action,
    Field,
    Game,
    Outcome,
    Record,
    Scorecard,
    Setup,
    Translate,
    arrangements,
    name_of,
    say,
    setup_then,
    tell,
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class ScoreSheet(NamedTuple):
    """Everything about a game that its exported files show: ``players`` maps seats to names,
    ``begun`` is in seconds since 1970."""

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


class Followed(NamedTuple):
    """A record that was played through as far as its actions are allowed; ``stopped`` says why not
    to its end, empty otherwise."""

    game: Game[Any]
    setup: Setup
    states: Sequence[Any]
    actions: Sequence[Action]
    stopped: str = ""


def follow(record: Record, find: Callable[[str], Game[Any]]) -> Followed:
    """Play ``record`` through as far as the rules let it.

    Raises:
        BadInput: an unknown game, seat, option or spot, or a line that is no action of the game.
    """
    game = find(record.game)
    setup = setup_then(game, record.seats, record.options, record.rules)
    if record.position is None:
        states = [game.start(setup)]
    else:
        states = [arrangements(game).arrange(setup, record.position, record.to_move)]
    parsed = [game.parse(setup, text) for text in record.actions]
    for number, action in enumerate(parsed):
        ruling = game.judge(states[-1], action)
        if not ruling.allowed:
            why = say("{action}: {reason}", action=record.actions[number], reason=ruling.reason)
            return Followed(game, setup, tuple(states), tuple(parsed[:number]), why)
        states.append(game.advance(states[-1], action))
    return Followed(game, setup, tuple(states), tuple(parsed))


def scores_csv(sheet: ScoreSheet, translate: Translate = str) -> str:
    """Return the scorecards as a table for a spreadsheet: a line for each field of each seat."""
    out = io.StringIO()
    rows = csv.writer(out)
    heads = (say("seat"), say("player"), say("field"), say("value"), say("tokens"))
    rows.writerow([tell(head, translate) for head in heads])
    for card in sheet.cards:
        who = [card.seat, sheet.players.get(card.seat, "")]
        for field in card.fields:
            tokens = ", ".join(tell(name_of(sheet.game, t), translate) for t in field.tokens)
            line = [
                *who,
                tell(field_name(sheet.game, field), translate),
                tell(field.value, translate),
                tokens,
            ]
            rows.writerow(map(plain, line))
        if card.score is not None:
            rows.writerow(map(plain, [*who, tell(say("score"), translate), str(card.score), ""]))
    return out.getvalue()


def field_name(game: Game[Any], field: Field) -> str:
    """Return what a box of a scorecard is called: by the token that it belongs to, if to one."""
    return name_of(game, field.picture) if field.picture else field.label


def plain(text: str) -> str:
    """Return ``text`` changed so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
