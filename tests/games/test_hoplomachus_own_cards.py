"""Cards that their owner entered, and what lies on the table instead of what was drawn."""

from __future__ import annotations

import pytest

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import invented, own, read_deck
from companion.rules import Action, BadInput
from companion.rules.own import NOTHING, furnish
from tests.checks.mountain_play import SETUP, play, refused, texts

OWN = GAME.setup(None, {"cards": "own"})


def a_box(conflict: int = 54, heroes: int = 8) -> dict[str, list[dict[str, object]]]:
    return {
        "card": [{"name": f"Foe{n}", "kind": "sport", "hits": 1 + n % 4} for n in range(conflict)],
        "hero": [
            {"name": f"Hero{n}", "hits": 5, "health": 5, "strategy": 2, "recovery": 2}
            for n in range(heroes)
        ],
        "lieutenant": [{"name": "Oberst", "hits": 8}, {"name": "Hauptmann", "hits": 7}],
        "tactic": [{"name": "Wedge", "reward": "a word of mine"}],
    }


@pytest.fixture
def box():
    """Give the game the cards of a box; afterwards there are none."""

    def give(data):
        furnish(lambda game: data if game == "hoplomachus" else NOTHING)

    yield give
    furnish(lambda game: NOTHING)


def test_a_game_is_played_with_the_cards_of_the_box(box):
    box(a_box())
    state = GAME.start(OWN)
    assert {card for pile in state.piles for card in pile} == {f"Foe{n}" for n in range(54)}
    assert state.lieutenant in ("Oberst", "Hauptmann")
    state = play(state, f"hero {state.offered[0]}", "tactic Wedge", "move 1.1")
    assert GAME.draw(OWN, state.piles[0][-1]) != GAME.draw(OWN, "Wolf")
    assert GAME.load(GAME.dump(state)) == state
    assert not any("invented" in told for told in GAME.situation(state))
    assert any("invented" in told for told in GAME.situation(GAME.start(SETUP)))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "has 0 of the 54 Conflict cards"),
        (a_box(conflict=53), "has 53 of the 54 Conflict cards"),
        (a_box(heroes=7), "has 7 of the 8 heroes"),
        ({"card": [{"name": "Wolf", "kind": "carnage"}]}, "an invented card is called Wolf"),
        ({"card": [{"name": "two words", "kind": "sport"}]}, "a name of one word"),
        ({"card": [{"name": "Foe", "kind": "sport", "hits": "many"}]}, "hits is a whole number"),
        ({"card": {"name": "Foe"}}, "card in the card file is a list of cards"),
        ({"cards": []}, "“cards” is none"),
    ],
)
def test_a_bad_card_file_is_one_clear_sentence(box, data, said):
    box(data)
    with pytest.raises(BadInput, match=said) as caught:
        GAME.start(OWN)
    assert "\n" not in str(caught.value)


def test_a_lieutenant_that_the_box_has_not_is_refused(box):
    box(a_box())
    with pytest.raises(BadInput, match="no lieutenant of these cards is called “Censor”"):
        GAME.start(GAME.setup(None, {"cards": "own", "lieutenant": "Censor"}))


def test_what_is_entered_is_checked_and_has_the_fields_of_a_card(box):
    box(a_box())
    GAME.check_owned(a_box())
    with pytest.raises(BadInput):
        GAME.check_owned({"tactic": [{"name": "Rally"}]})
    assert own()["Oberst"].hits == 8
    names = [blank.name for blank in GAME.blanks()]
    assert names[:2] == ["name", "kind"]
    whole = {b.name: 1 if b.number else (b.choices or ("Word",))[-1] for b in GAME.blanks()}
    assert set(read_deck({"card": [whole]})) == {"Word"}


# -- what lies on the table ------------------------------------------------------------------


def test_the_card_that_lies_open_on_a_camp_counts(ready):
    drawn, other = ready.piles[1][-1], ready.piles[5][0]
    state = play(ready, f"top 1.2 {other}")
    assert GAME.expect(state)["1.2"] == other
    assert state.piles[5][0] == drawn
    assert sorted(c for p in state.piles for c in p) == sorted(c for p in ready.piles for c in p)
    ruling = GAME.judge(ready, GAME.parse(SETUP, f"top 1.2 {other}"))
    assert (ruling.rule, ruling.spots) == ("HV-2.1", ("1.2",))
    refused(ready, f"top 1.2 {ready.piles[0][-1]}", "HV-2.1")
    assert GAME.claims(play(state, "move 1.2", "activate")) is not None


def test_the_cards_that_a_rank_removes_may_lie_otherwise():
    state = GAME.start(GAME.setup(None, {"rank": "2"}))
    state = play(state, f"hero {state.offered[0]}", "tactic Rally")
    hidden = state.piles[3][0]
    assert GAME.expect(play(state, f"top 1.1 {hidden}"))["1.1"] == hidden


def test_heroes_and_lieutenant_are_those_on_the_table():
    state = GAME.start(SETUP)
    hero = next(c.name for c in invented().values() if c.kind == "hero"
                and c.name not in state.offered)  # fmt: skip
    other = "Censor" if state.lieutenant != "Censor" else "Consul"
    state = play(state, f"reveal {state.offered[1]}>{hero}", f"lieutenant {other}")
    assert state.offered[1] == hero
    assert GAME.expect(state)["4.1"] == other
    assert f"hero {hero}" in texts(state)
    with pytest.raises(BadInput, match="there is no card “Nobody”"):
        GAME.parse(SETUP, f"reveal Nobody>{hero}")


# -- on a phone ------------------------------------------------------------------------------


def entered(entry, *picks):
    """Return the action that an entry writes when these of its words are chosen."""
    words = [list(choice.words)[pick] for choice, pick in zip(entry.choices, picks, strict=True)]
    return GAME.parse(SETUP, f"{entry.verb} {entry.between.join(w for w in words if w)}".strip())


def entry(state, verb):
    return next(found for found in GAME.entries(state) if found.verb == verb)


def test_dice_that_join_roll_and_recover_are_tapped_one_by_one(fight):
    state = fight("Wolf", reserve=(1, 0, 1, 0, 1))
    joins = entry(state, "engage")
    assert [choice.label for choice in joins.choices] == ["yellow die", "blue die", "red die"]
    state = GAME.apply(state, entered(joins, 1, 0, 1))
    rolled = entry(state, "roll")
    assert [len(choice.words) for choice in rolled.choices] == [3, 2], "a red die has no blank"
    action = entered(rolled, 1, 0)
    assert GAME.format(action) == "roll yellow=hit red=hit"
    state = play(GAME.apply(state, action), "stop" if "stop" in texts(state) else "done")
    while state.awaited[0] != s.RECOVER:
        state = play(state, texts(state)[-1])
    back = entry(state, "recover")
    assert back.most == state.recovery
    assert entered(back, *([0] * len(back.choices))) in GAME.legal(state)


def test_what_texts_move_and_what_lies_open_is_put_together(ready):
    assert entered(entry(ready, "shift"), 0, 2) in GAME.claims(ready)
    assert entered(entry(ready, "top"), 0, 0) in GAME.claims(ready)
    assert GAME.entries(GAME.start(SETUP)) == ()


def test_every_button_has_words(ready, fight):
    soldiers = fight("Wolf", reserve=(2, 1, 1, 1, 1), exhausted=(0, 1, 0, 0, 0))
    fought = play(soldiers, "engage yellow", "roll yellow=hit")
    item = play(ready, "move 1.1")
    seen = set()
    for state in (GAME.start(SETUP), ready, soldiers, fought, item):
        composed = {made.verb for made in GAME.entries(state)}
        for action in (*GAME.legal(state), *GAME.claims(state)):
            if action.verb not in composed:
                assert GAME.said(action), GAME.format(action)
                seen.add(action.verb)
    assert {"hero", "go", "scout", "assign", "reroll", "strike", "health"} <= seen
    assert GAME.said(Action("recruit", detail="yellow")) == "recruit the yellow die"
    assert GAME.said(Action("recover", detail="blue")) == "recover the blue die"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hold green=hit", "keep the green die (hit)"),
        ("shift red reserve>banished", "red die: from reserve to banished dice"),
        ("reinforce green=hit active", "reinforce green die (hit): active dice"),
        ("weaken blue exhausted", "weaken blue die: exhausted dice"),
        ("dismiss red reserve", "dismiss red die: reserve"),
        ("top 1.1 Wolf", "Wolf lies open on camp 1 of row 1"),
        ("tuck Livia>2.1", "Livia lies under camp 1 of row 2"),
    ],
)
def test_what_a_text_moves_and_where_a_card_lies_is_said_in_words(text: str, said: str):
    assert GAME.said(GAME.parse(SETUP, text)) == said


def test_where_no_die_is_in_training_none_is_exchanged(ready):
    asked = {made.verb for made in GAME.entries(ready)}
    assert {"reinforce", "weaken"} <= asked
    alone = ready._replace(training=(0,) * 5, banished=ready.training)
    assert not {"reinforce", "weaken"} & {made.verb for made in GAME.entries(alone)}
