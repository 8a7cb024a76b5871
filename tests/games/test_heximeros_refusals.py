"""Why a piece of HexiMeros may not go there: the rule that decides and the spaces that prove it."""

from __future__ import annotations

from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros import geometry as g

Cell = tuple[int, int]

CASES: list[tuple[str, Cell, Cell, str, tuple[Cell, ...]]] = [
    # pieces, origin, target, rule, proof
    ("silver M 0 12", (0, 12), (0, 12), "HX-3.2", ((0, 12),)),
    ("silver M 2 3; red C 2 2", (2, 3), (2, 2), "HX-4.1", ((2, 2),)),
    ("silver M 0 12; red C 0 11", (0, 12), (0, 10), "HX-4.1", ((0, 11),)),
    ("silver M 0 12; red C 0 10", (0, 12), (0, 10), "HX-4.1", ((0, 10),)),
    ("silver M 2 3", (2, 3), (2, 1), "HX-4.1", ((2, 3),)),
    ("silver M 2 3; red C 3 0", (2, 3), (3, 0), "HX-4.1", ((2, 3),)),
    ("silver M 0 12; red C 0 11; red C 1 9", (0, 12), (1, 9), "HX-4.1", ((0, 11),)),
    ("silver M 0 12", (0, 12), (1, 9), "HX-4.1", ((1, 9),)),
    ("silver M 0 12; silver C 1 11", (0, 12), (1, 11), "HX-3.3", ((1, 11),)),
    ("silver M 2 3", (2, 3), (3, 2), "HX-4.1", ((3, 2),)),
    ("silver M 2 3", (2, 3), (2, 4), "HX-4.1", ((2, 3), (2, 4))),
    ("silver M 0 0", (0, 0), (0, 1), "HX-4.8", ((0, 0), (0, 1))),
    ("silver M 0 0; red C 0 1", (0, 0), (0, 2), "HX-4.8", ((0, 1),)),
    ("silver M 0 0; silver C 0 2", (0, 0), (0, 2), "HX-3.3", ((0, 2),)),
    ("silver M 0 0; red C 0 -1", (0, 0), (0, -2), "HX-4.8", ((0, -1),)),
    ("silver S 3 3; silver C 3 4", (3, 3), (3, 4), "HX-3.3", ((3, 4),)),
    ("silver S 3 3", (3, 3), (3, 5), "HX-4.2", ((3, 3), (3, 5))),
    ("silver M+ 3 3", (3, 3), (4, 6), "HX-5.1", ((3, 3), (4, 6))),
    ("silver M+ 0 0; red C 1 1", (0, 0), (2, 2), "HX-4.8", ((1, 1),)),
    ("silver Al 3 3", (3, 3), (4, 4), "HX-4.2", ((3, 3), (4, 4))),
    ("silver Al 3 3; red C 3 0", (3, 3), (3, -2), "HX-4.2", ((3, 0),)),
    ("silver P 3 3", (3, 3), (3, 4), "HX-4.2", ((3, 3), (3, 4))),
    ("silver P -10 2", (-10, 2), (12, -9), "HX-4.2", ((-10, 2), (12, -9))),
    ("silver R 3 3", (3, 3), (4, 5), "HX-4.2", ((3, 3), (4, 5))),
    ("silver R 3 3; silver C 3 5", (3, 3), (3, 5), "HX-3.3", ((3, 5),)),
    ("silver P -2 14; silver C -3 12", (-2, 14), (-3, 12), "HX-3.3", ((-3, 12),)),
    ("silver P -2 14; silver M -3 14", (-2, 14), (-3, 14), "HX-3.3", ((-3, 14),)),
    ("silver P -2 14", (-2, 14), (5, 5), "HX-4.2", ((-2, 14), (5, 5))),
    ("silver C 3 3; silver M 6 5", (3, 3), (6, 5), "HX-3.3", ((6, 5),)),
    ("silver C 3 3", (3, 3), (3, 4), "HX-4.3", ((3, 3), (3, 4))),
    ("silver D 3 3", (3, 3), (3, 4), "HX-4.5", ((3, 3), (3, 4))),
    ("silver D 0 6; silver S 0 4", (0, 6), (0, 2), "HX-4.5", ((0, 4),)),
    ("silver As 0 5", (0, 5), (1, 6), "HX-4.6", ((1, 6),)),
    ("silver As 0 5; silver M 1 6", (0, 5), (1, 6), "HX-3.3", ((1, 6),)),
    ("silver As 0 5", (0, 5), (0, 9), "HX-4.6", ((0, 5), (0, 9))),
    ("silver Ar 0 5; red C 0 4", (0, 5), (0, 4), "HX-4.4", ((0, 4),)),
    ("silver Ar 0 5", (0, 5), (0, 3), "HX-4.4", ((0, 5), (0, 3))),
    ("silver Ar 0 0; red C 0 1", (0, 0), (0, 2), "HX-4.8", ((0, 1),)),
    ("silver Ar 0 0; red C 0 2", (0, 0), (0, 2), "HX-4.4", ((0, 2),)),
]


@pytest.mark.parametrize(("pieces", "origin", "target", "rule", "proof"), CASES)
def test_a_refusal_names_its_rule_and_proof(
    hx: ModuleType, pieces: str, origin: Cell, target: Cell, rule: str, proof: tuple[Cell, ...]
) -> None:
    assert hx.refused(hx.lay(pieces), hx.move(origin, target)) == (rule, proof)


def test_shots_are_refused_with_their_reason(hx: ModuleType) -> None:
    state = hx.lay("silver Ar 0 6; silver R 3 6; silver M 0 1; red C 0 4")
    assert hx.refused(state, hx.shot((3, 6), (3, 5), (3, 1))) == ("HX-4.4", ((3, 6),))
    assert hx.refused(state, hx.shot((0, 6), (0, 4), (0, 0))) == ("HX-4.4", ((0, 6), (0, 4)))
    assert hx.refused(state, hx.shot((0, 6), (0, 5), (0, 4))) == ("HX-4.4", ((0, 5),))
    assert hx.refused(state, hx.shot((0, 6), (0, 5), (0, 1))) == ("HX-3.3", ((0, 1),))
    assert hx.refused(state, hx.shot((0, 6), (1, 5), (1, 1))) == ("HX-4.4", ((1, 1),))
    nowhere = hx.move((0, 6), (0, 5), "*z99")
    assert hx.refused(state, nowhere) == ("HX-4.4", ((0, 5),))
    doubled = hx.lay("silver Ar 0 0; red M 0 -6")
    assert hx.refused(doubled, hx.shot((0, 0), (0, -2), (0, -6))) == ("HX-4.4", ((0, -2),))


def crossing(kind: str) -> tuple[Cell, Cell]:
    """Return the first two spaces between which the way of ``kind`` leaves the board."""
    ways = {
        "Al": [[step] * n for step in g.FLATS for n in (5, 6, 7, 8)],
        "C": [[g.FLATS[d]] * 3 + [g.FLATS[(d + 1) % 6]] * 2 for d in range(6)],
        "D": [[step] * 4 for step in g.FLATS],
        "As": [[flat, line, line] for flat in g.FLATS for line in g.LINES],
    }[kind]
    for cell in g.AXIAL:
        for way in ways:
            here, inside = cell, True
            for step in way:
                here = g.add(here, step)
                inside = inside and here in g.NUMBER
            if here in g.NUMBER and not inside:
                return cell, here
    raise AssertionError(kind)


@pytest.mark.parametrize("kind", ["Al", "C", "D", "As"])
def test_no_way_leads_over_the_out_of_bounds(hx: ModuleType, kind: str) -> None:
    for origin, target in [crossing(kind)]:
        state = hx.lay(f"silver {kind} {origin[0]} {origin[1]}")
        found = hx.judged(state, hx.move(origin, target))
        if kind != "As":
            assert found.rule == "HX-1.2"
            assert not found.allowed


def test_an_assassin_reaches_nothing_behind_the_out_of_bounds(hx: ModuleType) -> None:
    centre = {g.AXIAL[end] for way in ways_of(g.GROUND_ZERO) for end in way}
    found = []
    for cell in g.AXIAL:
        here = {g.AXIAL[end] for way in ways_of(g.NUMBER[cell]) for end in way}
        lost = {g.add(cell, step) for step in centre} & set(g.AXIAL) - here
        found += [(cell, target) for target in sorted(lost)]
    assert found
    origin, target = found[0]
    state = hx.lay(f"silver As {origin[0]} {origin[1]}")
    assert hx.refused(state, hx.move(origin, target)) == ("HX-1.2", (origin, target))


def ways_of(cell: int) -> list[list[int]]:
    """Return the routes of an Assassin, worked out once more; they end at the rim."""
    routes = []
    for one, two in ((g.FLATS, g.LINES), (g.LINES, g.FLATS)):
        for first in one:
            for then in two:
                here, route = g.AXIAL[cell], []
                for step in (first, then, then):
                    here = g.add(here, step)
                    if here not in g.NUMBER:
                        break
                    route.append(g.NUMBER[here])
                routes.append(route)
    return routes


def test_every_refusal_of_the_first_position_has_a_reason_and_a_rule() -> None:
    state = GAME.start(GAME.setup())
    rules = set()
    for action in GAME.legal(state):
        assert GAME.judge(state, action).allowed
    for origin in ("q1", "r1", "p1", "o1", "n1", "m1", "l1", "k1", "q2"):
        for target in g.NAMES:
            ruling = GAME.judge(state, GAME.parse(GAME.setup(), f"{origin}-{target}"))
            assert ruling.rule in GAME.rules
            rules.add(ruling.rule)
    assert {"HX-4.1", "HX-4.2", "HX-4.3", "HX-4.4", "HX-4.5", "HX-4.6", "HX-4.7"} <= rules
