"""Other programs: their tokens, which the host makes and withdraws, and the way to their API."""

from __future__ import annotations

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue

from companion.machine.tokens import SCOPES
from companion.rules import say
from web.access.refusal import Refusal
from web.access.request_fields import Body, text, word
from web.access.seats import Person, only_host
from web.context import Answer, Context
from web.routes.api import post


def register(app: Flask, context: Context) -> None:
    """Add the routes to ``app``. What answers programs is loaded when the first of them asks."""
    app.jinja_env.globals["has_programs"] = context.tokens is not None
    if context.tokens is None:
        return
    tokens = context.tokens

    def programs(body: Body, person: Person) -> Answer:
        only_host(person)
        if "withdraw" in body:
            tokens.withdraw(text(body, "withdraw"))
            context.streams.publish()
            return {}, None
        seat = word(body, "seat")
        name, scope = text(body, "name"), text(body, "scope")
        made = tokens.make(name, scope, [seat] if seat else [], context.evening.clock())
        return {"token": made}, None

    post(app, context, "/api/programs", programs)

    @app.get("/programs")
    def programs_page() -> ResponseReturnValue:
        """The tokens that are given out, and a form for one more."""
        only_host(context.person())
        kept = list(tokens.all().values())
        return render_template("programs.html", view=context.snapshot(), tokens=kept, scopes=SCOPES)

    @app.route("/api/v1/<path:rest>", methods=["GET", "POST"])
    def version_one(rest: str) -> ResponseReturnValue:
        """Whatever a program asks: see the document at ``/api/v1/openapi.json``."""
        if not (rest == "openapi.json" or tokens.all()):
            raise Refusal(
                401, "bad_token", say("no program may come in here; the host gives it a token")
            )
        from web.doors.answering import answer

        return answer(context, tokens, request.method, rest)
