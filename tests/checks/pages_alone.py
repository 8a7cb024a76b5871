"""The pages of a table at which nobody looks and whose hands are a test's, open in a browser."""

from __future__ import annotations

from contextlib import contextmanager
from types import MappingProxyType

import cv2
import numpy as np

import web
from companion.rules import BadInput
from tests.checks.chromium import NAME

PHONE = {"width": 360, "height": 740}


def _photograph():
    """Return a JPEG of a table with a board and some men, as a camera might see it."""
    picture = np.full((480, 640, 3), (58, 74, 92), np.uint8)
    corners = np.array([[150, 70], [490, 70], [600, 430], [40, 430]])
    cv2.fillConvexPoly(picture, corners, (178, 205, 222), cv2.LINE_AA)
    for at, colour in (((230, 150), 40), ((400, 150), 235), ((320, 260), 235), ((200, 360), 40)):
        cv2.circle(picture, at, 24, (colour,) * 3, -1, cv2.LINE_AA)
    return cv2.imencode(".jpg", picture)[1].tobytes()


PHOTOGRAPH = _photograph()


class Top:
    """A table top: what lies on it and beside it, and what the hand holds."""

    def __init__(self, position):
        self.on, self.beside, self.held = dict(position), [], None

    def tokens(self):
        return MappingProxyType(self.on)

    def off(self):
        return tuple(self.beside)

    def _take(self, spot):
        if spot not in self.on:
            raise BadInput(f"nothing stands on {spot}")
        return self.on.pop(spot)

    def lift(self, spot):
        self.held = self._take(spot)

    def drop(self, spot):
        if spot in self.on:
            self.beside.append(self._take(spot))
        self.on[spot], self.held = self.held, None

    def move(self, origin, target):
        self.lift(origin)
        self.drop(target)

    def remove(self, spot):
        self.beside.append(self._take(spot))

    def put(self, spot, token):
        self.beside.remove(token)
        self.on[spot] = token

    def turn(self, spot):
        self.on[spot] = self._take(spot) + " frozen"

    def flip(self, spot):
        self.on[spot] = self._take(spot) + "+"

    def picture(self):
        return PHOTOGRAPH


class Words:
    """The eyes of a table at which nobody looks: they say what a test tells them."""

    def __init__(self):
        self.words = {"still": True, "message": "", "differs": [], "lifted": None, "asks": []}

    def status(self):
        return self.words

    def seen(self):
        return None

    def answer(self, index):
        raise BadInput("nothing was asked")


class Lamps:
    """Lights that can be set."""

    def __init__(self):
        self.wanted = {"lights": "full", "brightness": 100}

    def settings(self):
        return self.wanted

    def adjust(self, changes):
        self.wanted = {**self.wanted, **changes}


@contextmanager
def serving(table, top, lit, eyes):
    """Serve the pages of ``table`` with what lies on it, what is lit and what is seen."""
    app = web.create_app(
        table,
        config=web.Config(hosts=(NAME,)),
        eyes=eyes,
        lights=lambda: lit,
        lamps=Lamps(),
        virtual=top,
    )
    with web.Server(app, port=0) as server:
        server.app = app
        yield server


UNGRANTED = "if (isSecureContext) console.error('no phone at a table is granted that')"
"""A complaint where a page has what browsers grant to pages of https alone."""


@contextmanager
def opening(browser, server, patience):
    """Give what opens a page as a new phone, which waits ``patience`` milliseconds for what is
    to come; at the end none of them may have complained."""
    opened, complaints = [], []

    def open_page(path="/", viewport=PHONE, **more):
        context = browser.new_context(viewport=viewport, **more)
        # Asked as each page comes: at the end one may be on its way to the next.
        context.add_init_script(UNGRANTED)
        page = context.new_page()
        page.set_default_timeout(patience)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("response", lambda answer: answer.status < 400 or complaints.append(answer.url))
        page.on(
            "console",
            lambda message: message.type == "error" and complaints.append(message.text),
        )
        opened.append(context)
        page.goto(f"http://{NAME}:{server.port}{path}")
        return page

    yield open_page
    for context in opened:
        context.close()
    # A line that a test cuts is no complaint of the page's.
    assert [text for text in complaints if "net::ERR_FAILED" not in text] == []


def joined(open_page, server, **more):
    """Open a phone that came in by an invitation."""
    code = web.invitation(server.app).partition("#")[2]
    page = open_page(f"/join#{code}", **more)
    page.wait_for_selector(".qr")
    # Who presses before the page listens is not heard.
    page.wait_for_selector("#pill[data-live=yes]")
    return page
