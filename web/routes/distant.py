"""Tables elsewhere that play the same game: invitations, and taking one up."""

from __future__ import annotations

from flask import Flask, render_template
from flask.typing import ResponseReturnValue

from web.access.refusal import Refusal
from web.access.request_fields import Body, text, word
from web.access.seats import Person, only_host
from web.context import Answer, Context, qr
from web.routes.api import post


def register(app: Flask, context: Context) -> None:
    """Add the page and its request to ``app``; none where the table belongs to no club."""
    app.jinja_env.globals["has_distant"] = context.distant is not None
    if context.distant is None:
        return
    distant = context.distant

    def tables(body: Body, person: Person) -> Answer:
        only_host(person)
        do = text(body, "do")
        if do == "invite":
            seat = word(body, "seat")
            link = distant.invite([seat] if seat else list(context.table.setup.seats))
            return {"link": link, "qr": str(qr(link))}, None
        if do == "dismiss":
            distant.dismiss(text(body, "table"))
        elif do == "join":
            distant.join(text(body, "link", 200))
        elif do == "leave":
            distant.leave()
        else:
            raise Refusal(400, "bad_request", "invite, dismiss, join or leave")
        return {}, None

    post(app, context, "/api/distant", tables)

    @app.get("/distant")
    def distant_page() -> ResponseReturnValue:
        """Who plays along, a form for one more, and one to play along."""
        only_host(context.person())
        told = distant.told()
        taken = {seat for guest in told["guests"] for seat in guest["seats"]}
        free = [seat for seat in context.shown.setup.seats if seat not in taken]
        return render_template(
            "distant.html", view=context.snapshot(), told=told, free=free, owned=context.shown.owned
        )
