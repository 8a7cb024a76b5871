"""Connections: nobody shuts the house, by being many, slow, silent or asleep."""

import json
import re
from http.client import HTTPConnection
from types import SimpleNamespace

import pytest

import web
import web.serving.server
from tests.checks.connecting import PATIENCE, House, answer, ended, houses, join, request
from web.serving.channel import Bounds


@pytest.fixture
def open_house(app):
    yield from houses(app)


# -- deadlines ---------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("sent", "deadline"),
    [
        (request("/")[:-2] + b"X-Slow: ", 10.0),
        (request("/api/join", method="POST", more="Content-Length: 900\r\n") + b"{", 30.0),
        (
            request("/api/join", method="POST", more="Transfer-Encoding: chunked\r\n") + b"5\r\n{",
            30.0,
        ),
    ],
    ids=["header", "body", "chunks"],
)
def test_what_comes_byte_by_byte_is_not_waited_for_for_ever(open_house, sent, deadline):
    context = open_house()
    link = context.connect()
    link.sendall(sent)
    context.wait(lambda: context.channel(link).request is not None)
    context.turn(deadline / 2)
    link.sendall(b"a")
    context.turn(deadline / 2)
    assert context.channel(link) is not None
    context.turn(1.0)
    assert ended(link)


def test_an_answer_that_nobody_reads_is_dropped_and_one_read_slowly_is_not(app, open_house):
    app.add_url_rule("/long", view_func=lambda: "x" * 2_000_000)
    context = open_house()
    asleep, slow = context.connect(receives=4096), context.connect(receives=4096)
    for link in (asleep, slow):
        link.sendall(request("/long"))
        context.wait(lambda link=link: (end := context.channel(link)) and end.behind())
    context.turn(1.0)
    read = 0
    for _ in range(4):
        while read < 80_000 * (_ + 1):
            read += len(slow.recv(4096))
        context.turn(10.0)
    assert context.channel(asleep) is None
    assert context.channel(slow) is not None


def test_a_connection_on_which_nothing_happens_is_closed_after_a_while(open_house):
    context = open_house()
    fresh, used = context.connect(), context.connect()
    assert context.ask(used)[0] == 200
    context.turn(9.0)
    assert context.channel(fresh) is not None
    context.turn(2.0)
    assert ended(fresh)
    assert context.ask(used)[0] == 200
    context.turn(59.0)
    assert context.ask(used)[0] == 200
    context.turn(61.0)
    assert ended(used)


def test_a_stream_has_no_deadline(open_house):
    context = open_house()
    link = context.connect()
    link.sendall(request("/api/events?client=phone-one"))
    context.wait(lambda: context.channel(link).requests)
    context.turn(10_000.0)
    assert context.channel(link) is not None


# -- places ------------------------------------------------------------------------------


def test_who_is_idle_longest_makes_room(open_house):
    context = open_house(places=4)
    links = []
    for _ in range(4):
        links.append(context.connect())
        context.hands.now += 1.0
    assert context.ask(links[0])[0] == 200
    assert context.ask(context.connect())[0] == 200
    assert ended(links[1])
    assert all(context.channel(links[n]) for n in (0, 2, 3))


def test_guests_never_push_a_phone_out_that_joined(open_house):
    context = open_house(places=8)
    mine, stream = context.connect("127.0.0.9"), context.connect("127.0.0.9")
    cookie = join(context, mine)
    stream.sendall(request("/api/events?client=phone-one", cookie))
    context.wait(lambda: context.channel(stream).joined)
    for n in range(30):
        link = context.connect(f"127.0.0.{10 + n % 3}")
        if n % 3 == 1:
            link.sendall(b"GET /slo")
        elif n % 3 == 2:
            link.sendall(request(f"/api/events?client=stranger-{n}"))
    assert context.ask(mine, "/", cookie)[0] == 200
    assert context.ask(context.connect("127.0.0.9"), "/", cookie)[0] == 200
    assert context.channel(stream) is not None


def test_the_address_that_has_most_connections_gives_one_up(open_house):
    context = open_house(places=5)
    single = context.connect("127.0.0.2")
    context.hands.now += 1.0
    crowd = [context.connect("127.0.0.3") for _ in range(4)]
    context.connect("127.0.0.4")
    assert ended(crowd[0])
    assert context.channel(single) is not None


def test_guests_of_one_address_have_so_many_places_and_no_more(open_house):
    context = open_house(guests=3)
    first, *_ = [context.connect("127.0.0.2") for _ in range(3)]
    other = context.connect("127.0.0.3")
    assert context.ask(context.connect("127.0.0.2"))[0] == 200
    assert ended(first)
    assert context.channel(other) is not None


def test_phones_behind_one_address_do_not_count_as_guests_once_they_joined(open_house):
    context = open_house(guests=2)
    links = [context.connect() for _ in range(2)]
    cookie = join(context, links[0])
    context.ask(links[1], cookie=cookie)
    more = [context.connect() for _ in range(2)]
    assert all(context.ask(link, cookie=cookie)[0] == 200 for link in links + more)


def test_a_house_of_browsers_is_served_beside_the_idle_and_the_slow(open_house, table):
    # The kernel's own clock runs on: however busy this machine is, nobody reads too slowly.
    context = open_house(places=100, guests=40, answer=3600.0)
    bad = [context.connect("127.0.0.2") for _ in range(40)]
    for n, link in enumerate(bad):
        if n % 2:
            link.sendall(b"POST /api/join HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"[: 30 + n])
    streams = []
    for n in range(10):
        kept = [context.connect(f"127.0.0.{10 + n}") for _ in range(6)]
        assert {context.ask(link, "/")[0] for link in kept} == {200}
        streams.append(context.connect(f"127.0.0.{10 + n}"))
        streams[-1].sendall(request(f"/api/events?client=phone-number-{n}"))
    table.note("enrolled", {}, "camera")
    told = b"id: %d\n" % table.state_id
    for link in streams:
        heard = b""
        while told not in heard:
            heard = heard[-50:] + link.recv(65536)


# -- what is sent ------------------------------------------------------------------------


@pytest.mark.parametrize("expects", ["", "Expect: 100-continue\r\n"])
def test_a_body_is_refused_by_its_length_before_it_is_sent(open_house, expects):
    context = open_house()
    link = context.connect()
    more = f"Content-Type: application/json\r\nContent-Length: 1000000000\r\n{expects}"
    link.sendall(request("/api/join", method="POST", more=more) + b"x" * 5000)
    status, head, body = answer(link)
    assert status == 413
    assert "Connection: close" in head
    assert json.loads(body)["error"]["message"]
    assert ended(link)
    link.sendall(b"x" * 50_000)  # who goes on sending is heard out, so that the answer is read
    context.turn(1.0)
    assert context.channel(link) is not None
    context.turn(2.0)
    assert context.channel(link) is None


def test_a_body_of_chunks_is_refused_when_it_becomes_too_long(open_house):
    context = open_house()
    link = context.connect()
    more = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    link.sendall(request("/api/join", method="POST", more=more))
    for _ in range(5):
        link.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
    assert answer(link)[0] == 413


def test_a_route_may_take_longer_bodies(open_house):
    context = open_house()
    for path, status in (("/api/join", 413), ("/api/import", 403), ("//api/import", 403)):
        body = json.dumps({"key": "a-key-of-its-own-2", "record": "x" * 100_000, "title": "t"})
        more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        link = context.connect()
        link.sendall(request(path, method="POST", more=more) + body.encode())
        assert answer(link)[0] == status


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (request("/")[:-2] + b"X-Long: " + b"x" * 20_000, 431),
        (b"GET / HTTP/1.1\r\nno header\r\n\r\n", 400),
        (request("/", more="Transfer-Encoding: gzip\r\n"), 501),
        (request("/", more=f"Content-Length: {'9' * 5000}\r\n"), 400),
        (request("/", more=f"Content-Length: {'9' * 30}\r\n"), 413),
        (request("http://[::1/"), 400),
        (request("/", more="Content-Length: \xb2\r\n", method="POST"), 400),
    ],
)
def test_what_is_no_request_is_answered_with_a_sentence(open_house, sent, status):
    context = open_house()
    link = context.connect()
    link.sendall(sent)
    found, _, body = answer(link)
    assert found == status
    assert re.fullmatch(r"This request.*\.|This is (no request|more).*\.", body.decode())
    assert ended(link)


@pytest.mark.parametrize(
    "cookie", [b"other=\xe9", b"\xff\xfe", b"companion_phone=\xe9", b"=;=\xc3"]
)
def test_a_cookie_of_another_server_in_another_alphabet_harms_nothing(open_house, cookie):
    link = open_house().connect()
    before, after = request("/api/state")[:-2], b"Cookie: " + cookie + b"\r\n\r\n"
    link.sendall(before + after)
    assert answer(link)[0] == 200


def test_a_name_is_the_same_in_capitals(open_house):
    link = open_house().connect()
    link.sendall(request("/api/state").replace(b"localhost", b"LocalHost"))
    assert answer(link)[0] == 200


# -- phones that sleep -------------------------------------------------------------------


def test_a_sleeping_phone_holds_one_snapshot_and_hears_the_newest_when_it_wakes(app, table):
    told = app.extensions["context"]
    told.config = told.config._replace(heartbeat=0.001)
    context = House(app)
    try:
        # With the news of what was missed, of which only the last are told.
        one = 2 * len(context.ask(context.connect(), "/api/state?html=1")[2])
        link = context.connect(receives=4096)
        link.sendall(request("/api/events?client=phone-one&html=1"))
        context.wait(lambda: (end := context.channel(link)) and end.behind())
        for _ in range(300):
            table.note("enrolled", {}, "camera")
            assert context.channel(link).total_outbufs_len <= one
        heard, newest = b"", b"id: %d\n" % table.state_id
        while newest not in heard:
            heard += link.recv(65536)
        # What was on the way when it fell asleep, and what is so now: no beat was kept for it.
        assert len(heard) < 10 * one
    finally:
        context.close()


def test_a_stream_that_is_closed_gives_its_place_back_at_once(app):
    told = app.extensions["context"]
    told.config = told.config._replace(heartbeat=1000.0)
    context = House(app)
    try:
        link = context.connect()
        link.sendall(request("/api/events?client=phone-one"))
        streams = app.extensions["context"].streams
        context.wait(lambda: len(streams) == 1)
        link.close()
        context.wait(lambda: len(streams) == 0)
    finally:
        context.close()


# -- the machine -------------------------------------------------------------------------


def test_live_streams_take_no_thread_from_pages(app, open_house):
    context = open_house()
    streams = app.extensions["context"].streams
    links = [context.connect(f"127.0.1.{n + 1}") for n in range(web.serving.server.THREADS + 8)]
    for n, link in enumerate(links):
        link.sendall(request(f"/api/events?client=phone-number-{n}"))
    context.wait(lambda: len(streams) == len(links))
    assert context.ask(context.connect())[0] == 200


def test_threads_are_begun_when_they_are_needed(open_house):
    context = open_house()
    dispatcher = context.server._server.task_dispatcher
    assert not dispatcher.threads
    links = [context.connect() for _ in range(8)]
    assert all(context.ask(link)[0] == 200 for link in links)
    assert 0 < len(dispatcher.threads) <= 8


@pytest.mark.parametrize(
    ("soft", "hard", "set_to", "places"),
    [
        (1024, 4096, 1280, 1024),
        (400, 500, 500, 244),
        (9999, 9999, None, 1024),
        (256, -1, 1280, 1024),
    ],
)
def test_as_many_files_are_opened_as_the_system_lets_and_too_few_are_told(
    monkeypatch, caplog, soft, hard, set_to, places
):
    raised = []
    limits = SimpleNamespace(
        RLIMIT_NOFILE=7,
        RLIM_INFINITY=-1,
        getrlimit=lambda what: (soft, hard),
        setrlimit=lambda what, wanted: raised.append(wanted[0]),
    )
    monkeypatch.setattr(web.serving.server, "resource", limits)
    assert web.serving.server._fitting(Bounds()).places == places
    assert raised == ([] if set_to is None else [set_to])
    assert ("LimitNOFILE" in caplog.text) == (places < 1024)


def test_a_server_without_files_to_spare_makes_room_and_goes_on(open_house, monkeypatch):
    context = open_house()
    idle = [context.connect() for _ in range(3)]
    gate, accept = context.server._server, context.server._server.accept
    fails = iter([True])

    def accepting():
        if next(fails, False):
            raise OSError(24, "Too many open files")
        return accept()

    monkeypatch.setattr(gate, "accept", accepting)
    fresh = HTTPConnection("127.0.0.1", context.server.port, timeout=PATIENCE)
    fresh.request("GET", "/healthz")
    assert fresh.getresponse().status == 200
    fresh.close()
    assert sum(context.channel(link) is None for link in idle) == 1


def test_an_answer_that_waits_in_a_file_is_put_away_when_the_house_closes(app, open_house):
    context = open_house()
    app.add_url_rule("/long", view_func=lambda: "x" * (12 << 20))
    reading = context.connect()
    reading.sendall(request("/long"))
    context.wait(lambda: context.channel(reading).total_outbufs_len > 4 << 20)
    unread = [part.getfile() for part in context.channel(reading).outbufs]
    context.server.close()
    assert unread
    assert all(file.closed for file in unread)


def test_a_body_that_came_half_is_put_away_with_its_connection(app, open_house):
    context = open_house()
    app.extensions["context"].body_limits["/long"] = 1 << 20
    link = context.connect()
    head = request("/long", method="POST", more="Content-Length: 700000\r\n")
    link.sendall(head + b"x" * 600_000)
    channel = context.channel(link)
    context.wait(lambda: channel.request and channel.request.body_bytes_received == 600_000)
    kept = channel.request.get_body_stream()
    context.turn(context.bounds.body + 1)
    assert ended(link)
    assert kept.closed
