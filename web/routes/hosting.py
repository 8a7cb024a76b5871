"""What the host does: another game, settings, hosting itself; and who everybody is."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Flask, g, make_response, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules import say
from companion.table.agreement import abort
from web import language
from web.access.refusal import Refusal
from web.access.request_fields import Body, flag, integer, text, texts, word, words
from web.access.seats import Person, joined, only_host
from web.choosing import choices, seatings
from web.context import Answer, Context, qr
from web.routes.api import COOKIE_LIFE, post
from web.routes.archive import IMPORTED
from web.routes.importing import play_on

_LAMPS = ("lights", "brightness", "night", "night_brightness")
MOST = 32
"""Seats and options that a request may name."""


def register(app: Flask, context: Context) -> None:
    """Add the routes to ``app``."""
    _being(app, context)
    _elsewhere(app, context)
    _games(app, context)
    _settings(app, context)
    _deleting(app, context)


def _being(app: Flask, context: Context) -> None:
    """Who everybody is, and in which language he is spoken to."""

    def name(body: Body, person: Person) -> Answer:
        seat = text(body, "seat") if "seat" in body else None
        context.door.rename(person, word(body, "name"), word(body, "colour"), seat)
        return {}, None

    def host(body: Body, person: Person) -> Answer:
        if "to" not in body:
            only_host(person)
            return {"link": context.invitation(host=True, shown_to=person.person)}, None
        context.door.make_host(person, text(body, "to"))
        return {}, None

    post(app, context, "/api/name", name)
    post(app, context, "/api/host", host)

    def speak(body: Body, person: Person) -> Answer:
        chosen = word(body, "language")
        if chosen and chosen not in language.languages():
            raise Refusal(400, "bad_request", say("the pages do not speak this language"))
        g.chosen_language = chosen
        return {}, None

    post(app, context, "/api/language", speak)

    @app.after_request
    def remember(response: Any) -> Any:
        chosen = g.pop("chosen_language", None)
        if chosen:
            response.set_cookie(
                language.COOKIE, chosen, max_age=52 * COOKIE_LIFE, samesite="Strict"
            )
        elif chosen is not None:
            response.delete_cookie(language.COOKIE, samesite="Strict")
        return response


def _elsewhere(app: Flask, context: Context) -> None:
    """Who plays from another device, or not at all."""

    def dismiss(body: Body, person: Person) -> Answer:
        context.door.dismiss(person, text(body, "who"))
        _only_who_is_here(context)
        return {}, None

    def carry(body: Body, person: Person) -> Answer:
        if not person.seats:
            raise Refusal(403, "not_seated", say("take a seat first; watchers cannot do this"))
        link = context.invitation(moves=person.person)
        return {"link": link, "qr": str(qr(link))}, None

    post(app, context, "/api/dismiss", dismiss)
    post(app, context, "/api/carry", carry)


def _only_who_is_here(context: Context) -> None:
    """End the streams of phones that were sent away, and tell all others."""
    context.streams.keep(context.listeners())
    context.streams.publish()


def _games(app: Flask, context: Context) -> None:
    """Another game, or one that was left."""

    def new(body: Body, person: Person) -> Answer:
        only_host(person)
        seats = None if body.get("seats") is None else words(body, "seats", MOST, 0)
        options = texts(body, "options", MOST) if "options" in body else {}
        kept = "array" in body and flag(body, "array")
        context.evening.begin(text(body, "game"), seats, options, kept_array=kept)
        return {}, None

    def resume(body: Body, person: Person) -> Answer:
        only_host(person)
        number = integer(body, "number")
        if number > IMPORTED:
            play_on(context, number, integer(body, "at"), person.actor)
            return {}, None
        if number not in context.evening.journal.games():
            raise Refusal(404, "no_game", say("no such game is kept"))
        context.evening.resume(number)
        return {}, None

    def stop(body: Body, person: Person) -> Answer:
        only_host(person)
        expected = integer(body, "state_id")
        if context.table.outcome is not None:
            raise Refusal(409, "over", say("the game is over"))
        abort(context.table, person.actor, expected)
        return {}, None

    def array(body: Body, person: Person) -> Answer:
        only_host(person)
        context.evening.keep_array(person.actor)
        return {}, None

    post(app, context, "/api/new", new)
    post(app, context, "/api/resume", resume)
    post(app, context, "/api/abort", stop)
    post(app, context, "/api/array", array)


def change(context: Context, body: Body, person: Person) -> Answer:
    """Change settings of the table and its lights.

    Raises:
        Refusal: ``person`` is not the host.
        BadInput: there is no such setting, or a value does not fit.
        HardwareFault: they cannot be kept.
    """
    only_host(person)
    changes = {name: value for name, value in body.items() if name not in ("key", "state_id")}
    lamps = {name: changes.pop(name) for name in _LAMPS if name in changes}
    context.evening.settings.changed(changes)
    if lamps:
        context.lamps.adjust(lamps)
    if changes:
        context.evening.change(changes, person.actor)
    context.streams.publish()
    return {"settings": context.views.settings()}, None


def _settings(app: Flask, context: Context) -> None:
    post(app, context, "/api/settings", partial(change, context))

    @app.get("/api/settings")
    def settings() -> ResponseReturnValue:
        """The settings, and what there is to choose from."""
        joined(context.person())
        return {"ok": True, "settings": context.views.settings(), "choices": choices(context)}

    @app.get("/api/seatings")
    def seatings_by_options() -> ResponseReturnValue:
        """Who can play a game together by these options, and which options go together."""
        joined(context.person())
        asked = request.args.to_dict()
        return {"ok": True, **seatings(context.evening.game(asked.pop("game", "")), asked)}

    @app.get("/settings")
    def settings_page() -> ResponseReturnValue:
        """The host's page; others may look."""
        person = context.person()
        joined(person)
        page = render_template(
            "settings.html",
            view=context.snapshot(),
            settings=context.views.settings(),
            bound=context.evening.bound,
        )
        return make_response(page)


def _deleting(app: Flask, context: Context) -> None:
    """What is to be kept no longer."""

    def delete(body: Body, person: Person) -> Answer:
        only_host(person)
        what = text(body, "what")
        context.evening.delete(what, person.actor)
        if what == "all":
            context.door.dismiss_others(person)
            _only_who_is_here(context)
        return {}, None

    post(app, context, "/api/delete", delete)
