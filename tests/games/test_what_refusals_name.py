"""A refusal names what at the table decides it: walls, colours, pieces, degrees, directions."""

from __future__ import annotations

from typing import Any

from companion.games import find_game
from companion.games.victorus.geometry import INDEX as CELLS
from companion.games.victorus.state import VictorusState
from companion.rules import Action
from tests.checks.victorus_tables import ROYALS, after, opened, table, why


def test_a_wall_along_a_spoke_is_marked_by_its_sides() -> None:
    ruling = why(table({"m1": "red black B"}), "m1-l3")
    assert (ruling.rule, ruling.spots) == ("VIC-2.4", ("l2", "m2"))
    assert ruling.reason == "A wall runs along the spoke from m1 to l3."
    bend = why(table({"a2": "red black B"}), "a2-b2")
    assert (bend.rule, "round the bend of a wall" in bend.reason) == ("VIC-2.4", True)
    tip = why(table({"b4": "red white B"}, wall_tip="forbidden"), "b4-c4")
    assert (tip.rule, "touches the inner end of a wall" in tip.reason) == ("VIC-2.4", True)


def test_the_colour_of_a_royal_bonus_is_told_with_its_reason() -> None:
    pieces = {"i2": "red white T", "i4": "purple white U"}
    state = opened(after(table(pieces), "i2-i4"))
    reason = why(state, "h1-h2").reason
    assert reason == (
        "The red King on h1 has to end on white, the colour of i4, where the last capture was; "
        "h2 is grey."
    )
    other = opened(after(table(pieces, royal_bonus_colour="opposite"), "i2-i4"))
    assert "the colour opposite to i4" in why(other, "h1-h3").reason
    first = why(opened(table({})), "h1-h3").reason
    assert "has to end on grey, the colour opposite to the one it begins on" in first


def test_what_stands_where_a_hospitaller_would_pivot_is_named() -> None:
    mine = {"i8": "red white H", "k9": "red white T", "i10": "red white U"}
    both = why(table(mine), "i8-j10")
    assert (both.rule, both.spots) == ("VIC-4.3", ("j10", "k9", "i10"))
    assert both.reason == (
        "From j10 the red Hospitaller on i8 could not pivot: it may take neither the red Templar "
        "on k9 nor the red Teutonic on i10."
    )
    one = why(table({"i8": "red white H", "k13": "purple white E"}), "i8-l13")
    assert one.allowed, "it captures there"
    own = why(table({"i8": "red white H", "k13": "red white E"}), "i8-l13")
    assert own.reason.endswith("could not pivot: it may not take the red Excalibur on k13.")
    taken = why(table({"i8": "red white H", "j10": "purple white T"}), "i8-j10")
    assert taken.reason.endswith("when it pivots: the purple Templar on j10 stands there.")


def test_where_rim_and_walls_leave_no_cell_a_hospitaller_could_not_pivot() -> None:
    corner = why(table({"c4": "red black H"}), "c4-a1")
    assert (corner.allowed, corner.rule, corner.spots) == (False, "VIC-4.3", ("a1",))
    assert corner.reason.endswith("rim and walls leave no cell of its colour beside it.")
    assert why(table({"c4": "red black H"}, pivot="may"), "c4-a1").allowed


def test_a_king_is_told_how_far_it_has_gone_round() -> None:
    pieces = {"i4": "red half K", "l1": "red half Q"}
    purple = {"j14": ROYALS["j14"], "f14": ROYALS["f14"]}
    ruling = why(opened(table(pieces, royals=purple)), "i4-i7")
    assert ruling.rule == "VIC-7.2"
    assert "has gone 0° of 360° round the centre clockwise" in ruling.reason
    queen = {"i10": "red half Q", "h1": "red half K"}
    far = opened(table(queen, royals=purple, portal="far"))
    assert "of 540° round the centre counter-clockwise" in why(far, "i10-i7").reason


def test_the_gate_says_whose_captures_count() -> None:
    assert why(table({}), "h1-h4").reason.endswith("3 more captures are made by its knights.")
    assert why(table({}, gate="all"), "h1-h4").reason.endswith("3 more captures are made.")
    for gate, whose in (("knights", "1 more capture is made by its knights."),
                        ("all", "1 more capture is made.")):  # fmt: skip
        state = table({}, gate=gate)
        last = state._replace(tally=state.tally._replace(gate=(2, 0, 0, 0, 0, 0)))
        assert why(last, "h1-h4").reason.endswith(whose)


def test_the_kingdom_that_is_closed_to_a_captor_is_named() -> None:
    pieces = {"h4": "red black E+", "h13": "purple black T", "g12": "purple black U"}
    state = after(table(pieces), "h4-h13")
    assert "battlefield, and i13 is none" in why(state, "h13-i13").reason
    assert "purple's kingdom" in why(after(state, "h13-g12"), "g12-h13").reason


def test_a_turn_that_has_to_go_on_says_with_what() -> None:
    pieces = {"i4": "red white T", "i6": "purple white U", "e4": "red white E"}
    assert why(table(pieces), "end").reason == "Red can move, for example e4-e10, and has to."
    must = after(table(pieces, bonus="must"), "i4-i6")
    assert (why(must, "end").rule, why(must, "end").spots) == ("VIC-5.2", ("i6",))
    assert why(must, "end").reason.startswith("The bonus move that the capture on i6 earned has to")


def test_the_lines_of_a_piece_are_told_as_its_owner_sees_them() -> None:
    state = table({"i10": "purple white T"})
    assert why(state, "i10-k13").reason == (
        "Seen from purple's seat a Templar slides vertically or horizontally; k13 is not on "
        "such a line from i10."
    )


def test_the_colour_of_a_knights_cell_is_told_by_its_edge() -> None:
    pieces = {"i4": "red white T", "i3": "red black T"}
    white, black = (why(table({spot: piece}), move).reason for (spot, piece), move in zip(
        pieces.items(), ("i4-i5", "i3-i4"), strict=True))  # fmt: skip
    assert white.endswith("has to end on white, for its edge is white; i5 is grey.")
    assert black.endswith("has to end on grey, for its edge is black; i4 is white.")


def test_a_hospitaller_that_need_not_pivot_is_told_what_it_may_do() -> None:
    pieces = {"i8": "red white H", "e4": "red white E"}
    for pivot, told in (("must", "The red Hospitaller on j10 has to pivot first."),
                        ("may", "The red Hospitaller on j10 has travelled: it pivots now, or the "
                                "turn ends.")):  # fmt: skip
        state = after(table(pieces, pivot=pivot), "i8-j10")
        step = next(a for a in game_moves(pieces, pivot) if a.startswith("e4"))
        assert (why(state, step).rule, why(state, step).reason) == ("VIC-4.3", told)


def game_moves(pieces: dict[str, str], pivot: str) -> list[str]:
    """Return what may be done at the start of the turn."""
    return [str(action) for action in find_game("victorus").legal(table(pieces, pivot=pivot))]


def test_where_a_returned_royal_goes_is_named() -> None:
    state = table({})
    asked = state._replace(asked=state.board[CELLS["h1"]], board=without(state, "h1"))
    assert why(asked, "l1-l2").reason == (
        "Red first puts the returned King back on the board, on one of these cells: h1."
    )
    assert why(asked, "*i2=K").reason == (
        "The King returns to its own cell, or to the free one of its kingdom and colour that is "
        "nearest to it: now to h1."
    )


def without(state: VictorusState, spot: str) -> bytes:
    """Return the board without what stands on ``spot``."""
    board = bytearray(state.board)
    board[CELLS[spot]] = 0
    return bytes(board)


def test_an_own_piece_is_said_to_be_the_same_players() -> None:
    own = {"i4": "red white T", "i2": "red white E"}
    assert why(table(own), "i4-i2").reason == "The red Excalibur on i2 belongs to the same player."


def test_a_pawn_that_goes_back_is_told_so() -> None:
    chess: Any = find_game("chess")
    start = chess.start(chess.setup())
    men = {"e4": "white P", "e1": "white K", "e8": "black K"}
    state = chess.arrange(start.setup, men, "white")
    assert "would go back" in chess.judge(state, Action("move", "e4", "e3")).reason
    empty = chess.judge(state, Action("move", "e4", "d5")).reason
    assert empty == "A pawn goes diagonally only to take, and d5 is empty."
