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


def register(app: Flask, house: Context) -> None:
    """Add the routes to ``app``."""
    _being(app, house)
    _elsewhere(app, house)
    _games(app, house)
    _settings(app, house)
    _deleting(app, house)


def _being(app: Flask, house: Context) -> None:
    """Who everybody is, and in which language he is spoken to."""

    def name(body: Body, person: Person) -> Answer:
        seat = text(body, "seat") if "seat" in body else None
        house.door.rename(person, word(body, "name"), word(body, "colour"), seat)
        return {}, None

    def host(body: Body, person: Person) -> Answer:
        if "to" not in body:
            only_host(person)
            return {"link": house.invitation(host=True, shown_to=person.person)}, None
        house.door.make_host(person, text(body, "to"))
        return {}, None

    post(app, house, "/api/name", name)
    post(app, house, "/api/host", host)

    def speak(body: Body, person: Person) -> Answer:
        chosen = word(body, "language")
        if chosen and chosen not in language.languages():
            raise Refusal(400, "bad_request", say("the pages do not speak this language"))
        g.chosen_language = chosen
        return {}, None

    post(app, house, "/api/language", speak)

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


def _elsewhere(app: Flask, house: Context) -> None:
    """Who plays from another device, or not at all."""

    def dismiss(body: Body, person: Person) -> Answer:
        house.door.dismiss(person, text(body, "who"))
        _only_who_is_here(house)
        return {}, None

    def carry(body: Body, person: Person) -> Answer:
        if not person.seats:
            raise Refusal(403, "not_seated", say("take a seat first; watchers cannot do this"))
        link = house.invitation(moves=person.person)
        return {"link": link, "qr": str(qr(link))}, None

    post(app, house, "/api/dismiss", dismiss)
    post(app, house, "/api/carry", carry)


def _only_who_is_here(house: Context) -> None:
    """End the streams of phones that were sent away, and tell all others."""
    house.streams.keep(house.listeners())
    house.streams.publish()


def _games(app: Flask, house: Context) -> None:
    """Another game, or one that was left."""

    def new(body: Body, person: Person) -> Answer:
        only_host(person)
        seats = None if body.get("seats") is None else words(body, "seats", MOST, 0)
        options = texts(body, "options", MOST) if "options" in body else {}
        kept = "array" in body and flag(body, "array")
        house.evening.begin(text(body, "game"), seats, options, kept_array=kept)
        return {}, None

    def resume(body: Body, person: Person) -> Answer:
        only_host(person)
        number = integer(body, "number")
        if number > IMPORTED:
            play_on(house, number, integer(body, "at"), person.actor)
            return {}, None
        if number not in house.evening.journal.games():
            raise Refusal(404, "no_game", say("no such game is kept"))
        house.evening.resume(number)
        return {}, None

    def stop(body: Body, person: Person) -> Answer:
        only_host(person)
        expected = integer(body, "state_id")
        if house.table.outcome is not None:
            raise Refusal(409, "over", say("the game is over"))
        abort(house.table, person.actor, expected)
        return {}, None

    def array(body: Body, person: Person) -> Answer:
        only_host(person)
        house.evening.keep_array(person.actor)
        return {}, None

    post(app, house, "/api/new", new)
    post(app, house, "/api/resume", resume)
    post(app, house, "/api/abort", stop)
    post(app, house, "/api/array", array)


def change(house: Context, body: Body, person: Person) -> Answer:
    """Change settings of the table and its lights.

    Raises:
        Refusal: ``person`` is not the host.
        BadInput: there is no such setting, or a value does not fit.
        HardwareFault: they cannot be kept.
    """
    only_host(person)
    changes = {name: value for name, value in body.items() if name not in ("key", "state_id")}
    lamps = {name: changes.pop(name) for name in _LAMPS if name in changes}
    house.evening.settings.changed(changes)
    if lamps:
        house.lamps.adjust(lamps)
    if changes:
        house.evening.change(changes, person.actor)
    house.streams.publish()
    return {"settings": house.views.settings()}, None


def _settings(app: Flask, house: Context) -> None:
    post(app, house, "/api/settings", partial(change, house))

    @app.get("/api/settings")
    def settings() -> ResponseReturnValue:
        """The settings, and what there is to choose from."""
        joined(house.person())
        return {"ok": True, "settings": house.views.settings(), "choices": choices(house)}

    @app.get("/api/seatings")
    def seatings_by_options() -> ResponseReturnValue:
        """Who can play a game together by these options, and which options go together."""
        joined(house.person())
        asked = request.args.to_dict()
        return {"ok": True, **seatings(house.evening.game(asked.pop("game", "")), asked)}

    @app.get("/settings")
    def settings_page() -> ResponseReturnValue:
        """The host's page; others may look."""
        person = house.person()
        joined(person)
        page = render_template(
            "settings.html",
            view=house.snapshot(),
            settings=house.views.settings(),
            bound=house.evening.bound,
        )
        return make_response(page)


def _deleting(app: Flask, house: Context) -> None:
    """What is to be kept no longer."""

    def delete(body: Body, person: Person) -> Answer:
        only_host(person)
        what = text(body, "what")
        house.evening.delete(what, person.actor)
        if what == "all":
            house.door.dismiss_others(person)
            _only_who_is_here(house)
        return {}, None

    post(app, house, "/api/delete", delete)
