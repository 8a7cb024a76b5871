"""What a refusal of HexiMeros says: the piece and its space, how it goes, and what stands in its
way or where it would end."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from companion.games.heximeros.pieces import SOVEREIGN, code_of
from companion.rules import Action

Cell = tuple[int, int]


def named(hx: ModuleType, sentence: str) -> str:
    """Return ``sentence`` with the names of its spaces, which it writes as ``<q,r>``."""
    return re.sub(r"<(-?\d+),(-?\d+)>", lambda m: hx.spot(int(m[1]), int(m[2])), sentence)


FIRST = (
    "one or two spaces straight ahead on its first move, or captures diagonally ahead, at once or "
    "after one space"
)
CAVALIER = "three flats and then two at sixty degrees to them, or two flats and then one"
FLOWER = "up to ten spaces along a line and on its first move may end one space beside it"
LINE = "up to ten spaces along a line, and ends beside one on its first move alone"

HOW: list[tuple[str, Cell, Cell, str]] = [
    # pieces, origin, target, how the piece goes
    ("silver Militant 0 12", (0, 12), (1, 12), FIRST),
    ("silver Militant 2 3", (2, 3), (2, 4),
     "one space straight ahead, or captures one space diagonally ahead"),
    ("silver Sovereign 3 3", (3, 3), (3, 5), "one space along a flat or a line"),
    ("silver Alcazar 3 3", (3, 3), (4, 4), "any distance along a flat"),
    ("silver Regent 3 3", (3, 3), (4, 5), "any distance along a flat or a line"),
    ("silver Prelate 3 3", (3, 3), (3, 4), LINE),
    ("silver Prelate -10 2", (-10, 2), (12, -9), LINE),
    ("silver Prelate -2 14", (-2, 14), (5, 5), FLOWER),
    ("silver Prelate -2 14; silver Dreadnaught -3 14", (-2, 14), (5, 5), FLOWER),
    ("silver Cavalier 3 3", (3, 3), (3, 4), CAVALIER),
    ("silver Dreadnaught 3 3", (3, 3), (3, 4), "exactly four flats in one direction"),
    ("silver Archer 0 5", (0, 5), (0, 3), "one space along a flat or a line"),
    ("silver Archer 0 5; red Cavalier 0 3", (0, 5), (0, 3), "one space along a flat or a line"),
    ("silver Assassin 0 5", (0, 5), (0, 9),
     "one flat and then two lines of one axis, or one line and then two flats of one axis"),
]  # fmt: skip
KINDS = {"Militant": "M", "Sovereign": "S", "Alcazar": "Al", "Regent": "R", "Prelate": "P",
         "Cavalier": "C", "Dreadnaught": "D", "Archer": "Ar", "Assassin": "As"}  # fmt: skip


@pytest.mark.parametrize(("pieces", "origin", "target", "how"), HOW)
def test_a_way_that_no_piece_of_its_kind_goes_tells_how_this_one_does(
    hx: ModuleType, pieces: str, origin: Cell, target: Cell, how: str
) -> None:
    piece = " ".join(pieces.split()[:2])
    for kind, short in KINDS.items():
        pieces = pieces.replace(kind, short)
    reason = hx.judged(hx.lay(pieces), hx.move(origin, target)).reason
    spots = {"here": hx.spot(*origin), "there": hx.spot(*target)}
    assert reason == (
        f"The {piece} on {spots['here']} goes {how}; that does not lead to {spots['there']}."
    )


@pytest.mark.parametrize("kind", ["S", "M+", "C", "D", "Ar", "As"])
def test_from_ground_zero_a_piece_is_told_that_it_may_go_twice_as_far(
    hx: ModuleType, kind: str
) -> None:
    state = hx.lay(f"silver {kind} 0 0")
    assert ", or twice as far from Ground Zero; that does not lead to " in (
        hx.judged(state, hx.move((0, 0), (5, -9))).reason
    )
    three = hx.judged(hx.lay(f"silver {kind} 0 0", doubling="three"), hx.move((0, 0), (5, -9)))
    assert ("twice as far" in three.reason) == (kind in ("S", "M+", "C"))


@pytest.mark.parametrize(
    ("option", "how"),
    [
        ("diagonal", "and captures one space diagonally ahead, at once or after any flat; that "),
        ("straight", "where it may capture, and captures one space diagonally ahead; that "),
    ],
)
def test_from_ground_zero_a_militant_is_told_both_its_ways(
    hx: ModuleType, option: str, how: str
) -> None:
    state = hx.lay("silver M 0 0", ground_zero=option)
    ruling = hx.judged(state, hx.move((0, 0), (0, 1)))
    assert (ruling.rule, how in ruling.reason) == ("HX-4.8", True)


MET: list[tuple[str, Cell, Cell, str, str]] = [
    # pieces, origin, target, rule, sentence
    ("silver M 2 3", (2, 3), (2, 1), "HX-4.1",
     "The silver Militant on <2,3> has made its first move: it goes one space only, not as far as "
     "<2,1>."),
    ("silver P 2 12; silver C 3 11", (2, 12), (3, 11), "HX-3.3",
     "The silver Cavalier on <3,11> belongs to the same side."),
    ("silver S 0 0; red C 0 1; silver C 0 2", (0, 0), (0, 2), "HX-4.8",
     "The red Cavalier on <0,1> is in the way."),
    ("silver M+ 0 0; silver C 0 2", (0, 0), (0, 2), "HX-3.3",
     "The silver Cavalier on <0,2> belongs to the same side."),
    ("silver Ar 0 5; red C 0 4", (0, 5), (0, 4), "HX-4.4",
     "An Archer goes to an empty space and captures by shooting alone: the red Cavalier stands on "
     "<0,4>."),
    ("silver M 0 0; red C 0 -1; red C 1 -3", (0, 0), (1, -3), "HX-4.1",
     "The red Cavalier on <0,-1> is in the way."),
    ("silver D 0 6; silver S 0 4", (0, 6), (0, 2), "HX-4.5",
     "A Dreadnaught does not sweep over its own side's Sovereign: the silver Sovereign on <0,4> is "
     "on its way."),
    ("silver As 0 5", (0, 5), (1, 6), "HX-4.6",
     "An Assassin stops before the end of its way only to capture, and <1,6> is empty."),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "origin", "target", "rule", "told"), MET)
def test_what_stands_in_the_way_or_at_the_end_is_named_with_its_space(
    hx: ModuleType, pieces: str, origin: Cell, target: Cell, rule: str, told: str
) -> None:
    ruling = hx.judged(hx.lay(pieces), hx.move(origin, target))
    assert (ruling.allowed, ruling.rule, ruling.reason) == (False, rule, named(hx, told))


def test_a_prelates_first_move_tells_what_blocks_each_of_its_ways(hx: ModuleType) -> None:
    one = hx.lay("silver P 2 12; silver M 3 10")
    ruling = hx.judged(one, hx.move((2, 12), (3, 9)))
    assert ruling.reason == named(hx, "The silver Militant on <3,10> is in the way.")
    two = hx.lay("silver P 2 12; silver M 3 10; red M 4 11; red C 4 10")
    ruling = hx.judged(two, hx.move((2, 12), (4, 10)))
    assert ruling.reason == named(
        hx, "Every way to <4,10> is blocked: the silver Militant on <3,10>, the red Militant on "
        "<4,11>.")  # fmt: skip
    assert hx.judged(hx.lay("silver P 2 12; silver M 3 10"), hx.move((2, 12), (4, 10))).allowed


def test_an_own_piece_where_no_line_leads_a_prelate_is_not_what_decides(hx: ModuleType) -> None:
    ruling = hx.judged(hx.lay("silver P 2 12; silver M 2 3"), hx.move((2, 12), (2, 3)))
    assert ruling.rule == "HX-4.2"
    assert "that does not lead to" in ruling.reason


def test_the_sanctuary_names_who_has_moved_or_what_stands_there(hx: ModuleType) -> None:
    array = "silver S 0 13; silver Al 6 10"
    home, end = (0, 13), (4, 11)
    assert hx.judged(hx.lay(array), hx.move(home, end)).allowed
    met = hx.judged(hx.lay(array + "; silver C 4 11"), hx.move(home, end))
    assert met.reason == named(
        hx, "For the Sanctuary the spaces of the Cavalier and the Prelate have to be empty: the "
        "silver Cavalier stands on <4,11>.")  # fmt: skip
    beside = hx.judged(hx.lay(array + "; silver P 2 12"), hx.move(home, end))
    assert beside.reason.endswith(named(hx, "the silver Prelate stands on <2,12>."))
    gone = hx.judged(hx.lay("silver S 0 13"), hx.move(home, end))
    assert gone.reason == named(
        hx, "The Sanctuary is the Alcazar's first move too, and on <6,10> stands none that has not "
        "moved.")  # fmt: skip
    state, cell = hx.lay(array), hx.g.NUMBER[home]
    board = bytearray(state.board)
    board[cell] = code_of(0, SOVEREIGN)
    moved = hx.judged(state._replace(board=bytes(board)), hx.move(home, end))
    assert moved.reason == named(
        hx, "The Sanctuary is the Sovereign's first move, and the silver Sovereign on <0,13> has "
        "moved.")  # fmt: skip


def test_a_shot_that_is_none_names_who_shoots_and_what_does_not_lie_so(hx: ModuleType) -> None:
    state = hx.lay("silver Ar 0 6; silver R 3 6; red C 0 4")
    told = hx.judged(state, hx.shot((3, 6), (3, 5), (3, 1))).reason
    assert told == named(hx, "Archers alone shoot; the silver Regent on <3,6> does not.")
    told = hx.judged(state, hx.shot((0, 6), (0, 5), (0, 4))).reason
    assert told == named(
        hx, "From <0,5> an Archer shoots exactly 4 flats away in a straight line; <0,4> does not "
        "lie so.")  # fmt: skip


def test_who_has_moved_is_told_with_what(hx: ModuleType) -> None:
    state = hx.play(hx.lay("silver R 0 5; silver M 3 6"), hx.move((0, 5), (0, 4)))
    told = hx.judged(state, hx.move((3, 6), (3, 5))).reason
    assert told == named(
        hx, "Silver has moved the silver Regent on <0,4>; take that back first, or pass the Token."
    )
    other = hx.judged(hx.lay("blue R 3 3"), hx.move((3, 3), (3, 4))).reason
    assert other == named(hx, "Silver has the Token; this is the blue Regent on <3,3>.")


def test_a_hat_that_became_a_piece_elsewhere_has_moved_all_the_same(hx: ModuleType) -> None:
    state = hx.lay("silver M+ 0 -12; silver R 3 3")
    hat = hx.play(state, hx.move((0, -12), (0, -13)))
    home = hx.g.AXIAL[hx.g.BASE_LINES[1][0]]
    placed = hx.play(hat, hx.place(home, "blue R"))
    told = hx.judged(placed, hx.move((3, 3), (3, 4))).reason
    assert told == "Silver has moved; take that back first, or pass the Token."


def test_a_promotion_is_asked_after_the_move_and_the_turn(hx: ModuleType) -> None:
    state = hx.lay("silver R 3 3; silver M 2 3; silver M+ 5 5; silver M+ 0 -12; blue R -3 3")
    cases = [
        ((3, 3), (4, 5), "R", "HX-4.2", "that does not lead to"),
        ((-3, 3), (-3, 4), "R", "HX-3.1", "Silver has the Token"),
        ((3, 3), (3, 4), "R", "HX-5.1", "Militants alone are promoted; the silver Regent on"),
        ((2, 3), (2, 2), "R", "HX-5.1", "on or past its Center Line or on a Base Line"),
        ((5, 5), (5, 4), "R", "HX-5.2", "is promoted on a Base Line, and"),
        ((0, -12), (0, -13), "R", "HX-5.2", "then it is promoted there"),
    ]
    for origin, target, piece, rule, told in cases:
        ruling = hx.judged(state, hx.move(origin, target, piece))
        assert (ruling.rule, told in ruling.reason) == (rule, True), ruling


def test_what_lies_between_is_asked_after_the_move_and_the_turn(hx: ModuleType) -> None:
    state = hx.lay("silver M 2 3; blue R -3 3")

    def between(origin: Cell, target: Cell) -> Action:
        return Action("move", hx.spot(*origin), hx.spot(*target), "", (hx.spot(0, 0),))

    rules = [
        hx.judged(state, between(*way)).rule
        for way in (((2, 3), (3, 3)), ((-3, 3), (-3, 4)), ((2, 3), (2, 2)))
    ]
    assert rules == ["HX-4.1", "HX-3.1", "HX-1.5"]


def test_a_check_names_the_sovereign_and_who_could_capture_it(hx: ModuleType) -> None:
    told = hx.judged(hx.lay("silver R 3 3"), "check=blue").reason
    assert re.fullmatch(r"No silver piece could capture the blue Sovereign on \S+ now\.", told)
    own = hx.judged(hx.lay("silver R 3 3"), "check=silver").reason
    assert re.fullmatch(r"No piece could capture the silver Sovereign on \S+ now\.", own)


def test_what_stands_on_a_space_decides_only_where_the_new_piece_may_come(hx: ModuleType) -> None:
    state = hx.lay("silver M+ 0 -12; silver R 3 3; blue R 5 5")
    hat = hx.play(state, hx.move((0, -12), (0, -13)))
    blue = hx.g.BASE_LINES[1][0]
    second = hx.play(hat, hx.place((0, -13), "blue R"))
    for state, told in ((hat, "is neither."), (second, "is on neither.")):
        elsewhere = hx.judged(state, hx.place((3, 3), "green D"))
        assert (elsewhere.rule, elsewhere.reason.endswith(told)) == ("HX-5.2", True), elsewhere
        board = bytearray(state.board)
        board[blue] = state.board[hx.g.NUMBER[3, 3]]
        there = hx.place(hx.g.AXIAL[blue], "blue D")
        taken = hx.judged(state._replace(board=bytes(board)), there)
        assert taken.reason == f"The silver Regent stands on {there.target}."
