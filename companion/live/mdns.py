"""Announces the table in the network as ``http://companion.local``, by multicast DNS."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from companion.runtime.locations import lan_address

_log = logging.getLogger(__name__)

NAME = "companion"
_SERVICE = "_http._tcp.local."


class Announcement:
    """The table's name in the network, for as long as it is not closed."""

    def __init__(self, zeroconf: Any, info: Any) -> None:
        self._zeroconf, self._info = zeroconf, info

    @property
    def address(self) -> str:
        """The address by name, such as ``http://companion.local:8000``."""
        return f"http://{self._info.server.rstrip('.')}:{self._info.port}"

    @property
    def host(self) -> str:
        """The name alone, such as ``companion.local``."""
        return str(self._info.server).rstrip(".")

    def close(self) -> None:
        """Take the name back."""
        self._zeroconf.unregister_service(self._info)
        self._zeroconf.close()


def announce(address: str, port: int, name: str = NAME) -> Announcement | None:
    """Tell the network of the table at ``address`` and ``port``; return None where that cannot
    be done: it is a help, not a need, and the QR code carries the address by number."""
    try:
        zeroconf = import_module("zeroconf")
    except ImportError:
        _log.info("not announced in the network: pip install 'tabletop-companion[mdns]'")
        return None
    info = zeroconf.ServiceInfo(
        _SERVICE,
        f"Tabletop Companion.{_SERVICE}",
        addresses=[socket.inet_aton(address)],
        port=port,
        properties={"path": "/"},
        server=f"{name}.local.",
    )
    with ExitStack() as failing:
        try:
            told = zeroconf.Zeroconf(interfaces=[address])
            failing.callback(told.close)
            told.register_service(info, allow_name_change=True)
        except (OSError, zeroconf.Error) as error:
            _log.warning("not announced in the network: %s", error)
            return None
        failing.pop_all()
    return Announcement(told, info)


class Presence:
    """Where the table is found, while networks come and go. ``moved`` is called with each new
    address by number, ``called`` with the host name and address that the network knows."""

    def __init__(
        self,
        address: str,
        port: int,
        moved: Callable[[str], None],
        called: Callable[[str, str], None],
    ) -> None:
        self.address, self._port = address, port
        self._moved, self._called = moved, called
        self._told = ""
        self._announced: Announcement | None = None

    def follow(self) -> None:
        """Look for the machine's address, and tell of it if it is new. Without a network the last
        one stands: nothing waits for another."""
        address = lan_address()
        if address == self._told or address.startswith("127."):
            return
        if address != self.address:
            self.address = address
            self._moved(address)
        self.close()
        self._announced = announce(address, self._port)
        self._told = address
        if self._announced is not None:
            self._called(self._announced.host, self._announced.address)

    def close(self) -> None:
        """Take the name back."""
        announced, self._announced = self._announced, None
        if announced is not None:
            announced.close()
