"""Rounds of Victory & Honor played by four who see their hands, before a table that sees none.

Used by the short tests (games/test_victory_honor_rounds.py) and at length by soak/soak_cards.py.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from companion.games.victory_honor import GAME, saved
from companion.games.victory_honor.audit import breaches
from companion.games.victory_honor.battle import ROUT
from companion.games.victory_honor.cards import DOWN
from companion.games.victory_honor.phase import choices
from companion.games.victory_honor.play import accounted, resolution, round_points
from companion.games.victory_honor.state import FOUGHT, PLAY, REVEAL, VictoryHonorState, may_name
from companion.rules import Action, Setup
from companion.rules.hidden import things

OPTIONS = (
    {},
    {"partners": "no"},
    {"same_field": "facing"},
    {"reopen": "no"},
    {"bombarded_opening": "lost", "multiply": "stars"},
    {"second_colour": "green", "rounds": "3"},
    {"guide": "no", "leader": "west"},
    {"spoils": "hidden", "leader": "north"},
)


@dataclass
class Seen:
    """What the rounds have shown."""

    rounds: int = 0
    phases: int = 0
    plays: int = 0
    broken_off: int = 0
    routs: int = 0
    reopened: int = 0
    points: int = 0
    planted: int = 0
    found: int = 0
    false: int = 0
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, other: Seen) -> None:
        """Add the figures of another round."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def colours_of(hand: set[int]) -> int:
    """Return the set of colours in ``hand``."""
    return sum(1 << colour for colour in {card // 10 for card in hand})


def honest(state: VictoryHonorState, hand: set[int]) -> list[tuple[int, int, bool]]:
    """Return every play that the hand allows: slot, card, whether face down."""
    up, down = choices(state.phase, state.terms.house, [colours_of(hand)])
    found = []
    for position in range(3):
        slot = 3 * state.phase.turn + position
        found += [(slot, card, False) for card in hand if up[position] >> card // 10 & 1]
        if down >> position & 1:
            found += [(slot, card, True) for card in hand]
    return found


def crooked(state: VictoryHonorState, hand: set[int]) -> list[tuple[int, int, bool]]:
    """Return every play that the table cannot refuse yet though the hand forbids it."""
    right, found = set(honest(state, hand)), []
    for action in GAME.legal(state):
        slot = SLOTS[str(action.target)]
        card = state.terms.deck.card(action.detail)
        for held in hand if card == DOWN else hand & {card}:
            play = (slot, held, card == DOWN)
            if play not in right:
                found.append(play)
    return found


SLOTS = {
    f"{seat}.{position}": 3 * number + index
    for number, seat in enumerate(GAME.seats)
    for index, position in enumerate("LCR")
}


class Round:
    """One round; ``lies`` is how likely a player is to break a rule when he can."""

    def __init__(self, seed: int, lies: float = 0.0, setup: Setup | None = None) -> None:
        self.rng = random.Random(f"cards {seed}")
        self.lies = lies
        setup = setup or GAME.setup(options=OPTIONS[seed % len(OPTIONS)])
        self.state: VictoryHonorState = GAME.start(setup)
        deck = list(range(40))
        self.rng.shuffle(deck)
        self.hands = [set(deck[10 * seat : 10 * seat + 10]) for seat in range(4)]
        self.under: dict[int, int] = {}
        self.planted: list[int] = []
        self.seen = Seen(rounds=1)

    def do(self, action: Action) -> None:
        """Play ``action`` and count the cards."""
        self.state = GAME.apply(self.state, action)
        assert accounted(self.state) == 40

    def place(self, slot: str, card: int) -> None:
        """Lay or show a card, or a back."""
        self.do(Action("place", None, slot, self.state.terms.deck.tokens[card]))

    def play(self) -> Seen:
        """Play the round until its reserves are shown; return what it has shown."""
        for _ in range(3):
            self.phase()
        for seat, name in enumerate(GAME.seats):
            (last,) = self.hands[seat]
            self.place(f"{name}.reserve", last)
        self.seen.points += sum(round_points(self.state))
        accused = {breach.ply: breach for breach in breaches(self.state)}
        self.seen.planted = len(self.planted)
        self.seen.found = len(accused.keys() & set(self.planted))
        self.seen.false = len(accused.keys() - set(self.planted))
        self.seen.rules.update(breach.ruling.rule for breach in accused.values())
        return self.seen

    def phase(self) -> None:
        """Play one phase of twelve cards, turn them up and gather them."""
        self.under.clear()
        broken = laid = 0
        while self.state.stage == PLAY:
            before = self.state
            self.lay()
            laid += 1
            if self.state.phase.filling and not before.phase.filling:
                broken = laid
            self.name_a_position()
        assert laid == 12
        self.seen.phases += 1
        self.seen.plays += laid
        self.seen.broken_off += broken < 12
        for slot in self.rng.sample(sorted(self.under), len(self.under)):
            assert self.state.stage == REVEAL
            self.place(f"{GAME.seats[slot // 3]}.{'LCR'[slot % 3]}", self.under[slot])
        assert self.state.stage == FOUGHT
        self.seen.routs += sum(b.why == ROUT for b in resolution(self.state).battles)
        self.seen.reopened += self.openings_after_a_sacrifice()
        self.do(Action("gather"))

    def lay(self) -> None:
        """Lay one card, as the hand allows or, if the player lies, as the table cannot tell."""
        hand = self.hands[self.state.phase.turn]
        plays = honest(self.state, hand)
        assert plays, "a legal play always exists"
        known = set(GAME.legal(self.state))
        if self.rng.random() < self.lies and (lies := crooked(self.state, hand)):
            plays = lies
            self.planted.append(self.state.ply)
        slot, card, hidden = self.rng.choice(plays)
        hand.remove(card)
        if hidden:
            self.under[slot] = card
        spot = f"{GAME.seats[slot // 3]}.{'LCR'[slot % 3]}"
        token = self.state.terms.deck.tokens[DOWN if hidden else card]
        assert Action("place", None, spot, token) in known, "what a hand allows is legal so far"
        self.do(Action("place", None, spot, token))

    def name_a_position(self) -> None:
        """Name one of the positions that a scout just played may name, or none."""
        positions = may_name(self.state) if self.state.phase.scouting >= 0 else 0
        if self.state.stage == PLAY and positions and self.rng.random() < 0.8:
            named = self.rng.choice([None, *things(positions)])
            self.do(Action("scout", detail="none" if named is None else "LCR"[named]))

    def openings_after_a_sacrifice(self) -> int:
        """Return how many positions of the phase were opened after a sacrificed opening."""
        phase, found = self.state.phase, 0
        for position in range(3):
            hidden = [bool(phase.down >> s & 1) for s in phase.order if s % 3 == position]
            found += hidden[0] and not all(hidden)
        return found


def rounds(first: int, count: int, lies: float = 0.0, **chosen: Any) -> Seen:
    """Play ``count`` rounds and return their figures; ``chosen`` fixes the options."""
    total = Seen()
    setup = GAME.setup(options=chosen) if chosen else None
    for seed in range(first, first + count):
        try:
            total.add(Round(seed, lies, setup).play())
        except AssertionError as error:
            error.add_note(f"round {seed}, lies {lies}")
            raise
    return total


# -- tables for single rules -----------------------------------------------------------------


def laid(text: str, state: VictoryHonorState | None = None, /, **options: str) -> VictoryHonorState:
    """Return the state after the actions in ``text``, with hands unknown; a word's detail is
    joined with '=', as in ``scout=C``."""
    setup = GAME.setup(options=options)
    state = state or GAME.start(setup)
    for action in text.split():
        state = GAME.apply(state, GAME.parse(state.setup, action))
    return state


def ruling(state: VictoryHonorState, text: str) -> str:
    """Return ``allowed RULE`` or ``refused RULE`` for the action in ``text``."""
    found = GAME.judge(state, GAME.parse(state.setup, text))
    return f"{'allowed' if found.allowed else 'refused'} {found.rule}"


def set_of(text: str) -> int:
    """Return the set of the cards in ``text``: red, blue, black, yellow by r, b, k, y and 1 to 7
    or A, B, C for the generals of one, two and three stars, as in ``r17C b4``."""
    found = 0
    for word in text.split():
        colour = "rbky".index(word[0])
        found |= sum(1 << 10 * colour + "1234567ABC".index(rank) for rank in word[1:])
    return found


def with_hands(south: str, west: str, north: str, east: str, **options: str) -> VictoryHonorState:
    """Return a round with known hands, passed already, written as for :func:`set_of`."""
    hands = set_of(south), set_of(west), set_of(north), set_of(east)
    return saved.with_hands(GAME.setup(options=options), hands)


def replaced(state: VictoryHonorState, **fields: Any) -> VictoryHonorState:
    """Return ``state`` with other values in some fields."""
    return state._replace(**fields)
