"""How actions are written: ``south.L=red7``, ``south.L=back``, ``scout C``, ``gather``."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from companion.games.victory_honor.cards import DOWN, Deck
from companion.games.victory_honor.geometry import (
    COUNT,
    DEALT,
    GATHER,
    NO_ORDER,
    PASS,
    POSITIONS,
    REDEAL,
    RESERVES,
    SCOUTING,
    SLOTS,
    TITLE,
    VOID,
)
from companion.rules import Action, BadInput, no_action, say, unknown_spot

_PLACING: Final = re.compile(r"(\w+)\.(\w+)=(.+)")
_PLAIN: Final = {action.verb: action for action in (DEALT, PASS, REDEAL, GATHER, VOID, COUNT)}
_ORDERS: Final = dict(zip((*POSITIONS, "none"), (*SCOUTING, NO_ORDER), strict=True))


@cache
def placings(deck: Deck) -> tuple[tuple[Action, ...], ...]:
    """Return the action of laying each card, or at last a back, on each slot."""
    return tuple(tuple(Action("place", None, s, t) for t in deck.tokens) for s in SLOTS)


@cache
def showings(deck: Deck) -> tuple[tuple[Action, ...], ...]:
    """Return the action of showing each card as each seat's reserve."""
    return tuple(tuple(Action("place", None, s, t) for t in deck.tokens[:DOWN]) for s in RESERVES)


def passing(deck: Deck, cards: tuple[int, ...]) -> Action:
    """Return the action of passing ``cards``, laid on L, C and R."""
    return Action("pass", detail=", ".join(deck.tokens[card] for card in cards))


def written(action: Action) -> str:
    """Return the notation of ``action``."""
    if action.verb == "place":
        return f"{action.target}={_tight(action.detail)}"
    if action.verb == "move":
        return f"{action.origin}-{action.target}"
    detail = _tight(action.detail)
    return f"{action.verb} {detail}" if detail else action.verb


def read(deck: Deck, text: str) -> Action:
    """Read the notation of :func:`written`.

    Raises:
        BadInput: no action of this game, or no seat, position or card of it.
    """
    if match := _PLACING.fullmatch(text.strip()):
        seat, place, card = match.groups()
        spot = f"{seat}.{place}"
        if spot not in SLOTS and spot not in RESERVES:
            raise unknown_spot(spot)
        return Action("place", None, spot, deck.tokens[deck.read(card)])
    verb, _, detail = text.strip().replace("=", " ", 1).partition(" ")
    detail = detail.strip()
    if verb == "scout":
        if detail not in _ORDERS:
            raise no_action(text, TITLE)
        return _ORDERS[detail]
    if verb == "pass" and detail:
        cards = tuple(deck.read(card) for card in detail.split(","))
        if len(cards) != 3 or DOWN in cards:
            raise BadInput(say("three cards are passed, each with its colour and number"))
        return passing(deck, cards)
    if verb in _PLAIN and not detail:
        return _PLAIN[verb]
    raise no_action(text, TITLE)


def _tight(detail: str) -> str:
    return detail.replace(" ", "")
