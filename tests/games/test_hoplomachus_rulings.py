"""Hoplomachus: Victorum where the rules were read anew: primuses by tap, allies that are drawn,
what every enemy gives, universal heroes, which die is exchanged, rulings that are options."""

from __future__ import annotations

import random

import pytest

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import invented
from companion.games.hoplomachus.geometry import CAMPS
from companion.games.hoplomachus.moves import called_up
from companion.games.hoplomachus.scorecards import all_dice
from companion.games.hoplomachus.state import Enemy, HoplomachusState, card_of
from companion.rules import card_texts_of
from tests.checks.loops import some
from tests.checks.mountain_play import a_card, dice, play, refused, texts


def by(state: HoplomachusState, **options: str) -> HoplomachusState:
    """Return ``state`` played by other options."""
    return state._replace(options=tuple({**dict(state.options), **options}.items()))


def claimed(state: HoplomachusState) -> list[str]:
    return [GAME.format(action) for action in GAME.claims(state)]


# -- which primus lies under which camp ------------------------------------------------------------


def test_the_player_says_which_primus_lies_under_which_camp(ready):
    first, second = (name for name in ready.primuses[4:6])
    there = play(ready, f"tuck {first}>1.3")
    assert there.primuses[CAMPS.index("1.3")] == first
    assert there.primuses[CAMPS.index("2.1")] == ""
    assert sorted(there.primuses) == sorted(ready.primuses)
    changed = play(ready, f"tuck {first}>2.2")
    assert (changed.primuses[5], changed.primuses[4]) == (first, second)


def test_where_a_primus_lies_is_corrected_whenever_it_is_found(ready):
    name = ready.primuses[4]
    state = play(ready, "move 1.1", "scout", "heal")
    assert play(state, f"tuck {name}>1.1").primuses[0] == name
    assert f"tuck {name}>1.1" in claimed(play(state, "move 1.2", "activate"))


def test_before_the_first_turn_the_phone_asks_where_the_primuses_lie(ready):
    asked = next(entry for entry in GAME.entries(ready) if entry.verb == "tuck")
    assert not asked.claim, "everybody is asked"
    assert len(asked.choices[0].words) == 3
    told = [said for said in GAME.situation(ready) if "lies under" in said]
    assert len(told) == 3
    later = play(ready, "move 1.1", "scout", "heal")
    assert next(entry for entry in GAME.entries(later) if entry.verb == "tuck").claim


def test_a_camp_that_a_primus_was_only_thought_to_lie_under_is_left(ready):
    piles = list(ready.piles)
    piles[CAMPS.index("2.1")] = ()
    state = ready._replace(chip=0, piles=tuple(piles))
    there = play(state, "move 2.1")
    assert texts(there) == ["fight"]
    assert play(there, f"tuck {ready.primuses[4]}>1.4").awaited[0] == s.CAMP


def test_what_is_no_tucked_primus_is_refused(ready):
    name = ready.primuses[4]
    assert "already" in refused(ready, f"tuck {name}>2.1", "HV-2.4")
    assert "no primus" in refused(ready, f"tuck {ready.hero}>2.1", "HV-2.4")


# -- allies of the Final ---------------------------------------------------------------------------


@pytest.fixture
def final(ready) -> HoplomachusState:
    """The Final is about to begin; four allies are wanted, one is in the influence pile."""
    return ready._replace(
        lieutenant="Quaestor", stage=s.FINAL, primuses=("",) * 9, piles=((),) * 9, items=(),
        influence=("Wolf",), discard=("Trap", "Boar", "Bear", "Lion", "Tiger"),
    )  # fmt: skip


def test_allies_from_the_discard_are_told_by_the_player(final):
    state = play(final, "final")
    assert state.awaited[0] == s.ALLY
    assert texts(state) == ["draw", "ally Boar", "ally Bear", "ally Lion", "ally Tiger"]
    state = play(state, "ally Lion", "ally Tiger", "ally Boar")
    assert [e.card for e in state.enemies] == ["Quaestor", "Wolf", "Lion", "Tiger", "Boar"]
    assert state.awaited[0] == s.ENGAGE
    assert "no enemy of the discard" in refused(play(final, "final"), "ally Trap", "HV-11.4")


def test_the_companion_draws_an_ally_only_when_it_is_asked(final):
    drawn = set()
    for number in range(40):
        state = play(by(final, deal=str(number)), "final", "draw")
        drawn.add(state.enemies[-1].card)
        assert state.enemies[-1].card not in state.discard
    assert drawn == {"Boar", "Bear", "Lion", "Tiger"}
    assert play(final, "final", "draw") == play(final, "final", "draw"), "a replay draws the same"


def test_where_the_discard_is_short_the_final_has_fewer_allies(final):
    state = play(final._replace(discard=("Trap", "Boar")), "final", "ally Boar")
    assert state.awaited[0] == s.ENGAGE
    assert not called_up(state)


def test_by_an_option_the_oldest_of_the_discard_are_allies(final):
    state = play(by(final, allies="oldest"), "final")
    assert [e.card for e in state.enemies] == ["Quaestor", "Wolf", "Boar", "Bear", "Lion"]


# -- instant rewards -------------------------------------------------------------------------------


def test_carnage_gives_its_instant_reward_without_the_alternatives_of_sport(fight):
    enemy = a_card("carnage", timing="instant")
    state = play(fight(enemy, "Bear"), f"strike {enemy}")
    assert state.awaited == (s.REWARD, enemy)
    assert texts(state) == ["take"]
    assert "no Sport card" in refused(state, "recruit yellow", "HV-8.1")
    assert "no Sport card" in refused(state, "tactic Levy", "HV-8.4")
    assert any(card_of(enemy).reward in told for told in GAME.situation(state))
    assert play(state, "take").awaited[0] == s.ENGAGE


def test_a_primus_gives_its_instant_reward_too(fight, monkeypatch):
    primus = next(c for c in invented().values() if c.kind == "hero")
    given = primus.__class__(**{**_fields(primus), "timing": "instant", "reward": "Gain 1 Health."})
    monkeypatch.setattr(
        "companion.games.hoplomachus.play.card_of",
        lambda name: given if name == primus.name else card_of(name),
    )
    state = play(fight(primus.name, "Bear"), f"strike {primus.name}")
    assert state.awaited == (s.REWARD, primus.name)


def _fields(card: object) -> dict[str, object]:
    return {name: getattr(card, name) for name in card.__slots__}


def test_by_an_option_sport_alone_gives_instant_rewards(fight):
    enemy = a_card("carnage", timing="instant")
    state = by(fight(enemy, "Bear"), instant_rewards="sport")
    assert play(state, f"strike {enemy}").awaited[0] == s.ENGAGE


# -- universal heroes ---------------------------------------------------------------------------


def test_a_hero_for_every_game_takes_the_place_of_the_one_chosen():
    state = GAME.start(GAME.setup())
    state = play(state, f"hero {state.offered[0]}")
    primuses = state.primuses
    state = play(state, "universal Ferox")
    card = card_of("Ferox")
    assert state.hero == "Ferox"
    assert (state.health, state.strategy, state.recovery) == (
        card.health, card.strategy, card.recovery,
    )  # fmt: skip
    assert state.primuses == primuses
    assert "already" in refused(state, "universal Sabina", "HV-12.4")
    assert play(state, "tactic Rally").awaited[0] == s.CAMP


def test_only_a_hero_for_every_game_takes_a_heros_place():
    state = GAME.start(GAME.setup())
    refused(state, "universal Ferox", "HV-12.4")
    state = play(state, f"hero {state.offered[0]}")
    assert "no universal hero" in refused(state, "universal Livia", "HV-12.4")


# -- which die is exchanged ------------------------------------------------------------------------


def rolled(fight, **changes: object) -> HoplomachusState:
    """Return a fight in which two green dice were rolled: a hit and a blank."""
    state = fight("Bear", reserve=dice(green=2), **changes)
    return play(state, "engage green green", "roll green=hit green=blank")


def test_which_of_the_active_dice_is_exchanged_is_the_players_choice(fight):
    state = rolled(fight)
    told = claimed(state)
    assert "reinforce green=hit active" in told
    assert "reinforce green=blank active" in told
    kept = play(state, "reinforce green=blank active")
    assert kept.shown[1] == (0, 1, 0), "the hit stays"
    lost = play(state, "weaken green=hit active")
    assert lost.shown[1] == (1, 0, 0)
    assert all_dice(kept) == all_dice(lost) == all_dice(state)


def test_the_form_asks_which_die_by_what_it_shows(fight):
    form = next(entry for entry in GAME.entries(rolled(fight)) if entry.verb == "reinforce")
    assert list(form.choices[0].words) == ["green=blank active", "green=hit active"]


def test_which_die_a_text_moves_is_the_players_choice_too(fight):
    state = play(rolled(fight), "shift green=hit active>banished")
    assert state.shown[1] == (1, 0, 0)
    assert state.banished == dice(green=1)


def test_a_die_that_does_not_lie_there_is_not_exchanged(fight):
    state = rolled(fight)
    assert (
        refused(state, "reinforce green=crit active", "HV-8.3")
        == "No active green die shows a crit."
    )


# -- rulings that are options ----------------------------------------------------------------------


def test_active_dice_are_all_rolled_unless_hits_may_be_kept(fight):
    state = play(rolled(fight, strategy=3), "done", "engage")
    assert "option to keep hits was not chosen" in refused(state, "hold green=hit", "HV-6.2")
    assert state.thrown == dice(green=2)


def test_by_an_option_an_unassigned_hit_is_kept_from_the_roll(fight):
    state = play(by(rolled(fight, strategy=3), keep_hits="yes"), "done", "engage")
    assert "hold green=hit" in texts(state)
    refused(state, "hold green=blank", "HV-6.2")
    kept = play(state, "hold green=hit")
    assert kept.thrown == dice(green=1)
    again = play(kept, "roll green=crit")
    assert again.shown[1] == (0, 1, 1)
    assert again.kept == s.HoplomachusState._field_defaults["kept"]
    whole = play(state, "roll green=blank green=blank")
    assert whole.shown[1] == (2, 0, 0)


def test_where_every_active_die_is_kept_there_is_no_roll(fight):
    state = by(fight("Bear", reserve=dice(red=1), strategy=3), keep_hits="yes")
    state = play(state, "engage red", "roll red=hit", "done", "engage", "hold red=hit")
    assert state.awaited[0] == s.ASSIGN
    assert state.shown[4] == (0, 1, 0)


def test_a_kept_die_that_a_text_takes_away_shows_nothing_any_more(fight):
    state = by(fight("Bear", reserve=dice(green=1, red=1), strategy=3), keep_hits="yes")
    state = play(state, "engage green red", "roll green=hit red=hit", "done", "engage")
    gone = play(state, "hold green=hit", "shift green active>banished")
    assert gone.kept == s.HoplomachusState._field_defaults["kept"]
    assert gone.thrown == dice(red=1)
    assert all_dice(gone) == all_dice(state)


def test_by_an_option_every_hit_is_assigned(fight):
    state = by(rolled(fight), must_assign="yes")
    assert "done" not in texts(state)
    assert "every hit is assigned" in refused(state, "done", "HV-6.3")
    assert "done" in texts(play(state, "assign green=hit>Bear"))


def test_by_an_option_items_are_used_at_any_time(ready):
    state = play(ready, "move 1.1")
    refused(state, "use Rally", "HV-6.6")
    assert "use Rally" in texts(by(state, item_times="any"))
    assert play(by(state, item_times="any"), "use Rally").tactics[-1] == "Rally"


def test_effects_of_defeated_enemies_are_carried_out_after_the_damage(fight):
    enemy = next(c.name for c in invented().values() if c.kind == "carnage" and c.effect)
    state = play(fight(enemy, exhausted=dice(red=1), reserve=dice(yellow=1)), f"strike {enemy}")
    while state.awaited[0] != s.RECOVER:
        state = play(state, texts(state)[0])
    told = f"Now carry out the effect of {enemy}"
    assert any(told in said for said in GAME.situation(state))
    standing = by(state, later_effects="standing")
    assert not any(told in said for said in GAME.situation(standing))


def test_by_an_option_effects_come_before_the_win(ready):
    enemy = next(c.name for c in invented().values() if c.kind == "carnage" and c.effect)
    last = ready._replace(
        stage=s.ENGAGE, chip=9, boss="Legate", piles=((),) * 9, items=(), health=1,
        enemies=(Enemy("Legate", -1, (), beaten=True), Enemy(enemy)),
    )  # fmt: skip
    assert play(last, f"strike {enemy}").ending == s.WON
    state = play(by(last, last_fall="effects_first"), f"strike {enemy}")
    assert (state.ending, state.awaited[0]) == ("", s.LATER)
    assert play(state, "done").ending == s.WON
    assert play(state, "health -1").ending == s.DIED


def test_a_stat_ends_at_six_unless_an_option_says_otherwise(ready):
    state = ready._replace(health=6)
    refused(state, "health +1", "HV-1.5")
    assert play(by(state, stat_limit="none"), "health +1").health == 7


def test_by_an_option_items_over_the_limit_are_kept(ready):
    state = ready._replace(strategy=2, items=("Rally", "Levy"))
    assert play(state, "strategy -1").awaited[0] == s.LIMIT
    assert play(by(state, surplus_items="keep"), "strategy -1").awaited[0] == s.CAMP


def test_by_an_option_the_chip_goes_anywhere_from_a_desert(ready):
    piles = [()] * 9
    piles[CAMPS.index("1.4")] = piles[CAMPS.index("1.3")] = ready.piles[3]
    here = ready._replace(chip=0, piles=tuple(piles), primuses=("",) * 9, items=())
    assert texts(here) == ["move 1.3"]
    assert texts(by(here, no_way="any")) == ["move 1.3", "move 1.4"]


@pytest.mark.no_cover  # whole games: other tests prove line by line
def test_games_by_every_option_keep_dice_and_cards():
    rng = random.Random(8)
    for number in range(12):
        options = {
            option.name: rng.choice(option.choices)
            for option in GAME.options
            if option.choices and option.name not in ("cards", "lieutenant")
        }
        state = GAME.start(GAME.setup(None, {**options, "deal": str(number)}))
        for _ in range(400):
            legal, claims = GAME.legal(state), GAME.claims(state)
            if state.ending:
                break
            for action in some((*rng.sample(legal, min(4, len(legal))), *claims[:6])):
                assert GAME.judge(state, action).allowed
            state = GAME.advance(state, rng.choice(claims if claims and rng.random() < 0.1
                                                   else legal))  # fmt: skip
            assert GAME.check(state) == ()
            GAME.situation(state)
            GAME.entries(state)
            assert card_texts_of(GAME, state)
            assert GAME.load(GAME.dump(state)) == state


# -- what may be read before one chooses -----------------------------------------------------------


def read(state: HoplomachusState) -> dict[str, tuple[bool, str]]:
    """Return each card that may be read: whether it is asked about, and all that stands on it."""
    return {
        card.name: (card.asked, " ".join(line for side in card.sides for line in side.lines))
        for card in card_texts_of(GAME, state)
    }


def test_both_faces_of_every_hero_are_read_before_one_is_chosen():
    state = GAME.start(GAME.setup())
    cards = read(state)
    for name in state.offered:
        asked, text = cards[name]
        card = card_of(name)
        assert asked
        assert card.ability in text
        assert card.plague in text
        assert f"hits to defeat it: {card.hits}" in text
    assert card_of(state.lieutenant).penalty in cards[state.lieutenant][1]
    assert all(name in cards for name in state.tactics)


def test_the_penalty_is_read_before_a_camp_is_scouted(ready):
    for state in (ready, play(ready, "move 1.1")):
        asked, text = read(state)[state.lieutenant]
        assert asked
        assert card_of(state.lieutenant).penalty in text


@pytest.mark.no_cover
def test_every_card_that_a_choice_names_can_be_read():
    """Whatever card stands on a button, both its faces are there to be read."""
    rng = random.Random(5)
    for number in range(10):
        state = GAME.start(GAME.setup(None, {"deal": str(number), "rank": str(1 + number % 5)}))
        for _ in range(250):
            legal = GAME.legal(state)
            if not legal:
                break
            cards = read(state)
            for action in some(legal[:200]):
                name = action.detail.rpartition(">")[2]
                if action.verb in (
                    "hero",
                    "universal",
                    "tactic",
                    "ally",
                    "use",
                    "discard",
                    "assign",
                ):
                    assert name in cards, GAME.format(action)
                if action.verb in ("go", "add", "remove"):
                    pile = state.piles[CAMPS.index(action.detail)]
                    assert not pile or cards[pile[-1]][0], GAME.format(action)
            state = GAME.advance(state, rng.choice(legal))
            if state.hero and not state.ending and rng.random() < 0.2:
                state = state._replace(health=6)


def test_allies_are_read_before_one_is_called_up(final):
    cards = read(play(final, "final"))
    assert all(cards[name][0] for name in ("Boar", "Bear", "Lion", "Tiger"))
    assert "Trap" not in cards, "an Opportunity of the discard is no ally"
    assert cards[final.lieutenant][1], "the lieutenant is read as an enemy"


def test_a_text_that_was_never_entered_is_left_to_the_card(ready, monkeypatch):
    bare = card_of(ready.lieutenant).__class__(ready.lieutenant, "lieutenant", 8, 2)
    for module in ("scorecards", "card_texts"):
        monkeypatch.setattr(
            f"companion.games.hoplomachus.{module}.card_of",
            lambda name: bare if name == bare.name else card_of(name),
        )
    assert "not entered; read it on the card" in read(ready)[bare.name][1]
    state = play(ready, "move 1.1", "scout")
    assert f"The penalty of {bare.name} was not entered" in " ".join(GAME.situation(state))
    assert texts(state)[0] == "heal", "the rules go on with what is known"


# -- sentences -------------------------------------------------------------------------------------


def test_a_refusal_names_the_step_that_is_missing(ready, fight):
    state = play(fight("Bear"), "engage red")
    assert refused(state, "assign red=hit>Bear", "HV-4.1") == (
        "Hits are assigned after a roll; now all active dice are rolled."
    )
    assert "when the chip has come to its camp" in refused(ready, "scout", "HV-4.1")


def test_only_dice_that_are_assigned_are_called_so(fight):
    state = play(fight("Bear", reserve=dice(blue=1)), "engage blue", "roll blue=hit")
    assert refused(state, "assign green=hit>Bear", "HV-6.3") == ("No active green die shows a hit.")
    assigned = play(state, "assign blue=hit>Bear")
    assert "assigned to Bear and stays there" in refused(assigned, "assign blue=hit>Bear", "HV-6.4")


def test_what_stands_in_the_way_of_another_enemy_is_named(ready):
    caller = next(c.name for c in invented().values() if c.is_enemy and c.plus)
    trap = a_card("opportunity")
    piles = ((caller,), (trap,), ("Boar",), ("Bear",), ("Lion",), *((),) * 4)
    state = play(ready._replace(piles=piles, primuses=("",) * 9), "move 1.1", "activate")
    assert texts(state) == ["add 2.1"]
    assert f"{trap} lies on" in refused(state, "add 1.2", "HV-5.7")
    assert "is none of them" in refused(state, "add 1.4", "HV-5.7")


# -- older games -----------------------------------------------------------------------------------


def test_a_state_of_the_first_version_keeps_its_readings(ready):
    data = GAME.dump(ready)
    newer = [option.name for option in GAME.options[4:]]
    del data["rules"], data["kept"]
    data["options"] = {k: v for k, v in data["options"].items() if k not in newer}
    old = GAME.load(data)
    assert (old.house.all_instant, old.house.allies_drawn) == (False, False)
    assert GAME.load(GAME.dump(ready)).house == ready.house
