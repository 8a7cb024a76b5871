"""A refusal is true and clear to the player who gets it at the table: in words, with what lies
there, and a word that is known is never told to be none."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chess import GAME as CHESS
from companion.games.hoplomachus import GAME as MOUNTAIN
from companion.games.hoplomachus.state import ASSIGN, ENGAGE, ROLL, HoplomachusState
from companion.games.victory_honor import GAME as CARDS
from companion.games.victory_honor.state import RESERVE_STAGE, VictoryHonorState
from companion.rules import Action, Ruling
from tests.checks import card_rounds
from tests.checks.mountain_play import a_card, chosen, dice, fights, play

MEN = {"e1": "white K", "e8": "black K", "a1": "white R", "b7": "white P", "c5": "white P"}


def in_chess(action: str | Action, *before: str, **options: str) -> Ruling:
    setup = CHESS.setup(None, options)
    state: Any = CHESS.arrange(setup, MEN, "white")
    for text in before:
        state = CHESS.apply(state, CHESS.parse(setup, text))
    given = CHESS.parse(setup, action) if isinstance(action, str) else action
    ruling = CHESS.judge(state, given)
    assert not ruling.allowed
    return ruling


@pytest.mark.parametrize(
    ("action", "rule", "reason"),
    [
        ("a1-b3", "CH-3.3", "The white rook on a1 does not reach b3: a rook goes along a rank or a "
                            "file."),
        ("c5-d7", "CH-3.7.1", "The white pawn on c5 does not reach d7: a pawn goes one square "
                              "straight ahead, two from its first square, and takes one square "
                              "diagonally ahead."),
        ("c5-c7", "CH-3.7.2", "The white pawn on c5 has left its first square; only from there "
                              "does a pawn go two."),
        ("a1-a3-b3", "CH-1.2", "The white rook on a1 may not go to a3 and then on: that is more "
                               "than one move."),
        ("a1-a3=Q", "CH-3.7.5", "The white rook that goes from a1 to a3 stays what it is; only a "
                                "pawn that comes to its last rank becomes another man."),
        ("b7-b8=K", "CH-3.7.5", "The pawn becomes a queen, rook, bishop or knight on b8, not “K”."),
    ],
)  # fmt: skip
def test_in_chess_the_man_and_what_is_wrong_with_its_way_are_named(
    action: str, rule: str, reason: str
) -> None:
    ruling = in_chess(action)
    assert (ruling.rule, ruling.reason) == (rule, reason)


def test_in_chess_a_man_put_on_the_board_is_told_so_in_words() -> None:
    ruling = in_chess("*d5=white N")
    assert (ruling.rule, ruling.spots) == ("CH-3.10.1", ("d5",))
    assert ruling.reason == (
        "No man comes to d5 from beside the board: a move goes from square to square."
    )
    nowhere = in_chess(Action("place", None, "k9"))
    assert (nowhere.rule, nowhere.reason) == ("CH-2.1", "There is no square “k9” on the board.")


def test_in_chess_a_word_is_told_of_its_time_and_then_of_its_addition() -> None:
    early = "A draw can be agreed once both sides have moved."
    assert in_chess("agree=white").reason == early
    assert in_chess("agree").reason == early
    late = in_chess("agree=white", "a1-a2", "e8-e7")
    assert (late.rule, late.reason) == ("CH-5.2.3", "“agree” is said alone; nothing follows it.")
    unknown = in_chess(Action("forfeit", detail="C"))
    assert unknown.rule == "CH-1.2"
    assert unknown.reason.startswith("“forfeit” is not said in Chess; its words are “agree” (")


def test_in_chess_a_claim_that_fails_is_told_of_what_was_claimed() -> None:
    assert in_chess("claim=black").reason == (
        "By what the draw is claimed has to be said: by repetition or by fifty moves."
    )
    assert "has stood 1 of the 3 times" in in_chess("claim=repetition").reason
    declared = in_chess("claim=repetition a1-a2")
    assert declared.rule == "CH-9.2.1"
    assert declared.reason.startswith("“a1-a2” is no move after which the position stands for")
    assert "0 of the 50 moves" in in_chess("claim=fifty").reason
    declared = in_chess("claim=fifty a1-a2")
    assert (declared.rule, declared.reason[:27]) == ("CH-9.3.1", "“a1-a2” is no move that com")


PHASE = (
    "south.C=yellow7 north.L=blue6 east.R=blackG1 north.C=yellowG3 south.L=blue3 west.C=yellow2"
    " east.L=blueG2 south.R=blackG3 east.C=back west.L=blue2 north.R=black1 west.R=black6"
)


def in_cards(state: VictoryHonorState, action: str | Action) -> Ruling:
    given = CARDS.parse(state.setup, action) if isinstance(action, str) else action
    ruling = CARDS.judge(state, given)
    assert not ruling.allowed
    return ruling


def pushed(origin: str) -> Action:
    return Action("move", origin, "east.L")


@pytest.mark.parametrize(
    ("origin", "rule", "reason"),
    [
        ("south.C", "VH-3.1", "A card stays where it was laid: South's centre."),
        ("south.L", "VH-1.1", "No card lies here: South's left flank; cards come from the hands."),
        ("south.reserve", "VH-10.1", "South has not shown his reserve yet; it comes from his "
                                     "hand."),
        ("tray", "VH-1.4", "“tray” is no position of a battle board."),
    ],
)  # fmt: skip
def test_in_victory_and_honor_what_is_pushed_is_told_of_what_lies_there(
    origin: str, rule: str, reason: str
) -> None:
    ruling = in_cards(card_rounds.laid("south.C=yellow7"), pushed(origin))
    assert (ruling.rule, ruling.reason) == (rule, reason)


def test_in_victory_and_honor_a_reserve_that_was_shown_stays() -> None:
    state = card_rounds.laid("")
    shown = state._replace(stage=RESERVE_STAGE, reserves=(-1, 3, -1, -1))
    assert in_cards(shown, pushed("west.reserve")).reason == (
        "The reserve that West has shown stays where it lies until all cards are gathered."
    )


def test_in_victory_and_honor_a_word_is_told_of_its_time_and_then_of_its_addition() -> None:
    dealt = card_rounds.laid("dealt")
    early, late = in_cards(dealt, Action("gather", detail="red 2")), in_cards(dealt, "dealt")
    assert early.reason == "The phase goes on until twelve cards lie; so far: 0."
    assert late.reason == "That the cards are dealt is known already."
    alone = in_cards(dealt, Action("redeal", detail="north"))
    assert (alone.rule, alone.reason) == ("VH-4.2", "“redeal” is said alone; nothing follows it.")
    unknown = in_cards(dealt, Action("resign"))
    assert unknown.rule == "VH-3.1"
    assert unknown.reason.startswith("“resign” is not said in Victory & Honor; its words are ")


def test_in_victory_and_honor_passing_is_not_blamed_on_hands_that_are_not_known() -> None:
    named = Action("pass", detail="red 7, red 6, red 5")
    assert in_cards(card_rounds.laid(""), named).rule == "VH-4.1"
    fresh = in_cards(card_rounds.laid("dealt"), named)
    assert fresh.rule == "VH-4.3"
    assert fresh.reason.endswith("that all have passed is said without naming cards.")
    over = in_cards(card_rounds.laid("south.C=yellow7"), named)
    assert (over.rule, over.reason) == (
        "VH-4.4",
        "Cards are passed once a round, right after the deal; in this round that is over.",
    )


def test_in_victory_and_honor_what_is_left_out_is_asked_for() -> None:
    state = card_rounds.laid("south.C=yellow1")
    assert in_cards(state, Action("scout")).reason == (
        "What the scout names has to be told: a flank, the centre or none."
    )
    assert in_cards(state, Action("place", None, "north.L")).reason == (
        "Which card is laid has to be told, or that it is laid face down."
    )


def test_in_victory_and_honor_a_card_that_cannot_follow_is_laid_face_down() -> None:
    state = card_rounds.laid("south.R=red3 east.C=blue2")
    assert in_cards(state, "west.R=black6").reason == (
        "Black 6 does not follow red in the right flank; a card of another colour is laid face "
        "down."
    )


def on_the_mountain(state: HoplomachusState, action: str | Action) -> Ruling:
    given = MOUNTAIN.parse(state.setup, action) if isinstance(action, str) else action
    ruling = MOUNTAIN.judge(state, given)
    assert not ruling.allowed
    return ruling


@pytest.mark.parametrize(
    ("verb", "detail", "reason"),
    [
        ("top", "2.2", "“top” is said with this: a camp and a card; “2.2” is not that."),
        ("go", "", "“move” is said with this: a camp."),
        ("hero", "", "“hero” is said with this: a card."),
        ("top", "2.2 Nobody", "“Nobody” is no card of this deck."),
        ("dance", "", "“dance” is nothing that a player of Victorum does."),
    ],
)
def test_in_hoplomachus_a_known_word_is_told_what_is_said_with_it(
    verb: str, detail: str, reason: str
) -> None:
    ruling = on_the_mountain(chosen(), Action(verb, detail=detail))
    assert (ruling.rule, ruling.reason, ruling.spots) == ("HV-4.1", reason, ())


def test_in_hoplomachus_a_word_is_told_of_its_time_and_then_of_what_follows_it() -> None:
    early = on_the_mountain(chosen(), Action("stop", detail="Wolf"))
    assert early.reason.startswith("A fight is left before engaging; now ")
    fight = fights(chosen())("Bear")
    late = on_the_mountain(fight, Action("stop", detail="Wolf"))
    assert (late.rule, late.reason) == ("HV-6.0", "“stop” is said alone; nothing follows it.")
    turned = on_the_mountain(fight, Action("engage", detail="red yellow"))
    assert (turned.rule, turned.reason) == (
        "HV-6.1",
        "“engage red yellow” is written “engage yellow red”.",
    )


def test_in_hoplomachus_nothing_is_moved_from_place_to_place() -> None:
    ruling = on_the_mountain(chosen(), Action("move", "1.1", "1.2"))
    assert ruling.reason == "“1.1-1.2” is nothing that a player of Victorum does."


@pytest.mark.parametrize(
    ("action", "rule", "when"),
    [
        ("hero {hero}", "HV-3.3", "A hero is chosen at the start"),
        ("remove 1.1", "HV-12.2", "Top cards are removed at the start, in games of a higher rank"),
        ("final", "HV-11.1", "The Final begins after the last primus conflict"),
        ("draw", "HV-11.4", "Allies come from the discard when the Final begins and the influence "
                            "pile falls short"),
        ("done", "HV-4.1", "“done” is said when hits have been assigned, or a text has been "
                           "carried out"),
    ],
)  # fmt: skip
def test_in_hoplomachus_the_step_that_is_missing_and_the_one_that_is_awaited_are_one_sentence(
    action: str, rule: str, when: str
) -> None:
    state = chosen()
    ruling = on_the_mountain(state, action.format(hero=state.hero))
    assert ruling.rule == rule
    assert ruling.reason == (f"{when}; now the chip is put on a camp at the foot of the mountain.")


def test_in_hoplomachus_an_ally_is_asked_about_before_the_time() -> None:
    state = chosen()
    assert on_the_mountain(state, "ally Bear").reason == (
        "Bear does not lie in the discard, which has no enemy."
    )
    held = state._replace(discard=("Wolf",))
    assert on_the_mountain(held, "ally Bear").reason == (
        "Bear is no enemy of the discard, which has these: Wolf."
    )
    early = on_the_mountain(held, "ally Wolf")
    assert (early.rule, early.reason[:16]) == ("HV-11.4", "Allies come from")


@pytest.mark.parametrize("stage", [ENGAGE, ROLL, ASSIGN])
@pytest.mark.parametrize("action", ["move 1.2", "scout", "activate", "fight"])
def test_in_hoplomachus_a_conflict_that_lasts_is_what_keeps_the_chip(
    stage: str, action: str
) -> None:
    boss = a_card("hero")
    state = fights(chosen())(boss, boss=boss, stage=stage)
    ruling = on_the_mountain(state, action)
    assert ruling.rule == "HV-9.2"
    assert ruling.reason.startswith(f"The conflict with {boss} lasts until all its enemies have")
    fallen = state._replace(enemies=tuple(e._replace(beaten=True) for e in state.enemies))
    assert on_the_mountain(fallen, action).rule == "HV-4.1"


def test_in_hoplomachus_only_what_lies_in_the_camp_is_awaited() -> None:
    primus = a_card("hero")
    there = play(chosen(), "move 1.1")._replace(primuses=("",) * 9)
    both = there._replace(primuses=(primus, *("",) * 8))
    alone = both._replace(piles=((), *both.piles[1:]))
    awaited = {
        str(on_the_mountain(state, "engage").reason).partition("; now ")[2]
        for state in (there, both, alone)
    }
    assert awaited == {
        "the camp's top card is scouted or activated.",
        "the camp's top card is scouted or activated, or its primus is fought.",
        "the primus of the camp is fought.",
    }


def test_in_hoplomachus_where_every_hit_is_assigned_that_is_awaited() -> None:
    setup = MOUNTAIN.setup(None, {"must_assign": "yes"})
    state = chosen()._replace(options=tuple(setup.options.items()))
    rolled = play(fights(state)("Bear"), "engage red", "roll red=hit")
    assert on_the_mountain(rolled, "stop").reason.endswith(
        "; now every hit is assigned to an enemy."
    )
    assert MOUNTAIN.situation(rolled)[0] == "Every hit is assigned to an enemy."


def test_in_hoplomachus_dice_that_are_not_there_are_told_in_english() -> None:
    bare = fights(chosen())("Bear", reserve=dice(green=1), active=dice(blue=1))
    refused = {
        text: on_the_mountain(bare, text).reason for text in ("recover red", "dismiss red reserve")
    }
    assert refused == {
        "recover red": "Only exhausted dice recover, and none is exhausted.",
        "dismiss red reserve": "No red die lies in the reserve.",
    }
    empty = bare._replace(reserve=dice())
    assert on_the_mountain(empty, "engage red").reason == (
        "Only dice of the reserve are engaged, and it is empty."
    )


def test_in_hoplomachus_a_stat_at_its_end_is_told_so() -> None:
    state = play(chosen(), "move 1.1")._replace(health=6, strategy=1)
    assert on_the_mountain(state, "health +1").reason == "Health is 6, the most that it can be."
    lowest = on_the_mountain(state, "strategy -1")
    assert (lowest.rule, lowest.reason) == ("HV-1.5", "Strategy is 1, the least that it can be.")


def test_in_hoplomachus_a_universal_hero_is_called_one() -> None:
    assert on_the_mountain(chosen(), "universal Bear").reason == "Bear is no universal hero."


def test_in_hoplomachus_a_die_that_is_assigned_is_told_with_what_it_shows() -> None:
    state = play(fights(chosen())("Bear"), "engage red", "roll red=hit", "assign red=hit>Bear")
    assert on_the_mountain(state, "assign red=hit>Bear").reason == (
        "The red die that shows a hit is assigned to Bear and stays there."
    )
