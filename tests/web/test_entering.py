"""What games with dice and hidden cards let phones tell, and what they tell everybody."""

from __future__ import annotations

import re

import pytest

import web
from companion.games import find_game
from companion.rules import BadInput, HardwareFault, Uncertain
from companion.table.evening import Evening
from tests.checks.loops import some
from web.entering import shared_beginning
from web.fragments import PARTS


@pytest.fixture(params=["hoplomachus"])
def game(request):
    return find_game(request.param)


@pytest.fixture
def evening(table, clock):
    return Evening(table, find_game, clock, lambda: [table.game.name])


@pytest.fixture
def sit(app, new_phone, game):
    """A phone of the host, on the first seat."""
    phone = new_phone()
    code = web.invitation(app).partition("#")[2]
    phone.post("/api/join", code=code)
    phone.post("/api/seat", seat=game.seats[0])
    return phone


def played(phone, *actions):
    for action in actions:
        answer = phone.say("/api/say", action=action).json
        assert answer["allowed"], answer
    return phone.state


def html(phone):
    return phone.get("/api/state?html=1").json["html"]


honor = pytest.mark.parametrize("game", ["victory_honor"], indirect=True)


def test_buttons_say_what_the_game_calls_it(sit):
    labels = [item["label"] for item in sit.state["say"] if not item["claim"]]
    assert len(labels) == 4
    assert all(label.startswith("hero: ") for label in labels)
    assert "Hero: " in html(sit)["hand"]
    assert sit.state["situation"][0] == "A hero is chosen among the cards revealed."


def test_dice_are_put_together_and_have_no_button_each(sit):
    hero = sit.state["say"][0]["action"]
    seen = played(sit, hero, "tactic Rally", "move 1.1")
    while any(item["action"] == "scout" for item in seen["say"]):
        seen = played(sit, "activate")
        if "drop" in [item["action"] for item in seen["say"]]:
            seen = played(sit, "drop", "move 1.2")
    while adds := [i["action"] for i in seen["say"] if i["action"].startswith("add")]:
        seen = played(sit, adds[0])
    joins = next(entry for entry in seen["enter"] if entry["verb"] == "engage")
    assert len(joins["choices"]) == 9
    assert joins["choices"][0]["words"] == [["", "stays"], ["yellow", "comes"]]
    assert not any(item["action"].startswith("engage") for item in seen["say"])
    assert html(sit)["hand"].count('class="die"') == 9
    claims = [entry["verb"] for entry in seen["enter"] if entry["claim"]]
    assert claims == ["tuck", "shift", "reinforce", "weaken"]


def test_whatever_a_choice_is_about_can_be_read_before(sit):
    heroes = [i["action"].split()[1] for i in sit.state["say"] if not i["claim"]]
    asked = [card["name"] for card in sit.state["card_texts"] if card["asked"]]
    assert set(heroes) <= set(asked)
    page = html(sit)["texts"]
    assert "Read before you choose" in page
    assert page.index(heroes[0]) < page.index("All other cards")
    assert page.count("Ability") >= page.count("Plague") >= len(heroes)


def test_who_only_watches_enters_nothing(sit, new_phone):
    watcher = new_phone("192.168.1.99").state
    assert (watcher["say"], watcher["enter"], watcher["place"]) == ([], [], {})


@honor
def test_cards_are_chosen_place_by_place_while_no_camera_plays(sit, eyes):
    assert sit.state["place"] == {}, "the camera reads the table"
    eyes.words = {**eyes.words, "lost": True}
    places = sit.state["place"]
    assert list(places) == ["south.L", "south.C", "south.R"]
    assert ["red 7", "south.L=red7"] in places["south.L"]
    assert sit.say("/api/move", action="south.L=red7").json["allowed"]
    assert "Red is open in the left flank." in sit.state["situation"]
    assert next(iter(sit.state["place"])).startswith("west.")
    assert "west.C" in html(sit)["hand"]


@honor
def test_a_cards_button_names_no_place_its_hand_does(sit, eyes):
    eyes.words = {**eyes.words, "lost": True}
    buttons = {}
    for spot, tokens in some(sit.state["place"].items()):
        hand = html(sit)["hand"].partition(f'id="place-{spot}"')[2].partition("</details>")[0]
        begins = re.search(r'data-post="/api/move" data-begins="([^"]*)"', hand)[1]
        ends = re.findall(r'<button [^>]*data-ends="([^"]*)"', hand)
        assert begins == f"{spot}="
        assert [begins + end for end in ends] == [action for _, action in tokens]
        buttons[spot] = re.findall(r"<button .*?</button>", hand, re.DOTALL)
        assert not any(spot in button for button in buttons[spot])
    assert buttons["south.L"] == buttons["south.C"] == buttons["south.R"]


def test_only_whole_words_are_a_shared_beginning():
    assert shared_beginning(["west.C=red1", "west.C=red2"]) == "west.C="
    assert shared_beginning(["west.C=red1"]) == "west.C="
    assert shared_beginning(["a1", "b2"]) == ""


@honor
def test_what_lies_hidden_is_told_by_what_it_may_be_and_breaches_by_their_rule(sit, eyes, table):
    eyes.words = {**eyes.words, "lost": True}
    for text in ("south.L=red1", "west.C=blue1", "east.L=back"):
        table.play(table.game.parse(table.setup, text), "referee")
    assert "east.L" in sit.state["unknown"]
    assert "red 1" not in sit.state["unknown"]["east.L"]
    assert sit.state["breaches"] == []


@honor
def test_a_scouts_order_is_one_tap(sit, eyes, table):
    table.play(table.game.parse(table.setup, "south.L=red1"), "camera")
    orders = [item for item in sit.state["say"] if item["claim"] and item["own"]]
    assert [item["action"] for item in orders] == ["scout L", "scout C", "scout R", "scout none"]
    assert "/api/say" in html(sit)["do"]
    played(sit, "scout C")
    assert "A scout has ordered West to the centre." in sit.state["situation"]


def test_every_part_of_the_page_is_drawn(sit):
    assert set(html(sit)) == set(PARTS)


# -- cards of one's own ------------------------------------------------------------------


def test_cards_are_entered_changed_and_left_out(sit, own, game):
    card = {"name": "Foe", "kind": "sport", "hits": "2", "plague": ""}
    assert sit.post("/api/cards", card=card).json["cards"] == 1
    assert own.cards(game.name) == ({"name": "Foe", "kind": "sport", "hits": 2},)
    page = sit.get("/cards?card=Foe").text
    assert 'data-instead="Foe"' in page
    assert 'value="2"' in page
    sit.post("/api/cards", card={**card, "name": "Friend"}, instead="Foe")
    assert [known["name"] for known in own.cards(game.name)] == ["Friend"]
    assert sit.post("/api/cards/forget", name="Friend").status_code == 200
    assert own.cards(game.name) == ()


def test_a_field_of_the_wrong_kind_is_told(sit):
    answer = sit.post("/api/cards", card={"name": "Foe", "kind": "sport", "hits": "many"})
    assert answer.status_code == 400
    assert "hits is a whole number" in answer.json["error"]["message"]
    assert sit.post("/api/cards", card="Foe").status_code == 400


def test_a_file_that_cannot_be_read_is_told_on_the_page(sit, tmp_path):
    (tmp_path / "hoplomachus-cards.toml").write_text("[[")
    assert "is no TOML" in sit.get("/cards").text


@honor
def test_a_game_without_cards_of_its_owner_has_no_such_page(sit):
    assert sit.get("/cards").status_code == 404
    assert not sit.state["owns"]


# -- a deck that the camera is shown -----------------------------------------------------


@honor
@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (Uncertain("No card can be made out on West's centre."), 400, "uncertain"),
        (HardwareFault("the camera is gone"), 503, "hardware"),
        (BadInput("there is no such place"), 400, "bad_input"),
    ],
)
def test_a_doubt_of_the_camera_is_neither_its_fault_nor_a_players(
    sit, eyes, table, fault, status, code
):
    def teach(tokens):
        raise fault

    eyes.teach = teach
    table.note("paused", {}, "host")
    answer = sit.post("/api/deck", batch=0)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert answer.json["error"]["message"] == str(fault)


@honor
def test_a_deck_is_shown_batch_by_batch_while_the_game_is_paused(sit, eyes, table):
    assert sit.state["teaches"]
    shown = []
    eyes.teach = shown.append
    first = sit.post("/api/deck", batch=0)
    assert (first.status_code, first.json["error"]["code"]) == (409, "not_paused")
    assert table.paused
    assert sit.post("/api/deck", batch=0).json["next"] == 1
    assert sit.post("/api/deck", batch=2).json["next"] is None
    assert sit.post("/api/deck", batch=3).status_code == 400
    assert shown[0]["south.L"] == "red 1"
    assert list(shown[1].values())[-1] == "back"
    assert "red 1" in sit.get("/deck").text
    assert "All cards are known" in sit.get("/deck?batch=3").text


@pytest.mark.parametrize("game", ["victorus"], indirect=True)
def test_there_is_no_deck_to_show_where_tokens_are_no_cards(sit):
    assert sit.get("/deck").status_code == 404
    assert not sit.state["teaches"]


@honor
def test_hidden_spoils_are_told_to_their_owner_alone(sit, evening, new_phone, app):
    """Of spoils that are hidden no other phone is told a card, neither as values nor drawn."""
    evening.begin("victory_honor", None, {"spoils": "hidden"})
    other = new_phone("192.168.1.98")
    other.post("/api/join", code=web.invitation(app).partition("#")[2])
    other.post("/api/seat", seat="west")
    assert list(sit.state["own_fields"]) == ["south"]
    assert list(other.state["own_fields"]) == ["west"]
    assert new_phone("192.168.1.99").state["own_fields"] == {}
    for card in other.state["scorecards"]:
        assert next(f for f in card["fields"] if f["label"] == "Spoils")["tokens"] == []
    assert html(sit)["mine"].count("Your spoils") == 1
    assert "Your spoils" not in html(sit)["cards"]


@honor
def test_a_spot_may_be_asked_about_in_small_and_large_letters(sit):
    page = sit.get("/allowed?from=SOUTH.l&to=South.C").text
    assert "Not allowed" in page
    assert 'value="SOUTH.l"' in page
