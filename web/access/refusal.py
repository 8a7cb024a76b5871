"""The one way in which the pages say no."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.rules import Translate, tell


class Refusal(Exception):
    """A request that is not done: an HTTP ``status``, a ``code`` for programs, a sentence for
    people, and what else the answer carries (the current state with a stale one). ``field`` names
    what of the request did not fit, for programs."""

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
        """Return the JSON that every refused request is answered with, its sentence told by
        ``translate``."""
        error = {"code": self.code, "message": tell(self.message, translate)}
        error |= {"field": self.field} if self.field else {}
        return {"ok": False, "error": error, **self.extra}
