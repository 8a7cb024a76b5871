"""What people come for, done with a finger on a phone: how many taps it takes, over plain HTTP by
the table's name, so that the browser grants nothing that it would only grant to a loopback."""

from __future__ import annotations

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.rules import Action, Outcome
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.chromium import NAME
from tests.system.conftest import PHONE


class Finger:
    """A phone, and how often it was tapped."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, selector):
        self.page.locator(selector).first.tap()
        self.taps += 1

    def see(self, path):
        """Look at another page without a tap, such as from a bookmark."""
        self.page.goto("/".join(self.page.url.split("/")[:3]) + path)
        self.live()

    def live(self):
        self.page.wait_for_selector("#pill[data-live=yes]")


@pytest.fixture
def evening():
    with Journal() as journal:
        victorus = find_game("victorus")
        yield Evening(Table.create(journal, victorus, victorus.setup()))


@pytest.fixture
def house(evening):
    """The app of the evening, and its address by the table's name."""
    app = web.create_app(evening, config=web.Config(hosts=(NAME,)))
    with web.Server(app, port=0) as server:
        yield app, f"http://{NAME}:{server.port}"


@pytest.fixture
def scan(browser, house):
    """Scan the code with another phone; the first is the host's."""
    app, address = house
    opened = []

    def scan(link=None):
        context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{address}/join#{(link or web.invitation(app)).partition('#')[2]}")
        page.wait_for_selector("[id^=sit-], [id^=leave-], .carried")
        finger = Finger(page)
        finger.live()
        return finger

    yield scan
    for context in opened:
        context.close()


def sit(finger, seat):
    finger.tap(f"#sit-{seat}")
    finger.page.wait_for_selector(f"#leave-{seat}")


def test_nothing_is_a_secure_context_here(scan):
    assert scan().page.evaluate("isSecureContext") is False


def test_to_join_and_sit_takes_one_tap_and_one_more_to_the_board(scan, evening):
    phone = scan()
    sit(phone, "red")
    assert phone.taps == 1
    phone.tap('a[href="/"]:visible')
    phone.page.wait_for_selector('[data-spot="a1"]')
    assert phone.taps == 2
    assert list(evening.people.seats) == ["red"]


def test_a_new_game_for_two_takes_two_taps(scan, evening):
    phone = scan()
    phone.see("/")
    phone.tap(".name a")
    phone.tap("#play-victorus")
    phone.page.wait_for_url("**/")
    phone.live()
    assert evening.table.setup.seats == ("red", "purple")
    assert phone.taps == 2


def test_what_is_tapped_before_the_scripts_have_come_is_done_once_they_have(scan, evening):
    phone = scan()
    held = []
    phone.page.route("**/static/live.js*", lambda route: held.append(route), times=1)
    phone.page.goto(f"{phone.page.url.partition('/join')[0]}/shelf", wait_until="commit")
    phone.tap("#play-victorus")
    assert held
    game = evening.table.game_id
    for route in held:
        route.continue_()
    phone.page.wait_for_url("**/")
    phone.live()
    assert evening.table.game_id != game


@pytest.mark.parametrize("swap", [False, True])
def test_after_the_end_a_rematch_takes_one_tap_of_each(scan, evening, swap):
    evening.begin("victorus", ["red", "purple"], {})
    host, red, purple = scan(), scan(), scan()
    for phone, seat in ((red, "red"), (purple, "purple")):
        sit(phone, seat)
        phone.see("/")
        phone.taps = 0
    table = evening.table
    table.end(Outcome(("red",), "", "agreed"), "agreement", "red")
    red.tap("#again-swapped" if swap else "#again")
    purple.tap("#again-yes")
    for phone in (red, purple):
        phone.page.wait_for_selector(f"body:not([data-game='{table.game_id}'])")
        phone.live()
    assert (red.taps, purple.taps, host.taps) == (1, 1, 0)
    seats = red.page.evaluate("fetch('/api/state').then((a) => a.json()).then((s) => s.you.seats)")
    assert seats == (["purple"] if swap else ["red"])


def test_from_the_shelf_to_the_first_ruling_of_the_greatest_board_takes_four_taps(scan, evening):
    phone = scan()
    phone.see("/")
    phone.tap(".name a")
    phone.tap("#play-heximeros")
    phone.page.wait_for_url("**/")
    phone.live()
    game, state = evening.table.game, evening.table.state
    origin = next(a.origin for a in game.legal(state) if a.origin)
    standing = game.expect(state)
    wrong = next(
        spot
        for spot in game.board(state.setup).spots
        if spot not in standing and not game.judge(state, Action("move", origin, spot)).allowed
    )
    for spot in (origin, wrong):
        phone.page.locator(f'[data-spot="{spot}"]').dispatch_event("click")
        phone.taps += 1
    reason = str(game.judge(state, Action("move", origin, wrong)).reason)
    phone.page.get_by_text(reason).first.wait_for()
    assert phone.taps == 4


def test_a_seat_moves_to_another_device_with_one_tap(scan):
    phone = scan()
    sit(phone, "red")
    phone.taps = 0
    with phone.page.expect_response("**/api/carry*") as answer:
        phone.tap("#carry button")
    phone.page.wait_for_selector("#carried svg")
    other = scan(answer.value.json()["link"])
    other.page.wait_for_selector("#leave-red")
    phone.page.wait_for_selector("#lost:has-text('has moved to another device')")
    assert (phone.taps, other.taps) == (1, 0)
