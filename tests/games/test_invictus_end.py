"""How a game ends and what it is worth."""

from __future__ import annotations

import pytest

from companion.games.invictus import GAME
from companion.games.invictus.state import pips
from companion.rules import read_action


def table(to_move="black", options=None, **dice):
    position = {spot: token.replace("_", " ") for spot, token in dice.items()}
    return GAME.arrange(GAME.setup(options=options), position, to_move)


def play(state, *texts):
    for text in texts:
        state = GAME.apply(state, read_action(text))
    return state


def scores(state):
    return tuple(card.score for card in GAME.scorecards(state))


def test_the_last_die_home_ends_the_game_at_once():
    state = play(table(d8="black_4", e5="white_3"), "d8-d9")
    assert GAME.to_move(state) is None
    assert GAME.legal(state) == ()
    assert not GAME.claims(state)
    outcome = GAME.outcome(state)
    assert (outcome.rule, outcome.winners) == ("INV-7.1", ("black",))
    assert scores(state) == (4, 0)
    assert [card.status for card in GAME.scorecards(state)] == ["wins", "loses"]
    assert GAME.judge(state, read_action("e5-e4")).rule == "INV-7.1"


def test_a_last_one_captured_ends_the_game_too():
    state = play(table("white", d5="black_1", e6="white_3"), "e6-d5")
    assert GAME.outcome(state).rule == "INV-7.1"
    assert scores(state) == (0, 1)
    assert GAME.outcome(state).winners == ("white",)


def test_a_captured_die_is_put_back_before_the_game_ends():
    state = play(table(d8="black_4", e9="white_4"), "d8-e9")
    assert GAME.outcome(state) is None
    state = play(state, "*a6")
    assert GAME.outcome(state).rule == "INV-7.1"
    assert scores(state) == (4, 0)


def test_equal_scores_are_a_draw():
    state = play(table(d8="black_4", e4="white_4"), "d8-d9")
    assert GAME.outcome(state).winners == ()
    assert scores(state) == (4, 4)
    assert {card.status for card in GAME.scorecards(state)} == {"draw"}


def test_two_passes_in_a_row_end_the_game():
    # Of two dice that face each other diagonally one can always capture the other, so no position
    # of play blocks both players. The rule is shown on a stored state in which Black has passed.
    walled = table("white", a2="white_1", a1="black_6", b1="black_6", b2="black_6")
    data = GAME.dump(walled) | {"passes": 1}
    state = play(GAME.load(data), "pass")
    assert GAME.outcome(state).rule == "INV-7.2"
    assert GAME.judge(state, read_action("b2-b3")).rule == "INV-7.2"
    assert GAME.outcome(play(walled, "pass")) is None


def test_only_sideways_for_forty_actions_ends_the_game():
    state = table(a1="black_1", i9="white_1")
    for turn in range(39):
        file = "ab"[turn // 2 % 2] + "ba"[turn // 2 % 2]
        step = f"{file[0]}1-{file[1]}1" if turn % 2 == 0 else MIRROR[file]
        state = play(state, step)
    assert GAME.outcome(state) is None
    state = play(state, MIRROR["ba"])
    assert GAME.outcome(state).rule == "INV-7.3"


MIRROR = {"ab": "i9-h9", "ba": "h9-i9"}


def test_a_step_ahead_starts_the_sideways_count_anew():
    state = play(table(options={"no_progress": "3"}, a1="black_1", i9="white_1"), "a1-b1", "i9-h9")
    assert state.quiet == 2
    assert play(state, "b1-b2").quiet == 0
    assert GAME.outcome(play(state, "b1-c1")).rule == "INV-7.3"


def test_the_players_may_agree_to_end():
    state = table(d7="black_4", e5="white_3")
    assert [str(a) for a in GAME.claims(state)] == ["agree"]
    assert GAME.judge(state, read_action("agree")).allowed
    state = play(state, "agree")
    assert GAME.outcome(state).rule == "INV-7.3"
    assert "agreed" in GAME.outcome(state).reason
    assert scores(state) == (4, 0)


@pytest.mark.parametrize(
    ("spot", "counts"), [("d4", 0), ("d5", 0), ("d6", 3), ("d7", 3), ("d8", 3)]
)
def test_dice_score_beyond_the_divide(spot, counts):
    assert scores(table(**{spot: "black_3", "a9": "white_1"})) == (counts, 0)


def test_white_counts_from_the_other_side():
    assert scores(table(d4="white_3", e5="white_2", f6="white_6")) == (0, 3)


def test_the_divide_scores_if_the_players_agreed_on_it():
    state = table(options={"divide_scores": "yes"}, d5="black_3", e5="white_2")
    assert scores(state) == (3, 2)
    assert GAME.highlights(state) == {"scoring": ("d5", "e5")}


def test_nothing_is_marked_while_nothing_scores():
    assert GAME.highlights(table(d5="black_3", e5="white_2")) == {}


def test_the_scorecard_shows_both_trays_and_what_stands_ahead():
    state = play(
        table(d8="black_4", b6="black_2", d4="black_1", e5="white_1", h9="white_6"), "d8-d9"
    )
    state = play(state, "h9-h8", "d4-e5")
    fields = {field.label: field for field in GAME.scorecards(state)[0].fields}
    assert fields["Home"].tokens == ("black 4",)
    assert fields["Prisoners"].tokens == ("white 1",)
    assert fields["In enemy territory"].tokens == ("black 2",)
    assert [fields[name].value for name in ("Home", "Prisoners", "In enemy territory")] == [
        "4", "1", "2",
    ]  # fmt: skip
    assert scores(state) == (7, 0)


def test_a_die_waiting_to_be_put_back_is_on_its_owners_scorecard_and_counts_its_pips():
    state = play(table(d4="black_4", e5="white_4", i9="white_1"), "d4-e5")
    white = GAME.scorecards(state)[1]
    assert white.fields[-1].tokens == ("white 3",)
    assert pips(state, 1) == (4, 0, 1)
    assert len(GAME.scorecards(state)[0].fields) == 3
