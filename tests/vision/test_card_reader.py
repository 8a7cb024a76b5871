"""Cards on a simulated table, told by the camera from their faces."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from companion.cli import main
from companion.rules import Uncertain, picture_of, tokens_of
from companion.simulation.recorded_game import RecordedScene, record
from tests.checks import card_evenings
from vision.cards.cards import KnownDeck
from vision.cards.printed_cards import flat


@pytest.fixture(scope="module")
def rounds():
    return card_evenings


@pytest.fixture(scope="module")
def begun(rounds):
    """A table at the start of a round, watched by a camera."""
    return rounds.CardEvening(0, trouble=False, size=(1280, 960))


@pytest.fixture
def table(begun):
    return begun.copy()


def told(table):
    return [str(table.table.game.format(action)) for action in table.table.actions]


def lay(table, spot, token):
    table.cards.put(spot, token)
    table.watch()
    for _ in range(6):
        table._read()


@pytest.mark.slow
def test_a_phase_is_read_card_by_card(table):
    table.phase()
    assert table.counts["cards"] >= 12
    assert table.failures == []
    assert table.table.state.number == 2, "gathered cards end the phase"


def test_two_cards_laid_in_one_picture_are_told_in_the_order_of_play(table):
    table.cards.put("west.C", "blue 2")
    table.cards.put("south.L", "red 7")
    table.watch(2)
    assert told(table) == ["south.L=red7", "west.C=blue2"]


def test_a_card_in_doubt_says_what_it_may_be(other):
    other.cards.put("south.L", "joker 2")
    trace = other.reader.why(look(other))
    assert trace.verdict == "asked"
    [place] = [one for one in trace.spots if one.spot == "south.L"]
    assert "doubtful" in place.marks
    assert len(place.candidates) > 1
    assert all(one.log_likelihood <= 0 for one in place.candidates)


def test_a_card_on_a_wrong_place_is_refused_once_and_may_be_moved(table):
    lay(table, "north.L", "red 7")
    refused = [event for event in table.table.events() if event.kind == "refused"]
    assert len(refused) == 1
    assert "North's left flank" in table._read().message
    table.cards.move("north.L", "south.L")
    table.watch(1)
    assert told(table) == ["south.L=red7"]
    assert table._read().message == ""


def test_a_card_taken_up_again_is_missing_until_another_is_played(table):
    lay(table, "south.L", "red 7")
    table.cards.remove("south.L")
    table.watch()
    assert "south.L" in table._read().differs
    lay(table, "south.C", "black 5")
    assert told(table) == ["south.C=black5"]


PHASE = """south.R=yellowG2 east.L=blackG1 south.C=red6 north.L=black2 east.R=yellow4 north.C=red7
    south.L=black5 west.C=redG3 east.C=redG1 west.L=blackG3 north.R=yellowG1 west.R=back"""


@pytest.mark.slow
def test_a_back_in_doubt_is_asked_about_only_when_another_side_seems_to_be_up(table, rounds):
    game, setup = table.table.game, table.table.setup
    for text in PHASE.split():
        assert table.table.play(game.parse(setup, text), "phone").allowed
    deck = KnownDeck()
    for token in tokens_of(game, setup):
        if token != "back":
            deck.enrol(token, flat(picture_of(game, setup, token)))
    spoilt = flat(picture_of(game, setup, "back"))
    spoilt[:110] = 235
    deck.teach("back", spoilt)
    file = table.camera.table_file()
    table.reader = rounds.CardReader(game, setup, file, live=True, deck=deck)
    table.cards.lay(dict(game.expect(table.table.state)))
    reading = look(table, 14)
    assert reading.asks == ()
    assert reading.position["west.R"] == "back"
    lay(table, "west.R", "red 5")
    assert told(table)[-1] == "west.R=red5"


def test_a_card_of_another_deck_is_asked_about_and_then_known(table, rounds):
    file = table.camera.table_file()
    reader = rounds.CardReader(rounds.GAME, table.table.setup, file, live=True, deck=KnownDeck())
    table.reader = reader
    table.cards.put("south.L", "red 7")
    asks = ()
    for _ in range(8):
        asks = asks or table._read().asks
    assert [str(steps[0].action) for steps in asks][:2] == ["*south.L=red 1", "*south.L=red 2"]
    game = table.table.game
    table.table.play(game.parse(table.table.setup, "south.L=red7"), "phone")
    for _ in range(3):
        table._read()
    assert "red 7" in reader.deck.faces
    assert table._read().position["south.L"] == "red 7"
    assert table._read().asks == ()


def look(table, times=10):
    """Read until the camera asks, and return the last reading."""
    reading = None
    for _ in range(times):
        reading = table._read()
        if reading.asks and not table.camera.busy:
            break
    return reading


def legal(table):
    return {str(action) for action in table.table.game.legal(table.table.state)}


def candidates(reading):
    return [[str(step.action) for step in steps] for steps in reading.asks]


@pytest.fixture(scope="module")
def strange(rounds):
    """A table on which cards lie that are not of the printed deck."""
    return rounds.CardEvening(0, trouble=False, size=(1280, 960), others=True)


@pytest.fixture
def other(strange):
    return strange.copy()


@pytest.mark.slow
def test_a_card_that_was_never_enrolled_is_asked_about_the_possible_ones_first(other):
    lay(other, "south.L", "red 7")
    lay(other, "west.C", "blue 2")
    other.cards.put("east.R", "joker 3")
    asked = candidates(look(other))
    assert told(other) == ["south.L=red7", "west.C=blue2"]
    assert len(asked) == 6
    assert all(first.startswith("*east.R=") for (first,) in asked)
    assert {first for (first,) in asked} <= legal(other)
    assert not {"*east.R=red 7", "*east.R=blue 2"} & {first for (first,) in asked}

    game, setup = other.table.game, other.table.setup
    other.table.play(game.parse(setup, "east.R=black5"), "phone")
    reading = look(other)
    assert reading.asks == ()
    assert reading.differs == ()
    assert reading.position["east.R"] == "black 5"
    assert other.reader.deck.taught == {}, "a printed deck learns no stranger"


def test_what_is_played_after_an_unknown_card_is_no_wrong_play(other):
    other.cards.put("south.L", "joker 2")
    other.cards.put("west.C", "blue 2")
    asked = candidates(look(other))
    assert told(other) == []
    assert [event for event in other.table.events() if event.kind == "refused"] == []
    assert all(len(steps) == 2 and steps[1] == "*west.C=blue 2" for steps in asked)
    # A blue card there would have to be followed, not opened, by the next.
    assert not any("=blue" in steps[0] for steps in asked)


@pytest.mark.slow
def test_in_a_recording_an_unknown_card_is_uncertain_and_what_follows_it_is_told(
    other, tmp_path, capsys
):
    laid = ("south.R yellow G2", "east.L joker 2", "south.C red 6", "north.L back")
    scenes = [RecordedScene(), *(RecordedScene((f"put {card}",)) for card in laid)]
    record(tmp_path / "round", other.camera, scenes)
    assert main(["replay", str(tmp_path / "round"), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [entry for line in lines for entry in line["actions"]]
    assert [(entry["piece"], entry["legal"]) for entry in told] == [
        ("yellow G2", True), ("red 6", True), ("back", True),
    ]  # fmt: skip
    assert [len(line["actions"]) for line in lines if line["actions"]] == [1, 1, 1]
    uncertain = lines[-1]["ask"]
    assert len(uncertain) == 6
    for steps in uncertain:
        assert [step["to"] for step in steps] == ["east.L", "south.C", "north.L"]
        assert steps[0]["p"] < 0.5
        assert all(step["legal"] for step in steps)
    assert "joker 2" not in {step["piece"] for steps in uncertain for step in steps}


def test_an_unknown_card_where_none_may_be_laid_is_named(other):
    other.cards.put("north.L", "joker 2")
    reading = look(other)
    assert reading.asks == ()
    assert reading.differs == ("north.L",)
    assert "North's left flank" in reading.message
    other.cards.remove("north.L")
    assert look(other).message == ""


def test_a_hand_that_rests_on_the_cards_changes_nothing(table):
    lay(table, "south.L", "red 7")
    table.camera.troubles = table.camera.troubles.__class__(paper="south.L")
    for _ in range(6):
        reading = table._read()
    assert told(table) == ["south.L=red7"]
    assert reading.differs == ()


def trouble(table, **switches):
    table.camera.troubles = replace(table.camera.troubles, **switches)


@pytest.mark.slow
@pytest.mark.parametrize("spot", ["south.reserve", "east.reserve"])
def test_a_cup_where_no_card_may_be_laid_is_none(table, spot):
    trouble(table, cup=spot, lamp=0.6)
    assert look(table).position == {}
    lay(table, "south.L", "red 7")
    assert table._read().position == {"south.L": "red 7"}
    assert told(table) == ["south.L=red7"]


def test_a_card_half_under_a_hand_is_told_rightly_or_waits_until_the_hand_is_gone(table):
    trouble(table, resting="south.L")
    table.cards.put("south.L", "red 7")
    for _ in range(7):
        table._read()
    assert told(table) in ([], ["south.L=red7"])
    trouble(table, resting=None)
    table.watch(1)
    assert told(table) == ["south.L=red7"]


def test_a_hand_that_stays_on_a_card_is_asked_about_and_no_card_is_guessed(table):
    trouble(table, resting="south.L")
    table.cards.put("south.L", "black G2")
    asked = candidates(look(table, 20))
    assert told(table) in ([], ["south.L=blackG2"])
    assert {first for (first,) in asked} <= legal(table)


@pytest.mark.slow
@pytest.mark.parametrize("gloss", [0.3, 0.7])
def test_cards_in_shiny_sleeves_are_read(table, gloss):
    trouble(table, gloss=gloss)
    for number, (spot, token) in enumerate(
        (("south.R", "yellow G2"), ("east.L", "black G1"), ("south.C", "red 6")), 1
    ):
        table.cards.put(spot, token)
        table.watch(number)
    assert told(table) == ["south.R=yellowG2", "east.L=blackG1", "south.C=red6"]
    assert table.counts["asked"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("known", "colour"),
    [
        pytest.param(True, (0, 110, 160), id="seen dark before"),
        pytest.param(False, (255, 255, 255), id="lit from the first"),
        pytest.param(True, (255, 140, 0), marks=pytest.mark.slow),
        pytest.param(True, (255, 255, 255), marks=pytest.mark.slow),
        pytest.param(False, (0, 110, 160), marks=pytest.mark.slow),
        pytest.param(False, (255, 140, 0), marks=pytest.mark.slow),
    ],
)
def test_a_light_under_an_empty_place_is_no_card(rounds, known, colour):
    lit = {}
    table = rounds.CardEvening(0, trouble=False, size=(1280, 960), glow=lambda at: lit)
    if not known:
        table.reader = rounds.CardReader(
            rounds.GAME, table.table.setup, table.camera.table_file(), live=True
        )
    lit |= dict.fromkeys(("south.L", "south.C", "south.R"), colour)
    for _ in range(12):
        reading = table._read()
    assert reading.asks == ()
    assert reading.position == {}
    lay(table, "south.L", "red 7")
    assert told(table) == ["south.L=red7"]


@pytest.mark.parametrize("spot", ["south.L", "south.R"])
def test_a_card_that_glares_is_read_by_what_is_left_of_it(table, spot):
    trouble(table, glare=spot)
    lay(table, spot, "red 7")
    assert told(table) == [f"{spot}=red7"]


@pytest.mark.slow
def test_of_two_similar_decks_a_card_is_asked_about_the_two_possible_ones_first(rounds, other):
    setup, file = other.table.setup, other.camera.table_file()
    deck = KnownDeck()
    shown = flat(picture_of(other.cards.game, setup, "other red 7"))
    deck.teach("red 6", shown)
    deck.teach("red 7", np.asarray(shown * 0.9, np.uint8))
    deck.teach("blue 4", flat(picture_of(other.cards.game, setup, "other blue 4")))
    other.reader = rounds.CardReader(rounds.GAME, setup, file, live=True, deck=deck)
    other.cards.put("south.L", "other red 7")
    asked = candidates(look(other))
    assert told(other) == []
    assert {first for (first,) in asked[:2]} == {"*south.L=red 6", "*south.L=red 7"}
    other.table.play(other.table.game.parse(setup, "south.L=red7"), "phone")

    # What stands alone is known, and what is of neither deck is taken for no card of them.
    lay(other, "west.C", "other blue 4")
    assert told(other) == ["south.L=red7", "west.C=blue4"]
    other.cards.put("east.R", "joker 4")
    assert look(other).asks != ()
    assert len(told(other)) == 2


def test_a_deck_that_is_shown_once_is_known_on_another_evening(table, rounds):
    file, game = table.camera.table_file(), rounds.GAME
    shown = dict(zip(table.cards.board, ("red 7", "red 6", "blue G2", "yellow 4"), strict=False))
    for spot, token in shown.items():
        table.cards.put(spot, token)
    while table.camera.read() and (table.camera.busy or table.camera.hand_in_view):
        pass
    picture = table.camera.read().image
    reader = rounds.CardReader(game, table.table.setup, file, live=True, deck=KnownDeck())
    reader.teach(picture, shown)
    assert set(reader.deck.taught) == set(shown.values())

    with pytest.raises(Uncertain, match=r"No card can be made out on West's centre"):
        reader.teach(picture, {"west.C": "blue 1"})

    other = KnownDeck()
    other.recall(reader.deck.taught)
    again = rounds.CardReader(game, table.table.setup, file, live=True, deck=other)
    again._find(picture)
    seen = again._sight.look(picture, again.camera, shown)
    assert {spot: place.token for spot, place in seen.items()} == shown
