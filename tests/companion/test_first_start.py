"""The first start by phone: what phones ask of a network, what is chosen, how it ends by itself."""

from __future__ import annotations

import http.client
import socket
import threading
from urllib.parse import urlencode

import pytest

from companion.commands.first_start import ASIDE, DONE, NetworkSetUp
from companion.machine.settings_file import SettingsFile
from companion.machine.wireless import CONNECTIONS, KEPT, OWN, Wireless
from hardware.machine import Machine
from tests.checks.fake_nmcli import FakeNmcli

IOS, ANDROID = "/hotspot-detect.html", "/generate_204"
ANSWERS = {
    "network": "Home", "password": "correct horse", "name": "Round table", "game": "chess",
    "camera": "picamera", "lights": "auto",
}  # fmt: skip


class Phone:
    """A phone in the table's own network: every name leads to the table."""

    def __init__(self, port):
        self._port = port

    def ask(self, method, path, host, body=None, **headers):
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        line.request(method, path, body and urlencode(body), {"Host": host, **kind, **headers})
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        return answer.status, answer.headers, text

    def get(self, path="/", host="10.42.0.1", **headers):
        return self.ask("GET", path, host, **headers)

    def post(self, **answers):
        return self.ask("POST", "/", "10.42.0.1", {**ANSWERS, **answers})


class Started:
    """A first start that goes on in a thread; time passes only as a test lets it."""

    def __init__(self, folder):
        self.nmcli = FakeNmcli(folder, {"Home": "correct horse"})
        self.data = folder / "data"
        self.data.mkdir()
        self.machine = Machine(folder / "root")
        self.now, self.go, self.parting = 0.0, threading.Event(), threading.Event()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.phone = Phone(self.port)
        setup = NetworkSetUp(
            Wireless(folder / "root", str(self.nmcli.path)), self.machine, self.data, 15.0,
            lambda: self.now, self._wait, "127.0.0.1",
        )  # fmt: skip
        self.thread = threading.Thread(target=setup.run, args=("Companion", "", self.port))

    def _wait(self, event, seconds):
        if seconds == 3.0:  # a phone is still answered
            self.parting.set()
            assert self.go.wait(30)
            self.go.clear()
        elif not event.wait(0.02):
            self.now += seconds if not self.nmcli.read()["open"] else 0.0
        return event.is_set()

    def begin(self):
        self.thread.start()
        for _ in range(600):
            try:
                return self.phone.get()
            except OSError:
                threading.Event().wait(0.05)
        raise AssertionError("no pages came")

    def part(self):
        """Let the table close its network, once a phone was answered."""
        assert self.parting.wait(30)
        self.parting.clear()
        self.go.set()

    def ends(self):
        self.thread.join(30)
        return not self.thread.is_alive()


@pytest.fixture
def started(tmp_path):
    made = Started(tmp_path)
    yield made
    made.now = 1e9
    made.go.set()
    if made.thread.ident is not None:
        made.thread.join(30)


def test_phones_are_led_to_the_pages_until_all_is_chosen_and_let_go_then(started):
    status, _, page = started.begin()
    assert status == 200
    assert "Caf:e (40 %)" in page
    assert started.nmcli.read()["open"]
    asked = {
        IOS: "captive.apple.com", ANDROID: "connectivitycheck.gstatic.com",
        "/connecttest.txt": "www.msftconnecttest.com", "/any": "example.org",
    }  # fmt: skip
    for path, host in asked.items():
        status, headers, _ = started.phone.get(path, host)
        assert (status, headers["Location"]) == (302, f"http://127.0.0.1:{started.port}/")
    status, _, page = started.phone.post()
    assert status == 200
    assert "The table joins Home now" in page
    status, _, text = started.phone.get(IOS, "captive.apple.com")
    assert (status, "<TITLE>Success</TITLE>" in text) == (200, True)
    assert started.phone.get(ANDROID, "connectivitycheck.gstatic.com")[0] == 204
    started.part()
    assert started.ends()
    assert not started.nmcli.read()["open"]
    with pytest.raises(ConnectionRefusedError):
        started.phone.get()


@pytest.mark.slow
def test_what_was_chosen_is_kept_where_the_service_looks(started):
    path = started.machine.path(ASIDE)
    path.parent.mkdir(parents=True)
    path.write_text("# what is played\nGAME=victorus\nOPTIONS=--port 80\n")
    started.begin()
    started.phone.post()
    started.part()
    assert started.ends()
    assert path.read_text() == "# what is played\nGAME=chess\nOPTIONS=--port 80\n"
    assert SettingsFile(started.data).given() == {
        "play.camera": "picamera", "play.lights": "auto", "club.name": "Round table",
    }  # fmt: skip
    assert (started.data / DONE).exists()


@pytest.mark.slow
def test_a_wrong_password_brings_the_table_back_with_the_reason(started):
    started.begin()
    started.phone.post(password="wrong horse")
    started.part()
    for _ in range(600):
        page = started.phone.get()[2]
        if "the password is not that of" in page:
            break
        threading.Event().wait(0.02)
    assert "the password is not that of “Home”" in page
    assert started.nmcli.read()["open"]
    assert not (started.data / DONE).exists()
    italian = started.phone.get(**{"Accept-Language": "it"})[2]
    assert "the password" not in italian
    assert started.phone.post()[0] == 200
    started.part()
    assert started.ends()


def test_another_network_by_its_name_and_none_at_all(started):
    started.begin()
    assert started.phone.post(network="", other="")[0] == 200
    assert "keeps its own network" in started.phone.get()[2]
    started.part()
    assert started.ends()
    own = started.machine.read(str(CONNECTIONS / f"{OWN}.nmconnection"))
    assert f"id={KEPT}" in own
    assert "autoconnect" not in own


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("password", "short", "8 to 63"),
        ("game", "go", "choose one of the games"),
        ("camera", "/etc/passwd", "from the list"),
        ("name", "two\nlines", "one line"),
        ("other", "x" * 200, "100 letters"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_asked_again(started, field, value, said):
    started.begin()
    status, _, page = started.phone.post(**{field: value})
    assert status == 400
    assert said in page
    assert started.nmcli.read()["open"]


def test_a_language_is_chosen(started):
    started.begin()
    status, headers, _ = started.phone.get("/?language=fr")
    assert status == 302
    cookie = headers["Set-Cookie"].partition(";")[0]
    assert 'lang="fr"' in started.phone.get(Cookie=cookie)[2]


def test_a_table_that_has_a_network_asks_nothing(started):
    started.nmcli.write(devices=["wlan0:wifi:connected:Home"])
    started.thread.start()
    assert started.ends()
    assert not any("connection" in line.split()[0] for line in started.nmcli.asked)
    assert (started.data / DONE).exists()


def test_a_cable_that_is_plugged_in_ends_it(started):
    started.begin()
    started.nmcli.write(devices=["eth0:ethernet:connected:Wired"])
    assert started.ends()
    assert not started.nmcli.read()["open"]


@pytest.mark.slow
def test_after_its_time_the_network_is_closed_and_the_next_start_asks_again(started):
    started.begin()
    started.now = 1e6
    assert started.ends()
    assert not started.nmcli.read()["open"]
    assert not (started.data / DONE).exists()
