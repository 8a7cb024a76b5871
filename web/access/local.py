"""Whether a request comes from this machine itself: whoever sits at it needs no join code."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from flask import request

_LOOPBACK = ("127.0.0.1", "::1")
_NAMES = ("localhost", *_LOOPBACK)
_PASSED_ON = re.compile(r"forwarded|(^|-)ip$|^via$", re.IGNORECASE)
"""Headers by which proxies tell for whom they ask: ``X-Forwarded-For``, ``CF-Connecting-IP`` ..."""


def from_here() -> bool:
    """Tell whether a browser on this machine sends the current request.

    The request comes over the loopback interface, not through a proxy that passes on what others
    send, and it asks for a loopback name. Names of the network are not trusted: their owner may let
    them lead here once his own page is loaded (DNS rebinding).
    """
    if any(_PASSED_ON.search(name) for name, _ in request.headers):
        return False
    return request.remote_addr in _LOOPBACK and urlsplit(f"//{request.host}").hostname in _NAMES
