"""``companion play`` without a camera, over real sockets: what strangers may do, and who not."""

from __future__ import annotations

import http.client
import json
from itertools import count

import pytest

from companion.cli import main
from companion.commands.live import request_of
from companion.commands.parser import parse
from companion.games import find_game
from companion.live.composition import Composition, PlayRequest

CHESS = find_game("chess")
KEYS = count(1)
STRANGER = "127.0.0.2"
"""Another address than that of a browser on this machine: a phone's, in a network of its own."""


@pytest.fixture
def play_request(tmp_path):
    return PlayRequest(
        game=CHESS, setup=None, journal=tmp_path / "game.sqlite3", new=False, camera="simulated",
        table_file=None, lights="simulated", wiring=None, host="0.0.0.0", port=0,
        address="127.0.0.1",
    )  # fmt: skip


@pytest.fixture
def stage(play_request):
    with Composition(play_request) as stage:
        stage._server.start()
        yield stage


class Browser:
    """Asks a house from an address of the loopback; keeps its cookie."""

    def __init__(self, stage, address="127.0.0.1"):
        self.port, self.address, self.cookie = stage.port, address, ""

    def ask(self, method, path, body=None, **headers):
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=20, source_address=(self.address, 0)
        )
        sent = {"Cookie": self.cookie, **headers}
        if body is not None:
            body = json.dumps({"key": f"a-key-of-its-own-{next(KEYS)}", **body})
            sent["Content-Type"] = "application/json"
        line.request(method, path, body, sent)
        answer = line.getresponse()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        text = answer.read()
        line.close()
        return answer.status, text

    def post(self, path, body=None, **headers):
        return self.ask("POST", path, body or {}, **headers)[0]

    @property
    def you(self):
        return json.loads(self.ask("GET", "/api/state")[1])["you"]


HOSTLY = {
    "/api/new": {"game": "chess"},
    "/api/delete": {"what": "all"},
    "/api/settings": {"play": "phone"},
    "/api/host": {},
    "/api/virtual/move": {"origin": "e2", "target": "e4"},
    "/api/seat": {"seat": "white"},
    "/api/join": {"code": "ABCDEFGH"},
}


@pytest.mark.parametrize("path", HOSTLY)
def test_a_stranger_begins_deletes_and_moves_nothing(stage, path):
    before = stage.table.state_id
    assert Browser(stage, STRANGER).post(path, HOSTLY[path]) == 403
    assert stage.table.state_id == before


def test_a_stranger_may_watch(stage):
    assert Browser(stage, STRANGER).ask("GET", "/")[0] == 200


def test_whoever_sits_at_this_machine_plays_at_once(stage):
    browser = Browser(stage)
    assert browser.you["host"]
    assert browser.post("/api/virtual/move", {"origin": "e2", "target": "e4"}) == 200
    assert browser.post("/api/seat", {"seat": "white"}) == 200
    assert browser.you["seats"] == ["white"]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_a_proxy_on_this_machine_hands_nobody_the_hosts_part(stage, header):
    browser = Browser(stage)
    assert browser.post("/api/delete", {"what": "all"}, **{header: "for=10.0.0.9"}) == 403


def test_a_page_whose_name_was_led_here_is_refused(stage):
    told, _ = Browser(stage).ask("GET", "/api/state", Host="evil.example")
    assert told == 400
    assert Browser(stage).post("/api/delete", {"what": "all"}, Origin="http://evil.example") == 403


def test_the_printed_link_lets_a_phone_sit_down(stage):
    phone = Browser(stage, STRANGER)
    assert phone.post("/api/join", {"code": stage.invitation().partition("#")[2]}) == 200
    assert phone.post("/api/seat", {"seat": "black"}) == 200
    assert phone.post("/api/virtual/move", {"origin": "e2", "target": "e4"}) == 200


def test_with_open_seats_need_no_code_and_the_hosts_part_does(play_request):
    with Composition(play_request._replace(open_house=True)) as stage:
        stage._server.start()
        stranger = Browser(stage, STRANGER)
        assert stranger.post("/api/seat", {"seat": "white"}) == 200
        assert stranger.post("/api/delete", {"what": "all"}) == 403
        assert not stranger.you["host"]


def test_open_is_asked_for_on_the_command_line(tmp_path):
    journal = str(tmp_path / "game.sqlite3")
    assert request_of(parse(["play", "chess", "--journal", journal, "--open"])).open_house
    assert not request_of(parse(["play", "chess", "--journal", journal])).open_house


def test_a_new_link_for_the_host_is_printed_on_this_machine(stage, capsys):
    assert main(["host-link", "--port", str(stage.port), "--json"]) == 0
    link = json.loads(capsys.readouterr().out)["host"]
    phone = Browser(stage, STRANGER)
    assert phone.post("/api/join", {"code": link.partition("#")[2]}) == 200
    assert phone.you["host"]
    assert main(["host-link", "--port", str(stage.port)]) == 0
    assert "The host's link: http://" in capsys.readouterr().out


def test_where_no_table_runs_there_is_no_link(stage, capsys):
    port = stage.port
    stage._server.close()
    assert main(["host-link", "--port", str(port)]) == 2
    assert "no table answers" in capsys.readouterr().err
