"""The machine's Wi-Fi, by a stand-in for NetworkManager's command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.machine.wireless import ADDRESS, CONNECTIONS, KEPT, NAMES, OWN, Network, Wireless
from companion.rules import BadInput, HardwareFault
from tests.checks.fake_nmcli import FakeNmcli
from tests.checks.network_manager import NETWORKS


@pytest.fixture
def nmcli(tmp_path):
    return FakeNmcli(tmp_path, {"Home": "correct horse", "Free": ""})


@pytest.fixture
def wireless(nmcli, tmp_path):
    return Wireless(tmp_path / "root", str(nmcli.path))


def kept(nmcli):
    return list(nmcli.read()["kept"].values())


def written(tmp_path):
    return (tmp_path / "root" / CONNECTIONS / f"{OWN}.nmconnection").read_text()


def test_networks_are_told_once_the_strongest_first_whatever_is_in_their_names(wireless):
    assert wireless.in_reach() == (
        Network("Home", 80, True), Network("Caf:e", 40, True), Network("Free", 20, False),
    )  # fmt: skip


def test_only_a_network_of_others_counts_as_one(wireless, nmcli):
    assert not wireless.connected()
    nmcli.write(devices=[f"wlan0:wifi:connected:{OWN}"])
    assert not wireless.connected()
    nmcli.write(devices=[f"wlan0:wifi:connected:{OWN}", "eth0:ethernet:connected:Wired"])
    assert wireless.connected()


def test_our_own_network_is_opened_with_every_name_leading_to_us_and_closed(
    wireless, nmcli, tmp_path
):
    wireless.open("Companion")
    assert nmcli.read()["open"]
    added = next(line for line in nmcli.asked if line.startswith("--offline connection add"))
    assert "ssid Companion 802-11-wireless.mode ap" in added
    assert "psk" not in added
    assert (tmp_path / "root" / NAMES).read_text() == "address=/#/10.42.0.1\n"
    wireless.close()
    assert not nmcli.read()["open"]
    assert not (tmp_path / "root" / NAMES).exists()
    wireless.close()


def test_our_own_network_may_have_a_password(wireless, nmcli):
    wireless.open("Companion", "on the label")
    assert kept(nmcli) == [[True, "Companion", "on the label"]]
    with pytest.raises(BadInput, match="8 to 63"):
        wireless.open("Companion", "short")


def test_our_own_network_may_stay(wireless, nmcli, tmp_path):
    wireless.open("Companion", "on the label")
    opened = written(tmp_path)
    wireless.keep()
    assert written(tmp_path) == opened.replace(f"id={OWN}", f"id={KEPT}").replace(
        "autoconnect=false\n", ""
    )
    assert nmcli.asked[-1].startswith("connection load")
    assert kept(nmcli) == [[True, "Companion", "on the label"]]
    assert not (tmp_path / "root" / NAMES).exists()


def test_our_own_network_stays_only_once_it_was_opened(wireless):
    with pytest.raises(HardwareFault, match="cannot be read"):
        wireless.keep()


def test_a_network_is_joined_by_its_password(wireless, nmcli):
    wireless.join("Home", "correct horse")
    wireless.join("Free")
    assert kept(nmcli) == [[False, "Home", "correct horse"], [False, "Free", ""]]


def test_a_password_is_never_an_argument_which_every_user_of_the_machine_reads(
    wireless, nmcli, tmp_path
):
    wireless.join("Home", "correct horse")
    wireless.open("Companion", "on the label")
    wireless.keep()
    assert not [line for line in nmcli.asked if "horse" in line or "label" in line]
    files = list((tmp_path / "root" / CONNECTIONS).iterdir())
    assert len(files) == 2
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


@pytest.mark.slow
def test_network_manager_reads_what_was_said_of_each_network_whatever_its_password(tmp_path):
    apart = ("unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child")
    whose = () if os.geteuid() == 0 else ("--map-root-user",)
    unpacked = Path(sys.prefix) / "network-manager"
    if "CI" not in os.environ and not (
        (unpacked.exists() or shutil.which("NetworkManager", path="/usr/sbin:/sbin"))
        and subprocess.run((*apart, *whose, "true"), check=False, capture_output=True).returncode
        == 0
    ):
        pytest.skip("it needs the package network-manager, and networks apart (unshare)")
    done = subprocess.run(
        (*apart, *whose, sys.executable, "-m", "tests.checks.network_manager", tmp_path, unpacked),
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    own = ["Companion", "ap", "on the label", "shared", f"{ADDRESS}/24"]
    assert (told.pop("own"), told.pop("kept")) == ([*own, "no"], [*own, "yes"])
    assert told.pop("modes") == ["0o600"]
    joined = {**NETWORKS, "Home": "another horse"}
    assert told == {name: [password, "yes"] for name, password in joined.items()}


@pytest.mark.parametrize(
    ("name", "password", "said"),
    [
        ("Home", "wrong horse", "the password is not that of “Home”"),
        ("Nowhere", "whatever it is", "no network called “Nowhere” is in reach"),
        ("Home", "short", "8 to 63 letters"),
    ],
)
def test_why_a_network_is_not_joined_is_said(wireless, nmcli, name, password, said):
    with pytest.raises(BadInput, match=said):
        wireless.join(name, password)


def test_a_machine_without_network_manager_or_wifi_says_so(wireless, nmcli, tmp_path):
    nmcli.write(devices=["eth0:ethernet:unavailable:"])
    with pytest.raises(HardwareFault, match="no Wi-Fi"):
        wireless.in_reach()
    with pytest.raises(HardwareFault, match="network-manager"):
        Wireless(tmp_path, str(tmp_path / "none")).connected()
    nmcli.write(devices=["wlan0:wifi:disconnected:"], up=[4, "Error: no."])
    with pytest.raises(HardwareFault, match=r"does not do it: no\."):
        wireless.open("Companion")
