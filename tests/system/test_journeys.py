"""What people come for, done with a finger on a phone: how many taps it takes, over plain HTTP by
the table's name, so that the browser grants nothing that it would only grant to a loopback.

``python -m tests.system.journeys`` plays them and prints how long each took.
"""

from __future__ import annotations

import time
from contextlib import contextmanager

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

    def tap_spot(self, spot):
        """Tap a spot of the board: the middle of its box may lie under a neighbour's piece."""
        self.page.locator(f'#board [data-spot="{spot}"] .cell').dispatch_event("click")
        self.taps += 1

    def see(self, path):
        """Look at another page without a tap, such as from a bookmark."""
        self.page.goto("/".join(self.page.url.split("/")[:3]) + path)
        self.live()

    def live(self):
        self.page.wait_for_selector("#pill[data-live=yes]")


@pytest.fixture
def journey(record_property):
    """Count the taps of some fingers from here to where they wanted to be, and the seconds."""

    @contextmanager
    def journey(name, *fingers):
        for finger in fingers:
            finger.taps = 0
        begun = time.monotonic()
        yield
        taken = [finger.taps for finger in fingers]
        record_property("journey", (name, taken, time.monotonic() - begun))

    return journey


@pytest.fixture
def evening():
    with Journal() as journal:
        victorus = find_game("victorus")
        yield Evening(Table.create(journal, victorus, victorus.setup()))


@pytest.fixture
def served(evening):
    """The app of the evening, and its address by the table's name."""
    app = web.create_app(evening, config=web.Config(hosts=(NAME,)))
    with web.Server(app, port=0) as server:
        yield app, f"http://{NAME}:{server.port}"


@pytest.fixture
def scan(browser, served):
    """Scan the code with another phone; the first is the host's."""
    app, address = served
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


def test_to_join_and_sit_takes_one_tap_and_one_more_to_the_board(scan, evening, journey):
    phone = scan()
    with journey("scan, sit, see the board", phone):
        sit(phone, "red")
        assert phone.taps == 1
        phone.tap('a[href="/"]:visible')
        phone.page.wait_for_selector('[data-spot="a1"]')
    assert phone.taps == 2
    assert list(evening.people.seats) == ["red"]


def test_a_new_game_for_two_takes_two_taps(scan, evening, journey):
    phone = scan()
    phone.see("/")
    with journey("a new game for two", phone):
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


def test_what_is_set_before_the_scripts_have_come_is_kept_once_they_have(scan, evening):
    phone = scan()
    held = []
    phone.page.route("**/static/host.js*", lambda route: held.append(route), times=1)
    with phone.page.expect_request("**/static/host.js*"):
        phone.page.goto(f"{phone.page.url.partition('/join')[0]}/settings", wait_until="commit")
    phone.page.select_option("[name=play]", "phone")
    assert evening.settings.play == "camera"
    with phone.page.expect_response("**/api/settings*"):
        for route in held:
            route.continue_()
    assert evening.settings.play == "phone"


@pytest.mark.parametrize("swap", [False, True])
def test_after_the_end_a_rematch_takes_one_tap_of_each(scan, evening, journey, swap):
    evening.begin("victorus", ["red", "purple"], {})
    host, red, purple = scan(), scan(), scan()
    for phone, seat in ((red, "red"), (purple, "purple")):
        sit(phone, seat)
        phone.see("/")
    table = evening.table
    table.end(Outcome(("red",), "", "agreed"), "agreement", "red")
    with journey("the end, a rematch", red, purple):
        red.tap("#again-swapped" if swap else "#again")
        purple.tap("#again-yes")
        for phone in (red, purple):
            phone.page.wait_for_selector(f"body:not([data-game='{table.game_id}'])")
            phone.live()
    assert (red.taps, purple.taps, host.taps) == (1, 1, 0)
    seats = red.page.evaluate("fetch('/api/state').then((a) => a.json()).then((s) => s.you.seats)")
    assert seats == (["purple"] if swap else ["red"])


def test_from_the_shelf_to_the_first_ruling_of_the_greatest_board_takes_four_taps(
    scan, evening, journey
):
    phone = scan()
    phone.see("/")
    with journey("the greatest board from the shelf, to its first ruling", phone):
        phone.tap(".name a")
        phone.tap("#play-heximeros")
        phone.page.wait_for_url("**/")
        phone.live()
        origin, wrong, reason = a_refusal(evening.table)
        phone.tap_spot(origin)
        phone.tap_spot(wrong)
        phone.page.get_by_text(reason).first.wait_for()
    assert phone.taps == 4


def a_refusal(table):
    """Return a move to an empty spot that is not allowed, and why not."""
    game, state = table.game, table.state
    origin = next(a.origin for a in game.legal(state) if a.origin)
    standing = game.expect(state)
    wrong = next(
        spot
        for spot in game.board(state.setup).spots
        if spot not in standing and not game.judge(state, Action("move", origin, spot)).allowed
    )
    return origin, wrong, str(game.judge(state, Action("move", origin, wrong)).reason)


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


@pytest.fixture
def entering(scan, evening):
    """Two phones on their seats at the board, where moves are entered on phones; the first is the
    host's."""
    evening.begin("victorus", ["red", "purple"], {})
    phones = [scan(), scan()]
    post = "(body) => import('/static/live.js').then(({post}) => post('/api/settings', body))"
    assert phones[0].page.evaluate(post, {"play": "phone"})["ok"]
    for phone, seat in zip(phones, ("red", "purple"), strict=True):
        sit(phone, seat)
        phone.see("/")
        phone.taps = 0
    return phones


def a_move(table):
    """Return the first legal move of a token to an empty spot."""
    standing = table.game.expect(table.state)
    return next(a for a in table.game.legal(table.state) if a.origin and a.target not in standing)


def stands(phone, spot):
    phone.page.wait_for_selector(f'[data-spot="{spot}"][data-token]')


def test_a_legal_move_by_phone_takes_two_taps_and_taking_it_back_one(entering, evening, journey):
    red, purple = entering
    action = a_move(evening.table)
    with journey("a legal move by phone, seen on another", red):
        red.tap_spot(action.origin)
        red.page.wait_for_selector(".aim", state="attached")
        red.tap_spot(action.target)
        stands(red, action.target)
        stands(purple, action.target)
    assert red.taps == 2
    with journey("undo", red):
        red.tap("#undo")
        stands(purple, action.origin)
    assert (red.taps, purple.taps) == (1, 0)
    assert evening.table.actions == ()


def test_was_that_allowed_three_moves_ago_takes_two_taps(entering, evening, journey):
    red, _ = entering
    table = evening.table
    asked = a_move(table)
    for _ in range(4):
        table.play(a_move(table), "camera")
    red.page.wait_for_function(
        "(id) => import('/static/live.js').then(({live}) => live.stateId === id)",
        arg=table.state_id,
    )
    reason = str(table.game.judge(table.past[0], asked).reason)
    with journey("was that allowed, three moves ago?", red):
        red.tap("#handles [data-sheet=moves]")
        red.tap("dialog[open] [data-at] >> text='1'")
        red.page.wait_for_selector("[data-past]")
        red.page.get_by_text(reason).first.wait_for()
    assert red.taps == 2


@pytest.mark.thorough
def test_a_refused_move_at_the_simulated_table_is_seen_and_understood_after_two_taps(
    house, journey
):
    page = house.open(house.facts["table"])
    guide = page.evaluate("({...document.getElementById('guide').dataset})")
    hand = Finger(page)
    with journey("a refused move at the simulated table, seen and understood", hand):
        hand.tap_spot(guide["origin"])
        page.wait_for_selector(".aim", state="attached")
        page.wait_for_selector(f'[data-spot="{guide["origin"]}"]:not([data-token])')
        hand.tap_spot(guide["wrong"])
        page.wait_for_selector("#line .refused .verdict.no")
    told = page.inner_text("#line")
    assert "VIC-" in told
    assert f"put it on {guide['origin']} again" in told
    page.wait_for_selector("#board .glow", state="attached")
    page.wait_for_selector(".way", state="attached")
    assert hand.taps == 2
