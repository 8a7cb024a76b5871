"""A club with its own broker and database: who belongs to it comes in, nobody else, and what falls
is there again."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import tempfile
import time
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from companion.cli import main
from companion.club.credential import connecting
from companion.club.distant import asks_topic, told_topic
from companion.club.invitations import Invitations
from companion.club.link import MqttLink, NotLetIn, read_address
from companion.club.messages import hashed, topic, write_password
from companion.club.servers import Servers
from companion.commands.parser import build_parser
from companion.machine.settings_file import SettingsFile
from companion.rules import BadInput, HardwareFault
from tests.checks.club_servers import MISSING, MOSQUITTO, POSTGRES
from tests.checks.loops import some
from tests.checks.started_club import PATIENCE, StartedClub


@pytest.fixture(scope="module")
def _started():
    if MOSQUITTO is None or POSTGRES is None:
        assert not os.environ.get("CI"), MISSING
        pytest.skip(MISSING)
    # Servers that are not root do not reach the folders of tests that are.
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    club = StartedClub(folder / "club")
    yield club
    if club.process.poll() is None:
        club.end()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def club(_started):
    return _started


class Visitor:
    """Somebody with a line to the broker."""

    def __init__(self, address: str, topics: list[str], name: str = "visitor") -> None:
        self.link = MqttLink(read_address(address), name, topics)
        self.heard: list[tuple[str, bytes]] = []
        self.link.open()
        self.until(lambda: self.link.up)

    def listen(self, seconds: float = 0.0) -> None:
        self.heard += self.link.turn(seconds)

    def until(self, so, seconds: float = PATIENCE) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.listen(0.05)
            if so():
                return True
        return False


def test_the_first_start_tells_the_wall_and_how_a_table_comes_in(club):
    assert "All tables on one screen: http://127.0.0.1:" in club.said
    assert re.search(
        r"companion settings club\.broker=mqtts://[0-9a-f]{16}:\S+@\S+#[0-9a-f]{64} ", club.said
    )
    assert "Table 1" in club.said


def test_a_table_reaches_its_own_topics_alone(club, capsys):
    addresses = [club.invite(name, capsys) for name in ("Mine", "Yours")]
    mine, yours = (read_address(one).name for one in addresses)
    spy = Visitor(addresses[1], ["companion/#"])
    own = Visitor(SettingsFile(club.folder).given()["club.broker"], ["companion/#"], "listener")
    me = Visitor(addresses[0], [topic(mine, "stored")])
    me.link.publish(topic(yours, "events"), b"forged")
    me.link.publish(topic(mine, "stored"), b"stored by myself")
    me.link.publish(topic(mine, "state"), b"mine")
    assert own.until(lambda: (me.listen(), own.heard)[1])
    own.until(lambda: False, 1.0)
    spy.until(lambda: False, 0.5)
    assert [payload for name, payload in own.heard if name.split("/")[3] in (mine, yours)] == [
        b"mine"
    ]
    assert not [name for name, _ in spy.heard if mine in name]


def test_home_assistant_sees_tables_and_commands_them_and_no_table_another(club, capsys):
    addresses = [club.invite(name, capsys) for name in ("Mine", "Yours")]
    mine, yours = (read_address(one).name for one in addresses)
    assert main(["club", "home", "--data", str(club.folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    pin = addresses[0].partition("#")[2]
    address = f"mqtts://home:{told['password']}@127.0.0.1:{told['port']}#{pin}"
    assert Path(told["certificate"]).read_text().startswith("-----BEGIN CERTIFICATE")
    home = Visitor(address, ["homeassistant/#", "companion/#"])
    commands, device = f"{topic(mine, 'home')}/set/+", "homeassistant/device/companion_{}/config"
    me = Visitor(addresses[0], [commands, "homeassistant/status"])
    me.link.publish(device.format(yours), b"forged")
    me.link.publish(f"{topic(yours, 'home')}/set/turn", b"PRESS")
    me.link.publish(topic(mine, "events"), b"not for the home")
    me.link.publish(device.format(mine), b"mine", retain=True)
    home.link.publish(topic(mine, "state"), b"forged")
    home.link.publish(topic(mine, "events"), b"forged")
    home.link.publish(f"{topic(mine, 'home')}/set/turn", b"PRESS")
    assert home.until(lambda: (me.listen(), home.heard)[1])
    assert me.until(lambda: me.heard)
    home.until(lambda: False, 0.5)
    assert home.heard == [(device.format(mine), b"mine")]


def test_a_table_speaks_to_another_under_its_own_name_alone(club, capsys):
    owner, guest, third = (club.invite(f"distant {n}", capsys) for n in range(3))
    names = [read_address(address).name for address in (owner, guest, third)]
    at_owner = Visitor(owner, [asks_topic(names[0], "+")])
    at_third = Visitor(third, [asks_topic(names[0], "+"), told_topic(names[0], "+")])
    at_guest = Visitor(guest, [told_topic(names[0], names[1])])
    at_third.link.publish(asks_topic(names[0], names[1]), b"under another's name")
    at_third.link.publish(told_topic(names[0], names[1]), b"as if the owner told")
    at_guest.link.publish(asks_topic(names[0], names[1]), b"asked")
    assert at_owner.until(lambda: at_owner.heard)
    at_owner.link.publish(told_topic(names[0], names[1]), b"told")
    assert at_guest.until(lambda: at_guest.heard)
    at_third.until(lambda: False, 0.5)
    assert [payload for _, payload in at_owner.heard] == [b"asked"]
    assert [payload for _, payload in at_guest.heard] == [b"told"]
    assert not at_third.heard


@pytest.mark.parametrize(
    "change",
    [
        lambda address: re.sub(r"//.*@", "//", address),
        lambda address: re.sub(r":[^@:]*@", ":guessed@", address),
        lambda address: re.sub(r"//[^:]*", "//0123456789abcdef", address),
        lambda address: re.sub(r"mqtts(.*)#.*", r"mqtt\1", address),
    ],
    ids=["nobody", "another password", "another table", "in the open"],
)
def test_who_was_not_invited_does_not_come_in(club, capsys, change):
    address = club.invite("Known", capsys)
    assert Visitor(address, []).link.up
    with pytest.raises(HardwareFault, match="cannot be reached"):
        Visitor(change(address), [])


# The library leaves a line that it could not secure to the collector.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_certificate_that_nobody_vouches_for_is_not_trusted(club, capsys):
    address = club.invite("Trusting", capsys)
    with pytest.raises(HardwareFault, match="certificate"):
        Visitor(address.partition("#")[0], [])
    gc.collect()


def test_a_table_speaks_to_no_broker_but_the_one_that_invited_it(club, capsys):
    address = club.invite("Careful", capsys)
    forged = re.sub("#.", lambda found: "#1" if found[0] == "#0" else "#0", address)
    with pytest.raises(HardwareFault, match="another certificate"):
        Visitor(forged, [])


def test_a_withdrawn_table_is_cut_at_once_and_stays_out(club, capsys):
    address = club.invite("Gone", capsys)
    table = Visitor(address, [])
    assert main(["club", "withdraw", "Gone", "--data", str(club.folder)]) == 0
    with pytest.raises(HardwareFault):
        table.until(lambda: False)
    with pytest.raises(HardwareFault):
        Visitor(address, [])
    before = club.broker()
    os.kill(before, signal.SIGKILL)
    assert any(club.broker() != before or time.sleep(0.1) for _ in some(range(600)))
    port = read_address(address).port
    again = club.invite("Stays", capsys)
    for _ in some(range(600)):
        with suppress(HardwareFault):
            assert Visitor(again, []).link.up
            break
        time.sleep(0.1)
    else:
        raise AssertionError(f"the broker at {port} did not come back")
    with pytest.raises(HardwareFault):
        Visitor(address, [])
    assert main(["club", "withdraw", "Gone", "--data", str(club.folder)]) == 2
    assert "no table was invited as" in capsys.readouterr().err


def test_a_second_password_ends_the_first(club, capsys):
    old, new = (club.invite("Twice", capsys) for _ in range(2))
    assert read_address(old).name == read_address(new).name
    assert Visitor(new, []).link.up
    with pytest.raises(HardwareFault):
        Visitor(old, [])


def test_a_message_too_large_harms_nobody(club, capsys):
    address = club.invite("Large", capsys)
    table = Visitor(address, [])
    table.link.publish(topic(read_address(address).name, "events"), b"x" * 2_000_000)
    with pytest.raises(HardwareFault):
        table.until(lambda: False)
    assert Visitor(address, []).link.up


class Invited(Visitor):
    """A table that was invited, with its folder."""

    def __init__(self, address: str, folder: Path, topics: list[str] | None = None) -> None:
        folder.mkdir(exist_ok=True)
        read = read_address(address)
        self.table, self.heard = read.name, []
        self.link = connecting(read, folder)(f"table-{read.name}", topics or [])
        self.link.open()

    def comes_in(self) -> str:
        """Wait until the table is in; return what it was told where it was refused."""
        told = ""
        for _ in some(range(600)):
            try:
                if self.until(lambda: self.link.up, 0.2):
                    return ""
            except NotLetIn as fault:
                if told:
                    return told
                told = fault.sentence
                self.link.open()
        raise AssertionError("it neither came in nor was refused")


def test_an_invitation_is_good_once_and_its_copy_lets_nobody_in(club, capsys, tmp_path):
    address = club.invite("Copied", capsys)
    table = Invited(address, tmp_path / "table")
    assert table.comes_in() == ""
    with pytest.raises(NotLetIn):
        Visitor(address, [])
    assert "its invitation was used" in Invited(address, tmp_path / "copy").comes_in()
    assert not table.until(lambda: not table.link.up, 0.5), "whoever was first is not disturbed"
    table.link.close()
    assert Invited(address, tmp_path / "table").comes_in() == ""
    assert main(["club", "withdraw", "Copied", "--data", str(club.folder)]) == 0
    assert Invited(address, tmp_path / "table").comes_in()


def test_a_plug_pulled_while_a_table_comes_in_locks_it_out_of_nothing(club, capsys, tmp_path):
    address = club.invite("Pulled", capsys)
    table = Invited(address, tmp_path / "table")
    assert table.until(lambda: table.link._told)
    table.link._first.turn(0.1)
    table.link._first.close()
    for _ in some(range(600)):
        if table.table not in json.loads((club.folder / "open.json").read_text()):
            break
        time.sleep(0.1)
    assert Invited(address, tmp_path / "table").comes_in() == ""


def test_an_invitation_that_nobody_took_ends(club):
    servers = Servers(club.folder)
    weeks_ago = Invitations(club.folder, servers, now=lambda: time.time() - 15 * 24 * 3600)
    port = SettingsFile(club.folder).given()["club.port"]
    address = weeks_ago.invite("Too late").address("127.0.0.1", port)
    table = read_address(address).name
    for _ in some(range(600)):
        if table not in json.loads((club.folder / "open.json").read_text()):
            break
        time.sleep(0.1)
    with pytest.raises(NotLetIn):
        Visitor(address, [])
    with pytest.raises(BadInput, match="no invitation that is still good"):
        Invitations(club.folder, servers).redeem(table, hashed("mine", b"0" * 12))


@pytest.mark.parametrize(
    "payload",
    [
        write_password("plain"),
        write_password(hashed("mine", b"0" * 12) + "\nclub:x"),
        write_password(hashed("mine", b"0" * 12).replace("101", "9999999")),
        write_password(hashed("taken again", b"0" * 12)),
    ],
    ids=["not hashed", "two lines", "too costly", "a second one"],
)
def test_a_password_that_may_not_be_set_changes_nothing(club, capsys, tmp_path, payload):
    address = club.invite("Set", capsys)
    table = Invited(address, tmp_path / "table", [topic(read_address(address).name, "stored")])
    assert table.comes_in() == ""
    before = (club.folder / "broker" / "passwords").read_text()
    table.link.publish(topic(table.table, "password"), payload)
    assert not table.until(lambda: not table.link.up, 0.7)
    assert (club.folder / "broker" / "passwords").read_text() == before


def test_a_table_that_does_not_listen_holds_nobody_up(club, capsys):
    slow, quick = (club.invite(name, capsys) for name in ("Slow", "Quick"))
    name = topic(read_address(slow).name, "stored")
    deaf = Visitor(slow, [name])
    own = Visitor(SettingsFile(club.folder).given()["club.broker"], ["companion/#"], "teller")
    for _ in range(3000):
        own.link.publish(name, b"x" * 4000)
        own.link.turn(0.0)
    here = Visitor(quick, [])
    here.link.publish(topic(read_address(quick).name, "state"), b"quick")

    def heard() -> bool:
        here.link.turn(0)
        return any(said == b"quick" for _, said in own.heard)

    assert own.until(heard, 60.0)
    status = Path(f"/proc/{club.broker()}/status").read_text()
    assert int(re.search(r"VmRSS:\s+(\d+)", status)[1]) < 64_000
    deaf.link.close()


def test_a_container_starts_the_club_by_options_that_there_are():
    compose, docker = (Path(__file__).parents[2] / name for name in ("compose.yaml", "Dockerfile"))
    text = re.sub(r"\$\{\w+:-(.*?)\}", r"\1", compose.read_text("utf-8"))
    command = json.loads(re.search(r"command: (\[.*\])", text)[1])
    arguments = build_parser("club").parse_args(["club", *command])
    assert (arguments.what, str(arguments.data), arguments.tables) == ("start", "/club", 0)
    assert f'"{arguments.port}:' in text
    assert f'"{arguments.broker_port}:' in text
    extras = re.search(r"/source\[([\w,]+)\]", docker.read_text("utf-8"))[1].split(",")
    project = tomllib.loads(compose.with_name("pyproject.toml").read_text("utf-8"))["project"]
    assert set(extras) <= set(project["optional-dependencies"])
    # What the club's machine lacks is installed by its name in Debian; OpenCV comes by pip.
    installed = re.search(r"install -y .*?&& rm", docker.read_text("utf-8"), re.S)[0].split()
    assert {"mosquitto", "postgresql", "openssl"} <= set(installed)
    assert {"club", "headless"} <= set(extras)
    left_out = compose.with_name(".dockerignore").read_text("utf-8").split()
    assert not {"companion", "web", "vision", "hardware", "pyproject.toml", "README.md"} & set(
        left_out
    )


@pytest.mark.slow
def test_simulated_tables_play_on_the_wall_and_all_is_there_after_a_restart(club):
    assert club.end() == 0
    assert "ended" not in club.said.partition("Ctrl-C")[2].replace("broker ended", "")
    club.begin("--tables", "2")
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        tiles = [tile for tile in club.tiles() if "Simulated" in tile and "playing" in tile]
        if len(tiles) == 2:
            break
        time.sleep(0.2)
    assert len(tiles) == 2
    assert club.end() == 0
    assert not _running(club.folder)
    club.begin()
    assert "once:" not in club.said, "who was invited is not invited again"


def test_a_club_that_is_killed_leaves_nothing_running_and_begins_again(club):
    before = (club.folder / "invited.json").read_text()
    club.process.kill()
    club.process.communicate()
    end = time.monotonic() + PATIENCE
    while _running(club.folder) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _running(club.folder)
    club.begin()
    assert (club.folder / "invited.json").read_text() == before
    assert "once:" not in club.said, "who was invited is not invited again"


def test_a_club_that_runs_already_is_told(club, capsys):
    port = SettingsFile(club.folder).given()["club.port"]
    arguments = ["club", "start", "--data", str(club.folder), "--host", "127.0.0.1"]
    assert main([*arguments, "--port", "0", "--broker-port", str(port)]) == 2
    assert f"port {port} of 127.0.0.1 is taken" in capsys.readouterr().err


def test_whoever_invites_before_a_club_was_started_is_told_what_to_do(tmp_path, capsys):
    assert main(["club", "invite", "Table 1", "--data", str(tmp_path)]) == 2
    assert "companion club start" in capsys.readouterr().err


def _running(folder: Path) -> list[str]:
    """Return the commands of all processes that have to do with ``folder``."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found.append((process / "cmdline").read_text().replace("\0", " "))
    return [command for command in found if str(folder) in command]
