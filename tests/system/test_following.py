"""Pages in a browser that follow a game: what changed adds up to what is so, in every language and
role; a phone that was away is told everything again."""

from __future__ import annotations

import random

import pytest

from companion.rules import Action

LANGUAGES = {"en": "en-GB", "it": "it-IT", "fr": "fr-FR", "es": "es-ES"}
VIEW = "import('/static/live.js').then(module => module.live.view)"
STATE = "fetch('/api/state?html=1').then(answer => answer.json())"


@pytest.fixture
def game():
    from companion.games import find_game

    return find_game("victorus")


def heard(page, table):
    """Wait until ``page`` knows of the table's last event; return what it knows."""
    return page.evaluate(
        """async (wanted) => {
          const { live } = await import("/static/live.js");
          if (live.view?.state_id !== wanted) {
            await new Promise((done) =>
              live.listeners.push((view) => view.state_id === wanted && done()));
          }
          return live.view;
        }""",
        table.state_id,
    )


def agree(page, table):
    """Compare what a page was told with what is so, and what it shows with that; return how many
    parts it shows."""
    told, state = heard(page, table), page.evaluate(STATE)
    # Only the table's view is told the scores.
    html = {name: state["html"][name] for name in told["html"]}
    assert {**told, "news": []} == {**{name: state[name] for name in told}, "html": html}
    parts = page.evaluate(
        """() => Object.fromEntries(Array.from(document.querySelectorAll("[id^=part-]"),
          (element) => [element.id.slice(5), element.shown]))"""
    )
    for name, shown in parts.items():
        assert shown == html[name], name
    return len(parts)


def moves(table, chance, count):
    """Play at random, refused moves and a move taken back among them."""
    for number in range(count):
        legal = [action for action in table.game.legal(table.state) if action.origin]
        if number % 5 == 3:
            table.play(Action("move", "h2", "h9"), "camera")
        elif number % 5 == 4:
            table.undo(1, "host")
        else:
            table.play(chance.choice(legal or table.game.legal(table.state)), "camera")
        yield number


@pytest.mark.slow
def test_what_changed_adds_up_in_every_language_and_role(table, open_page, join):
    pages = [open_page("/", locale=locale) for locale in LANGUAGES.values()]
    pages += [open_page("/view", locale="fr-FR"), join(locale="it-IT")]
    pages[-1].click(f"#sit-{table.setup.seats[0]}")
    pages[-1].wait_for_selector(f"#leave-{table.setup.seats[0]}")
    for page in pages:
        page.wait_for_selector("#pill[data-live=yes]")
    shown = 0
    for number in moves(table, random.Random(5), 10):
        shown += agree(pages[number % len(pages)], table)
    shown += sum(agree(page, table) for page in pages)
    assert shown > 50
    assert heard(pages[-1], table)["you"]["seats"] == [table.setup.seats[0]]


def test_a_phone_that_was_away_is_told_everything_and_what_it_missed(table, server, open_page):
    page = open_page("/")
    page.wait_for_selector("#pill[data-live=yes]")
    chance = random.Random(6)
    assert len([*moves(table, chance, 2)]) == 2
    before = heard(page, table)["state_id"]
    page.route("**/api/events*", lambda route: route.abort())
    server.app.extensions["context"].streams.close()
    page.wait_for_selector("#pill[data-live=wait]")
    assert len([*moves(table, chance, 3)]) == 3
    page.unroute("**/api/events*")
    assert agree(page, table) > 5
    missed = {event.seq for event in table.events(before) if event.kind == "action"}
    assert missed <= {entry["seq"] for entry in page.evaluate(VIEW)["news"]}


def test_what_is_being_written_stays_and_is_caught_up_with_later(table, join):
    page = join()
    page.click(f"#sit-{table.setup.seats[0]}")
    page.wait_for_selector(f"#leave-{table.setup.seats[0]}")
    table.note("paused", {}, "host")
    page.goto(page.url.partition("/join")[0] + "/")
    page.wait_for_selector("#pill[data-live=yes]")
    page.click("[data-sheet=more]")
    page.fill("#part-more input[name=action]", "h2-h")
    table.note("resumed", {}, "host")
    table.play(next(a for a in table.game.legal(table.state) if a.origin), "camera")
    heard(page, table)
    assert page.input_value("#part-more input[name=action]") == "h2-h"
    page.evaluate("document.activeElement.blur()")
    table.note("enrolled", {}, "camera")
    assert agree(page, table) > 5
