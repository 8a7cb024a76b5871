"""Lessons in a browser: every one of a game is played to its end by taps, and mistakes are put
right."""

from __future__ import annotations

import pytest

from companion.games import find_game, games
from companion.journal import Journal
from companion.referee.lessons import answered, beginning, lesson_of, lessons_of
from companion.table import Table
from tests.checks.pages_alone import Top, Words, joined, opening, serving

PATIENCE = 60_000  # milliseconds


@pytest.fixture
def pupil(browser):
    """A phone that came in at a table where another game is played; a new one for each test, for a
    phone that plays all lessons of all games in two minutes is slowed down."""
    with Journal() as journal:
        game = find_game("invictus")
        table = Table.create(journal, game, game.setup())
        with (
            serving(table, Top(game.expect(table.state)), {}, Words()) as server,
            opening(browser, server, PATIENCE) as open_page,
        ):
            yield joined(open_page, server)


@pytest.fixture
def learn(pupil):
    """Open a lesson."""

    def learn(path):
        pupil.goto(f"{'/'.join(pupil.url.split('/')[:3])}/lessons/{path}")
        pupil.wait_for_selector("#pill[data-live=yes]")
        return pupil

    return learn


def act(page, game, action):
    """Tap what ``action`` does, or say it."""
    spots = [spot for spot in (action.origin, action.target) if spot]
    written, made = game.format(action), int(page.get_attribute("#lesson", "data-made"))
    for spot in spots:
        # As a thumb does, out from under what is told beneath the board.
        page.locator(f'[data-spot="{spot}"]').evaluate("it => it.scrollIntoView({block: 'center'})")
        page.click(f'[data-spot="{spot}"]', force=True)
    if action.detail or not spots:
        # Where there is one way alone it is not asked about.
        button = f'#answer button[data-action="{written}"]'
        page.wait_for_selector(f'{button}, #lesson[data-made]:not([data-made="{made}"])')
        if page.locator(button).count():
            page.click(button)


def played(page, game, lesson):
    """Play ``lesson`` on its page as its solution says."""
    start = beginning(game, lesson)
    found = answered(game, lesson, ())
    while found.status == "going":
        action = game.parse(start.setup, lesson.solution[len(found.actions)])
        found = answered(game, lesson, [*found.actions, action])
        act(page, game, action)
        page.wait_for_selector(f'#lesson[data-made="{len(found.actions)}"]')
    page.wait_for_selector('#lesson[data-status="done"]')


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name != "victorus"))
        for name in sorted(games())
    ],
)
def test_every_lesson_is_played_to_its_end_by_taps(learn, name):
    game = find_game(name)
    for lesson in lessons_of(game):
        played(learn(f"{name}/{lesson.name}"), game, lesson)
    page = learn(name)
    page.wait_for_selector("li.ticked")
    assert page.locator("li.ticked").count() == len(lessons_of(game))


def test_a_refusal_names_its_rule_and_a_move_beside_the_aim_is_put_back_by_one_tap(learn):
    page = learn("victorus/edge")
    for spot in ("h5", "h8"):
        page.click(f'[data-spot="{spot}"]', force=True)
    page.wait_for_selector("#answer .verdict.no")
    assert "VIC-3.2" in page.inner_text("#answer")
    for spot in ("h5", "h11"):
        page.click(f'[data-spot="{spot}"]', force=True)
    page.wait_for_selector('#lesson[data-status="failed"]')
    page.click("#lesson-back")
    page.wait_for_selector('#lesson[data-status="going"]')
    assert page.get_attribute('[data-spot="h5"]', "data-token") == "red black T"
    assert not page.is_visible("#lesson-back")


def test_what_a_pawn_becomes_is_chosen_and_black_answers_by_itself(learn):
    game = find_game("chess")
    for name in ("promotion", "two_rooks"):
        played(learn(f"chess/{name}"), game, lesson_of(game, name))


def test_hints_come_one_by_one(learn):
    page = learn("chess/mate")
    assert page.locator("#hints li:visible").count() == 0
    page.click("#lesson-hint")
    assert page.locator("#hints li:visible").count() == 1
    page.click("#lesson-hint")
    assert page.locator("#hints li:visible").count() == 2
    assert not page.is_visible("#lesson-hint")


@pytest.mark.slow
def test_a_lesson_is_learned_at_the_table_by_its_lights_and_its_camera(house_of):
    house = house_of("chess")
    page = house.phone(host=True)
    house.visit(page, "/lessons/victorus/slide")
    page.click("#lesson-lay")
    page.click("dialog button[value=yes]")
    page.wait_for_selector("#lesson[data-table]")
    # The table's page is loaded anew for the other game.
    house.table.wait_for_selector('[data-spot="g5"][data-token="red white T"]')
    house.table.wait_for_selector("#pill[data-live=yes]")
    house.in_order()
    house.wait_for("state.lights.g5 && state.lights.g9")
    house.move("g5", "g9")
    page.wait_for_selector('#lesson[data-status="done"]')


@pytest.mark.parametrize("path", ["victorus/hospitaller", "heximeros/archer", "hoplomachus/engage"])
def test_what_a_learner_is_asked_is_on_a_phones_screen_without_scrolling(learn, path):
    page = learn(path)
    tabs = page.locator(".tabs").bounding_box()["y"]

    def seen(part):
        box = page.locator(part).bounding_box()
        return 0 < box["y"] <= tabs - box["height"]

    assert seen("#hint")
    assert seen("#lesson-next")
    assert page.evaluate("scrollY") == 0
    page.click("#lesson-hint")
    assert seen("#hints li:first-child")
