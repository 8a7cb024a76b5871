"""Hoplomachus: Victorum to its end: primuses, the Final, what only a card says."""

from __future__ import annotations

import random

import pytest

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.geometry import NUMBERED
from companion.games.hoplomachus.pieces import NONE, NUMBER
from companion.games.hoplomachus.scorecards import all_dice
from companion.games.hoplomachus.state import Enemy, HoplomachusState, card_of
from companion.rules import Action
from tests.checks.mountain_play import a_card, dice, play, refused, texts

# -- primuses and the Final ------------------------------------------------------------------------


def boss(ready: HoplomachusState, **changes: object) -> HoplomachusState:
    """Return the fight with the primus of camp 2.1 alone."""
    piles = list(ready.piles)
    for camp in range(9):
        piles[camp] = (a_card("opportunity"),)
    state = ready._replace(chip=0, piles=tuple(piles), items=(), strategy=1)
    state = play(state._replace(**changes), "move 2.1", "fight")
    while state.awaited[0] == s.ADD:
        state = play(state, texts(state)[0])
    return state


def test_dice_on_an_undefeated_primus_stay_and_it_strikes_every_turn(ready):
    state = boss(ready, health=6)
    primus = state.boss
    damage = card_of(primus).damage
    state = play(state, "engage red", "roll red=hit", f"assign red=hit>{primus}", "done")
    assert state.enemies[0].hits == 1
    assert state.health == 6 - damage
    assert state.awaited[0] == s.ENGAGE
    refused(state, "move 1.1", "HV-9.2")
    refused(state, "scout", "HV-9.2")
    again = play(state._replace(health=6), "stop")
    assert again.health == 6 - damage
    assert again.enemies[0].assigned == ((4, 1),)


def test_the_plague_comes_once_when_the_last_enemy_has_fallen(ready):
    state = boss(ready)
    primus = state.boss
    state = play(state, f"strike {primus}", "stop")
    assert state.awaited == (s.PLAGUE, primus)
    assert any("Plague" in told for told in GAME.situation(state))
    after = play(state, "done")
    assert after.boss == ""
    assert primus in after.discard
    assert after.awaited[0] == s.CAMP


def test_the_final_begins_when_the_last_primus_is_gone(ready):
    state = boss(ready)
    state = state._replace(primuses=("",) * 9, influence=("Wolf",))
    state = play(state, f"strike {state.boss}", "stop", "done")
    assert texts(state) == ["final"]
    refused(state, "move 1.1", "HV-11.1")
    final = play(state, "final")
    assert final.enemies[0].card == final.lieutenant
    assert final.chip == 9
    assert "4.1" not in GAME.expect(final)
    if card_of(final.lieutenant).allies:
        assert final.enemies[1].card == "Wolf"
    while final.standing:
        final = play(final, f"strike {final.standing[0].card}")
    outcome = GAME.outcome(final)
    assert (outcome.winners, outcome.rule) == (("player",), "HV-11.6")


def test_allies_are_called_from_the_discard_when_influence_is_short(ready):
    state = ready._replace(
        lieutenant="Quaestor", stage=s.FINAL, primuses=("",) * 9, piles=((),) * 9,
        influence=("Wolf",), discard=("Trap", "Boar", "Bear", "Lion", "Tiger"),
    )  # fmt: skip
    final = play(state, "final", "ally Tiger", "ally Boar", "ally Lion")
    assert [enemy.card for enemy in final.enemies] == ["Quaestor", "Wolf", "Tiger", "Boar", "Lion"]
    assert final.discard == ("Trap", "Bear")


def test_cards_of_the_final_give_no_influence(ready):
    marked = a_card("carnage", influence=1)
    state = ready._replace(
        stage=s.ENGAGE, chip=9, boss="Legate", piles=((),) * 9, items=(),
        enemies=(Enemy("Legate"), Enemy(marked, -1, (), beaten=True)), health=6,
    )  # fmt: skip
    assert play(state, "stop").influence == ()


# -- what only a card says -------------------------------------------------------------------------


def test_texts_of_cards_are_carried_out_by_hand(fight):
    enemy = a_card("carnage", hits=5)
    state = fight(enemy, health=3)
    assert play(state, "health +1").health == 4
    assert play(state, "recovery -1").recovery == state.recovery - 1
    assert play(state, "shift red reserve>banished").banished == dice(red=1)
    assert play(state, f"strike {enemy}").enemies[0].beaten
    assert len(play(state, "toss 1.2").piles[1]) == 5
    assert "card" in GAME.judge(state, Action("health", detail="+1")).reason


def test_a_die_is_reinforced_or_weakened_within_its_zone(fight):
    state = fight(a_card("carnage"), reserve=dice(green=1))
    stronger = play(state, "reinforce green reserve")
    assert stronger.reserve == dice(blue=1)
    assert play(state, "weaken green reserve").reserve == dice(yellow=1)
    bare = state._replace(training=dice(red=1), banished=(4, 3, 4, 4, 0))
    assert "no die weaker than the green die; it holds red: 1" in refused(
        bare, "weaken green reserve", "HV-8.3"
    )
    refused(bare, "weaken blue reserve", "HV-8.3")
    refused(bare, "weaken green training", "HV-8.3")
    none = bare._replace(training=NONE, banished=(4, 3, 4, 4, 1))
    assert "holds no die." in refused(none, "reinforce green reserve", "HV-8.3")


def test_a_rerolled_die_shows_what_it_fell_to(fight):
    state = play(fight(a_card("carnage", hits=5)), "engage blue", "roll blue=blank")
    assert play(state, "reroll blue=blank>crit").shown[2] == (0, 0, 1)


def test_dice_that_leave_or_join_a_roll_change_what_it_shows(fight):
    state = play(fight(a_card("carnage", hits=5)), "engage blue", "roll blue=hit")
    assert play(state, "shift blue active>exhausted").shown[2] == (0, 0, 0)
    assert play(state, "shift red reserve>active").shown[4] == (1, 0, 0)


def test_a_camp_emptied_by_a_text_is_left(ready):
    state = play(ready._replace(piles=(("Wolf",), *ready.piles[1:])), "move 1.1")
    assert play(state, "toss 1.1").awaited[0] == s.CAMP
    assert play(play(ready, "move 1.1"), "toss 1.1").awaited[0] == s.ACT


# -- a game that goes well -------------------------------------------------------------------------


def lucky(state: HoplomachusState, rng: random.Random) -> Action:
    """Draw an action of a player whose dice fall well."""
    legal = GAME.legal(state)
    by_verb: dict[str, list[Action]] = {}
    for action in legal:
        by_verb.setdefault(action.verb, []).append(action)
    if rolls := by_verb.get("roll"):
        return max(rolls, key=lambda a: 2 * a.detail.count("crit") + a.detail.count("hit"))
    for verb in ("engage", "recover"):
        if verb in by_verb and "heal" not in by_verb:
            return max(by_verb[verb], key=lambda a: len(a.detail.split()))
    for verb, wanted in (("assign", True), ("fight", state.health > 3), ("heal", state.health < 6),
                         ("scout", state.health < 4)):  # fmt: skip
        if verb in by_verb and wanted:
            return by_verb[verb][0]
    return rng.choice(legal)


@pytest.mark.no_cover  # other tests prove line by line
def test_games_go_on_to_a_win_or_a_loss_with_seventeen_dice_always():
    ends = set()
    for seed in range(16):
        rng = random.Random(seed)
        state = GAME.start(GAME.setup(None, {"deal": str(seed), "rank": str(1 + seed % 5)}))
        for _ in range(2000):
            if state.ending:
                break
            state = GAME.advance(state, lucky(state, rng))
            if seed % 2 and not state.ending:
                state = state._replace(health=6)  # a hero who never tires
            assert all_dice(state) == NUMBER
            assert GAME.check(state) == ()
            GAME.situation(state)
        ends.add(state.ending)
    assert ends >= {s.WON, s.DIED}


def test_every_normal_turn_takes_a_card_off_or_fights_a_primus(ready):
    rng, state = random.Random(3), ready
    began = left = sum(map(len, state.piles))
    while not state.ending:
        turn = state.turn
        while state.turn == turn and not state.ending:
            state = GAME.advance(state, rng.choice(GAME.legal(state)))
        now = sum(map(len, state.piles))
        assert now < left or state.boss or state.ending
        left = now
    assert left < began


def test_the_camps_that_take_primuses_are_all_different():
    assert len(set(NUMBERED)) == 7
