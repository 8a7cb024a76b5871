"""Victorus, sections 1 and 2: pieces, board, kingdoms, walls, seats, names, start array."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.victorus import GAME
from companion.games.victorus import geometry as g
from companion.games.victorus.arena import arena_of
from companion.rules import BadInput, read_action


def test_every_seat_has_twelve_pieces_of_its_own() -> None:
    tokens = Counter(GAME.expect(GAME.start(GAME.setup())).values())
    assert len(tokens) == 72
    assert set(tokens.values()) == {1}
    red = {token.removeprefix("red ") for token in tokens if token.startswith("red")}
    knights = {f"{edge} {kind}" for edge in ("white", "black") for kind in "TUBEH"}
    assert red == knights | {"half K", "half Q"}


def test_181_cells_108_of_battlefield_and_six_kingdoms_of_12() -> None:
    arena = arena_of(GAME.setup())
    count = Counter(arena.land[: g.COUNT])
    assert (len(g.NAMES), count[g.MIDDLE], count[g.BATTLEFIELD]) == (181, 1, 108)
    assert [count[place] for place in range(6)] == [12] * 6


def test_the_battlefield_is_half_white_half_grey() -> None:
    arena = arena_of(GAME.setup())
    field = [cell for cell in range(g.COUNT) if arena.land[cell] == g.BATTLEFIELD]
    assert Counter(arena.shade[cell] for cell in field) == {0: 54, 1: 54}


@pytest.mark.parametrize("ring1", ["white", "grey"])
def test_every_inner_cell_has_two_neighbours_of_its_colour(ring1: str) -> None:
    arena = arena_of(GAME.setup(options={"ring1": ring1}))
    counted = 0
    for cell in range(g.COUNT):
        near = [g.neighbour(cell, step) for step in g.EDGE_STEPS]
        if cell == g.CENTRE or None in near or g.CENTRE in near:
            continue
        counted += 1
        assert sum(arena.shade[n] == arena.shade[cell] for n in near if n is not None) == 2
    assert counted == 132 - 6


def test_ring_one_is_white_unless_the_players_say_grey() -> None:
    assert arena_of(GAME.setup()).shade[g.INDEX["i6"]] == 0
    assert arena_of(GAME.setup(options={"ring1": "grey"})).shade[g.INDEX["i6"]] == 1


@pytest.mark.parametrize(("corner", "own", "other"), [("right", "m1", "e1"), ("left", "e1", "m1")])
def test_the_corner_cell_belongs_to_the_right_or_left(corner: str, own: str, other: str) -> None:
    start = GAME.start(GAME.setup(options={"corner": corner}))
    assert GAME.expect(start)[own].startswith("red")
    assert not GAME.expect(start)[other].startswith("red")


@pytest.mark.parametrize("corner", ["right", "left"])
def test_eighteen_wall_edges_keep_the_kingdoms_apart(corner: str) -> None:
    land, walls = g.kingdoms(corner), g.walls(corner)
    assert len(walls) == 18
    for pair, places in walls.items():
        assert {land[cell] for cell in pair} == set(places)
    between = {
        frozenset((cell, near))
        for cell in range(g.COUNT)
        for step in g.EDGE_STEPS
        if (near := g.neighbour(cell, step)) is not None
        and land[cell] < 6
        and land[near] < 6
        and land[cell] != land[near]
    }
    assert between == set(walls)


def test_names_count_from_the_south_end_of_each_column() -> None:
    heights = Counter(name[0] for name in g.NAMES)
    assert [heights[c] for c in "abcdefghijklmnopq"] == [
        3, 6, 9, 12, 13, 14, 13, 14, 13, 14, 13, 14, 13, 12, 9, 6, 3,
    ]  # fmt: skip
    assert g.NAMES[g.CENTRE] == "i7"
    assert len(GAME.board(GAME.setup()).spots) == 181


def test_the_south_start_array_and_its_edge_colours() -> None:
    start = GAME.expect(GAME.start(GAME.setup()))
    assert [start[spot] for spot in ("f1", "h1", "j1", "l1")] == [
        "red black H", "red half K", "red white H", "red half Q",
    ]  # fmt: skip
    assert [start[spot] for spot in ("g1", "i1", "k1", "m1")] == [
        "red white E", "red black E", "red white B", "red black B",
    ]  # fmt: skip
    assert [start[spot] for spot in ("f2", "h2", "j2", "l2")] == [
        "red white U", "red black T", "red black U", "red white T",
    ]  # fmt: skip
    assert not GAME.check(GAME.start(GAME.setup()))


def test_six_seats_sit_clockwise_from_the_south() -> None:
    assert GAME.setup().seats == ("red", "black", "orange", "purple", "blue", "green")
    start = GAME.expect(GAME.start(GAME.setup()))
    assert start["b1"] == "black half K"
    assert start["j14"] == "purple half K"


def test_the_colours_may_sit_in_another_order() -> None:
    setup = GAME.setup(["red", "blue"], {"seats": "red-green-orange-blue-purple-black"})
    assert GAME.expect(GAME.start(setup))["j14"] == "blue half K"


@pytest.mark.parametrize(
    "seats",
    [("red", "purple"), ("red", "orange", "blue"), ("red", "black", "purple", "blue"),
     ("red", "black", "orange", "purple", "blue")],
)  # fmt: skip
def test_two_sit_opposite_three_alternate_four_in_pairs(seats: tuple[str, ...]) -> None:
    assert GAME.setup(seats).seats == seats


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        (("red", "black"), {}, "2 players sit opposite each other"),
        (("red", "black", "orange"), {}, "3 players sit at every other seat"),
        (("red", "black", "orange", "blue"), {}, "4 players sit as two opposite pairs"),
        (("red",), {}, "two to six players, not 1"),
        (("red", "blue", "orange"), {}, "the seats play clockwise: name them as red, orange, blue"),
        (("red", "white"), {}, "no seat “white”"),
        (("red", "purple"), {"variant": "allied"}, "two against two"),
        (("red", "black", "purple", "blue"), {"variant": "allied"}, "cannot be"),
        (None, {"seats": "red-blue"}, "all of .* in any order, each once"),
        (None, {"game_minutes": "0"}, "whole number from 1 up"),
    ],
)
def test_seats_that_cannot_play_are_refused(
    seats: tuple[str, ...] | None, options: dict[str, str], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        GAME.setup(seats, options)


def test_any_seats_may_play_where_the_players_say_so() -> None:
    assert GAME.setup(("red", "black"), {"placement": "free"}).seats == ("red", "black")
    given = GAME.setup(("red", "blue", "orange"), {"order": "given"})
    assert given.seats == ("red", "blue", "orange")


def test_who_begins_is_the_seat_named_first() -> None:
    assert GAME.setup(("blue", "red", "orange")).seats == ("blue", "red", "orange")


def test_an_empty_seats_kingdom_is_battlefield_or_stays_a_kingdom() -> None:
    field = arena_of(GAME.setup(("red", "purple")))
    kept = arena_of(GAME.setup(("red", "purple"), {"empty_kingdom": "kingdom"}))
    spot = g.INDEX["a1"]
    assert field.view(field.seated).zone[spot] == g.BATTLEFIELD
    assert kept.view(kept.seated).zone[spot] == 1
    assert kept.view(kept.seated).foreign[0][spot]


def walled(text: str, **options: str) -> bool:
    """Tell whether a lone red Byzantine is stopped by a wall."""
    setup = GAME.setup(("red", "purple"), options)
    state = GAME.arrange(setup, {text.split("-")[0]: "red white B"}, "red")
    return GAME.judge(state, read_action(text)).rule == "VIC-2.4"


def test_no_step_crosses_a_wall_and_no_spoke_runs_along_it() -> None:
    setup = GAME.setup(("red", "purple"))
    state = GAME.arrange(setup, {"l2": "red white E"}, "red")
    ruling = GAME.judge(state, read_action("l2-m2"))
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-2.4", ("l2", "m2"))
    assert walled("l3-m1")


def test_no_spoke_passes_a_walls_bend() -> None:
    assert walled("m2-l1")
    assert walled("m1-n2")


def test_a_spoke_may_touch_a_walls_inner_end_unless_forbidden() -> None:
    assert not walled("m2-k2")
    assert walled("m2-k2", wall_tip="forbidden")
    assert not walled("l3-j4", wall_tip="forbidden")


def test_walls_stand_beside_empty_kingdoms_unless_they_are_gone() -> None:
    assert walled("m2-l1")
    assert not walled("m2-l1", fallen_walls="gone")


def test_no_wall_stands_toward_the_battlefield() -> None:
    setup = GAME.setup(("red", "purple"))
    state = GAME.arrange(setup, {"i1": "red black T"}, "red")
    assert GAME.judge(state, read_action("i1-i3")).allowed


@pytest.mark.parametrize(("edge", "top"), [("away", "red"), ("toward", "purple")])
def test_a_seats_colour_is_on_the_edge_away_from_it(edge: str, top: str) -> None:
    board = GAME.board(GAME.setup(options={"edge": edge}))
    x, y = board["i4"].centre
    dyes = {"red": "#c0242b", "purple": "#6f3b8f"}
    north = [
        mark.colour for mark in board.marks
        if len(mark.points) == 2
        and abs(sum(px for px, _ in mark.points) / 2 - x) < 1
        and abs(sum(py for _, py in mark.points) / 2 - (y - 16.7)) < 0.5
    ]  # fmt: skip
    assert north == [dyes[top]]


@pytest.mark.parametrize(("portal", "cell"), [("home", "i6"), ("far", "i8")])
def test_the_portal_faces_home_or_lies_on_the_far_side(portal: str, cell: str) -> None:
    arena = arena_of(GAME.setup(options={"portal": portal}))
    assert g.NAMES[arena.entries[0][0]] == cell
    triangle = next(
        mark for mark in GAME.board(arena.setup).marks
        if mark.fill == "#c0242b" and mark.points[0] == (0.0, 0.0)
    )  # fmt: skip
    south = sum(y for _, y in triangle.points) > 0
    assert south == (portal == "home")


def test_the_other_side_of_a_knight_is_royal_and_that_of_any_other_piece_is_its_back():
    assert GAME.turned_over("red white T") == "red white T+"
    assert GAME.turned_over("red white T+ frozen") == "red white T"
    assert GAME.turned_over("red white K") == "red white K"
