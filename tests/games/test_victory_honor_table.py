"""Victory & Honor on the table: boards, cards, notation, what a camera sees, what is told."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

from companion.games.victory_honor import GAME
from companion.games.victory_honor.drawing import COLOURS
from companion.games.victory_honor.geometry import FACING, ONWARD, SLOT, SLOTS
from companion.rules import Action, BadInput
from companion.rules.geometry import inside
from tests.checks.loops import some

SETUP = GAME.setup()
BOARD = GAME.board(SETUP)


# -- geometry --------------------------------------------------------------------------------


def test_the_forty_cards_have_the_same_four_ranks_of_ten() -> None:
    tokens = GAME.start(SETUP).terms.deck.tokens
    assert len(set(tokens[:40])) == 40
    assert tokens[:10] == (*(f"red {n}" for n in range(1, 8)), "red G1", "red G2", "red G3")
    assert {token.split()[0] for token in tokens[:40]} == {"red", "blue", "black", "yellow"}


def test_every_player_has_three_positions_and_a_place_for_his_reserve() -> None:
    assert len(BOARD.spots) == 16
    for seat in GAME.seats:
        mine = {name for name, spot in BOARD.spots.items() if spot.owner == seat}
        assert mine == {f"{seat}.{place}" for place in ("L", "C", "R", "reserve")}


def test_a_card_fits_its_spot_however_it_is_turned() -> None:
    for spot in some(BOARD.spots.values()):
        for x, y in ((31.5, 44), (44, 31.5)):
            for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                corner = (spot.centre[0] + sx * x, spot.centre[1] + sy * y)
                assert inside(corner, spot.outline)
                assert BOARD.at(corner) == spot


def test_left_is_at_each_players_left_hand() -> None:
    for seat, ahead in (("south", (0, -1)), ("west", (1, 0)), ("north", (0, 1)), ("east", (-1, 0))):
        left, centre = BOARD[f"{seat}.L"].centre, BOARD[f"{seat}.C"].centre
        across = (left[0] - centre[0], left[1] - centre[1])
        # Turning the way he looks a quarter to the left gives the way to his left flank.
        assert across == pytest.approx((100 * ahead[1], -100 * ahead[0]))


def test_facing_positions_face_each_other() -> None:
    assert all(FACING[FACING[slot]] == slot for slot in range(12))
    facing = {SLOTS[a]: SLOTS[b] for a, b in enumerate(FACING)}
    assert facing["south.L"] == "west.R"
    assert facing["south.R"] == "east.L"
    assert facing["south.C"] == "north.C"
    assert [ONWARD[SLOT[f"south.{p}"]] for p in "LCR"] == [1, 2, 3]


# -- cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("second", ["blue", "green"])
def test_every_card_has_its_own_picture_within_its_edges(second: str) -> None:
    setup = GAME.setup(options={"second_colour": second})
    tokens = GAME.start(setup).terms.deck.tokens
    pictures = {GAME.draw(setup, token) for token in tokens}
    assert len(pictures) == len(tokens) == 41
    for picture in pictures:
        xs = [x for stroke in picture for x, _ in stroke.points]
        ys = [y for stroke in picture for _, y in stroke.points]
        assert max(map(abs, xs)) <= 31.5
        assert max(map(abs, ys)) <= 44
        assert {s.fill for s in picture} & {*COLOURS.values(), "#5b4a3a"} or len(picture) > 2


def test_how_a_card_is_turned_means_nothing() -> None:
    look = GAME.look("red 7")
    assert (look.face, look.turn) == ("red 7", None)


def test_all_cards_have_the_same_back() -> None:
    assert len(set(GAME.tokens(SETUP))) == 40
    assert {GAME.turned_over(token) for token in GAME.tokens(SETUP)} == {"back"}


# -- notation --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("south.L=red7", Action("place", None, "south.L", "red 7")),
        ("west.R=back", Action("place", None, "west.R", "back")),
        ("north.reserve=yellowG3", Action("place", None, "north.reserve", "yellow G3")),
        ("scout C", Action("scout", detail="C")),
        ("scout none", Action("scout", detail="none")),
        ("pass", Action("pass")),
        ("pass red7,blue2,black5", Action("pass", detail="red 7, blue 2, black 5")),
        ("redeal", Action("redeal")),
        ("gather", Action("gather")),
        ("void", Action("void")),
        ("count", Action("count")),
    ],
)
def test_actions_are_written_and_read(text: str, action: Action) -> None:
    assert GAME.parse(SETUP, text) == action
    assert GAME.format(action) == text


def test_spaces_and_equals_signs_are_no_matter() -> None:
    assert GAME.parse(SETUP, "scout=C") == Action("scout", detail="C")
    assert GAME.parse(SETUP, "south.L = red 7".replace(" = ", "=")).detail == "red 7"
    assert GAME.format(Action("move", "south.L", "south.C")) == "south.L-south.C"


@pytest.mark.parametrize(
    "text",
    ["south.X=red7", "up.L=red7", "south.L=green7", "south.L=red8", "scout X", "scout", "pass red7",
     "pass red7,red6,back", "gather all", "end", ""],
)  # fmt: skip
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        GAME.parse(SETUP, text)


def test_the_second_regiment_may_be_green() -> None:
    green = GAME.setup(options={"second_colour": "green"})
    assert GAME.parse(green, "south.L=green7").detail == "green 7"
    with pytest.raises(BadInput, match="“blue7” is no piece of Victory & Honor"):
        GAME.parse(green, "south.L=blue7")


# -- what a camera sees ----------------------------------------------------------------------


def test_a_card_laid_or_turned_up_changes_its_spot_alone(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3")
    found = GAME.effect(state, Action("place", None, "west.C", "back"))
    assert (found.seat, found.piece, dict(found.changes)) == ("west", "back", {"west.C": "back"})


def test_a_card_wrongly_moved_is_seen_to_go(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3")
    found = GAME.effect(state, Action("move", "south.L", "south.C"))
    assert dict(found.changes) == {"south.L": None, "south.C": "red 3"}
    assert not GAME.effect(state, Action("move", "south.L", "south.L")).changes
    assert not GAME.effect(state, Action("move", "west.L", "south.L")).changes


def test_gathering_clears_the_boards(cards: ModuleType) -> None:
    game = cards.Round(6)
    game.phase()
    before = cards.replaced(game.state, stage="fought")
    assert not GAME.effect(before, Action("gather")).changes
    assert GAME.effect(game.state, Action("gather")).seat == GAME.to_move(game.state)
    assert GAME.effect(game.state, Action("void")).piece is None
    state = GAME.arrange(SETUP, {f"{s}.{p}": "back" for p in "LCR" for s in GAME.seats})
    for number, slot in enumerate(SLOTS):
        token = state.terms.deck.tokens[number]
        state = GAME.apply(state, Action("place", None, slot, token))
    changes = GAME.effect(state, Action("gather")).changes
    assert changes == dict.fromkeys(SLOTS)


def test_after_the_game_nothing_is_cleared(cards: ModuleType) -> None:
    game = cards.Round(6, setup=GAME.setup(options={"target": "1"}))
    game.play()
    assert game.state.stage == "over"
    found = GAME.effect(game.state, Action("gather"))
    assert (found.seat, dict(found.changes)) == (None, {})
    assert len(GAME.expect(game.state)) == 4
    assert [said.partition(":")[0] for said in GAME.situation(game.state)] == [
        "This round brought", "Points of all rounds",
    ]  # fmt: skip


def test_cards_are_arranged_in_the_order_in_which_they_are_listed() -> None:
    state = GAME.arrange(SETUP, {"south.L": "red 3", "west.C": "blue 4", "east.R": "back"})
    assert GAME.to_move(state) == "north"
    assert state.phase.opened == (0, 1, -1)
    assert GAME.expect(state)["east.R"] == "back"
    assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state
    assert GAME.to_move(GAME.arrange(SETUP, {"south.L": "red 3"}, "east")) == "east"
    assert GAME.to_move(GAME.arrange(SETUP, {}, "east")) == "east"


def test_who_has_no_room_is_not_asked_to_play() -> None:
    full = {"west.L": "red 1", "west.C": "blue 1", "west.R": "black 1", "south.L": "red 2"}
    assert GAME.to_move(GAME.arrange(SETUP, full)) == "north"
    with pytest.raises(BadInput, match="his board is full"):
        GAME.arrange(SETUP, full, "west")


@pytest.mark.parametrize("spot", ["south.reserve", "south.hand"])
def test_only_positions_are_arranged_in_a_phase(spot: str) -> None:
    with pytest.raises(BadInput, match="cannot lie on"):
        GAME.arrange(SETUP, {spot: "red 3"})


@pytest.mark.parametrize(
    ("position", "rules"),
    [
        ({"south.L": "red 3", "west.L": "red 4"}, []),
        ({"south.L": "red 3", "west.L": "red 3", "east.L": "back", "north.L": "back"}, ["VH-1.1"]),
        ({"south.L": "red 3", "west.L": "blue 3"}, ["VH-6.2"]),
        ({"south.L": "red 3", "west.C": "red 4"}, ["VH-6.3"]),
    ],
)
def test_tables_that_cannot_be_are_told(position: dict[str, str], rules: list[str]) -> None:
    found = GAME.check(GAME.arrange(SETUP, position))
    assert [problem.rule for problem in found] == rules
    assert all(problem.reason.endswith(".") and len(problem.spots) >= 1 for problem in found)


# -- what the page tells ---------------------------------------------------------------------


def test_the_situation_tells_who_plays_where_and_what_is_open(cards: ModuleType) -> None:
    assert GAME.situation(cards.laid("dealt pass")) == (
        "Round 1 of 4, phase 1 of 3.", "South plays where he likes.",
    )  # fmt: skip
    told = GAME.situation(cards.laid("south.L=red3"))
    assert told == (
        "Round 1 of 4, phase 1 of 3.",
        "West plays in the centre or the right flank.",
        "Red is open in the left flank.",
        "Red 3 (South's left flank) is ahead in the left flank.",
    )
    assert GAME.highlights(cards.laid("south.L=red3")) == {
        "winning": ("south.L",), "open": ("west.C", "west.R"),
    }  # fmt: skip


def test_a_game_to_a_target_tells_the_points_that_end_it(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3", target="200")
    assert GAME.situation(state)[0] == "Round 1, phase 1 of 3; the game ends at 200 points."


def test_each_stage_of_a_round_says_what_is_awaited(cards: ModuleType) -> None:
    game = cards.Round(6, setup=SETUP)
    seen, plain = set(), game.do

    def do(action: Action) -> None:
        plain(action)
        cards_of = {card.seat: card for card in GAME.scorecards(game.state)}
        mover = GAME.to_move(game.state)
        assert mover is None or cards_of[mover].status
        told = GAME.situation(game.state)
        seen.update((game.state.stage, text) for text in told[-1:])

    game.do = do
    game.play()
    stages = {stage for stage, _ in seen}
    assert stages == {"play", "reveal", "fought", "reserves", "scored"}
    assert ("reserves", "Everybody shows his reserve.") in seen


def test_a_battle_that_nobody_is_winning_is_told() -> None:
    position = {"west.R": "blue 3", "south.L": "black 4", "east.R": "blue 2"}
    lost = GAME.arrange(GAME.setup(options={"bombarded_opening": "lost"}), position)
    assert "Nobody is ahead in the right flank." in GAME.situation(lost)
    fight = GAME.arrange(SETUP, position)
    assert "Blue 2 (East's right flank) is ahead in the right flank." in GAME.situation(fight)


def test_cavalry_is_told_when_it_wins(cards: ModuleType) -> None:
    position = {f"{seat}.{p}": "back" for p in "CR" for seat in GAME.seats}
    flank = {"south.L": "red 5", "west.L": "red G3", "north.L": "red 6", "east.L": "red 7"}
    state = GAME.arrange(SETUP, {**position, **flank})
    free = iter(
        ("blue 2", "blue 3", "blue 5", "blue 6", "black 2", "black 3", "black 5", "black 6")
    )
    for spot in position:
        state = GAME.apply(state, Action("place", None, spot, next(free)))
    words = "East wins the left flank: red 7 (East's left flank) came last and flanks the others."
    assert words in GAME.situation(state)


def test_a_partners_points_stand_on_both_cards(cards: ModuleType) -> None:
    game = cards.Round(6, setup=SETUP)
    game.play()
    found = {card.seat: card for card in GAME.scorecards(game.state)}
    boxes = {seat: {b.label: b.value for b in card.fields} for seat, card in found.items()}
    team = (found["south"].score or 0) + (found["north"].score or 0)
    assert boxes["south"]["Team with North"] == boxes["north"]["Team with South"] == str(team)
    assert boxes["south"]["This round"] == str(found["south"].score)
    alone = GAME.start(GAME.setup(options={"partners": "no"}))
    labels = [box.label for box in GAME.scorecards(alone)[0].fields]
    assert labels == ["Hand", "Spoils", "Reserve", "This round", "Rounds"]


def test_a_damaged_state_is_refused() -> None:
    with pytest.raises(BadInput, match="damaged"):
        GAME.load({**GAME.dump(GAME.start(SETUP)), "scores": [[1, 2]]})


def test_every_spot_and_card_is_judged_as_it_is_listed(
    cards: ModuleType, checks: ModuleType
) -> None:
    """The law of the house, for every card on every spot, through a whole round."""
    game = cards.Round(11, lies=0.1)
    tokens, spots = [*game.state.terms.deck.tokens, "", "joker"], [*BOARD, "east.X"]
    words = [
        Action(w, detail=d)
        for w in GAME.words
        for d in ("", "L", "C", "none", "red 7, red 6, red 5")
    ]
    plain, asked = game.do, 0

    def do(action: Action) -> None:
        nonlocal asked
        plain(action)
        state = game.state
        if asked % 4 == 0 or state.stage != "play":
            allowed = {*GAME.legal(state), *GAME.claims(state)}
            every = [Action("place", None, s, t) for s in spots for t in tokens]
            for tried in [*every, *words, *allowed]:
                checks.check_ruling(GAME, state, tried, allowed)
        asked += 1

    game.do = do
    game.play()
    for action in list(GAME.legal(game.state)):
        do(action)
        break
    assert asked > 40


def test_the_law_of_the_house_holds_while_cards_are_passed(checks: ModuleType) -> None:
    state = GAME.read_position(SETUP, "deal 3")
    for _ in range(4):
        allowed = {*GAME.legal(state), *GAME.claims(state)}
        tried = [*list(allowed)[:40], *(Action(word) for word in GAME.words)]
        tried += [Action("place", None, spot, "red 7") for spot in BOARD]
        tried.append(Action("pass", detail="red 7, red 6, red 5"))
        for action in tried:
            checks.check_ruling(GAME, state, action, allowed)
        state = GAME.apply(state, GAME.legal(state)[7])


def test_a_whole_record_is_read_again(
    cards: ModuleType, tmp_path: Path, checks: ModuleType
) -> None:
    game = cards.Round(4, setup=SETUP)
    game.play()
    checks.check_record(GAME, SETUP, list(game.state.log))
    assert GAME.load(GAME.dump(game.state)) == game.state
    assert hash(GAME.load(GAME.dump(game.state))) == hash(game.state)


def test_every_button_has_words(cards):
    """Passing with known hands has a card each and no button."""
    played = cards.laid("south.L=red1")
    for verb in (*GAME.claims(played), *GAME.claims(GAME.start(GAME.setup()))):
        assert GAME.said(verb), verb
    for text in ("gather", "void", "count", "pass"):
        assert GAME.said(GAME.parse(GAME.setup(), text))
    assert GAME.said(GAME.parse(GAME.setup(), "pass red7,blue2,black5")) == ""
    assert GAME.said(GAME.parse(GAME.setup(), "scout C")) == "the scout orders the centre"


def test_a_card_is_known_by_its_code_in_either_deck_and_a_back_has_none():
    assert GAME.look("green 3").code == GAME.look("blue 3").code == 12
    assert GAME.look("yellow G3").code == 39
    assert GAME.look("back").code == -1
    assert all(GAME.look(token).card for token in GAME.tokens(GAME.setup()))
