"""The live stream: a snapshot first, news after a gap, bounded memory."""

import gzip
import json
import zlib
from itertools import islice

import pytest

from companion.rules import Action
from web.access.refusal import Refusal
from web.stream import Message, Streams, messages, packed


def read(text):
    """Return the events of a stream's text as (name, id, data)."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        if "event" in fields:
            found.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
    return found


def listen(phone, count, path="/api/events?client=phone-one", **headers):
    answer = phone.get(path, **headers)
    assert answer.mimetype == "text/event-stream"
    text = b"".join(islice(answer.response, count)).decode()
    answer.close()
    return read(text)


def test_the_first_event_is_the_whole_state(phone, table):
    [(name, number, view)] = listen(phone, 2)
    assert (name, number) == ("snapshot", str(table.state_id))
    assert view["position"] == phone.state["position"]
    assert view["news"] == []


def test_a_quiet_stream_beats(phone):
    assert [name for name, _, _ in listen(phone, 4)] == ["snapshot", "beat", "beat"]


def test_the_stream_carries_the_parts_of_the_page_if_asked_for(phone):
    [(_, _, view)] = listen(phone, 2, "/api/events?client=phone-one&html=1")
    assert "red" in view["html"]["turn"]


def test_a_phone_that_comes_back_hears_what_it_missed(phone, table):
    seen = table.state_id
    table.play(Action("move", "a1", "c3"), "camera")
    table.play(Action("move", "a1", "a2"), "camera")
    [(_, _, view)] = listen(phone, 2, **{"Last-Event-ID": str(seen)})
    assert [(n["kind"], n["text"]) for n in view["news"]] == [
        ("refused", "red man a1 → c3, takes blue man"),
        ("action", "red man a1 → a2"),
    ]


def test_a_number_that_is_none_is_refused(phone):
    assert phone.get("/api/events?client=phone-one", **{"Last-Event-ID": "x"}).status_code == 400
    assert phone.get("/api/events").status_code == 400


def test_every_change_is_sent_once_and_bursts_are_one():
    streams = Streams(limit=4, per_address=4)
    listener = streams.open("here", "phone-one")
    told = iter([Message(True, 7, '{"all": 1}'), Message(False, 8, '{"new": 1}')])
    lines = messages(listener, told.__next__, 0.0)
    assert next(lines).startswith("retry")
    assert read(next(lines)) == [("snapshot", "7", {"all": 1})]
    for _ in range(100):
        streams.publish()
    assert read(next(lines)) == [("update", "8", {"new": 1})]
    assert read(next(lines)) == [("beat", None, {})]


def test_an_event_of_the_table_wakes_the_stream(app, phone, table):
    answer = phone.get("/api/events?client=phone-one")
    lines = iter(answer.response)
    assert len(list(islice(lines, 2))) == 2
    table.play(Action("move", "a1", "a2"), "camera")
    [(_, _, view)] = read(next(lines).decode())
    assert view["position"]["a2"] == "red man"
    answer.close()


def test_a_client_has_one_stream():
    streams = Streams(limit=4, per_address=4)
    first = streams.open("here", "phone-one")
    second = streams.open("here", "phone-one")
    assert first.wait(0) == "closed"
    assert second.wait(0) == "changed"
    assert len(streams) == 1
    first.close()
    assert len(streams) == 1


def test_nobody_closes_the_stream_of_another_address():
    streams = Streams(limit=4, per_address=4)
    mine = streams.open("here", "phone-one")
    streams.open("there", "phone-one")
    assert mine.wait(0) == "changed"


def test_an_address_that_has_its_fill_loses_its_oldest_stream():
    streams = Streams(limit=9, per_address=2)
    oldest, second = streams.open("here", "phone-one"), streams.open("here", "phone-two")
    streams.open("here", "phone-three")
    assert (oldest.wait(0), second.wait(0)) == ("closed", "changed")
    assert len(streams) == 2


def test_a_house_that_is_full_says_so():
    streams = Streams(limit=1, per_address=1)
    streams.open("here", "phone-one")
    with pytest.raises(Refusal) as refused:
        streams.open("there", "phone-two")
    assert (refused.value.status, refused.value.code) == (503, "full")


def test_guests_make_room_for_phones_that_joined_and_never_the_other_way_round():
    streams = Streams(limit=2, per_address=2)
    guest = streams.open("here", "phone-one")
    phones = [streams.open("here", "phone-one", person=name) for name in ("ann", "ben")]
    assert guest.wait(0) == "closed"
    with pytest.raises(Refusal):
        streams.open("there", "phone-two")
    with pytest.raises(Refusal):
        streams.open("here", "phone-three", person="cid")
    assert [phone.wait(0) for phone in phones] == ["changed", "changed"]


def test_phones_that_joined_behind_one_address_have_each_its_fill():
    streams = Streams(limit=9, per_address=1)
    phones = [streams.open("here", "phone-one", person=name) for name in ("ann", "ben", "cid")]
    guest = streams.open("here", "phone-one")
    newer = streams.open("elsewhere", "phone-two", person="ann")
    told = [listener.wait(0) for listener in (*phones, guest, newer)]
    assert told == ["closed", "changed", "changed", "changed", "changed"]


def test_a_crowd_of_guests_makes_room_for_a_guest_of_another_address():
    streams = Streams(limit=3, per_address=3)
    crowd = [streams.open("here", f"phone-{n}-of-three") for n in range(3)]
    streams.open("there", "phone-four")
    assert [guest.wait(0) for guest in crowd] == ["closed", "changed", "changed"]
    with pytest.raises(Refusal):
        streams.open("there", "phone-five")


def test_nothing_is_made_for_a_phone_that_is_behind():
    listener = Streams(limit=1, per_address=1).open("here", "phone-one")
    answers, made = iter([False, True, True, False, False]), []
    lines = messages(
        listener,
        lambda: (made.append(1), Message(True, len(made), "{}"))[1],
        0.0,
        lambda: next(answers),
    )
    assert read(next(lines) + next(lines)) == [("snapshot", "1", {})]
    listener.touch()
    assert read(next(lines)) == [("snapshot", "2", {})]
    assert read(next(lines)) == [("beat", None, {})]


def test_a_stream_that_nobody_reads_gives_its_place_back(app, phone):
    streams = app.extensions["context"].streams
    listen(phone, 2)
    assert len(streams) == 0


def test_closing_the_house_ends_every_stream():
    streams = Streams(limit=4, per_address=4)
    listener = streams.open("here", "phone-one")
    lines = messages(listener, lambda: Message(True, 1, "{}"), 0.0)
    streams.close()
    assert [name for name, _, _ in read("".join(lines))] == ["closed"]


def test_a_packed_stream_is_read_piece_by_piece_and_ends_as_gzip_does():
    pieces = ["retry: 1000\n\n", "data: " + "né " * 30_000 + "\n\n", "", "event: beat\n\n"]
    told = list(packed(piece for piece in pieces))
    reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
    assert [reader.decompress(data).decode() for data in told] == [*pieces, ""]
    assert reader.eof
    assert gzip.decompress(b"".join(told)).decode() == "".join(pieces)
    assert len(told[1]) < len(pieces[1]) / 20


def test_who_stops_reading_a_packed_stream_ends_what_it_is_made_of():
    streams = Streams(limit=4, per_address=4)
    listener = streams.open("here", "phone-one")
    lines = packed(messages(listener, lambda: Message(True, 7, "{}"), 0.0))
    next(lines)
    assert len(streams) == 1
    lines.close()
    assert len(streams) == 0


@pytest.mark.parametrize("accepted", ["gzip, deflate", "br;q=1.0, gzip;q=0.8", "*"])
def test_a_browser_is_sent_the_whole_state_packed(phone, accepted):
    path, plain = "/api/events?client=phone-one&html=1", listen(phone, 2)
    answer = phone.get(path, **{"Accept-Encoding": accepted})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["Vary"]
    data = b"".join(islice(answer.response, 2))
    answer.close()
    text = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(data)
    [(name, number, view)] = read(text.decode())
    assert (name, number, view["position"]) == (*plain[0][:2], plain[0][2]["position"])
    assert len(data) < len(text) / 2


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0, *;q=0"])
def test_who_does_not_read_gzip_is_sent_none(phone, accepted):
    answer = phone.get("/api/events?client=phone-one", **{"Accept-Encoding": accepted})
    assert next(iter(answer.response)).startswith(b"retry")
    assert "Content-Encoding" not in answer.headers
    answer.close()
