"""Hoplomachus: Victorum as it is played: the mountain, dice, enemies, items."""

from __future__ import annotations

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.geometry import ADJACENT, CAMPS, NAMES
from companion.games.hoplomachus.pieces import NONE, NUMBER
from companion.games.hoplomachus.scorecards import all_dice
from companion.games.hoplomachus.state import Enemy, card_of
from companion.rules import Action
from tests.checks.mountain_play import SETUP, a_card, dice, play, refused, texts

# -- setting up --------------------------------------------------------------------------------


def test_nine_dice_begin_in_the_reserve_and_eight_in_training(ready):
    assert ready.reserve == (2, 2, 2, 2, 1)
    assert ready.training == (2, 2, 2, 2, 0)
    assert all_dice(ready) == NUMBER


def test_nine_piles_of_six_hold_all_conflict_cards():
    piles = GAME.start(SETUP).piles
    assert [len(pile) for pile in piles] == [6] * 9
    assert len({card for pile in piles for card in pile}) == 54


def test_a_number_is_a_shuffle():
    again, other = GAME.start(SETUP), GAME.start(GAME.setup(None, {"deal": "2"}))
    assert again.piles == GAME.start(SETUP).piles
    assert again.piles != other.piles


def test_the_hero_sets_the_stats_and_the_others_are_primuses_under_the_row_of_three(ready):
    hero = card_of(ready.hero)
    assert (ready.health, ready.strategy, ready.recovery) == (
        hero.health, hero.strategy, hero.recovery,
    )  # fmt: skip
    lying = [CAMPS[camp] for camp, name in enumerate(ready.primuses) if name]
    assert lying == ["2.1", "2.2", "2.3"]
    assert set(ready.primuses) - {""} == set(ready.offered) - {ready.hero}


def test_a_chosen_lieutenant_waits_at_the_top():
    state = GAME.start(GAME.setup(None, {"lieutenant": "Censor"}))
    assert GAME.expect(state)["4.1"] == "Censor"


def test_rank_three_reveals_six_heroes_and_removes_three_cards_from_three_piles():
    setup = GAME.setup(None, {"rank": "3"})
    state = GAME.start(setup)
    assert len(state.offered) == 6
    state = play(state, f"hero {state.offered[2]}", "tactic Levy")
    assert sum(map(bool, state.primuses)) == 5
    while state.awaited[0] in (s.REMOVE, s.DISMISS):
        state = play(state, texts(state)[0])
    assert sorted(len(pile) for pile in state.piles) == [5, 5, 5, 6, 6, 6, 6, 6, 6]
    assert all_dice(state) == NUMBER


def test_a_removed_card_without_influence_costs_a_die():
    setup = GAME.setup(None, {"rank": "2"})
    state = GAME.start(setup)
    state = play(state, f"hero {state.offered[0]}", "tactic Levy")
    plain = next(c for c, pile in enumerate(state.piles) if not card_of(pile[-1]).influence)
    paid = play(state, f"remove {CAMPS[plain]}")
    assert paid.awaited == (s.DISMISS, "")
    assert play(paid, "dismiss red reserve").training == (2, 2, 2, 2, 1)
    marked = next(c for c, pile in enumerate(state.piles) if card_of(pile[-1]).influence)
    assert play(state, f"remove {CAMPS[marked]}").influence == (state.piles[marked][-1],)
    assert "at most" in refused(play(state, f"remove {CAMPS[marked]}"),
                                f"remove {CAMPS[marked]}", "HV-12.2")  # fmt: skip


# -- the mountain ------------------------------------------------------------------------------


def test_camp_2_2_touches_six_others():
    near = {NAMES[camp] for camp in ADJACENT[CAMPS.index("2.2")]}
    assert near == {"1.2", "1.3", "2.1", "2.3", "3.1", "3.2"}


def test_the_first_camp_is_at_the_foot(ready):
    assert texts(ready)[:4] == ["move 1.1", "move 1.2", "move 1.3", "move 1.4"]
    refused(ready, "move 2.1", "HV-5.1")


def test_the_chip_goes_to_a_neighbour_that_is_not_empty(ready):
    here = ready._replace(chip=CAMPS.index("1.1"))
    assert texts(here)[:2] == ["move 1.2", "move 2.1"]
    assert "camp 1 of row 2" in refused(here, "move 1.4", "HV-5.1")
    refused(here, "move 1.1", "HV-5.2")
    refused(here, "move 4.1", "HV-5.2")
    bare = here._replace(piles=((), (), *here.piles[2:]))
    refused(bare, "move 1.2", "HV-5.2")


def test_a_camp_with_a_primus_alone_is_not_empty(ready):
    piles = list(ready.piles)
    piles[CAMPS.index("2.1")] = ()
    here = ready._replace(chip=CAMPS.index("1.1"), piles=tuple(piles))
    assert "move 2.1" in texts(here)
    there = play(here, "move 2.1")
    assert texts(there) == ["fight"]
    refused(there, "scout", "HV-5.4")


def test_from_a_desert_the_chip_goes_to_the_nearest_camp(ready):
    piles = [()] * 9
    piles[CAMPS.index("1.4")] = ready.piles[3]
    here = ready._replace(chip=CAMPS.index("1.1"), piles=tuple(piles), primuses=("",) * 9)
    assert texts(here) == ["move 1.4", "use Rally"]
    alone = ready._replace(
        chip=CAMPS.index("2.1"), piles=((),) * 9,
        primuses=("", "", "", "", "Livia", "", "", "", ""),
    )  # fmt: skip
    assert "move 2.1" in texts(alone)
    none = alone._replace(primuses=("",) * 9, items=())
    assert texts(none) == []


def test_scouting_discards_the_top_card_and_heals(ready):
    there = play(ready, "move 1.1")
    top = there.piles[0][-1]
    scouted = play(there, "scout")
    assert scouted.discard == (top,)
    healed = play(scouted, "heal")
    assert healed.health == min(6, ready.health + 1)
    assert healed.turn == ready.turn + 1
    assert healed.awaited[0] == s.CAMP


def test_scouting_may_bring_one_die_back_instead(ready):
    there = play(ready._replace(reserve=(1, 2, 2, 2, 1), exhausted=(1, 0, 0, 0, 0)),
                 "move 1.1", "scout")  # fmt: skip
    assert play(there, "recover yellow").reserve == (2, 2, 2, 2, 1)
    refused(there, "recover blue", "HV-5.4")


def test_an_opportunity_is_kept_or_dropped_without_a_fight(ready):
    trap = a_card("opportunity", influence=0)
    piles = ((*ready.piles[0][:-1], trap), *ready.piles[1:])
    there = play(ready._replace(piles=piles), "move 1.1", "activate")
    assert play(there, "keep").items == ("Rally", trap)
    assert play(there, "drop").discard == (trap,)
    full = there._replace(strategy=1)
    assert texts(full) == ["drop"]
    refused(full, "keep", "HV-8.5")


def test_icons_call_enemies_from_the_camps_beside(ready):
    caller = a_card("sport", plus=1)
    quiet = a_card("carnage", plus=0)
    piles = list(ready.piles)
    piles[0] = (caller,)
    piles[1] = (quiet,)
    piles[4] = (a_card("opportunity"),)
    there = play(ready._replace(piles=tuple(piles)), "move 1.1", "activate")
    assert texts(there) == ["add 1.2"]
    refused(there, "add 2.1", "HV-5.7")
    faced = play(there, "add 1.2")
    assert [enemy.card for enemy in faced.enemies] == [caller, quiet]
    assert faced.awaited[0] == s.ENGAGE


def test_icons_that_nobody_can_supply_are_left_out(ready):
    caller = a_card("sport", plus=1)
    there = ready._replace(piles=((caller,), *((),) * 8))
    assert play(there, "move 1.1", "activate").awaited[0] == s.ENGAGE


# -- strategy phases and resolution ----------------------------------------------------------------


def test_two_yellow_dice_defeat_an_enemy_of_three(fight):
    enemy = a_card("sport", hits=3, timing="single_use")
    state = fight(enemy, reserve=dice(yellow=2), strategy=2, recovery=2)
    state = play(state, "engage yellow yellow", "roll yellow=hit yellow=crit",
                 f"assign yellow=hit>{enemy}", f"assign yellow=crit>{enemy}", "done")  # fmt: skip
    assert state.enemies[0].beaten
    assert state.health == fight(enemy).health
    assert state.exhausted == dice(yellow=2)
    assert play(state, "recover yellow yellow").reserve == dice(yellow=2)


def test_whoever_still_stands_does_damage_and_all_dice_are_exhausted(fight):
    one, two = a_card("carnage", damage=2), a_card("sport", damage=1)
    state = fight(one, two, reserve=dice(blue=2), strategy=1, health=5)
    state = play(state, "engage blue blue", "roll blue=blank blue=blank", "done")
    assert state.health == 2
    assert state.exhausted == dice(blue=2)


def test_carnage_that_did_damage_costs_a_die(fight):
    state = play(fight(a_card("carnage", damage=1), health=5), "stop")
    assert state.awaited[0] == s.DISMISS
    assert play(state, "dismiss green reserve").training == dice(
        yellow=2, green=3, blue=2, purple=2
    )


def test_a_defeated_carnage_costs_nothing(fight):
    enemy = a_card("carnage", hits=2)
    state = fight(enemy, strategy=1)
    state = play(state, "engage red", "roll red=crit", f"assign red=crit>{enemy}", "take", "done")
    assert state.awaited[0] == s.RECOVER
    assert play(state, "recover").awaited[0] == s.CAMP


def test_where_no_die_can_be_dismissed_the_penalty_is_left_out(fight):
    state = fight(a_card("carnage", damage=1), health=5, reserve=NONE)
    assert play(state, "stop").awaited[0] == s.CAMP


def test_a_second_phase_rolls_the_active_dice_again(fight):
    enemy = a_card("carnage", hits=5)
    state = fight(enemy, strategy=2)
    state = play(state, "engage blue", "roll blue=hit", "done", "engage red")
    refused(state, "roll red=hit", "HV-6.2")
    assert state.phases == 2
    assert play(state, "roll blue=blank red=hit").shown[2] == (1, 0, 0)


def test_there_are_no_more_phases_than_strategy(fight):
    state = play(fight(a_card("sport", hits=4), strategy=1), "engage")
    assert state.awaited[0] == s.CAMP


def test_assigned_dice_stay_and_blanks_hit_nobody(fight):
    enemy = a_card("carnage", hits=5)
    state = play(fight(enemy), "engage blue red", "roll blue=blank red=hit",
                 f"assign red=hit>{enemy}")  # fmt: skip
    refused(state, f"assign red=hit>{enemy}", "HV-6.4")
    refused(state, f"assign blue=blank>{enemy}", "HV-6.3")
    refused(state, "assign blue=hit>Wolf" if enemy != "Wolf" else "assign blue=hit>Boar", "HV-6.3")
    assert texts(state)[0] == "done"


def test_a_sport_card_with_an_instant_reward_may_give_a_die_or_a_tactic(fight):
    enemy = a_card("sport", hits=1, timing="instant")
    state = play(fight(enemy), "engage red", "roll red=hit", f"assign red=hit>{enemy}")
    assert texts(state) == ["take", "recruit yellow", "tactic Charge", "tactic Testudo",
                            "tactic Levy"]  # fmt: skip
    assert play(state, "recruit yellow").reserve == (3, 2, 2, 2, 0)
    assert play(state, "tactic Levy").items == ("Levy",)
    assert play(state, "take").awaited[0] == s.ASSIGN
    refused(state, "recruit blue", "HV-8.1")
    refused(state, "tactic Rally", "HV-8.4")
    nobody = state._replace(training=NONE, banished=state.training)
    refused(nobody, "recruit yellow", "HV-8.1")
    assert "recruit yellow" not in texts(nobody)


def test_an_item_is_gained_or_refused_or_changed_for_a_die(fight):
    enemy = a_card("sport", hits=3, timing="single_use", influence=0)
    beaten = fight(enemy, strategy=1)._replace(enemies=(Enemy(enemy, 0, (), beaten=True),))
    state = play(beaten, "stop")
    assert texts(state)[:3] == ["take", "refuse", "recruit yellow"]
    assert play(state, "take").items == (enemy,)
    assert play(state, "refuse").discard == (enemy,)
    full = state._replace(items=("Rally",))
    assert texts(full) == ["refuse", "recruit yellow"]
    refused(full, "take", "HV-8.5")
    refused(full, "tactic Levy", "HV-8.5")


def test_only_a_sport_card_gives_something_else_instead(fight):
    beaten = fight()._replace(enemies=(Enemy("Boar", 0, (), beaten=True),), items=())
    assert texts(play(beaten, "stop")) == ["take", "refuse"]


def test_influence_goes_to_its_pile_only_from_defeated_cards(fight):
    one = a_card("carnage", influence=1)
    state = fight()._replace(enemies=(Enemy(one, 0, (), beaten=True),), items=())
    assert play(state, "stop").influence == (one,)
    assert play(fight(one, health=6), "stop", "dismiss red reserve").influence == ()


def test_health_below_one_loses(fight):
    state = play(fight(a_card("carnage", damage=2), health=2), "stop")
    assert GAME.outcome(state).winners == ()
    assert GAME.outcome(state).rule == "HV-1.5"
    assert GAME.legal(state) == ()
    assert GAME.to_move(state) is None
    refused(state, "scout", "HV-1.5")


# -- items -----------------------------------------------------------------------------------------


def test_a_tactic_returns_to_its_area_when_used(ready):
    assert play(ready, "use Rally").tactics[-1] == "Rally"


def test_an_opportunity_waits_for_its_condition(ready):
    trap = a_card("opportunity", influence=1)
    state = ready._replace(items=(trap,))
    refused(state, f"use {trap}", "HV-8.6")
    met = play(state, f"fulfil {trap}")
    assert f"use {trap}" in texts(met)
    assert play(met, f"use {trap}").influence == (trap,)
    refused(met, f"fulfil {trap}", "HV-8.6")


def test_a_permanent_item_is_kept_when_used(ready):
    kept = a_card("sport", timing="permanent")
    assert play(ready._replace(items=(kept,)), f"use {kept}").items == (kept,)


def test_when_strategy_falls_below_the_items_one_is_discarded(ready):
    single = a_card("sport", timing="single_use", influence=0)
    state = play(ready._replace(items=("Rally", single), strategy=2), "strategy -1")
    assert state.awaited[0] == s.LIMIT
    assert texts(state) == ["discard Rally", f"discard {single}"]
    assert Action("discard", detail="Rally") not in GAME.claims(state)
    after = play(state, f"discard {single}")
    assert after.items == ("Rally",)
    assert after.discard == (single,)
