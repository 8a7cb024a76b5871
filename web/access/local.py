"""Whether a request comes from this machine itself: whoever sits at it needs no code."""

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

    It comes over the loopback, and not from a proxy that passes on what others send. It asks
    under a name of the loopback: a name of the network may be another's, who lets it lead here
    once his page is loaded.
    """
    if any(_PASSED_ON.search(name) for name, _ in request.headers):
        return False
    return request.remote_addr in _LOOPBACK and urlsplit(f"//{request.host}").hostname in _NAMES
