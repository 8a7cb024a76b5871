"""Reads the fields of a request's JSON and the numbers in its address, and checks type and size of
each. What does not fit is refused in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import request
from werkzeug.routing import IntegerConverter

from companion.rules import BadInput, quoted, read_json, say, whole_number
from web.access.refusal import Refusal

Body = Mapping[str, Any]
LONGEST = 200
"""Characters of a text at most, unless it is the record of a game."""


class Number(IntegerConverter):
    """A number in an address: digits only, 15 at most."""

    regex = r"[0-9]{1,15}"


def body() -> Body:
    """Return the JSON object that the request carries.

    Raises:
        Refusal: it is compressed, or no object.
        BadInput: it is no JSON, or exceeds the limits of :func:`companion.rules.read_json`.
    """
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Refusal(415, "not_json", say("what a page sends must not be packed"))
    found = read_json(request.get_data(), say("what the page sent"))
    if not isinstance(found, dict):
        raise unfit()
    return found


def unfit(field: str = "") -> Refusal:
    """Return the refusal of a request that none of our pages sends: ``field`` is missing in it, or
    of another type."""
    words = say("the page sent something that is not understood here; load it again")
    return Refusal(400, "bad_request", words, field=field)


def text(body: Body, name: str, most: int = LONGEST) -> str:
    """Return the text ``name`` of ``body``.

    Raises:
        Refusal: it is missing, empty, no text, longer than ``most``, or contains a NUL.
    """
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= most or "\0" in value:
        raise unfit(name)
    return value


def word(body: Body, name: str) -> str:
    """Return the text ``name`` of ``body``, empty where there is none; raises as :func:`text`."""
    return text(body, name) if body.get(name) not in (None, "") else ""


def maybe(body: Body, name: str) -> str | None:
    """Return the text ``name`` of ``body``, None where there is none; raises as :func:`text`."""
    return word(body, name) or None


def integer(body: Body, name: str) -> int:
    """Return the whole number ``name`` of ``body``.

    Raises:
        Refusal: it is missing, negative or no whole number.
    """
    value = body.get(name)
    if type(value) is not int or value < 0:
        raise unfit(name)
    return value


def flag(body: Body, name: str) -> bool:
    """Return the truth value ``name`` of ``body``.

    Raises:
        Refusal: it is missing, or something else.
    """
    value = body.get(name)
    if not isinstance(value, bool):
        raise unfit(name)
    return value


def words(body: Body, name: str, most: int, least: int = 1) -> list[str]:
    """Return the list of texts ``name`` of ``body``.

    Raises:
        Refusal: it has not from ``least`` to ``most`` items, or one of them is no text.
    """
    value = body.get(name)
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise unfit(name)
    return [text({name: one}, name) for one in value]


def texts(body: Body, name: str, most: int) -> dict[str, str]:
    """Return the object ``name`` of ``body``, which maps names to texts.

    Raises:
        Refusal: it has more than ``most`` entries, or is something else.
    """
    value = body.get(name)
    if not isinstance(value, dict) or len(value) > most:
        raise unfit(name)
    return {text({name: one}, name): text(value, one) for one in value}


def whole(text: str | None) -> int | None:
    """Return the number of an event given in an address; None if there is none.

    Raises:
        BadInput: not a whole number.
    """
    if not text:
        return None
    number = whole_number(text)
    if number is None:
        raise BadInput(say("an event is a whole number, not {text}", text=quoted(text)))
    return number
