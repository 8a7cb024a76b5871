"""Whether a WLED controller is there: it hears frames without a word, but tells about itself by its
JSON, and announces itself in the network."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Callable
from typing import Any, NamedTuple

from companion.rules import HardwareFault
from companion.rules.given import quoted

SERVICE = "_wled._tcp.local."
"""What WLED announces itself as (mDNS)."""
PATIENCE = 3.0
"""Seconds that a controller has to answer."""
LONGEST = 100_000
"""Bytes of an answer at most."""


class Controller(NamedTuple):
    """A WLED controller at ``host``: what it is called, its version, how many LEDs it drives."""

    host: str
    name: str
    version: str
    leds: int


def ask_wled(host: str, port: int = 80, patience: float = PATIENCE) -> Controller:
    """Return what the controller at ``host`` tells of itself.

    Raises:
        HardwareFault: nothing answers there, or something that is no WLED.
    """
    # Whoever set a proxy for the world did not mean the house.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{host}:{port}/json/info", timeout=patience) as answer:
            told = json.loads(answer.read(LONGEST))
        leds = told["leds"]["count"]
        if type(leds) is not int or not isinstance(told["ver"], str):
            raise TypeError("no number of LEDs")
        return Controller(host, str(told.get("name", "")), told["ver"], leds)
    except (KeyError, TypeError, ValueError) as error:
        raise HardwareFault(f"what answers at {quoted(host)} is no WLED") from error
    except OSError as error:
        raise HardwareFault(f"no WLED answers at {quoted(host)}: {error}") from error


def find_wleds(
    seconds: float = PATIENCE, ask: Callable[[str, int], Controller] = ask_wled
) -> list[Controller]:
    """Return the controllers that announce themselves in the network within so many ``seconds`` and
    answer.

    Raises:
        HardwareFault: the package that listens is missing, or the network is down.
    """
    try:
        import zeroconf
    except ImportError as error:
        remedy = "pip install 'tabletop-companion[mdns]'"
        raise HardwareFault(f"the package zeroconf is not installed: {remedy}") from error
    heard: dict[str, tuple[str, int]] = {}

    def hear(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        """Take down where a controller is; one that takes its leave has no address any more."""
        info = zeroconf.get_service_info(service_type, name)
        if info is not None and (addresses := info.parsed_addresses()):
            heard[name] = addresses[0], info.port

    try:
        with zeroconf.Zeroconf() as network:
            zeroconf.ServiceBrowser(network, SERVICE, handlers=[hear])
            threading.Event().wait(seconds)
    except OSError as error:
        raise HardwareFault(f"nobody can be listened for in this network: {error}") from error
    found = []
    for host, port in sorted(set(heard.values())):
        try:
            found.append(ask(host, port))
        except HardwareFault:
            continue
    return found
