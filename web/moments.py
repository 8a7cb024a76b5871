"""A game as a numbered list of what happened, and how it stood after any of its lines: the same for
the stage, the referee, the log and past games."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from companion.journal import Event, Events
from companion.rules import BadInput, Game, Setup, props_of, say
from companion.table import Table
from companion.table.history import PLAYED, History
from web.wording import SHOWN, Entries, ToldGame

LISTED = ("started", "refused", *SHOWN)
"""The kinds of events that are lines of the list."""
PAGE = 60
"""Lines that are shown at once."""


class PastTable(NamedTuple):
    """A game as it stood once, or as it was played: ``log`` is everything that had happened."""

    game_id: int
    game: Game[Any]
    setup: Setup
    line: History[Any]
    log: Events

    def events(self) -> Events:
        """Return everything that had happened."""
        return self.log


def listed(
    table: ToldGame, entries: Entries, before: int | None = None, most: int | None = PAGE
) -> dict[str, Any]:
    """Return the newest lines of a game, or those before event ``before``, in the order in which
    they happened, ``most`` of them: each as ``web.wording.Entries`` tells it with its ``number``,
    which only actions that stand have. ``older`` is the event before which there are more lines,
    None at the start."""
    events = table.events()
    events = events if before is None else events.until(before - 1)
    newest = events.newest(*LISTED)
    shown = [*islice(newest, most)]
    lines = [{**entries.entry(event), "number": _number(table.line, event)} for event in shown]
    more = next(newest, None) is not None
    return {"moves": lines[::-1], "older": shown[-1].seq if more else None}


def _number(line: History[Any], event: Event) -> int | None:
    return line.until(event.seq).length if line.holds(event.seq) else None


def moment(table: Table[Any], entries: Entries, seq: int) -> dict[str, Any]:
    """Return how ``table`` stood after event ``seq``, as everybody may know it.

    ``number`` of ``count`` actions that stand were played then; ``earlier`` and ``later`` are the
    events one action before and after (``earlier`` None at the start, ``later`` None where that is
    how it stands now), ``ask`` is the event before which the referee is asked (None for now).

    Raises:
        BadInput: the game has no such event.
    """
    events, line, game = table.events(), table.line, table.game
    event = events.find(seq)
    if event is None:
        raise BadInput(say("this game has no event {seq} yet", seq=seq))
    then = line.until(seq)
    # What was taken back came after the action that stood last, and went from there.
    gone = event.kind in PLAYED and not line.holds(seq)
    past = then if gone or then.before is None else then.before
    state = table.line_at(seq).state
    return {
        "ok": True,
        "seq": seq,
        "number": then.length,
        "count": line.length,
        "to_move": game.to_move(state),
        "position": dict(game.expect(state)),
        "marks": marks(table, event),
        "props": [prop._asdict() for prop in props_of(game, state)],
        "entry": entries.entry(event) if event.kind in LISTED else None,
        "earlier": (past.seq or events[0].seq) if then.length or gone else None,
        "later": line.seqs[then.length] if then.length + 1 < line.length else None,
        "ask": None if seq == table.state_id else seq + 1,
    }


def marks(table: ToldGame, event: Event) -> Mapping[str, Any]:
    """Return what each spot is marked with after ``event``: where its action began and ended, and
    what proved that it was refused."""
    found: dict[str | None, Any] = {}
    if event.action:
        action = table.game.parse(table.setup, event.action)
        last = {"kind": "last", "meaning": say("last move")}
        found = dict.fromkeys((action.origin, action.target), last)
    if event.ruling and not event.ruling.allowed:
        proof = {"kind": "proof", "meaning": say("proves the ruling")}
        found.update(dict.fromkeys(event.ruling.spots, proof))
    board = table.game.board(table.setup)
    return {spot: mark for spot, mark in found.items() if spot is not None and spot in board}
