"""What a stream tells its phone: the whole snapshot as text, and of the page only the parts that
the phone has not got. Phones that see the same share one text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from web.access.seats import Person
from web.context import Context
from web.language import current
from web.snapshot import Viewer


class UpdateTeller:
    """Tells one stream. It belongs to the stream's thread; ``html`` adds the parts of the page."""

    def __init__(self, house: Context, html: bool) -> None:
        self._house, self._html = house, html
        self._parts: Mapping[str, str] = {}

    def tell(self, seen: int | None) -> tuple[int, str]:
        """Return the ``state_id`` and the snapshot as JSON for a phone that saw event ``seen``
        last."""
        look = self._house.look(self._house.streams.edition)
        person = self._house.person()
        # What the phone has is part of the key: the same parts dictionary, or the same of it.
        key = ("text", seen, id(self._parts), self._house.sight(person))
        if key not in look.kept:
            with look.guard:
                if key not in look.kept:
                    text, parts = self._made(look, person, seen)
                    if look.table.clock is not None:
                        # A clock runs on from the moment it was told.
                        self._parts = parts
                        return look.state_id, text
                    look.kept[key] = (text, parts, self._parts)
        text, self._parts, _ = look.kept[key]
        return look.state_id, text

    def _made(
        self, look: Viewer, person: Person, seen: int | None
    ) -> tuple[str, Mapping[str, str]]:
        views, language = self._house.views, current()
        own = views.own(look, person, language, seen)
        parts = self._parts
        if self._html:
            parts = self._house.parts(look, person, {**views.common(look, language), **own})
        # All are JSON objects; what phones have in common is made once.
        text = f"{self._common(look, language)[:-1]}, {json.dumps(own)[1:]}"
        return (f'{text[:-1]}, "html": {self._new(look, parts)}}}' if self._html else text), parts

    def _new(self, look: Viewer, parts: Mapping[str, str]) -> str:
        """Return the parts that this phone has not got, as JSON."""
        new = [(name, html) for name, html in parts.items() if self._parts.get(name) != html]
        for part in new:
            if part not in look.kept:
                look.kept[part] = f'"{part[0]}": {json.dumps(part[1])}'
        return "{" + ", ".join(look.kept[part] for part in new) + "}"

    def _common(self, look: Viewer, language: str) -> str:
        key: Any = ("common", language)
        if key not in look.kept:
            look.kept[key] = json.dumps(self._house.views.common(look, language))
        text: str = look.kept[key]
        return text
