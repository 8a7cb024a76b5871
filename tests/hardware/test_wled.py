"""A WLED controller tells about itself, and is looked for where it does not answer."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.machine.doctor import check_wled
from companion.rules import HardwareFault
from hardware.wled import Controller, ask_wled, find_wleds

INFO = {"ver": "0.14.4", "name": "Board", "brand": "WLED", "leds": {"count": 64, "rgbw": False}}
BOARD = Controller("127.0.0.1", "Board", "0.14.4", 64)


class Lamp(HTTPServer):
    """A controller that answers with ``told`` to whoever asks for its JSON."""

    told: bytes = json.dumps(INFO).encode()


class Answering(BaseHTTPRequestHandler):
    server: Lamp

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/json/info" else 404)
        self.end_headers()
        self.wfile.write(self.server.told)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def lamp() -> Iterator[Lamp]:
    with Lamp(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_controller_tells_its_name_version_and_leds(lamp: Lamp) -> None:
    assert ask_wled("127.0.0.1", lamp.server_port) == BOARD


WRONG = (
    b"", b"<html>", b"[]", b"{}", b'{"leds": 3}', b'{"ver": 1, "leds": {"count": 3}}',
    b'{"ver": "1", "leds": {"count": "3"}}',
)  # fmt: skip


@pytest.mark.parametrize("told", WRONG)
def test_what_is_no_wled_is_told(lamp: Lamp, told: bytes) -> None:
    lamp.told = told
    with pytest.raises(HardwareFault, match="no WLED"):
        ask_wled("127.0.0.1", lamp.server_port)


def test_where_nobody_answers_that_is_told(lamp: Lamp) -> None:
    port = lamp.server_port
    lamp.server_close()
    with pytest.raises(HardwareFault, match="no WLED answers"):
        ask_wled("127.0.0.1", port, 1.0)


class Network:
    """A network in which controllers have announced themselves: name to address and port."""

    def __init__(self, there: dict[str, tuple[str, int]]) -> None:
        self.there = there
        self.Zeroconf = lambda: self

    def __enter__(self) -> Network:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get_service_info(self, kind: str, name: str) -> Any:
        host, port = self.there[name]
        return SimpleNamespace(parsed_addresses=lambda: [host] if host else [], port=port)

    def ServiceBrowser(self, network: Network, kind: str, handlers: Any) -> None:  # noqa: N802
        assert kind == "_wled._tcp.local."
        for name in self.there:
            handlers[0](zeroconf=self, service_type=kind, name=name, state_change="added")


def test_controllers_that_announce_themselves_and_answer_are_found(
    lamp: Lamp, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = {"a": ("127.0.0.1", lamp.server_port), "b": ("127.0.0.1", 9), "c": ("", 80)}
    monkeypatch.setitem(sys.modules, "zeroconf", Network(there))  # type: ignore[arg-type]
    assert find_wleds(0.0, lambda host, port: ask_wled(host, port, 1.0)) == [BOARD]


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    with pytest.raises(HardwareFault, match="pip install"):
        find_wleds(0.0)


def set_lights(folder: Path, lights: str) -> None:
    (folder / "settings.toml").write_text(f'[play]\nlights = "{lights}"\n')


def test_the_doctor_says_whether_the_controller_of_the_settings_is_there(tmp_path: Path) -> None:
    def gone(host: str) -> Controller:
        raise HardwareFault(f"no WLED answers at {host}")

    set_lights(tmp_path, "wled:127.0.0.1:21324")
    (good,) = check_wled(tmp_path, lambda host: BOARD._replace(host=host))
    assert (good.level, "drives 64 LEDs" in good.message) == ("ok", True)
    (bad,) = check_wled(tmp_path, gone, lambda: [BOARD])
    assert (bad.level, bad.advice) == (
        "fault", "these are there: “Board” at 127.0.0.1; set play.lights=wled:ADDRESS",
    )  # fmt: skip
    (bad,) = check_wled(tmp_path, gone, list)
    assert "no WLED announces itself" in bad.advice


@pytest.mark.parametrize("lights", ["simulated", "sacn:127.0.0.1", "spi:0.0"])
def test_the_doctor_asks_nobody_where_no_controller_is_named(tmp_path: Path, lights: str) -> None:
    set_lights(tmp_path, lights)
    assert list(check_wled(tmp_path)) == []
    assert list(check_wled(tmp_path / "nothing")) == []
