"""The shelf: the games that can be played here, each in its box."""

from __future__ import annotations

from flask import Flask, Response, render_template, request
from flask.typing import ResponseReturnValue

from companion.referee.lessons import lessons_of
from companion.table.rematch import answer, begin_again, offer
from web.access.request_fields import Body, flag, integer, text, texts, unfit, words
from web.access.seats import Person, joined, only_host
from web.choosing import choice_of
from web.context import Answer, Context
from web.cover import cover, framed
from web.language import current, introduced
from web.routes.api import post
from web.routes.hosting import MOST
from web.routes.playing import seated

COVER_LIFE = 3600
"""Seconds for which a phone keeps the drawing of a game's box."""


def register(app: Flask, context: Context) -> None:
    """Add the routes to ``app``."""
    _pages(app, context)
    _presets(app, context)
    _once_more(app, context)


def _pages(app: Flask, context: Context) -> None:
    @app.get("/shelf")
    def shelf() -> ResponseReturnValue:
        """All games in their boxes; for phones that joined."""
        from web.shelf import boxes

        joined(context.person())
        return render_template("shelf.html", view=context.snapshot(), boxes=boxes(context))

    @app.get("/shelf/<name>")
    def box(name: str) -> ResponseReturnValue:
        """A game's box: what it is about, who plays, by which options; for phones that joined."""
        from web.shelf import with_drawings

        joined(context.person())
        view, game = context.snapshot(), context.evening.game(name)
        told = choice_of(context, game)
        return render_template(
            "box.html",
            view=view,
            one=with_drawings(game, told),
            about=introduced(game, current()),
            cover=cover(game, game.setup()),
            presets=context.evening.presets(game.name),
            lessons=len(lessons_of(game)),
        )

    @app.get("/cover/<name>.svg")
    def drawn_cover(name: str) -> ResponseReturnValue:
        """The board of a game as it stands at the start, small, by the options that are named."""
        game = context.evening.game(name)
        setup = game.setup(None, request.args.to_dict())
        answer = Response(framed(cover(game, setup)), mimetype="image/svg+xml")
        answer.cache_control.max_age = COVER_LIFE
        answer.cache_control.private = True
        return answer


def _presets(app: Flask, context: Context) -> None:
    """Choices that are kept by their names."""

    def keep(body: Body, person: Person) -> Answer:
        only_host(person)
        seats = words(body, "seats", MOST, 1)
        options = texts(body, "options", MOST) if "options" in body else {}
        context.evening.keep_preset(
            text(body, "game"), text(body, "name"), seats, options, person.actor
        )
        return {}, None

    def forget(body: Body, person: Person) -> Answer:
        only_host(person)
        context.evening.forget_preset(text(body, "game"), text(body, "name"), person.actor)
        return {}, None

    post(app, context, "/api/preset", keep)
    post(app, context, "/api/preset/forget", forget)


def _once_more(app: Flask, context: Context) -> None:
    """The same game with the same people."""

    def again(body: Body, person: Person) -> Answer:
        seated(person)
        evening, word_ = context.evening, text(body, "word")
        if word_ == "offer":
            swap = flag(body, "swap")
            context.table.fresh(integer(body, "state_id"))
            if person.host:
                begin_again(evening, swap)
            else:
                offer(evening, person.actor, person.person, swap)
        elif word_ in ("yes", "no"):
            answer(evening, person.actor, person.person, word_ == "yes")
        else:
            raise unfit("word")
        return {}, None

    post(app, context, "/api/rematch", again)
