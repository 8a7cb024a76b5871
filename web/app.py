"""The Flask app: pages for the phones, and the simulated table's page."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

from flask import Flask

from companion.table import Table
from web import api, calibrate, drawing, guard, language, pages, simulated
from web.config import Config
from web.house import House, version
from web.once import Once
from web.rate import Rate
from web.seats import Door
from web.snapshot import Views
from web.stream import Streams
from web.virtual import Calibrator, Eyes, Lights, NoEyes, VirtualTable, no_lights

POSTS, POST_WINDOW = 60, 10.0
"""How many requests an address may send in so many seconds: more than hands can."""


def create_app(
    table: Table[Any],
    *,
    config: Config,
    virtual: VirtualTable | None = None,
    eyes: Eyes | None = None,
    lights: Lights = no_lights,
    calibrator: Calibrator | None = None,
) -> Flask:
    """Return the app for ``table``.

    ``eyes`` is what the camera says, ``lights`` what is lit; call :func:`changed` when one of
    them changes without an event of the table. ``virtual`` adds the simulated table's page,
    ``calibrator`` the one on which the camera is shown the board.
    """
    app = Flask("web")
    app.json.sort_keys = False  # type: ignore[attr-defined]
    guard.install(app, config)
    language.install(app)
    seen = eyes or NoEyes()
    door = Door(table, config.clock, config.open_house)
    streams = Streams(config.streams, config.streams_per_address)
    house = House(
        table=table,
        config=config,
        door=door,
        views=Views(table, door, seen, lights, config.clock),
        streams=streams,
        once=Once(),
        rate=Rate(POSTS, POST_WINDOW, config.clock),
        eyes=seen,
        picture=drawing.picture(table.game.board(table.setup)),
        virtual=virtual,
    )
    app.extensions["house"] = house
    table.subscribe(lambda event: streams.publish())
    _templates(app, house)
    app.jinja_env.globals["has_calibrator"] = calibrator is not None
    pages.register(app, house)
    api.register(app, house)
    if virtual is not None:
        simulated.register(app, house, virtual)
    if calibrator is not None:
        calibrate.register(app, house, calibrator)
    return app


def changed(app: Flask) -> None:
    """Tell every phone that the camera's words or the lights have changed."""
    app.extensions["house"].streams.publish()


def invitation(app: Flask, uses: int = 1) -> str:
    """Return an address that lets ``uses`` phones in within ten minutes."""
    address: str = app.extensions["house"].invitation(uses)
    return address


def _templates(app: Flask, house: House) -> None:
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(
        clock=lambda at: time.strftime("%H:%M", time.localtime(at)),
        minutes=lambda seconds: "{}:{:02}".format(*divmod(int(seconds), 60)),
        token_id=drawing.token_id,
        swatch=drawing.swatch,
    )
    app.jinja_env.globals.update(
        game=house.table.game.title,
        board=house.picture,
        label=drawing.label,
        symbol=lru_cache(1024)(house.symbol),
        has_table=house.virtual is not None,
        version=version,
    )
