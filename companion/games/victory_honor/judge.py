"""Rulings: for any action at all, the rule that decides and the spots that prove it."""

from __future__ import annotations

from functools import partial

from companion.games.victory_honor.cards import DOWN, GENERALS, REGIMENTS
from companion.games.victory_honor.geometry import (
    NO_ORDER,
    ONWARD,
    POSITIONS,
    RESERVE,
    SEATS,
    SLOT,
    SLOTS,
    TITLE,
    WORDS,
    position_name,
    seat_name,
)
from companion.games.victory_honor.phase import binds, nameable
from companion.games.victory_honor.refusing import Play, ruling_in
from companion.games.victory_honor.state import (
    DISPUTED,
    FOUGHT,
    OVER,
    PASSING,
    PLAY,
    RESERVE_STAGE,
    REVEAL,
    SCORED,
    VictoryHonorState,
    awaits_deal,
    fresh,
    may_name,
)
from companion.rules import Action, Ruling, Text, misspoken, quoted, say
from companion.rules.hidden import so_far


def _no(rule: str, reason: Text, *spots: str) -> Ruling:
    return Ruling(False, rule, reason, spots)


def _yes(rule: str, reason: Text, *spots: str) -> Ruling:
    return Ruling(True, rule, reason, spots)


def judge(state: VictoryHonorState, action: Action) -> Ruling:
    """Rule on ``action``."""
    if state.stage == OVER:
        return _no(end_rule(state), say("The game is over."))
    if action.verb == "place" and action.origin is None and not action.via:
        return _judge_place(state, action)
    if action.origin is None and action.target is None and not action.via:
        if action.verb == "scout":
            return _judge_scout(state, action)
        if action.verb == "pass" and (action.detail or state.stage == PASSING):
            return _judge_passing(state, action)
        if action.verb in _SPOKEN:
            ruling = _SPOKEN[action.verb](state)
            told = misspoken(action, WORDS, {}, TITLE)
            return _no(ruling.rule, told) if ruling.allowed and action.detail else ruling
    if action.verb == "move":
        return _judge_moved(state, str(action.origin))
    return _no("VH-3.1", misspoken(action, WORDS, {}, TITLE))


def end_rule(state: VictoryHonorState) -> str:
    """Return the rule by which the game ends."""
    return "VH-11.2" if state.terms.target or state.terms.rounds != 4 else "VH-11.1"


_AWAITED = {
    FOUGHT: ("VH-9.15", say("First the winners gather their spoils.")),
    RESERVE_STAGE: ("VH-10.1", say("All positions are played; now everybody shows his reserve.")),
    DISPUTED: ("VH-10.5", say("A rule was broken in this round; first the players decide "
                              "whether it counts or is void.")),
    SCORED: ("VH-10.3", say("The round is scored; first all cards are gathered.")),
    REVEAL: ("VH-9.11", say("The phase is played; first all hidden cards are turned up.")),
    PASSING: ("VH-4.3", say("Everybody passes three cards before the first is played.")),
}  # fmt: skip
"""What is awaited in the stages in which no card is played, and by which rule."""


# -- cards ---------------------------------------------------------------------------------------


def _judge_place(state: VictoryHonorState, action: Action) -> Ruling:
    spot = str(action.target)
    card = state.terms.deck.numbers.get(action.detail)
    if not action.detail:
        return _no("VH-1.1", say("Which card is laid has to be told, or that it is laid face "
                                 "down."))  # fmt: skip
    if card is None:
        return _no("VH-1.1", say("{card} is no card of this game.", card=quoted(action.detail)))
    if spot in RESERVE:
        return _judge_reserve(state, RESERVE[spot], card)
    if spot not in SLOT:
        return _no("VH-1.4", say("{spot} is no position of a battle board.", spot=quoted(spot)))
    return _judge_lay(state, SLOT[spot], card)


def _judge_moved(state: VictoryHonorState, spot: str) -> Ruling:
    """Refuse the pushing of a card from where it lies, or of none: cards come from the hands."""
    if spot in RESERVE:
        shown = state.reserves[RESERVE[spot]] >= 0
        seat = seat_name(RESERVE[spot])
        return _no("VH-10.1", (
            say("The reserve that {seat} has shown stays where it lies until all cards are "
                "gathered.", seat=seat) if shown
            else say("{seat} has not shown his reserve yet; it comes from his hand.", seat=seat)
        ), spot)  # fmt: skip
    if spot not in SLOT:
        return _no("VH-1.4", say("{spot} is no position of a battle board.", spot=quoted(spot)))
    if state.phase.board[SLOT[spot]] < 0:
        return _no("VH-1.1", say("No card lies here: {spot}; cards come from the hands.",
                                 spot=spot), spot)  # fmt: skip
    return _no("VH-3.1", say("A card stays where it was laid: {spot}.", spot=spot), spot)


def _not_now(state: VictoryHonorState, *spots: str) -> Ruling:
    """Refuse a card, or words, while something else is awaited."""
    if state.stage == PLAY:
        lying = len(state.phase.order)
        return _no("VH-3.1", say("The phase goes on until twelve cards lie; so far: {count}.",
                                 count=lying), *spots)  # fmt: skip
    return _no(*_AWAITED[state.stage], *spots)


def _judge_lay(state: VictoryHonorState, slot: int, card: int) -> Ruling:
    """Rule in the order of docs/rulings.md: the card, where it comes, the phase, whose turn it is,
    and then what the turn asks of position and card."""
    spot, phase = SLOTS[slot], state.phase
    if refused := _not_held(state, slot // 3, card, spot):
        return refused
    if state.stage == REVEAL and phase.board[slot] == DOWN:
        return _judge_reveal(state, slot, card)
    # The cards of a phase that is over are in nobody's way: they are about to be gathered.
    if state.stage != PLAY:
        return _not_now(state, spot)
    if refused := _taken(state, slot) or _wrong_turn(state, slot):
        return refused
    worlds = state.holding(phase.turn).kinds(REGIMENTS)
    if card != DOWN:
        worlds = tuple(world for world in worlds if world & 1 << card // 10)
    play = Play(phase, state.terms.house, state.terms.deck, slot, card)
    return so_far(worlds, partial(ruling_in, play))


def _taken(state: VictoryHonorState, slot: int) -> Ruling | None:
    """Refuse a position in which a card lies."""
    spot, there = SLOTS[slot], state.phase.board[slot]
    if there == DOWN:
        return _no("VH-6.6", say("The card on {spot} stays face down until the phase is played.",
                                 spot=spot), spot)  # fmt: skip
    if there >= 0:
        return _no("VH-2.3", say("{spot} is taken by {card}; a card is laid into an empty "
                                 "position.", spot=spot, card=state.terms.deck.word(there)),
                   spot)  # fmt: skip
    return None


def _wrong_turn(state: VictoryHonorState, slot: int) -> Ruling | None:
    """Refuse a card on the board of a seat that is not on turn."""
    phase, seat, turn = state.phase, slot // 3, state.phase.turn
    if seat == turn:
        return None
    if phase.filling:
        return _no("VH-8.1", say("Regular order has ended and {turn} fills his empty positions; "
                                 "{seat} waits.", turn=seat_name(turn), seat=seat_name(seat)),
                   SLOTS[slot])  # fmt: skip
    if not phase.order:
        rule = "VH-3.2" if state.number == 1 else "VH-3.3"
        return _no(rule, say("{turn} leads this phase, not {seat}.", turn=seat_name(turn),
                             seat=seat_name(seat)), SLOTS[slot])  # fmt: skip
    last = phase.order[-1]
    return _no("VH-2.3", say("It is {turn}'s turn, for the last card was laid on {last}; {seat} "
                             "waits.", turn=seat_name(turn), last=SLOTS[last],
                             seat=seat_name(seat)), SLOTS[slot], SLOTS[last])  # fmt: skip


def _not_held(state: VictoryHonorState, seat: int, card: int, spot: str) -> Ruling | None:
    """Refuse a card that was shown before in this round, or that somebody else holds."""
    if card == DOWN or state.hidden_cards(seat) >> card & 1:
        return None
    token = state.terms.deck.word(card)
    if state.seen >> card & 1:
        return _no("VH-1.1", say("{card} was shown already; there is only one.", card=token),
                   spot)  # fmt: skip
    return _no("VH-1.1", say("{seat} does not hold {card}.", seat=seat_name(seat), card=token),
               spot)  # fmt: skip


def _judge_reveal(state: VictoryHonorState, slot: int, card: int) -> Ruling:
    spot = SLOTS[slot]
    if card == DOWN:
        return _no("VH-9.11", say("The card on {spot} is to be turned up now.", spot=spot), spot)
    return _yes("VH-9.11", say("{card} is turned up on {spot}.", card=state.terms.deck.word(card),
                               spot=spot), spot)  # fmt: skip


def _judge_reserve(state: VictoryHonorState, seat: int, card: int) -> Ruling:
    spot = f"{SEATS[seat]}.reserve"
    if refused := _not_held(state, seat, card, spot):
        return refused
    if state.stage != RESERVE_STAGE:
        return _no("VH-10.1", say("Reserves are shown at the end of the round."), spot)
    if state.reserves[seat] >= 0:
        return _no("VH-10.1", say("{seat} has shown his reserve already.", seat=seat_name(seat)),
                   spot)  # fmt: skip
    if card == DOWN:
        return _no("VH-10.1", say("The reserve is shown face up."), spot)
    return _yes("VH-10.1", say("{card} is {seat}'s reserve.", card=state.terms.deck.word(card),
                               seat=seat_name(seat)), spot)  # fmt: skip


# -- words ---------------------------------------------------------------------------------------


def _judge_scout(state: VictoryHonorState, action: Action) -> Ruling:
    phase = state.phase
    if state.stage != PLAY or phase.scouting < 0:
        if state.stage == PLAY and phase.filling:
            return _no("VH-8.2", say("Regular order has ended; a scout has no effect any more."))
        return _no("VH-9.7", say("Only who has just played a scout face up may name a position."))
    target = seat_name(phase.turn)
    if not may_name(state):
        return _no("VH-9.9", say("Regular order ends at {seat} whatever he plays; a scout orders "
                                 "nothing.", seat=target))  # fmt: skip
    if action == NO_ORDER:
        return _yes("VH-9.7", say("{seat} names no position; the scout is a plain 1.",
                                  seat=seat_name(phase.scouting)))  # fmt: skip
    if not action.detail:
        return _no("VH-9.7", say("What the scout names has to be told: a flank, the centre or "
                                 "none."))  # fmt: skip
    if action.detail not in POSITIONS:
        return _no("VH-9.7", say("A scout names a flank, the centre or none, not {text}.",
                                 text=quoted(action.detail)))  # fmt: skip
    position = POSITIONS.index(action.detail)
    slot = 3 * phase.turn + position
    where = position_name(position)
    if phase.board[slot] >= 0:
        return _no("VH-9.7", say("{seat}'s {position} is taken; a scout names an empty position.",
                                 seat=target, position=where), SLOTS[slot])  # fmt: skip
    if not nameable(phase) & 1 << position:
        return _no("VH-9.9", say("From {spot} the turn would pass to {other}, whose board is full; "
                                 "a scout may not end regular order early.", spot=SLOTS[slot],
                                 other=seat_name(ONWARD[slot])), SLOTS[slot])  # fmt: skip
    if binds(phase, state.terms.house, position):
        return _yes("VH-9.7", say("{seat} must play in the {position}.", seat=target,
                                  position=where), SLOTS[slot])  # fmt: skip
    if state.terms.house.allied and phase.turn == (phase.scouting + 2) % 4:
        return _yes("VH-9.8", say("{seat} is a partner; the {position} is only suggested.",
                                  seat=target, position=where), SLOTS[slot])  # fmt: skip
    return _yes("VH-9.9", say("Regular order ends at {seat} whatever he plays; the scout's order "
                              "lapses.", seat=target), SLOTS[slot])  # fmt: skip


def _judge_passing(state: VictoryHonorState, action: Action) -> Ruling:
    if state.stage != PASSING:
        without = _judge_pass(state)
        return without if not without.allowed else _no("VH-4.3", say(
            "The hands are not known here: that all have passed is said without naming cards."
        ))  # fmt: skip
    assert state.hands is not None
    seat, hand = state.mover, state.hands[state.mover]
    numbers = state.terms.deck.numbers
    cards = [numbers.get(token, DOWN) for token in action.detail.split(", ")]
    if len(set(cards)) != 3 or len(cards) != 3 or any(not hand >> card & 1 for card in cards):
        return _no("VH-4.3", say("{seat} passes three cards of his hand, one from each position.",
                                 seat=seat_name(seat)))  # fmt: skip
    return _yes("VH-4.3", say("{seat} lays three cards down to pass.", seat=seat_name(seat)))


def _judge_dealt(state: VictoryHonorState) -> Ruling:
    if awaits_deal(state):
        return _yes("VH-4.1", say("All forty cards are dealt, ten to each."))
    if not fresh(state):
        return _no("VH-4.1", say("Cards are dealt once a round, and this one goes on."))
    return _no("VH-4.1", say("That the cards are dealt is known already."))


def _judge_redeal(state: VictoryHonorState) -> Ruling:
    if awaits_deal(state):
        return _no("VH-4.1", say("First all forty cards are dealt, ten to each."))
    if state.stage not in (PASSING, PLAY) or not fresh(state):
        return _no("VH-4.2", say("A new deal is asked for before passing begins."))
    if state.hands is None:
        return _yes("VH-4.2", say("Who holds no general may ask for a new deal; he shows his "
                                  "hand."))  # fmt: skip
    without = [seat for seat in range(4) if not state.hands[seat] & GENERALS]
    if not without:
        return _no("VH-4.2", say("Everybody holds a general; the cards are not dealt again."))
    return _yes("VH-4.2", say("{seat} holds no general and may ask for a new deal.",
                              seat=seat_name(without[0])))  # fmt: skip


def _judge_pass(state: VictoryHonorState) -> Ruling:
    if awaits_deal(state):
        return _no("VH-4.1", say("First all forty cards are dealt, ten to each."))
    if state.stage == PLAY and state.hands is None and fresh(state):
        return _yes("VH-4.3", say("Everybody has passed three cards and taken up three."))
    return _no("VH-4.4", say("Cards are passed once a round, right after the deal; in this round "
                             "that is over."))  # fmt: skip


def _judge_gather(state: VictoryHonorState) -> Ruling:
    if state.stage in (FOUGHT, SCORED):
        return _yes("VH-9.15", say("All cards are taken up by their owners."))
    return _not_now(state)


def _judge_void(state: VictoryHonorState) -> Ruling:
    if state.stage == DISPUTED:
        return _yes("VH-10.5", say("The round is void and is dealt again, with the same leader."))
    return _no("VH-10.5", say("No broken rule has been found in a finished round."))


def _judge_count(state: VictoryHonorState) -> Ruling:
    if state.stage == DISPUTED:
        return _yes("VH-10.5", say("The round counts although a rule was broken."))
    return _judge_void(state)


_SPOKEN = {
    "dealt": _judge_dealt,
    "redeal": _judge_redeal,
    "pass": _judge_pass,
    "gather": _judge_gather,
    "void": _judge_void,
    "count": _judge_count,
}
