"""The largest board on the smallest phone: HexiMeros on 360 pixels, by thumb and by keys."""

from __future__ import annotations

import pytest

from companion.games import find_game
from tests.checks.panning import FRAME, panned

READABLE = 20
"""Pixels across, from which a piece on a cell is told from its neighbours."""


@pytest.fixture(scope="module")
def game():
    return find_game("heximeros")


@pytest.fixture
def board(join, table):
    """The phone of the seat that is to move, at the game."""
    page = join()
    seat = table.game.to_move(table.state)
    page.click(f"#sit-{seat}")
    page.wait_for_selector(f"#leave-{seat}")
    page.goto(page.url.replace("/join", "/"))
    page.wait_for_selector("#pill[data-live=yes]")
    return page


def cell(page):
    """Return how many pixels a cell is across."""
    return page.evaluate("document.querySelector('.cell').getBoundingClientRect().height")


def seen(page, spot):
    """Tell whether ``spot`` lies within the window onto the board."""
    return page.evaluate(
        """(spot) => {
          const shape = document.querySelector(`[data-spot="${spot}"] .cell`);
          const inner = shape.getBoundingClientRect();
          const outer = document.getElementById("frame").getBoundingClientRect();
          return inner.left >= outer.left - 1 && inner.right <= outer.right + 1
            && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
        }""",
        spot,
    )


@pytest.mark.slow
def test_a_phone_begins_at_its_army_and_shows_the_whole_and_the_last_move(board, table):
    game = table.game
    seat = game.to_move(table.state)
    army = [s for s, t in game.expect(table.state).items() if t.startswith(f"{seat} ")]
    assert cell(board) > READABLE
    assert sum(seen(board, spot) for spot in army) > 0.8 * len(army)
    board.click("[data-zoom=all]")
    assert cell(board) < READABLE
    assert all(seen(board, spot) for spot in game.expect(table.state))
    action = next(a for a in game.legal(table.state) if a.origin and a.target)
    table.play(action, "camera")
    board.wait_for_selector(f'[data-spot="{action.target}"][data-mark=last]')
    board.click("[data-zoom=last]")
    assert cell(board) > READABLE
    assert seen(board, action.origin)
    assert seen(board, action.target)


def test_keys_make_the_board_larger_and_walk_it(board):
    board.click("[data-zoom=all]")
    whole = cell(board)
    board.locator('.spot[tabindex="0"]').focus()
    board.keyboard.press("+")
    assert cell(board) > 1.4 * whole
    for _ in range(6):
        board.keyboard.press("ArrowDown")
    walked = board.evaluate("document.activeElement.dataset.spot")
    assert seen(board, walked), "the window goes along"
    board.keyboard.press("0")
    assert cell(board) == pytest.approx(whole)


@pytest.mark.thorough
def test_the_token_is_passed_by_a_button_that_stays_in_sight(board, table):
    game = table.game
    action = next(a for a in game.legal(table.state) if a.origin and a.target)
    before = game.to_move(table.state)
    table.play(action, "camera")
    button = board.locator("text='Pass the Token'")
    button.wait_for()
    board.evaluate("scrollTo(0, 0)")
    box, tabs = button.bounding_box(), board.locator("nav.tabs").bounding_box()
    assert box["y"] + box["height"] <= tabs["y"]
    button.click()
    board.wait_for_selector("#part-turn :text('To move')")
    assert game.to_move(table.state) != before


@pytest.mark.slow
def test_panning_lays_nothing_out_and_paints_nothing_anew(join):
    page = join(has_touch=True, is_mobile=True)
    page.goto(page.url.replace("/join", "/"))
    page.wait_for_selector("#pill[data-live=yes]")
    for _ in range(2):
        page.locator("[data-zoom=in]").dispatch_event("click")
    page.wait_for_selector("#frame.large")
    before = page.evaluate("[frame.scrollLeft, frame.scrollTop]")
    times = panned(page).times
    assert page.evaluate("[frame.scrollLeft, frame.scrollTop]") != before
    assert times[FRAME] > 0
    assert (times["Layout"], times["Paint"]) == (0, 0)


def middle(page):
    """Return which cell lies nearest to the middle of the window onto the board."""
    return page.evaluate(
        """() => {
          const { left, top } = frame.getBoundingClientRect();
          const [x, y] = [left + frame.clientWidth / 2, top + frame.clientHeight / 2];
          const far = (spot) => {
            const box = spot.querySelector(".cell").getBoundingClientRect();
            return Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y);
          };
          const spots = [...document.querySelectorAll(".spot")];
          return spots.reduce((one, other) => (far(other) < far(one) ? other : one)).dataset.spot;
        }"""
    )


def turned_over(page):
    """Turn the phone over, and wait until the board has settled."""
    size = page.viewport_size
    page.set_viewport_size({"width": size["height"], "height": size["width"]})
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")


def test_a_phone_that_is_turned_over_shows_the_same_place_as_large(board):
    board.click("[data-zoom=army]")
    board.evaluate("frame.scrollBy(-60, -140)")
    board.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")
    place, size = middle(board), cell(board)
    for _ in range(4):
        turned_over(board)
        assert middle(board) == place
        assert cell(board) == pytest.approx(size, rel=0.02)
