"""Whose request is answered next: whoever floods the house waits for himself."""

import threading

import flask
import pytest

import web.serving.server
from tests.checks.connecting import PATIENCE, answer, houses, join, request


@pytest.fixture
def open_house(app):
    yield from houses(app)


@pytest.fixture
def busy(app):
    """A page that is answered when it is let; tells who asked, and how to let so many go."""
    free, asked = threading.Semaphore(0), []

    def page():
        asked.append(flask.request.remote_addr)
        free.acquire(timeout=PATIENCE)
        return "done"

    app.add_url_rule("/busy", view_func=page)
    yield asked, free.release
    free.release(1000)


def flood(context, number):
    links = [context.connect("127.0.0.2") for _ in range(number)]
    for link in links:
        link.sendall(request("/busy"))
    return links


def test_phones_that_joined_do_not_wait_for_guests(open_house, busy):
    asked, let = busy
    context = open_house()
    cookie = join(context, context.connect("127.0.0.9"))
    crowd = flood(context, web.serving.server.THREADS + 3)
    context.wait(lambda: len(asked) == context.bounds.at_once)
    fresh = context.connect("127.0.0.9")
    fresh.sendall(request("/busy", cookie))
    context.wait(lambda: asked[context.bounds.at_once :] == ["127.0.0.9"])
    let(100)
    assert {answer(link)[0] for link in [*crowd, fresh]} == {200}


def test_a_guest_does_not_wait_for_all_that_another_address_asks(open_house, busy):
    asked, let = busy
    context = open_house()
    crowd = flood(context, 40)
    context.wait(lambda: len(asked) == context.bounds.at_once)
    alone = context.connect("127.0.0.3")
    alone.sendall(request("/busy"))
    context.wait(lambda: context.channel(alone).requests)
    let(2)
    context.wait(lambda: "127.0.0.3" in asked)
    let(100)
    assert {answer(link)[0] for link in [*crowd, alone]} == {200}


def test_who_takes_no_answer_is_given_no_second_one(app, open_house):
    context, asked = open_house(), []

    def big():
        asked.append(1)
        return "x" * (8 << 20)

    app.add_url_rule("/big", view_func=big)
    link = context.connect()
    link.sendall(request("/big") * 50)
    context.wait(lambda: asked)
    for _ in range(3):
        assert context.ask(context.connect("127.0.0.4"))[0] == 200
    assert len(asked) == 1
    taken = 0
    while taken < 16 << 20:
        taken += len(link.recv(1 << 20))
    context.wait(lambda: len(asked) >= 2)
    assert len(asked) <= 4


def test_requests_that_came_together_are_all_answered(open_house):
    context = open_house()
    link = context.connect()
    link.sendall(request("/healthz") * 120)
    found = b""
    while found.count(b"200 OK") < 120:
        found += link.recv(1 << 16)


def test_who_has_just_connected_goes_after_those_of_a_crowded_address(open_house):
    context = open_house(places=12, guests=20)
    crowd = [context.connect("127.0.0.2") for _ in range(10)]
    for link in crowd:
        link.sendall(request("/healthz")[:-2])
    context.wait(lambda: all(context.channel(link).request for link in crowd))
    alone = context.connect("127.0.0.3")
    more = [context.connect("127.0.0.2") for _ in range(5)]
    assert context.ask(alone)[0] == 200
    assert sum(context.channel(link) is not None for link in [*crowd, *more]) == 11
