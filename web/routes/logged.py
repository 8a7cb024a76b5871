"""The host's page with what the companion itself logged."""

from __future__ import annotations

from flask import Flask, render_template
from flask.typing import ResponseReturnValue

from web.access.seats import only_host
from web.context import Context


def register(app: Flask, context: Context) -> None:
    """Add the page to ``app`` where a log is kept."""
    log = context.config.log
    app.jinja_env.globals["has_log"] = log is not None
    if log is None:
        return

    @app.get("/log")
    def own_log() -> ResponseReturnValue:
        """The last entries, the newest last."""
        only_host(context.person())
        return render_template("log.html", view=context.snapshot(), entries=log())
