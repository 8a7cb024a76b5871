"""The pages' own JSON. Every answer says ``ok``; every POST can be sent twice without harm."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask, Response, request, stream_with_context
from flask.typing import ResponseReturnValue

from companion.rules import Action, BadInput
from companion.table import StaleState
from web.house import COOKIE, Answer, House
from web.judging import ask, reach, whole
from web.refusal import Refusal
from web.seats import Person
from web.stream import messages

COOKIE_LIFE = 7 * 24 * 3600
_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
_CLIENT = re.compile(r"[A-Za-z0-9_-]{8,64}")
SYMBOLS = 100

Body = Mapping[str, Any]
Do = Callable[[Body, Person], Answer]


def register(app: Flask, house: House) -> None:
    """Add the JSON routes to ``app``."""
    _reading(app, house)
    _coming_and_going(app, house)
    _playing(app, house)
    _helping(app, house)


def post(app: Flask, house: House, path: str, do: Do) -> None:
    """Add a POST route: checks the key, does it once, answers with the new snapshot."""

    def route() -> ResponseReturnValue:
        address = str(request.remote_addr)
        if house.rate.full(address):
            raise Refusal(429, "too_fast", "too many requests from this phone; wait a moment")
        house.rate.count(address)
        body = _body()
        key = body.get("key")
        if not (isinstance(key, str) and _KEY.fullmatch(key)):
            raise Refusal(400, "no_key", "a request needs a key of its own, 16 letters or more")
        person = house.person()
        sender = person.digest or address
        try:
            answer, cookie = house.once.answer((path, sender, key), lambda: do(body, person))
        except StaleState:
            raise _stale(house, person) from None
        response = app.make_response({"ok": True, **answer})
        if cookie is not None:
            response.set_cookie(
                COOKIE, cookie, max_age=COOKIE_LIFE, httponly=True, samesite="Strict",
                secure=request.is_secure,
            )  # fmt: skip
        return response

    app.add_url_rule(path, path, route, methods=["POST"])


def text(body: Body, name: str) -> str:
    """Return the text ``name`` of ``body``.

    Raises:
        Refusal: it is missing, empty, too long or no text.
    """
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise Refusal(400, "bad_request", f"the request needs a text {name!r}")
    return value


def integer(body: Body, name: str) -> int:
    """Return the whole number ``name`` of ``body``.

    Raises:
        Refusal: it is missing, negative or no whole number.
    """
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Refusal(400, "bad_request", f"the request needs a whole number {name!r}")
    return value


def _body() -> Body:
    body = request.get_json()
    if not isinstance(body, dict):
        raise Refusal(400, "bad_request", "send a JSON object")
    return body


def _stale(house: House, person: Person) -> Refusal:
    return Refusal(
        409,
        "stale_state",
        "the board moved on; look at it and try again",
        {"state": house.snapshot(person, html=bool(request.args.get("html")))},
    )


def _reading(app: Flask, house: House) -> None:
    @app.get("/api/state")
    def state() -> ResponseReturnValue:
        """The whole snapshot, for the first look and for when the stream is down."""
        return house.snapshot(house.person(), html=bool(request.args.get("html")))  # type: ignore[no-any-return]

    @app.get("/api/events")
    def events() -> ResponseReturnValue:
        """The live stream: a snapshot first, then one whenever something changes."""
        client = request.args.get("client", "")
        if not _CLIENT.fullmatch(client):
            raise Refusal(400, "bad_request", "a stream needs a client id of 8 letters or more")
        last = request.headers.get("Last-Event-ID") or request.args.get("seen")
        html = bool(request.args.get("html"))
        listener = house.streams.open(str(request.remote_addr), client)
        lines = messages(
            listener,
            lambda seen: house.snapshot(house.person(), seen, html),
            whole(last),
            house.config.heartbeat,
        )
        response = Response(stream_with_context(lines), mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    @app.get("/api/judge")
    def judge() -> ResponseReturnValue:
        """Rule on a move, or say where a piece may go; nothing is played."""
        before = whole(request.args.get("at"))
        if written := request.args.get("action"):
            action = house.table.game.parse(house.table.setup, written)
            return ask(house, action, before)
        origin, target = request.args.get("from"), request.args.get("to")
        if target:
            verb = "move" if origin else "place"
            return ask(house, Action(verb, origin or None, target), before)
        if origin:
            return reach(house, origin, before)
        raise BadInput("say from which spot, and to which")

    @app.get("/api/symbols")
    def symbols() -> ResponseReturnValue:
        """The pictures of tokens, for those that come into play after the page."""
        tokens = request.args.getlist("token")[:SYMBOLS]
        return {"ok": True, "symbols": {token: str(house.symbol(token)) for token in tokens}}


def _coming_and_going(app: Flask, house: House) -> None:
    def join(body: Body, person: Person) -> Answer:
        key = house.door.join(text(body, "code"), str(request.remote_addr))
        return {}, key

    def sit(body: Body, person: Person) -> Answer:
        return {}, house.door.claim(person, text(body, "seat"))

    def leave(body: Body, person: Person) -> Answer:
        house.door.release(person, text(body, "seat"))
        return {}, None

    post(app, house, "/api/join", join)
    post(app, house, "/api/seat", sit)
    post(app, house, "/api/leave", leave)


def _playing(app: Flask, house: House) -> None:
    table = house.table

    def say(body: Body, person: Person) -> Answer:
        actor = _seated(person)
        expected = integer(body, "state_id")
        action = table.game.parse(table.setup, text(body, "action"))
        if action.origin is not None or action.target is not None:
            raise Refusal(400, "not_spoken", "pieces are moved on the table, not on the phone")
        mover = table.game.to_move(table.state)
        if mover in person.seats:
            actor = str(mover)
        elif action not in table.game.claims(table.state):
            raise Refusal(403, "not_your_turn", f"it is {mover}'s turn")
        ruling = table.play(action, actor, expected=expected)
        return {"allowed": ruling.allowed, "reason": ruling.reason}, None

    def undo(body: Body, person: Person) -> Answer:
        actor = _seated(person)
        table.undo(integer(body, "count"), actor, expected=integer(body, "state_id"))
        return {}, None

    post(app, house, "/api/say", say)
    post(app, house, "/api/undo", undo)


def _helping(app: Flask, house: House) -> None:
    table = house.table

    def answer(body: Body, person: Person) -> Answer:
        _seated(person)
        expected, index = integer(body, "state_id"), integer(body, "index")
        asks = house.eyes.status()["asks"]
        same = index < len(asks) and list(asks[index]) == body.get("actions")
        if not same or expected > table.state_id:
            # The camera asks something else by now; the index alone could mean anything.
            raise StaleState(expected, table.state_id)
        house.eyes.answer(index)
        return {}, None

    def clock(body: Body, person: Person) -> Answer:
        actor = _seated(person)
        if not isinstance(body.get("paused"), bool):
            raise Refusal(400, "bad_request", "the request needs 'paused', true or false")
        if table.clock is not None and table.clock.paused != body["paused"]:
            table.note("paused" if body["paused"] else "continued", {}, actor)
        return {}, None

    post(app, house, "/api/answer", answer)
    post(app, house, "/api/clock", clock)


def _seated(person: Person) -> str:
    if not person.seats:
        raise Refusal(403, "not_seated", "take a seat first; watchers cannot do this")
    return person.seats[0]
