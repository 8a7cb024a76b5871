"""What a camera sees: the cards that lie, what an action does to the table, impossible tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType

from companion.games.victory_honor.cards import DOWN, deck
from companion.games.victory_honor.geometry import (
    COUNT,
    RESERVE,
    RESERVES,
    SEATS,
    SLOT,
    SLOTS,
    position_name,
)
from companion.games.victory_honor.play import advance
from companion.games.victory_honor.state import DISPUTED, FOUGHT, OVER, SCORED, VictoryHonorState
from companion.rules import Action, Effect, Look, Position, Problem, say
from companion.rules.hidden import things


@cache
def look(token: str) -> Look:
    """Return how a card looks: the code is its number in either deck, a back has none."""
    colour, _, rank = token.partition(" ")
    for names in (deck("blue"), deck("green")):
        if colour in names.colours and rank:
            return Look(token, card=True, code=names.card(token))
    return Look(token, card=True)


def expect(state: VictoryHonorState) -> Position:
    """Return the cards that lie on the boards, and the reserves that were shown."""
    tokens, board = state.terms.deck.tokens, state.phase.board
    lying = {SLOTS[slot]: tokens[board[slot]] for slot in range(12) if board[slot] >= 0}
    shown = {RESERVES[s]: tokens[card] for s, card in enumerate(state.reserves) if card >= 0}
    return MappingProxyType(lying | shown)


def unknown(state: VictoryHonorState) -> dict[str, tuple[str, ...]]:
    """Return the cards that may lie on each spot with a hidden one."""
    tokens = state.terms.deck.tokens
    return {
        SLOTS[slot]: tuple(tokens[card] for card in things(state.hidden_cards(slot // 3)))
        for slot, card in enumerate(state.phase.board)
        if card == DOWN
    }


def effect(state: VictoryHonorState, action: Action) -> Effect:
    """Return what ``action``, legal or not, does to the table. A card is laid or turned up, or
    is wrongly moved; words that end a phase or a round clear the boards."""
    lying = expect(state)
    if action.verb == "place" and (action.target in SLOT or action.target in RESERVE):
        owner = str(action.target).partition(".")[0]
        changes: dict[str, str | None] = {str(action.target): action.detail}
        return Effect(owner, action.detail, changes=MappingProxyType(changes))
    origin = str(action.origin)
    if action.verb == "move" and origin in lying:
        moved = lying[origin]
        changes = {origin: None, str(action.target): moved} if origin != action.target else {}
        return Effect(origin.partition(".")[0], moved, changes=MappingProxyType(changes))
    seat = None if state.mover < 0 else SEATS[state.mover]
    clears = {"gather": (FOUGHT, SCORED), "void": (DISPUTED,), "count": (DISPUTED,)}
    if state.stage in clears.get(action.verb, ()) and not _ends(state, action):
        return Effect(seat, None, changes=MappingProxyType(dict.fromkeys(lying)))
    return Effect(seat, None)


def _ends(state: VictoryHonorState, action: Action) -> bool:
    """Tell whether the game ends by ``action``: its last round stays as it lies."""
    return action == COUNT and advance(state, action).stage == OVER


def check(state: VictoryHonorState) -> tuple[Problem, ...]:
    """Return why the cards cannot lie as they do."""
    return tuple(_problems(state))


def _problems(state: VictoryHonorState) -> Iterator[Problem]:
    deck, board = state.terms.deck, state.phase.board
    lying = expect(state)
    for token, times in Counter(lying.values()).items():
        if times > 1 and deck.card(token) != DOWN:
            spots = tuple(spot for spot, there in lying.items() if there == token)
            yield Problem(
                "VH-1.1", say("There is only one {card}, and it lies on {spots}.",
                              card=deck.word(deck.card(token)), spots=spots), spots,
            )  # fmt: skip
    opened: dict[int, int] = {}
    for position in range(3):
        up = [slot for slot in range(position, 12, 3)
              if 0 <= board[slot] < DOWN and not state.phase.down & 1 << slot]  # fmt: skip
        colours = {board[slot] // 10 for slot in up}
        spots = tuple(SLOTS[slot] for slot in up)
        if len(colours) > 1:
            yield Problem(
                "VH-6.2", say("Two colours lie face up in the {position}; a card that does not "
                              "follow lies face down.", position=position_name(position)), spots,
            )  # fmt: skip
            continue
        for colour in colours:
            if colour in opened:
                yield Problem(
                    "VH-6.3", say("{colour} opens both the {one} and the {other}.",
                                  colour=deck.colour(colour),
                                  one=position_name(opened[colour]),
                                  other=position_name(position)), spots,
                )  # fmt: skip
            opened[colour] = position
