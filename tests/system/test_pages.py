"""The pages in a browser: a phone of 360 by 740, a laptop, keys alone, no script at all."""

from __future__ import annotations

from types import MappingProxyType

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.rules import Action, BadInput
from companion.table import Table

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}
STATIC = ("style.css", "app.js", "board.js", "live.js", "device.js", "icon.svg")
# The smallest JPEG that a browser takes for a picture: one grey point.
DOT = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300030202020202030202020303030304060404040404"
    "080606050609080a0a090809090a0c0f0c0a0b0e0b09090d110d0e0f101011100a0c12131210130f101010ffc0000b"
    "080001000101011100ffc40014000100000000000000000000000000000009ffc40014100100000000000000000000"
    "000000000000ffda0008010100003f0054dfffd9"
)


class Top:
    """A table top: what lies on it and beside it, and what the hand holds."""

    def __init__(self, position):
        self.on, self.beside, self.held = dict(position), [], None

    def tokens(self):
        return MappingProxyType(self.on)

    def off(self):
        return tuple(self.beside)

    def _take(self, spot):
        if spot not in self.on:
            raise BadInput(f"nothing stands on {spot}")
        return self.on.pop(spot)

    def lift(self, spot):
        self.held = self._take(spot)

    def drop(self, spot):
        if spot in self.on:
            self.beside.append(self._take(spot))
        self.on[spot], self.held = self.held, None

    def move(self, origin, target):
        self.lift(origin)
        self.drop(target)

    def remove(self, spot):
        self.beside.append(self._take(spot))

    def put(self, spot, token):
        self.beside.remove(token)
        self.on[spot] = token

    def turn(self, spot):
        self.on[spot] = self._take(spot) + " frozen"

    def flip(self, spot):
        self.on[spot] = self._take(spot) + "+"

    def picture(self):
        return DOT


@pytest.fixture(scope="module")
def game():
    return find_game("victorus")


@pytest.fixture
def table(game):
    with Journal() as journal:
        yield Table.create(journal, game, game.setup())


@pytest.fixture
def top(table):
    return Top(table.game.expect(table.state))


@pytest.fixture
def lit():
    return {}


class Words:
    """The eyes of a table at which nobody looks: they say what a test tells them."""

    def __init__(self):
        self.words = {"still": True, "message": "", "differs": [], "lifted": None, "asks": []}

    def status(self):
        return self.words

    def answer(self, index):
        raise BadInput("nothing was asked")


@pytest.fixture
def eyes():
    return Words()


@pytest.fixture
def server(table, top, lit, eyes):
    app = web.create_app(table, config=web.Config(), eyes=eyes, lights=lambda: lit, virtual=top)
    with web.Server(app, port=0) as server:
        server.app = app
        yield server


@pytest.fixture
def open_page(browser, server):
    """Open a page as a new phone; at the end none of them may have complained."""
    opened, complaints = [], []

    def open_page(path="/", viewport=PHONE, **more):
        context = browser.new_context(viewport=viewport, **more)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("response", lambda answer: answer.ok or complaints.append(answer.url))
        page.on(
            "console",
            lambda message: message.type == "error" and complaints.append(message.text),
        )
        opened.append(context)
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        return page

    yield open_page
    for context in opened:
        context.close()
    # A line that a test cuts is no complaint of the page's.
    assert [text for text in complaints if "net::ERR_FAILED" not in text] == []


@pytest.fixture
def join(open_page, server):
    """Open a phone that came in by an invitation."""

    def join(**more):
        code = web.invitation(server.app).partition("#")[2]
        page = open_page(f"/join#{code}", **more)
        page.wait_for_selector(".qr")
        return page

    return join


def live(page):
    page.wait_for_selector("#pill[data-live=yes]")
    return page


def spot(page, name):
    return page.locator(f'[data-spot="{name}"]')


def tap(page, name):
    spot(page, name).dispatch_event("click")


def a_move(table):
    """Return the first legal move of a token to an empty spot."""
    game, state = table.game, table.state
    standing = game.expect(state)
    return next(a for a in game.legal(state) if a.origin and a.target not in standing)


def test_a_move_of_the_camera_is_on_the_phone_without_a_reload(open_page, table):
    page = live(open_page())
    action = a_move(table)
    token = table.game.expect(table.state)[action.origin]
    table.play(action, "camera")
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token="{token}"]')
    assert spot(page, action.origin).get_attribute("data-token") is None
    assert token in page.locator("#announce").text_content()
    assert token in page.locator("#part-moves").text_content()


def test_a_refused_move_is_told_with_rule_and_reason(open_page, table):
    page = live(open_page())
    action = a_move(table)
    ruling = table.play(Action("move", action.target, action.origin), "camera")
    page.wait_for_selector("#part-ruling .verdict.no")
    assert ruling.reason in page.locator("#part-ruling").text_content()
    assert ruling.rule in page.locator("#part-ruling a >> nth=0").text_content()
    assert "Not allowed" in page.locator("#announce").text_content()


def test_lights_are_drawn_and_named(open_page, server, lit):
    page = live(open_page())
    lit["i4"] = {"colour": "#2ecc71", "effect": "pulse", "meaning": "may go here"}
    web.changed(server.app)
    page.wait_for_selector('[data-spot="i4"][data-effect="pulse"] .lit')
    assert "may go here" in spot(page, "i4").get_attribute("aria-label")
    assert "may go here i4" in page.locator("#part-legend").inner_text()


@pytest.mark.parametrize("path", ["/", "/table"])
def test_the_board_stays_put_under_a_thumb_while_a_piece_is_in_the_hand(join, server, eyes, path):
    page = join()
    page.goto(page.url.replace("/join", path))
    live(page)
    before = page.locator("#board").bounding_box()
    eyes.words = {**eyes.words, "lifted": "f2", "differs": ["f2"], "message": "f2 is empty"}
    web.changed(server.app)
    if path == "/":
        page.wait_for_selector("text=In the hand")
    else:
        tap(page, "f2")
        page.wait_for_selector("text=Tap where it goes")
    assert page.locator("#board").bounding_box() == before


def test_a_tap_on_a_piece_and_a_spot_asks_was_that_allowed(open_page, table):
    page = live(open_page())
    action = a_move(table)
    tap(page, action.origin)
    page.wait_for_selector(".aim")
    tap(page, action.target)
    page.wait_for_selector("#answer .verdict.yes")
    assert table.actions == ()


def test_the_board_is_walked_by_keys_alone(open_page, table):
    page = live(open_page())
    action = a_move(table)
    page.locator('.spot[tabindex="0"]').focus()
    before = page.evaluate("document.activeElement.dataset.spot")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.spot") != before
    assert page.locator('.spot[tabindex="0"]').count() == 1
    spot(page, action.origin).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".aim")
    spot(page, action.target).focus()
    page.keyboard.press("Space")
    page.wait_for_selector("#answer .verdict")


def test_every_spot_can_be_reached_by_arrow_keys(open_page, table):
    page = open_page(viewport=LAPTOP)
    reached = page.evaluate(
        """async () => {
            const { Board } = await import("/static/board.js");
            const board = new Board(document.getElementById("board"), () => {});
            const ways = [[1, 0], [-1, 0], [0, 1], [0, -1]];
            const seen = new Set(), open = [board.spots.keys().next().value];
            while (open.length) {
                const name = open.pop();
                if (seen.has(name)) continue;
                seen.add(name);
                for (const way of ways) {
                    const next = board.neighbour(name, way);
                    if (next) open.push(next.element.dataset.spot);
                }
            }
            return seen.size;
        }"""
    )
    assert reached == len(table.game.board(table.setup).spots)


def test_an_invitation_brings_a_phone_in_and_to_a_seat(join, table):
    page = live(join())
    assert "#" not in page.url
    seat = table.setup.seats[0]
    page.click(f"#sit-{seat}")
    page.wait_for_selector(f"#leave-{seat}")
    page.click(".tabs >> text=Game")
    assert "Your turn" in page.locator("#part-turn").text_content()


def test_a_seat_takes_back_after_a_question(join, table):
    page = live(join())
    page.click(f"#sit-{table.setup.seats[0]}")
    page.wait_for_selector(f"#leave-{table.setup.seats[0]}")
    table.play(a_move(table), "camera")
    page.click(".tabs >> text=Log")
    live(page)
    page.click("text=Undo this")
    page.click("dialog >> text=Cancel")
    assert len(table.actions) == 1
    page.click("text=Undo this")
    page.click("dialog >> text=Yes")
    page.wait_for_selector("text=taken back (1)")
    assert table.actions == ()


def test_the_hand_moves_pieces_of_the_simulated_table_alone(join, table, top):
    page = join(viewport=LAPTOP)
    page.click(".tabs >> text=Table")
    live(page)
    action = a_move(table)
    token = top.on[action.origin]
    tap(page, action.origin)
    page.wait_for_selector(f'[data-spot="{action.origin}"]:not([data-token])')
    assert top.held == token
    tap(page, action.target)
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token="{token}"]')
    assert top.on[action.target] == token
    assert table.actions == ()


def test_the_simulated_table_is_played_by_keys_alone(join, table, top):
    page = join()
    page.click(".tabs >> text=Table")
    live(page)
    action = a_move(table)
    token = top.on[action.origin]
    spot(page, action.origin).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f'[data-spot="{action.origin}"]:not([data-token])')
    spot(page, action.target).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token="{token}"]')
    page.keyboard.press("Enter")
    page.wait_for_selector(f'[data-spot="{action.target}"]:not([data-token])')
    page.keyboard.press("f")
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token="{token}+"]')
    page.keyboard.press("Enter")
    page.wait_for_selector(f'[data-spot="{action.target}"]:not([data-token])')
    page.keyboard.press("Escape")
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token="{token}+"]')
    assert (top.held, top.on[action.target]) == (None, f"{token}+")


def test_a_piece_is_dragged_and_off_the_board_it_goes_to_the_side(join, table, top):
    page = join(viewport=LAPTOP)
    page.click(".tabs >> text=Table")
    live(page)
    action = a_move(table)
    token = top.on[action.origin]
    page.evaluate("scrollTo(0, 0)")

    def drag(start, end):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        page.mouse.move(*end)
        page.mouse.up()

    def middle(name):
        box = spot(page, name).locator(".cell").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    drag(middle(action.origin), middle(action.target))
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token="{token}"]')
    drag(middle(action.target), (10, 400))
    page.wait_for_selector(f'#off [data-token="{token}"]')
    assert top.beside == [token]
    page.click(f'#off [data-token="{token}"]')
    tap(page, action.origin)
    page.wait_for_selector(f'[data-spot="{action.origin}"][data-token="{token}"]')
    assert (top.beside, top.on[action.origin]) == ([], token)


def test_a_phone_that_loses_the_house_says_so_and_comes_back(open_page, server, table):
    page = live(open_page())
    page.route("**/api/**", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector("#pill[data-live=wait]")
    table.play(a_move(table), "camera")
    page.unroute("**/api/**")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    live(page)
    page.wait_for_selector(f'[data-spot="{table.actions[0].target}"][data-token]')


def test_the_page_can_be_read_without_a_script(open_page, table):
    table.play(a_move(table), "camera")
    page = open_page(java_script_enabled=False)
    assert "Not live" in page.locator("#pill").text_content()
    assert page.locator(".spot").count() == len(table.game.board(table.setup).spots)
    page.click(".tabs >> text=Referee")
    action = a_move(table)
    page.fill("#from", action.origin)
    page.fill("#to", action.target)
    page.click("text=Ask")
    assert "Allowed" in page.locator("#answer .verdict").text_content()


@pytest.mark.parametrize("path", ["/", "/allowed", "/history", "/rules", "/join", "/table"])
@pytest.mark.parametrize("width", [320, 360, 1280])
def test_no_page_scrolls_sideways(open_page, path, width):
    page = open_page(path, viewport={"width": width, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("path", ["/", "/allowed", "/history", "/join", "/table"])
def test_whatever_is_pressed_is_large_enough_for_a_thumb(join, table, path):
    table.play(a_move(table), "camera")
    page = join()
    page.goto(page.url.replace("/join", path))
    small = page.evaluate(
        """() => Array.from(document.querySelectorAll(
            "button, nav a, input:not([type=checkbox]), select, label.check, a.button, summary"))
            .filter((e) => e.checkVisibility())
            .map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
            .filter(([, box]) => box.width < 48 || box.height < 48)
            .map(([text]) => text)"""
    )
    assert small == []


def test_a_first_load_asks_our_own_host_alone_and_seldom(browser, server):
    page = browser.new_page(viewport=PHONE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"http://127.0.0.1:{server.port}/")
    live(page)
    page.context.close()
    assert {url.split("/")[2] for url in asked} == {f"127.0.0.1:{server.port}"}
    assert len(asked) <= 8


def test_a_first_load_of_a_whole_board_is_small(server):
    """The page with its board and every token, style, scripts and icon, as they are sent."""
    client = server.app.test_client()
    total = 0
    for path in ("/", *(f"/static/{name}" for name in STATIC)):
        with client.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.status_code == 200
            total += len(answer.data)
    assert total <= 60 * 1024


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/allowed?from=h2&to=h9", "/history", "/join", "/table"])
def test_axe_finds_nothing_to_complain_of(join, table, lit, top, path, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
    action = a_move(table)
    table.play(Action("move", action.target, action.origin), "camera")
    table.play(action, "camera")
    lit[action.origin] = {"colour": "#2ecc71", "effect": "pulse", "meaning": "may go here"}
    top.remove("h2")
    page = join(color_scheme=scheme)
    page.click(f"#sit-{table.setup.seats[0]}")
    page.wait_for_selector(f"#leave-{table.setup.seats[0]}")
    page.goto(page.url.replace("/join", path))
    live(page)
    found = axe.Axe().run(page)
    assert [violation["id"] for violation in found.response["violations"]] == []
