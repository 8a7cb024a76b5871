"""The table's name in the network: a help, not a need."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from companion.live.mdns import Presence, announce


class FakeNetwork:
    """A network that remembers who told it what."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.told: list[str] = []
        self._fault = fault

    def module(self) -> SimpleNamespace:
        return SimpleNamespace(ServiceInfo=self.info, Zeroconf=self.open, Error=RuntimeError)

    def info(self, kind, name, addresses, port, properties, server):
        return SimpleNamespace(name=name, port=port, server=server, addresses=addresses)

    def open(self, interfaces):
        assert interfaces in (["192.168.1.5"], ["10.0.0.7"])
        if self._fault:
            raise self._fault
        return self

    def register_service(self, info, allow_name_change):
        self.told.append(f"here: {info.server}")

    def unregister_service(self, info):
        self.told.append(f"gone: {info.server}")

    def close(self):
        self.told.append("closed")


def test_a_table_is_found_by_name_until_it_closes(monkeypatch):
    network = FakeNetwork()
    monkeypatch.setitem(sys.modules, "zeroconf", network.module())
    told = announce("192.168.1.5", 8000)
    assert told is not None
    assert (told.address, told.host) == ("http://companion.local:8000", "companion.local")
    told.close()
    assert network.told == ["here: companion.local.", "gone: companion.local.", "closed"]


def test_without_the_package_nothing_is_announced(monkeypatch):
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert announce("192.168.1.5", 8000) is None


@pytest.mark.parametrize("fault", [OSError("no such device"), RuntimeError("name in use")])
def test_a_network_that_does_not_want_it_is_no_fault_of_the_table(monkeypatch, caplog, fault):
    monkeypatch.setitem(sys.modules, "zeroconf", FakeNetwork(fault).module())
    assert announce("192.168.1.5", 8000) is None
    assert "not announced" in caplog.text


def test_a_network_that_comes_later_or_changes_is_followed(monkeypatch):
    network, here = FakeNetwork(), ["127.0.0.1"]
    monkeypatch.setitem(sys.modules, "zeroconf", network.module())
    monkeypatch.setattr("companion.live.mdns.lan_address", lambda: here[0])
    moved, called = [], []
    presence = Presence("127.0.0.1", 8000, moved.append, lambda *told: called.append(told))
    presence.follow()
    assert (moved, called, presence.address) == ([], [], "127.0.0.1")
    for here[0] in ("192.168.1.5", "192.168.1.5", "127.0.0.1", "10.0.0.7"):
        presence.follow()
    assert moved == ["192.168.1.5", "10.0.0.7"]
    assert called == [("companion.local", "http://companion.local:8000")] * 2
    presence.close()
    assert network.told == ["here: companion.local.", "gone: companion.local.", "closed"] * 2
