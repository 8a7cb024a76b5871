"""The faces of a table's tokens in a file beside the journal, kept for its next game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np

from companion.rules import BadInput, HardwareFault
from companion.runtime.files import read_bytes, write_private
from vision.arrays import MOST_BYTES, read_arrays
from vision.board.raster import Floats
from vision.tokens.appearance import Appearances
from vision.tokens.faces import Face
from vision.tokens.patches import HALF

_INNER = slice(HALF - 8, HALF + 9)


@dataclass(frozen=True, eq=False)
class Album:
    """Faces by name and how far each was turned when it was seen; ``level`` (3,) is how bright
    the printed board was then, per channel."""

    game: str
    faces: Mapping[str, Face]
    turns: Mapping[str, float]
    level: Floats

    def in_light(self, level: Floats) -> dict[str, Face]:
        """Return the faces as they look where the printed board is as bright as ``level``."""
        gain = np.clip(level / np.maximum(self.level, 1.0), 0.2, 5.0).astype(np.float32)
        return {
            name: Face(face.picture * gain, face.outline, (0.0, 0.0))
            for name, face in self.faces.items()
        }


def album_of(game: str, appearances: Appearances) -> Album:
    """Return what is known of the tokens of a table."""
    return Album(game, dict(appearances.faces), dict(appearances.turns), level_of(appearances))


def level_of(appearances: Appearances) -> Floats:
    """Return how bright the printed board is, per channel."""
    middles = [np.median(p[_INNER, _INNER], (0, 1)) for p in appearances.prints.values()]
    return np.asarray(np.median(middles, 0), np.float32)


def save_album(album: Album, path: Path) -> None:
    """Write the album, whole or not at all.

    Raises:
        HardwareFault: the disk does not take it.
    """
    names = list(album.faces)
    packed = BytesIO()
    np.savez_compressed(
        packed,
        game=np.array(album.game),
        names=np.array(names, dtype=str),
        pictures=np.array([album.faces[n].picture for n in names], np.float16),
        outlines=np.array([album.faces[n].outline for n in names], np.float16),
        turns=np.array([album.turns.get(n, 0.0) for n in names]),
        level=album.level,
    )
    try:
        write_private(path, packed.getvalue())
    except OSError as error:
        raise HardwareFault(f"cannot write {path}: {error.strerror}") from error


def load_album(path: Path, game: str) -> Album | None:
    """Return the album in ``path``; None where there is none, or one of another game.

    Raises:
        BadInput: the file is there and is no album.
    """
    if not path.exists():
        return None
    try:
        kept = read_arrays(read_bytes(path, MOST_BYTES))
        if str(kept["game"]) != game:
            return None
        names = [str(name) for name in kept["names"]]
        pictures = kept["pictures"].astype(np.float32)
        outlines = kept["outlines"].astype(np.float32)
        turns = [float(turn) for turn in kept["turns"]]
        level = kept["level"].astype(np.float32)
        faces = {
            name: Face(picture, outline, (0.0, 0.0))
            for name, picture, outline in zip(names, pictures, outlines, strict=True)
        }
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path} does not hold the faces of a table; delete it") from error
    return Album(game, faces, dict(zip(names, turns, strict=True)), level)
