"""How every piece of HexiMeros moves and captures."""

from __future__ import annotations

from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros import geometry as g

FLATS = {(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)}
LINES = {(1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2)}


def test_a_militant_goes_ahead_and_captures_diagonally_ahead(hx: ModuleType) -> None:
    blocked = "silver M 2 3; blue M 2 2; "
    assert hx.ends(hx.lay("silver M 2 3"), (2, 3)) == {(2, 2)}
    assert hx.ends(hx.lay(blocked), (2, 3)) == set()
    prey = "red C 3 2; red D 1 3; red P 3 1; red R 1 2; red M 3 3; red M 1 4"
    assert hx.ends(hx.lay(blocked + prey), (2, 3)) == {(3, 2), (1, 3), (3, 1), (1, 2)}


def test_a_militants_first_move_is_two_steps_or_a_step_and_a_capture(hx: ModuleType) -> None:
    home = (0, 12)
    assert hx.ends(hx.lay("silver M 0 12"), home) == {(0, 11), (0, 10)}
    assert hx.ends(hx.lay("silver M 0 12; blue M 0 11"), home) == set()
    assert hx.ends(hx.lay("silver M 0 12; blue M 0 10"), home) == {(0, 11)}
    far = "silver M 0 12; red C 1 9; red C -1 10; red C 0 9"
    assert hx.ends(hx.lay(far), home) == {(0, 11), (0, 10), (1, 9), (-1, 10)}
    assert hx.ends(hx.lay(far + "; blue M 0 11"), home) == set()
    moved = hx.play(hx.lay(far + "; red C 1 8"), hx.move(home, (0, 11)), "token", *wait(hx, 5))
    assert hx.ends(moved, (0, 11)) == {(0, 10), (1, 9), (-1, 10)}


def wait(hx: ModuleType, count: int) -> list[object]:
    """Let ``count`` armies after Silver move their Sovereigns a step toward the centre."""
    steps = [(-13, 13), (-13, 0), (0, -13), (13, -13), (13, 0)]
    waiting: list[object] = []
    for q, r in steps[:count]:
        waiting += [hx.move((q, r), (q - (q > 0) + (q < 0), r - (r > 0) + (r < 0))), "token"]
    return waiting


def test_militants_march_toward_their_opponent_from_every_seat(hx: ModuleType) -> None:
    for army, colour in enumerate(("silver", "blue", "yellow", "orange", "green", "red")):
        q, r = g.rotate((1, 5), army)
        state = hx.lay(f"{colour} M {q} {r}", to_move=colour)
        assert hx.ends(state, (q, r)) == {g.rotate((1, 4), army)}


def test_an_alcazar_goes_along_the_flats_until_something_stands(hx: ModuleType) -> None:
    state = hx.lay("silver Al 0 0; silver M 0 -3; red M 3 0")
    met = hx.ends(state, (0, 0))
    assert {(0, -1), (0, -2), (1, 0), (2, 0), (3, 0)} <= met
    assert not met & {(0, -3), (0, -4), (4, 0), (1, 1)}
    assert (-12, 0) in met
    assert (-13, 0) in met, "a Sovereign may be captured"


def test_a_prelate_goes_up_to_ten_along_the_lines_between_pieces(hx: ModuleType) -> None:
    state = hx.lay("silver P -10 2; red M -9 2; red M -10 3; red M -9 1")
    met = hx.ends(state, (-10, 2))
    assert (-9, 3) in met, "what stands beside a line does not block it"
    assert (-10 + 2 * 10, 2 - 10) in met
    assert (-10 + 2 * 11, 2 - 11) in g.NUMBER
    assert (-10 + 2 * 11, 2 - 11) not in met


def test_a_prelates_first_move_opens_like_a_flower(hx: ModuleType) -> None:
    state = hx.lay("silver P -2 14; silver M -2 13; red M -1 13; silver M -1 12")
    met = hx.ends(state, (-2, 14))
    assert (-1, 13) in met, "beside its start, a capture"
    assert (-2, 13) not in met
    assert (-3, 12) in met, "the first space of a line"
    assert (-3, 11) in met, "beside it"
    assert (-1, 12) not in met
    moved = hx.play(state, hx.move((-2, 14), (-3, 12)), "token", *wait(hx, 5))
    assert not {(-3, 11), (-3, 13)} & hx.ends(moved, (-3, 12))


def test_a_prelate_that_is_shut_in_still_steps_aside(hx: ModuleType) -> None:
    state = hx.lay("silver P -2 14; silver M -1 12; silver M -3 13; silver S 0 13; silver C -4 15")
    assert hx.ends(state, (-2, 14)) == {(-2, 13), (-1, 13), (-3, 14), (-3, 15), (-1, 14)} & set(
        g.AXIAL
    )


def test_a_regent_goes_along_flats_and_lines(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 0; red M 0 -2; red M 2 2")
    met = hx.ends(state, (0, 0))
    assert {(0, -2), (1, 1), (2, 2), (5, 0), (12, -6)} <= met
    assert not met & {(0, -3), (3, 3), (1, 2)}


def test_a_sovereign_goes_one_space_along_any_axis(hx: ModuleType) -> None:
    state = hx.lay("silver S 3 3; silver M 4 3; red M 2 3")
    assert hx.ends(state, (3, 3)) == {(3 + q, 3 + r) for q, r in FLATS | LINES} - {(4, 3)}


def test_a_cavalier_jumps_to_24_spaces(hx: ModuleType) -> None:
    around = "red M 1 0; red M 2 0; red M 2 1"
    met = hx.ends(hx.lay(f"silver C 1 1; {around}"), (1, 1))
    assert len(met) == 24
    assert {(1 + 3, 1 + 2), (1 + 5, 1 - 2), (1 + 2, 1 + 1)} <= met
    own = hx.lay(f"silver C 1 1; {around}; silver M 4 3; red M 6 -1")
    assert hx.ends(own, (1, 1)) == met - {(4, 3)}


def test_a_cavalier_does_not_jump_the_out_of_bounds(hx: ModuleType) -> None:
    state = hx.lay("silver C -6 16", out="")
    assert all(q <= -1 for q, _ in hx.ends(state, (-6, 16)))
    assert len(hx.ends(state, (-6, 16))) < 12


def test_an_archer_steps_and_may_shoot_72_spaces(hx: ModuleType) -> None:
    cells = [(q, r + 1) for q, r in g.AXIAL if max(abs(q), abs(r), abs(q + r)) in (3, 4, 5, 6)]
    red = "; ".join(f"red M+ {q} {r}" for q, r in cells)
    state = hx.lay(f"silver Ar 0 1; {red}", doubling="three")
    steps = hx.ends(state, (0, 1))
    assert steps == {(q, r + 1) for q, r in FLATS | LINES}
    reach = {(q + 4 * a, r + 4 * b) for q, r in steps for a, b in FLATS}
    assert len(reach) == 72
    assert {target for _, target in hx.shots(state, (0, 1))} == reach & set(cells)


def test_an_archer_moves_first_and_shoots_over_pieces(hx: ModuleType) -> None:
    state = hx.lay("silver Ar 0 6; red M 0 5; red C 0 1; red M 1 5; silver M 0 3")
    assert (0, 5) not in hx.ends(state, (0, 6))
    assert hx.shots(state, (0, 6)) == set()
    clear = hx.lay("silver Ar 0 6; silver M 0 3; red M 0 2; red C 0 1; silver C 5 5")
    assert hx.shots(clear, (0, 6)) == {((0, 5), (0, 1))}
    after = hx.play(clear, hx.shot((0, 6), (0, 5), (0, 1)))
    assert hx.standing(after, (0, 5)) == "silver Ar"
    assert hx.standing(after, (0, 1)) is None


def test_nothing_is_shot_over_the_out_of_bounds(hx: ModuleType) -> None:
    crossed = [
        (cell, g.add(cell, step, 4))
        for cell in g.AXIAL for step in g.FLATS
        if g.add(cell, step, 4) in g.NUMBER
        and any(g.add(cell, step, n) not in g.NUMBER for n in (1, 2, 3))
    ]  # fmt: skip
    assert crossed
    stand, target = crossed[0]
    start = next(cell for step in g.FLATS if (cell := g.add(stand, step)) in g.NUMBER)
    state = hx.lay(f"silver Ar {start[0]} {start[1]}; red M {target[0]} {target[1]}")
    assert stand in hx.ends(state, start)
    assert (stand, target) not in hx.shots(state, start)
    assert hx.refused(state, hx.shot(start, stand, target))[0] == "HX-1.2"


def test_a_dreadnaught_sweeps_everything_on_four_flats(hx: ModuleType) -> None:
    state = hx.lay("silver D 0 6; silver M 0 5; red M 0 4; blue P 0 2; red R 0 1")
    assert hx.ends(state, (0, 6)) == {(4 * q, 6 + 4 * r) for q, r in FLATS} & set(g.AXIAL)
    after = hx.play(state, hx.move((0, 6), (0, 2)))
    gone = [hx.standing(after, (0, r)) for r in (6, 5, 4, 3)]
    assert gone == [None] * 4
    assert hx.standing(after, (0, 2)) == "silver D"
    assert hx.standing(after, (0, 1)) == "red R"


def test_a_dreadnaught_does_not_sweep_over_its_own_sovereign(hx: ModuleType) -> None:
    state = hx.lay("silver D 0 6; silver S 0 4; blue S 2 6")
    assert (0, 2) not in hx.ends(state, (0, 6))
    assert (4, 6) in hx.ends(state, (0, 6))


def test_an_assassin_has_42_ends(hx: ModuleType) -> None:
    state = hx.lay("silver As 1 -1")
    assert len(hx.ends(state, (1, -1))) == 42
    assert len(hx.ends(hx.lay("silver As 0 0", doubling="three"), (0, 0))) == 42


def test_an_assassin_jumps_and_may_stop_only_to_capture(hx: ModuleType) -> None:
    beside = "; ".join(f"silver M+ {q} {r + 5}" for q, r in FLATS)
    state = hx.lay(f"silver As 0 5; {beside}; red M 1 6; red M 2 4")
    met = hx.ends(state, (0, 5))
    assert len(met) == 42 - 6 + 2, "six ends are taken, two captures are on the way"
    assert {(1, 6), (2, 4)} <= met
    assert (-1, 4) not in met


def test_an_assassin_goes_round_no_corner_of_the_out_of_bounds(hx: ModuleType) -> None:
    state = hx.lay("silver As -6 16; silver S 0 10")
    met = hx.ends(state, (-6, 16))
    assert met
    assert len(met) < 21


@pytest.mark.parametrize(
    ("side", "alcazar", "cavalier", "prelate"),
    [("A", (-6, 16), (-4, 15), (-2, 14)), ("R", (6, 10), (4, 11), (2, 12))],
)
def test_the_sanctuary_is_the_first_move_of_both(
    hx: ModuleType,
    side: str,
    alcazar: tuple[int, int],
    cavalier: tuple[int, int],
    prelate: tuple[int, int],
) -> None:
    q, r = alcazar
    state = hx.lay(f"silver S 0 13; silver Al {q} {r}; silver M 0 12")
    flight = hx.move((0, 13), cavalier)
    assert hx.allowed(state, flight) == "HX-4.7"
    after = hx.play(state, flight)
    assert hx.standing(after, cavalier) == "silver S"
    assert hx.standing(after, prelate) == "silver Al"
    assert hx.standing(after, alcazar) is None
    for taken in (cavalier, prelate):
        shut = hx.lay(f"silver Al {q} {r}; silver D {taken[0]} {taken[1]}")
        assert hx.refused(shut, flight) == ("HX-4.7", (taken,))
    assert hx.refused(hx.lay("silver M 0 12"), flight)[0] == "HX-4.7"


def test_a_sovereign_that_has_moved_finds_no_sanctuary(hx: ModuleType) -> None:
    state = hx.lay("silver Al -6 16")
    there = hx.play(state, hx.move((0, 13), (0, 12)), "token", *wait(hx, 5))
    there = hx.play(there, hx.move((0, 12), (0, 13)), "token")
    back = [((-12, 12), (-12, 11)), ((-12, 0), (-11, 0)), ((0, -12), (0, -11)),
            ((12, -12), (12, -11)), ((12, 0), (11, 0))]  # fmt: skip
    for origin, target in back:
        there = hx.play(there, hx.move(origin, target), "token")
    assert hx.refused(there, hx.move((0, 13), (-4, 15)))[0] == "HX-4.7"


# -- Ground Zero -----------------------------------------------------------------------------------


def ring(hx: ModuleType, kind: str, more: str = "", **options: str) -> set[tuple[int, int]]:
    return hx.ends(hx.lay(f"silver {kind} 0 0; {more}", **options), (0, 0))


def test_from_ground_zero_a_militant_goes_two_flats_any_way(hx: ModuleType) -> None:
    twice = {(2 * q, 2 * r) for q, r in FLATS}
    assert ring(hx, "M") == {(0, -1)} | twice
    met = ring(hx, "M", "red C 0 2; silver C 1 0; silver C -2 2; silver M 0 -1")
    assert met == twice - {(2, 0), (-2, 2), (0, -2), (0, 2)}


def test_from_ground_zero_a_militant_captures_on_a_diagonal_after_one_flat(hx: ModuleType) -> None:
    state = hx.lay("silver M 0 0; red C 1 0; red C 2 -2; red C -1 1; red C 1 -3; red C 0 2")
    plain = {(0, -1), (-2, 0), (0, -2)}
    assert hx.ends(state, (0, 0)) == plain | {(1, 0), (2, -2), (-1, 1), (1, -3)}
    after = hx.play(state, hx.move((0, 0), (1, 0)))
    assert hx.standing(after, (1, 0)) == "silver M+"
    assert hx.refused(state, hx.move((0, 0), (0, 2))) == ("HX-4.8", ((0, 0), (0, 2)))
    # Ways there are over a free space alone.
    shut = hx.lay("silver M 0 0; red C 2 -2; red M 1 -1; red M 1 0")
    assert hx.refused(shut, hx.move((0, 0), (2, -2))) == ("HX-4.8", ((1, -1), (1, 0)))
    assert hx.refused(shut, hx.move((0, 0), (-1, 1)))[0] == "HX-4.1"
    assert hx.refused(shut, hx.move((0, 0), (3, 3))) == ("HX-4.8", ((0, 0), (3, 3)))


def test_from_ground_zero_a_militant_may_capture_straight_where_that_is_agreed(
    hx: ModuleType,
) -> None:
    twice = {(2 * q, 2 * r) for q, r in FLATS}
    pieces = "red C 0 2; red C 1 0; silver C -2 2; red M 0 -1; red C 2 -1"
    met = ring(hx, "M", pieces, ground_zero="straight")
    assert met == (twice - {(2, 0), (-2, 2), (0, -2)}) | {(0, 2)}
    after = hx.play(
        hx.lay("silver M 0 0; red C 0 2", ground_zero="straight"), hx.move((0, 0), (0, 2))
    )
    assert hx.standing(after, (0, 2)) == "silver M+"


def test_from_ground_zero_a_sovereign_goes_two_spaces_on_one_axis(hx: ModuleType) -> None:
    both = FLATS | LINES
    for kind in ("S", "M+"):
        met = ring(hx, kind, "red C 0 1; silver C 2 2; red C -2 0")
        assert met == both | {(2 * q, 2 * r) for q, r in both} - {(0, 2), (2, 2)}


def test_from_ground_zero_cavalier_dreadnaught_and_assassin_double(hx: ModuleType) -> None:
    assert len(ring(hx, "C")) == 48
    assert (10, -4) in ring(hx, "C")
    assert ring(hx, "D") == {(n * q, n * r) for q, r in FLATS for n in (4, 8)}
    assert len(ring(hx, "As")) == 84
    assert len(ring(hx, "As", "red M 0 2; silver M 0 1")) == 84 - 1


def test_from_ground_zero_an_archer_goes_two_and_shoots_eight(hx: ModuleType) -> None:
    state = hx.lay("silver Ar 0 0; red M 0 -10; red C 0 -5; red M 1 0")
    assert (0, -2) in hx.ends(state, (0, 0))
    assert (2, 0) not in hx.ends(state, (0, 0))
    assert hx.shots(state, (0, 0)) == {((0, -2), (0, -10)), ((0, -1), (0, -5))}
    assert hx.allowed(state, hx.move((0, 0), (0, -2))) == "HX-4.8"
    assert hx.allowed(state, hx.move((0, 0), (0, -1))) == "HX-4.4"


def test_three_pieces_alone_double_where_that_is_agreed(hx: ModuleType) -> None:
    assert len(ring(hx, "C", doubling="three")) == 48
    assert ring(hx, "D", doubling="three") == {(4 * q, 4 * r) for q, r in FLATS}
    assert ring(hx, "Ar", doubling="three") == FLATS | LINES
    assert len(ring(hx, "As", doubling="three")) == 42


@pytest.mark.parametrize(
    ("kind", "target"),
    [("M", (0, 2)), ("S", (2, 2)), ("M+", (0, 2)), ("D", (0, 8)), ("C", (10, -4)), ("Ar", (2, 2))],
)
def test_a_doubled_move_quotes_ground_zero(
    hx: ModuleType, kind: str, target: tuple[int, int]
) -> None:
    state = hx.lay(f"silver {kind} 0 0; silver P 0 12")
    assert hx.allowed(state, hx.move((0, 0), target)) == "HX-4.8"


def test_an_assassins_and_a_regents_moves_from_ground_zero(hx: ModuleType) -> None:
    state = hx.lay("silver As 0 0")
    rules = {hx.allowed(state, hx.move((0, 0), end)) for end in hx.ends(state, (0, 0))}
    assert rules == {"HX-4.6", "HX-4.8"}
    regent = hx.lay("silver R 0 0")
    assert hx.allowed(regent, hx.move((0, 0), (0, 8))) == "HX-4.2"
    assert GAME.judge(regent, hx.move((0, 0), (0, 8))).reason.endswith("q6.")
