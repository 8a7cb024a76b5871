"""The stage: the board and the line beneath it on one screen, sheets that slide over it, keys."""

from __future__ import annotations

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.rules import Action
from companion.table import Table
from tests.checks.pages_alone import Top, Words, joined, opening, serving

PATIENCE = 60_000  # milliseconds
LAPTOP = {"width": 1440, "height": 900}


def at(page, path):
    page.goto("/".join(page.url.split("/")[:3]) + path)
    page.wait_for_selector("#pill[data-live=yes]")
    return page


def sit(page, seat):
    page.click(f"#sit-{seat}")
    page.wait_for_selector(f"#leave-{seat}")
    return at(page, "/")


def by_phone(page):
    """Let the host say that moves are entered on phones."""
    at(page, "/settings")
    with page.expect_response("**/api/settings*") as kept:
        page.select_option("[name=play]", "phone")
    assert kept.value.ok
    return at(page, "/")


def tap(page, spot):
    page.locator(f'.spot[data-spot="{spot}"]').dispatch_event("click")


def a_move(table):
    """Return the first legal move of a token to an empty spot."""
    standing = table.game.expect(table.state)
    return next(a for a in table.game.legal(table.state) if a.origin and a.target not in standing)


@pytest.fixture(scope="module", params=games())
def any_phone(browser, request):
    """A phone that joined at a table of any game."""
    game = find_game(request.param)
    with Journal() as journal:
        table = Table.create(journal, game, game.setup())
        top = Top(game.expect(table.state))
        with (
            serving(table, top, {}, Words()) as server,
            opening(browser, server, PATIENCE) as open_page,
        ):
            yield joined(open_page, server, has_touch=True)


@pytest.mark.parametrize("path", ["/", "/table"])
def test_board_and_line_of_every_game_fill_one_screen_without_scrolling(any_phone, path):
    page = at(any_phone, path)
    boxes = page.evaluate(
        """() => ["frame", "line", "handles"].map((id) => {
          const box = document.getElementById(id).getBoundingClientRect();
          return [box.top, box.bottom, box.width];
        })"""
    )
    tabs = page.locator("nav.tabs").bounding_box()["y"]
    assert page.evaluate("document.documentElement.scrollHeight") == 740
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    (top_, board, width), (line, *_), (_, end, _) = boxes
    assert top_ >= 48
    assert board <= line
    assert board - top_ > 280
    assert width == 360
    assert end <= tabs + 1


def test_a_sheet_slides_over_the_stage_and_gives_the_focus_back(join, table):
    page = sit(join(), "red")
    handle = page.locator("[data-sheet=scores]")
    handle.focus()
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog", name="Scorecards")
    sheet.wait_for()
    assert page.evaluate("document.querySelector('dialog').contains(document.activeElement)")
    table.play(a_move(table), "camera")
    page.wait_for_selector("#part-cards .score")
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.dataset.sheet") == "scores"
    page.wait_for_selector("#sheets #sheet-scores", state="attached")  # it is back where it belongs


def test_a_sheet_is_closed_by_its_button(join):
    page = sit(join(has_touch=True), "red")
    page.locator("[data-sheet=scores]").tap()
    page.locator("dialog[open] [data-shut]").tap()
    page.wait_for_selector("#sheets #sheet-scores", state="attached")


def test_what_a_browser_grants_only_over_https_is_not_offered(join):
    page = at(join(), "/join")
    page.wait_for_selector("#device:visible")
    offered = page.locator("#device [data-device]:visible")
    assert offered.evaluate_all("boxes => boxes.map((box) => box.dataset.device)") == [
        "sound", "speech", "vibrate",
    ]  # fmt: skip
    assert page.locator("#device :disabled").count() == 0
    assert "longer screen time-out" in page.inner_text("#device-note")


def test_how_any_game_stands_is_told_beside_the_scores(any_phone):
    page = at(any_phone, "/")
    state = "fetch('/api/state').then((answer) => answer.json())"
    page.locator("[data-sheet=scores]").click()
    told = page.locator("dialog[open] #part-situation li").all_inner_texts()
    assert told == page.evaluate(state)["situation"]
    page.locator("dialog[open] [data-shut]").click()


def test_a_sheet_that_is_opened_as_another_closes_is_shown_and_both_go_back(join):
    page = sit(join(), "red")
    order = '() => [...document.querySelectorAll("#sheets > [id^=sheet-]")].map((one) => one.id)'
    before = page.evaluate(order)
    page.locator("[data-sheet=scores]").click()
    page.get_by_role("dialog", name="Scorecards").wait_for()
    page.evaluate(
        """() => { document.querySelector("dialog.drawn").close();
                   document.querySelector("[data-sheet=moves]").click(); }"""
    )
    page.wait_for_selector("dialog[open] #sheet-moves")
    page.wait_for_selector("#sheets #sheet-scores", state="attached")
    page.keyboard.press("Escape")
    page.wait_for_selector("#sheets #sheet-moves", state="attached")
    assert len(before) > 2
    assert page.evaluate(order) == before


def test_a_sheet_is_drawn_up_from_the_line_and_down_by_a_finger(join):
    page = sit(join(has_touch=True), "red")
    swipe = """([selector, from, to]) => {
      const thing = document.querySelector(selector);
      const touch = (y) => new Touch({ identifier: 1, target: thing, clientX: 100, clientY: y });
      thing.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)] }));
      thing.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(to)] }));
    }"""
    page.evaluate(swipe, ["#line", 500, 300])
    page.wait_for_selector("dialog[open] #sheet-scores")
    page.evaluate(swipe, ["dialog.drawn", 300, 600])
    page.wait_for_selector("#sheets #sheet-scores", state="attached")


def test_where_there_is_room_nothing_has_to_be_drawn_over_the_board(join):
    page = sit(join(viewport=LAPTOP), "red")
    assert page.locator("#handles").is_hidden()
    for sheet in ("referee", "scores"):
        assert page.locator(f"#sheet-{sheet}").is_visible()
    tap(page, "h2")
    tap(page, "h9")
    page.wait_for_selector("#ruled .verdict")
    assert "VIC-" in page.locator("#ruled").inner_text()


def test_the_second_tap_plays_and_undo_is_one_tap_that_names_what_it_undoes(join, table):
    page = by_phone(sit(join(), "red"))
    action = a_move(table)
    tap(page, action.origin)
    tap(page, action.target)
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token]')
    assert [str(done) for done in table.actions] == [str(action)]
    page.wait_for_selector(f"#undo:has-text('{action.origin} → {action.target}')")
    page.click("#undo")
    page.wait_for_selector(f'[data-spot="{action.origin}"][data-token]')
    assert table.actions == ()


def test_with_a_camera_the_second_tap_only_asks_even_while_the_table_differs(
    join, table, server, eyes
):
    page = sit(join(), "red")
    eyes.words = {**eyes.words, "differs": ["h2"]}
    web.changed(server.app)
    page.wait_for_selector("#part-message .differs", state="attached")
    action = a_move(table)
    tap(page, action.origin)
    tap(page, action.target)
    page.wait_for_selector("#answer .verdict.yes")
    assert table.actions == ()
    page.click("#answer >> text=Play this move")
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token]')


class TestChess:
    @pytest.fixture
    def game(self):
        return find_game("chess")

    @pytest.mark.thorough
    def test_a_button_stands_for_each_of_several_actions_that_end_on_one_spot(self, join, table):
        position = {"e1": "white K", "a7": "white P", "e8": "black K"}
        table.arrange(position, "host", "white")
        page = by_phone(sit(join(), "white"))
        tap(page, "a7")
        tap(page, "a8")
        buttons = page.locator("#answer .aims button")
        buttons.first.wait_for()
        assert buttons.count() == 4
        page.click("#answer .aims button:has-text('queen')")
        page.wait_for_selector('[data-spot="a8"][data-token="white Q"]')
        assert [str(action) for action in table.actions] == ["a7-a8=Q"]

    def test_one_s_own_piece_that_is_tapped_next_is_meant_instead(self, join, table):
        page = by_phone(sit(join(), "white"))
        tap(page, "b1")
        tap(page, "g1")
        page.wait_for_selector('.spot[data-spot="g1"][aria-selected]')
        tap(page, "f3")
        page.wait_for_selector('[data-spot="f3"][data-token="white N"]')


def test_a_refusal_shakes_shows_its_proof_and_the_way_back(join, table):
    page = sit(join(), "red")
    game, state = table.game, table.state
    own = [spot for spot, token in game.expect(state).items() if token.startswith("red ")]
    refused = next(
        action
        for origin in own
        for target in sorted(game.board(table.setup).spots)
        if not game.judge(state, action := Action("move", origin, target)).allowed
        and game.judge(state, action).spots
    )
    table.play(refused, "camera")
    page.wait_for_selector("#line .refused .verdict.no")
    assert f"put it on {refused.origin} again" in page.locator("#line").inner_text()
    page.wait_for_selector(".way", state="attached")
    assert page.locator('[data-mark="proof"]').count()
    table.play(a_move(table), "camera")
    page.wait_for_selector(".way", state="detached")


@pytest.mark.thorough
@pytest.mark.parametrize("still", [True, False])
def test_a_move_slides_unless_less_motion_is_wished(join, table, still):
    page = sit(join(reduced_motion="reduce" if still else "no-preference"), "red")
    page.evaluate(
        """() => {
          globalThis.moved = [];
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, how) {
            moved.push(how.duration ?? how);
            return animate.call(this, frames, how);
          };
        }"""
    )
    action = a_move(table)
    table.play(action, "camera")
    page.wait_for_selector(f'[data-spot="{action.target}"][data-token]')
    moved = page.evaluate("moved")
    assert moved == [] if still else 150 in moved


@pytest.mark.thorough
def test_all_keys_are_told_and_letters_can_be_switched_off(join):
    page = sit(join(), "red")
    page.keyboard.press("?")
    told = page.get_by_role("dialog", name="Keys")
    told.wait_for()
    assert {"b", "s", "m", "+", "t"} <= set(told.locator("kbd").all_inner_texts())
    told.get_by_role("button", name="Close").click()
    page.keyboard.press("b")
    token = page.evaluate("document.activeElement.dataset.token")
    assert token.startswith("red "), "the first focus is on one's own army"
    page.keyboard.press("s")
    page.get_by_role("dialog", name="Scorecards").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    told.get_by_role("button", name="No letters as keys").click()
    told.wait_for(state="detached")
    page.keyboard.press("s")
    assert page.locator("dialog[open]").count() == 0


def test_coordinates_are_on_the_board_until_they_are_switched_off(join):
    page = sit(join(), "red")
    assert page.locator(".names text:visible").count() > 20
    page.keyboard.press("c")
    assert page.locator(".names text:visible").count() == 0
    page.reload()
    page.wait_for_selector("#pill[data-live=yes]")
    assert page.locator(".names text:visible").count() == 0


def test_what_is_lit_glows_on_the_simulated_table_too(join, server, lit):
    page = at(join(), "/table")
    lit["i4"] = {"colour": "#00dc46", "effect": "steady", "meaning": "may go here"}
    web.changed(server.app)
    page.wait_for_selector('[data-spot="i4"] .glow')


@pytest.mark.thorough
def test_on_the_simulated_table_the_cells_glow_before_any_light_does(join, table):
    page = at(sit(join(), "red"), "/table")
    action = a_move(table)
    page.wait_for_function("import('/static/live.js').then(({ live }) => live.view)")
    tap(page, action.origin)
    targets = {a.target for a in table.game.legal(table.state) if a.origin == action.origin}
    assert page.locator(".aim").count() == len(targets)
