"""Arrays kept in files, such as faces, read as if somebody else had written them."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput

MOST_BYTES = 1 << 27
"""Bytes of all arrays that are unpacked from one file; a deck with its faces has a tenth of it."""
DAMAGE = (
    OSError, ValueError, EOFError, RuntimeError, KeyError, MemoryError, NotImplementedError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""The exceptions that reading a damaged archive raises in NumPy and zipfile."""


def read_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays that ``numpy.savez`` wrote into ``data``, by name.

    Raises:
        BadInput: it holds none, is damaged, or unpacks to too much.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > MOST_BYTES:
            raise BadInput(f"it unpacks to more than {MOST_BYTES // 1_000_000} MB")
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            return {name: kept[name] for name in kept.files}
    except BadInput:
        raise
    except DAMAGE as error:
        raise BadInput("it is damaged, or no archive of arrays") from error
