"""What a stream tells its phone: the whole snapshot first, then what changed since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from web.access.seats import Person
from web.context import Context
from web.delta import changes, written
from web.fragments import PERSONAL, VIEW, PagePart, draw
from web.language import current
from web.roles import Snapshot
from web.stream import Message


class UpdateTeller:
    """Tells one stream, which answers the current request and belongs to its thread. ``html`` adds
    the parts of the page, ``view`` those of the table's view as well; ``seen`` is the ``state_id``
    that the phone saw before it opened the stream, None for a new phone."""

    def __init__(self, context: Context, html: bool, seen: int | None, view: bool = False) -> None:
        self._context, self._html, self._seen = context, html, seen
        self._asker, self._language = context.asker(), current()
        self._own = (*PERSONAL, *VIEW) if view else PERSONAL
        self._told: Snapshot | None = None
        self._person = Person()
        self._parts: Mapping[str, PagePart] = {}

    def tell(self) -> Message:
        """Return what the phone is to be told now."""
        look = self._context.look(self._context.streams.edition)
        person = self._context.whose(self._asker, look.table)
        now, told = self._context.snapshots.of(look, person, self._language), self._told
        parts = draw(self._own, now.of(person), self._parts) if self._html else {}
        before = self._person, self._parts
        self._told, self._person, self._parts = now, person, parts
        if told is None:
            view = self._whole(now, person, parts)
            text = written({**view, "news": self._news(now, self._seen)})
            return Message(True, look.state_id, text)
        if (person, parts) == before:
            text = now.update(told, self._html, lambda: self._news(now, told.look.state_id))
        else:
            delta = changes(self._whole(told, *before), self._whole(now, person, parts))
            text = written({**delta, "news": self._news(now, told.look.state_id)})
        return Message(False, look.state_id, text)

    def _news(self, now: Snapshot, seen: int | None) -> list[Any]:
        news = [] if seen is None else self._context.views.news(now.look, self._language, seen)
        return [_said(entry) for entry in news] if self._html else news

    def _whole(
        self, snapshot: Snapshot, person: Person, parts: Mapping[str, PagePart]
    ) -> dict[str, Any]:
        """Return everything that the stream of ``person`` tells of ``snapshot``."""
        view = snapshot.stream(self._html)
        view["you"] = {**view["you"], **snapshot.own(person)}
        if self._html:
            view["html"] = {**view["html"], **{name: part.html for name, part in parts.items()}}
        return view


def _said(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what pages say of something that happened: of a ruling only why it was refused."""
    refused = entry["ruling"] and not entry["ruling"]["allowed"]
    names = ("seq", "kind", "text", "ruling") if refused else ("seq", "kind", "text")
    return {name: entry[name] for name in names}
