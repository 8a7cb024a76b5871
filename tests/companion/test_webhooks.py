"""Programs elsewhere are told what happens: signed, with a picture, again where it failed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import subprocess
import sys
import threading

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.composition import Composition, PlayRequest
from companion.live.webhooks import PAUSES, WAITING, Webhooks, read_address, read_secret
from companion.rules import BadInput
from companion.table import Table
from companion.table.agreement import resign
from companion.table.evening import Evening
from tests.checks.online_table import wait_until

CHESS = find_game("chess")
KEY = bytes(range(32))
SECRET = "whsec_" + base64.b64encode(KEY).decode()


class Day:
    """The time of day; it stands until it is moved."""

    now = 1_790_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def day():
    return Day()


@pytest.fixture
def table(day):
    with Journal() as journal:
        yield Table.create(journal, CHESS, CHESS.setup(), now=day)


class Telling:
    """Webhooks of a table, with a clock that stands until it is moved."""

    def __init__(self, table, *addresses):
        self.now = 0.0
        self.hooks = Webhooks(
            Evening(table), " ".join(addresses), SECRET,
            lambda table, event: ("image/svg+xml", b"<svg/>"), lambda: self.now,
        )  # fmt: skip

    def send(self):
        """Send all that is due, without waiting for more."""
        self.hooks._wake.set()
        while any(one.waiting and one.due <= self.now for one in self.hooks._listeners) or (
            self.hooks._happened
        ):
            self.hooks.step()


@pytest.fixture
def telling(table, hook):
    found = Telling(table, hook.address)
    yield found
    found.hooks.close()


def play(table, *moves):
    for move in moves:
        table.play(CHESS.parse(table.setup, move), "white")


def test_whose_turn_it_is_what_is_refused_and_the_end_are_told(table, hook, telling):
    play(table, "e2-e4")
    telling.send()
    play(table, "e7-e2")
    telling.send()
    resign(table, "black")
    telling.send()
    assert hook.told == ["turn", "refused", "over"]
    turn, refused, over = (json.loads(body)["data"] for _, _, body in hook.heard)
    assert turn["to_move"] == "black"
    assert refused["ruling"]["allowed"] is False
    assert refused["ruling"]["reason"]
    assert over["result"]["winners"] == ["white"]
    assert {path for path, _, _ in hook.heard} == {"/hook?who=me"}


def test_each_is_signed_as_standard_webhooks_has_it(table, hook, telling):
    play(table, "e2-e4")
    telling.send()
    [(_, headers, body)] = hook.heard
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    made = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{made}"


def test_each_try_is_signed_at_its_own_time_and_tells_when_it_happened(table, hook, telling, day):
    """Receivers believe nothing that was signed minutes ago: it may be somebody's copy."""
    hook.status = 500
    play(table, "e2-e4")
    telling.send()
    hook.status, telling.now, day.now = 204, PAUSES[0], day.now + 3600
    telling.send()
    at = [int(headers["webhook-timestamp"]) for _, headers, _ in hook.heard]
    assert at == [int(Day.now), int(Day.now) + 3600]
    assert {json.loads(body)["timestamp"] for _, _, body in hook.heard} == {
        "2026-09-21T14:13:20+00:00"
    }


def test_each_has_a_picture(table, hook, telling):
    play(table, "e2-e4")
    telling.send()
    picture = json.loads(hook.heard[0][2])["data"]["picture"]
    assert (picture["media"], base64.b64decode(picture["base64"])) == ("image/svg+xml", b"<svg/>")


def test_what_fails_is_tried_again_after_growing_pauses_and_then_given_up(table, hook, telling):
    hook.status = 500
    play(table, "e2-e4")
    telling.send()
    for tries, pause in enumerate(PAUSES, start=1):
        telling.now += pause - 1
        telling.send()
        assert len(hook.heard) == tries
        telling.now += 1
        telling.send()
        assert len(hook.heard) == tries + 1
    assert len({headers["webhook-id"] for _, headers, _ in hook.heard}) == 1
    telling.now += 1e6
    telling.send()
    assert len(hook.heard) == len(PAUSES) + 1


def test_once_it_is_taken_the_rest_follows_in_order(table, hook, telling):
    hook.status = 503
    play(table, "e2-e4")
    telling.send()
    play(table, "e7-e5")
    telling.send()
    assert len(hook.heard) == 1
    hook.status, telling.now = 204, PAUSES[0]
    telling.send()
    assert [json.loads(body)["data"]["to_move"] for _, _, body in hook.heard[1:]] == [
        "black", "white",
    ]  # fmt: skip


def test_nobody_is_asked_at_another_address(table, hook, telling):
    hook.status = 307
    play(table, "e2-e4")
    telling.send()
    assert {path for path, _, _ in hook.heard} == {"/hook?who=me"}


def test_one_that_is_gone_holds_up_neither_the_others_nor_the_table(table, hook):
    telling = Telling(table, "http://127.0.0.1:9/", hook.address)
    play(table, "e2-e4")
    telling.send()
    assert hook.told == ["turn"]
    telling.hooks.close()


def test_the_table_does_not_wait_for_one_that_does_not_answer(table, hook, telling):
    hook.free.clear()
    sender = threading.Thread(target=telling.send)
    play(table, "e2-e4")
    sender.start()
    wait_until(lambda: hook.heard)
    play(table, "e7-e5", "g1-f3", "b8-c6")  # comes back though nothing was answered
    assert len(table.actions) == 4
    hook.free.set()
    sender.join()


def test_what_waits_is_bounded(table, hook, telling):
    hook.status = 500
    for _ in range(WAITING + 20):
        play(table, "e7-e2")
    telling.send()
    assert len(telling.hooks._listeners[0].waiting) == WAITING


@pytest.mark.parametrize("secret", ["", "secret", "whsec_", "whsec_!!", "whsec_c2hvcnQ="])
def test_a_secret_that_keeps_nobody_out_is_refused(secret):
    with pytest.raises(BadInput, match=r"hooks\.secret"):
        read_secret(secret)


@pytest.mark.parametrize("text", ["lamp", "ftp://lamp", "http://", "http://a:b@c", "http://h:x/"])
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(BadInput, match="no address"):
        read_address(text)


def test_a_table_without_them_loads_nothing():
    code = "import sys, companion.live.composition; print('companion.live.webhooks' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_table_tells_the_addresses_of_its_settings_with_the_board_drawn(hook, tmp_path):
    (tmp_path / "settings.toml").write_text(
        f'[hooks]\naddresses = "{hook.address}"\nsecret = "{SECRET}"\n'
    )
    play_request = PlayRequest(
        game=CHESS, setup=None, journal=tmp_path / "game.sqlite3", new=False, camera="simulated",
        table_file=None, lights="simulated", wiring=None, host="127.0.0.1", port=0,
        address="127.0.0.1",
    )  # fmt: skip
    with Composition(play_request) as stage:
        stage.start()
        play(stage.table, "e2-e4")
        wait_until(lambda: hook.heard)
    picture = json.loads(hook.heard[0][2])["data"]["picture"]
    assert picture["media"] == "image/svg+xml"
    assert base64.b64decode(picture["base64"]).startswith(b"<svg")
