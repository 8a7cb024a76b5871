"""Positions from elsewhere: arranged tables, seeded deals, states written down."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.victory_honor.cards import ALL_CARDS, CARDS, DOWN, Deck
from companion.games.victory_honor.geometry import (
    ONWARD,
    RESERVE,
    SEATS,
    SLOT,
    SLOTS,
    TITLE,
    seat_name,
)
from companion.games.victory_honor.judge import judge
from companion.games.victory_honor.notation import read, written
from companion.games.victory_honor.phase import NOBODY, Phase
from companion.games.victory_honor.play import advance, begin, recorded
from companion.games.victory_honor.setup import OPTIONS
from companion.games.victory_honor.state import (
    FOUGHT,
    PLAY,
    REVEAL,
    Beginning,
    Hands,
    VictoryHonorState,
    first_leader,
)
from companion.rules import (
    BadInput,
    Position,
    Setup,
    damaged,
    quoted,
    say,
    unknown_seat,
    version_of,
)
from companion.rules.hidden import things


def seat_of(name: str) -> int:
    """Return the number of the seat called ``name``; raises BadInput where there is none."""
    if name not in SEATS:
        raise unknown_seat(name, TITLE, SEATS)
    return SEATS.index(name)


def dealt(setup: Setup, seed: str, to_pass: bool) -> VictoryHonorState:
    """Return a first round with known hands, shuffled by ``seed``: to be passed, or passed."""
    cards = list(range(CARDS))
    random.Random(seed).shuffle(cards)
    hands = [sum(1 << card for card in cards[10 * seat : 10 * seat + 10]) for seat in range(4)]
    return with_hands(setup, (hands[0], hands[1], hands[2], hands[3]), to_pass)


def with_hands(setup: Setup, hands: Hands, to_pass: bool = False) -> VictoryHonorState:
    """Return a first round in which ``hands``, sets of cards, are known."""
    return begin(setup, Beginning(1, first_leader(setup), hands, to_pass))


def one_line(setup: Setup, text: str) -> VictoryHonorState:
    """Read ``deal SEED`` (ten cards each, still to be passed) or ``hands SEED`` (passed), and
    any actions after it.

    Raises:
        BadInput: it is neither, or an action is not legal.
    """
    word, *rest = text.split() or [""]
    if word not in ("deal", "hands") or not rest:
        raise BadInput(
            say(
                "{text} is no position: write deal and a number for hands still to be passed, "
                "hands and a number for hands that were, and the actions after it",
                text=quoted(text),
            )
        )
    return _follow(dealt(setup, rest[0], word == "deal"), rest[1:])


def arranged(setup: Setup, position: Position, to_move: str | None) -> VictoryHonorState:
    """Return a phase with the cards of ``position`` laid in the order in which they are listed;
    the seat that the last card passes the turn to plays, if ``to_move`` says nothing else.

    Raises:
        BadInput: an unknown spot, card or seat, or a seat to move whose board is full.
    """
    mover = NOBODY if to_move is None else seat_of(to_move)
    leader = mover if mover >= 0 else first_leader(setup)
    return _placed(setup, Beginning(1, leader, placed=tuple(position.items()), mover=mover))


def rearranged(
    state: VictoryHonorState, position: Position, to_move: str | None
) -> VictoryHonorState:
    """Return the round going on with ``position`` on the boards, as the table decided. What the
    hands are is not known any more, and plays made before are not judged again.

    Raises:
        BadInput: as :func:`arranged`.
    """
    laid = [SLOTS[slot] for slot in state.phase.order if SLOTS[slot] in position]
    order = dict.fromkeys((*laid, *position))
    beginning = Beginning(
        state.beginning.round,
        state.beginning.leader,
        placed=tuple((spot, position[spot]) for spot in order),
        mover=NOBODY if to_move is None else seat_of(to_move),
        ply=state.ply + 1,
        number=state.number,
        spoils=state.spoils,
        lost=state.lost,
        down=state.phase.down,
    )
    return _placed(state.setup, beginning, state.scores)


def _placed(
    setup: Setup, beginning: Beginning, scores: tuple[tuple[int, ...], ...] = ()
) -> VictoryHonorState:
    """Return the round with the cards on the table that it began with."""
    state, mover = begin(setup, beginning, scores), beginning.mover
    if mover >= 0 and not beginning.to_pass:
        state = state._replace(phase=Phase(mover))
    for spot, token in beginning.placed:
        state = _put(state, spot, state.terms.deck.card(token))
    phase = state.phase
    if state.number > 3 and -1 not in state.reserves:
        return recorded(state)
    if not phase.order:
        return state
    stage, turn = PLAY, mover if mover >= 0 else ONWARD[phase.order[-1]]
    if len(phase.order) == len(phase.board):
        stage, turn = REVEAL if DOWN in phase.board else FOUGHT, NOBODY
    elif not phase.empties(turn):
        if mover >= 0:
            raise BadInput(say("{seat} cannot play: his board is full", seat=seat_name(turn)))
        turn = next(s % 4 for s in range(turn, turn + 4) if phase.empties(s % 4))
    last = phase.order[-1]
    before = last % 3 if ONWARD[last] == turn else -1
    return state._replace(stage=stage, phase=phase._replace(turn=turn, before=before))


def _put(state: VictoryHonorState, spot: str, card: int) -> VictoryHonorState:
    """Lay a card on the table whoever's turn it is."""
    seen = state.seen | (1 << card & ALL_CARDS)
    if spot in RESERVE and card != DOWN and state.number > 3:
        reserves = list(state.reserves)
        reserves[RESERVE[spot]] = card
        return state._replace(reserves=tuple(reserves), seen=seen)
    if spot not in SLOT or state.number > 3:
        where = spot if spot in SLOT or spot in RESERVE else quoted(spot)
        raise BadInput(
            say(
                "{card} cannot lie on {spot} now; cards of a phase lie on the flanks and in the "
                "centres, reserves are shown at the end of the round",
                card=state.terms.deck.word(card),
                spot=where,
            )
        )
    slot, phase = SLOT[spot], state.phase
    hidden = card == DOWN or bool(state.beginning.down >> slot & 1)
    board, opened = list(phase.board), list(phase.opened)
    board[slot] = card
    if not hidden and opened[slot % 3] < 0:
        opened[slot % 3] = card // 10
    phase = phase._replace(
        board=tuple(board),
        down=phase.down | hidden << slot,
        order=(*phase.order, slot),
        opened=(opened[0], opened[1], opened[2]),
        room=phase.room & ~(1 << slot),
    )
    return state._replace(phase=phase, seen=seen, passed=True)


def _follow(state: VictoryHonorState, actions: Sequence[str]) -> VictoryHonorState:
    for text in actions:
        action = read(state.terms.deck, text)
        ruling = judge(state, action)
        if not ruling.allowed:
            raise BadInput(
                say(
                    "{action} is not legal here: {reason}",
                    action=quoted(text),
                    reason=ruling.reason,
                )
            )
        state = advance(state, action)
    return state


def dump(state: VictoryHonorState) -> dict[str, Any]:
    """Return the state as JSON values: how the round began, and its actions."""
    beginning, tokens = state.beginning, state.terms.deck.tokens
    hands = beginning.hands
    return {
        "seats": list(state.setup.seats),
        "options": dict(state.setup.options),
        "rules": version_of(OPTIONS),
        "round": beginning.round,
        "leader": SEATS[beginning.leader],
        "hands": hands and [[tokens[card] for card in things(hand)] for hand in hands],
        "to_pass": beginning.to_pass,
        "placed": [list(pair) for pair in beginning.placed],
        "first_to_move": None if beginning.mover < 0 else SEATS[beginning.mover],
        "ply": beginning.ply,
        "phase": beginning.number,
        "spoils": [[tokens[card] for card in things(pile)] for pile in beginning.spoils],
        "laid_down": [SLOTS[slot] for slot in things(beginning.down)],
        "lost": [tokens[card] for card in things(beginning.lost)],
        "scores": [list(scores) for scores in state.scores[: beginning.round - 1]],
        "log": [written(action) for action in state.log],
        "to_move": None if state.mover < 0 else SEATS[state.mover],
    }


def load(setup: Setup, data: Mapping[str, Any]) -> VictoryHonorState:
    """Return the state that :func:`dump` wrote, its log played again.

    Raises:
        BadInput: a value is impossible, or the log does not lead there.
        KeyError, TypeError, ValueError: a field is missing or of the wrong kind.
    """
    names = begin(setup, Beginning(1, 0)).terms.deck
    first, hands = data["first_to_move"], data["hands"]
    beginning = Beginning(
        int(data["round"]),
        seat_of(data["leader"]),
        None if hands is None else _hands(names, hands),
        bool(data["to_pass"]),
        tuple((str(spot), str(token)) for spot, token in data["placed"]),
        NOBODY if first is None else seat_of(first),
        int(data["ply"]),
        int(data["phase"]),
        _piles(names, data["spoils"]),
        _pile(names, data["lost"]),
        sum(1 << SLOT[spot] for spot in data["laid_down"]),
    )
    scores = tuple(_four(points) for points in data["scores"])
    state = _follow(_placed(setup, beginning, scores), [str(text) for text in data["log"]])
    mover = None if state.mover < 0 else SEATS[state.mover]
    if mover != data["to_move"]:
        raise damaged(TITLE)
    return state


def _four(points: Sequence[Any]) -> tuple[int, ...]:
    a, b, c, d = points
    return int(a), int(b), int(c), int(d)


def _pile(deck: Deck, tokens: Sequence[str]) -> int:
    return sum(1 << deck.card(token) for token in set(tokens)) & ALL_CARDS


def _piles(deck: Deck, piles: Sequence[Sequence[str]]) -> Hands:
    a, b, c, d = (_pile(deck, pile) for pile in piles)
    return a, b, c, d


def _hands(deck: Deck, hands: Sequence[Sequence[str]]) -> Hands:
    """Return four hands of ten different cards each."""
    a, b, c, d = _piles(deck, hands)
    if (a | b | c | d) != ALL_CARDS or {hand.bit_count() for hand in (a, b, c, d)} != {10}:
        raise BadInput(say("four hands are all forty cards, ten in each"))
    return a, b, c, d
