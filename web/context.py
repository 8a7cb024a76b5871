"""Everything that the routes share."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from flask import g, request
from markupsafe import Markup
from werkzeug.http import parse_cookie

from companion.machine.tokens import Tokens
from companion.rules import Game, Setup, name_of, owner_of, picture_of, tell
from companion.runtime.rate import Rate
from companion.runtime.timekeeper import timekeeper
from companion.table import Table
from companion.table.evening import Evening
from web import drawing
from web.access.guard import BODY_LIMIT
from web.access.local import from_here
from web.access.repeats import Once
from web.access.seats import Door, Person
from web.config import Config
from web.fragments import PERSONAL, VIEW, Drawings, draw
from web.friends import FriendLink, Friends
from web.language import current, translator
from web.ports import Distant, Eyes, Lights, Machines, TableLights, VirtualTable
from web.roles import Snapshots
from web.serving.connection import connection
from web.snapshot import Viewer, Views
from web.stream import Streams

COOKIE = "companion_phone"
PHONES = 1024
"""Phones that are remembered to have joined. If there are more, all are forgotten until they ask
again."""
HERE = "here"
"""The name under which a stream is opened by a browser on this machine that has not joined."""
POSTS, READS, WINDOW = 60, 600, 10.0
"""Requests that one phone may send (POSTS) and ask (READS) within WINDOW seconds; hands need
fewer."""
Answer = tuple[dict[str, Any], str | None]
"""The body of the answer to an accepted request, and the phone's new key if it changes."""


class Asker(NamedTuple):
    """Who sends a request: the ``key`` of the phone, and whether it comes from ``here``, this
    machine itself."""

    key: str | None
    here: bool


class Drawn(Protocol):
    """What is drawn: a game, by whom and by which options it is played."""

    @property
    def game(self) -> Game[Any]:
        """Return the game."""

    @property
    def setup(self) -> Setup:
        """Return who plays it, by which options."""

    def __hash__(self) -> int: ...


class Context:
    """What all routes share: one table with its door, its views, its streams and its ports."""

    def __init__(
        self,
        evening: Evening,
        config: Config,
        eyes: Eyes,
        lights: Lights,
        lamps: TableLights,
        virtual: VirtualTable | None,
        machines: Machines,
        tokens: Tokens | None,
        distant: Distant | None,
    ) -> None:
        steady = timekeeper(config.clock or evening.clock).steady
        self.evening, self.config = evening, config
        self.eyes, self.lamps, self.virtual, self.machines = eyes, lamps, virtual, machines
        self.tokens, self.distant = tokens, distant
        self.door = Door(evening, steady, config.open_house)
        self.views = Views(evening, self.door, eyes, lights, lamps, machines, distant)
        self.snapshots = Snapshots(self.views)
        self.streams = Streams(config.streams, config.streams_per_address)
        self.once: Once[Answer] = Once()
        self.rate, self.reads = Rate(POSTS, WINDOW, steady), Rate(READS, WINDOW, steady)
        self.drawings, self.friends = Drawings(), Friends()
        self.body_limits: dict[str, int] = {}
        """For some paths: how many bytes a request may carry, where that is more than usual."""
        self.phones: set[str | None] = set()
        """The keys of phones that joined and have asked something."""

    @property
    def table(self) -> Table[Any]:
        """The present table, which is another one after another game was begun."""
        return self.evening.table

    @property
    def shown(self) -> Table[Any]:
        """Return the table that the current request shows: another game may begin meanwhile."""
        found: Table[Any] = g.table
        return found

    @property
    def drawn(self) -> Drawn:
        """Return whose board and tokens the current request draws: the table's that it shows,
        unless it shows a lesson (``g.drawn``)."""
        found: Drawn = g.get("drawn") or self.shown
        return found

    @property
    def picture(self) -> drawing.Picture:
        """Return the board that is drawn."""
        return drawing.kept(self.drawn.game, self.drawn.setup)[0]

    def asker(self) -> Asker:
        """Return what the current request says of who sends it."""
        here = self.config.trust_machine and from_here()
        return Asker(request.cookies.get(COOKIE), here)

    def person(self) -> Person:
        """Return who sends the current request, with the seats of the table that it shows."""
        return self.whose(self.asker(), self.shown)

    def whose(self, asker: Asker, table: Table[Any]) -> Person:
        """Return who sent a request, with the seats of ``table``."""
        return self.door.person(asker.key, table.setup.seats, asker.here)

    def came_in(self, cookies: str) -> bool:
        """Tell whether the phone that sends ``cookies`` was known when it asked last. Never waits,
        because the thread that reads for all phones asks this."""
        return parse_cookie(cookies).get(COOKIE) in self.phones

    def meet(self, person: Person) -> None:
        """Remember whether ``person``, who sends the current request, has joined."""
        key = request.cookies.get(COOKIE)
        connection().joined = bool(person.person or person.host)
        if person.person and key:
            self.welcome(key)
        else:
            self.phones.discard(key)

    def welcome(self, key: str) -> None:
        """Remember that the phone with ``key``, which sends the current request, came in."""
        connection().joined = True
        if len(self.phones) >= PHONES:
            self.phones.clear()
        self.phones.add(key)

    def body_limit(self, path: str) -> int:
        """Return how many bytes a request to ``path`` may carry."""
        return self.body_limits.get(path, BODY_LIMIT)

    def look(self, edition: int | None = None) -> Viewer:
        """Return what there is to see now; the current request shows that from here on. See
        :meth:`web.snapshot.Views.look`."""
        look = self.views.look(edition)
        g.table = look.table
        return look

    def snapshot(self, seen: int | None = None, html: bool = True) -> dict[str, Any]:
        """Return a snapshot for whoever sends the current request; with ``html`` also the parts of
        the page. ``seen`` is the ``state_id`` that the phone saw last: ``news`` then lists what
        happened since."""
        # Another game may have begun since the request came: who asks may have other seats in it.
        look, person = self.look(), self.person()
        shown = self.snapshots.of(look, person, current())
        view = shown.of(person)
        view["news"] = [] if seen is None else self.views.news(look, current(), seen)
        if html:
            parts = {**shown.parts, **draw((*PERSONAL, *VIEW), view, {})}
            view["html"] = {name: part.html for name, part in parts.items()}
        return view

    def listeners(self) -> frozenset[str]:
        """Return under which names streams may stay open: of this machine, of those who came in,
        and of programs."""
        programs = self.tokens.all().values() if self.tokens else ()
        return frozenset({HERE, *self.door.people.members, *(one.listener for one in programs)})

    def symbol(self, token: str) -> Markup:
        """Return the picture of ``token``; raises BadInput for one that this game has not."""
        game = self.drawn.game
        upright = game.look(token).turn is None
        picture, owner = picture_of(game, self.drawn.setup, token), owner_of(game, token)
        return drawing.symbol(token, picture, self.spoken(token), owner, upright)

    def spoken(self, token: str) -> str:
        """Return what people call ``token`` in the language of the request."""
        return tell(name_of(self.drawn.game, token), translator(current()))

    def friends_address(self, link: FriendLink) -> str:
        """Return the address under which friends follow the game by ``link``."""
        return f"{self.config.address.rstrip('/')}/watch/{link.token}"

    def invitation(self, uses: int = 1, **more: Any) -> str:
        """Return an address that lets ``uses`` phones in within ten minutes; with ``host`` one
        that makes one phone the host's, not ``known`` one that never does: see
        :meth:`web.access.seats.Door.mint`.

        The code stands behind a ``#``, so no log and no Referer ever holds it.
        """
        code = self.door.mint(uses, **more)
        return f"{self.config.address.rstrip('/')}/join#{code}"


def qr(text: str) -> Markup:
    """Return ``text`` as a QR code in SVG, dark on light in every colour scheme."""
    import segno

    code = segno.make(text, error="m", micro=False)
    svg = code.svg_inline(scale=6, border=4, dark="#000", light="#fff", omitsize=True)
    return Markup(svg)


@cache
def version() -> str:
    """Return a digest of the static files, so that browsers keep them until they change."""
    folder = Path(__file__).parent / "static"
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()[:10]
