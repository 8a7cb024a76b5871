"""The battles of a phase: who wins each and why (VH-9.1 to VH-9.15)."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.games.victory_honor.cards import ARTILLERY, CAVALRY, DOWN
from companion.games.victory_honor.geometry import BATTLES, CENTRE, FACING
from companion.games.victory_honor.phase import NOBODY, Phase, PhaseHouse

BY_CAVALRY: Final = "cavalry"
BY_TRUMP: Final = "trump"
BY_RANK: Final = "rank"
ROUT: Final = "rout"


class Battle(NamedTuple):
    """One battle: the winning ``slot``, -1 if nobody wins, and why. ``cards`` is the set of the
    cards taken by the winner, or lost to everybody."""

    position: int
    slot: int
    why: str
    cards: int

    @property
    def winner(self) -> int:
        """Return the seat that wins, -1 if nobody does."""
        return self.slot // 3 if self.slot >= 0 else NOBODY


class Resolution(NamedTuple):
    """A phase resolved: ``shots`` are pairs of an artillery's slot and the one it bombards,
    ``spoils`` the set of cards that each seat gains, ``lost`` what nobody gets."""

    shots: tuple[tuple[int, int], ...]
    battles: tuple[Battle, ...]
    spoils: tuple[int, ...]
    lost: int

    @property
    def centre(self) -> int:
        """Return the winner of the Centre, -1 if nobody won it."""
        return self.battles[-1].winner


def bombardments(phase: Phase, house: PhaseHouse) -> tuple[tuple[int, int], ...]:
    """Return each face-up artillery that has a face-up card before it (VH-9.3 to 9.5)."""
    shots = []
    for slot in phase.order:
        card, target = phase.board[slot], FACING[slot]
        if card % 10 != ARTILLERY or card == DOWN or phase.down & 1 << slot:
            continue
        if slot % 3 == CENTRE and house.allied:
            continue
        if phase.board[target] >= 0 and not phase.down & 1 << target:
            shots.append((slot, target))
    return tuple(shots)


def resolve(phase: Phase, house: PhaseHouse) -> Resolution:
    """Resolve ``phase``. A phase under way is resolved as it lies: hidden cards count nothing."""
    shots = bombardments(phase, house)
    spoils, lost, shot = [0, 0, 0, 0], 0, 0
    for gun, target in shots:
        spoils[gun // 3] |= 1 << phase.board[target]
        shot |= 1 << target
    battles = tuple(_fight(phase, house, position, shot) for position in BATTLES)
    for battle in battles:
        if battle.winner >= 0:
            spoils[battle.winner] |= battle.cards
        else:
            lost |= battle.cards
    return Resolution(shots, battles, tuple(spoils), lost)


def _fight(phase: Phase, house: PhaseHouse, position: int, shot: int) -> Battle:
    laid = [slot for slot in phase.order if slot % 3 == position]
    left = [slot for slot in laid if not shot & 1 << slot and phase.board[slot] != DOWN]
    cards = sum(1 << phase.board[slot] for slot in left)
    up = [slot for slot in left if not phase.down & 1 << slot]
    trumps = [
        slot for slot in left
        if phase.down & 1 << slot and phase.board[slot] // 10 == phase.trump
    ]  # fmt: skip
    if trumps:
        return Battle(position, max(trumps, key=phase.board.__getitem__), BY_TRUMP, cards)
    if len(laid) == 4 and position != CENTRE and laid[-1] in up:
        last = laid[-1]
        if phase.board[last] % 10 == CAVALRY:
            return Battle(position, last, BY_CAVALRY, cards)
    if up and (house.rest_fights or not shot & 1 << _opener(phase, laid)):
        return Battle(position, max(up, key=phase.board.__getitem__), BY_RANK, cards)
    return Battle(position, -1, ROUT, cards)


def _opener(phase: Phase, laid: list[int]) -> int:
    """Return the slot of the card that opened the battle: the first laid face up."""
    return next(slot for slot in laid if not phase.down & 1 << slot)
