"""Sentences that can be said in other languages."""

from __future__ import annotations

import copy
import pickle

import pytest

from companion.rules import say, tell

ITALIAN = {
    "{piece} may not leave {spot}": "da {spot} {piece} non può muoversi",
    "the red Templar": "il Templare rosso",
}


def translate(message: str) -> str:
    return ITALIAN.get(message, message)


def test_a_sentence_is_plain_english_to_who_asks_for_nothing() -> None:
    assert say("{piece} may not leave {spot}", piece="red T", spot="h2") == "red T may not leave h2"


def test_another_language_may_put_the_values_elsewhere() -> None:
    sentence = say("{piece} may not leave {spot}", piece="T", spot="h2")
    assert tell(sentence, translate) == "da h2 T non può muoversi"


def test_values_that_are_sentences_are_translated_too() -> None:
    sentence = say("{piece} may not leave {spot}", piece=say("the red Templar"), spot="h2")
    assert tell(sentence, translate) == "da h2 il Templare rosso non può muoversi"


def test_what_has_no_translation_stays_english() -> None:
    assert tell(say("{who} has won", who="red"), translate) == "red has won"


def test_plain_text_is_looked_up_whole() -> None:
    assert tell("the red Templar", translate) == "il Templare rosso"


def test_a_forgotten_value_is_found_at_once() -> None:
    with pytest.raises(KeyError):
        say("{piece} may not move")


def test_a_copied_sentence_is_translated_like_the_first() -> None:
    sentence = say("{piece} may not leave {spot}", piece=say("the red Templar"), spot="h2")
    for copied in (copy.deepcopy(sentence), pickle.loads(pickle.dumps(sentence))):
        assert copied == sentence
        assert tell(copied, translate) == tell(sentence, translate)
