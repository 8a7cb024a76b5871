"""Machines that play on their own cards alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import find_game
from companion.games.victory_honor import worlds
from companion.players import match, sampling
from companion.players.budget import Budget
from companion.players.named import player_named
from companion.players.player import Thought
from companion.players.sampling import Sampler
from companion.players.simple import RandomHand
from companion.rules import BadInput
from companion.rules.hidden import things
from companion.rules.own_hand import HandPlay, InformationSet, Rack

GAME: Any = find_game("victory_honor")


def at_a_table(seed: int, plays: int) -> Any:
    """Return a table of machines after so many random plays of the first rounds."""
    chance = random.Random(seed)
    hands = GAME.own_hands(GAME.setup(), chance)
    for _ in range(plays):
        seat = hands.asked
        hands.do(seat, chance.choice(list(GAME.hand_plays(hands.known(seat)))))
    return hands


def deals(most: int = 60) -> Any:
    return st.builds(at_a_table, st.integers(0, 999), st.integers(0, most))


@pytest.mark.no_cover  # other tests prove line by line
@settings(max_examples=8, deadline=None)
@given(deals(), st.randoms(use_true_random=False))
def test_what_is_chosen_never_depends_on_a_card_that_is_hidden(
    hands: Any, chance: random.Random
) -> None:
    seat = hands.asked
    others = [other for other in GAME.seats if other != seat]
    racks = hands._racks
    before = hands.known(seat)
    chosen = Sampler(GAME, random.Random(1)).choose(before, Budget(nodes=200))
    # Every card that the seat does not see is put somewhere else.
    pool = [token for other in others for token in racks[other].cards]
    pool += [token for other in others for token in racks[other].laid.values()]
    chance.shuffle(pool)
    for other in others:
        rack = racks[other]
        cards = tuple(pool.pop() for _ in rack.cards)
        racks[other] = Rack(cards, {spot: pool.pop() for spot in rack.laid}, rack.given)
    after = hands.known(seat)
    assert before == after
    assert Sampler(GAME, random.Random(1)).choose(after, Budget(nodes=200)) == chosen


@settings(max_examples=15, deadline=None)
@given(deals(), st.randoms(use_true_random=False))
def test_a_world_that_is_imagined_fits_all_that_the_seat_has_seen(
    hands: Any, chance: random.Random
) -> None:
    seat = hands.asked
    known = hands.known(seat)
    world = GAME.world(known, chance)
    number, deck = GAME.seats.index(seat), known.state.terms.deck
    hidden = dict(world.laid)
    everything = known.state.seen | sum(world.hands) | sum(1 << card for card in hidden.values())
    assert everything == (1 << 40) - 1, "every card is somewhere"
    assert not known.state.seen & sum(world.hands), "what was seen is in no hand"
    assert {deck.tokens[card] for card in things(world.hands[number])} == set(known.rack.cards)
    for other in range(4):
        assert world.hands[other].bit_count() == known.state.in_hand(other) - 3 * (
            other == number and bool(known.rack.given) and not known.state.passed
        )


@pytest.mark.no_cover  # other tests prove line by line
def test_who_could_not_follow_is_not_thought_to_hold_that_colour() -> None:
    """South opens his left flank with red, the next one there lays a card face down."""
    looked = 0
    for seed in range(25):
        hands = at_a_table(seed, 4)
        while hands.state.number == 1 and not any(play.hidden for play in hands.state.plays):
            seat = hands.asked
            hands.do(seat, GAME.hand_plays(hands.known(seat))[-1])
        play = next((play for play in hands.state.plays if play.hidden), None)
        seat = hands.asked
        if play is None or hands.state.number > 1 or play.seat == GAME.seats.index(seat):
            continue
        asked = play.before.opened[play.slot % 3]
        if asked < 0:
            continue
        looked += 1
        for chance in range(5):
            world = GAME.world(hands.known(seat), random.Random(chance))
            held = world.hands[play.seat] | 1 << dict(world.laid)[play.slot]
            assert not held >> 10 * asked & 0b1111111111
    assert looked > 3


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 999))
def test_machines_break_no_rule_in_a_whole_round(seed: int) -> None:
    chance = random.Random(seed)
    hands = GAME.own_hands(GAME.setup(), chance)
    sampler = Sampler(GAME, chance)
    while not hands.state.scores:
        seat = hands.asked
        thought = sampler.choose(hands.known(seat), Budget(nodes=40))
        assert GAME.judge(hands.state, thought.action).allowed
        hands.do(seat, HandPlay(thought.action, thought.cards))
    # A round in which the cards that were shown prove a breach is disputed, not counted.
    assert len(hands.state.scores) == 1


@pytest.mark.slow
def test_a_pair_that_imagines_beats_one_that_takes_what_it_sees() -> None:
    tally = match.Match(GAME, GAME.setup(), ("level:6", "greedy"), Budget(nodes=400)).play(
        2, seed=2
    )
    assert tally.points["level:6"] > tally.points["greedy"]


@pytest.mark.no_cover  # other tests prove line by line
def test_a_deal_is_played_from_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[tuple[str, str, tuple[str, ...]]] = []

    @contextmanager
    def named(game: Any, name: str, chance: random.Random) -> Iterator[Any]:
        class Noting:
            def choose(self, known: InformationSet[Any], budget: Budget) -> Thought:
                if not known.state.passed and known.state.beginning.round == 1:
                    dealt.append((name, known.seat, known.rack.cards))
                return RandomHand(GAME, chance).choose(known, budget)

        yield Noting()

    monkeypatch.setattr(match, "player_named", named)
    match.Match(GAME, GAME.setup(), ("a", "b"), Budget()).play(2, seed=7)
    first, second = dealt[:4], dealt[4:]
    assert [entry[1:] for entry in first] == [entry[1:] for entry in second]
    assert [entry[0] for entry in first] == ["a", "b", "a", "b"]
    assert [entry[0] for entry in second] == ["b", "a", "b", "a"]


def test_a_program_of_others_cannot_play_cards() -> None:
    with (
        pytest.raises(BadInput, match="programs of others do not play Victory & Honor"),
        player_named(GAME, "uci:stockfish", random.Random(1)),
    ):
        pass


def test_without_partners_each_seat_plays_for_itself() -> None:
    setup = GAME.setup(None, {"partners": "no", "guide": "no"})
    tally = match.Match(GAME, setup, ("level:2", "greedy"), Budget(nodes=300)).play(1, seed=3)
    assert sum(tally.wins.values()) + tally.draws == 1


def test_a_rack_that_was_not_told_whole_passes_nothing() -> None:
    known = at_a_table(1, 0).known("south")
    short = InformationSet(known.state, "south", Rack(known.rack.cards[:9]))
    assert len(GAME.hand_plays(known)) > 1
    assert GAME.hand_plays(short) == ()


def test_thinking_ends_when_more_worlds_tell_nothing_new(monkeypatch: pytest.MonkeyPatch) -> None:
    hands, nodes = at_a_table(1, 30), []
    for most in (1, 3):
        monkeypatch.setattr(sampling, "WORLDS", most)
        sampler = Sampler(GAME, random.Random(1))
        nodes.append(sampler.choose(hands.known(hands.asked), Budget()).nodes)
    assert 0 < nodes[0] < nodes[1]


def test_whose_plays_contradict_each_other_is_thought_to_hold_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At a real table somebody may have failed to follow: then a world is imagined all the same."""
    monkeypatch.setattr(worlds, "colours_left", lambda state: (0, 0, 0, 0))
    hands = at_a_table(1, 10)
    world = GAME.world(hands.known(hands.asked), random.Random(1))
    assert sum(hand.bit_count() for hand in world.hands) == 40 - 6


def test_a_game_of_cards_that_goes_on_too_long_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "LONGEST", 3)
    tally = match.Match(GAME, GAME.setup(), ("random", "greedy"), Budget()).play(1, seed=1)
    assert (tally.games, tally.draws) == (1, 1)
