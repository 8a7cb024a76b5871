"""Games that pip installed from outside the tree, played at the simulated table and on phones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.checks.foreign import pip_installed

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "tests" / "plugins"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return pip_installed(tmp_path_factory.mktemp("pip"), PLUGINS / "draughts", PLUGINS / "morris")


@pytest.fixture(autouse=True)
def found(site, monkeypatch):
    path = os.pathsep.join((str(ROOT), str(site)))
    monkeypatch.setenv("PYTHONPATH", path)


def played(house, phone, *moves):
    """Move by hand; each move is on the phone before the next begins."""
    for origin, target in moves:
        house.move(origin, target)
        phone.wait_for_selector(f'[data-spot="{origin}"]:not([data-token])')
        phone.wait_for_selector(f'[data-spot="{target}"][data-token]')
        house.wait_for(f"state.position.{target} && !state.position.{origin}")


def shown(page, text):
    page.wait_for_function("text => document.body.innerText.includes(text)", arg=text)


@pytest.mark.slow
def test_who_closes_a_mill_at_the_table_takes_a_man(house_of):
    house = house_of("morris")
    phone = house.phone("white")
    placed = [("white1", "a1"), ("black1", "g7"), ("white2", "a4"), ("black2", "g4")]
    played(house, phone, *placed, ("white3", "a7"))
    assert house.state()["to_move"] == "white"
    shown(phone, "takes a man")
    played(house, phone, ("g4", "white1"))
    assert house.state()["to_move"] == "black"
    house.move("g7", "g4")
    shown(phone, "NM-2.2")


@pytest.mark.slow
def test_who_can_capture_in_draughts_is_told_so(house_of):
    house = house_of("draughts", "--option", "rules=english")
    phone = house.phone("white")
    played(house, phone, ("c3", "d4"), ("f6", "g5"), ("d4", "c5"))
    house.move("e7", "f6")
    shown(phone, "DR-3.4")
    assert house.state()["to_move"] == "white"
