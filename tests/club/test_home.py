"""A table in Home Assistant, as its documentation of MQTT discovery says; and in Prometheus."""

from __future__ import annotations

import json
import threading
import urllib.request

import pytest

from companion.club.home import BIRTH, Home, TableNow, config_topic
from companion.club.link import MqttLink, read_address
from companion.club.messages import matches, topic
from companion.club.metrics import Metric, read_port, serve
from companion.games import find_game
from companion.journal import Journal
from companion.live.control_box import press_at
from companion.live.publishing import Publisher
from companion.machine.settings_file import Section, SettingsFile
from companion.rules import BadInput
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.club_servers import free_port
from tests.checks.loops import some
from tests.checks.panels import dark_panel

SHARED = {"device", "origin", "availability", "state_topic", "command_topic", "qos", "encoding"}
"""What the device's payload may have beside its components."""
ENTITY = {"platform", "unique_id", "default_entity_id", "name", "value_template"}
OWN = {
    "sensor": {"device_class", "options", "json_attributes_topic", "json_attributes_template"},
    "switch": {"command_topic", "payload_on", "payload_off", "state_on", "state_off"},
    "button": {"command_topic", "payload_press"},
}
"""What a component of a platform may have, of what its documentation names."""


class Listener:
    """Home Assistant's end of the line."""

    def __init__(self, broker, name):
        self.link = MqttLink(read_address(broker.address), name, ["homeassistant/#", "companion/#"])
        self.link.open()
        self.heard = []

    def step(self):
        self.heard += self.link.turn(0.02)

    def last(self, pattern):
        return next((p for name, p in reversed(self.heard) if matches(pattern, name)), None)

    def say(self, name, payload, retain=False):
        self.link.publish(name, payload, retain=retain)


class AtHome:
    """A table whose settings show it to Home Assistant, and who listens."""

    def __init__(self, folder, broker, game="hoplomachus", **settings):
        file = SettingsFile(folder)
        file.change({"club.broker": broker.address, "club.name": "Küche", **settings})
        self.journal = Journal(folder / "table.sqlite3")
        kind = find_game(game)
        self.evening = Evening(Table.create(self.journal, kind, kind.setup()))
        self.panel, self.pressed = dark_panel(self.evening.table), []
        self.settings = Section(file, "club").load()
        self.listener = Listener(broker, f"ha-{folder.name}")
        self.begin()

    def begin(self):
        wait = threading.Event().wait
        self.publisher = Publisher(self.evening, self.settings, wait, self.press, self.panel)

    def press(self, name):
        self.pressed.append(name)
        press_at(self.evening.table, name)

    def until(self, so):
        for _ in range(400):
            self.publisher.step()
            self.listener.step()
            if so():
                return
        raise AssertionError(self.listener.heard[-3:])

    def hear(self, so):
        for _ in range(400):
            self.listener.step()
            if so():
                return
        raise AssertionError(self.listener.heard[-3:])

    def rest(self, turns=15):
        for _ in range(turns):
            self.publisher.step()
            self.listener.step()

    @property
    def device(self):
        told = self.listener.last(config_topic(_id(self)))
        return json.loads(told) if told else None

    @property
    def state(self):
        told = self.listener.last(topic(_id(self), "home"))
        return json.loads(told) if told else None

    def close(self):
        self.publisher.close()
        self.listener.link.close()
        self.journal.close()


@pytest.fixture
def home(tmp_path, broker):
    home = AtHome(tmp_path, broker, "victorus", **{"club.home": "on"})
    yield home
    home.close()


def test_the_device_is_what_home_assistant_documents():
    table = "0123456789abcdef"
    now = TableNow("chess", "waiting", "white", {}, None, True)
    home = Home(table, "Küche 1", lambda: now, str, bool)
    told = json.loads(due(home)[config_topic(table)])
    assert config_topic(table) == "homeassistant/device/companion_0123456789abcdef/config"
    assert set(told) <= SHARED | {"components"}
    assert told["device"]["identifiers"]
    assert told["origin"]["name"]
    components = told["components"]
    assert {"state", "turn", "score", "clock", "lights", "end_turn"} <= set(components)
    for one in some(components.values()):
        assert set(one) <= ENTITY | OWN[one["platform"]]
        assert one["default_entity_id"].startswith(f"{one['platform']}.k_che_1_")
    assert len({one["unique_id"] for one in components.values()}) == len(components)
    assert len({one["default_entity_id"] for one in components.values()}) == len(components)


def test_turn_score_state_and_lights_are_told_as_they_change(home):
    home.until(lambda: home.state)
    before = home.state
    assert (before["state"], before["turn"], before["lights"]) == ("waiting", "red", "ON")
    table = home.evening.table
    table.play(table.game.legal(table.state)[0], "phone")
    home.until(lambda: home.state["state"] == "playing")
    home.listener.say(f"{topic(_id(home), 'home')}/set/lights", b"OFF")
    home.until(lambda: home.state["lights"] == "OFF")
    assert home.panel.settings.level == "off"
    home.listener.say(f"{topic(_id(home), 'home')}/set/lights", b"ON")
    home.until(lambda: home.state["lights"] == "ON")
    assert home.panel.settings.level == "full"


def test_it_is_told_again_when_home_assistant_starts(home):
    home.until(lambda: home.device and home.state)
    home.listener.heard.clear()
    home.rest()
    assert home.device is None
    home.listener.say(BIRTH, b"online")
    home.until(lambda: home.device and home.state)


def test_a_table_that_falls_is_unavailable(home, broker):
    home.until(lambda: home.device)
    [there] = home.device["availability"]
    home.until(lambda: json.loads(home.listener.last(there["topic"]))["state"] == "online")
    home.publisher.close()
    home.hear(lambda: json.loads(home.listener.last(there["topic"]))["state"] == "offline")


def test_the_end_of_a_turn_is_pressed(home):
    table = home.evening.table
    for _ in some(range(60)):
        if [one for one in table.game.legal(table.state) if one.verb in table.game.ends_turn]:
            break
        table.play(table.game.legal(table.state)[0], "phone")
    home.until(lambda: home.state)
    home.listener.say(f"{topic(_id(home), 'home')}/set/turn", b"PRESS")
    home.until(lambda: table.actions[-1].verb in table.game.ends_turn)


def test_what_is_not_due_harms_nothing(home):
    home.until(lambda: home.state)
    name = f"{topic(_id(home), 'home')}/set/turn"
    for payload in (b"PRESS", b"", b"press", b"\xff" * 2000):
        home.listener.say(name, payload)
    home.listener.say(f"{topic(_id(home), 'home')}/set/board", b"PRESS")
    home.until(lambda: home.pressed)
    home.rest()
    assert home.pressed == ["turn"]
    assert not home.evening.table.actions, "nothing was to end"


def test_a_command_from_before_counts_no_more(home):
    home.until(lambda: home.state)
    name = f"{topic(_id(home), 'home')}/set/turn"
    home.publisher.close()
    home.listener.say(name, b"PRESS", retain=True)
    home.listener.say(name, b"PRESS")
    home.listener.heard.clear()
    for _ in range(20):
        home.listener.step()
    home.begin()
    home.until(lambda: home.state)
    home.rest()
    assert home.pressed == []
    assert home.device, "the line is open again"
    home.listener.say(name, b"", retain=True)
    home.rest()


@pytest.mark.slow
def test_nothing_is_told_unless_the_host_wants_it(tmp_path, broker):
    home = AtHome(tmp_path, broker)
    home.publisher.step()
    home.until(lambda: home.listener.last(topic(_id(home), "events")))
    home.rest()
    mine = [name for name, _ in home.listener.heard if _id(home) in name]
    assert not [name for name in mine if "home" in name]
    home.close()


def test_alone_nothing_of_the_journal_leaves_the_table(tmp_path, broker):
    home = AtHome(tmp_path, broker, **{"club.home": "alone"})
    home.until(lambda: home.state)
    home.rest()
    assert not [n for n, _ in home.listener.heard if n == topic(_id(home), "events")]
    home.close()


def test_a_clock_tells_when_time_is_up():
    now = TableNow("chess", "playing", "white", {"white": 3}, 1_800_000_000.4, True)
    home = Home("0123456789abcdef", "", lambda: now, str, bool)
    told = json.loads(due(home)[topic("0123456789abcdef", "home")])
    assert told["clock"] == "2027-01-15T08:00:00+00:00"
    assert told["score"] == "white 3"


def test_prometheus_is_answered_while_it_may_ask():
    port = free_port()
    close = serve(f"127.0.0.1:{port}", lambda: [Metric("stored", "Events", 7, True)])
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        assert "companion_stored_total 7.0" in answer.read().decode()
    with pytest.raises(BadInput, match="cannot be served"):
        serve(f"127.0.0.1:{port}", list)
    close()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60)


@pytest.mark.slow
def test_a_table_s_figures_are_asked(tmp_path, broker):
    port = free_port()
    home = AtHome(tmp_path, broker, **{"club.metrics": str(port)})
    home.until(lambda: home.listener.last(topic(_id(home), "events")))
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        told = answer.read().decode()
    assert f"companion_journal_events {float(home.journal.last_seq)}" in told
    assert "companion_broker_up 1.0" in told
    home.close()


@pytest.mark.parametrize("text", ["", "x", "0", "65536", "host:"])
def test_what_is_no_port_is_told(text):
    with pytest.raises(BadInput, match="no port"):
        read_port(text)


def due(home):
    told = list(home.due())
    assert all(retain for _, _, retain in told)
    return {name: payload for name, payload, _ in told}


def _id(home):
    outbox = home.publisher._outbox
    return outbox.cursor.table if outbox else "nothing yet"
