"""Who may ask: trusted names, our own pages, small bodies; and what a browser may do with it."""

from __future__ import annotations

import gzip
import logging

from flask import (
    Flask,
    Response,
    current_app,
    g,
    got_request_exception,
    redirect,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, SecurityError

from companion.rules import BadInput, GameFault, HardwareFault, Uncertain, say
from web.access.refusal import Refusal
from web.access.request_fields import Number
from web.config import Config
from web.language import current, translator

_log = logging.getLogger(__name__)

BODY_LIMIT = 16 * 1024
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_TEXT = ("text/html", "text/css", "text/javascript", "application/json", "image/svg+xml")


SENTENCES = {
    400: say("the request is damaged; load the page again"),
    404: say("there is nothing here; go back to the game"),
    405: say("this page is only to be looked at"),
    413: say("more was sent than is taken here"),
    414: say("the address is too long"),
    500: say("something went wrong here; the game stands as it was, try again"),
}
"""The sentence for each HTTP status that the framework itself answers with."""


def install(app: Flask, config: Config) -> None:
    """Put the checks before every request and the headers on every answer."""
    app.config.update(
        TRUSTED_HOSTS=list(config.hosts),
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        MAX_FORM_MEMORY_SIZE=BODY_LIMIT,
        SEND_FILE_MAX_AGE_DEFAULT=31_536_000,
    )
    app.before_request(_only_our_own_pages)
    app.after_request(_finish)
    app.url_map.converters["int"] = Number
    app.register_error_handler(Exception, _answer)


def _only_our_own_pages() -> None:
    """Refuse what another site's page sends, on every route. Over plain HTTP browsers leave
    Sec-Fetch-Site out, so the Origin is the check that counts and the other one is for HTTPS."""
    headers = request.headers
    origin, site = headers.get("Origin"), headers.get("Sec-Fetch-Site", "same-origin")
    reads = request.method in ("GET", "HEAD")
    # A link on another site may lead to our pages; what it shows nobody but the reader sees.
    visit = reads and headers.get("Sec-Fetch-Mode") == "navigate" and not _inner(request.path)
    if (site not in ("same-origin", "none") and not visit) or origin not in (
        None,
        request.host_url.rstrip("/"),
    ):
        raise Refusal(403, "foreign", say("this request comes from another site's page"))
    if request.method == "POST" and not request.is_json:
        # A form of another site cannot send JSON without asking us first.
        raise Refusal(
            415, "not_json", say("what is sent here is JSON (Content-Type: application/json)")
        )


def _inner(path: str) -> bool:
    """Tell whether ``path`` is no page but something that pages ask for."""
    return path.startswith(("/api/", "/evidence/", "/export/"))


def _finish(response: Response) -> Response:
    response.headers.update(_HEADERS)
    if not request.path.startswith("/static/") and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    if request.path.startswith("/static/") and "v" not in request.args:
        # A script that another one imports: its address tells no version, so it is asked for anew.
        response.headers["Cache-Control"] = "no-cache"
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return _compress(response)


def takes_gzip() -> bool:
    """Tell whether who asks reads what is compressed."""
    return bool(request.accept_encodings["gzip"])


def says_gzip(response: Response) -> None:
    """Say of ``response`` that it is compressed."""
    response.headers["Content-Encoding"] = "gzip"
    response.headers.add("Vary", "Accept-Encoding")


def _compress(response: Response) -> Response:
    live = response.is_streamed and not request.path.startswith("/static/")
    if live or response.status_code != 200 or response.mimetype not in _TEXT or not takes_gzip():
        return response
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) > 1024:
        response.set_data(gzip.compress(data, 6, mtime=0))
        says_gzip(response)
    return response


def _answer(error: Exception) -> ResponseReturnValue:
    table = current_app.extensions["context"].table
    if request.method == "GET" and g.get("table", table) is not table:
        # Another game began meanwhile: what was asked of the old one is asked of the new one.
        return redirect("/" + request.full_path.lstrip("/"), 307)
    refusal = _refusal(error)
    # Who asks by a name that is not ours is shown no page of this table.
    if not request.path.startswith("/api/") and not isinstance(error, SecurityError):
        try:
            return render_template("error.html", refusal=refusal), refusal.status
        except Exception:
            # What fell may be what every page is made of; the sentence is told all the same.
            _log.exception("the page of an error cannot be drawn")
    return refusal.body(translator(current())), refusal.status


def _refusal(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, BadInput):
        return Refusal(400, "bad_input", error.sentence)
    if isinstance(error, Uncertain):
        return Refusal(400, "uncertain", error.sentence)
    if isinstance(error, HardwareFault):
        return Refusal(503, "hardware", error.sentence)
    if isinstance(error, GameFault):
        return Refusal(503, "game_fault", error.sentence)
    if isinstance(error, SecurityError):
        return Refusal(400, "bad_request", say("this table is not asked for by that name"))
    if isinstance(error, HTTPException) and error.code and error.code < 500:
        name = error.name.lower().replace(" ", "_")
        return Refusal(error.code, name, SENTENCES.get(error.code, SENTENCES[400]))
    _log.error("%s %s fell", request.method, request.path, exc_info=error)
    got_request_exception.send(current_app._get_current_object(), exception=error)  # type: ignore[attr-defined]
    return Refusal(500, "internal_server_error", SENTENCES[500])
