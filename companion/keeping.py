"""What a table's tokens look like, kept beside the journal from one evening to the next."""

from __future__ import annotations

import logging
from pathlib import Path

from companion.rules import CompanionError
from vision.album import Album, load_album, save_album
from vision.readers import AnyReader

_log = logging.getLogger(__name__)


class FaceFile:
    """The file of a table's faces. It is a help, not a need: a disk that fails is logged, and
    what cannot be read is learned again."""

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

    def see(self, reader: AnyReader) -> None:
        """Keep what ``reader`` knows, if it knows more or fewer faces than were kept."""
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
