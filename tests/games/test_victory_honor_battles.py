"""Victory & Honor, the battles: artillery, cavalry, trump, rank, total rout."""

from __future__ import annotations

from types import ModuleType

import pytest

from companion.games.victory_honor import GAME
from companion.games.victory_honor.battle import Resolution, resolve
from companion.games.victory_honor.cards import deck
from companion.games.victory_honor.geometry import SLOT
from companion.games.victory_honor.phase import Phase, PhaseHouse

NAMES = deck("blue")


def fought(text: str, **house: bool) -> Resolution:
    """Resolve a phase: ``south.L=red7`` lies face up, ``south.L:red7`` was laid face down."""
    board, order, down, opened = [-1] * 12, [], 0, [-1, -1, -1]
    for word in text.split():
        hidden = ":" in word
        spot, _, card = word.partition(":" if hidden else "=")
        slot = SLOT[spot]
        board[slot] = NAMES.read(card)
        order.append(slot)
        down |= hidden << slot
        if not hidden and opened[slot % 3] < 0:
            opened[slot % 3] = board[slot] // 10
    colours = (opened[0], opened[1], opened[2])
    return resolve(Phase(-1, tuple(board), down, tuple(order), colours), PhaseHouse(**house))


def winners(text: str, **house: bool) -> dict[str, str]:
    """Return who wins each battle that was fought, and why."""
    seats = ("south", "west", "north", "east", "nobody")
    found = fought(text, **house)
    return {"LCR"[b.position]: f"{seats[b.winner]} {b.why}" for b in found.battles if b.cards}


def tokens(bits: int) -> set[str]:
    return {NAMES.tokens[card] for card in range(40) if bits >> card & 1}


# -- rank and trump --------------------------------------------------------------------------


def test_the_highest_card_of_the_opening_colour_wins() -> None:
    assert winners("south.C=red7 west.C=redG1 north.C=red6 east.C=red1") == {"C": "west rank"}


@pytest.mark.parametrize(
    ("higher", "lower"),
    [("G3", "G2"), ("G2", "G1"), ("G1", "7"), ("7", "6"), ("5", "4"), ("4", "3"), ("2", "1")],
)
def test_generals_are_above_the_numbered_cards(higher: str, lower: str) -> None:
    assert winners(f"south.C=blue{lower} west.C=blue{higher}") == {"C": "west rank"}


OPENED = "south.L=red5 west.C=blue5 east.R=black5"


def test_the_highest_trump_wins() -> None:
    found = winners(f"{OPENED} north.C:yellow1 east.C:yellow3 south.C=blueG3")
    assert found["C"] == "east trump"


def test_cards_laid_before_trump_was_known_are_trumps_too() -> None:
    text = "south.L=red5 west.L:yellow2 west.C=blue5 east.R=black5"
    assert winners(text)["L"] == "west trump"


def test_without_three_open_positions_there_is_no_trump() -> None:
    text = "south.L=red5 west.L:yellow2 west.C=blue5 east.R:black5"
    assert winners(text) == {"L": "south rank", "C": "west rank", "R": "nobody rout"}


def test_a_sacrificed_general_wins_nothing() -> None:
    assert winners(f"{OPENED} west.L:blueG3")["L"] == "south rank"


def test_the_winner_takes_the_sacrifices_too() -> None:
    found = fought(f"{OPENED} west.L:blueG3")
    assert tokens(found.spoils[0]) == {"red 5", "blue G3"}
    assert found.lost == 0


# -- cavalry ---------------------------------------------------------------------------------

FLANK = "south.L=red5 west.L=redG3 north.L=red6 east.L=red7"


def test_cavalry_that_comes_last_on_a_flank_takes_the_battle() -> None:
    assert winners(FLANK) == {"L": "east cavalry"}
    assert tokens(fought(FLANK).spoils[3]) == {"red 5", "red G3", "red 6", "red 7"}


def test_cavalry_that_does_not_come_last_is_a_plain_seven() -> None:
    assert winners("east.L=red7 south.L=red5 west.L=redG3 north.L=red6") == {"L": "west rank"}
    assert winners("south.L=red5 west.L=redG3 east.L=red7") == {"L": "west rank"}


def test_cavalry_never_flanks_in_the_centre() -> None:
    assert winners(FLANK.replace(".L", ".C")) == {"C": "west rank"}
    assert winners(FLANK.replace(".L", ".R")) == {"R": "east cavalry"}


def test_cavalry_does_not_flank_where_a_trump_lies() -> None:
    text = "south.C=blue5 south.R=black5 south.L=red5 west.L:yellow1 north.L=red6 east.L=red7"
    assert winners(text)["L"] == "west trump"


def test_cavalry_face_down_does_not_flank() -> None:
    text = "south.L=red5 west.L=redG3 north.L=red6 east.L:blue7"
    assert winners(text) == {"L": "west rank"}


def test_bombarded_cavalry_does_not_flank() -> None:
    text = FLANK + " north.R=black4"
    # East's left flank faces South's right one, North's right flank West's left one.
    assert winners(text)["L"] == "east cavalry"
    assert winners(FLANK + " south.R=black4")["L"] == "west rank"


def test_cavalry_leaves_bombarded_cards_to_the_bombarder() -> None:
    found = fought(FLANK + " north.R=black4")
    assert tokens(found.spoils[2]) == {"red G3", "black 4"}
    assert tokens(found.spoils[3]) == {"red 5", "red 6", "red 7"}


# -- artillery -------------------------------------------------------------------------------


def test_artillery_takes_the_facing_card_played_before_or_later() -> None:
    for text in ("south.L=red4 west.R=blueG3", "west.R=blueG3 south.L=red4"):
        found = fought(text)
        assert found.shots == ((SLOT["south.L"], SLOT["west.R"]),)
        assert tokens(found.spoils[0]) == {"red 4", "blue G3"}


def test_artillery_takes_no_face_down_card_and_has_no_effect_face_down() -> None:
    assert fought("south.L=red4 west.R:blueG3").shots == ()
    assert fought("south.L:red4 west.R=blueG3").shots == ()
    assert fought("south.L=red4").shots == ()


def test_two_artilleries_that_face_each_other_take_each_other() -> None:
    found = fought("south.L=red4 west.R=blue4")
    assert (tokens(found.spoils[0]), tokens(found.spoils[1])) == ({"blue 4"}, {"red 4"})
    assert [battle.cards for battle in found.battles] == [0, 0, 0]


def test_artillery_in_the_centre_spares_the_partner() -> None:
    text = "south.C=red4 north.C=red6"
    assert fought(text).shots == ()
    assert fought(text, allied=False).shots == ((SLOT["south.C"], SLOT["north.C"]),)


def test_a_bombarded_card_cannot_win() -> None:
    text = "south.L=red4 west.R=blueG3 north.R=blue2"
    assert winners(text)["R"] == "north rank"


def test_when_the_opening_card_is_bombarded_the_rest_fights_on() -> None:
    text = "west.R=blueG3 north.R=blue2 south.L=red4"
    assert winners(text)["R"] == "north rank"
    assert winners(text, rest_fights=False)["R"] == "nobody rout"


def test_by_the_option_trump_and_cavalry_still_win_there() -> None:
    text = "south.C=red2 west.R=blue3 south.L=black4 east.R=blue2 north.R:yellow1"
    assert winners(text, rest_fights=False)["R"] == "north trump"
    text = "west.R=blue3 south.L=black4 east.R=blue2 north.R=blue6 south.R=blue7"
    assert winners(text, rest_fights=False)["R"] == "south cavalry"


# -- total rout ------------------------------------------------------------------------------


def test_a_battle_without_a_card_that_could_win_is_lost_to_all() -> None:
    found = fought("south.L:red7 west.L:blueG3")
    assert [(b.position, b.why) for b in found.battles if b.cards] == [(0, "rout")]
    assert tokens(found.lost) == {"red 7", "blue G3"}
    assert found.spoils == (0, 0, 0, 0)


def test_battles_are_fought_left_right_centre() -> None:
    assert [battle.position for battle in fought(OPENED).battles] == [0, 2, 1]


# -- at the table ----------------------------------------------------------------------------

PHASE = (
    "south.C=yellow7 north.L=blue6 east.R=blackG1 north.C=yellowG3 south.L=blue3 west.C=yellow2"
    " east.L=blueG2 south.R=blackG3 east.C=back west.L=blue2 north.R=black1 west.R=black6"
)


def test_after_the_twelfth_card_hidden_ones_are_turned_up(cards: ModuleType) -> None:
    state = cards.laid(PHASE)
    assert state.stage == "reveal"
    assert cards.ruling(state, "gather") == "refused VH-9.11"
    assert cards.ruling(state, "south.C=red2") == "refused VH-9.11"
    assert cards.ruling(state, "east.C=back") == "refused VH-9.11"
    assert cards.ruling(state, "east.C=yellow7") == "refused VH-1.1"
    assert cards.ruling(state, "east.C=red2") == "allowed VH-9.11"


def test_the_winner_of_the_centre_leads_the_next_phase(cards: ModuleType) -> None:
    state = cards.laid(PHASE + " east.C=red2")
    assert state.stage == "fought"
    assert cards.ruling(state, "south.C=red5") == "refused VH-9.15"
    told = GAME.situation(state)
    assert (
        "East wins the left flank: blue General 2 (East's left flank) is the highest card." in told
    )
    assert "East wins the centre: red 2 (East's centre) is the highest trump." in told
    state = cards.laid("gather", state)
    assert (GAME.to_move(state), state.number) == ("east", 2)
    assert cards.ruling(state, "south.C=red5") == "refused VH-3.3"
    card = next(c for c in GAME.scorecards(state) if c.seat == "east")
    assert next(box for box in card.fields if box.label == "Spoils").value == "8"


def test_if_nobody_wins_the_centre_the_same_player_leads_again(cards: ModuleType) -> None:
    start = GAME.start(GAME.setup())
    position = {f"{seat}.{p}": "back" for p in "LCR" for seat in GAME.seats}
    state = GAME.arrange(GAME.setup(), position)
    assert GAME.to_move(start) == "south"
    for number, spot in enumerate(position):
        state = cards.laid(f"{spot}={state.terms.deck.tokens[number].replace(' ', '')}", state)
    assert "Nobody wins the centre; its cards are lost." in GAME.situation(state)
    assert GAME.to_move(cards.laid("gather", state)) == "south"
    assert cards.laid("gather", state).lost.bit_count() == 12


def test_the_table_tells_who_is_ahead_and_who_is_bombarded(cards: ModuleType) -> None:
    state = cards.laid("south.L=red4 west.R=blue6")
    told = GAME.situation(state)
    assert "Red 4 (South's left flank) bombards blue 6 (West's right flank)." in told
    assert "Red 4 (South's left flank) is ahead in the left flank." in told
    assert GAME.highlights(state)["bombarded"] == ("west.R",)
    state = cards.laid("south.L=yellow7 west.R=black4 south.C=back")
    assert "Nobody is ahead in the centre." not in GAME.situation(state)
