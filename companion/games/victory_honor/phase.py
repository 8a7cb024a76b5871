"""One phase: whose turn it is, which positions he may choose, which cards may lie there.

Sets of positions and of colours are ``int`` with bits 1, 2, 4 for L, C, R and 1, 2, 4, 8 for the
colours. What a player holds enters only as the set of colours in his hand: the rules of play ask
for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from companion.games.victory_honor.cards import DOWN, EMPTY, SCOUT
from companion.games.victory_honor.geometry import ONWARD, partners
from companion.rules.plain import Plain

NOBODY: Final = -1
NO_BOARD: Final = (EMPTY,) * 12
ALL_SLOTS: Final = (1 << 12) - 1
_BITS: Final = (1, 2, 4)
_ACROSS: Final = (2, 1, 0)


class PhaseHouse(NamedTuple):
    """What the players agreed on that bears on the play of a phase.

    ``allied``: partners sit opposite; ``across``: the position barred by VH-5.2 is the one that
    faces the player before (R4); ``reopens``: a position may be opened after a sacrificed opening
    (R7); ``rest_fights``: cards fight on though the opening card was bombarded (R10).
    """

    allied: bool = True
    across: bool = False
    reopens: bool = True
    rest_fights: bool = True


class Phase(Plain):
    """A phase under way.

    ``board`` has a card, ``DOWN`` or ``EMPTY`` for each slot; ``down`` is the set of slots whose
    card was laid face down, turned up since or not; ``order`` the slots in the order of play;
    ``opened`` the colour that opened each position, else -1. ``turn`` is the seat to play, -1 at
    the end; ``before`` the position that the player before chose, -1 for the leader; ``ordered``
    the position that a scout named and must be obeyed, ``suggested`` what a partner's scout named;
    ``scouting`` the seat that may name one
    now; ``filling`` whether regular order has ended (VH-8.1). ``room`` is the set of empty slots.
    """

    PARTS = (
        "turn", "board", "down", "order", "opened", "before", "ordered", "suggested", "scouting",
        "filling", "room",
    )  # fmt: skip
    __slots__ = PARTS

    def __init__(
        self,
        turn: int,
        board: tuple[int, ...] = NO_BOARD,
        down: int = 0,
        order: tuple[int, ...] = (),
        opened: tuple[int, int, int] = (-1, -1, -1),
        before: int = -1,
        ordered: int = -1,
        suggested: int = -1,
        scouting: int = NOBODY,
        filling: bool = False,
        room: int = ALL_SLOTS,
    ) -> None:
        self.turn: Final = turn
        self.board: Final = board
        self.down: Final = down
        self.order: Final = order
        self.opened: Final = opened
        self.before: Final = before
        self.ordered: Final = ordered
        self.suggested: Final = suggested
        self.scouting: Final = scouting
        self.filling: Final = filling
        self.room: Final = room

    @property
    def trump(self) -> int:
        """Return the trump colour, -1 while there is none (VH-7.1)."""
        return -1 if -1 in self.opened else 6 - sum(self.opened)

    @property
    def open_colours(self) -> int:
        """Return the set of colours that have opened a position."""
        a, b, c = self.opened
        return (a >= 0 and 1 << a) | (b >= 0 and 1 << b) | (c >= 0 and 1 << c)

    @property
    def unopened(self) -> int:
        """Return the set of positions that no colour has opened."""
        a, b, c = self.opened
        return (a < 0) | (b < 0) << 1 | (c < 0) << 2

    def empties(self, seat: int) -> int:
        """Return the set of empty positions of ``seat``."""
        return self.room >> 3 * seat & 7


def after_the_bar(phase: Phase, house: PhaseHouse) -> int:
    """Return the positions that VH-5.2 leaves: not the same as the player before, if he can."""
    empty = phase.empties(phase.turn)
    if phase.before < 0 or phase.filling:
        return empty
    barred = _ACROSS[phase.before] if house.across else phase.before
    return empty & ~_BITS[barred] or empty


def passes_on(phase: Phase, seat: int) -> int:
    """Return the positions of ``seat`` whose onward seat still has an empty one (VH-5.4)."""
    return _with_room(phase.room, seat)


@cache
def _with_room(room: int, seat: int) -> int:
    onward = ONWARD[3 * seat : 3 * seat + 3]
    return sum(bit for bit, other in zip(_BITS, onward, strict=True) if room >> 3 * other & 7)


def dead(phase: Phase, house: PhaseHouse) -> int:
    """Return the unopened positions that cannot be opened any more (R7)."""
    if house.reopens:
        return 0
    taken = 0
    for slot in phase.order:
        taken |= _BITS[slot % 3]
    return taken & phase.unopened


def cannot_open(phase: Phase, house: PhaseHouse, colours: int) -> int:
    """Return the positions where who holds ``colours`` could only sacrifice the opening."""
    return dead(phase, house) if colours & ~phase.open_colours else phase.unopened


def positions(phase: Phase, house: PhaseHouse, colours: int) -> tuple[int, bool]:
    """Return the positions that the player on turn may choose if he holds ``colours``, and
    whether regular order has ended (VH-5.1 to 5.5, VH-8.2)."""
    return _positions(phase, house, cannot_open(phase, house, colours))


def _positions(phase: Phase, house: PhaseHouse, wasted: int) -> tuple[int, bool]:
    if phase.ordered >= 0:
        return _BITS[phase.ordered], False
    if not phase.filling:
        left = after_the_bar(phase, house)
        left = left & ~wasted or left
        if going := left & _with_room(phase.room, phase.turn):
            return going, False
    empty = phase.room >> 3 * phase.turn & 7
    return empty & ~wasted or empty, True


def faces(phase: Phase, house: PhaseHouse, colours: int, position: int) -> tuple[int, bool]:
    """Return the colours that may be laid face up in ``position`` by who holds ``colours``, and
    whether any card may be laid face down there instead (VH-6.1 to 6.4)."""
    asked = phase.opened[position]
    if asked >= 0:
        follows = colours & 1 << asked
        return follows, not follows
    if dead(phase, house) & _BITS[position]:
        return 0, True
    new = colours & ~phase.open_colours
    return new, not new


def choices(phase: Phase, house: PhaseHouse, worlds: Sequence[int]) -> tuple[list[int], int]:
    """Return what may be played in some world, a world being the colours of a hand: the colours
    face up for each position, and the positions where a card may lie face down."""
    up, down = [0, 0, 0], 0
    fresh, unopened, shut = ~phase.open_colours, phase.unopened, dead(phase, house)
    # Where a hand may be played depends on nothing but whether it can open a position.
    for opens, wasted in ((True, shut), (False, unopened)):
        some, every = 0, -1
        for colours in worlds:
            if bool(colours & fresh) is opens:
                some |= colours
                every &= colours
        if not some:
            continue
        where, _ = _positions(phase, house, wasted)
        if where & unopened:
            down |= where & wasted
            for position in range(3):
                if where & unopened & ~wasted & _BITS[position]:
                    up[position] = some & fresh
        for position, asked in enumerate(phase.opened):
            if asked >= 0 and where & _BITS[position]:
                up[position] |= some & 1 << asked
                if not every >> asked & 1:
                    down |= _BITS[position]
    return up, down


def played(phase: Phase, house: PhaseHouse, slot: int, card: int) -> Phase:
    """Return the phase after the player on turn laid ``card``, ``DOWN`` for a hidden one, on
    ``slot``. The play must be legal in some world; which one, the next turn does not ask."""
    seat, position = divmod(slot, 3)
    board = (*phase.board[:slot], card, *phase.board[slot + 1 :])
    order = (*phase.order, slot)
    opened, down, room = phase.opened, phase.down, phase.room & ~(1 << slot)
    if card == DOWN:
        down |= 1 << slot
    elif opened[position] < 0:
        colours = list(opened)
        colours[position] = card // 10
        opened = (colours[0], colours[1], colours[2])
    regular = phase.ordered >= 0 or (
        not phase.filling
        and bool(after_the_bar(phase, house) & passes_on(phase, seat) & _BITS[position])
    )
    if regular:
        names = seat if card < DOWN and card % 10 == SCOUT else NOBODY
        turn = ONWARD[slot]
        return Phase(turn, board, down, order, opened, position, -1, -1, names, False, room)
    turn = NOBODY
    if room:
        turn = next(s % 4 for s in range(seat, seat + 4) if room >> 3 * (s % 4) & 7)
    return Phase(turn, board, down, order, opened, -1, -1, -1, NOBODY, True, room)


def nameable(phase: Phase) -> int:
    """Return the positions that the scout just played may name (VH-9.7, VH-9.9)."""
    empty = phase.empties(phase.turn)
    return empty & passes_on(phase, phase.turn) or empty


def binds(phase: Phase, house: PhaseHouse, position: int) -> bool:
    """Tell whether naming ``position`` is an order: not to a partner (VH-9.8), and not where
    regular order ends at the target whatever he does (R11)."""
    friend = house.allied and partners(phase.scouting, phase.turn)
    return not friend and bool(passes_on(phase, phase.turn) & _BITS[position])


def turned_up(phase: Phase, slot: int, card: int) -> Phase:
    """Return the phase with the hidden card on ``slot`` shown as ``card``."""
    board = (*phase.board[:slot], card, *phase.board[slot + 1 :])
    return Phase(
        phase.turn, board, phase.down, phase.order, phase.opened, phase.before, phase.ordered,
        phase.suggested, phase.scouting, phase.filling, phase.room,
    )  # fmt: skip
