"""What streams tell: the snapshot, then what changed in it; one text for all that see the same."""

import random
import re
import statistics
from contextvars import copy_context
from itertools import count
from pathlib import Path

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.rules import Action
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.loops import some
from tests.checks.updates import Follower
from web.fragments import PARTS, PERSONAL, VIEW
from web.roles import DRAWN, Role, Snapshots

LANGUAGES = ("en", "it", "fr", "es")
ACTIONS = 24


class Stream(Follower):
    """A phone's stream, read as it comes."""

    numbers = count(1)

    def __init__(self, phone, language="en", html="1", seen=None):
        super().__init__()
        headers = {"Accept-Language": language} | ({"Last-Event-ID": str(seen)} if seen else {})
        path = f"/api/events?client=phone-number-{next(self.numbers)}&html={html}"
        # As each has a thread of its own, each has a context of its own.
        self._context = copy_context()
        self._answer = self._context.run(phone.get, path, **headers)
        self._lines = iter(self._answer.response)
        self.texts = []
        self.listen()

    def listen(self):
        """Take in everything that there is to hear; return what is so now."""
        beat = b"event: beat\ndata: {}\n\n"
        for line in iter(lambda: self._context.run(next, self._lines), beat):
            event = re.fullmatch(
                r"event: (snapshot|update)\nid: (\d+)\ndata: (.*)\n\n", line.decode()
            )
            if event:
                self.hear(event[1] == "snapshot", event[3])
                self.texts.append(event[3])
                assert self.view["state_id"] == int(event[2])
        return self.view

    def close(self):
        self._context.run(self._answer.close)


@pytest.fixture
def stream():
    """Open streams; they are closed at the end."""
    opened = []

    def stream(*asked, **more):
        opened.append(Stream(*asked, **more))
        return opened[-1]

    yield stream
    for one in opened:
        one.close()


def anew(phone, language):
    """Return what a stream that is opened now is told."""
    told = Stream(phone, language)
    told.close()
    return told.view


def timeless(view):
    """Return a snapshot without what belongs to one message."""
    return {name: value for name, value in view.items() if name != "news"}


def test_the_first_message_carries_the_whole_page_later_ones_what_changed(stream, phone, table):
    told = stream(phone)
    assert set(told.view["html"]) == {*PARTS} - {*VIEW}
    table.play(Action("move", "a1", "a2"), "camera")
    told.listen()
    assert told.view["position"]["a2"] == "red man"
    assert '"moves"' in told.texts[1]
    assert '"seats"' not in told.texts[1]
    assert len(told.texts[1]) < len(told.texts[0]) / 2


def test_pages_are_told_what_is_drawn_in_parts_as_parts_alone(stream, phone):
    bare = stream(phone, html="").view
    assert set(bare) - set(stream(phone).view) == DRAWN
    assert timeless(bare) == timeless(phone.state)


def test_a_change_and_its_undoing_leave_nothing_stale(stream, phone, table, lit):
    """Step by step: moves, a refusal, lights, an undo, each in every language."""
    steps = [
        lambda: table.play(Action("move", "a1", "a2"), "camera"),
        lambda: table.play(Action("end"), "red"),
        lambda: table.play(Action("move", "a2", "c3"), "camera"),
        lambda: lit.update(b2={"colour": "#00ff00", "effect": "steady", "meaning": "may go here"}),
        lambda: table.undo(1, "red"),
        lambda: lit.clear(),
    ]
    streams = {language: stream(phone, language) for language in LANGUAGES}
    for step in steps:
        step()
        table.note("enrolled", {}, "camera")
        for language, told in some(streams.items()):
            kept = timeless(told.listen())
            context = phone.client.application.extensions["context"]
            context.snapshots = Snapshots(context.views)
            assert kept == timeless(anew(phone, language))
            streams[language] = stream(phone, language)


def test_a_phone_that_comes_back_is_told_everything_and_what_it_missed(stream, phone, table):
    told = stream(phone)
    seen = told.view["state_id"]
    told.close()
    table.play(Action("move", "a1", "a2"), "camera")
    again = stream(phone, seen=seen)
    assert set(again.view["html"]) == {*PARTS} - {*VIEW}
    assert [entry["text"] for entry in again.view["news"]] == ["red man a1 → a2"]


def test_news_are_those_since_the_message_before(stream, phone, table):
    told = stream(phone)
    for target in ("a2", "b1"):
        table.play(Action("move", "a1", target), "camera")
        [entry] = told.listen()["news"]
        assert entry["text"].endswith(f"a1 → {target}")
    table.note("enrolled", {}, "camera")
    assert told.listen()["news"] == []


def test_who_listens_is_told_who_sits_down_and_who_is_called_otherwise(stream, host, joined):
    told = stream(host)
    assert joined.post("/api/seat", seat="red", name="Zoë 😀").status_code == 200
    view = told.listen()
    assert [seat["name"] for seat in view["seats"]] == ["Zoë 😀", ""]
    assert "Zoë 😀" in view["html"]["seats"]
    assert host.post("/api/name", name="Ann").status_code == 200
    assert told.listen()["you"]["name"] == "Ann"
    assert timeless(told.view) == timeless(anew(host, "en"))


def test_a_phone_that_is_sent_away_is_told_what_a_guest_is_told(stream, app, host, joined):
    told = stream(joined)
    people = host.state["people"]
    [other] = [one["person"] for one in people if not one["host"]]
    keep, app.extensions["context"].streams.keep = app.extensions["context"].streams.keep, print
    assert host.post("/api/dismiss", who=other).status_code == 200
    app.extensions["context"].streams.keep = keep
    view = told.listen()
    assert (view["you"]["role"], view["you"]["person"]) == ("guest", "")
    assert timeless(view) == timeless(anew(joined, "en"))


def test_phones_that_see_the_same_share_one_text(stream, new_phone, table):
    streams = [stream(new_phone(f"192.168.1.{n}")) for n in range(40, 43)]
    made = []
    context = streams[0]._answer
    table.play(Action("move", "a1", "a2"), "camera")
    for told in streams:
        told.listen()
        made.append(told.texts[-1])
    assert made[0] == made[1] == made[2]
    assert context.status_code == 200


def test_the_table_s_view_alone_is_told_of_its_scores(stream, red, new_phone, table):
    phone, view = stream(red), stream(new_phone("192.168.1.90"), html="view")
    table.play(Action("move", "a1", "a2"), "camera")
    assert "red" in view.listen()["html"]["scores"]
    assert "scores" not in phone.listen()["html"]


def test_no_phone_is_told_what_another_sees_of_itself(stream, red, blue, table):
    phones = [stream(red), stream(blue), stream(red, "it")]
    table.play(Action("move", "a1", "a2"), "camera")
    assert [told.listen()["you"]["seats"] for told in phones] == [["red"], ["blue"], ["red"]]
    assert phones[0].view["you"]["person"] != phones[1].view["you"]["person"]


@pytest.mark.parametrize("part", [part for part in PARTS if part not in PERSONAL])
def test_parts_that_phones_share_tell_no_person_from_another(part):
    text = (Path(web.__file__).parent / "templates" / "parts" / f"{part}.html").read_text()
    assert not re.search(r"you\.(person|name|colour)", text)


def test_there_is_one_snapshot_for_each_language_and_role(app, new_phone, red, blue, stream):
    context = app.extensions["context"]
    context.snapshots = Snapshots(context.views)
    phones = [*(new_phone(f"192.168.1.{n}") for n in range(40, 45)), red, blue]
    for phone in phones:
        stream(phone)
        stream(phone, "it")
    roles = set(context.snapshots._kept)
    assert {(role.language, role.seats) for role in roles} == {
        (language, seats) for language in ("en", "it") for seats in ((), ("red",), ("blue",))
    }
    assert all(isinstance(role, Role) for role in roles)


def test_what_is_seen_is_found_out_once_for_a_change(app, eyes, monkeypatch):
    context, asked, status = app.extensions["context"], [], eyes.status
    monkeypatch.setattr(eyes, "status", lambda: asked.append(1) or status())
    looks = {id(context.views.look(edition=context.streams.edition)) for _ in range(50)}
    assert (len(looks), len(asked)) == (1, 1)
    context.streams.publish()
    eyes.words = {**eyes.words, "message": "new"}
    assert context.views.look(edition=context.streams.edition).status["message"] == "new"


def test_another_game_has_drawings_of_its_own(app):
    context = app.extensions["context"]
    with app.test_request_context("/"):
        context.snapshot()
        one = context.drawings.board(1, "board", 0, {}, {}, {}, {})
        assert context.drawings.board(1, "board", 0, {}, {}, {}, {}) is one
        assert context.drawings.board(2, "board", 0, {}, {}, {}, {}) is not one


class TestWholeGames:
    """A game at random: a guest, a player and a host who sits on all other seats follow it in
    every language."""

    @pytest.fixture(params=sorted(games()))
    def played(self, request, phone_of, stream):
        """Play; give the streams before and after each action, and the streams themselves."""
        game, chance = find_game(request.param), random.Random(request.param)
        table = Table.create(Journal(), game, game.setup())
        config = web.Config(heartbeat=0.0, streams=99, streams_per_address=99)
        app = web.create_app(Evening(table), config=config)
        phones = [phone_of(app, f"192.168.1.{n}") for n in range(3)]
        for phone, seats in zip(phones[1:], self.seats(table.setup.seats), strict=True):
            code = web.invitation(app).partition("#")[2]
            assert phone.post("/api/join", code=code, name="Zoë 😀 <b>").status_code == 200
            for seat in seats:
                assert phone.post("/api/seat", seat=seat).status_code == 200
        followers = [
            (phone, language, stream(phone, language)) for phone in phones for language in LANGUAGES
        ]

        def steps():
            for number in range(ACTIONS):
                legal = game.legal(table.state)
                if not legal:
                    break
                if number % 9 == 8:
                    table.undo(1, "host")
                else:
                    table.play(chance.choice(legal), "camera")
                for _, _, told in followers:
                    told.listen()
                yield number

        return steps(), followers

    @staticmethod
    def seats(seats):
        return ((), seats) if len(seats) == 1 else (seats[:1], seats[1:])

    @pytest.mark.thorough
    def test_what_changed_adds_up_to_what_is_so_in_two_kilobytes_a_move(self, played):
        steps, followers = played
        compared = 0
        for number in steps:
            phone, language, told = followers[number % len(followers)]
            assert timeless(told.view) == timeless(anew(phone, language))
            compared += 1
        for phone, language, told in followers:
            assert timeless(told.view) == timeless(anew(phone, language))
        assert compared >= 12
        for phone, language, told in followers[: 2 * len(LANGUAGES)]:
            assert statistics.median(told.sizes) <= 2048, (language, phone.address)
