"""The position of a game: what the table knows, and what may be played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from companion.games.victory_honor.cards import (
    ALL_CARDS,
    DOWN,
    GENERALS,
    OF_COLOURS,
    REGIMENTS,
    Deck,
    deck,
)
from companion.games.victory_honor.geometry import (
    COUNT,
    DEALT,
    GATHER,
    NO_ORDER,
    PASS,
    REDEAL,
    SCOUTING,
    SEATS,
    VOID,
)
from companion.games.victory_honor.notation import passing, placings, showings
from companion.games.victory_honor.phase import Phase, PhaseHouse, choices, nameable, passes_on
from companion.rules import Action, Setup
from companion.rules.hidden import Holding, things
from companion.rules.plain import Plain

PASSING: Final = "passing"
PLAY: Final = "play"
REVEAL: Final = "reveal"
FOUGHT: Final = "fought"
RESERVE_STAGE: Final = "reserves"
SCORED: Final = "scored"
DISPUTED: Final = "disputed"
OVER: Final = "over"

Hands = tuple[int, int, int, int]
NOTHING: Final[Hands] = (0, 0, 0, 0)
UNSHOWN: Final = (-1, -1, -1, -1)


class Terms(NamedTuple):
    """What the players agreed on, read once from the options."""

    house: PhaseHouse
    deck: Deck
    rounds: int
    target: int
    by_stars: bool
    fewest_lead: bool
    first: int
    hides_spoils: bool
    guides: bool


def first_leader(setup: Setup) -> int:
    """Return the seat that leads the first round (VH-3.2)."""
    named = setup["leader"]
    return SEATS.index(setup.seats[0] if named == "first" else named)


def terms_of(setup: Setup) -> Terms:
    """Return the terms of ``setup``."""
    house = PhaseHouse(
        allied=setup["partners"] == "yes",
        across=setup["same_field"] == "facing",
        reopens=setup["reopen"] == "yes",
        rest_fights=setup["bombarded_opening"] == "rest_fight",
    )
    return Terms(
        house,
        deck(setup["second_colour"]),
        int(setup["rounds"]),
        int(setup["target"]),
        setup["multiply"] == "stars",
        setup["later_leader"] == "fewest",
        first_leader(setup),
        setup["spoils"] == "hidden",
        setup["guide"] == "yes",
    )


class Played(Plain):
    """A card laid in this round: ``card`` is ``DOWN`` until it is turned up, ``size`` how many
    cards its player held, ``before`` the phase as it stood."""

    PARTS = ("ply", "slot", "card", "hidden", "size", "before")
    __slots__ = PARTS

    def __init__(
        self, ply: int, slot: int, card: int, hidden: bool, size: int, before: Phase
    ) -> None:
        self.ply: Final = ply
        self.slot: Final = slot
        self.card: Final = card
        self.hidden: Final = hidden
        self.size: Final = size
        self.before: Final = before

    @property
    def seat(self) -> int:
        """Return the seat that laid the card."""
        return self.slot // 3


class Beginning(NamedTuple):
    """How a round began: enough to play its ``log`` again.

    ``hands`` as dealt, None if nobody told; ``to_pass`` whether they are still to be passed.
    ``placed`` are cards that lay there already, in order, and ``mover`` the seat to play then.
    ``ply`` counts the actions of the game before. Where the table decided how a round goes on,
    it begins in phase ``number`` with ``spoils`` and ``lost`` cards; ``down`` are the slots of
    ``placed`` cards that were laid face down, turned up since or not.
    """

    round: int
    leader: int
    hands: Hands | None = None
    to_pass: bool = False
    placed: tuple[tuple[str, str], ...] = ()
    mover: int = -1
    ply: int = 0
    number: int = 1
    spoils: Hands = NOTHING
    lost: int = 0
    down: int = 0


class VictoryHonorState(Plain):
    """One position as the table knows it.

    ``number`` is the phase, 1 to 3, and 4 when the reserves are shown. ``hands`` are the hidden
    cards of each seat, in hand or face down before it, if they are known; ``whole`` what they were
    before the first play. ``dealt`` and ``passed`` tell how far the cards were given out. ``seen``
    is the set of all cards that were shown in this round. ``log`` are the actions of this round,
    ``plays`` its cards, ``scores`` the rounds that count.
    """

    PARTS = (
        "setup", "terms", "beginning", "stage", "phase", "number", "hands", "whole", "given",
        "dealt", "passed", "seen", "spoils", "lost", "reserves", "scores", "log", "plays",
    )  # fmt: skip
    __slots__ = PARTS
    # The terms follow from the set-up, the plays from the log.
    SAME = tuple(name for name in PARTS if name not in ("terms", "plays"))
    KEY = SAME[1:]

    def __init__(
        self,
        setup: Setup,
        terms: Terms,
        beginning: Beginning,
        stage: str,
        phase: Phase,
        number: int = 1,
        hands: Hands | None = None,
        whole: Hands | None = None,
        given: tuple[tuple[int, ...], ...] = (),
        dealt: bool = False,
        passed: bool = False,
        seen: int = 0,
        spoils: Hands = NOTHING,
        lost: int = 0,
        reserves: tuple[int, ...] = UNSHOWN,
        scores: tuple[tuple[int, ...], ...] = (),
        log: tuple[Action, ...] = (),
        plays: tuple[Played, ...] = (),
    ) -> None:
        self.setup: Final = setup
        self.terms: Final = terms
        self.beginning: Final = beginning
        self.stage: Final = stage
        self.phase: Final = phase
        self.number: Final = number
        self.hands: Final = hands
        self.whole: Final = whole
        self.given: Final = given
        self.dealt: Final = dealt
        self.passed: Final = passed
        self.seen: Final = seen
        self.spoils: Final = spoils
        self.lost: Final = lost
        self.reserves: Final = reserves
        self.scores: Final = scores
        self.log: Final = log
        self.plays: Final = plays

    @property
    def ply(self) -> int:
        """Return how many actions the game has had."""
        return self.beginning.ply + len(self.log)

    @property
    def mover(self) -> int:
        """Return the seat whose decision is awaited, -1 when the game is over."""
        if self.stage == OVER:
            return -1
        if self.stage == PLAY:
            return self.phase.turn
        if self.stage == PASSING:
            return (self.beginning.leader + len(self.given)) % 4
        if self.stage == REVEAL:
            return next(slot for slot in self.phase.order if self.phase.board[slot] == DOWN) // 3
        if self.stage == RESERVE_STAGE:
            order = ((self.beginning.leader + step) % 4 for step in range(4))
            return next(seat for seat in order if self.reserves[seat] < 0)
        return self.beginning.leader

    def in_hand(self, seat: int) -> int:
        """Return how many cards ``seat`` holds in his hand."""
        laid = 0 if self.number > 3 else 3 - self.phase.empties(seat).bit_count()
        return 13 - 3 * self.number - laid - (self.reserves[seat] >= 0)

    def hidden_cards(self, seat: int) -> int:
        """Return the set of cards that ``seat`` may have in hand or face down before him."""
        return ALL_CARDS & ~self.seen if self.hands is None else self.hands[seat]

    def holding(self, seat: int) -> Holding:
        """Return what the hand of ``seat`` may be."""
        return Holding(self.in_hand(seat), self.hidden_cards(seat))


def legal(state: VictoryHonorState) -> Sequence[Action]:
    """Return the legal actions; while hands are unknown, what is legal in some world."""
    return _LEGAL[state.stage](state)


def _passes(state: VictoryHonorState) -> Sequence[Action]:
    assert state.hands is not None
    hand = tuple(things(state.hands[state.mover]))
    return [passing(state.terms.deck, cards) for cards in permutations(hand, 3)]


def _plays(state: VictoryHonorState) -> Sequence[Action]:
    seat = state.phase.turn
    holding, table = state.holding(seat), placings(state.terms.deck)
    up, down = choices(state.phase, state.terms.house, holding.kinds(REGIMENTS))
    found: list[Action] = []
    for position, colours in enumerate(up):
        actions = table[3 * seat + position]
        cards = holding.maybe & OF_COLOURS[colours]
        while cards:
            low = cards & -cards
            found.append(actions[low.bit_length() - 1])
            cards ^= low
        if down & 1 << position:
            found.append(actions[DOWN])
    return found


def _reveals(state: VictoryHonorState) -> Sequence[Action]:
    table, found = placings(state.terms.deck), []
    for slot in state.phase.order:
        if state.phase.board[slot] == DOWN:
            found += [table[slot][card] for card in things(state.hidden_cards(slot // 3))]
    return found


def _reserve_cards(state: VictoryHonorState) -> Sequence[Action]:
    table = showings(state.terms.deck)
    return [
        table[seat][card]
        for seat in range(4)
        if state.reserves[seat] < 0
        for card in things(state.hidden_cards(seat))
    ]


_LEGAL: Final[dict[str, Callable[[VictoryHonorState], Sequence[Action]]]] = {
    PASSING: _passes,
    PLAY: _plays,
    REVEAL: _reveals,
    FOUGHT: lambda _: (GATHER,),
    RESERVE_STAGE: _reserve_cards,
    SCORED: lambda _: (GATHER,),
    DISPUTED: lambda _: (VOID, COUNT),
    OVER: lambda _: (),
}


def fresh(state: VictoryHonorState) -> bool:
    """Tell whether nothing has happened yet in this round but the deal."""
    return not (state.passed or state.given or state.number > 1 or state.phase.order)


def may_redeal(state: VictoryHonorState) -> bool:
    """Tell whether a new deal may be asked for, as far as the hands are known (VH-4.2)."""
    if state.stage not in (PASSING, PLAY) or not fresh(state):
        return False
    return state.hands is None or any(not hand & GENERALS for hand in state.hands)


def claims(state: VictoryHonorState) -> Sequence[Action]:
    """Return what may be said now beside the plays: a scout's order, a new deal, the pass."""
    found: list[Action] = []
    if state.stage == PLAY and state.phase.scouting >= 0:
        positions = may_name(state)
        found += [SCOUTING[position] for position in things(positions)]
        found += [NO_ORDER] * bool(positions)
    if awaits_deal(state):
        return [*found, DEALT]
    if may_redeal(state):
        found += [PASS] * (state.hands is None)
        found.append(REDEAL)
    return found


def awaits_deal(state: VictoryHonorState) -> bool:
    """Tell whether the players are to tell first that the cards are dealt."""
    told = not state.terms.guides or state.dealt or state.hands is not None
    return not told and state.stage == PLAY and fresh(state)


def may_name(state: VictoryHonorState) -> int:
    """Return the positions that the scout just played may name: those where that has an effect,
    an order or a suggestion to a partner (VH-9.7 to 9.9)."""
    phase = state.phase
    if state.terms.guides and not phase.empties(phase.turn) & passes_on(phase, phase.turn):
        return 0
    return nameable(phase)
