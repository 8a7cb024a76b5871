"""The machine's Wi-Fi, by a stand-in for NetworkManager's command line."""

from __future__ import annotations

import pytest

from companion.machine.wireless import NAMES, OWN, Network, Wireless
from companion.rules import BadInput, HardwareFault
from tests.checks.fake_nmcli import FakeNmcli


@pytest.fixture
def nmcli(tmp_path):
    return FakeNmcli(tmp_path, {"Home": "correct horse", "Free": ""})


@pytest.fixture
def wireless(nmcli, tmp_path):
    return Wireless(tmp_path / "root", str(nmcli.path))


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
    added = next(line for line in nmcli.asked if line.startswith("connection add"))
    assert "ssid Companion 802-11-wireless.mode ap" in added
    assert "psk" not in added
    assert (tmp_path / "root" / NAMES).read_text() == "address=/#/10.42.0.1\n"
    wireless.close()
    assert not nmcli.read()["open"]
    assert not (tmp_path / "root" / NAMES).exists()
    wireless.close()


def test_our_own_network_may_have_a_password(wireless, nmcli):
    wireless.open("Companion", "on the label")
    assert any("wpa-psk 802-11-wireless-security.psk on the label" in a for a in nmcli.asked)
    with pytest.raises(BadInput, match="8 to 63"):
        wireless.open("Companion", "short")


def test_our_own_network_may_stay(wireless, nmcli, tmp_path):
    wireless.open("Companion")
    wireless.keep()
    assert "connection.autoconnect yes" in nmcli.asked[-1]
    assert not (tmp_path / "root" / NAMES).exists()


def test_a_network_is_joined_by_its_password(wireless, nmcli):
    wireless.join("Home", "correct horse")
    wireless.join("Free")
    assert "device wifi connect Home password correct horse" in " ".join(nmcli.asked)


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
