"""What a table's tokens look like, kept beside the journal from one evening to the next."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput, CompanionError
from companion.runtime.files import read_bytes, write_private
from vision.arrays import MOST_BYTES, read_arrays
from vision.taught import TaughtReader
from vision.tokens.album import Album, load_album, save_album

if TYPE_CHECKING:
    from vision.readers import AnyReader

_log = logging.getLogger(__name__)


class FaceFile:
    """The file in which a table's faces are kept. A disk that fails is only logged, and faces that
    cannot be read are learned again."""

    def __init__(self, path: Path, game: str) -> None:
        self._path, self._game = path, game
        self._known = 0

    def load(self) -> Album | None:
        """Return the faces kept before."""
        try:
            return load_album(self._path, self._game)
        except CompanionError as error:
            _log.warning("%s", error)
            return None

    def recall(self, reader: AnyReader) -> None:
        """Give a reader that is taught what it was taught on other evenings."""
        if isinstance(reader, TaughtReader):
            try:
                if kept := load_taught(self._path.with_suffix(reader.kept_in)):
                    reader.recall(kept)
            except CompanionError as error:
                _log.warning("%s", error)
            self._known = reader.lessons

    def see(self, reader: AnyReader) -> None:
        """Keep the faces that ``reader`` knows, if they are others than those kept."""
        if isinstance(reader, TaughtReader):
            if reader.lessons != self._known:
                self._known = reader.lessons
                save_taught(reader.taught(), self._path.with_suffix(reader.kept_in))
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


def load_taught(path: Path) -> Mapping[str, NDArray[Any]]:
    """Return what was taught as it is kept in ``path``, arrays by name; nothing where it cannot be
    read, which is logged."""
    try:
        return read_arrays(read_bytes(path, MOST_BYTES))
    except FileNotFoundError:
        return {}
    except (OSError, BadInput) as error:
        _log.warning("cannot read %s: %s", path, error)
        return {}


def save_taught(arrays: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Keep what was taught; a disk that fails is logged."""
    packed = BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    try:
        write_private(path, packed.getvalue())
    except OSError as error:
        _log.warning("cannot write %s: %s", path, error)
