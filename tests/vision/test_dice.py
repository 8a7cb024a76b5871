"""Dice of many colours, turned and lit in many ways, read from their pips."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.invictus import GAME
from tests.checks.loops import some
from tests.checks.recordings import recording
from vision.board.calibrate import Camera, camera_from_table
from vision.dice.dice import ANYHOW, SITES, Stance, find_tops
from vision.dice.lean import Lean, learn_lean
from vision.dice.pips import SIZE, find_blobs, opponent
from vision.dice.tabledice import FirstLook

FINE = 4
PIPS = {1: (0,), 2: (1, 3), 3: (0, 1, 3), 4: (1, 2, 3, 4), 5: (0, 1, 2, 3, 4),
        6: (1, 2, 3, 4, 5, 7)}  # fmt: skip
COLOURS = {
    "black with white pips": ((30, 28, 28), (235, 240, 240)),
    "white with black pips": ((225, 232, 235), (25, 25, 25)),
    "red with white pips": ((40, 35, 190), (235, 235, 235)),
    "yellow with black pips": ((40, 210, 230), (20, 20, 20)),
    "green with yellow pips": ((70, 110, 30), (60, 215, 230)),
    "blue with red pips": ((170, 90, 30), (50, 40, 200)),
}
WHITE, BLACK = COLOURS["white with black pips"], COLOURS["black with white pips"]
SIDES = {1: (2, 3), 2: (6, 4), 3: (5, 6), 4: (6, 5), 5: (3, 1), 6: (5, 4)}


def board_patch(shade=0):
    """A bare patch of a chequered board, FINE times as large as it is read."""
    n = SIZE * FINE
    patch = np.zeros((n, n, 3), np.float32)
    light, dark = (120, 175, 205), (60, 100, 140)
    patch[:] = (dark, light)[shade]
    edge = int(n * (0.5 - 0.5 / 1.6))
    for x in (slice(0, edge), slice(n - edge, n)):
        patch[:, x] = (light, dark)[shade]
        patch[x] = (light, dark)[shade]
    return patch


def draw_face(patch, value, corners, body, ink, pip=0.42):
    """Draw a face on the quadrilateral ``corners`` (clockwise, fine pixels)."""
    square = np.array([(-2, -2), (2, -2), (2, 2), (-2, 2)], np.float32)
    way = cv2.getPerspectiveTransform(square, np.array(corners, np.float32))
    cv2.fillConvexPoly(patch, np.round(corners).astype(np.int32), body, cv2.LINE_AA)
    ring = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    for site in PIPS[value]:
        disc = SITES[site] + pip * np.stack([np.cos(ring), np.sin(ring)], 1)
        flat = cv2.perspectiveTransform(disc[None].astype(np.float32), way).reshape(-1, 2)
        cv2.fillConvexPoly(patch, np.round(flat).astype(np.int32), ink, cv2.LINE_AA)


def dice_patch(value, colours=WHITE, turn=0.0, side=0.36, at=(0.0, 0.0), lean=(0.05, 0.16),
               seed=0, noise=3.0, shade=0, gamma=1.0, blur=0.5, gradient=0.0,
               pip=0.42):  # fmt: skip
    """A patch with a die: ``side`` and ``at`` (the middle of its top) in patch widths; the foot
    of the die lies off its top by ``lean``, so that its side faces are in view."""
    patch, n = board_patch(shade), SIZE * FINE
    body, ink = colours
    angle = np.radians(turn)
    turning = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2 @ turning.T
    top = (corners + np.array(at) + 0.5) * n
    down = np.array(lean) * n
    shown = iter(SIDES[value])
    for k in range(4):
        a, b = top[k], top[(k + 1) % 4]
        outward = np.array([(b - a)[1], -(b - a)[0]])
        if outward @ down > 0:
            dark = 0.55 if abs(outward[0]) > abs(outward[1]) else 0.75
            shaded = [tuple(dark * c for c in colour) for colour in (body, ink)]
            draw_face(patch, next(shown), [a, b, b + down, a + down], *shaded, pip)
    draw_face(patch, value, top, body, ink, pip)
    small = cv2.resize(patch, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    if blur:
        small = cv2.GaussianBlur(small, (0, 0), blur)
    small *= 1 + gradient * np.linspace(-0.5, 0.5, SIZE, dtype=np.float32)[None, :, None]
    small = 255 * (np.clip(small, 0, 255) / 255) ** gamma
    small += np.random.default_rng(seed).normal(0, noise, small.shape)
    return np.clip(small, 0, 255).astype(np.uint8)


KNOWN = Stance((0.0, 0.0), 0.05, 0.16, 0.09, 0.08)
"""What is known of dice of side 0.36 once their lean is learned at the set-up."""


def read_die(patch, stance=ANYHOW):
    return find_tops(patch[None], [stance]).readings()[0]


@pytest.mark.parametrize("name", COLOURS)
@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_of_any_colour_turned_anyhow_is_read(value, name):
    for turn in range(0, 90, 15):
        reading = read_die(dice_patch(value, COLOURS[name], turn, seed=turn), KNOWN)
        assert reading.value == value, turn
        assert reading.die > 0.7


@pytest.mark.parametrize("value", range(2, 7))
def test_a_die_of_unknown_size_at_an_unknown_place_is_read(value):
    for colours in (WHITE, BLACK):
        for turn in range(0, 90, 15):
            assert read_die(dice_patch(value, colours, turn, seed=turn)).value == value, turn


HARD = {
    "dim": {"gamma": 2.0},
    "glaring": {"gamma": 0.5},
    "blurred": {"blur": 1.1},
    "noisy": {"noise": 9.0},
    "lit from one side": {"gradient": 0.7},
    "seen steeply": {"lean": (0.1, 0.22)},
    "small": {"side": 0.30},
    "large": {"side": 0.46},
    "off the middle": {"at": (0.06, -0.06)},
}


@pytest.mark.parametrize("light", HARD)
@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_is_read_in_hard_light_and_off_its_place(value, light):
    stance = replace(KNOWN, spacing=HARD[light].get("side", 0.36) / 4)
    for colours in (WHITE, BLACK):
        for turn in (8, 37, 68):
            patch = dice_patch(value, colours, turn, **HARD[light])
            assert read_die(patch, stance).value == value, turn


@pytest.mark.parametrize("shade", [0, 1])
def test_a_bare_spot_shows_no_die(shade):
    bare = cv2.resize(board_patch(shade), (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    noisy = bare + np.random.default_rng(1).normal(0, 4, bare.shape)
    for patch in (bare, np.clip(noisy, 0, 255)):
        assert read_die(patch.astype(np.uint8)).die < 0.1


def test_a_patch_without_any_blob_is_no_die():
    flat = np.full((SIZE, SIZE, 3), 120, np.uint8)
    reading = read_die(flat)
    assert not find_blobs(opponent(flat[None])).real.any()
    assert reading.die == 0
    assert reading.faces == (1 / 6,) * 6


def test_probabilities_add_up_to_one():
    assert sum(read_die(dice_patch(5)).faces) == pytest.approx(1)


@pytest.mark.parametrize("name", COLOURS)
def test_the_colour_of_the_body_is_told(name):
    body, _ = COLOURS[name]
    reading = read_die(dice_patch(4, COLOURS[name], 20, side=0.44))
    assert np.abs(np.subtract(reading.body, body)).max() < 30


def test_where_the_top_lies_and_its_size_are_told():
    reading = read_die(dice_patch(6, turn=12, side=0.40, at=(0.05, -0.04)))
    assert np.allclose(reading.middle, (0.05, -0.04), atol=0.015)
    assert reading.spacing == pytest.approx(0.10, rel=0.08)


def test_a_stance_keeps_the_neighbours_top_face_out():
    patch = dice_patch(1, at=(0.0, -0.1), side=0.34)
    neighbour = dice_patch(6, at=(0.0, -0.1), side=0.34)
    beside = np.vstack([patch[22:], neighbour[:22]])
    assert read_die(beside, Stance((0.0, -0.44), 0.05, 0.1, 0.085, 0.08)).value == 1


CENTRES = [(x * 26.0, y * 26.0) for x in (-4, -1, 2, 4) for y in (-3, -2, 2, 3)]


def leaning(slope, foot, wrong=()):
    """Readings of dice whose tops lean by ``slope`` away from ``foot``; some are misread."""
    found = []
    for k, centre in enumerate(CENTRES):
        off = [slope * (c - f) / 41.6 for c, f in zip(centre, foot, strict=True)]
        if k in wrong:
            off = [-off[0], off[1] + 0.2]
        value = 2 + k % 5
        reading = read_die(dice_patch(value, (WHITE, BLACK)[k % 2], 7 * k, at=(0.0, 0.0)))
        found.append(type(reading)(reading.faces, reading.die, tuple(off), reading.spacing))
    return found


USUAL = Lean(0.036, (12.0, 146.0), 4.0)


def test_the_lean_of_the_dice_is_learned_though_some_are_misread():
    lean = learn_lean(CENTRES, leaning(0.04, (10.0, 150.0), wrong=(1, 6)), 41.6, USUAL)
    assert lean.slope == pytest.approx(0.04, rel=0.02)
    assert np.allclose(lean.foot, (10, 150), atol=4)
    assert lean.spacing == pytest.approx(0.09 * 41.6, rel=0.08)


def test_a_lean_says_where_a_top_is_expected():
    stance = Lean(0.04, (0.0, 130.0), 4.2).stance((26.0, 0.0), 41.6)
    assert stance.middle == pytest.approx((0.025, -0.125))
    assert stance.spacing == pytest.approx(4.2 / 41.6)
    assert stance.reach < ANYHOW.reach


def test_large_dice_are_read_as_dice_of_one_size():
    values = [1 + k % 6 for k in range(18)]
    patches = np.stack(
        [dice_patch(value, BLACK, 13 * k, side=0.5, seed=k) for k, value in enumerate(values)]
    )
    loose = Stance((0.0, 0.0), 0.08, 0.22, 0.09, 0.20)
    readings = find_tops(patches, [loose] * len(values)).alike(0.06).readings()
    assert [reading.value for reading in readings] == values
    assert np.allclose([reading.spacing for reading in readings], 0.125, rtol=0.12)


def test_untidy_dice_are_looked_for_farther_off_their_spots():
    chance = np.random.default_rng(3)
    tidy = leaning(0.04, (10.0, 150.0))
    untidy = [
        replace(r, middle=tuple(np.add(r.middle, chance.normal(0, 3.0, 2) / 41.6))) for r in tidy
    ]
    lean, loose = (learn_lean(CENTRES, seen, 41.6, USUAL) for seen in (tidy, untidy))
    assert lean.astray < 0.3
    assert loose.astray == pytest.approx(3.0, rel=0.4)
    assert loose.stance((0.0, 0.0), 41.6).reach > 1.1 * lean.stance((0.0, 0.0), 41.6).reach


@pytest.mark.parametrize("colours", [WHITE, BLACK])
def test_a_single_small_pip_of_a_die_of_known_size_is_no_two(colours):
    patch = dice_patch(1, colours, 25, side=0.46, pip=0.25)
    reading = read_die(patch, replace(KNOWN, spacing=0.115))
    assert reading.value == 1
    assert reading.faces[0] > 0.9


def test_a_camera_straight_above_sees_no_lean():
    lean = learn_lean(CENTRES, leaning(0.0, (0.0, 0.0)), 41.6, Lean(0.03, (0.0, 0.0), 4.0))
    assert np.allclose(lean.stance((90.0, 90.0), 41.6).middle, 0, atol=0.03)


def test_too_few_clear_dice_teach_nothing():
    assert learn_lean(CENTRES[:3], leaning(0.04, (0.0, 150.0))[:3], 41.6, USUAL) is None


# -- a whole table -------------------------------------------------------------------------------

SETUP = GAME.setup()
BOARD = GAME.board(SETUP)
LOOKS = {f"{body} {k}": GAME.look(f"{body} {k}") for body in GAME.seats for k in range(1, 7)}
BODIES = {spot: GAME.look(token).body for spot, token in GAME.expect(GAME.start(SETUP)).items()}
SCALE = 40 / 26
ABOVE = Camera(np.array([[SCALE, 0, 200.0], [0, SCALE, 200.0], [0, 0, 1]]), (400, 400))


def table_picture(position, dark=1.0):
    """The board from straight above, 40 pixels a space, with dice on it."""
    picture = np.full((400, 400, 3), 60, np.uint8)
    for k, spot in enumerate(BOARD):
        x, y = (round(v) for v in ABOVE.project([BOARD[spot].centre])[0])
        if spot in position:
            body, value = position[spot].split()
            colours = WHITE if body == "white" else BLACK
            patch = dice_patch(int(value), colours, 17 * k, lean=(0, 0), shade=k % 2, seed=k)
        else:
            patch = cv2.resize(board_patch(k % 2), (SIZE, SIZE)).astype(np.uint8)
        picture[y - 20 : y + 20, x - 20 : x + 20] = patch[12:52, 12:52]
    return (picture * dark).astype(np.uint8)


def read_table(dice, picture):
    seen = dice.read(picture, ABOVE, BOARD)
    tokens = {spot: dice.token(seen[spot], LOOKS) for spot in BOARD}
    return {spot: token for spot, token in tokens.items() if token is not None}, seen


def set_up():
    shuffled = np.random.default_rng(5).permutation
    position = {}
    for body in GAME.seats:
        spots = [spot for spot in BODIES if BODIES[spot] == body]
        values = shuffled([1, 2, 3, 4, 5, 6] * 3)
        position |= {spot: f"{body} {v}" for spot, v in zip(spots, values, strict=True)}
    return position


def test_any_set_up_is_read_knowing_only_whose_rows_are_whose():
    position = set_up()
    picture = table_picture(position)
    seen, _ = read_table(FirstLook(picture, ABOVE, BOARD, BODIES).learn(), picture)
    assert seen == position
    assert GAME.check(GAME.arrange(SETUP, seen)) == ()


def test_dice_that_moved_are_read_by_what_the_set_up_taught_also_in_less_light():
    position = set_up()
    dice = FirstLook(table_picture(position), ABOVE, BOARD, BODIES).learn()
    position["e5"], position["d4"] = position.pop("a7"), position.pop("c3")
    found, seen = read_table(dice, table_picture(position, dark=0.75))
    assert found == position
    for spot in BOARD:
        right = LOOKS[position[spot]] if spot in position else None
        assert seen[spot].error(right) < 0.06
    assert seen["e5"].error(LOOKS[position["d4"]]) > 0.3
    assert seen["e5"].error(None) > 0.3
    assert seen["a7"].error(LOOKS["white 1"]) > 0.3


def test_a_side_in_the_shade_of_its_die_is_no_top():
    position = set_up()
    picture = table_picture(position)
    dice = FirstLook(picture, ABOVE, BOARD, BODIES).learn()
    shaded = table_picture({**position, "e5": "white 5"}, dark=0.45)
    x, y = (round(v) for v in ABOVE.project([BOARD["e5"].centre])[0])
    here = slice(y - 20, y + 20), slice(x - 20, x + 20)
    picture[here] = shaded[here]
    assert "e5" not in read_table(dice, picture)[0]


@pytest.mark.parametrize("light", [(70, 255, 70), (40, 200, 255), (255, 90, 40)])
def test_a_light_under_a_bare_space_is_no_die(light):
    position = set_up()
    picture = table_picture(position)
    dice = FirstLook(picture, ABOVE, BOARD, BODIES).learn()
    for spot in ("d4", "e5", "f6", "a4"):
        x, y = (round(v) for v in ABOVE.project([BOARD[spot].centre])[0])
        halo = np.zeros((400, 400), np.float32)
        cv2.circle(halo, (x, y), 4, 1.0, -1, cv2.LINE_AA)
        glow = (halo + 0.6 * cv2.GaussianBlur(halo, (0, 0), 4))[..., None]
        picture = np.clip(picture + glow * np.array(light), 0, 255).astype(np.uint8)
    assert read_table(dice, picture)[0] == position


def test_an_empty_table_teaches_nothing():
    assert FirstLook(table_picture({}), ABOVE, BOARD, BODIES).learn() is None


# -- recordings ----------------------------------------------------------------------------------


LIGHTS = {
    "as it is": lambda image: image,
    "darker": lambda image: (255 * (image / 255.0) ** 1.6).astype(np.uint8),
    "noisier": lambda image: np.clip(
        image + np.random.default_rng(2).normal(0, 8, image.shape), 0, 255
    ).astype(np.uint8),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "light"),
    [
        ("invictus-1", "noisier"),
        ("invictus-2", "darker"),
        *(
            pytest.param(name, light, marks=pytest.mark.slow)
            for name in ("invictus-1", "invictus-2")
            for light in ("as it is", "darker", "noisier")
            if (name, light) not in (("invictus-1", "noisier"), ("invictus-2", "darker"))
        ),
    ],
)
def test_every_position_of_a_recorded_game_is_read(name, light):
    folder = recording(name)
    frames = json.loads((folder / "truth.json").read_text())
    stills = [frame for frame in frames if frame["kind"] == "still"]
    first = LIGHTS[light](cv2.imread(str(folder / stills[0]["frame"])))
    camera = camera_from_table(BOARD, json.loads((folder / "table.json").read_text()), first)
    dice = FirstLook(first, camera, BOARD, BODIES).learn()
    for still in some(stills[:: 2 if light == "as it is" else 6]):
        seen = dice.read(LIGHTS[light](cv2.imread(str(folder / still["frame"]))), camera, BOARD)
        found = {spot: dice.token(seen[spot], LOOKS) for spot in BOARD}
        assert {s: t for s, t in found.items() if t} == still["position"], still["frame"]


def test_most_photographed_dice_are_read():
    folder = recording("real/dice/train")
    truth = json.loads((folder / "ground_truth.json").read_text())
    right = []
    for name in sorted(truth)[::8]:
        image = cv2.imread(str(folder / name))
        for die in truth[name]["dice"]:
            left, top, low, high = (die[k] * 640 for k in ("xmin", "ymin", "xmax", "ymax"))
            scale = SIZE / (1.45 * max(low - left, high - top))
            x, y = (
                (SIZE - 1) / 2 - scale * (left + low) / 2,
                (SIZE - 1) / 2 - scale * (top + high) / 2,
            )
            way = np.array([[scale, 0, x], [0, scale, y]])
            patch = cv2.warpAffine(image, way, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
            right.append(read_die(patch).value == die["value"])
    assert len(right) > 100
    assert np.mean(right) > 0.95
