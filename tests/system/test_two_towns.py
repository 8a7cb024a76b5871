"""Two simulated tables of a real club play one game, in browsers: what is moved in one town is lit
and told in the other, made there by hand, and seen by the camera there."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

from companion.cli import main
from tests.checks.club_servers import MISSING, MOSQUITTO, POSTGRES
from tests.checks.started_club import StartedClub
from tests.system.conftest import House

pytestmark = pytest.mark.thorough


@pytest.fixture
def club():
    if MOSQUITTO is None or POSTGRES is None:
        assert not os.environ.get("CI"), MISSING
        pytest.skip(MISSING)
    # Servers that are not root do not reach the folders of tests that are.
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    club = StartedClub(folder / "club")
    yield club
    club.end()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def towns(club, tmp_path, browser, capsys):
    """Anna's table, which owns the game, and Bruno's."""
    houses = []
    for name in ("Anna", "Bruno"):
        folder = tmp_path / name
        folder.mkdir()
        address = club.invite(name, capsys)
        names = [f"club.broker={address}", f"club.name={name}", "--data", str(folder)]
        assert main(["settings", *names]) == 0
        houses.append(House(folder, browser, ("chess",)))
    try:
        yield [house.start() for house in houses]
    finally:
        for house in houses:
            house.close()


def invited(anna, bruno):
    """Bruno's host takes up the invitation of Anna's; return his phone."""
    hers, his = anna.phone(host=True), bruno.phone(host=True)
    for house, phone in ((anna, hers), (bruno, his)):
        phone.goto(f"{house.address}/distant")
        phone.wait_for_selector("#pill[data-live=yes]")
    hers.locator("select[name=seat]").select_option("black")
    hers.get_by_role("button", name="Make an invitation").click()
    hers.locator("#link").filter(has_text="distant:").wait_for()
    assert hers.locator(".code svg").count() == 1
    his.locator("input[name=link]").fill(hers.locator("#link").inner_text())
    his.get_by_role("button", name="Play along").click()
    his.wait_for_url(re.compile("/$"))
    return his


def test_a_game_is_played_over_two_towns(towns, club):
    anna, bruno = towns
    his = invited(anna, bruno)
    anna.wait_for("!state.distant")
    bruno.in_order()

    # White moves at Anna's: at Bruno's its way is lit, and it is told that it has to be made there.
    anna.move("e2", "e4")
    bruno.wait_for("state.recent.length === 1 && state.camera.differs.join() === 'e2,e4'")
    bruno.wait_for("state.lights.e4 && state.lights.e2.meaning === 'a move to be made here'")
    his.get_by_text("Set the table as the game stands").first.wait_for()
    anna.wait_for("state.distant.includes('Bruno')")
    bruno.move("e2", "e4")
    bruno.in_order()
    anna.wait_for("!state.distant")

    # Black moves at Bruno's, and the same happens at Anna's.
    bruno.move("e7", "e5")
    anna.wait_for("state.recent.length === 2 && state.camera.differs.join() === 'e5,e7'")
    anna.move("e7", "e5")
    anna.in_order()
    bruno.wait_for("!state.distant && state.to_move === 'white'")

    # The broker stands still: both say so and the game waits; then it goes on by itself.
    os.kill(club.broker(), signal.SIGSTOP)
    try:
        anna.wait_for("state.paused && state.distant.includes('The line to Bruno is broken')")
        bruno.wait_for("state.distant.includes('The line to Anna is broken')")
        his.get_by_text("The line to Anna is broken").first.wait_for()
    finally:
        os.kill(club.broker(), signal.SIGCONT)
    anna.wait_for("!state.paused && !state.distant")
    anna.move("g1", "f3")
    bruno.wait_for("state.recent.length === 3")
    assert anna.state()["position"] == bruno.state()["position"]
