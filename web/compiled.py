"""What is compiled once and kept from one start to the next: templates and catalogs.

It lies where Python keeps its own compiled modules, and is made again wherever that cannot be
written or what it was made of has changed.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

_DIGEST = 32


def kept(name: str, source: bytes, make: Callable[[], bytes]) -> bytes:
    """Return what ``make`` makes of ``source``, from the file called ``name`` if it was made of
    the same before."""
    found = load(name, source)
    if found is None:
        found = make()
        keep(name, source, found)
    return found


def load(name: str, source: bytes) -> bytes | None:
    """Return what was kept as ``name``; None where nothing was, or it was made of another
    ``source``."""
    with suppress(OSError):
        data = _path(name).read_bytes()
        if data[:_DIGEST] == hashlib.sha256(source).digest():
            return data[_DIGEST:]
    return None


def keep(name: str, source: bytes, made: bytes) -> None:
    """Keep what was ``made`` of ``source``, whole or not at all; a folder that belongs to others
    is left alone."""
    path = _path(name)
    fresh = path.with_name(f"{name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        try:
            fresh.write_bytes(hashlib.sha256(source).digest() + made)
            os.replace(fresh, path)
        finally:
            fresh.unlink(missing_ok=True)


def _path(name: str) -> Path:
    return Path(cache_from_source(__file__)).with_name(name)


class Templates(BytecodeCache):
    """Compiled templates. ``recipe`` is everything that they depend on beside their text."""

    def __init__(self, recipe: str) -> None:
        self._recipe = recipe

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept of a template."""
        found = load(f"{bucket.key}.template", self._source(bucket))
        if found is not None:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template."""
        keep(f"{bucket.key}.template", self._source(bucket), bucket.bytecode_to_string())

    def _source(self, bucket: Bucket) -> bytes:
        return f"{self._recipe} {bucket.checksum}".encode()


def compile_once(environment: Environment) -> None:
    """Keep what ``environment`` compiles; call it when it is set up."""
    read = (environment.trim_blocks, environment.lstrip_blocks, sorted(environment.extensions))
    environment.bytecode_cache = Templates(f"{sys.version} {version('jinja2')} {read}")
