"""The host's page on which a misread is looked into: the last readings, and why each came about."""

from __future__ import annotations

from flask import Flask, Response, render_template
from flask.typing import ResponseReturnValue

from web.access.seats import only_host
from web.context import Context
from web.language import current, in_words, translator
from web.ports import Readings


def register(app: Flask, context: Context, readings: Readings) -> None:
    """Add the pages and their JSON to ``app``; only the host sees what the camera saw."""

    @app.get("/readings")
    def all_readings() -> ResponseReturnValue:
        """The last readings, the latest first."""
        only_host(context.person())
        return render_template("readings.html", view=context.snapshot(), readings=readings.last())

    @app.get("/readings/<int:number>")
    def reading(number: int) -> ResponseReturnValue:
        """One reading with its trace."""
        only_host(context.person())
        return render_template("reading.html", view=context.snapshot(), one=readings.one(number))

    @app.get("/api/readings")
    def readings_json() -> ResponseReturnValue:
        """The last readings, as JSON."""
        only_host(context.person())
        return {"ok": True, "readings": in_words(readings.last(), translator(current()))}

    @app.get("/api/readings/<int:number>")
    def reading_json(number: int) -> ResponseReturnValue:
        """One reading with its trace, as JSON."""
        only_host(context.person())
        return {"ok": True, "reading": in_words(readings.one(number), translator(current()))}

    @app.get("/api/readings/<int:number>/picture")
    def reading_picture(number: int) -> ResponseReturnValue:
        """The picture of one reading."""
        only_host(context.person())
        return Response(readings.picture(number), mimetype="image/jpeg")
