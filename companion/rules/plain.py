"""Values in hot paths: plain classes, quick to make and to read, native where they are compiled."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

P = TypeVar("P", bound="Plain")


class Plain:
    """A value of named parts that is never changed: it is made anew.

    A subclass names its parts in ``PARTS``, as its ``__init__`` takes them, and sets each there as
    ``Final``. Two values are equal if all are, or those in ``SAME``; all are hashed, or ``KEY``.
    """

    __slots__ = ()
    PARTS: ClassVar[tuple[str, ...]] = ()
    SAME: ClassVar[tuple[str, ...]] = ()
    KEY: ClassVar[tuple[str, ...]] = ()

    def _replace(self: P, **changes: Any) -> P:
        """Return the same value with ``changes``, by the names of its parts; called as it is in a
        ``NamedTuple``, which a value may be elsewhere."""
        parts = {name: getattr(self, name) for name in self.PARTS}
        return type(self)(**{**parts, **changes})

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        for name in self.SAME or self.PARTS:  # noqa: SIM110 - states are looked up in a search
            if getattr(self, name) != getattr(other, name):
                return False
        return True

    def __hash__(self) -> int:
        return hash(tuple([getattr(self, name) for name in self.KEY or self.PARTS]))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.PARTS)
        return f"{type(self).__name__}({said})"
