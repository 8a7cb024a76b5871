"""Who asks, what is asked, and the answer to it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from flask import Response, request, stream_with_context
from flask.typing import ResponseReturnValue
from werkzeug.routing import Map, MapAdapter, Rule

from companion.machine.tokens import Token, Tokens
from companion.rules import say
from companion.table.history import StaleState
from web.access.refusal import Refusal
from web.access.request_fields import body, whole
from web.access.seats import Person
from web.context import Context
from web.doors import answers, api  # noqa: F401 - api registers what it answers
from web.doors.openapi import document
from web.doors.operations import (
    LONGEST_KEY,
    OPERATIONS,
    Caller,
    Operation,
    as_json,
    operation,
    read,
)
from web.doors.streaming import NewsTeller, stream
from web.language import current, in_words, translator
from web.serving.connection import connection

BEARER = "bearer"


@operation("GET", "/openapi.json", "", "application/json")
def read_document(context: Context, caller: Caller, asked: Any) -> dict[str, Any]:
    """Tell everything that can be asked, as an OpenAPI 3.1 document."""
    return document()


@operation("GET", "/events", "read", "text/event-stream", answers.SinceAsked)
def read_stream(context: Context, caller: Caller, asked: answers.SinceAsked) -> Response:
    """Tell what happens as it happens (server-sent events): `turn` first and whenever another seat
    is to move (Turn), and each event of the game by its kind (Event). With Last-Event-ID, or after,
    what came since that event is told first."""
    after = whole(request.headers.get("Last-Event-ID")) or asked.after or None
    link = connection()
    client = request.args.get("client", "")[:LONGEST_KEY] or str(request.environ.get("REMOTE_PORT"))
    listener = context.streams.open(str(request.remote_addr), client, caller.token.listener)
    link.live(listener.close)
    digest, tokens = caller.token.digest, context.tokens

    def good() -> bool:
        kept = tokens.all().get(caller.token.name) if tokens else None
        return kept is not None and kept.digest == digest

    lines = stream(
        listener, NewsTeller(context, after), context.config.heartbeat, good, link.behind
    )
    response = Response(stream_with_context(lines), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def answer(context: Context, tokens: Tokens, method: str, path: str) -> ResponseReturnValue:
    """Answer the current request, which asks for ``path`` of the API.

    Raises:
        Refusal, BadInput, HardwareFault: it cannot be done.
    """
    one, inside = _asked_for(method, path)
    caller = _caller(context, tokens, one)

    def do() -> Any:
        given = read(one.asks, body()) if method == "POST" else _query(one)
        return one.do(context, caller, given, **inside)

    key = request.headers.get("Idempotency-Key", "")
    if len(key) > LONGEST_KEY:
        words = say("an Idempotency-Key has {most} letters at most", most=LONGEST_KEY)
        raise Refusal(400, "bad_request", words, field="Idempotency-Key")
    try:
        if method == "POST" and key:
            made, _ = context.once.answer(
                (path, caller.token.digest, key), lambda: ({"": do()}, None)
            )
            made = made[""]
        else:
            made = do()
    except StaleState:
        raise Refusal(
            409, "stale_state", say("the board moved on; look at it and try again")
        ) from None
    if isinstance(made, Response):
        return made
    if isinstance(made, str):
        return Response(made, mimetype=str(one.answers))
    told = in_words(as_json(made), translator(current()))
    return Response(json.dumps(told, ensure_ascii=False), mimetype="application/json")


def _query(one: Operation) -> Any:
    return read(one.asks, request.args.to_dict(), texts=True)


def _asked_for(method: str, path: str) -> tuple[Operation, dict[str, Any]]:
    """Return the operation, and what its path names; raises NotFound or MethodNotAllowed."""
    one, inside = _map().match(f"/{path}", method)
    return one, dict(inside)


@cache
def _map() -> MapAdapter:
    rules = [
        Rule(one.path.replace("{", "<").replace("}", ">"), endpoint=one, methods=[one.method])
        for one in OPERATIONS
    ]
    return Map(rules).bind("")


def _caller(context: Context, tokens: Tokens, one: Operation) -> Caller:
    """Return the program that asks.

    Raises:
        Refusal: it has no good token, or one that is not given this.
    """
    if not one.scope:
        return Caller(Token("", "read", (), "", 0.0), Person())
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    token = tokens.find(given.strip()) if scheme.lower() == BEARER else None
    if token is None:
        raise Refusal(401, "bad_token", say("this program has no token that is good here"))
    if not token.may(one.scope):
        raise Refusal(
            403, "not_given", say("this token may not do that; it needs {scope}", scope=one.scope)
        )
    return Caller(token, _person(context, token))


def _person(context: Context, token: Token) -> Person:
    """Return whose part the program has at the table that is shown."""
    order = context.shown.setup.seats
    seats = tuple(s for s in order if s in token.seats or not token.seats) * token.may("play")
    return Person(joined=True, seats=seats, acts=seats, name=token.name, host=token.may("host"))
