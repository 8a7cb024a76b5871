"""Templates and catalogs that are compiled once and kept from one start to the next.

They lie where Python keeps its own compiled modules, and are made again if that place cannot be
written or their source has changed.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import jinja2
from flask.templating import Environment as FlaskEnvironment
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

_DIGEST = 32


def kept(name: str, source: bytes, make: Callable[[], bytes]) -> bytes:
    """Return the result of ``make(source)``, read from the file called ``name`` if it was kept for
    the same source before."""
    found = load(name, source)
    if found is None:
        found = make()
        keep(name, source, found)
    return found


def load(name: str, source: bytes) -> bytes | None:
    """Return what was kept as ``name``; None if nothing was, or for another ``source``."""
    with suppress(OSError):
        data = _path(name).read_bytes()
        if data[:_DIGEST] == hashlib.sha256(source).digest():
            return data[_DIGEST:]
    return None


def keep(name: str, source: bytes, made: bytes) -> None:
    """Write ``made``, the bytes that were compiled from ``source``, to the cache file ``name``,
    whole or not at all. Where it cannot be written, it is compiled again at the next start."""
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
    """Jinja's cache of compiled templates. ``recipe`` is everything that they depend on besides
    their own text."""

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


class TemplateEnvironment(FlaskEnvironment):
    """The environment of the pages' templates. What all of them know is gathered when a template is
    loaded, and not once more for each part that is drawn."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what a template knows, ``d`` beside what all know."""
        return {**self.globals, **(d or {})}


def compile_once(environment: jinja2.Environment) -> None:
    """Have ``environment`` keep the templates that it compiles; call it once all its settings are
    made."""
    read = (environment.trim_blocks, environment.lstrip_blocks, sorted(environment.extensions))
    # When Jinja was installed stands for its version, which takes longer to find out.
    jinja = Path(jinja2.__file__).stat().st_mtime_ns
    environment.bytecode_cache = Templates(f"{sys.version} {jinja} {read}")
