"""Cards on a table, drawn at any turn: found, and read by their codes or by how they look."""

from __future__ import annotations

from types import ModuleType

import cv2
import numpy as np
import pytest

from tests.checks import card_scenes
from vision.cards.cards import (
    CARD_MM,
    PER_MM,
    CardReading,
    FoundCard,
    KnownDeck,
    find_cards,
    read_codes,
    upright,
)

SIZE = (round(CARD_MM[0] * PER_MM), round(CARD_MM[1] * PER_MM))


@pytest.fixture(scope="module")
def scenes() -> ModuleType:
    """Drawn pictures of cards on tables."""
    return card_scenes


def shown(face) -> np.ndarray:
    """Return a flat card as it is held before the camera to be enrolled."""
    return np.asarray(cv2.resize(face, SIZE, interpolation=cv2.INTER_AREA))


def nearest(card: FoundCard, scene) -> int:
    off = [np.linalg.norm(np.array(card.centre) - c.mean(axis=0)) for c in scene.corners]
    assert min(off) < 6
    return int(np.argmin(off))


NEAR = 0.04
"""How far a corner may be found from where it is, in diagonals: glare may eat a corner."""


@pytest.mark.parametrize(("seed", "trouble"), [(1, False), (2, False), (3, True), (4, True)])
def test_all_cards_are_found_and_read_by_their_codes(
    scenes: ModuleType, seed: int, trouble: bool
) -> None:
    deck = KnownDeck(scenes.CODES)
    names = [scenes.CARDS[(7 * seed + 11 * k) % 40] for k in range(9)]
    scene = scenes.scene([scenes.picture(name) for name in names], seed, trouble=trouble)
    found = find_cards(scene.image)
    assert len(found) == 9
    read = {}
    for card in found:
        at = nearest(card, scene)
        truth = scene.corners[at]
        off = min(np.abs(np.roll(card.corners, k, 0) - truth).max() for k in range(4))
        assert off < NEAR * np.linalg.norm(truth[2] - truth[0])
        read[at] = deck.read(upright(scene.image, card))
    for at, name in enumerate(names):
        # A code under glare is not read, and never wrongly; one of the two is not enough.
        assert read[at].faces in ((), ((name, 0.5),), ((name, 1.0),))
    assert sum(reading.sure for reading in read.values()) >= 8


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
    found = find_cards(scene.image)
    assert len(found) == 6
    readings = [foreign_deck.read(upright(scene.image, card)) for card in found]
    for card, reading in zip(found, readings, strict=True):
        assert reading.faces[0][0] == str(numbers[nearest(card, scene)])
    # Under glare some are asked about, the right one first.
    assert sum(reading.sure for reading in readings) >= (4 if trouble else 6)


@pytest.mark.parametrize("trouble", [False, True])
def test_a_card_that_was_never_shown_is_taken_for_none_of_the_deck(
    scenes: ModuleType, foreign_deck: KnownDeck, trouble: bool
) -> None:
    strangers = [scenes.foreign(number) for number in range(40, 49)]
    scene = scenes.scene(strangers, 11, trouble=trouble)
    found = find_cards(scene.image)
    assert len(found) == 9
    assert not any(foreign_deck.read(upright(scene.image, card)).sure for card in found)


def test_a_back_has_no_code_and_is_read_by_how_it_looks(scenes: ModuleType) -> None:
    deck = KnownDeck(scenes.CODES)
    deck.enrol("back", shown(scenes.picture("back")))
    scene = scenes.scene([scenes.picture("back")], 5)
    (card,) = find_cards(scene.image)
    assert read_codes(upright(scene.image, card)) == (None, None)
    assert deck.read(upright(scene.image, card)) == CardReading((("back", 1.0),))


def test_a_back_in_glare_is_no_face_and_another_deck_has_other_backs(scenes: ModuleType) -> None:
    deck = KnownDeck(scenes.CODES)
    for name in ("red 7", "black G3", "yellow 1"):
        deck.enrol(name, shown(scenes.picture(name)), coded=True)
    deck.enrol("back", shown(scenes.picture("back")))
    back = shown(scenes.picture("back")).astype(np.int16)
    back[:, 60:130] += 70
    assert deck.read(np.clip(back, 0, 255).astype(np.uint8)).faces[0][0] == "back"
    assert deck.read(np.clip(back, 0, 255).astype(np.uint8)).sure
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


def test_one_corner_is_enough_where_the_card_looks_like_its_face(scenes: ModuleType) -> None:
    deck = KnownDeck(scenes.CODES)
    for name in ("red 7", "red 6"):
        deck.enrol(name, shown(scenes.picture(name)), coded=True)
    card = shown(scenes.picture("red 7"))
    card[:70, :70] = 235
    assert read_codes(card)[0] is None
    assert deck.read(card).faces == (("red 7", 1.0),)
    # Without any code a card of a printed deck is not taken for sure.
    card[-70:, -70:] = 235
    assert deck.read(card).faces[0][0] == "red 7"
    assert not deck.read(card).sure


def test_a_code_that_belies_the_picture_is_asked_about(scenes: ModuleType) -> None:
    deck = KnownDeck({number: ("red 7", "red 6")[number == 6] for number in (5, 6)})
    deck.enrol("red 6", shown(scenes.picture("red 7")))
    deck.enrol("red 7", shown(scenes.picture("blue G3")))
    reading = deck.read(shown(scenes.picture("blue G3")))
    assert reading.faces[0] == ("red 7", pytest.approx(1.0))
    reading = deck.read(shown(scenes.picture("red 7")))
    assert reading.sure
    wrong = KnownDeck({6: "black 1"})
    wrong.enrol("black 1", shown(scenes.picture("black 1")))
    wrong.enrol("red 7", shown(scenes.picture("red 7")))
    reading = wrong.read(shown(scenes.picture("red 7")))
    assert not reading.sure
    assert {face for face, _ in reading.faces} >= {"black 1", "red 7"}


def test_what_is_no_enrolled_card_is_nothing(scenes: ModuleType) -> None:
    assert KnownDeck().read(shown(scenes.foreign(1))) == CardReading(())
    deck = KnownDeck(scenes.CODES)
    deck.enrol("red 7", shown(scenes.picture("red 7")))
    half = np.full((SIZE[1], SIZE[0], 3), 235, np.uint8)
    half[:, : SIZE[0] // 2] = 20
    assert deck.read(half).faces == ()


def test_an_empty_table_holds_no_cards(scenes: ModuleType) -> None:
    assert find_cards(scenes.scene([], 3).image) == []


def test_rectangles_of_another_size_are_no_cards(scenes: ModuleType) -> None:
    scene = scenes.scene([scenes.picture("red 7")], 9)
    assert len(find_cards(scene.image, per_mm=2.4)) == 1
    assert find_cards(scene.image, per_mm=4.0) == []


def test_a_large_picture_is_looked_at_smaller_and_told_in_its_own_pixels(
    scenes: ModuleType,
) -> None:
    scene = scenes.scene([scenes.picture("yellow G2"), scenes.picture("blue 4")], 6, per_mm=4.5)
    assert scene.image.shape[1] > 1280
    found = find_cards(scene.image)
    assert len(found) == 2
    names = [KnownDeck(scenes.CODES).read(upright(scene.image, card)).faces[0][0] for card in found]
    assert set(names) == {"yellow G2", "blue 4"}


def test_a_card_half_under_a_hand_is_not_read_as_another(scenes: ModuleType) -> None:
    scene = scenes.scene([scenes.picture("red 5")], 12)
    image = scene.image.copy()
    middle = scene.corners[0].mean(axis=0)
    edge = (scene.corners[0][0] + scene.corners[0][1]) / 2
    at = (0.35 * middle + 0.65 * edge).astype(int)
    cv2.ellipse(image, (int(at[0]), int(at[1])), (90, 60), 20, 0, 360, (110, 150, 205), -1)
    deck = KnownDeck(scenes.CODES)
    readings = [deck.read(upright(image, card)) for card in find_cards(image)]
    assert all(not reading.faces or reading.faces[0][0] == "red 5" for reading in readings)
