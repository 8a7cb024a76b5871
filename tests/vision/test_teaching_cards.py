"""Showing a deck to the camera: what is learned, and what has to be shown once more."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games import find_game
from vision.cards.cards import KnownDeck
from vision.cards.printed_cards import flat
from vision.cards.teaching import Lesson, alike, blurred

GAME = find_game("victory_honor")
SETUP = GAME.setup()


def picture(token: str, light: float = 1.0) -> np.ndarray:
    """Return the card as the camera sees it: never twice alike."""
    noise = np.random.default_rng(round(100 * light)).normal(0, 3, (352, 252, 3))
    return np.clip(flat(GAME.draw(SETUP, token)) * light + noise, 0, 255).astype(np.uint8)


@pytest.fixture
def deck() -> KnownDeck:
    return KnownDeck()


@pytest.fixture
def lesson(deck: KnownDeck) -> Lesson:
    return Lesson(deck, GAME.spoken)


TOKENS = {"south.L": "red 7", "south.C": "red 6", "south.R": "blue G2", "west.L": "black 4"}


def shown(**instead: np.ndarray) -> dict[str, np.ndarray]:
    """Return the pictures of ``TOKENS`` by spot; ``instead`` names spots without their dot."""
    found = {spot: picture(token) for spot, token in TOKENS.items()}
    return found | {name.replace("_", "."): image for name, image in instead.items()}


def test_sharp_cards_that_differ_are_learned(deck: KnownDeck, lesson: Lesson) -> None:
    assert lesson.learn(TOKENS, shown()) == []
    assert set(deck.taught) == set(TOKENS.values())


def test_a_blurred_card_is_shown_once_more_and_the_others_are_learned(
    deck: KnownDeck, lesson: Lesson
) -> None:
    soft = cv2.GaussianBlur(picture("red 6"), (0, 0), 8)
    assert blurred(shown(south_C=np.asarray(soft))) == ["south.C"]
    (words,) = lesson.learn(TOKENS, shown(south_C=np.asarray(soft)))
    assert "South's centre" in words
    assert set(deck.taught) == set(TOKENS.values()) - {"red 6"}
    assert lesson.learn(TOKENS, shown()) == []
    assert "red 6" in deck.taught


def test_a_card_that_lies_there_twice_is_told_and_can_be_exchanged(
    deck: KnownDeck, lesson: Lesson
) -> None:
    twice = shown(south_C=picture("red 7", 0.8))
    assert alike(twice["south.L"], twice["south.C"])
    (words,) = lesson.learn(TOKENS, twice)
    assert "South's left flank" in words
    assert "South's centre" in words
    assert set(deck.taught) == {"blue G2", "black 4"}
    assert lesson.learn(TOKENS, shown()) == []
    assert set(deck.taught) == set(TOKENS.values())


def test_a_card_that_was_shown_before_is_told_by_its_name(deck: KnownDeck, lesson: Lesson) -> None:
    lesson.learn(TOKENS, shown())
    (words,) = lesson.learn({"south.L": "yellow 1"}, {"south.L": picture("black 4", 0.7)})
    assert GAME.spoken("black 4") in words
    assert "yellow 1" not in deck.taught


def test_two_cards_of_a_deck_that_do_look_alike_are_learned_when_shown_again(
    deck: KnownDeck, lesson: Lesson
) -> None:
    twice = shown(south_C=picture("red 7", 0.8))
    assert lesson.learn(TOKENS, twice) != []
    assert lesson.learn(TOKENS, twice) == []
    assert set(deck.taught) == set(TOKENS.values())
    # They cannot be told apart, and nobody pretends to.
    assert not deck.read(picture("red 7", 0.9)).sure


def test_a_card_shown_again_takes_the_place_of_what_was_learned(
    deck: KnownDeck, lesson: Lesson
) -> None:
    first = shown(south_C=picture("yellow 2"))
    lesson.learn(TOKENS, first)
    before = deck.lessons
    lesson.learn(TOKENS, shown())
    assert deck.lessons > before
    assert not deck.read(picture("yellow 2", 0.9)).sure
    assert deck.read(picture("red 6", 0.9)).faces[0][0] == "red 6"
