"""Points and scorecards of HexiMeros, and its own notation."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros.notation import Score, write_score
from companion.games.heximeros.pieces import CAPTURE, DRAWN
from companion.rules import Action, read_record, setup_then
from tests.checks.loops import some

GOLDEN = Path(__file__).parent / "golden"


def meant(score: Score, text: str) -> list[Action]:
    """Return every action allowed now that is written as ``text``."""
    allowed = (*GAME.legal(score.state), *GAME.claims(score.state))
    return [action for action in allowed if score.write(action) == text]


def read_back(start: object, lines: list[str]) -> list[Action]:
    """Return the only actions that ``lines`` can mean, one after another from ``start``."""
    score, actions = Score(start), []
    for line in lines:
        (action,) = meant(score, line)
        actions.append(action)
        score.play(action)
    return actions


def points(hx: ModuleType, state: object) -> list[int | None]:
    return [card.score for card in GAME.scorecards(state)]


@pytest.mark.parametrize(("kind", "worth"), CAPTURE.items())
def test_captures_count_what_the_rules_say(hx: ModuleType, kind: str, worth: int) -> None:
    state = hx.lay(f"silver R 0 5; red {kind} 0 1", scoring="yes")
    after = hx.play(state, hx.move((0, 5), (0, 1)))
    lost = -50 if kind == "S" else 0
    assert points(hx, after) == [worth, 0, 0, 0, 0, lost]
    assert GAME.scorecards(after)[0].fields[1].tokens == (f"red {kind}",)


def test_the_points_are_those_of_the_rules() -> None:
    assert list(CAPTURE.values()) == [75, 55, 45, 40, 30, 30, 25, 15, 5, 10]
    assert list(DRAWN.values()) == [37, 27, 22, 20, 15, 15, 12, 7, 2, 5]


def test_pieces_of_ones_own_side_count_nothing(hx: ModuleType) -> None:
    state = hx.lay("silver D 0 6; silver R 0 5; red C 0 4", scoring="yes")
    after = hx.play(state, hx.move((0, 6), (0, 2)))
    assert points(hx, after)[0] == 25
    assert GAME.scorecards(after)[0].fields[1].tokens == ("silver R", "red C")


def test_sovereigns_that_are_lost_cost_less_and_less(hx: ModuleType) -> None:
    lost = "red S 0 4; green S 0 3; yellow S 0 2"
    state = hx.lay(f"silver D 0 6; {lost}", scoring="yes")
    after = hx.play(state, hx.move((0, 6), (0, 2)))
    assert points(hx, after) == [225, 0, -30, 0, -40, -50]
    assert [card.fields[3].value for card in GAME.scorecards(after)] == ["", "", "3", "", "2", "1"]


def test_the_winner_counts_what_he_has_left(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 -5; silver M+ 3 3; red C 5 5",
                   out="blue yellow green red", scoring="yes")  # fmt: skip
    after = hx.play(state, hx.move((0, -5), (0, -13)), "token")
    assert points(hx, after) == [75 + 100 + 75 + 55 + 10, 0, 0, -50, 0, 0]
    assert GAME.scorecards(after)[0].fields[5].value == str(75 + 55 + 10)


def test_a_draw_counts_less_and_for_both(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 -5; orange M 3 3; orange M+ 3 5",
                   out="blue yellow green red", scoring="yes")  # fmt: skip
    after = hx.play(state, "draw")
    assert points(hx, after) == [45 + 37 + 27, 0, 0, 45 + 37 + 2 + 5, 0, 0]
    assert GAME.scorecards(after)[0].fields[5].value == str(37 + 27)


def test_leaving_costs_nothing_being_expelled_500(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5", scoring="yes")
    after = hx.play(state, "concede=blue", "expel=red", "resign")
    assert points(hx, after) == [0, 0, 0, 0, 0, -500]


def test_a_promotion_counts_what_the_new_piece_is_worth(hx: ModuleType) -> None:
    state = hx.lay("silver M 2 0", scoring="yes")
    after = hx.play(state, hx.move((2, 0), (2, -1), "R"))
    assert points(hx, after)[0] == 55
    assert GAME.scorecards(after)[0].fields[2].tokens == ("silver R",)


def hat(hx: ModuleType, out: str = "") -> object:
    state = hx.lay("silver M+ 2 -13; orange S 6 -12", out=out, scoring="yes")
    return hx.play(state, hx.move((2, -13), (2, -14)))


def test_a_hats_siblings_count_twice(hx: ModuleType) -> None:
    after = hx.play(hat(hx), hx.place((2, -14), "R"), hx.place((0, -13), "D"))
    assert points(hx, after)[0] == 2 * 55 + 2 * 15


def test_another_colours_piece_counts_for_both_players(hx: ModuleType) -> None:
    after = hx.play(hat(hx), hx.place((2, -14), "blue R"), hx.place((0, -13), "red C"))
    assert points(hx, after) == [27 + 12, 27, 0, 0, 0, 12]


def test_a_fallen_colours_piece_counts_for_the_promoter_alone(hx: ModuleType) -> None:
    after = hx.play(hat(hx, out="blue"), hx.place((2, -14), "blue R"))
    assert points(hx, after) == [27, 0, 0, 0, 0, 0]


def test_a_resurrection_counts_twice_the_sovereign(hx: ModuleType) -> None:
    after = hx.play(hat(hx, out="blue"), hx.place((2, -14), "blue S"))
    assert points(hx, after) == [150, 0, 0, 0, 0, 0]
    mine = hx.play(after, "token", hx.move((2, -14), (2, -13)))
    assert points(hx, mine) == [150, 0, 0, 0, 0, 0]


def test_without_scoring_no_points_are_shown(hx: ModuleType) -> None:
    state = hx.play(hx.lay("silver R 0 5; red C 0 1"), hx.move((0, 5), (0, 1)))
    assert points(hx, state) == [None] * 6
    assert [len(card.fields) for card in GAME.scorecards(state)] == [5] * 6


def test_who_has_the_token_is_on_the_card() -> None:
    state = GAME.start(GAME.setup())
    assert [card.status for card in GAME.scorecards(state)] == ["has the Token"] + [""] * 5


# -- the game's own notation -----------------------------------------------------------------------


def test_a_piece_is_named_by_colour_axis_and_kind(hx: ModuleType) -> None:
    state = GAME.start(GAME.setup())
    score = Score(state)
    archers = hx.move((5, 9), (5, 8))
    assert score.write(archers) == "S.SAr.M v3"
    assert meant(score, "S.SAr.M v3") == [archers]
    score.play(archers)
    assert score.write(Action("token")) == "token"
    score.play(Action("token"))
    assert score.write(hx.move((-12, 12), (-11, 11))) == "B.BS.M f5"


def test_the_space_of_origin_tells_two_pieces_of_one_name_apart(hx: ModuleType) -> None:
    state = hx.lay("silver Al -6 16; silver Al 6 10")
    score = Score(state)
    both = hx.move((-6, 16), (-6, 15))
    assert score.write(both) == f"S.SAl {hx.spot(-6, 15)}"
    state = hx.lay("silver Al 0 3; silver Al 3 0")
    score = Score(state)
    alike = hx.move((0, 3), (0, 0))
    assert score.write(alike) == f"S.Al {hx.spot(0, 3)}-{hx.spot(0, 0)}"
    assert meant(score, score.write(alike)) == [alike]
    assert meant(score, f"S.Al {hx.spot(0, 0)}") == []


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_sanctuary_has_a_sign_of_its_own(hx: ModuleType, side: str) -> None:
    state = hx.lay("silver Al -6 16; silver Al 6 10", assassin_side=side)
    west, east = hx.move((0, 13), (-4, 15)), hx.move((0, 13), (4, 11))
    score = Score(state)
    signs = ["S <=> A.Al", "S <=> R.Al"]
    assert [score.write(west), score.write(east)] == (signs if side == "left" else signs[::-1])
    score.play(west)
    score.play(Action("token"))
    assert score.state.board[hx.g.NUMBER[-2, 14]]


def test_the_first_promoted_piece_is_number_one(hx: ModuleType) -> None:
    score = Score(hx.lay("silver M 2 0"))
    rises = hx.move((2, 0), (2, -1), "R")
    assert score.write(rises) == f"S.M {hx.spot(2, -1)}=R[1]"
    score.play(rises)


def test_what_a_hat_brings_is_numbered_too(hx: ModuleType) -> None:
    score = Score(hx.lay("silver M+ 2 -13"))
    score.play(hx.move((2, -13), (2, -14)))
    assert score.write(hx.place((2, -14), "R")) == f"S.R[1] @{hx.spot(2, -14)}"


@pytest.mark.slow
@pytest.mark.no_cover  # each move is compared with hundreds: other tests prove line by line
def test_promoted_pieces_are_numbered(hx: ModuleType) -> None:
    state = hx.lay("silver M 2 0; silver M 4 -1; silver M+ 2 -13; orange S 6 -12; blue C -9 9")
    others = [hx.move((-13, 13), (-12, 12)), hx.move((-13, 0), (-12, 0)),
              hx.move((6, -12), (6, -11)), hx.move((13, -13), (12, -12)),
              hx.move((13, 0), (12, 0))]  # fmt: skip
    back = [Action("move", a.target, a.origin) for a in others]
    actions = [hx.move((2, 0), (2, -1), "R"), Action("token")]
    for other in others:
        actions += [other, Action("token")]
    actions += [hx.move((4, -1), (4, -2), "R"), Action("token")]
    for other in back:
        actions += [other, Action("token")]
    actions += [hx.move((2, -13), (2, -14)), hx.place((2, -14), "R"), hx.place((0, -13), "blue P"),
                Action("token")]  # fmt: skip
    for action in actions[:-1]:
        assert action.verb in ("move", "place", "token")
    lines = write_score(state, actions)
    assert lines[0] == f"S.M {hx.spot(2, -1)}=R[1]"
    assert lines[12] == f"S.M {hx.spot(4, -2)}=R[2]"
    assert lines[-3:] == [f"S.R[3] @{hx.spot(2, -14)}", f"B.P[1] @{hx.spot(0, -13)}", "token"]
    score, numbered = Score(state), 0
    for line, action in zip(lines, actions, strict=True):
        if "[" in line:
            assert meant(score, line) == [action]
            numbered += 1
        score.play(action)
    assert numbered == 4


def test_shots_and_words_are_read_back(hx: ModuleType) -> None:
    state = hx.lay("silver Ar 0 6; red C 0 1; red S 3 3")
    actions = [hx.shot((0, 6), (0, 5), (0, 1)), Action("expel", detail="red"), Action("token")]
    lines = write_score(state, actions)
    assert lines == [f"S.Ar {hx.spot(0, 5)}*{hx.spot(0, 1)}", "expel=red", "token"]
    assert read_back(state, lines) == actions


@pytest.mark.slow
@pytest.mark.no_cover  # each move is compared with hundreds: other tests prove line by line
def test_whole_games_come_back_from_their_own_notation() -> None:
    for path in some(sorted(GOLDEN.glob("heximeros_*.txt"))):
        record = read_record(path.read_text(encoding="utf-8"))
        setup = setup_then(GAME, record.seats, record.options, record.rules)
        start = GAME.start(setup)
        if record.position:
            start = GAME.arrange(setup, record.position, record.to_move)
        actions = [GAME.parse(setup, text) for text in record.actions]
        assert read_back(start, write_score(start, actions)) == actions


@pytest.mark.no_cover
@pytest.mark.parametrize("length", [15, pytest.param(120, marks=pytest.mark.slow)])
def test_random_games_come_back_from_their_own_notation(length: int) -> None:
    rng = random.Random(4)
    start = state = GAME.start(GAME.setup())
    actions = []
    for _ in range(length):
        actions.append(rng.choice(GAME.legal(state)))
        state = GAME.advance(state, actions[-1])
    assert read_back(start, write_score(start, actions)) == actions
