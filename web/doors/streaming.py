"""The API's event stream: what happens at the table, as it happens, each event once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from companion.table import Table
from web.context import Context
from web.doors import answers as told
from web.doors.operations import as_json
from web.doors.telling import CHANGES, event_of
from web.language import current, in_words, translator
from web.stream import Listener


class NewsTeller:
    """Tells one stream everything since the event ``after``; None begins with what comes. It
    belongs to the stream's thread."""

    def __init__(self, context: Context, after: int | None) -> None:
        self._context, self._after = context, after
        self._turn: tuple[int, str | None] | None = None
        self._speak = translator(current())

    def news(self) -> Iterator[str]:
        """Yield what has happened since the last time, as server-sent events."""
        table = self._context.evening.table
        after = table.state_id if self._after is None else self._after
        for event in table.events(after):
            after = event.seq
            if event.kind in CHANGES:
                yield self._told(event.kind, event_of(table, event), event.seq)
        self._after = after
        yield from self._turns(table)

    def _turns(self, table: Table[Any]) -> Iterator[str]:
        turn = (table.game_id, table.to_move)
        if turn != self._turn:
            self._turn = turn
            yield self._told(
                "turn", told.TurnTold(turn[0], table.state_id, turn[1]), table.state_id
            )

    def _told(self, kind: str, value: Any, number: int) -> str:
        text = json.dumps(in_words(as_json(value), self._speak), ensure_ascii=False)
        return f"event: {kind}\nid: {number}\ndata: {text}\n\n"


def stream(
    listener: Listener,
    teller: NewsTeller,
    heartbeat: float,
    good: Callable[[], bool],
    behind: Callable[[], bool],
) -> Iterator[str]:
    """Yield the text of a stream: news when there are any, and a sign of life every ``heartbeat``
    seconds between. It ends once its token is ``good`` no more. A program that is ``behind`` in
    reading is told all of it later."""
    try:
        yield "retry: 1000\n\n"
        waiting = False
        while (why := listener.wait(heartbeat)) != "closed" and good():
            waiting = waiting or why == "changed"
            if behind():
                continue
            if waiting:
                waiting = False
                yield from teller.news()
            else:
                yield "event: beat\ndata: {}\n\n"
        yield "event: closed\ndata: {}\n\n"
    finally:
        listener.close()
