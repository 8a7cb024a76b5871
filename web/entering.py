"""What a phone may say or enter now (buttons, dice that are tapped, cards that are chosen), and
what everybody should know of hidden things."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from companion.rules import (
    Action,
    CardText,
    Entry,
    Game,
    Setup,
    breaches_of,
    claims_of,
    entries_of,
    said_by,
    tokens_of,
    whole_number,
)
from companion.table import Table
from companion.table.history import History
from web.wording import spoken

PLACES = 16
"""If a card may go to more places than this, cards are not listed for each place."""


def saying(
    game: Game[Any], state: Any, may: bool, claims: Callable[[Action], bool] | None
) -> list[dict[str, Any]]:
    """Return the spoken actions that have a button each: those of play if the phone ``may`` act
    for the seat to move, and of ``claims``, which chooses among them, None for none at all.
    ``own`` tells that the game has words of its own for it."""
    composed = {entry.verb for entry in entries_of(game, state)}
    found = [(action, False) for action in game.legal(state)] if may else []
    if claims is not None:
        found += [(action, True) for action in claims_of(game, state) if claims(action)]
    return [
        {
            "action": game.format(action),
            "label": said_by(game, action) or spoken(action, game),
            "claim": claim,
            "own": bool(said_by(game, action)),
        }
        for action, claim in found
        if action.origin is None and action.target is None and action.verb not in composed
    ]


def composing(game: Game[Any], state: Any, may: bool, claims: bool) -> list[dict[str, Any]]:
    """Return what is put together on the phone, as JSON values."""
    return [_entry(e) for e in entries_of(game, state) if (claims if e.claim else may)]


def _entry(entry: Entry) -> dict[str, Any]:
    choices = [
        {
            "label": choice.label,
            "colour": choice.colour,
            "words": [[written, said] for written, said in choice.words.items()],
        }
        for choice in entry.choices
    ]
    return {
        "verb": entry.verb,
        "title": entry.title,
        "between": entry.between,
        "claim": entry.claim,
        "choices": choices,
    }


def cards_of(game: Game[Any], setup: Setup) -> bool:
    """Tell whether the tokens of ``game`` are cards, which a camera can be shown."""
    tokens = tokens_of(game, setup)
    return bool(tokens) and all(game.look(token).card for token in tokens)


def placing(game: Game[Any], state: Any) -> dict[str, list[list[str]]]:
    """Return, place by place, each token that may be laid there and the action that says so."""
    found: dict[str, list[list[str]]] = {}
    for action in game.legal(state):
        if action.verb == "place" and action.target and action.detail:
            tokens = found.setdefault(action.target, [])
            tokens.append([action.detail, game.format(action)])
    return found if len(found) <= PLACES else {}


def breaches(game: Game[Any], line: History[Any], table: Table[Any]) -> list[dict[str, Any]]:
    """Return the plays that what was shown proves to have broken a rule, each with the ``seq`` of
    its event, None for one that this journal did not see."""
    return [
        {
            "action": game.format(breach.action),
            "rule": breach.ruling.rule,
            "reason": breach.ruling.reason,
            "seq": line.seqs[breach.ply] if breach.ply < line.length else None,
        }
        for breach in breaches_of(game, table.state)
    ]


def card_text(card: CardText) -> dict[str, Any]:
    """Return what stands on both sides of a card, as JSON values."""
    return {
        "name": card.name,
        "where": card.where,
        "asked": card.asked,
        "sides": [{"title": side.title, "lines": list(side.lines)} for side in card.sides],
    }


def shared_beginning(actions: Sequence[str]) -> str:
    """Return how all ``actions`` begin, as far as whole words: ``west.C=`` of ``west.C=red1`` and
    ``west.C=red2``."""
    ends = min(actions), max(actions)
    letters = takewhile(lambda both: both[0] == both[1], zip(*ends, strict=False))
    return re.sub(r"\w*$", "", "".join(letter for letter, _ in letters))


def words_of(data: Mapping[str, Any], names: Mapping[str, bool]) -> dict[str, Any]:
    """Return the filled-in fields of a form; ``names`` tells which are numbers. A field that should
    be a number and is none is returned as text, to be refused by name."""
    found: dict[str, Any] = {}
    for name, number in names.items():
        value = str(data.get(name, "")).strip()
        if value:
            count = whole_number(value) if number else None
            found[name] = value if count is None else count
    return found
