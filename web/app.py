"""The Flask app: pages for the phones, and the simulated table's page."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from flask import Flask, g
from markupsafe import Markup
from werkzeug.local import LocalProxy
from werkzeug.routing import Rule

from companion.machine.tokens import Tokens
from companion.rules import shown_on_clock, tell
from companion.table import Table
from companion.table.evening import Evening
from web import drawing, language
from web.access import guard
from web.compiled import TemplateEnvironment, compile_once
from web.config import Config
from web.context import Context, version
from web.entering import shared_beginning
from web.keepsake import keepsake
from web.ports import (
    CalibrationDesk,
    Distant,
    Eyes,
    Lights,
    Machines,
    NoEyes,
    NoLamps,
    NoMachines,
    Owned,
    Readings,
    TableLights,
    VirtualTable,
    no_lights,
)
from web.routes import (
    advising,
    analysing,
    api,
    archive,
    beginning,
    calibrate,
    distant,
    hosting,
    importing,
    lessons,
    logged,
    owning,
    pages,
    playing,
    programs,
    racks,
    shelf,
    simulated,
    teaching,
    tracing,
    trying,
    watching,
)


class Route(Rule):
    """A route whose code for building addresses is compiled when it is first needed, which our
    pages never do. werkzeug compiles it at once, and that takes most of what adding a route
    costs."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        write = cache(partial(super()._compile_builder, append_unknown))

        def build(rule: Rule, **values: Any) -> tuple[str, str]:
            address: tuple[str, str] = write()(rule, **values)
            return address

        return build


def create_app(
    table: Table[Any] | Evening,
    *,
    config: Config,
    virtual: VirtualTable | None = None,
    eyes: Eyes | None = None,
    lights: Lights = no_lights,
    lamps: TableLights | None = None,
    calibrator: CalibrationDesk | None = None,
    own: Owned | None = None,
    readings: Readings | None = None,
    machines: Machines | None = None,
    elsewhere: Distant | None = None,
    tokens: Tokens | None = None,
) -> Flask:
    """Return the app for ``table``, or for the games that an evening brings one after another.

    ``eyes`` is what the camera says, ``lights`` what is lit, ``lamps`` sets them; call
    :func:`changed` when the camera's words or the lights change without an event of the table.
    ``virtual`` adds the simulated table's page, ``calibrator`` the one on which the camera is
    shown the board. ``own`` keeps what owners enter of their cards, ``readings`` adds the host's
    page on why the camera read what it did. ``machines`` play seats, tables ``elsewhere`` do,
    ``tokens`` let other programs in.
    """
    app = Flask("web")
    app.url_rule_class, app.jinja_environment = Route, TemplateEnvironment
    app.json.sort_keys = False  # type: ignore[attr-defined]
    guard.install(app, config)
    language.install(app)
    evening = table if isinstance(table, Evening) else Evening(table, now=config.clock)
    context = Context(
        evening,
        config,
        eyes or NoEyes(),
        lights,
        lamps or NoLamps(),
        virtual,
        machines or NoMachines(),
        tokens,
        elsewhere,
    )
    app.extensions["context"] = context
    app.before_request(lambda: setattr(g, "table", context.table))
    evening.subscribe(lambda event: context.streams.publish())
    evening.follow(lambda table: context.streams.publish())
    _templates(app, context)
    _routes(app, context, calibrator, own, readings)
    return app


def _routes(
    app: Flask,
    context: Context,
    calibrator: CalibrationDesk | None,
    own: Owned | None,
    readings: Readings | None,
) -> None:
    """Add all routes, those of what is not there left out."""
    app.jinja_env.globals["has_calibrator"] = calibrator is not None
    for routes in (
        pages, beginning, api, playing, hosting, shelf, archive, teaching, advising, analysing,
        racks, lessons, watching, programs, distant, logged, trying,
        importing,
    ):  # fmt: skip
        routes.register(app, context)
    if context.virtual is not None:
        simulated.register(app, context, context.virtual)
    if calibrator is not None:
        calibrate.register(app, context, calibrator)
    if own is not None:
        owning.register(app, context, own)
    app.jinja_env.globals["has_readings"] = readings is not None
    if readings is not None:
        tracing.register(app, context, readings)


def changed(app: Flask) -> None:
    """Tell every phone that the camera's words or the lights have changed."""
    app.extensions["context"].streams.publish()


def called(app: Flask, host: str, address: str) -> None:
    """Tell every page that the house is found in the network by the name ``host``, at
    ``address``."""
    context: Context = app.extensions["context"]
    context.config = context.config._replace(local=address)
    app.config["TRUSTED_HOSTS"].append(host)
    changed(app)


def moved(app: Flask, address: str, hosts: Sequence[str]) -> None:
    """Tell every page that the house is found at ``address`` from now on, under these ``hosts``
    beside those before."""
    context: Context = app.extensions["context"]
    context.config = context.config._replace(address=address)
    app.config["TRUSTED_HOSTS"].extend(hosts)
    changed(app)


def invitation(app: Flask, uses: int = 1, *, host: bool = False) -> str:
    """Return an address that lets ``uses`` phones in within ten minutes; with ``host`` one that
    makes one phone the host's."""
    address: str = app.extensions["context"].invitation(1 if host else uses, host=host)
    return address


def drawn(app: Flask, game: int) -> str:
    """Return the board of a game that is kept, after its last action, with names and ruling, as an
    SVG file."""
    context: Context = app.extensions["context"]
    with app.test_request_context():
        g.table = context.table
        return keepsake(*archive.still(context, game))


def _templates(app: Flask, context: Context) -> None:
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(
        clock=lambda at: time.strftime("%H:%M", time.localtime(at)),
        minutes=shown_on_clock,
        shared_beginning=shared_beginning,
    )
    drawing.install(app)
    # The sign stands within the page: that is one request less.
    with app.open_resource("static/icon.svg", "rt") as icon:
        sign = Markup(icon.read())
    app.jinja_env.globals.update(
        # Another game brings another title and another board.
        game=LocalProxy(
            lambda: tell(context.drawn.game.title, language.translator(language.current()))
        ),
        board=LocalProxy(lambda: context.picture),
        label=drawing.label,
        has_table=context.virtual is not None,
        felt=context.config.felt,
        version=version,
        sign=sign,
    )
    compile_once(app.jinja_env)
