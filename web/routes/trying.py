"""The host's page on which lights, the box, sensors and camera are tried out, step by step."""

from __future__ import annotations

from flask import Flask, render_template
from flask.typing import ResponseReturnValue

from web.access.request_fields import Body, word
from web.access.seats import Person, only_host
from web.context import Answer, Context
from web.routes.api import post


def register(app: Flask, context: Context) -> None:
    """Add the page and its JSON to ``app`` where anything can be tried out."""
    trial = context.config.trial
    app.jinja_env.globals["has_trial"] = trial is not None
    if trial is None:
        return

    @app.get("/trial")
    def tried() -> ResponseReturnValue:
        """All steps, one of which is shown at a time."""
        only_host(context.person())
        return render_template("trial.html", view=context.snapshot(), steps=trial.steps())

    @app.get("/api/trial/heard")
    def heard() -> ResponseReturnValue:
        """The buttons that were pressed since the step began, and what sensors feel now."""
        only_host(context.person())
        return {"ok": True, "heard": list(trial.heard()), "felt": list(trial.felt() or ())}

    def show(body: Body, person: Person) -> Answer:
        only_host(person)
        trial.show(word(body, "kind"), word(body, "name"))
        return {}, None

    def end(body: Body, person: Person) -> Answer:
        only_host(person)
        trial.end()
        return {}, None

    post(app, context, "/api/trial/show", show)
    post(app, context, "/api/trial/end", end)
