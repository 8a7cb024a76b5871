"""What phones are told: one snapshot for all phones of a language and a role, made once for each
change, and what changed since the one before."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from web.access.seats import Person
from web.delta import changes, written
from web.fragments import PARTS, PERSONAL, VIEW, PagePart, draw
from web.snapshot import Viewer, Views

SHARED = tuple(part for part in PARTS if part not in (*PERSONAL, *VIEW))
DRAWN = frozenset(
    {"recent", "notices", "ruling", "scorecards", "situation", "clock", "say", "propose", "enter",
     "place", "card_texts", "own_fields", "props"}
)  # fmt: skip
"""Members of which a page has only the parts that are drawn of them."""
KEPT = 64
"""Roles and languages of which the last snapshot is kept."""


class Role(NamedTuple):
    """What phones must have in common to be shown the same, but for whose they are."""

    language: str
    joined: bool
    host: bool
    seats: tuple[str, ...]
    acts: tuple[str, ...]


@dataclass
class Snapshot:
    """What all phones of a role see of a ``look``: the ``members`` of the snapshot, the ``parts``
    of its page. ``number`` is another one for each."""

    number: int
    look: Viewer
    members: Mapping[str, Any]
    parts: Mapping[str, PagePart]
    _updates: dict[tuple[int, bool], str] = field(default_factory=dict)

    def own(self, person: Person) -> dict[str, Any]:
        """Return what ``you`` says of ``person`` alone."""
        lost = person.lost and {"seats": list(person.lost.seats), "why": person.lost.why}
        about = {"person": person.person, "name": person.name, "colour": person.colour}
        return {**about, "lost": lost}

    def of(self, person: Person) -> dict[str, Any]:
        """Return all members of the snapshot of ``person``."""
        return {**self.members, "you": {**self.members["you"], **self.own(person)}}

    def stream(self, html: bool) -> dict[str, Any]:
        """Return what streams tell, for pages with ``html``."""
        if not html:
            return dict(self.members)
        members = {name: value for name, value in self.members.items() if name not in DRAWN}
        return {**members, "html": {name: part.html for name, part in self.parts.items()}}

    def update(self, told: Snapshot, html: bool, news: Callable[[], list[Any]]) -> str:
        """Return as JSON what changed since ``told``, the last snapshot that a phone was told,
        with the ``news`` since then: one text for all that were told the same."""
        key = (told.number, html)
        if key not in self._updates:
            delta = changes(told.stream(html), self.stream(html))
            self._updates[key] = written({**delta, "news": news()})
        return self._updates[key]


class Snapshots:
    """The last snapshot for each language and role. All methods may be called from any thread that
    answers a request."""

    def __init__(self, views: Views) -> None:
        self._views, self._numbers = views, count()
        self._guard = threading.Lock()
        self._kept: dict[Role, Snapshot] = {}

    def of(self, look: Viewer, person: Person, language: str) -> Snapshot:
        """Return what phones with the ``language``, that of the request, and the role of ``person``
        see."""
        role = Role(language, person.joined, person.host, person.seats, person.acts)
        # Who still looks at the game before waits for nobody who looks at the present one.
        with look.guard:
            known = self._kept.get(role)
            if known is None or known.look is not look:
                known = self._made(look, person, language, known)
                self._keep(role, known)
            return known

    def _keep(self, role: Role, made: Snapshot) -> None:
        with self._guard:
            self._kept.pop(role, None)
            self._kept[role] = made
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]

    def _made(
        self, look: Viewer, person: Person, language: str, before: Snapshot | None
    ) -> Snapshot:
        members = self._views.members(look, person, language)
        # Another game has other pictures.
        old = before.parts if before and before.look.table is look.table else {}
        return Snapshot(next(self._numbers), look, members, draw(SHARED, members, old))
