"""The server: many streams at once, an end that ends, an address that is taken."""

import json
from http.client import HTTPConnection

import pytest
from waitress.channel import HTTPChannel

import web
from companion.rules import Action, BadInput
from web.access.repeats import Once
from web.serving.channel import Channel


def read_event(answer):
    """Return the next event's name and data; reads no further."""
    fields = {}
    while (line := answer.readline().decode().strip()) or "event" not in fields:
        name, _, value = line.partition(": ")
        fields[name] = value
    return fields["event"], json.loads(fields["data"])


@pytest.fixture
def server(table, config):
    with web.Server(web.create_app(table, config=config), port=0) as server:
        yield server


def ask(server, path, headers=None):
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", path, headers=headers or {})
    return connection, connection.getresponse()


def test_six_phones_hear_of_a_move_and_the_page_still_answers(server, table):
    phones = [ask(server, f"/api/events?client=phone-number-{n}") for n in range(6)]
    for _, answer in phones:
        assert read_event(answer)[0] == "snapshot"
    connection, answer = ask(server, "/healthz")
    assert json.load(answer)["streams"] == 6
    connection.close()
    table.play(Action("move", "a1", "a2"), "camera")
    for connection, answer in phones:
        while (event := read_event(answer))[0] == "beat":
            pass
        assert event[1]["position"]["a2"] == "red man"
        connection.close()


def test_an_address_that_is_taken_is_told(server, table, config):
    with pytest.raises(BadInput, match="stop what runs there"):
        web.Server(web.create_app(table, config=config), port=server.port)


def test_closing_ends_the_streams_and_frees_the_address(table, config):
    server = web.Server(web.create_app(table, config=config), port=0).start()
    connection, answer = ask(server, "/api/events?client=phone-one")
    assert read_event(answer)[0] == "snapshot"
    server.close()
    server.close()
    connection.close()
    with web.Server(web.create_app(table, config=config), port=server.port) as again:
        connection, answer = ask(again, "/healthz")
        assert json.load(answer)["ok"] is True
        connection.close()


def test_the_answers_that_are_remembered_are_bounded():
    once, count = Once(limit=2), iter(range(9))
    assert [once.answer(key, lambda: next(count)) for key in "aabbccaa"] == [
        0, 0, 1, 1, 2, 2, 3, 3,
    ]  # fmt: skip


def test_a_refused_request_may_be_tried_again():
    once = Once()

    def refuse():
        raise BadInput("no")

    with pytest.raises(BadInput):
        once.answer("key", refuse)
    assert once.answer("key", lambda: 1) == 1


def test_a_page_comes_in_one_piece_with_its_headers(server, monkeypatch):
    """Who has headers and no page when the plug is pulled would keep an empty page for ever."""
    sent = []

    def noting(channel, data, do_close=True):
        sent.append(bytes(data))
        return HTTPChannel.send(channel, data, do_close)

    monkeypatch.setattr(Channel, "send", noting)
    connection, answer = ask(server, "/healthz")
    body = answer.read()
    connection.close()
    assert len(sent) == 1
    assert sent[0].startswith(b"HTTP/1.1 200")
    assert sent[0].endswith(body)
