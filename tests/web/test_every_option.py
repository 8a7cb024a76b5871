"""The pages stand whatever the host chooses for a game, and while another one begins."""

import json
from itertools import permutations
from random import Random
from threading import Thread

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.rules import BadInput, OrderOption
from companion.table import Table
from companion.table.evening import Evening
from web.roles import Snapshots
from web.updates import UpdateTeller


def others(option):
    """Return values of an option: all its choices, an order, or the least and the most."""
    if isinstance(option, OrderOption):
        return (option.draw(Random(3)),)
    return option.choices or (str(option.least), str(option.most))


CHOICES = [
    pytest.param(name, option.name, choice, marks=[pytest.mark.slow] * bool(number))
    for name in games()
    for option in find_game(name).options
    for number, choice in enumerate(choice for choice in others(option) if choice != option.default)
]
"""Every value of every option but the usual one; the first of each is enough for every day."""
PAGES = ("/", "/view", "/allowed", "/history", "/rules", "/settings", "/shelf", "/api/state?html=1")


@pytest.fixture
def begun(config, clock, eyes):
    """Begin a game; return the evening and its app."""
    with Journal() as journal:

        def begin(name, options=None):
            game = find_game(name)
            table = Table.create(journal, game, game.setup(None, options or {}), now=clock)
            evening = Evening(table, now=clock)
            trusting = config._replace(trust_machine=True)
            return evening, web.create_app(evening, config=trusting, eyes=eyes)

        yield begin


@pytest.mark.slow
@pytest.mark.parametrize(("name", "option", "choice"), CHOICES)
def test_every_page_stands_with_every_option(begun, phone_of, name, option, choice):
    try:
        _, app = begun(name, {option: choice})
    except BadInput as error:
        pytest.skip(f"cannot be played together: {error}")
    here = phone_of(app, "127.0.0.1")
    for page in PAGES:
        assert here.get(page).status_code == 200, page


@pytest.mark.parametrize(("before", "after"), [*permutations(sorted(games()), 2)])
def test_who_is_being_told_of_a_game_while_another_begins_is_told_of_that_game_alone(
    begun, before, after
):
    evening, app = begun(before)
    context = app.extensions["context"]

    def told():
        with app.test_request_context("/", environ_base={"REMOTE_ADDR": "127.0.0.1"}):
            app.preprocess_request()
            return UpdateTeller(context, html=True, seen=None).tell().text

    def forget():
        context.snapshots = Snapshots(context.views)
        context.drawings._kept = (0, {})

    quiet, members, later = told(), context.views.members, []

    def interrupted(look, *more):
        context.views.members = members
        evening.begin(after, None, {})
        phone = Thread(target=lambda: later.append(told()))
        phone.start()
        phone.join()
        return members(look, *more)

    forget()
    context.views.members = interrupted
    assert told() == quiet
    forget()
    assert later == [told()]
    assert json.loads(later[0])["game"] == after


class Restless(Evening):
    """An evening in which a game of chess begins while somebody looks at the present game: when
    the table has been asked for ``patience`` more times."""

    patience = 0

    @property
    def table(self):
        self.patience -= 1
        if self.patience == 0:
            self.begin("chess", None, {})
        return vars(self)["table"]

    @table.setter
    def table(self, table):
        vars(self)["table"] = table


@pytest.mark.parametrize(
    "page",
    [
        "/",
        "/api/state?html=1",
        pytest.param("/view", marks=pytest.mark.slow),
        pytest.param("/settings", marks=pytest.mark.slow),
    ],
)
def test_a_page_that_is_asked_for_while_another_game_begins_is_of_one_game(begun, phone_of, page):
    evening, app = begun("victorus")
    evening.__class__ = Restless
    here, asked = phone_of(app, "127.0.0.1"), 0
    while evening.patience <= 0:
        asked += 1
        evening.begin("victorus", None, {})
        evening.patience = asked
        answer = here.get(page)
        assert answer.status_code == 200, f"another game began at question {asked}"
        if answer.is_json:
            seats = [seat["seat"] for seat in answer.json["seats"]]
            assert answer.json["you"]["acts"] == seats
    assert asked > 5
