"""The audit on reveal: what a round's plays are worth once more is known of the hands."""

from __future__ import annotations

from functools import partial

from companion.games.victory_honor.cards import ALL_CARDS, DOWN, REGIMENTS
from companion.games.victory_honor.notation import placings
from companion.games.victory_honor.phase import PhaseHouse, faces, positions
from companion.games.victory_honor.refusing import Play, ruling_in
from companion.games.victory_honor.state import Played, VictoryHonorState
from companion.rules.hidden import Breach, Holding, so_far


def breaches(state: VictoryHonorState) -> tuple[Breach, ...]:
    """Return every play of this round that is proved to have broken a rule by the cards shown up
    to now. Once the reserves are shown every hand is known, and nothing is left out (VH-6.1 to
    6.4, 5.3, 5.4)."""
    found, house, deck = [], state.terms.house, state.terms.deck
    for played, holding in zip(state.plays, holdings(state), strict=True):
        worlds = holding.kinds(REGIMENTS)
        if not any(_allows(played, house, world) for world in worlds):
            card = DOWN if played.hidden else played.card
            play = Play(played.before, house, deck, played.slot, card, holding.sure)
            ruling = so_far(worlds, partial(ruling_in, play))
            found.append(Breach(played.ply, placings(deck)[played.slot][card], ruling))
    return tuple(found)


def _allows(played: Played, house: PhaseHouse, colours: int) -> bool:
    """Tell whether a hand of ``colours`` allows the play."""
    position = played.slot % 3
    where, _ = positions(played.before, house, colours)
    if not where >> position & 1:
        return False
    up, hidden = faces(played.before, house, colours, position)
    return hidden if played.hidden else bool(up >> played.card // 10 & 1)


def holdings(state: VictoryHonorState) -> list[Holding]:
    """Return what is known now of the hand from which each play of the round was made."""
    later = [1 << card if card >= 0 else 0 for card in state.reserves]
    found: list[Holding] = []
    for played in reversed(state.plays):
        if played.card != DOWN:
            later[played.seat] |= 1 << played.card
        found.append(Holding(played.size, 0, later[played.seat]))
    found.reverse()
    earlier, unseen = [0, 0, 0, 0], ALL_CARDS & ~state.seen
    for index, played in enumerate(state.plays):
        seat, sure = played.seat, found[index].sure
        maybe = unseen | sure if state.whole is None else state.whole[seat] & ~earlier[seat]
        if maybe.bit_count() == played.size:
            sure = maybe
        found[index] = Holding(played.size, maybe, sure)
        if played.card != DOWN:
            earlier[seat] |= 1 << played.card
    return found
