"""Play on one's own cards alone: what a machine may do, what that may lead to, and a table at which
everybody is a machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, permutations
from types import MappingProxyType

from companion.games.victory_honor.cards import CARDS, DOWN
from companion.games.victory_honor.geometry import (
    DEALT,
    GATHER,
    NO_ORDER,
    PASS,
    RESERVE,
    SCOUTING,
    SEATS,
    SLOT,
    position_name,
    seat_name,
)
from companion.games.victory_honor.notation import placings, showings
from companion.games.victory_honor.play import advance, begin
from companion.games.victory_honor.state import (
    FOUGHT,
    PLAY,
    RESERVE_STAGE,
    REVEAL,
    SCORED,
    Beginning,
    VictoryHonorState,
    awaits_deal,
    first_leader,
    fresh,
    may_name,
)
from companion.games.victory_honor.worlds import (
    WORTH,
    World,
    drawn,
    laid,
    liking,
    named,
    options,
    played_out,
    scored,
)
from companion.rules import Setup, Text, say
from companion.rules.hidden import things
from companion.rules.own_hand import HandPlay, InformationSet, Rack

Known = InformationSet[VictoryHonorState]

PASSES = 12
"""Ways to pass three cards that are thought about, of 720."""
POINT = 12.0
"""Points that a side is ahead in a round when it wins it in e : 1."""


# -- what may be done ------------------------------------------------------------------------------


def plays(known: Known) -> Sequence[HandPlay]:
    """Return what ``known.seat`` may decide now on its own cards; nothing while others decide."""
    state, seat = known.state, SEATS.index(known.seat)
    if state.stage != PLAY:
        return _shown(known, seat)
    if _passing(state):
        return _passes(known, seat) if not known.rack.given else ()
    if state.phase.scouting >= 0 and (open_ones := may_name(state)):
        if state.phase.scouting != seat:
            return ()
        return [HandPlay(SCOUTING[position]) for position in things(open_ones)] + [
            HandPlay(NO_ORDER)
        ]
    if state.phase.turn != seat:
        return ()
    deck, table = state.terms.deck, placings(state.terms.deck)
    return [
        HandPlay(table[slot][card if face_up else DOWN], (deck.tokens[card],))
        for slot, card, face_up in options(state.phase, state.terms, _cards(known))
    ]


def _shown(known: Known, seat: int) -> Sequence[HandPlay]:
    """Return the hidden card that ``known.seat`` turns up next, or its reserve."""
    state, deck = known.state, known.state.terms.deck
    if state.stage == RESERVE_STAGE and state.reserves[seat] < 0 and len(known.rack.cards) == 1:
        return [HandPlay(showings(deck)[seat][_cards(known).bit_length() - 1], known.rack.cards)]
    if state.stage != REVEAL:
        return ()
    return [
        HandPlay(placings(deck)[SLOT[spot]][deck.card(token)])
        for spot, token in known.rack.laid.items()
    ]


def _passing(state: VictoryHonorState) -> bool:
    return not state.passed and fresh(state) and not awaits_deal(state)


def _cards(known: Known) -> int:
    deck = known.state.terms.deck
    return sum(1 << deck.card(token) for token in known.rack.cards)


def _passes(known: Known, seat: int) -> Sequence[HandPlay]:
    deck = known.state.terms.deck
    cards = [deck.card(token) for token in known.rack.cards]
    if len(cards) != CARDS // 4:
        return ()
    allied = known.state.terms.house.allied
    ways = sorted(
        (way for three in combinations(cards, 3) for way in permutations(three)),
        key=lambda way: _keeps(cards, way, allied),
        reverse=True,
    )
    return [HandPlay(PASS, tuple(deck.tokens[card] for card in way)) for way in ways[:PASSES]]


def _keeps(cards: Sequence[int], way: tuple[int, ...], allied: bool) -> float:
    """Return how much the hand is liked after ``way`` was passed: strong cards stay or go to the
    partner, and a colour that is gone may be trumped."""
    left = [card for card in cards if card not in way]
    value = sum(WORTH[card % 10] + 0.3 * (card % 10) for card in left)
    across = WORTH[way[1] % 10] + 0.3 * (way[1] % 10)
    return value + 0.8 * across * allied + 0.8 * (4 - len({card // 10 for card in left}))


def rack_after(known: Known, play: HandPlay) -> Rack:
    """Return the rack of ``known.seat`` after ``play``: cards that it passes are out of its hand,
    and what it is passed is not in it yet."""
    rack, seat = known.rack, SEATS.index(known.seat)
    cards = tuple(card for card in rack.cards if card not in play.cards)
    if play.action == PASS:
        given = {card: SEATS[(seat + step) % 4] for step, card in enumerate(play.cards, 1)}
        return Rack(cards, rack.laid, MappingProxyType(given))
    lying = rack.laid
    if play.cards and play.action.detail != play.cards[0]:
        lying = MappingProxyType({**rack.laid, str(play.action.target): play.cards[0]})
    return Rack(cards, lying, rack.given)


def rack_now(state: VictoryHonorState, rack: Rack) -> Rack:
    """Return what is left in ``state`` of a rack that was told since the deal."""
    deck = state.terms.deck
    laid = {
        spot: token
        for spot, token in rack.laid.items()
        if state.phase.board[SLOT[spot]] == DOWN and not state.seen >> deck.card(token) & 1
    }
    given = rack.given if state.passed else {}
    gone = {*laid.values(), *given}
    cards = tuple(
        token
        for token in rack.cards
        if token not in gone and not state.seen >> deck.card(token) & 1
    )
    return Rack(cards, MappingProxyType(laid), MappingProxyType(dict(given)))


def told(known: Known, play: HandPlay) -> Text:
    """Return what people are to do for the seat, its cards by their places from the left."""
    seat = seat_name(SEATS.index(known.seat))
    places = [known.rack.cards.index(card) + 1 for card in play.cards]
    if play.action == PASS:
        return say(
            "{seat} passes card {left} of its rack to the left, card {across} across, card {right} "
            "to the right; cards are counted from the left.",
            seat=seat, left=places[0], across=places[1], right=places[2],
        )  # fmt: skip
    if play.action in SCOUTING:
        position = position_name(SCOUTING.index(play.action))
        return say("{seat}'s scout names the {position}.", seat=seat, position=position)
    if play.action == NO_ORDER:
        return say("{seat}'s scout names nothing.", seat=seat)
    spot = str(play.action.target)
    if spot in RESERVE:
        return say("{seat} shows its last card as its reserve.", seat=seat)
    where = position_name(SLOT[spot] % 3)
    if not places:
        return say("{seat} turns up the card on its {position}.", seat=seat, position=where)
    if play.action.detail == play.cards[0]:
        return say(
            "{seat} lays card {number} of its rack, counted from the left, face up on its "
            "{position}.",
            seat=seat, number=places[0], position=where,
        )  # fmt: skip
    return say(
        "{seat} lays card {number} of its rack, counted from the left, face down on its "
        "{position}.",
        seat=seat, number=places[0], position=where,
    )  # fmt: skip


# -- what may come of it ---------------------------------------------------------------------------


def world_of(known: Known, chance: random.Random) -> World:
    """Return how all cards may lie, as far as ``known.seat`` can tell."""
    deck, seat = known.state.terms.deck, SEATS.index(known.seat)
    hidden = {SLOT[spot]: deck.card(token) for spot, token in known.rack.laid.items()}
    given = [0, 0, 0, 0]
    for token, taker in known.rack.given.items():
        given[SEATS.index(taker)] |= 1 << deck.card(token)
    passed = dict(enumerate(given)) if known.state.passed else {}
    return drawn(known.state, seat, _cards(known), hidden, passed, chance)


def prospect(
    known: Known, world: World, play: HandPlay, chance: random.Random
) -> tuple[float, int]:
    """Return the logarithm of the odds that the side of ``known.seat`` comes off best in a round
    played out in ``world`` after ``play``, and how many cards were laid for it."""
    terms, deck = known.state.terms, known.state.terms.deck
    seat = SEATS.index(known.seat)
    if play.action == PASS:
        world = _all_passed(world, known, play)
    elif play.action in (*SCOUTING, NO_ORDER):
        place = SCOUTING.index(play.action) if play.action in SCOUTING else -1
        world = named(world, terms, place)
    else:
        card = deck.card(play.cards[0])
        face_up = play.action.detail == play.cards[0]
        world = laid(world, terms, SLOT[str(play.action.target)], card, face_up)
    end, count = played_out(world, terms, chance)
    return _ahead(scored(end, terms), seat, terms.house.allied) / POINT, count + 1


def _ahead(score: Sequence[int], seat: int, allied: bool) -> float:
    """Return by how many points the side of ``seat`` is ahead of the best other one."""
    if allied:
        own, others = score[seat] + score[(seat + 2) % 4], (score[seat - 1] + score[seat - 3])
        return own - others
    return score[seat] - max(score[other] for other in range(4) if other != seat)


def _all_passed(world: World, known: Known, play: HandPlay) -> World:
    """Return ``world`` after everybody passed three cards, the others those that they like
    least."""
    deck, mine = known.state.terms.deck, SEATS.index(known.seat)
    hands = list(world.hands)
    gone: list[tuple[int, ...]] = []
    for seat in range(4):
        if seat == mine:
            gone.append(tuple(deck.card(token) for token in play.cards))
        else:
            low = sorted(things(world.hands[seat]), key=lambda card: WORTH[card % 10] + card % 10)
            gone.append((low[0], low[2], low[1]))
    for seat, way in enumerate(gone):
        for step, card in enumerate(way, 1):
            hands[seat] &= ~(1 << card)
            hands[(seat + step) % 4] |= 1 << card
    four = hands[0], hands[1], hands[2], hands[3]
    return World(world.phase, world.number, four, (), world.spoils, world.lost)


def at_once(known: Known, play: HandPlay) -> float:
    """Return what ``play`` promises in its battle as it lies, in points."""
    state, deck = known.state, known.state.terms.deck
    if play.action == PASS:
        cards = [deck.card(token) for token in known.rack.cards]
        way = tuple(deck.card(token) for token in play.cards)
        return _keeps(cards, way, state.terms.house.allied)
    if not play.cards or state.stage != PLAY:
        return 0.0
    card = deck.card(play.cards[0])
    face_up = play.action.detail == play.cards[0]
    return liking(state.phase, state.terms, (SLOT[str(play.action.target)], card, face_up))


# -- a table of machines ---------------------------------------------------------------------------


class DealtHands:
    """A game at which every seat sees its own rack and the table, and nothing else
    (:class:`companion.rules.own_hand.OwnHands`): what nobody decides (deal, exchange, turning up,
    gathering) is done here."""

    def __init__(self, setup: Setup, chance: random.Random) -> None:
        self.state = begin(setup, Beginning(1, first_leader(setup)))
        self._chance = chance
        self._racks: dict[str, Rack] = {}
        self._go_on()

    @property
    def asked(self) -> str | None:
        """Return the seat that has to decide something, None at the end of the game."""
        return next((seat for seat in SEATS if plays(self.known(seat))), None)

    def known(self, seat: str) -> Known:
        """Return all that ``seat`` knows."""
        return InformationSet(self.state, seat, self._racks[seat])

    def do(self, seat: str, play: HandPlay) -> None:
        """Let ``seat`` do what it decided, and the cards what follows."""
        self._make(seat, play)
        if play.action == PASS and all(rack.given for rack in self._racks.values()):
            self._exchange()
        self._go_on()

    def _make(self, seat: str, play: HandPlay) -> None:
        rack = rack_after(self.known(seat), play)
        if play.action != PASS:
            self.state = advance(self.state, play.action)
            rack = rack_now(self.state, rack)
        self._racks[seat] = rack

    def _exchange(self) -> None:
        for seat, rack in list(self._racks.items()):
            for token, taker in rack.given.items():
                own = self._racks[taker]
                self._racks[taker] = Rack((*own.cards, token), own.laid, own.given)
            assert len(rack.given) == 3, seat
        self.state = advance(self.state, PASS)

    def _go_on(self) -> None:
        """Do what nobody decides."""
        while True:
            state = self.state
            if _passing(state) or awaits_deal(state):
                if self._racks:
                    return
                self._deal()
            elif state.stage in (REVEAL, RESERVE_STAGE):
                self._turn_up()
            elif state.stage in (FOUGHT, SCORED):
                self.state = advance(state, GATHER)
                if state.stage == SCORED:
                    self._racks = {}
            else:
                return

    def _turn_up(self) -> None:
        """Let the first seat that has something to turn up or show do so."""
        possible = {seat: plays(self.known(seat)) for seat in SEATS}
        seat = next(seat for seat in SEATS if possible[seat])
        self._make(seat, possible[seat][0])

    def _deal(self) -> None:
        cards = list(self.state.terms.deck.tokens[:CARDS])
        self._chance.shuffle(cards)
        self._racks = {
            seat: Rack(tuple(cards[10 * number : 10 * number + 10]))
            for number, seat in enumerate(SEATS)
        }
        if awaits_deal(self.state):
            self.state = advance(self.state, DEALT)
