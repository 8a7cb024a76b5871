"""The one way in which the pages refuse a request."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.rules import Translate, tell


class Refusal(Exception):
    """A request that is not carried out: the HTTP ``status``, a ``code`` for programs, a sentence
    for people, and what else the answer contains (the current state if the asker's was stale).
    ``field`` names the field of the request that did not fit."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        extra: Mapping[str, Any] = MappingProxyType({}),
        field: str = "",
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.extra = status, code, message, extra
        self.field = field

    def body(self, translate: Translate = str) -> dict[str, Any]:
        """Return the JSON with which the request is answered, its sentence translated by
        ``translate``."""
        error = {"code": self.code, "message": tell(self.message, translate)}
        error |= {"field": self.field} if self.field else {}
        return {"ok": False, "error": error, **self.extra}
