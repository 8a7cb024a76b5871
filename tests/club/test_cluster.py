"""A cluster of RabbitMQ lets everybody do what a club's own broker does, and no more."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest
from paho.mqtt.client import topic_matches_sub

from companion.cli import main
from companion.club.cluster import ClusterRights, definitions, topics_of
from companion.club.distant import asks_topic, told_topic
from companion.club.home import BIRTH, PREFIX
from companion.club.messages import topic
from companion.club.servers import HOME, OWN, RIGHTS

MINE, YOURS = "0123456789abcdef", "fedcba9876543210"
WORDS = ("events", "stored", "state", "photograph", "kept", "password", "home", "home/set/turn")
TOPICS = [
    *(topic(table, word) for table in (MINE, YOURS) for word in WORDS),
    *(says(owner, guest) for says in (asks_topic, told_topic)
      for owner in (MINE, YOURS, "a" * 16) for guest in (MINE, YOURS, "a" * 16)),
    *(f"{PREFIX}/device/companion_{table}/config" for table in (MINE, YOURS)),
    BIRTH, f"{PREFIX}/light/other/config", "companion/2/00/x/events", "other", "companion",
]  # fmt: skip


def at_mosquitto(name, does, asked):
    """Tell whether the rights of a club's own broker let ``name`` do so."""
    speaker = ""
    for line in RIGHTS.splitlines():
        kind, *rest = line.split() or [""]
        if kind == "user":
            speaker = rest[0]
        elif kind and (speaker == name if kind == "topic" else name not in (OWN, HOME)):
            may, allowed = rest[0], rest[1].replace("%u", name)
            if may in (does, "readwrite") and topic_matches_sub(allowed, asked):
                return True
    return False


@pytest.mark.parametrize("name", [MINE, YOURS, OWN, HOME])
@pytest.mark.parametrize("does", ["write", "read"])
def test_every_topic_is_open_to_whom_it_is_at_a_club_s_own_broker(name, does):
    expression = re.compile(topics_of(name)[does])
    for asked in TOPICS:
        open_here = bool(expression.match(asked.replace("/", ".")))
        assert open_here == at_mosquitto(name, does, asked), asked


@pytest.mark.parametrize(
    "asked",
    ["#", "*.#", "companion.#", "companion.1.#", "companion.1.*.#", f"companion.1.*.{YOURS}.#",
     "companion.1.*.*.stored", "companion.1.*.*.told.*", f"companion.1.*.{YOURS}.asks.*"],
)  # fmt: skip
def test_a_table_subscribes_to_nothing_that_takes_others_in(asked):
    assert not re.match(topics_of(MINE)["read"], asked)


@pytest.mark.parametrize("table", [MINE, YOURS])
def test_a_session_is_reached_by_its_own_table_alone(table):
    allowed = definitions([{"name": one} for one in (MINE, YOURS, OWN, HOME)])["permissions"]
    queue = f"mqtt-subscription-table-{table}qos1"
    who = {one["user"] for one in allowed for may in ("configure", "write", "read")
           if re.match(one[may], queue)}  # fmt: skip
    assert who == {table}


def test_a_password_is_kept_as_a_hash_that_the_cluster_knows(tmp_path):
    rights = ClusterRights(tmp_path)
    for password in ("first", "second"):
        rights.admit(MINE, password)
    [user] = json.loads(rights.file.read_text())["users"]
    kept = base64.b64decode(user["password_hash"])
    assert kept[4:] == hashlib.sha512(kept[:4] + b"second").digest()
    assert "second" not in rights.file.read_text()


def test_tables_are_invited_to_a_cluster_and_withdrawn(tmp_path, capsys):
    common = ["--data", str(tmp_path), "--cluster", "one,two,three"]
    told = []
    for name in ("Table 1", "Table 2"):
        assert main(["club", "invite", name, *common, "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out))
    table = told[1]["table"]
    assert re.fullmatch(rf"mqtts://{table}:\S+@one,two,three", told[1]["broker"])
    assert re.fullmatch(r"mqtts://club:\S+@one,two,three", told[0]["service"])
    assert "service" not in told[1], "its password is told once"
    assert main(["club", "withdraw", "Table 2", *common]) == 0
    assert f"rabbitmqctl delete_user {table}" in capsys.readouterr().out
    left = json.loads((tmp_path / "cluster" / "rabbitmq.json").read_text())
    assert [one["name"] for one in left["users"]] == [told[0]["table"], "club"]
    assert main(["club", "withdraw", "Table 2", *common]) == 2
