"""What is to be seen beside the cards on the boards: hands from behind, in which order cards were
laid, how each battle goes."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.victory_honor.battle import Battle
from companion.games.victory_honor.geometry import BOARD, SEATS, SLOTS, position_name, seat_name
from companion.games.victory_honor.play import resolution
from companion.games.victory_honor.state import FOUGHT, OVER, VictoryHonorState
from companion.rules import Prop, say
from companion.rules.hidden import BACK

HELD, SPREAD = 0.42, 17.0
"""How large cards in hands are drawn, and how far apart, in millimetres."""
BEFORE = 126.0
"""How far from the middle a hand is, in millimetres."""
COLUMN = 72.0
"""How far apart the battles are told in the middle, in millimetres."""


def props(state: VictoryHonorState) -> tuple[Prop, ...]:
    """Return the hands from behind, the order in which cards were laid, and the battles as they
    stand or, once all cards lie, as they are decided one after another (VH-9.12)."""
    if state.stage == OVER:
        return ()
    return (*_hands(state), *_order(state), *_battles(state))


def _hands(state: VictoryHonorState) -> Iterator[Prop]:
    """Yield each seat's hand from behind: how many cards it has, everybody sees."""
    for seat in range(len(SEATS)):
        # Whatever is left lies where it lay: phones are told of the card that is gone alone.
        for number in range(state.in_hand(seat)):
            x, y = (number - 4.5) * SPREAD, BEFORE
            for _ in range(seat):
                x, y = -y, x
            yield Prop((x, y), BACK, size=HELD, turn=90.0 * seat)


def _order(state: VictoryHonorState) -> Iterator[Prop]:
    for number, slot in enumerate(state.phase.order, 1):
        x, y = BOARD[SLOTS[slot]].centre
        yield Prop((x + 40, y - 36), words=str(number), size=16)


def _battles(state: VictoryHonorState) -> Iterator[Prop]:
    decided = state.stage == FOUGHT
    for number, battle in enumerate(resolution(state).battles, 1):
        if battle.cards or decided:
            yield from _battle(state, battle, number if decided else 0)
    if state.phase.trump >= 0:
        trump = say("Trump is {colour}.", colour=state.terms.deck.colour(state.phase.trump))
        yield Prop((0, 84), words=trump, size=16, fixed=True)


def _battle(state: VictoryHonorState, battle: Battle, step: int) -> Iterator[Prop]:
    """Yield a battle: where it is, the card that is ahead, whose it is, and once it is decided
    how many cards are won."""
    x = (battle.position - 1) * COLUMN
    yield Prop((x, -72), words=position_name(battle.position), size=16, fixed=True, room=COLUMN)
    if battle.slot < 0:
        yield Prop((x, -20), words="–", size=24, fixed=True, step=step)
        return
    card = state.terms.deck.tokens[state.phase.board[battle.slot]]
    yield Prop((x, -20), card, size=0.8, fixed=True, step=step)
    yield Prop((x, 34), words=seat_name(battle.winner), size=16, fixed=True, step=step, room=COLUMN)
    if step:
        yield Prop((x, 54), words=f"+{battle.cards.bit_count()}", size=16, fixed=True, step=step)
