"""The pages' own JSON. Every answer says ``ok``; every POST can be sent twice without harm."""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import Flask, Response, request, stream_with_context
from flask.typing import ResponseReturnValue

from companion.rules import Action, BadInput, say
from companion.runtime.rate import Rate
from companion.table.history import StaleState
from companion.table.machines import PERSON
from web.access.guard import says_gzip, takes_gzip
from web.access.refusal import Refusal
from web.access.request_fields import Body, body, text, whole, word
from web.access.seats import Person, joined
from web.context import COOKIE, HERE, Answer, Context
from web.judging import ask, reach, suppose
from web.language import current, in_words, translator
from web.serving.connection import connection
from web.stream import messages, packed
from web.updates import UpdateTeller

COOKIE_LIFE = 7 * 24 * 3600
_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
_CLIENT = re.compile(r"[A-Za-z0-9_-]{8,64}")
SYMBOLS = 100

Do = Callable[[Body, Person], Answer]


def register(app: Flask, context: Context) -> None:
    """Add the JSON routes to ``app``."""

    @app.before_request
    def not_too_fast() -> None:
        person = context.person()
        context.meet(person)
        if request.method == "GET" and not request.path.startswith("/static/"):
            _count(context.reads, person)

    _reading(app, context)
    _asking(app, context)
    _coming_and_going(app, context)


def post(app: Flask, context: Context, path: str, do: Do, limit: int | None = None) -> None:
    """Add a POST route: checks the key, does it once, answers with the new snapshot. ``limit`` is
    the most bytes that it takes, where that is more than usual."""

    def route() -> ResponseReturnValue:
        person = context.person()
        _count(context.rate, person)
        if limit is not None:
            request.max_content_length = limit
        asked = body()
        key = asked.get("key")
        if not (isinstance(key, str) and _KEY.fullmatch(key)):
            raise Refusal(
                400, "no_key", say("a request needs a key of its own, 16 letters or more")
            )
        sender = person.digest or str(request.remote_addr)
        try:
            answer, cookie = context.once.answer((path, sender, key), lambda: do(asked, person))
        except StaleState:
            raise _stale(context) from None
        told = in_words(answer, translator(current()))
        response = app.make_response({"ok": True, **told})
        if cookie is not None:
            context.welcome(cookie)
            response.set_cookie(
                COOKIE, cookie, max_age=COOKIE_LIFE, httponly=True, samesite="Strict",
                secure=request.is_secure,
            )  # fmt: skip
        return response

    if limit is not None:
        context.body_limits[path] = limit
    app.add_url_rule(path, path, route, methods=["POST"])


def _count(rate: Rate, person: Person) -> None:
    """Count a request for whoever sends it: a person where we know one, else an address.

    Raises:
        Refusal: there were too many.
    """
    sender = person.person or str(request.remote_addr)
    if rate.full(sender):
        raise Refusal(429, "too_fast", say("too many requests from this phone; wait a moment"))
    rate.count(sender)


def _stale(context: Context) -> Refusal:
    return Refusal(
        409,
        "stale_state",
        say("the board moved on; look at it and try again"),
        {"state": context.snapshot(html=False)},
    )


def _reading(app: Flask, context: Context) -> None:
    @app.get("/api/state")
    def state() -> ResponseReturnValue:
        """The whole snapshot, for the first look and for when the stream is down."""
        return context.snapshot(html=bool(request.args.get("html")))

    @app.get("/api/events")
    def events() -> ResponseReturnValue:
        """The live stream: a snapshot first, then what changed whenever something does."""
        client = request.args.get("client", "")
        if not _CLIENT.fullmatch(client):
            raise Refusal(
                400, "bad_request", say("a stream needs a client id of 8 letters or more")
            )
        last = request.headers.get("Last-Event-ID") or request.args.get("seen")
        html = request.args.get("html")
        seen, link, person = whole(last), connection(), context.person()
        # Who may do what the host may without having come in sits at this machine.
        who = person.person or (HERE if person.host else "")
        listener = context.streams.open(str(request.remote_addr), client, who)
        link.live(listener.close)
        teller = UpdateTeller(context, bool(html), seen, view=html == "view")
        lines = messages(listener, teller.tell, context.config.heartbeat, link.behind)
        zipped = takes_gzip()
        told = packed(lines) if zipped else lines
        response = Response(stream_with_context(told), mimetype="text/event-stream")
        if zipped:
            says_gzip(response)
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response


def _asking(app: Flask, context: Context) -> None:
    @app.get("/api/judge")
    def judge() -> ResponseReturnValue:
        """Rule on a move, or say where a piece may go; nothing is played."""
        before = whole(request.args.get("at"))
        piece, turn = request.args.get("piece"), request.args.get("turn")
        if written := request.args.get("action"):
            action = context.shown.game.parse(context.shown.setup, written)
            return ask(context, action, before, turn=turn)
        origin, target = request.args.get("from"), request.args.get("to")
        if target:
            verb = "move" if origin else "place"
            action = Action(verb, origin or None, target)
            return ask(context, action, before, piece=piece, turn=turn)
        if origin:
            return reach(context, origin, before, piece=piece, turn=turn)
        raise BadInput(say("say from which spot, and to which"))

    @app.get("/api/whatif")
    def whatif() -> ResponseReturnValue:
        """Rule on several actions, one after another; nothing is played."""
        written = request.args.get("actions", "").split(",")
        return suppose(context, written, whole(request.args.get("at")))

    @app.get("/api/symbols")
    def symbols() -> ResponseReturnValue:
        """The pictures of tokens, for those that come into play after the page."""
        tokens = request.args.getlist("token")[:SYMBOLS]
        return {"ok": True, "symbols": {token: str(context.symbol(token)) for token in tokens}}


def _coming_and_going(app: Flask, context: Context) -> None:
    def join(body: Body, person: Person) -> Answer:
        address = str(request.remote_addr)
        name, colour = word(body, "name"), word(body, "colour")
        return {}, context.door.join(person, word(body, "code"), address, name, colour)

    def sit(body: Body, person: Person) -> Answer:
        seat = text(body, "seat")
        key = context.door.claim(person, seat, word(body, "name"))
        by_machines = context.machines.told()["seats"]
        if seat in by_machines:
            # Who sits down on a machine's seat plays it.
            context.machines.give({seat: PERSON}, person.actor)
        return {}, key

    def leave(body: Body, person: Person) -> Answer:
        context.door.release(person, text(body, "seat"))
        return {}, None

    def hand(body: Body, person: Person) -> Answer:
        context.door.hand(person, text(body, "seat"), text(body, "to"))
        return {}, None

    def machine(body: Body, person: Person) -> Answer:
        joined(person)
        seat, player = text(body, "seat"), text(body, "plays")
        if not (person.host or context.door.holder(seat) in (None, person.person)):
            raise Refusal(403, "taken", say("another phone holds this seat"))
        if player not in (PERSON, *context.machines.told()["levels"]):
            raise BadInput(say("choose a level, or nobody but people"))
        context.machines.give({seat: player}, person.actor)
        return {}, None

    post(app, context, "/api/machine", machine)
    post(app, context, "/api/join", join)
    post(app, context, "/api/seat", sit)
    post(app, context, "/api/leave", leave)
    post(app, context, "/api/hand", hand)
