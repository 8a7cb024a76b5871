"""Whole games of Hoplomachus: Victorum at random, and what such games have brought to light."""

from __future__ import annotations

import pytest

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import invented
from companion.games.hoplomachus.state import card_of
from tests.checks.mountain_games import games
from tests.checks.mountain_play import a_card, dice, play, texts


@pytest.mark.thorough
@pytest.mark.no_cover  # whole games: other tests prove line by line
def test_random_games_end_with_seventeen_dice_and_all_cards():
    figures = games(1, 30)
    assert figures.games == figures.won + figures.lost == 30
    assert figures.finals
    assert figures.by_card


def test_when_a_text_takes_the_last_active_die_away_there_is_no_roll(fight):
    enemy = a_card("sport", hits=3)
    state = play(fight(enemy, reserve=dice(yellow=1)), "engage yellow")
    state = play(state, "shift yellow active>reserve")
    assert state.awaited[0] == s.ENGAGE
    assert state.phases == 1
    assert "roll" not in texts(state)


def test_an_item_gained_and_discarded_at_once_is_put_away_only_once(fight):
    enemy = next(c.name for c in invented().values() if c.is_enemy and c.is_item and c.hits == 3)
    state = play(
        fight(enemy, reserve=dice(yellow=2)),
        "engage yellow yellow", "roll yellow=hit yellow=crit",
        f"assign yellow=hit>{enemy}", f"assign yellow=crit>{enemy}", "done",
        "recover", "take", f"discard {enemy}",
    )  # fmt: skip
    away = [*state.discard, *state.influence, *(e.card for e in state.enemies), *state.items]
    assert away.count(enemy) == 1


def test_an_opportunity_in_the_influence_pile_is_no_ally(ready):
    kept = next(c.name for c in invented().values() if c.kind == "opportunity")
    lieutenant = next(c.name for c in invented().values() if c.kind == "lieutenant" and c.allies)
    soldier = a_card("carnage")
    state = ready._replace(
        stage=s.FINAL, lieutenant=lieutenant, influence=(soldier, kept), piles=((),) * 9,
        discard=(), primuses=("",) * 9,
    )  # fmt: skip
    state = play(state, "final")
    assert [enemy.card for enemy in state.enemies] == [lieutenant, soldier]
    assert state.influence == (kept,)
    assert card_of(lieutenant).allies >= 1
    assert GAME.check(state) == ()
