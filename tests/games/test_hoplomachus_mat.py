"""What the dice on the mat tell: thrown, carried, put away."""

from __future__ import annotations

import pytest

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import SPORT
from companion.games.hoplomachus.sight import MAT, place_of
from companion.games.hoplomachus.state import Enemy
from companion.rules import MatReading, called
from tests.checks.mountain_play import GAME, SETUP, a_card, chosen, dice, fights, play

WEAK = a_card(SPORT, hits=2, timing="permanent")
STRONG = a_card(SPORT, hits=3)
INSTANT = a_card(SPORT, timing="instant", hits=1)


@pytest.fixture
def fight():
    return fights(chosen())


def put(state, lying=None, **zones):
    """Return how the dice lie: as ``state`` has it, but for ``zones``."""
    usual = {zone: list(dice) for zone, dice in (lying or GAME.dice(state)).items()}
    usual |= {zone.replace("enemy", "enemy."): text.split(", ") if text else [] for zone, text in
              zones.items()}  # fmt: skip
    return {
        zone: tuple(die if " " in die else f"{die} hit" for die in dice)
        for zone, dice in usual.items()
    }


def told(state, lying, rest=None):
    """Return what the dice tell, in notation: the steps, and the answers to a question."""
    found = GAME.read_dice(state, lying, rest or {})
    steps = [GAME.format(action) for action in found.steps]
    asks = [[GAME.format(action) for action in way] for way in found.asks]
    return steps, asks


def allowed(state, *texts):
    """Tell whether the rules allow the steps, one after another."""
    *before, last = texts
    return GAME.judge(play(state, *before), GAME.parse(SETUP, last)).allowed


# -- the mat -------------------------------------------------------------------------------------


def test_the_mat_holds_all_seventeen_dice_and_shows_every_face_once():
    assert MAT.count == 17
    assert len(MAT.faces) == 14
    bare, first, second = MAT.shows
    assert (bare, len(first), second) == ((), 13, ("red crit",))
    assert GAME.mat(SETUP) is MAT


def test_dice_lie_in_their_zones_at_the_start():
    lying = GAME.dice(GAME.start(SETUP))
    assert lying["reserve"] == ("yellow",) * 2 + ("green",) * 2 + ("blue",) * 2 + (
        "purple", "purple", "red")  # fmt: skip
    assert len(lying["training"]) == 8
    assert GAME.read_dice(GAME.start(SETUP), put(GAME.start(SETUP)), {}) == MatReading()


def test_dice_that_lie_elsewhere_are_named_zone_by_zone():
    state = GAME.start(SETUP)
    lying = put(state, reserve="yellow hit, green hit, green hit, blue hit, blue hit")
    found = GAME.read_dice(state, lying, {})
    assert found.zones == ("reserve",)
    assert found.words == "Reserve: put there yellow: 1, purple: 2, red: 1."
    nothing = GAME.read_dice(state, {}, {})
    assert nothing.zones == ("reserve", "training")
    assert "Training: put there" in nothing.words


def test_a_die_too_many_is_told():
    state = GAME.start(SETUP)
    found = GAME.read_dice(state, put(state, banished="red crit"), {})
    assert (found.zones, found.words) == (
        ("banished",), "More dice lie on the mat than the game has.")  # fmt: skip


def test_dice_of_many_enemies_share_the_last_place():
    assert [place_of(number) for number in (0, 5, 9)] == ["enemy.1", "enemy.6", "enemy.6"]


# -- rolling -------------------------------------------------------------------------------------


@pytest.fixture
def rolling(fight):
    return play(fight(WEAK), "engage yellow blue")


def test_dice_thrown_into_the_active_zone_are_the_roll(rolling):
    lying = put(rolling, active="blue crit, yellow blank")
    assert told(rolling, lying) == (["roll yellow=blank blue=crit"], [])


def test_dice_still_to_be_thrown_are_named(rolling):
    found = GAME.read_dice(rolling, put(rolling, active="blue crit"), {})
    assert found == MatReading(words="Still to be rolled: yellow: 1.")


def test_a_throw_with_wrong_dice_is_refused_and_says_which(rolling):
    lying = put(rolling, active="blue crit, green hit")
    steps, _ = told(rolling, lying)
    assert steps == ["roll green=hit blue=crit"]
    assert not allowed(rolling, *steps)
    found = GAME.read_dice(rolling, lying, {})
    assert found.words == "These are no active dice: green: 1. Missing: yellow: 1."
    assert found.zones == ("active",)
    one_more = put(rolling, active="blue crit, yellow hit, green hit")
    assert GAME.read_dice(rolling, one_more, {}).words == "These are no active dice: green: 1."


def test_dice_that_lay_there_before_are_no_throw(rolling):
    lying = put(rolling, active="blue crit, yellow hit, green hit")
    found = GAME.read_dice(rolling, lying, {"active": ("green hit",)})
    assert (found.steps, found.zones) == ((), ("active",))


def test_dice_that_were_not_thrown_again_are_asked_about(rolling):
    lying = put(rolling, active="blue crit, yellow hit")
    found = told(rolling, lying, {"active": ("blue crit",)})
    assert found == ([], [["roll yellow=hit blue=crit"]])
    words = GAME.read_dice(rolling, lying, {"active": ("blue crit",)}).words
    assert words == "Roll these too, or say that they were rolled: blue: 1."


# -- engaging ------------------------------------------------------------------------------------


def joined(state, active, lacking):
    """Return how the dice lie after ``lacking`` went from the reserve to the active zone."""
    reserve = [*GAME.dice(state)["reserve"]]
    for colour in lacking.split():
        reserve.remove(colour)
    return put(state, reserve=", ".join(reserve), active=active)


def test_dice_that_join_were_thrown_at_once_or_only_laid_there(fight):
    state = fight(WEAK)
    lying = joined(state, "yellow hit, blue crit", "yellow blue")
    assert told(state, lying) == (
        [],
        [["engage yellow blue", "roll yellow=hit blue=crit"], ["engage yellow blue"]],
    )


def test_dice_from_elsewhere_do_not_join(fight):
    state = fight(WEAK, reserve=dice(blue=2), exhausted=dice(yellow=1))
    lying = put(state, active="yellow hit", exhausted="")
    steps, _ = told(state, lying)
    assert steps == ["engage yellow"]
    assert not allowed(state, *steps)
    beside = put(state, active="blue hit", exhausted="", banished="yellow hit")
    assert told(state, beside) == ([], [])


def test_what_lies_there_from_the_fight_before_does_not_join(fight):
    state = fight(WEAK)
    lying = joined(state, "yellow hit", "yellow")
    found = GAME.read_dice(state, lying, {"active": ("yellow hit",)})
    assert (found.steps, found.asks) == ((), ())
    assert found.words == "Reserve: put there yellow: 1."


@pytest.fixture
def second(fight):
    """A second phase: a blue die is active, and showed a blank."""
    return play(fight(WEAK), "engage blue", "roll blue=blank", "done")


def test_in_a_later_phase_active_dice_are_thrown_again(second):
    assert told(second, put(second, active="blue crit")) == ([], [["engage", "roll blue=crit"]])
    lying = put(second, active="blue blank")
    assert told(second, lying, {"active": ("blue blank",)}) == ([], [])


def test_new_dice_beside_one_that_was_not_thrown_again_have_only_joined(second):
    lying = joined(second, "blue blank, red hit", "red")
    assert told(second, lying, {"active": ("blue blank",)}) == ([], [["engage red"]])


def test_an_active_die_that_is_gone_is_told(second):
    found = GAME.read_dice(second, put(second, active=""), {})
    assert found.words == "Active dice: put there blue: 1."


# -- assigning -----------------------------------------------------------------------------------


@pytest.fixture
def showing(fight):
    state = fight(WEAK, STRONG)
    return play(state, "engage yellow blue red", "roll yellow=blank blue=crit red=hit")


def test_dice_carried_to_enemies_are_assigned(showing):
    lying = put(showing, active="yellow blank", enemy1="red hit", enemy2="blue crit")
    assert told(showing, lying) == (
        [f"assign red=hit>{WEAK}", f"assign blue=crit>{STRONG}"], [])  # fmt: skip


def test_the_weakest_hits_go_first_so_that_all_count(showing):
    lying = put(showing, active="yellow blank", enemy1="blue crit, red hit")
    steps, _ = told(showing, lying)
    assert steps == [f"assign red=hit>{WEAK}", f"assign blue=crit>{WEAK}"]
    assert allowed(showing, *steps)


def test_a_blank_on_an_enemy_is_refused(showing):
    steps, _ = told(showing, put(showing, active="blue crit, red hit", enemy1="yellow blank"))
    assert steps == [f"assign yellow=blank>{WEAK}"]
    assert not allowed(showing, *steps)


def test_a_die_keeps_what_it_shows_on_its_way(showing):
    lying = put(showing, active="yellow blank, red hit", enemy1="blue hit")
    assert told(showing, lying) == ([f"assign blue=crit>{WEAK}"], [])
    two = put(showing, active="yellow blank", enemy1="blue hit", enemy2="red hit")
    found = GAME.read_dice(showing, two, {})
    assert found.zones == ("enemy.1", "enemy.2")
    assert "turn it back" in found.words


def test_a_die_from_elsewhere_is_not_assigned(showing):
    lying = put(showing, active="yellow blank, blue crit, red hit", enemy1="green hit")
    assert told(showing, lying) == ([], [])


def test_after_a_reward_that_is_taken_at_once_the_rest_waits(fight):
    state = play(fight(INSTANT, WEAK), "engage red blue", "roll blue=crit red=hit")
    lying = put(state, active="", enemy1="red hit", enemy2="blue crit")
    assert told(state, lying) == ([f"assign red=hit>{INSTANT}"], [])


def test_a_die_that_shows_something_else_was_perhaps_rolled_again(showing):
    lying = put(showing, active="yellow hit, blue crit, red hit")
    assert told(showing, lying) == ([], [["reroll yellow=blank>hit"]])
    two = put(showing, active="yellow hit, blue hit, red hit")
    assert told(showing, two) == ([], [])
    assert told(showing, put(showing)) == ([], [])


def test_an_assigned_die_that_is_turned_is_still_assigned(showing):
    state = play(showing, f"assign blue=crit>{STRONG}")
    lying = put(state, enemy2="blue hit, red hit", active="yellow blank")
    assert told(state, lying) == ([f"assign red=hit>{STRONG}"], [])


def test_the_last_place_belongs_to_the_first_of_its_enemies_that_stands(fight):
    names = [*GAME.start(SETUP).piles[0][:6], WEAK]
    state = fight(*names, reserve=dice(red=1), stage=s.ASSIGN, active=dice(red=1))
    state = state._replace(
        reserve=dice(), shown=((0, 0, 0),) * 4 + ((0, 1, 0),),
        enemies=(*state.enemies[:5], Enemy(names[5], 0, (), True), state.enemies[6]),
    )  # fmt: skip
    assert told(state, put(state, active="", enemy6="red hit")) == ([f"assign red=hit>{WEAK}"], [])
    fallen = state._replace(enemies=(*state.enemies[:6], state.enemies[6]._replace(beaten=True)))
    steps, _ = told(fallen, put(fallen, active="", enemy6="red hit"))
    assert steps == [f"assign red=hit>{names[5]}"]
    assert not allowed(fallen, *steps)


# -- resolution ----------------------------------------------------------------------------------


@pytest.fixture
def tired(fight):
    return fight(WEAK, reserve=dice(red=1), exhausted=dice(yellow=2, blue=1), recovery=2,
                 owed=((s.RECOVER, ""),))  # fmt: skip


def test_dice_put_back_into_the_reserve_recover(tired):
    lying = put(tired, reserve="red hit, yellow hit, blue hit", exhausted="yellow hit")
    assert told(tired, lying) == (["recover yellow blue"], [])


def test_fewer_dice_than_may_recover_are_asked_about(tired):
    lying = put(tired, reserve="red hit, blue hit", exhausted="yellow hit, yellow hit")
    assert told(tired, lying) == ([], [["recover blue"]])


def test_too_many_dice_do_not_recover(tired):
    lying = put(tired, reserve="red hit, yellow hit, yellow hit, blue hit", exhausted="")
    steps, _ = told(tired, lying)
    assert steps == ["recover yellow yellow blue"]
    assert not allowed(tired, *steps)


def test_while_dice_are_put_away_nothing_recovers(tired):
    lying = put(tired, reserve="red hit, yellow hit", exhausted="yellow hit", active="blue hit")
    assert told(tired, lying) == ([], [])
    assert told(tired, put(tired)) == ([], [])


def test_after_scouting_one_die_recovers(tired):
    state = tired._replace(owed=((s.SCOUTED, ""),))
    lying = put(state, reserve="red hit, blue hit", exhausted="yellow hit, yellow hit")
    assert told(state, lying) == (["recover blue"], [])
    assert told(state, put(state)) == ([], [])


def test_a_die_put_into_the_training_ground_is_dismissed(tired):
    state = tired._replace(owed=((s.DISMISS, ""),))
    training = ", ".join([*GAME.dice(state)["training"], "blue"])
    lying = put(state, exhausted="yellow hit, yellow hit", training=training)
    assert told(state, lying) == (["dismiss blue exhausted"], [])
    assert told(state, put(state)) == ([], [])


def test_a_die_taken_from_the_training_ground_is_recruited(tired):
    state = tired._replace(owed=((s.REWARD, INSTANT),), enemies=(Enemy(INSTANT),))
    training = [*GAME.dice(state)["training"]]
    training.remove("yellow")
    lying = put(state, reserve="red hit, yellow hit", training=", ".join(training))
    assert told(state, lying) == (["recruit yellow"], [])
    assert allowed(state, "recruit yellow")


# -- names and pictures ------------------------------------------------------------------------


def test_dice_and_zones_have_names_and_dice_a_picture():
    assert GAME.spoken("yellow hit") == "yellow die: hit"
    assert called("enemy.3") == "enemy 3"
    assert called("training") == "training ground"
    assert GAME.spoken(WEAK) == WEAK
    blank, hit, crit = (GAME.draw(SETUP, f"blue {face}") for face in ("blank", "hit", "crit"))
    assert (len(blank), len(hit), len(crit)) == (1, 2, 2)
    assert hit != crit
    assert GAME.draw(SETUP, "yellow hit")[1].fill != hit[1].fill


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("roll yellow=hit blue=crit", "rolled: yellow die: hit, blue die: crit"),
        ("engage yellow blue", "these join: yellow: 1, blue: 1"),
        ("engage", "no more dice join"),
        ("recover blue blue", "these recover: blue: 2"),
        ("recover blue", "recover the blue die"),
    ],
)
def test_what_dice_tell_is_said_in_words(text, said):
    assert GAME.said(GAME.parse(SETUP, text)) == said
