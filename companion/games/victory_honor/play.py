"""What an action makes of a position: cards laid and shown, phases fought, rounds scored."""

from __future__ import annotations

from companion.games.victory_honor.audit import breaches
from companion.games.victory_honor.battle import Resolution, resolve
from companion.games.victory_honor.cards import ALL_CARDS, DOWN, points
from companion.games.victory_honor.geometry import NO_ORDER, POSITIONS, RESERVE, SLOT
from companion.games.victory_honor.phase import NOBODY, Phase, binds, played, turned_up
from companion.games.victory_honor.state import (
    DISPUTED,
    FOUGHT,
    OVER,
    PASSING,
    PLAY,
    RESERVE_STAGE,
    REVEAL,
    SCORED,
    Beginning,
    Hands,
    Played,
    VictoryHonorState,
    may_name,
    terms_of,
)
from companion.rules import Action, Setup


def begin(
    setup: Setup, beginning: Beginning, scores: tuple[tuple[int, ...], ...] = ()
) -> VictoryHonorState:
    """Return the first state of a round; cards placed beforehand are not laid here."""
    stage = PASSING if beginning.to_pass else PLAY if beginning.number < 4 else RESERVE_STAGE
    hands, seen = beginning.hands, beginning.lost
    for spoils in beginning.spoils:
        seen |= spoils
    return VictoryHonorState(
        setup, terms_of(setup), beginning, stage, Phase(beginning.leader), beginning.number,
        hands, seen=seen, spoils=beginning.spoils, lost=beginning.lost,
        whole=None if beginning.to_pass else hands, scores=scores,
        passed=hands is not None and not beginning.to_pass,
    )  # fmt: skip


def advance(state: VictoryHonorState, action: Action) -> VictoryHonorState:
    """Return the state after a legal or claimed ``action``."""
    if action.verb == "place":
        spot, card = str(action.target), state.terms.deck.card(action.detail)
        if spot in RESERVE:
            return _reserve_shown(state, action, RESERVE[spot], card)
        if state.stage == PLAY:
            return _laid(state, action, SLOT[spot], card)
        return _turned(state, action, SLOT[spot], card)
    log = (*state.log, action)
    if action.verb == "scout":
        return state._replace(phase=_named(state, action), log=log)
    if action.verb == "pass":
        return _passed(state, action) if action.detail else state._replace(passed=True, log=log)
    if action.verb == "dealt":
        return state._replace(dealt=True, log=log)
    if action.verb == "redeal":
        return _next_round(state, state.beginning.round, state.beginning.leader)
    if action.verb == "void":
        return _next_round(state, state.beginning.round, state.beginning.leader)
    if action.verb == "count":
        counted = recorded(state._replace(log=log))
        return counted if counted.stage == OVER else _following(counted)
    return _gathered(state, action) if state.stage == FOUGHT else _following(state, 1)


# -- a phase -----------------------------------------------------------------------------------


def _laid(state: VictoryHonorState, action: Action, slot: int, card: int) -> VictoryHonorState:
    before, seat = state.phase, slot // 3
    after = played(before, state.terms.house, slot, card)
    hands, seen = state.hands, state.seen
    if card != DOWN:
        hands, seen = _without(hands, seat, card), seen | 1 << card
    stage = PLAY
    if after.turn == NOBODY:
        stage = REVEAL if DOWN in after.board else FOUGHT
    laid = Played(state.ply, slot, card, card == DOWN, state.in_hand(seat), before)
    return VictoryHonorState(
        state.setup, state.terms, state.beginning, stage, after, state.number, hands, state.whole,
        state.given, True, True, seen, state.spoils, state.lost, state.reserves, state.scores,
        (*state.log, action), (*state.plays, laid),
    )  # fmt: skip


def _turned(state: VictoryHonorState, action: Action, slot: int, card: int) -> VictoryHonorState:
    after = turned_up(state.phase, slot, card)
    old, now = state.plays[:-12], state.plays[-12:]
    shown = [p._replace(card=card) if p.slot == slot else p for p in now]
    return VictoryHonorState(
        state.setup, state.terms, state.beginning, REVEAL if DOWN in after.board else FOUGHT,
        after, state.number, _without(state.hands, slot // 3, card), state.whole, state.given,
        state.dealt, state.passed, state.seen | 1 << card, state.spoils, state.lost,
        state.reserves, state.scores, (*state.log, action), (*old, *shown),
    )  # fmt: skip


def _named(state: VictoryHonorState, action: Action) -> Phase:
    """Return the phase after a scout's order, or after it is known that there is none."""
    phase = state.phase
    silent = phase._replace(scouting=NOBODY)
    if action == NO_ORDER:
        return silent
    position = POSITIONS.index(action.detail)
    if binds(phase, state.terms.house, position):
        return silent._replace(ordered=position)
    suggests = may_name(state) and state.terms.guides
    return silent._replace(suggested=position) if suggests else silent


def resolution(state: VictoryHonorState) -> Resolution:
    """Return how the phase stands as the cards lie."""
    return resolve(state.phase, state.terms.house)


def _gathered(state: VictoryHonorState, action: Action) -> VictoryHonorState:
    """Give out the spoils of the phase and begin the next, or ask for the reserves."""
    result = resolution(state)
    leader = result.centre if result.centre >= 0 else state.phase.order[0] // 3
    a, b, c, d = (old | new for old, new in zip(state.spoils, result.spoils, strict=True))
    return VictoryHonorState(
        state.setup, state.terms, state.beginning, PLAY if state.number < 3 else RESERVE_STAGE,
        Phase(leader), state.number + 1, state.hands, state.whole, state.given, state.dealt,
        state.passed, state.seen, (a, b, c, d), state.lost | result.lost, state.reserves,
        state.scores, (*state.log, action), state.plays,
    )  # fmt: skip


def _without(hands: Hands | None, seat: int, card: int) -> Hands | None:
    if hands is None:
        return None
    rest = list(hands)
    rest[seat] &= ~(1 << card)
    return rest[0], rest[1], rest[2], rest[3]


# -- a round -------------------------------------------------------------------------------------


def _passed(state: VictoryHonorState, action: Action) -> VictoryHonorState:
    """Commit a player's three cards; when all have, everybody takes up what he is passed."""
    assert state.hands is not None
    cards = tuple(state.terms.deck.card(token) for token in action.detail.split(", "))
    given = (*state.given, cards)
    after = state._replace(given=given, log=(*state.log, action), passed=True)
    if len(given) < 4:
        return after
    hands = list(state.hands)
    for step, passed in enumerate(given):
        seat = (state.beginning.leader + step) % 4
        for position, card in enumerate(passed):
            hands[seat] &= ~(1 << card)
            hands[(seat + position + 1) % 4] |= 1 << card
    whole = hands[0], hands[1], hands[2], hands[3]
    return after._replace(stage=PLAY, hands=whole, whole=whole)


def _reserve_shown(
    state: VictoryHonorState, action: Action, seat: int, card: int
) -> VictoryHonorState:
    reserves = list(state.reserves)
    reserves[seat] = card
    after = state._replace(
        reserves=tuple(reserves),
        hands=_without(state.hands, seat, card),
        seen=state.seen | 1 << card,
        log=(*state.log, action),
    )
    if -1 in reserves:
        return after
    return after._replace(stage=DISPUTED) if breaches(after) else recorded(after)


def round_points(state: VictoryHonorState) -> tuple[int, ...]:
    """Return what each seat's spoils, and his reserve once shown, score (VH-10.1, 10.2)."""
    held = (
        spoils | (1 << reserve if reserve >= 0 else 0)
        for spoils, reserve in zip(state.spoils, state.reserves, strict=True)
    )
    return tuple(points(cards, state.terms.by_stars) for cards in held)


def totals(state: VictoryHonorState) -> tuple[int, ...]:
    """Return each seat's points over the rounds that count (VH-10.3)."""
    return tuple(sum(scores[seat] for scores in state.scores) for seat in range(4))


def standings(state: VictoryHonorState) -> tuple[int, ...]:
    """Return for each seat what decides the game: his team's points, or his own (VH-10.3)."""
    own = totals(state)
    if not state.terms.house.allied:
        return own
    return tuple(own[seat] + own[(seat + 2) % 4] for seat in range(4))


def recorded(state: VictoryHonorState) -> VictoryHonorState:
    """Write the round's points down and end the game where it ends (VH-11.1, 11.2)."""
    after = state._replace(stage=SCORED, scores=(*state.scores, round_points(state)))
    target = state.terms.target
    done = max(standings(after)) >= target if target else len(after.scores) == state.terms.rounds
    return after._replace(stage=OVER) if done else after


def _following(state: VictoryHonorState, played: int = 0) -> VictoryHonorState:
    """Begin the round after one that was recorded, ``played`` actions later (VH-3.2, R13)."""
    number = state.beginning.round + 1
    leader = (state.terms.first + number - 1) % 4
    if state.terms.fewest_lead:
        score, own = standings(state), totals(state)
        leader = min(range(4), key=lambda s: (score[s], own[s], (s - leader) % 4))
    return _next_round(state, number, leader, played)


def _next_round(
    state: VictoryHonorState, number: int, leader: int, played: int = 1
) -> VictoryHonorState:
    beginning = Beginning(number, leader, ply=state.ply + played)
    return begin(state.setup, beginning, state.scores)


def accounted(state: VictoryHonorState) -> int:
    """Return how many cards are somewhere: in hands, on the boards, in spoils, lost, shown as
    reserves. It is always 40, and none lies in two places."""
    lying = [card for card in state.phase.board if card >= 0]
    piles = [*state.spoils, state.lost, *(1 << card for card in state.reserves if card >= 0),
             *(1 << card for card in lying if card != DOWN)]  # fmt: skip
    union = 0
    for pile in piles:
        assert not union & pile, "a card lies in two places"
        union |= pile
    assert union == state.seen & ALL_CARDS, "what was shown is not what lies there"
    hands = sum(state.in_hand(seat) for seat in range(4))
    return union.bit_count() + lying.count(DOWN) + hands
