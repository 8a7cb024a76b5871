"""Hoplomachus: Victorum as the companion sees it: rulings, notation, saving, cards, drawings."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from companion.games.hoplomachus import GAME, drawing
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import invented, read_deck
from companion.games.hoplomachus.notation import VERBS
from companion.games.hoplomachus.pieces import COLOURS, SIDES, one, rolls, within
from companion.games.hoplomachus.state import Enemy, HoplomachusState
from companion.rules import Action, BadInput
from tests.checks.loops import some

SETUP = GAME.setup()


def some_states(count: int, seed: int) -> list[HoplomachusState]:
    """Return states of random play in which the player often obeys texts of cards."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        options = {"deal": str(rng.randrange(1000)), "rank": rng.choice("12345")}
        state = GAME.start(GAME.setup(None, options))
        for _ in range(150):
            legal, claims = GAME.legal(state), GAME.claims(state)
            found.append(state)
            if not legal:
                break
            state = GAME.advance(state, rng.choice(claims if claims and rng.random() < 0.15
                                                   else legal))  # fmt: skip
            if state.hero and rng.random() < 0.1 and not state.ending:
                state = state._replace(health=6)
    return found[:count]


def test_an_allowed_action_is_told_with_what_it_does():
    told = {}
    for state in some_states(300, 3):
        for action in GAME.legal(state):
            if action.verb not in told:
                told[action.verb] = GAME.judge(state, action)
    assert told.keys() >= {"go", "scout", "activate", "engage", "assign"}
    assert all(ruling.allowed and ruling.reason for ruling in told.values())


@pytest.mark.slow
def test_judge_and_legal_agree_on_whatever_is_said():
    rng = random.Random(2)
    states = some_states(1500, 4)
    said = {action for state in states[::5] for action in GAME.legal(state)[:40]}
    said |= {action for state in states[::9] for action in GAME.claims(state)}
    pool = sorted(said, key=GAME.format)
    for state in some(states[::3]):
        allowed = {*GAME.legal(state), *GAME.claims(state)}
        for action in some((*rng.sample(pool, 60), *list(allowed)[:60])):
            ruling = GAME.judge(state, action)
            assert ruling.allowed == (action in allowed), (GAME.format(action), ruling)
            assert ruling.rule in GAME.rules
            assert set(ruling.spots) <= set(GAME.board(SETUP))


def test_what_is_no_action_of_the_game_is_refused():
    ruling = GAME.judge(GAME.start(SETUP), Action("move", "1.1", "1.2"))
    assert (ruling.allowed, ruling.rule) == (False, "HV-4.1")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("move 2.2", "HV-5.1"), ("scout", "HV-4.1"), ("fight", "HV-4.1"), ("add 1.1", "HV-4.1"),
        ("engage red", "HV-4.1"), ("roll red=hit", "HV-4.1"), ("assign red=hit>Wolf", "HV-6.3"),
        ("recover red", "HV-7.4"), ("take", "HV-4.1"), ("keep", "HV-4.1"),
        ("recruit red", "HV-8.1"), ("dismiss red reserve", "HV-4.1"), ("remove 1.1", "HV-12.2"),
        ("final", "HV-11.1"), ("tactic Rally", "HV-4.1"), ("hero Wolf", "HV-3.3"),
        ("use Rally", "HV-6.6"), ("discard Rally", "HV-8.5"),
    ],
)  # fmt: skip
def test_before_the_hero_is_chosen_nothing_else_happens(text: str, rule: str):
    ruling = GAME.judge(GAME.start(SETUP), GAME.parse(SETUP, text))
    assert (ruling.allowed, ruling.rule) == (False, rule)


def hero_chosen() -> HoplomachusState:
    state = GAME.start(SETUP)
    for text in (f"hero {state.offered[0]}", "tactic Rally"):
        state = GAME.apply(state, GAME.parse(SETUP, text))
    return state


@pytest.mark.parametrize(
    ("changes", "text", "rule"),
    [
        ({"stage": s.ACT, "chip": 0}, "fight", "HV-5.3"),
        ({"stage": s.ENGAGE, "chip": 0, "reserve": one(0)}, "engage red", "HV-6.1"),
        ({"stage": s.ENGAGE, "chip": 0, "boss": "Livia", "enemies": (Enemy("Livia"),)}, "activate",
         "HV-9.2"),
        ({"stage": s.ROLL, "chip": 0, "active": one(4)}, "use Rally", "HV-6.6"),
        ({"owed": ((s.RECOVER, ""),), "exhausted": (4, 0, 0, 0, 0), "recovery": 1},
         "recover yellow yellow", "HV-7.4"),
        ({"owed": ((s.RECOVER, ""),), "exhausted": one(0)}, "recover red", "HV-7.4"),
        ({"owed": ((s.DISMISS, ""),)}, "dismiss red training", "HV-8.2"),
        ({}, "hero Livia", "HV-3.3"),
        ({"stage": s.ACT, "chip": 0}, "move 1.2", "HV-4.1"),
        ({}, "stop", "HV-4.1"),
    ],
)  # fmt: skip
def test_the_deciding_rule_is_named(changes: dict[str, object], text: str, rule: str):
    state = hero_chosen()._replace(**changes)
    ruling = GAME.judge(state, GAME.parse(SETUP, text))
    assert (ruling.allowed, ruling.rule) == (False, rule)


def test_every_outcome_of_a_roll_can_be_told():
    outcomes = list(rolls((2, 0, 0, 0, 1)))
    assert len(outcomes) == 6 * 2
    assert all(sum(map(sum, shown)) == 3 for shown in outcomes)
    assert all(sum(sides) == 6 for sides in SIDES)
    assert len(list(within((1, 0, 2, 0, 0), 2))) == 5


def test_dice_may_be_named_in_any_order():
    assert GAME.parse(SETUP, "engage blue  yellow") == GAME.parse(SETUP, "engage yellow blue")
    assert GAME.parse(SETUP, "roll red=hit yellow=blank") == GAME.parse(
        SETUP, "roll yellow=blank red=hit"
    )


@pytest.mark.parametrize(
    "text", ["go 1.1", "move 5.1", "engage pink", "roll red", "assign red=hit>Nobody",
             "scout now", "hero Nobody", "health 2", "dance"]
)  # fmt: skip
def test_what_cannot_be_read_is_bad_input(text: str):
    with pytest.raises(BadInput):
        GAME.parse(SETUP, text)


def test_every_verb_is_documented_and_has_a_rule():
    page = (Path(__file__).parents[2] / "docs/games/hoplomachus.md").read_text(encoding="utf-8")
    for verb in some(VERBS):
        assert f"`{'move' if verb == 'go' else verb}" in page, verb
    for rule in some(GAME.rules):
        assert f"| {rule} " in page, rule
    for name in some(re.findall(r"`(test_\w+)`", page)):
        folder = Path(__file__).parent
        assert any(f"def {name}(" in file.read_text(encoding="utf-8")
                   for file in folder.glob("test_*.py")), name  # fmt: skip


def test_a_state_survives_being_written_down():
    for state in some(some_states(300, 6)[::11]):
        assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state


def test_a_damaged_state_is_bad_input():
    data = GAME.dump(hero_chosen())
    for field, value in (("reserve", [9, 0, 0, 0, 0]), ("tactics", ["Nobody"]), ("enemies", [3])):
        with pytest.raises(BadInput):
            GAME.load({**data, field: value})


def test_cards_are_laid_on_camps_and_faced():
    state = GAME.arrange(SETUP, {"1.1": "Wolf", "enemy.1": "Boar", "4.1": "Legate"})
    assert GAME.expect(state)["1.1"] == "Wolf"
    assert GAME.expect(state)["enemy.1"] == "Boar"
    assert GAME.arrange(SETUP, {}).stage == s.CHOOSE_HERO
    for position in ({"reserve": "Wolf"}, {"1.1": "Nobody"}):
        with pytest.raises(BadInput):
            GAME.arrange(SETUP, position)


def test_a_primus_shows_when_its_pile_is_gone():
    state = hero_chosen()
    bare = state._replace(piles=((),) * 9)
    assert GAME.expect(bare)["2.1"] == state.primuses[4]


def test_missing_dice_are_a_problem():
    (problem,) = GAME.check(hero_chosen()._replace(reserve=one(4)))
    assert problem.rule == "HV-1.3"


def test_an_action_that_does_not_stand_changes_nothing():
    state = GAME.start(SETUP)
    assert GAME.effect(state, Action("scout")).changes == {}
    chosen = GAME.apply(hero_chosen(), GAME.parse(SETUP, "move 1.1"))
    assert set(GAME.effect(chosen, Action("scout")).changes) == {"1.1"}


def test_every_card_has_a_picture_of_its_own():
    pictures = {drawing.draw(name) for name in invented()}
    assert len(pictures) == 78
    assert GAME.draw(SETUP, "Wolf") == drawing.draw("Wolf")
    assert GAME.look("Wolf").face == "Wolf"
    with pytest.raises(BadInput):
        drawing.draw("Nobody")


def test_the_highest_rank_is_kept_after_a_win_and_the_lowest_after_a_loss():
    top = GAME.start(GAME.setup(None, {"rank": "5"}))._replace(ending=s.WON)
    assert "rank 5" in GAME.outcome(top).reason
    assert "rank 1" in GAME.outcome(hero_chosen()._replace(ending=s.DIED)).reason
    assert GAME.outcome(hero_chosen()) is None


def test_the_card_tells_stats_and_dice():
    (card,) = GAME.scorecards(hero_chosen())
    fields = {field.label: field for field in card.fields}
    assert fields["Reserve"].value == "yellow: 2, green: 2, blue: 2, purple: 2, red: 1"
    assert fields["Banished"].value == "0"
    assert fields["Items"].tokens == ("Rally",)
    assert GAME.scorecards(hero_chosen()._replace(ending=s.DIED))[0].status == "the game is over"
    assert GAME.highlights(hero_chosen()) == {"open": ("1.1", "1.2", "1.3", "1.4")}
    on_foot = {"chip": ("1.1",), "open": ("1.2", "2.1")}
    assert GAME.highlights(hero_chosen()._replace(chip=0)) == on_foot
    assert GAME.highlights(hero_chosen()._replace(chip=0, stage=s.ACT)) == {"chip": ("1.1",)}
    rolling = hero_chosen()._replace(chip=0, stage=s.ROLL)
    assert GAME.highlights(rolling) == {"chip": ("1.1",), "dice": ("active",)}


# -- cards of one's own ----------------------------------------------------------------------------


def test_an_owner_enters_the_numbers_of_his_cards():
    deck = read_deck({"card": [{"name": "Mine", "kind": "sport", "hits": 2}]})
    assert deck["Mine"].hits == 2
    assert COLOURS[0] == "yellow"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"name": "Two words"}, "one word"), ({"kind": "sport"}, "one word"),
        ({"name": "A", "kind": "sport", "power": 3}, "power"),
        ({"name": "A", "kind": "monster"}, "monster"),
        ({"name": "A", "kind": "sport", "hits": "3"}, "hits"),
        ({"name": "A", "kind": "sport", "reward": 3}, "reward"),
    ],
)  # fmt: skip
def test_a_wrong_card_is_named(entry: dict[str, object], told: str):
    with pytest.raises(BadInput, match=told):
        read_deck({"card": [entry]})


def test_a_file_without_lists_holds_no_cards():
    with pytest.raises(BadInput, match="no lists"):
        read_deck(["Mine"])  # type: ignore[arg-type]


def test_a_card_stands_in_the_file_once():
    entry = {"name": "A", "kind": "sport"}
    with pytest.raises(BadInput, match="twice"):
        read_deck({"card": [entry, dict(entry)]})
