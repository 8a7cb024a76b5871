"""The calibration page: the live picture, and points that a person puts on the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, render_template
from flask.typing import ResponseReturnValue

from companion.rules import Point, say
from web.access.refusal import Refusal
from web.access.request_fields import unfit
from web.access.seats import Person
from web.context import Answer, Context
from web.language import current, in_words, translator
from web.ports import CalibrationDesk
from web.routes.api import post
from web.routes.playing import seated

MOST = 32
"""Points in one request at most; no board has as many."""


def register(app: Flask, context: Context, calibrator: CalibrationDesk) -> None:
    """Add the page and its JSON to ``app``."""

    @app.get("/calibrate")
    def calibrate() -> ResponseReturnValue:
        """The live picture with the outlines of all spots."""
        return render_template("calibrate.html", view=context.snapshot())

    @app.get("/api/calibrate/status")
    def calibrate_status() -> ResponseReturnValue:
        """How the board is seen now, and what the light meter says."""
        _joined(context.person())
        return {"ok": True, **_seen(calibrator)}

    @app.get("/api/calibrate/picture")
    def calibrate_picture() -> ResponseReturnValue:
        """What the camera sees now; only for those at the table."""
        _joined(context.person())
        return Response(calibrator.picture(), mimetype="image/jpeg")

    def place(body: Mapping[str, Any], person: Person) -> Answer:
        seated(person)
        calibrator.place(points_of(body))
        return _seen(calibrator), None

    def find(body: Mapping[str, Any], person: Person) -> Answer:
        seated(person)
        calibrator.find()
        return _seen(calibrator), None

    def turn(body: Mapping[str, Any], person: Person) -> Answer:
        seated(person)
        calibrator.turn()
        return _seen(calibrator), None

    def accept(body: Mapping[str, Any], person: Person) -> Answer:
        seated(person)
        calibrator.accept()
        return {}, None

    post(app, context, "/api/calibrate/place", place)
    post(app, context, "/api/calibrate/find", find)
    post(app, context, "/api/calibrate/turn", turn)
    post(app, context, "/api/calibrate/accept", accept)


def points_of(body: Mapping[str, Any]) -> dict[str, Point]:
    """Return the points of a request: ``{"points": {"h2": [512, 300.5], …}}``.

    Raises:
        Refusal: something else was sent.
    """
    given = body.get("points")
    if not isinstance(given, dict) or not 0 < len(given) <= MOST:
        raise unfit("points")
    points = {}
    for name, pixel in given.items():
        good = isinstance(pixel, list) and len(pixel) == 2
        if not good or not all(_number(value) for value in pixel):
            raise unfit("points")
        points[name] = (float(pixel[0]), float(pixel[1]))
    return points


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e5


def _seen(calibrator: CalibrationDesk) -> dict[str, Any]:
    """Return what the calibrator says, in the language of the request."""
    told: dict[str, Any] = in_words(dict(calibrator.status()), translator(current()))
    return told


def _joined(person: Person) -> None:
    if not person.joined:
        raise Refusal(403, "not_joined", say("join the table before you look through its camera"))
