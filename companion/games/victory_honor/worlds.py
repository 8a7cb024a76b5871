"""Worlds: how the cards may lie that a seat does not see, and how a round may be played in one.

A world is drawn so that it fits all that the seat has seen (a *determinization* of its information
set). A round is played out in it by :func:`instinct`, which knows the rules of thumb that people
know.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.victory_honor.battle import resolve
from companion.games.victory_honor.cards import (
    ALL_CARDS,
    ARTILLERY,
    CAVALRY,
    DOWN,
    FIRST_GENERAL,
    OF_COLOURS,
    REGIMENTS,
    points,
)
from companion.games.victory_honor.geometry import CENTRE, FACING
from companion.games.victory_honor.phase import NOBODY, Phase, binds, choices, played
from companion.games.victory_honor.state import Hands, Terms, VictoryHonorState
from companion.rules.hidden import things

TRIES = 20
"""Deals that are tried before one is taken that does not fit what the others' plays tell."""
ANY = (15, 15, 15, 15)
"""Every colour, for each seat."""


@dataclass(frozen=True, slots=True)
class World:
    """A round in which every card is known. ``hands`` are the cards in hand; ``laid`` has the card
    of each slot with a hidden one."""

    phase: Phase
    number: int
    hands: Hands
    laid: tuple[tuple[int, int], ...]
    spoils: Hands
    lost: int


# -- what may be -----------------------------------------------------------------------------------


def colours_left(state: VictoryHonorState) -> tuple[int, ...]:
    """Return the colours that each seat may still hold, as far as its plays tell: who laid a card
    face down could not follow, or could not open (VH-6.2, VH-6.4)."""
    left = list(ANY)
    for play in state.plays:
        asked = play.before.opened[play.slot % 3]
        if play.hidden:
            left[play.seat] &= ~(1 << asked) if asked >= 0 else play.before.open_colours
    return tuple(left)


def drawn(
    state: VictoryHonorState,
    seat: int,
    cards: int,
    laid: dict[int, int],
    given: dict[int, int],
    chance: random.Random,
) -> World:
    """Return a world that fits what ``seat`` knows: it holds ``cards`` and laid the cards of
    ``laid`` face down, a card for each slot; it passed the cards ``given``, a set for each seat."""
    hands, hidden = [0, 0, 0, 0], dict(laid)
    hands[seat] = cards
    unseen = ALL_CARDS & ~state.seen & ~cards
    for card in laid.values():
        unseen &= ~(1 << card)
    room = [0 if other == seat else state.in_hand(other) for other in range(4)]
    down = [
        slot for slot in things(state.phase.down)
        if state.phase.board[slot] == DOWN and slot not in laid
    ]  # fmt: skip
    for slot in down:
        room[slot // 3] += 1
    _deal(unseen, room, colours_left(state), given, hands, chance)
    for slot in down:
        owner = slot // 3
        fits = hands[owner] & _may_lie(state, slot) or hands[owner]
        hidden[slot] = card = chance.choice(tuple(things(fits)))
        hands[owner] &= ~(1 << card)
    a, b, c, d = hands
    return World(state.phase, state.number, (a, b, c, d), tuple(hidden.items()), state.spoils,
                 state.lost)  # fmt: skip


def _may_lie(state: VictoryHonorState, slot: int) -> int:
    """Return the cards that may lie hidden on ``slot``: none of the colour that was asked for."""
    play = next(play for play in reversed(state.plays) if play.slot == slot)
    asked = play.before.opened[slot % 3]
    return ALL_CARDS & ~(REGIMENTS[asked] if asked >= 0 else 0)


def _deal(
    unseen: int,
    room: Sequence[int],
    colours: Sequence[int],
    given: dict[int, int],
    hands: list[int],
    chance: random.Random,
) -> None:
    """Give the cards ``unseen`` to the seats with ``room``, each no colour but ``colours`` if that
    can be."""
    fitting = (_shared_out(unseen, room, colours, given, chance) for _ in range(TRIES))
    dealt = next(filter(None, fitting), None) or _shared_out(unseen, room, ANY, given, chance)
    for seat, cards in enumerate(dealt or ()):
        hands[seat] |= cards


def _shared_out(
    unseen: int,
    room: Sequence[int],
    colours: Sequence[int],
    given: dict[int, int],
    chance: random.Random,
) -> list[int] | None:
    """Return what each seat gets; None where a card is left that nobody may have."""
    left, dealt = list(room), [0, 0, 0, 0]
    cards = list(things(unseen))
    chance.shuffle(cards)
    # Cards that few may hold are given first.
    cards.sort(key=lambda card: sum(_takes(s, card, room, colours) for s in range(4)))
    for card in cards:
        known = [s for s, passed in given.items() if passed >> card & 1 and left[s]]
        may = known or [s for s in range(4) if _takes(s, card, left, colours)]
        if not may:
            return None
        taker = may[0] if len(may) == 1 else chance.choices(may, [left[s] for s in may])[0]
        dealt[taker] |= 1 << card
        left[taker] -= 1
    return dealt


def _takes(seat: int, card: int, room: Sequence[int], colours: Sequence[int]) -> bool:
    return bool(room[seat]) and bool(colours[seat] >> card // 10 & 1)


# -- what may come ---------------------------------------------------------------------------------


def laid(world: World, terms: Terms, slot: int, card: int, face_up: bool) -> World:
    """Return the world after the seat whose turn it is laid ``card`` on ``slot``; after the twelfth
    card of a phase its spoils are given out and the next one begins."""
    hands = list(world.hands)
    hands[slot // 3] &= ~(1 << card)
    hidden = world.laid if face_up else (*world.laid, (slot, card))
    phase = played(world.phase, terms.house, slot, card if face_up else DOWN)
    four = hands[0], hands[1], hands[2], hands[3]
    if phase.turn != NOBODY:
        return World(phase, world.number, four, hidden, world.spoils, world.lost)
    board = list(phase.board)
    for place, below in hidden:
        board[place] = below
    fought = resolve(phase._replace(board=tuple(board)), terms.house)
    a, b, c, d = (old | new for old, new in zip(world.spoils, fought.spoils, strict=True))
    leader = fought.centre if fought.centre >= 0 else phase.order[0] // 3
    return World(Phase(leader), world.number + 1, four, (), (a, b, c, d), world.lost | fought.lost)


def named(world: World, terms: Terms, position: int) -> World:
    """Return the world after the scout just played named ``position``, nothing if it is below 0."""
    silent = world.phase._replace(scouting=NOBODY)
    if position >= 0 and binds(world.phase, terms.house, position):
        silent = silent._replace(ordered=position)
    return replace(world, phase=silent)


def options(phase: Phase, terms: Terms, hand: int) -> list[tuple[int, int, bool]]:
    """Return all plays of the seat whose turn it is if it holds ``hand``: slot, card, and whether
    it lies face up."""
    colours = sum(1 << colour for colour in range(4) if hand & REGIMENTS[colour])
    up, down = choices(phase, terms.house, (colours,))
    first = 3 * phase.turn
    found = []
    for position in range(3):
        slot, follows = first + position, hand & OF_COLOURS[up[position]]
        found += [(slot, card, True) for card in things(follows)]
        if down >> position & 1:
            found += [(slot, card, False) for card in things(hand)]
    return found


def played_out(world: World, terms: Terms, chance: random.Random) -> tuple[World, int]:
    """Return the world at the end of the round, played by instinct, and how many cards were
    laid."""
    cards = 0
    while world.number <= 3:
        cards += 1
        slot, card, face_up = instinct(world, terms, chance)
        world = laid(world, terms, slot, card, face_up)
    return world, cards


def scored(world: World, terms: Terms) -> tuple[int, ...]:
    """Return each seat's points for the round, its reserve with its spoils (VH-10.1, VH-10.2)."""
    return tuple(
        points(spoils | hand, terms.by_stars)
        for spoils, hand in zip(world.spoils, world.hands, strict=True)
    )


def instinct(world: World, terms: Terms, chance: random.Random) -> tuple[int, int, bool]:
    """Return what the seat whose turn it is plays without thinking ahead."""
    plays = options(world.phase, terms, world.hands[world.phase.turn])
    if len(plays) == 1:
        return plays[0]
    return max(plays, key=lambda play: liking(world.phase, terms, play) + 2 * chance.random())


WORTH = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 4.0, 5.0)
"""What a card of each rank is worth in somebody's spoils: about what it scores."""


def liking(phase: Phase, terms: Terms, play: tuple[int, int, bool]) -> float:
    """Return how much the seat whose turn it is likes ``play`` at first sight, in points: what its
    side may win or lose in that battle, as far as it lies."""
    slot, card, face_up = play
    seat, position = divmod(slot, 3)
    rank, stake, lying = card % 10, 0.0, 0
    best, best_slot = -1, -1
    for other in range(position, 12, 3):
        there = phase.board[other]
        if there < 0:
            continue
        lying += 1
        if phase.down >> other & 1 or there == DOWN:
            stake += 1.5
            continue
        stake += WORTH[there % 10]
        if there > best:
            best, best_slot = there, other
    friendly = best_slot >= 0 and terms.house.allied and (best_slot // 3 - seat) % 2 == 0
    own = WORTH[rank]
    later = (3 - lying) / 3
    if not face_up:
        trump = phase.trump
        if trump >= 0 and card // 10 == trump:
            return (own + stake) * (0.9 - 0.4 * later) * (0.1 if friendly else 1.0) - 0.4 * rank
        return own * (0.7 if friendly else -1.0) - 0.1 * rank
    wins = card > best
    if rank == CAVALRY and position != CENTRE and lying == 3:
        wins = True
    facing = phase.board[FACING[slot]]
    shot = facing >= 0 and facing % 10 == ARTILLERY and facing < DOWN and position != CENTRE
    if shot and not phase.down >> FACING[slot] & 1:
        return own * (1.0 if terms.house.allied and (FACING[slot] // 3 - seat) % 2 == 0 else -1.0)
    if wins:
        sure = 1.0 if lying == 3 else (0.55 + 0.05 * rank) ** (3 - lying)
        gain = (own + stake) * (2 * sure - 1)
        return gain * (0.4 if friendly and rank >= FIRST_GENERAL else 1.0) - 0.2 * rank * later
    return own * (0.6 if friendly else -1.0)
