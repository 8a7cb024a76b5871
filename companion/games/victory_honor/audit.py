"""The audit on reveal: what a round's plays are worth once more is known of the hands."""

from __future__ import annotations

from functools import partial

from companion.games.victory_honor.cards import ALL_CARDS, DOWN, REGIMENTS
from companion.games.victory_honor.notation import placings
from companion.games.victory_honor.refusing import Play, ruling_in
from companion.games.victory_honor.state import Played, State
from companion.rules.hidden import Breach, Holding, so_far


def breaches(state: State) -> tuple[Breach, ...]:
    """Return every play of this round that is proved to have broken a rule by the cards shown up
    to now. Once the reserves are shown every hand is known, and nothing is left out (VH-6.1 to
    6.4, 5.3, 5.4)."""
    found = []
    for index, played in enumerate(state.plays):
        holding = held_at(state, index)
        house, deck = state.terms.house, state.terms.deck
        card = DOWN if played.hidden else played.card
        play = Play(played.before, house, deck, played.slot, card, holding.sure)
        ruling = so_far(holding.kinds(REGIMENTS), partial(ruling_in, play))
        if not ruling.allowed:
            found.append(Breach(played.ply, placings(deck)[played.slot][card], ruling))
    return tuple(found)


def held_at(state: State, index: int) -> Holding:
    """Return what is known now of the hand from which play ``index`` of the round was made."""
    played = state.plays[index]
    earlier = _shown(state, played.seat, state.plays[:index])
    later = _shown(state, played.seat, state.plays[index:])
    if state.reserves[played.seat] >= 0:
        later |= 1 << state.reserves[played.seat]
    whole = (ALL_CARDS & ~state.seen) | later
    if state.whole is not None:
        whole = state.whole[played.seat] & ~earlier
    sure = whole if whole.bit_count() == played.size else later
    return Holding(played.size, whole, sure)


def _shown(state: State, seat: int, plays: tuple[Played, ...]) -> int:
    return sum(1 << p.card for p in plays if p.seat == seat and p.card != DOWN)
