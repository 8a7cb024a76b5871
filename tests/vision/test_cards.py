"""Cards on a table, drawn at any turn: found, and read by how they look."""

from __future__ import annotations

from types import ModuleType

import cv2
import numpy as np
import pytest

from companion.simulation.sensor import through_jpeg
from tests.checks import card_scenes
from vision.cards.cards import CARD_MM, PER_MM, CardReading, KnownDeck, upright
from vision.cards.outline import find_outline
from vision.cards.printed_cards import printed

SIZE = (round(CARD_MM[0] * PER_MM), round(CARD_MM[1] * PER_MM))


@pytest.fixture(scope="module")
def scenes() -> ModuleType:
    """Drawn pictures of cards on tables."""
    return card_scenes


def shown(face) -> np.ndarray:
    """Return a flat card as it is held before the camera to be enrolled."""
    return np.asarray(cv2.resize(face, SIZE, interpolation=cv2.INTER_AREA))


def placed(scene, corners, turn: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a card of a scene as the place it lies on shows it, with ``COARSE`` pixels a
    millimetre, turned by so many degrees; and where its corners are."""
    width, height = (side * COARSE for side in CARD_MM)
    about = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    there = about @ np.array([[cos, sin], [-sin, cos]]) + PLACE / 2
    way = cv2.getPerspectiveTransform(corners.astype(np.float32), there.astype(np.float32))
    return np.asarray(cv2.warpPerspective(scene.image, way, (PLACE, PLACE))), there


@pytest.fixture(scope="module")
def deck() -> KnownDeck:
    """The printed deck as a table knows it."""
    return printed(card_scenes.GAME, card_scenes.SETUP)


COARSE, PLACE = 2.0, 250
NEAR = 4.0
"""Millimetres by which a corner may be found from where it is."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("seed", "trouble"),
    [
        (1, False),
        (3, True),
        pytest.param(2, False, marks=pytest.mark.slow),
        pytest.param(4, True, marks=pytest.mark.slow),
    ],
)
def test_all_cards_of_the_printed_deck_are_found_and_read(
    scenes: ModuleType, deck: KnownDeck, seed: int, trouble: bool
) -> None:
    names = [scenes.CARDS[(7 * seed + 11 * k) % 40] for k in range(9)]
    scene = scenes.scene([scenes.picture(name) for name in names], seed, trouble=trouble)
    readings = []
    for k, corners in enumerate(scene.corners):
        place, truth = placed(scene, corners, 37.0 * k)
        outline = find_outline(place, COARSE)
        assert outline is not None
        off = min(np.abs(np.roll(outline, k, 0) - truth).max() for k in range(4))
        assert off < NEAR * COARSE
        readings.append(deck.find(place, outline)[0])
    told = list(zip(readings, names, strict=True))
    assert all(not reading.sure or reading.faces[0][0] == name for reading, name in told)
    assert sum(reading.sure for reading in readings) >= 8


@pytest.fixture(scope="module")
def foreign_deck(scenes: ModuleType) -> KnownDeck:
    """Forty cards of another make, shown once each."""
    deck = KnownDeck()
    for number in range(40):
        deck.enrol(str(number), shown(scenes.foreign(number)))
    assert len(deck.faces) == 40
    return deck


@pytest.mark.parametrize("trouble", [False, True])
def test_a_deck_without_codes_is_read_by_how_its_faces_looked(
    scenes: ModuleType, foreign_deck: KnownDeck, trouble: bool
) -> None:
    numbers = (3, 9, 12, 21, 30, 38)
    scene = scenes.scene([scenes.foreign(number) for number in numbers], 8, trouble=trouble)
    readings = [foreign_deck.read(upright(scene.image, where)) for where in scene.corners]
    assert [int(reading.faces[0][0]) for reading in readings] == list(numbers)
    # Under glare some are asked about, the right one first.
    assert sum(reading.sure for reading in readings) >= (4 if trouble else 6)


@pytest.mark.thorough
@pytest.mark.parametrize("trouble", [False, True])
def test_a_card_that_was_never_shown_is_taken_for_none_of_the_deck(
    scenes: ModuleType, foreign_deck: KnownDeck, trouble: bool
) -> None:
    strangers = [scenes.foreign(number) for number in range(40, 49)]
    scene = scenes.scene(strangers, 11, trouble=trouble)
    readings = [foreign_deck.read(upright(scene.image, where)) for where in scene.corners]
    assert not any(reading.sure for reading in readings)


def test_a_back_is_no_face(scenes: ModuleType, deck: KnownDeck) -> None:
    scene = scenes.scene([scenes.picture("back")], 5)
    reading = deck.read(upright(scene.image, scene.corners[0]))
    assert reading.sure
    assert reading.faces[0][0] == "back"


def test_a_back_in_glare_is_no_face_and_another_deck_has_other_backs(
    scenes: ModuleType, deck: KnownDeck
) -> None:
    back = shown(scenes.picture("back")).astype(np.int16)
    back[:, 60:130] += 70
    reading = deck.read(np.clip(back, 0, 255).astype(np.uint8))
    assert not reading.sure or reading.faces[0][0] == "back"
    plain = np.full_like(back, 240)
    plain[20:-20, 20:-20] = (150, 60, 30)
    assert not deck.read(plain.astype(np.uint8)).sure


def test_two_faces_that_look_alike_are_asked_about(scenes: ModuleType) -> None:
    deck = KnownDeck()
    one = shown(scenes.foreign(3))
    other = one.copy()
    other[100:112, 100:112] = 120
    deck.enrol("one", one)
    deck.enrol("other", other)
    light = np.clip(one.astype(float) * 0.9 + 4, 0, 255).astype(np.uint8)
    light[100:112, 100:106] = 120
    reading = deck.read(light)
    assert not reading.sure
    assert {face for face, _ in reading.faces} == {"one", "other"}


def indexed(card: np.ndarray, mark: int) -> np.ndarray:
    """Return the card with a small index of its own in two corners, as playing cards have."""
    for y, x in ((8, 8), (-40, -32)):
        card[y : y + 32, x : x + 24] = 235
        card[y + mark : y + mark + 16, x : x + 24] = (20, 20, 120)
    return card


def test_two_faces_that_differ_in_an_index_are_told_apart_unless_a_finger_lies_there(
    scenes: ModuleType,
) -> None:
    one, other = (indexed(shown(scenes.foreign(3)), mark) for mark in (0, 16))
    deck = KnownDeck()
    deck.enrol("one", one)
    deck.enrol("other", other)
    darker = (other * 0.8).astype(np.uint8)
    assert deck.read(darker).faces[0][0] == "other"
    assert deck.read(darker).sure
    darker[:48, :40] = darker[-48:, -40:] = 100
    covered = deck.read(darker)
    assert not covered.sure
    assert {face for face, _ in covered.faces} == {"one", "other"}


def test_one_corner_is_enough_where_the_card_looks_like_its_face(
    scenes: ModuleType, deck: KnownDeck
) -> None:
    card = shown(scenes.picture("red 7"))
    card[:70, :70] = 235
    assert deck.read(card).sure
    assert deck.read(card).faces[0][0] == "red 7"
    # Without any code a card may be one of another deck.
    card[-70:, -70:] = 235
    assert deck.read(card).nearest[0] == "red 7"
    assert not deck.read(card).sure


@pytest.mark.parametrize("colour", [0.3, 1.0, 1.6])
@pytest.mark.parametrize("exponent", [0.65, 1.0, 1.6])
def test_a_camera_that_draws_dull_or_gaudy_pale_or_dark_takes_no_card_for_another(
    scenes: ModuleType, deck: KnownDeck, exponent: float, colour: float
) -> None:
    names = scenes.GAME.tokens(scenes.SETUP)[::5]
    assert len(names) > 5
    known = []
    for name in names:
        bent = 235 * (scenes.picture(name) / 255.0) ** exponent
        grey = bent.mean(axis=2, keepdims=True)
        drawn = np.clip(grey + colour * (bent - grey), 0, 255).astype(np.uint8)
        reading = deck.read(cv2.GaussianBlur(drawn, (0, 0), 2))
        assert reading.faces[0][0] == name or not reading.sure
        known.append(reading.faces[0][0] == name and reading.sure)
    assert sum(known) >= len(names) - 1


@pytest.mark.parametrize("wide", [80, 100])
@pytest.mark.parametrize("name", ["blue 4", "black 4", "yellow G1", "red G3", "black 1", "back"])
def test_eighty_pixels_through_a_soft_lens_and_a_veil_are_enough(
    scenes: ModuleType, deck: KnownDeck, name: str, wide: int
) -> None:
    card = cv2.resize(scenes.picture(name), (wide, round(wide * 88 / 63)), interpolation=3)
    light = np.linspace(0, 90, wide)[None, :, None]
    soft = cv2.GaussianBlur(card, (0, 0), 1.2) * 0.6 + light
    noise = np.random.default_rng(wide).normal(0, 6, soft.shape)
    sent = through_jpeg(np.clip(soft + noise, 0, 255).astype(np.uint8), 60)
    reading = deck.read(np.asarray(cv2.resize(sent, SIZE, interpolation=cv2.INTER_LINEAR)))
    assert reading.sure
    assert reading.faces[0][0] == name


def test_a_card_whose_outline_was_seen_aside_is_found_by_its_print(
    scenes: ModuleType, deck: KnownDeck
) -> None:
    table = np.full((560, 560, 3), 225, np.uint8)
    card = cv2.resize(scenes.picture("red 5"), (252, 352), interpolation=cv2.INTER_AREA)
    table[104:456, 154:406] = card
    reading, corners = deck.search(table, 4.0, [0.0, 90.0])
    assert reading.sure
    assert reading.faces[0][0] == "red 5"
    assert np.abs(corners[0] - (153.5, 103.5)).max() < 8


def test_what_is_no_enrolled_card_is_nothing(scenes: ModuleType) -> None:
    assert KnownDeck().read(shown(scenes.foreign(1))) == CardReading(())
    deck = KnownDeck()
    deck.enrol("red 7", shown(scenes.picture("red 7")))
    half = np.full((SIZE[1], SIZE[0], 3), 235, np.uint8)
    half[:, : SIZE[0] // 2] = 20
    assert not deck.read(half).sure
    assert deck.read(half).known < 0.5


def test_an_empty_table_holds_no_cards(scenes: ModuleType) -> None:
    table = scenes.scene([], 3).image
    assert all(find_outline(table[y:][:PLACE, :PLACE], COARSE) is None for y in (0, 250, 500))


@pytest.mark.parametrize("larger", [0.8, 1.25])
def test_rectangles_of_another_size_are_no_cards(scenes: ModuleType, larger: float) -> None:
    scene = scenes.scene([scenes.picture("red 7")], 9)
    place, _ = placed(scene, scene.corners[0], 20.0)
    assert find_outline(place, COARSE) is not None
    assert find_outline(place, COARSE * larger) is None


def test_a_card_half_under_a_hand_is_not_read_as_another(
    scenes: ModuleType, deck: KnownDeck
) -> None:
    scene = scenes.scene([scenes.picture("red 5")], 12)
    image = scene.image.copy()
    middle = scene.corners[0].mean(axis=0)
    edge = (scene.corners[0][0] + scene.corners[0][1]) / 2
    at = (0.35 * middle + 0.65 * edge).astype(int)
    cv2.ellipse(image, (int(at[0]), int(at[1])), (90, 60), 20, 0, 360, (110, 150, 205), -1)
    reading = deck.read(upright(image, scene.corners[0]))
    assert not reading.sure or reading.faces[0][0] == "red 5"
