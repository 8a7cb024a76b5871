"""The past of a game on its stage: steps back, a ruling that is jumped to, what the camera told put
right by a tap. Live play goes on meanwhile."""

from __future__ import annotations

from companion.rules import Action
from tests.system.test_stage import a_move, at, sit, tap


def test_whoever_looks_back_sees_the_past_and_comes_back_to_now(join, table):
    page = sit(join(has_touch=True), "red")
    first = a_move(table)
    table.play(first, "camera")
    page.wait_for_selector(f'.spot[data-spot="{first.target}"][data-token]')
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("[data-past]")
    page.wait_for_selector(f'.spot[data-spot="{first.origin}"][data-token]')
    # What is played meanwhile is told and does not take the past away.
    second = a_move(table)
    table.play(second, "camera")
    page.wait_for_selector("#now:text-is('Now +1')")
    assert page.locator(f'.spot[data-spot="{first.origin}"]').get_attribute("data-token")
    # Steps through the past do not make it forgotten.
    page.click("#later")
    page.wait_for_selector(f'.spot[data-spot="{first.target}"][data-token]')
    assert page.inner_text("#now") == "Now +1"
    page.keyboard.press("n")
    page.wait_for_selector(".stage:not([data-past])")
    page.wait_for_selector(f'.spot[data-spot="{second.target}"][data-token]')


def test_a_refused_move_stands_in_the_list_and_its_ruling_is_one_tap_away(join, table):
    page = sit(join(), "red")
    mine = [one.origin for one in table.game.legal(table.state) if one.origin]
    assert not table.play(Action("move", mine[0], mine[-1]), "camera").allowed
    table.play(a_move(table), "camera")
    page.click("[data-sheet=moves]")
    page.locator("#moves a[data-at]", has=page.locator("text=✗")).click()
    page.wait_for_selector("#answer .verdict.no")
    assert not page.locator("dialog").is_visible()
    page.click("#now")
    page.wait_for_selector("#answer .verdict.no", state="detached")
    page.click("[data-sheet=moves]")
    page.locator("#moves .refusal b").click()
    page.wait_for_selector("#answer .verdict.no")


def test_what_the_camera_told_is_put_right_by_a_tap_on_the_cell(join, table):
    page = sit(join(), "red")
    told = a_move(table)
    meant = next(
        a
        for a in table.game.legal(table.state)
        if a.origin == told.origin and a.target not in (told.target, None)
    )
    table.play(told, "camera")
    page = at(page, "/")
    page.click("[data-sheet=moves]")
    page.click("#correct")
    page.wait_for_selector("[data-past] .aim")
    tap(page, meant.target)
    page.wait_for_selector(".stage:not([data-past])")
    page.wait_for_selector(f'.spot[data-spot="{meant.target}"][data-token]')
    assert table.actions[-1] == meant
