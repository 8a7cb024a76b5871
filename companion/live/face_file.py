"""What a table's tokens look like, kept beside the journal from one evening to the next."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput, CompanionError
from companion.runtime.files import read_bytes, write_private
from vision.arrays import MOST_BYTES, read_arrays
from vision.board.raster import Floats
from vision.cards.card_reader import CardReader
from vision.dice.dice_reader import DiceReader
from vision.readers import AnyReader
from vision.tokens.album import Album, load_album, save_album

_log = logging.getLogger(__name__)


class FaceFile:
    """The file in which a table's faces are kept. A disk that fails is only logged, and faces that
    cannot be read are learned again."""

    def __init__(self, path: Path, game: str) -> None:
        self._path, self._game = path, game
        self._deck = path.with_suffix(".deck.npz")
        self._dice = path.with_suffix(".dice.npz")
        self._known = 0

    def load(self) -> Album | None:
        """Return the faces kept before."""
        try:
            return load_album(self._path, self._game)
        except CompanionError as error:
            _log.warning("%s", error)
            return None

    def recall(self, reader: AnyReader) -> None:
        """Give a reader of cards or dice what it was taught on other evenings."""
        if isinstance(reader, CardReader):
            reader.deck.recall(load_deck(self._deck))
            self._known = reader.deck.lessons
        if isinstance(reader, DiceReader):
            try:
                if kept := _load(self._dice):
                    reader.recall(kept)
            except CompanionError as error:
                _log.warning("%s", error)
            self._known = reader.taught

    def see(self, reader: AnyReader) -> None:
        """Keep the faces that ``reader`` knows, if they are others than those kept."""
        if isinstance(reader, CardReader):
            if reader.deck.lessons != self._known:
                self._known = reader.deck.lessons
                save_deck(reader.deck.taught, self._deck)
            return
        if isinstance(reader, DiceReader):
            if reader.taught != self._known:
                self._known = reader.taught
                _save(reader.tray.to_arrays(), self._dice)
            return
        if reader.faces == self._known:
            return
        self._known = reader.faces
        album = reader.album()
        if album is None or not album.faces:
            return
        try:
            save_album(album, self._path)
        except CompanionError as error:
            _log.warning("%s", error)


def load_deck(path: Path) -> Mapping[str, Floats]:
    """Return the faces of cards kept in ``path``; none where it cannot be read, which is logged."""
    return {name: np.asarray(face, np.float32) for name, face in _load(path).items()}


def _load(path: Path) -> Mapping[str, NDArray[Any]]:
    try:
        return read_arrays(read_bytes(path, MOST_BYTES))
    except FileNotFoundError:
        return {}
    except (OSError, BadInput) as error:
        _log.warning("cannot read %s: %s", path, error)
        return {}


def save_deck(faces: Mapping[str, Floats], path: Path) -> None:
    """Keep the faces of cards; a disk that fails is logged."""
    _save(faces, path)


def _save(arrays: Mapping[str, NDArray[Any]], path: Path) -> None:
    packed = BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    try:
        write_private(path, packed.getvalue())
    except OSError as error:
        _log.warning("cannot write %s: %s", path, error)
