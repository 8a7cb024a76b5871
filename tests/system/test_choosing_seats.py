"""Who plays the next game, chosen in a browser: taps, keys, reasons, options that change it."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.chromium import NAME

PHONE, TABLE = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


@pytest.fixture
def box(browser):
    """Open the box of a game at a table that plays chess, on the host's phone."""
    opened = []
    with Journal() as journal:
        game = find_game("chess")
        evening = Evening(Table.create(journal, game, game.setup()))
        app = web.create_app(evening, config=web.Config(hosts=(NAME,)))
        with web.Server(app, port=0) as server:

            def open_box(name, viewport=PHONE, **more):
                context = browser.new_context(viewport=viewport, **more)
                opened.append(context)
                page = context.new_page()
                page.set_default_timeout(30_000)
                code = web.invitation(app, host=True).partition("#")[2]
                page.goto(f"http://{NAME}:{server.port}/join#{code}")
                page.wait_for_selector("[id^=sit-]")
                page.goto(f"http://{NAME}:{server.port}/shelf/{name}")
                page.wait_for_selector("#pill[data-live=yes]")
                page.evening = evening
                return page

            yield open_box
            for context in opened:
                context.close()


@pytest.fixture
def victorus(box):
    return box("victorus")


def ticked(page, game="victorus"):
    return page.eval_on_selector_all(
        f"#game-{game} [name=seat]:checked", "boxes => boxes.map(box => box.value)"
    )


def open_seats(page, game="victorus"):
    return page.eval_on_selector_all(
        f"#game-{game} [name=seat]:not(:disabled)", "boxes => boxes.map(box => box.value)"
    )


def why(page, game="victorus"):
    return page.inner_text(f"#why-{game}")


@pytest.mark.thorough
def test_two_players_are_one_tap(victorus):
    assert len(ticked(victorus)) == 6
    victorus.click("#game-victorus [data-count='2']")
    assert ticked(victorus) == ["red", "purple"]
    victorus.click("#game-victorus [type=submit]")
    victorus.wait_for_url("**/")
    assert victorus.evening.table.setup.seats == ("red", "purple")


@pytest.mark.slow
def test_beside_one_of_two_only_the_seat_opposite_can_be_ticked(victorus):
    victorus.click("#game-victorus [data-count='2']")
    victorus.uncheck("#game-victorus [value=red]")
    assert set(open_seats(victorus)) == {"red", "purple"}
    assert "Not with the others when 2 play: black" in why(victorus)
    assert "1 more" in why(victorus)
    assert victorus.is_disabled("#game-victorus [type=submit]")
    victorus.uncheck("#game-victorus [value=purple]")
    assert len(open_seats(victorus)) == 6
    victorus.check("#game-victorus [value=black]")
    victorus.check("#game-victorus [value=blue]")
    assert victorus.is_enabled("#game-victorus [type=submit]")
    assert "2 play already" in why(victorus)


def test_unticking_one_of_six_leaves_five(victorus):
    victorus.uncheck("#game-victorus [value=green]")
    assert victorus.get_attribute("#game-victorus [data-count='5']", "aria-pressed") == "true"
    assert victorus.is_enabled("#game-victorus [type=submit]")


def test_it_is_done_by_keys_alone(victorus):
    victorus.focus("#game-victorus [data-count='2']")
    victorus.keyboard.press("Enter")
    victorus.focus("#game-victorus [value=purple]")
    victorus.keyboard.press("Space")
    assert ticked(victorus) == ["red"]
    assert victorus.is_disabled("#game-victorus [value=black]")


def test_options_change_who_can_play_while_they_are_chosen(victorus):
    victorus.click("#house-rules > summary")
    victorus.click("#game-victorus [data-count='2']")
    victorus.select_option("#game-victorus [name=variant]", "allied")
    victorus.wait_for_selector("#game-victorus [data-count='2']", state="hidden")
    assert len(ticked(victorus)) in (4, 6)
    victorus.select_option("#game-victorus [name=variant]", "basic")
    victorus.select_option("#game-victorus [name=placement]", "free")
    victorus.wait_for_selector("#game-victorus [data-count='2']", state="visible")
    victorus.click("#game-victorus [data-count='2']")
    victorus.uncheck("#game-victorus [value=purple]")
    victorus.wait_for_selector("#game-victorus [value=black]:not(:disabled)")
    victorus.check("#game-victorus [value=black]")
    victorus.click("#game-victorus [type=submit]")
    victorus.wait_for_url("**/")
    assert set(victorus.evening.table.setup.seats) == {"red", "black"}


@pytest.mark.slow
def test_games_that_need_all_lock_them_and_say_so(box):
    for game, count in (("heximeros", 6), ("victory_honor", 4), ("invictus", 2)):
        page = box(game)
        assert len(ticked(page, game)) == count
        assert open_seats(page, game) == []
        assert "is played with all of these" in why(page, game)
        assert page.is_enabled(f"#game-{game} [type=submit]")


def test_an_option_that_does_not_go_with_the_others_says_why(box):
    page = box("hoplomachus")
    option = "#game-hoplomachus [name=cards] option[value=own]"
    assert page.eval_on_selector(option, "one => one.disabled")
    assert "54 Conflict cards" in page.inner_text("#game-hoplomachus [data-why=cards]")


def order_of(page):
    return page.eval_on_selector_all(".order li", "all => all.map(one => one.dataset.thing)")


def test_the_order_of_the_seats_is_changed_by_keys(victorus):
    victorus.focus("[data-thing=green] [data-step='-1']")
    for _ in range(3):
        victorus.keyboard.press("ArrowUp")
    assert order_of(victorus) == ["red", "black", "green", "orange", "purple", "blue"]
    victorus.keyboard.press("ArrowDown")
    assert order_of(victorus)[3] == "green"
    victorus.click("#game-victorus [type=submit]")
    victorus.wait_for_url("**/")
    assert victorus.evening.table.setup["seats"] == "red-black-orange-green-purple-blue"


def test_a_seat_is_dragged_to_its_place(victorus):
    item = victorus.locator("[data-thing=blue] span")
    item.scroll_into_view_if_needed()
    start = item.bounding_box()
    target = victorus.locator("[data-thing=black]").bounding_box()
    victorus.mouse.move(start["x"] + 20, start["y"] + 10)
    victorus.mouse.down()
    victorus.mouse.move(start["x"] + 20, target["y"] + target["height"], steps=4)
    victorus.mouse.move(start["x"] + 20, target["y"] + 2, steps=4)
    victorus.mouse.up()
    assert order_of(victorus)[:3] == ["red", "blue", "black"]


def test_a_choice_is_kept_by_name_and_played_in_one_tap(victorus):
    victorus.click("[data-count='2']")
    victorus.fill("#preset-name", "Sunday")
    victorus.click("#preset-keep")
    victorus.wait_for_selector("text=Sunday")
    victorus.goto(victorus.url.replace("/victorus", ""))
    victorus.click("#box-victorus button:has-text('Sunday')")
    victorus.wait_for_url("**/")
    assert victorus.evening.table.setup.seats == ("red", "purple")


@pytest.mark.thorough
@pytest.mark.parametrize("first", ["answer", "stream"])
def test_a_game_that_is_played_on_is_gone_to_whatever_tells_of_it_first(victorus, first):
    page, aside = victorus, victorus.evening.table.game_id
    page.evening.begin("invictus", None, {})
    page.wait_for_url("**/")
    page.goto(page.url + "games")
    if first == "answer":
        page.route("**/api/events*", lambda route: route.abort())
    else:
        page.route("**/api/resume*", unanswered)
    page.on("dialog", lambda dialog: dialog.accept())
    page.click(f"#resume-{aside}")
    page.click("dialog [value=yes]")
    page.wait_for_url("**/")
    assert page.evening.table.game_id == aside


def unanswered(route):
    """Let the request through, and keep the answer back. Chromium alone knows the table's name."""
    asked = urlsplit(route.request.url)
    here = asked._replace(netloc=f"127.0.0.1:{asked.port}").geturl()
    route.fetch(url=here, headers={**route.request.all_headers(), "host": asked.netloc})


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, TABLE], ids=["phone", "desktop"])
def test_nothing_runs_out_of_the_page(box, viewport, scheme):
    page = box("victorus", viewport, color_scheme=scheme)
    page.click("#game-victorus [data-count='2']")
    page.uncheck("#game-victorus [value=red]")
    page.click("#house-rules > summary")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    low = page.eval_on_selector_all(
        "#game-victorus .counts button:not([hidden])",
        "all => all.map(one => one.getBoundingClientRect().height).filter(height => height < 44)",
    )
    assert low == []
