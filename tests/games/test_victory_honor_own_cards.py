"""What a seat that knows its own cards alone is told to do, and what is left of its rack."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.games import find_game
from companion.rules import tell
from companion.rules.own_hand import HandPlay, InformationSet, Rack

GAME: Any = find_game("victory_honor")
SETUP = GAME.setup()


def begun(*actions: str) -> Any:
    state = GAME.start(SETUP)
    for text in ("dealt", "pass", *actions):
        action = GAME.parse(SETUP, text)
        assert GAME.judge(state, action).allowed, text
        state = GAME.advance(state, action)
    return state


def until(wanted: Callable[[Any], bool]) -> Any:
    """Return the first state of a random game that is as ``wanted``."""
    chance, state = random.Random(3), begun()
    while not wanted(state):
        state = GAME.advance(state, chance.choice(list(GAME.legal(state))))
    return state


RACK = Rack(("red 1", "red 5", "blue 3", "black G2"))


@pytest.mark.parametrize(
    ("action", "cards", "sentence"),
    [
        ("pass", ("blue 3", "red 1", "black G2"),
         "South passes card 3 of its rack to the left, card 1 across, card 4 to the right; cards "
         "are counted from the left."),
        ("south.L=red5", ("red 5",),
         "South lays card 2 of its rack, counted from the left, face up on its left flank."),
        ("south.C=back", ("blue 3",),
         "South lays card 3 of its rack, counted from the left, face down on its centre."),
        ("scout C", (), "South's scout names the centre."),
        ("scout none", (), "South's scout names nothing."),
        ("south.R=black2", (), "South turns up the card on its right flank."),
        ("south.reserve=red1", ("red 1",), "South shows its last card as its reserve."),
    ],
)  # fmt: skip
def test_its_cards_are_named_by_their_places(
    action: str, cards: tuple[str, ...], sentence: str
) -> None:
    known = InformationSet(begun(), "south", RACK)
    said = GAME.told(known, HandPlay(GAME.parse(SETUP, action), cards))
    assert tell(said, str) == sentence


def test_what_was_seen_or_lies_face_down_or_was_passed_is_not_in_the_rack() -> None:
    rack = Rack(RACK.cards, {"south.C": "red 5"}, {"blue 3": "west"})
    dealt = GAME.advance(GAME.start(SETUP), GAME.parse(SETUP, "dealt"))
    assert GAME.rack_now(dealt, "south", rack) == RACK, "it was only meant"
    assert GAME.rack_now(begun(), "south", rack).cards == ("red 1", "red 5", "black G2")
    assert GAME.rack_now(begun("south.L=red1"), "south", rack).cards == ("red 5", "black G2")


def test_a_card_that_lies_face_down_stays_the_seats_until_it_is_turned_up() -> None:
    state = until(lambda state: state.stage == "reveal")
    spot = next(
        spot for spot, may_be in GAME.unknown(state).items() if GAME.expect(state)[spot] == "back"
    )
    seat, card = spot.partition(".")[0], GAME.unknown(state)[spot][0]
    rack = GAME.rack_now(state, seat, Rack((card,), {spot: card}))
    assert (rack.cards, dict(rack.laid)) == ((), {spot: card})
    plays = GAME.hand_plays(InformationSet(state, seat, rack))
    assert [GAME.format(play.action) for play in plays] == [f"{spot}={card.replace(' ', '')}"]
    assert GAME.at_once(InformationSet(state, seat, rack), plays[0]) == 0
    after = GAME.advance(state, plays[0].action)
    assert GAME.rack_now(after, seat, Rack((card,), {spot: card})) == Rack(())


def test_the_last_card_is_shown_as_the_reserve() -> None:
    state = until(lambda state: state.stage == "reserves")
    seat = GAME.to_move(state)
    card = next(
        token for number, token in enumerate(GAME.tokens(SETUP)) if not state.seen >> number & 1
    )
    known = InformationSet(state, seat, Rack((card,)))
    (play,) = GAME.hand_plays(known)
    assert GAME.format(play.action) == f"{seat}.reserve={card.replace(' ', '')}"
    assert GAME.at_once(known, play) == 0
    assert GAME.hand_size(state, seat) == 1
    assert GAME.rack_after(known, play) == Rack(())


def test_while_spoils_are_gathered_nobody_decides_anything() -> None:
    state = until(lambda state: state.stage == "fought")
    assert not any(
        GAME.hand_plays(InformationSet(state, seat, Rack(("red 1",)))) for seat in GAME.seats
    )


def test_a_new_deal_has_another_number() -> None:
    dealt = GAME.advance(GAME.start(SETUP), GAME.parse(SETUP, "dealt"))
    again = GAME.advance(dealt, GAME.parse(SETUP, "redeal"))
    assert GAME.deal_of(begun("south.L=red1")) == GAME.deal_of(begun()) != GAME.deal_of(again)
