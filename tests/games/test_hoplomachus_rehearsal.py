"""The adviser of Hoplomachus: how play may go on, what is weighed, what is told about it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.cli import main
from companion.games.hoplomachus import GAME, rehearsal
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.rehearsal import by_chance, plays, prospect, usual, world
from companion.games.hoplomachus.state import Enemy, HoplomachusState
from companion.players.advice import advise
from companion.players.budget import Budget
from companion.players.match import Match
from companion.rules import Action
from tests.checks.mountain_play import SETUP


def at_first_sight(seed: int, actions: int) -> HoplomachusState:
    """Return a game after so many actions done at first sight."""
    chance, state = random.Random(seed), GAME.start(SETUP)
    for _ in range(actions):
        if state.ending:
            break
        state = GAME.advance(state, by_chance(state, chance) or usual(state))
    return state


@pytest.fixture(scope="module")
def fight() -> HoplomachusState:
    """A fight whose dice are to be engaged, with all nine in the reserve."""
    for actions in range(3, 60):
        state = at_first_sight(1, actions)
        if state.awaited[0] == s.ENGAGE:
            return state
    raise AssertionError("no fight began")


def test_chance_decides_where_the_player_does_not(fight: HoplomachusState) -> None:
    chance, state, rolled, weighed = random.Random(4), fight, 0, 0
    while not state.ending:
        action, offered = by_chance(state, chance), plays(state)
        assert (action is None) == bool(offered)
        rolled, weighed = rolled + bool(action), weighed + bool(offered)
        action = action or chance.choice(offered).action
        assert action in GAME.legal(state), action
        state = GAME.advance(state, action)
    assert rolled
    assert weighed


def test_what_does_not_end_within_the_longest_game_counts_as_lost(
    fight: HoplomachusState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsal, "LONGEST", 1)
    told = prospect(fight, plays(fight)[0], random.Random(1))
    assert told == (-rehearsal.WON, rehearsal.POSITIONS)


def test_what_is_imagined_keeps_the_open_cards_and_loses_none(fight: HoplomachusState) -> None:
    there = world(fight, random.Random(7))
    assert [p[-1:] for p in there.piles] == [p[-1:] for p in fight.piles]
    assert sorted(c for p in there.piles for c in p) == sorted(c for p in fight.piles for c in p)
    assert there.piles != fight.piles


def test_advice_never_depends_on_a_card_that_lies_beneath_others(fight: HoplomachusState) -> None:
    other = world(fight, random.Random(9))._replace(options=fight.options)
    told = [{play.action for play in GAME.hand_plays(state)} for state in (fight, other)]
    assert told[0] == told[1]
    assert [GAME.why(fight, a) for a in told[0]] == [GAME.why(other, a) for a in told[0]]
    assert [GAME.at_once(fight, p) for p in plays(fight)] == [
        GAME.at_once(other, p) for p in plays(other)
    ]


def test_an_enemy_that_can_fall_is_struck_down_at_first_sight() -> None:
    state = at_first_sight(1, 3)
    boxer = Enemy("Boxer", 0, ((2, 2),))
    shown = ((0, 1, 0), *state.shown[1:])
    state = state._replace(
        stage=s.ASSIGN, owed=(), chip=0, phases=1, enemies=(boxer,), active=(1, 0, 0, 0, 0),
        reserve=(1, 2, 2, 2, 1), shown=shown,
    )  # fmt: skip
    strike = usual(state)
    assert GAME.format(strike) == "assign yellow=hit>Boxer"
    assert GAME.why(state, strike) == "Boxer falls at once"


def test_over_dice_that_are_to_be_rolled_there_is_nothing_to_advise(
    fight: HoplomachusState,
) -> None:
    rolling = GAME.advance(fight, Action("engage", detail="red"))
    assert rolling.awaited[0] == s.ROLL
    assert advise(GAME, rolling, 1) == []


def test_advice_ends_when_its_time_is_over(fight: HoplomachusState) -> None:
    assert len(advise(GAME, fight, 6, seconds=0.0)) == 3


def test_every_reason_is_told_in_words_of_the_rules() -> None:
    told: set[str] = set()
    for seed in range(3):
        chance, state = random.Random(seed), GAME.start(SETUP)
        while not state.ending:
            for play in plays(state):
                if GAME.why(state, play.action):
                    told.add(play.action.verb)
            state = GAME.advance(state, by_chance(state, chance) or usual(state))
    assert told >= {"engage", "stop", "assign", "go", "fight", "activate", "scout", "recover",
                    "heal", "recruit", "hero", "universal"}  # fmt: skip


def test_the_command_tells_ideas_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "hoplomachus", "--level", "1", "--json"]) == 0
    ideas: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert len(ideas) == 3
    assert all(idea["action"].startswith("hero ") and "Health" in idea["reason"] for idea in ideas)


def test_a_lost_game_of_one_player_is_no_draw() -> None:
    tally = Match(GAME, GAME.setup(), ("random",), Budget(nodes=1)).play(3, seed=1)
    assert (tally.games, tally.wins["random"], tally.draws) == (3, 0, 0)
