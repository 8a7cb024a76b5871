"""The pages in a browser: a phone of 360 by 740, a laptop, keys alone, no script at all."""

from __future__ import annotations

import pytest

import web
from companion.rules import Action, name_of

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}


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
    assert name_of(table.game, token) in page.locator("#announce").text_content()
    assert name_of(table.game, token) in page.locator("#part-turn").text_content()


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
    assert "may go here" in page.locator("#part-legend").inner_text()


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


def test_an_answer_that_is_cut_off_is_no_fault_of_the_page(open_page):
    page = open_page("/")
    page.wait_for_selector("#pill[data-live=yes]")
    page.route("**/api/**", lambda route: route.fulfill(body='{"ok": tr'))
    told = page.evaluate(
        """async () => {
          const { get, post } = await import("/static/live.js");
          const { fetchSymbols } = await import("/static/board.js");
          await fetchSymbols(["never seen"]);
          return [await get("/api/judge", { from: "h2", to: "h4" }), await post("/api/pause")];
        }"""
    )
    assert [answer["error"]["code"] for answer in told] == ["offline", "offline"]
    page.unroute("**/api/**")


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


def test_the_board_lies_before_the_player_and_can_be_turned(join, table):
    page = live(join())
    page.click("#sit-purple")
    page.wait_for_selector("#leave-purple")
    page.goto(page.url.replace("/join", "/"))
    live(page)
    own, other = (
        page.locator(f'[data-token="{seat} half K"]').bounding_box()["y"]
        for seat in ("purple", "red")
    )
    assert own > other
    page.click("#look")
    page.click("[data-zoom=turn]")
    turned = page.locator('[data-token="purple half K"]').bounding_box()
    assert turned["y"] != own


def test_the_board_is_zoomed_to_the_army(join, table):
    page = live(join())
    page.click("#sit-red")
    page.wait_for_selector("#leave-red")
    page.goto(page.url.replace("/join", "/"))
    live(page)
    page.click("#look")
    before = spot(page, "h1").bounding_box()["width"]
    height = page.locator("#frame").bounding_box()["height"]
    page.click("[data-zoom=army]")
    assert spot(page, "h1").bounding_box()["width"] > 1.3 * before
    assert page.locator("#frame").bounding_box()["height"] == pytest.approx(height, abs=1)
    page.click("[data-zoom=out]")
    page.click("[data-zoom=out]")
    assert spot(page, "h1").bounding_box()["width"] == pytest.approx(before, abs=1)


def test_a_spot_says_what_stands_there_and_how_far_it_may_go(open_page, table):
    page = live(open_page())
    action = a_move(table)
    targets = {a.target for a in table.game.legal(table.state) if a.origin == action.origin}
    name = spot(page, action.origin).get_attribute("aria-label")
    token = table.game.expect(table.state)[action.origin]
    assert name_of(table.game, token) in name
    count = len(targets)
    assert ("can go to 1 cell" if count == 1 else f"can go to {count} cells") in name


def test_the_host_begins_another_game_and_all_pages_follow(join, table):
    page = live(join())
    watcher = page.context.new_page()
    watcher.goto(page.url.replace("/join", "/"))
    live(watcher)
    page.goto(page.url.replace("/join", "/shelf"))
    live(page)
    page.click("#play-chess")
    page.wait_for_url("**/")
    watcher.wait_for_selector('[data-spot="e1"][data-token="white K"]')
    watcher.close()


def test_moves_are_entered_on_a_phone_where_the_host_says_so(join, table):
    page = live(join())
    page.click("#sit-red")
    page.wait_for_selector("#leave-red")
    page.goto(page.url.replace("/join", "/settings"))
    live(page)
    with page.expect_response("**/api/settings*") as kept:
        page.select_option("[name=play]", "phone")
    assert kept.value.ok
    page.goto(page.url.replace("/settings", "/"))
    live(page)
    action = a_move(table)
    tap(page, action.origin)
    page.wait_for_selector(f'.spot[data-spot="{action.origin}"][aria-selected]')
    tap(page, action.target)
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token]')
    assert [str(done) for done in table.actions] == [str(action)]


@pytest.mark.slow
def test_a_draw_is_offered_and_accepted_and_a_pause_is_told(join, table):
    red, purple = live(join()), live(join())
    for page, seat in ((red, "red"), (purple, "purple")):
        page.click(f"#sit-{seat}")
        page.wait_for_selector(f"#leave-{seat}")
        page.goto(page.url.replace("/join", "/"))
        live(page)
    red.click("[data-sheet=more]")
    red.click("#pause")
    purple.wait_for_selector("#go-on")
    purple.click("#go-on")
    red.wait_for_selector("#go-on", state="detached")
    red.click("[data-sheet=more]")
    red.click("#offer-red")
    red.click("dialog >> text=Yes")
    purple.click("#draw-yes-purple")
    purple.wait_for_selector("#draw-yes-purple", state="detached")


def test_the_table_decides_beside_the_rules_and_it_can_be_undone(join, table):
    page = live(join())
    page.click("#sit-red")
    page.wait_for_selector("#leave-red")
    page.goto(page.url.replace("/join", "/allowed"))
    live(page)
    page.click("#house summary")
    page.fill("#house-why", "We agreed so")
    page.click("#house-edit")
    tap(page, "h2")
    tap(page, "h9")
    page.wait_for_selector('[data-spot="h9"][data-token]')
    page.click("#house-send")
    page.wait_for_url("**/")
    page.wait_for_selector('[data-spot="h9"][data-token]')
    page.click("#undo")
    page.wait_for_selector('[data-spot="h2"][data-token]')


def test_a_code_that_was_used_or_is_void_makes_room_for_another(join, open_page, server):
    first = join()
    code = first.inner_text(".spell")
    open_page(f"/join#{code}").wait_for_selector("#pill[data-live=yes]")
    first.wait_for_function("code => document.querySelector('.spell').innerText !== code", arg=code)
    used = first.inner_text(".spell")
    first.click("#people summary")
    first.click("#dismiss-2")
    first.click("dialog button:has-text('Yes')")
    first.wait_for_function("code => document.querySelector('.spell').innerText !== code", arg=used)
    assert not server.app.extensions["context"].door.good(used)
