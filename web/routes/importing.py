"""Games that were played elsewhere: brought in, and played on."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask

from companion.referee.export import follow
from companion.rules import BadInput, Record, read_foreign, read_record, rewritten, say
from web.access.refusal import Refusal
from web.access.request_fields import Body, text
from web.access.seats import Person
from web.context import Answer, Context
from web.routes.api import post
from web.routes.archive import IMPORTED, found
from web.routes.playing import seated

RECORD_LIMIT = 256 * 1024
RECORDS = 100
"""Records of games played elsewhere that are kept at most."""


def register(app: Flask, context: Context) -> None:
    """Add the route to ``app``."""

    def bring(body: Body, person: Person) -> Answer:
        seated(person)
        journal, clock = context.evening.journal, context.evening.clock
        given, title = text(body, "record", RECORD_LIMIT), text(body, "title", 80)
        find = context.evening.game
        foreign = read_foreign(given, context.evening.games())
        records = foreign or [read_record(given)]
        for record in records:
            follow(record, find)
        free = RECORDS - len(journal.records())
        if len(records) > free:
            told = say(
                "there is room for {free} more records, and this is {count}; delete past games "
                "first",
                free=max(0, free), count=len(records),
            )  # fmt: skip
            raise Refusal(409, "too_many", told)
        texts = [rewritten(find(one.game), one) for one in foreign] or [given]
        kept = zip(titles(title, records), texts, strict=True)
        numbers = [IMPORTED + journal.keep_record(*one, clock()) for one in kept]
        return {"number": numbers[0], "numbers": numbers}, None

    post(app, context, "/api/import", bring, 2 * RECORD_LIMIT)


def titles(title: str, records: Sequence[Record]) -> list[str]:
    """Return what each of the games that were brought in together under one ``title`` is called: of
    several by its players and date, with its number where others are called so, too."""
    if len(records) == 1:
        return [title]
    names = [one.called or title for one in records]
    return [
        name if names.count(name) == 1 else f"{name} {number}"
        for number, name in enumerate(names, start=1)
    ]


def play_on(context: Context, number: int, at: int, actor: str) -> None:
    """Begin a game that goes on after action ``at`` of an imported one, told to have been played by
    ``actor``; the present one is put aside.

    Raises:
        BadInput: it has fewer actions, or is over there.
        Refusal: no such game is kept.
    """
    followed = found(context, number).followed
    if at > len(followed.actions):
        raise BadInput(say("this game has {count} actions", count=len(followed.actions)))
    if followed.game.outcome(followed.states[at]) is not None:
        raise BadInput(say("the game is over there and cannot be played on"))
    record = read_record(context.evening.journal.records()[number - IMPORTED][2])
    table = context.evening.begin(
        record.game,
        record.seats or None,
        record.options,
        position=record.position,
        to_move=record.to_move,
    )
    for action in followed.actions[:at]:
        table.play(action, actor)
