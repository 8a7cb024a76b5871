"""The OpenAPI 3.1 document of the API, made of its operations."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version
from typing import Any

from web.doors.answers import ProblemTold
from web.doors.operations import LONGEST_KEY, OPERATIONS, Nothing, Operation, called, schema

BASE = "/api/v1"
ABOUT = (
    "A table tells what is played on it, and takes actions for the seats that a token is given. "
    "Its rules decide: whatever a program sends is ruled on as what a hand does. A POST with an "
    "Idempotency-Key is done once, however often it arrives. Within version 1 members are added, "
    "never taken away; programs are to ignore what they do not know."
)
_PROBLEMS = {
    "400": "what was sent is not understood",
    "401": "no token, or one that is not good (any more)",
    "403": "the token is not given this, or it is another seat's turn",
    "404": "there is no such thing",
    "409": "the position has changed meanwhile, or it does not allow this",
    "413": "more was sent than is taken here",
    "415": "what was sent is not said to be JSON",
    "429": "too many requests; wait a moment",
    "503": "camera, disk or the game failed; nothing was lost",
}
_KEY = {
    "type": "string",
    "maxLength": LONGEST_KEY,
    "description": "done once, however often it arrives with this key",
}
_SEEN = {
    "type": "integer",
    "description": "the number of the last event that is known; goes before after",
}
STREAM = "text/event-stream"


@cache
def document() -> dict[str, Any]:
    """Return the document as JSON values."""
    named: dict[str, Any] = {}
    schema(ProblemTold, named)
    paths: dict[str, Any] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method.lower()] = _described(one, named)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tabletop companion",
            "version": version("tabletop-companion"),
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": BASE}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": named,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _content(media: str, shape: dict[str, Any], about: str) -> dict[str, Any]:
    return {"description": about, "content": {media: {"schema": shape}}}


def _described(one: Operation, named: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.about.partition(". ")[0].rstrip("."),
        "description": one.about,
        "responses": {"200": _answer(one, named)},
    }
    if one.scope:
        told["description"] += f" Needs the scope `{one.scope}`."
    else:
        told["security"] = []
    parameters = [_parameter(name, "path", {"type": "string"}, True) for name in inside(one.path)]
    if one.asks is not Nothing and one.method == "GET":
        shapes: dict[str, Any] = {}
        schema(one.asks, shapes)
        fields = shapes[called(one.asks)]
        parameters += [
            _parameter(name, "query", shape, name in fields["required"])
            for name, shape in fields["properties"].items()
        ]
    if one.answers == STREAM:
        parameters.append(_parameter("Last-Event-ID", "header", _SEEN, False))
    if one.method == "POST":
        shape = schema(one.asks, named)
        parameters.append(_parameter("Idempotency-Key", "header", _KEY, False))
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": shape}}}
    if parameters:
        told["parameters"] = parameters
    for status, about in _PROBLEMS.items():
        if one.method != "POST" and status in ("413", "415"):
            continue
        told["responses"][status] = _content("application/json", schema(ProblemTold, named), about)
    return told


def _answer(one: Operation, named: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(one.answers, str):
        return _content("application/json", schema(one.answers, named), "what is answered")
    media = one.answers
    shape = {"type": "object"} if media == "application/json" else {"type": "string"}
    return _content(media, shape, "what is answered")


def _parameter(name: str, where: str, shape: dict[str, Any], required: bool) -> dict[str, Any]:
    about = {"description": shape["description"]} if "description" in shape else {}
    return {"name": name, "in": where, "required": required, "schema": shape, **about}


def inside(path: str) -> list[str]:
    """Return the names in braces of a path."""
    return re.findall(r"\{(\w+)\}", path)
