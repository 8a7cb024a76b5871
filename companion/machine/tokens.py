"""Tokens by which other programs come in: what each may do. The file holds digests alone, so a
stolen one lets nobody in."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.rules import BadInput, HardwareFault, quoted, say
from companion.runtime.files import private_folder, read_json, write_private

NAME = "tokens.json"
SCOPES = ("read", "play", "host")
"""What a token may do; each scope includes those before it."""
MOST = 32
LONGEST = 40
"""Letters of a token's name at most."""


class Token(NamedTuple):
    """A token that was given out: its ``name``, what it may do (``scope``), for which ``seats``
    (all if none are named), the ``digest`` of the secret, and when it was ``made`` (seconds since
    1970)."""

    name: str
    scope: str
    seats: tuple[str, ...]
    digest: str
    made: float

    @property
    def listener(self) -> str:
        """Return under which name its streams are opened."""
        return f"program {self.name}"

    def may(self, scope: str) -> bool:
        """Tell whether what needs ``scope`` is allowed."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)


class Tokens:
    """The tokens in the file beside a table's journal, which commands and pages change alike. May
    be used from any thread."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._guard = threading.Lock()
        self._read: tuple[object, dict[str, Token]] = (None, {})

    def all(self) -> dict[str, Token]:
        """Return all tokens by their names, as the file has them now.

        Raises:
            BadInput: the file is none of ours.
        """
        with self._guard:
            return dict(self._load())

    def find(self, secret: str) -> Token | None:
        """Return the token whose secret this is; raises as :meth:`all`."""
        mark = _digest(secret)
        found = [one for one in self.all().values() if secrets.compare_digest(one.digest, mark)]
        return found[0] if found else None

    def make(self, name: str, scope: str, seats: Sequence[str], now: float) -> str:
        """Give out a token and return its secret, which nobody is told again.

        Raises:
            BadInput: the name is taken or none, or there is no such scope.
            HardwareFault: it cannot be kept.
        """
        name = name.strip()
        if not 0 < len(name) <= LONGEST or not name.isprintable():
            raise BadInput(say("a token has a name of {most} letters at most", most=LONGEST))
        if scope not in SCOPES:
            raise BadInput(say("a token may read, play or host, not {scope}", scope=quoted(scope)))
        secret = secrets.token_urlsafe(24)
        with self._guard:
            kept = self._load()
            if name in kept:
                raise BadInput(say("a token is called {name} already", name=quoted(name)))
            if len(kept) >= MOST:
                raise BadInput(say("{most} tokens are given out; withdraw one first", most=MOST))
            self._save({**kept, name: Token(name, scope, tuple(seats), _digest(secret), now)})
        return secret

    def withdraw(self, name: str) -> None:
        """Let a token be good no more.

        Raises:
            BadInput: there is none of that name.
            HardwareFault: that cannot be kept.
        """
        with self._guard:
            kept = self._load()
            if name not in kept:
                raise BadInput(say("no token is called {name}", name=quoted(name)))
            self._save({other: token for other, token in kept.items() if other != name})

    def _load(self) -> dict[str, Token]:
        """Return what the file holds; it is read again where another program has changed it."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise BadInput(f"cannot read {self.path}: {error.strerror}") from error
        stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
        if self._read[0] != stamp:
            tokens = read_json(self.path).get("tokens")
            self._read = (stamp, _sound(tokens, self.path))
        return self._read[1]

    def _save(self, tokens: dict[str, Token]) -> None:
        try:
            private_folder(self.path.parent)
            told = {"tokens": [one._asdict() for one in tokens.values()]}
            write_private(self.path, json.dumps(told, indent=1))
        except OSError as error:
            raise HardwareFault(f"{self.path} cannot be written: {error.strerror}") from error


def _sound(tokens: Any, path: Path) -> dict[str, Token]:
    """Return the tokens that were read from ``path``.

    Raises:
        BadInput: they are none of ours.
    """
    try:
        read = [Token(**one) for one in tokens]
        kept = {one.name: one._replace(seats=tuple(one.seats)) for one in read}
        if any(one.scope not in SCOPES or len(one.digest) != 64 for one in read):
            raise ValueError("no scope")
    except (TypeError, ValueError) as error:
        raise BadInput(f"{path} holds no tokens; delete it and give out new ones") from error
    return kept


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
