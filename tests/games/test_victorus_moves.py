"""Victorus, sections 3 and 4: directions, slides, spokes, what each piece does in a turn."""

from __future__ import annotations

import pytest

from companion.games.victorus import GAME
from companion.games.victorus.state import VictorusState
from companion.rules import Action, Ruling, read_action
from tests.checks.victorus_tables import ROYALS, after, table, why


def ends(state: VictorusState, spot: str) -> set[str | None]:
    """Return where the piece on ``spot`` may go."""
    return {action.target for action in GAME.legal(state) if action.origin == spot}


# -- section 3 -----------------------------------------------------------------------------


def test_directions_turn_with_the_seat() -> None:
    pieces = {"i4": "red white T", "i10": "purple white T"}
    state = table(pieces)
    purple = GAME.arrange(state.setup, {**ROYALS, **pieces}, "purple")
    assert ends(state, "i4") == {"i2", "i6", "e4", "m4", "h5", "j5"}
    assert ends(purple, "i10") == {"i12", "i8", "m10", "e10", "j10", "h10"}
    orange = GAME.arrange(GAME.setup(("red", "orange", "blue")), {"i4": "orange white T"}, "orange")
    assert GAME.judge(orange, read_action("i4-i5")).rule == "VIC-4.2"
    assert GAME.judge(orange, read_action("i4-i6")).rule == "VIC-4.1"


def test_a_slide_ends_on_its_edge_colour_over_cells_of_either() -> None:
    state = table({"i4": "red white T"})
    assert why(state, "i4-i2").allowed
    assert why(state, "i4-i3") == Ruling(
        False,
        "VIC-3.2",
        "The red Templar on i4 has to end on white, for its edge is white; i3 is grey.",
        ("i3",),
    )


def test_nothing_jumps() -> None:
    state = table({"i4": "red white T", "i5": "purple white B"})
    ruling = why(state, "i4-i6")
    assert (ruling.rule, ruling.spots) == ("VIC-3.2", ("i5",))
    assert not why(state, "i4-i4").allowed


def test_a_spoke_between_two_pieces_is_blocked() -> None:
    pieces = {"i4": "red white B", "j4": "red black U", "j5": "purple white U"}
    ruling = why(table(pieces), "i4-m4")
    assert (ruling.allowed, ruling.rule) == (False, "VIC-3.3")
    assert set(ruling.spots) == {"j4", "j5"}
    assert "red Teutonic on j4" in ruling.reason
    assert "purple Teutonic on j5" in ruling.reason
    assert why(table({"i4": "red white B", "j4": "red black U"}), "i4-m4").allowed


def test_the_centre_closes_one_side_of_a_spoke() -> None:
    alone = table({"h7": "red white B"})
    assert why(alone, "h7-i8").allowed
    ruling = why(table({"h7": "red white B", "h8": "red white U"}), "h7-i8")
    assert (ruling.rule, set(ruling.spots)) == ("VIC-3.3", {"i7", "h8"})
    assert "the centre" in ruling.reason


def test_the_rim_closes_no_side_of_a_spoke_unless_it_is_agreed() -> None:
    pieces = {"j1": "red black B", "k1": "red white E"}
    ruling = why(table(pieces, rim="blocks"), "j1-l1")
    assert (ruling.rule, ruling.spots) == ("VIC-3.3", ("k1",))
    assert "rim" in ruling.reason
    free = table({**pieces, "l1": "purple white U"}, royals={"h1": "red half K"})
    assert why(free, "j1-l1").allowed


def test_nothing_travels_through_the_centre() -> None:
    state = table({"i4": "red white T", "h7": "red white E"})
    assert (why(state, "i4-i8").rule, why(state, "i4-i8").spots) == ("VIC-3.4", ("i7",))
    assert why(state, "i4-i7").rule == "VIC-3.4"
    assert why(table({"g7": "red black B"}), "g7-k7").rule == "VIC-3.4"


# -- section 4: regular knights ----------------------------------------------------------------


def test_a_templar_slides_vertically_and_horizontally() -> None:
    assert ends(table({"i4": "red white T"}), "i4") == {"i2", "i6", "e4", "m4", "h5", "j5"}
    assert why(table({"i4": "red white T"}), "i4-k9").rule == "VIC-4.1"


def test_a_teutonic_slides_along_45_degrees() -> None:
    state = table({"i4": "red white U"})
    assert why(state, "i4-j5").allowed
    assert why(state, "i4-h5").allowed
    assert why(state, "i4-m4").rule == "VIC-4.1"


def test_a_byzantine_slides_along_spokes_only() -> None:
    state = table({"i4": "red white B"})
    assert why(state, "i4-m4").allowed
    assert why(state, "i4-i6").rule == "VIC-4.1"


def test_an_excalibur_has_no_60_degrees() -> None:
    state = table({"i4": "red white E"})
    assert {"i6", "m4", "j5"} <= ends(state, "i4")
    assert why(state, "i4-j6").rule in ("VIC-4.1", "VIC-3.2")


def test_a_strategic_step_goes_to_an_empty_neighbour_of_the_own_colour() -> None:
    state = table({"i4": "red white B"})
    assert why(state, "i4-j5").rule == "VIC-4.2"
    assert why(state, "i4-j5").allowed
    assert why(state, "i4-j4").rule == "VIC-4.2"
    assert not why(state, "i4-j4").allowed


def test_a_strategic_step_captures_nothing() -> None:
    state = table({"i4": "red white B", "i5": "purple white U"})
    assert (why(state, "i4-i5").allowed, why(state, "i4-i5").rule) == (False, "VIC-4.2")


def test_a_teutonic_may_step_along_a_horizontal_spoke() -> None:
    state = table({"i10": "red white U"})
    ruling = why(state, "i10-k10")
    assert (ruling.allowed, ruling.rule) == (False, "VIC-4.2")
    free = table({"h5": "red white U"})
    assert why(free, "h5-j5").allowed
    closed = table({"h5": "red white U", "i4": "red white B", "i5": "red black T"})
    assert why(closed, "h5-j5").rule == "VIC-3.3"


def test_an_excalibur_has_no_strategic_step() -> None:
    assert why(table({"i4": "red white E"}), "i4-k9").rule == "VIC-4.1"


def test_an_ordinary_slide_ends_the_turn_by_itself() -> None:
    state = after(table({"i4": "red white T"}), "i4-i6")
    assert GAME.to_move(state) == "purple"


# -- Hospitaller ---------------------------------------------------------------------------


def test_a_hospitaller_travels_then_pivots() -> None:
    state = after(table({"i4": "red white H"}), "i4-m4")
    assert GAME.to_move(state) == "red"
    assert GAME.highlights(state)["mover"] == ("m4",)
    assert {action.origin for action in GAME.legal(state)} == {"m4"}
    assert why(state, "end").rule == "VIC-4.3"
    assert not why(state, "end").allowed
    assert why(state, "h1-g1").rule == "VIC-4.3"
    assert why(state, "m4-m8").rule == "VIC-4.3"
    assert why(state, "m4-m3").rule == "VIC-4.3"
    pivot = str(GAME.legal(state)[0])
    assert why(state, pivot).allowed
    assert GAME.to_move(after(state, pivot)) == "purple"


def test_a_hospitaller_captures_only_in_the_pivot() -> None:
    pieces = {"i4": "red white H", "m4": "purple white U"}
    assert why(table(pieces), "i4-m4").rule == "VIC-4.3"
    pivot = str(GAME.legal(after(table({"i4": "red white H"}), "i4-m4"))[0])
    target = pivot.split("-")[1]
    state = after(table({"i4": "red white H", target: "purple white U"}), "i4-m4")
    assert why(state, pivot).rule == "VIC-5.1"
    assert GAME.scorecards(after(state, pivot))[0].fields[8].tokens == ("purple white U",)


def test_a_hospitaller_travels_only_where_it_can_pivot() -> None:
    pivots = [
        str(a).split("-")[1] for a in GAME.legal(after(table({"i4": "red white H"}), "i4-m4"))
    ]
    own = dict(zip(pivots, ("red white T", "red white B"), strict=True))
    state = table({"i4": "red white H", **own})
    ruling = why(state, "i4-m4")
    assert (ruling.allowed, ruling.rule) == (False, "VIC-4.3")
    assert set(ruling.spots) == {"m4", *pivots}
    assert why(table({"i4": "red white H", **own}, pivot="may"), "i4-m4").allowed


def test_a_pivot_may_be_left_out_where_the_players_agreed() -> None:
    state = after(table({"i4": "red white H"}, pivot="may"), "i4-m4")
    assert why(state, "end").allowed
    assert GAME.to_move(after(state, "end")) == "purple"


def test_a_hospitallers_travel_is_a_byzantine_slide() -> None:
    state = table({"i4": "red white H", "j4": "red black U", "j5": "red white U"})
    assert why(state, "i4-i5").rule == "VIC-4.3"
    assert why(state, "i4-m4").rule == "VIC-3.3"
    assert why(table({"i4": "red white H"}), "i4-k4").rule == "VIC-3.2"


def test_a_pivot_crosses_no_wall() -> None:
    counts = [len(near) for near in _pivots()]
    counts.pop(90)
    assert (counts.count(2), counts.count(1), counts.count(0)) == (138, 36, 6)


def _pivots() -> tuple[tuple[int, ...], ...]:
    from companion.games.victorus.arena import arena_of

    arena = arena_of(GAME.setup())
    return arena.view(63).lines.pivots


# -- royal knights ---------------------------------------------------------------------------


def test_a_royal_knight_makes_two_moves_the_second_if_it_likes() -> None:
    state = after(table({"i4": "red white T+"}), "i4-i6")
    assert GAME.to_move(state) == "red"
    assert why(state, "end").rule == "VIC-4.4"
    assert why(state, "end").allowed
    assert why(state, "i6-i2").rule == "VIC-4.4"
    assert GAME.to_move(after(state, "i6-i2")) == "purple"
    assert (why(state, "h1-g1").rule, why(state, "h1-g1").spots) == ("VIC-4.7", ("i6",))


def test_a_royal_strategic_step_is_the_whole_turn() -> None:
    assert GAME.to_move(after(table({"i4": "red white T+"}), "i4-j5")) == "purple"
    second = after(table({"i4": "red white T+"}), "i4-i6")
    steps = [
        t for t in ("h6", "h7", "j6", "j7") if why(second, f"i6-{t}").reason.count("slides on")
    ]
    assert steps
    assert all(why(second, f"i6-{t}").rule == "VIC-4.4" for t in steps)


def test_a_royal_knight_does_not_end_where_it_began() -> None:
    state = after(table({"i4": "red white T+"}), "i4-i6")
    assert (why(state, "i6-i4").allowed, why(state, "i6-i4").rule) == (False, "VIC-4.4")
    assert why(after(table({"i4": "red white T+"}, **{"return": "yes"}), "i4-i6"), "i6-i4").allowed


def test_a_royal_knight_that_captured_may_end_where_it_began_unless_forbidden() -> None:
    pieces = {"i4": "red white T+", "i6": "purple white U"}
    state = after(table(pieces), "i4-i6")
    assert (why(state, "i6-i4").allowed, why(state, "i6-i4").rule) == (True, "VIC-4.4")
    never = after(table(pieces, **{"return": "no"}), "i4-i6")
    assert (why(never, "i6-i4").allowed, why(never, "i6-i4").rule) == (False, "VIC-4.4")


def test_a_second_move_may_have_to_turn_off_the_line() -> None:
    state = after(table({"i4": "red white T+"}, dogleg="must"), "i4-i6")
    assert why(state, "i6-i2").rule == "VIC-4.4"
    assert not why(state, "i6-i2").allowed
    assert all(str(a.target)[0] != "i" for a in GAME.legal(state) if a.verb == "move")


def test_a_second_move_may_be_compulsory() -> None:
    state = after(table({"i4": "red white T+"}, second="must"), "i4-i6")
    assert Action("end") not in GAME.legal(state)
    assert (why(state, "end").allowed, why(state, "end").rule) == (False, "VIC-4.4")


# -- King and Queen --------------------------------------------------------------------------


def test_king_and_queen_go_to_the_opposite_colour_then_stay_on_it() -> None:
    state = table({})
    assert why(state, "h1-g1").rule == "VIC-4.5"
    assert not why(state, "h1-g1").allowed
    state = after(state, "h1-h2")
    assert why(state, "end").rule == "VIC-4.5"
    assert why(state, "h2-i1").allowed
    assert why(state, "h2-g1").rule == "VIC-4.5"
    assert why(state, "h2-k9").rule == "VIC-4.5"


def test_a_king_has_no_60_degrees() -> None:
    assert why(table({}), "h1-g3").rule == "VIC-4.5"


def test_the_gate_keeps_king_and_queen_at_home() -> None:
    state = table({})
    ruling = why(state, "h1-h4")
    assert (ruling.allowed, ruling.rule) == (False, "VIC-4.6")
    assert set(ruling.spots) == {"h3", "h4"}
    assert "3 more captures" in ruling.reason
    opened = state._replace(tally=state.tally._replace(gate=(3, 0, 0, 0, 0, 0)))
    assert why(opened, "h1-h4").allowed
    assert GAME.scorecards(opened)[0].status == "King and Queen may leave"
    nearly = state._replace(tally=state.tally._replace(gate=(2, 0, 0, 0, 0, 0)))
    assert "1 more capture is" in why(nearly, "h1-h4").reason
    assert GAME.scorecards(nearly)[0].status.startswith("1 more capture until")


@pytest.mark.parametrize(("gate", "count"), [("knights", 0), ("all", 1)])
def test_captures_of_king_and_queen_open_the_gate_only_if_agreed(gate: str, count: int) -> None:
    state = after(table({"h2": "purple black U"}, gate=gate), "h1-h2")
    assert state.tally.gate[0] == count


# -- whose turn ------------------------------------------------------------------------------


def test_one_moves_with_ones_own_pieces_in_ones_own_turn() -> None:
    state = table({"i4": "red white T"})
    assert (why(state, "j14-j13").rule, why(state, "j14-j13").spots) == ("VIC-8.3", ("j14",))
    assert (why(state, "e4-e5").rule, why(state, "e4-e5").spots) == ("VIC-4.7", ("e4",))
    assert why(state, "resign").rule == "VIC-4.7"
    assert why(state, "i4-i5=Q").rule == why(state, "i4-i5").rule == "VIC-3.2"
    assert not GAME.judge(state, Action("move", "i4", "z9")).allowed
    assert why(state, "i4-l1").rule == "VIC-4.1"


def test_who_can_move_must_unless_passing_is_agreed() -> None:
    assert (why(table({}), "end").allowed, why(table({}), "end").rule) == (False, "VIC-4.7")
    assert why(table({}, must_move="no"), "end").allowed


def test_who_cannot_move_passes() -> None:
    state = table({}, royals={"j14": "purple half K"})
    assert [str(action) for action in GAME.legal(state)] == ["end"]
    assert why(state, "end").allowed
    assert GAME.to_move(after(state, "end")) == "purple"
