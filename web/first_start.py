"""The pages of a table's first start: a phone in the table's own Wi-Fi says which network it is to
join, which game, camera and lights it has, and the phone's system shows them by itself."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flask import Flask, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.machine.wireless import Network, check_password
from companion.rules import BadInput, Game, say
from web import language
from web.compiled import TemplateEnvironment

LONGEST = 100
"""Letters of a field at most."""
BODY = 4096
SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
PROBES: Mapping[str, tuple[int, str, str]] = {
    "/hotspot-detect.html": (200, "text/html", SUCCESS),
    "/library/test/success.html": (200, "text/html", SUCCESS),
    "/generate_204": (204, "text/plain", ""),
    "/gen_204": (204, "text/plain", ""),
    "/connecttest.txt": (200, "text/plain", "Microsoft Connect Test"),
    "/ncsi.txt": (200, "text/plain", "Microsoft NCSI"),
    "/success.txt": (200, "text/plain", "success\n"),
    "/canonical.html": (200, "text/html", '<meta http-equiv="refresh" content="0">'),
}
"""What phones and computers ask for to learn whether a network leads to the internet (iOS, Android,
Windows, Firefox), and the answer that says so: until all is chosen they are led to our page, after
that they close it by themselves."""


class StartAnswers(NamedTuple):
    """What was chosen: the ``network`` to join, empty to keep the table's own, and its
    ``password``; what the table is called, its game, camera and lights."""

    network: str
    password: str
    name: str
    game: str
    camera: str
    lights: str


class FirstStart:
    """What is asked at the first start, and what was answered. ``networks`` are those in reach,
    ``games`` and ``cameras`` and ``lights`` (address -> words) what may be chosen; ``address`` is
    where the pages are."""

    def __init__(
        self,
        networks: Sequence[Network],
        games: Sequence[Game[Any]],
        cameras: Mapping[str, str],
        lights: Mapping[str, str],
        address: str,
    ) -> None:
        self.networks, self.games = tuple(networks), tuple(games)
        self.cameras, self.lights = cameras, lights
        self.address = address
        self.chosen: StartAnswers | None = None
        self.trouble = ""
        self.answered = threading.Event()

    def choose(self, fields: Mapping[str, str]) -> StartAnswers:
        """Take what a phone sent.

        Raises:
            BadInput: something of it cannot be.
        """
        said = {name: fields.get(name, "").strip() for name in (*StartAnswers._fields, "other")}
        if any(len(text) > LONGEST or not text.isprintable() for text in said.values()):
            raise BadInput(say("a field holds one line of {most} letters at most", most=LONGEST))
        other = said.pop("other")
        chosen = StartAnswers(**said)._replace(network=other or said["network"])
        check_password(chosen.password)
        if chosen.game not in {game.name for game in self.games}:
            raise BadInput(say("choose one of the games"))
        if chosen.camera not in self.cameras or chosen.lights not in self.lights:
            raise BadInput(say("choose camera and lights from the list"))
        return chosen

    def again(self, trouble: str) -> None:
        """Ask once more: it came to nothing, for this reason."""
        self.trouble, self.chosen = trouble, None
        self.answered.clear()


def first_start_app(first: FirstStart) -> Flask:
    """Return the app of these pages."""
    app = Flask("web")
    app.jinja_environment = TemplateEnvironment
    app.config["MAX_CONTENT_LENGTH"] = BODY
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    language.install(app)

    @app.get("/")
    def asked() -> ResponseReturnValue:
        """The form, or that all is done."""
        chosen = request.args.get("language", "")
        answer = app.make_response(_page(first, {}, first.trouble))
        if chosen in language.NAMES:
            answer = app.make_response(redirect("/"))
            answer.set_cookie(language.COOKIE, chosen, samesite="Strict")
        return answer

    @app.post("/")
    def answered() -> ResponseReturnValue:
        """Take the answers, once."""
        if first.chosen is None:
            try:
                first.chosen = first.choose(request.form)
            except BadInput as error:
                return _page(first, request.form, error.sentence), 400
            first.answered.set()
        return _page(first, {}, "")

    @app.get("/<path:path>")
    def elsewhere(path: str) -> ResponseReturnValue:
        """Whatever else is asked for, under whatever name: led here, or told that all is well."""
        if path == "static/style.css":
            return app.send_static_file("style.css")
        if first.chosen is not None and (known := PROBES.get(f"/{path}")):
            status, kind, text = known
            return Response(text, status, mimetype=kind)
        return redirect(f"{first.address}/", 302)

    @app.after_request
    def fresh(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return response

    return app


def _page(first: FirstStart, given: Mapping[str, str], trouble: str) -> str:
    told = language.in_words(trouble, language.translator(language.current()))
    return render_template("first_start.html", first=first, given=given, trouble=told)
