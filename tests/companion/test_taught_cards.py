"""Faces of cards that a camera was taught are kept beside the journal."""

from __future__ import annotations

import numpy as np

from companion.games import find_game
from companion.live.face_file import FaceFile, load_taught, save_taught
from vision.cards.card_reader import CardReader
from vision.cards.cards import KnownDeck

GAME = find_game("victory_honor")


def reader(deck):
    return CardReader(GAME, GAME.setup(), {}, deck=deck)


def test_what_was_taught_is_known_on_the_next_evening(tmp_path):
    taught = KnownDeck()
    taught.teach("red 7", np.full((352, 252, 3), 200, np.uint8))
    FaceFile(tmp_path / "game.faces.npz", GAME.name).see(reader(taught))
    fresh = KnownDeck()
    FaceFile(tmp_path / "game.faces.npz", GAME.name).recall(reader(fresh))
    assert fresh.faces == ("red 7",)


def test_a_spoilt_file_is_no_reason_not_to_play(tmp_path, caplog):
    path = tmp_path / "game.faces.deck.npz"
    path.write_bytes(b"no archive")
    assert load_taught(path) == {}
    assert "cannot read" in caplog.text
    save_taught({}, tmp_path / "nowhere" / "deck.npz")
    assert "cannot write" in caplog.text
