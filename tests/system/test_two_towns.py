"""Simulated tables of a real club play one game, in browsers: what is moved in one town is lit and
told in the others, made there by hand, and seen by the camera there; a phone plays without any
board."""

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
def house_in(club, tmp_path, browser, capsys):
    """What makes the house of somebody whose table belongs to the club."""
    houses = []

    def house(name, *game):
        folder = tmp_path / name
        folder.mkdir()
        address = club.invite(name, capsys)
        names = [f"club.broker={address}", f"club.name={name}", "--data", str(folder)]
        assert main(["settings", *names]) == 0
        houses.append(House(folder, browser, game))
        return houses[-1]

    yield house
    for house in houses:
        house.close()


@pytest.fixture
def towns(house_in):
    """Anna's table, which owns the game, and Bruno's."""
    houses = [house_in(name, "chess") for name in ("Anna", "Bruno")]
    return [house.start() for house in houses]


def invitation(house, phone, seat):
    """Return what the host of ``house`` sends to whoever plays ``seat`` elsewhere."""
    house.visit(phone, "/distant")
    phone.locator("select[name=seat]").select_option(seat)
    phone.get_by_role("button", name="Make an invitation").click()
    phone.locator("#link").filter(has_text="distant:").wait_for()
    assert phone.locator(".code svg").count() == 1
    return phone.locator("#link").inner_text()


def join(house, phone, link):
    """Let the host of ``house`` take up an invitation."""
    house.visit(phone, "/distant")
    phone.locator("input[name=link]").fill(link)
    phone.get_by_role("button", name="Play along").click()
    phone.wait_for_url(re.compile("/$"))


def invited(anna, bruno):
    """Bruno's host takes up the invitation of Anna's; return his phone."""
    his = bruno.phone(host=True)
    join(bruno, his, invitation(anna, anna.phone(host=True), "black"))
    return his


@pytest.mark.slow
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


def at_home(house):
    """Start a house without a board or a camera, where moves are made on the host's phone."""
    house.serve()
    house.table = phone = house.phone(host=True)
    house.visit(phone, "/settings")
    with phone.expect_response("**/api/settings*") as kept:
        phone.select_option("[name=play]", "phone")
    assert kept.value.ok
    return phone


def tap(phone, *spots):
    """Tap one spot of the board after another on a phone, a piece first."""
    for spot in spots:
        phone.locator(f'.spot[data-spot="{spot}"]').dispatch_event("click")
        if spot != spots[-1]:
            phone.wait_for_selector(f'.spot[data-spot="{spot}"][aria-selected]')


@pytest.mark.slow
def test_two_boards_and_a_phone_at_home_without_one_play_a_game_of_three(house_in):
    three = ("victorus", "--seats", "red,orange,blue")
    anna, bruno, carla = house_in("Anna", *three), house_in("Bruno"), house_in("Carla")
    anna.start()
    bruno.start()
    hers, his, at_sea = anna.phone(host=True), bruno.phone(host=True), at_home(carla)
    join(bruno, his, invitation(anna, hers, "orange"))
    join(carla, at_sea, invitation(anna, hers, "blue"))
    carla.wait_for("state.game === 'victorus' && !state.distant")
    carla.visit(at_sea, "/join").click("#sit-blue")
    at_sea.wait_for_selector("#leave-blue")
    carla.visit(at_sea, "/")

    # Red moves at Anna's. Bruno's board is waited for; a phone has none that could be wrong.
    bruno.wait_for("state.game === 'victorus'")
    bruno.in_order()
    anna.wait_for("!state.distant")
    anna.move("h2", "h4")
    carla.wait_for("state.recent.length === 1 && !state.distant")
    anna.wait_for("state.distant.includes('Bruno')")
    bruno.wait_for("state.camera.differs.join() === 'h2,h4' && state.lights.h4")
    bruno.move("h2", "h4")
    anna.wait_for("!state.distant")

    # Orange at Bruno's.
    bruno.move("b5", "d5")
    anna.wait_for("state.recent.length === 2 && state.camera.differs.join() === 'b5,d5'")
    anna.move("b5", "d5")
    anna.in_order()

    # Blue by a tap at home: lit on both boards, and made there by hand.
    carla.wait_for("state.to_move === 'blue' && !state.distant")
    tap(at_sea, "m12", "k11")
    at_sea.wait_for_selector('[data-spot="k11"][data-token]')
    for house in (anna, bruno):
        house.wait_for("state.recent.length === 3 && state.lights.k11")
        house.move("m12", "k11")
        house.in_order()
    positions = [house.state()["position"] for house in (anna, bruno, carla)]
    assert positions[1:] == positions[:1] * 2

    # One of them is switched off: the others hear which, and wait until it is back.
    bruno.kill()
    anna.wait_for("state.paused && state.distant.includes('The line to Bruno is broken')")
    carla.wait_for("state.paused")
    bruno.serve()
    bruno.in_order()
    anna.wait_for("!state.paused && !state.distant")
    carla.wait_for("!state.paused && state.to_move === 'red'")
