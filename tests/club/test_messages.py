"""What is no message of a table or its club is refused in one sentence; what is, survives."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.link import read_address
from companion.club.messages import (
    MOST_BYTES,
    PARTS,
    Batch,
    Place,
    Stored,
    TableState,
    part_of,
    read_batch,
    read_state,
    read_stored,
    table_of,
    topic,
    write_batch,
    write_state,
    write_stored,
)
from companion.journal.copying import EventRow, GameRow
from companion.rules import BadInput

EPOCH, DIGEST = "0123456789abcdef", "0" * 64
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
GAMES = st.builds(GameRow, TEXTS, TEXTS, TEXTS, st.none() | TEXTS, st.none() | TEXTS, TEXTS)
ROWS = st.builds(
    EventRow, st.just(1), st.integers(0, 99), st.floats(0, 1e10), TEXTS, TEXTS, st.none() | TEXTS,
    st.none() | TEXTS, TEXTS, st.none() | GAMES,
)  # fmt: skip
ROW = EventRow(7, 1, 1.5, "white", "action", "e2-e4", None, "{}")


@pytest.mark.thorough
@given(st.lists(ROWS, min_size=1, max_size=5), st.integers(0, 1000))
def test_events_survive_writing_and_reading(rows, first):
    numbered = [row._replace(seq=first + number) for number, row in enumerate(rows, 1)]
    batch = Batch(EPOCH, Place(first, DIGEST if first else ""), tuple(numbered))
    assert read_batch(write_batch(batch)) == batch
    assert read_batch(write_batch(batch)).end() == batch.end()


def test_every_event_changes_the_digest():
    places = {Place().then(ROW).digest, Place().then(ROW._replace(data='{"a":1}')).digest,
              Place(0, DIGEST).then(ROW).digest}  # fmt: skip
    assert len(places) == 3


@pytest.mark.parametrize("lacks", [False, True])
def test_what_is_stored_survives(lacks):
    stored = Stored(EPOCH, Place(7, DIGEST), lacks)
    assert read_stored(write_stored(stored)) == stored


def test_how_a_table_is_survives():
    presence = TableState("playing", 1.5, "Tisch 4 🎲", "chess")
    assert read_state(write_state(presence)) == presence


@pytest.mark.parametrize("name", ["a\0b", "\ud800", 5, None, "n" * 101])
def test_a_table_s_name_that_no_database_takes_is_refused(name):
    with pytest.raises(BadInput, match="short texts"):
        read_state(write_state(TableState("online", 1.0, name)))


def test_tables_are_divided_evenly_and_their_topics_tell_them():
    parts = [part_of(f"{number:016x}") for number in range(1000)]
    assert set(parts) == set(range(PARTS))
    assert table_of(topic(EPOCH, "events")) == (EPOCH, "events")


@pytest.mark.parametrize(
    "name",
    ["", "companion/1/00/x/events", f"companion/2/00/{EPOCH}/events",
     f"companion/1/99/{EPOCH}/events", f"companion/1/{part_of(EPOCH):02d}/{EPOCH}/events/more",
     "companion/1/00/../../state"],
)  # fmt: skip
def test_a_topic_that_is_none_is_refused(name):
    with pytest.raises(BadInput, match="no topic of a table"):
        table_of(name)


GOOD = {"v": 1, "epoch": EPOCH, "after": [0, ""], "events": [list(ROW)]}


def changed(**fields):
    return json.dumps(GOOD | fields).encode()


def event(**fields):
    return changed(events=[list(ROW._replace(**fields))])


@pytest.mark.parametrize(
    "payload",
    [
        b"", b"{", b"[]", b"\xff", b"[" * 9999, b" " * (MOST_BYTES + 1), changed(v=2),
        changed(epoch="X"),
        changed(epoch=None), changed(after=[0]), changed(after=["0", ""]), changed(after=[-1, ""]),
        changed(after=[True, ""]), changed(after=[0, "short"]), changed(events=[]),
        changed(events=[list(ROW)] * 2), changed(events=[list(ROW)] * 101), changed(events=[1]),
        changed(events=[list(ROW)[:8]]), changed(after=[7, DIGEST]), event(seq=0), event(seq=2**60),
        event(at="now"), event(at=-1), event(at=1e300), event(kind=None), event(data={}),
        event(data="\0"), event(action=5), event(begun=[]),
        event(begun=["a", "b", "c", 1, None, ""]),
        event(data="\ud800"),
    ],
)  # fmt: skip
def test_a_payload_that_is_none_is_refused_in_a_sentence(payload):
    with pytest.raises(BadInput) as refused:
        read_batch(payload)
    assert len(refused.value.sentence) < 200


@pytest.mark.parametrize(
    "payload",
    [b"null", b'{"v":1}', b'{"v":1,"state":"flying","since":1}', b'{"v":1,"state":"online"}',
     b'{"v":1,"state":"online","since":1,"name":5}', b'{"v":1,"state":["online"],"since":1}'],
)  # fmt: skip
def test_a_state_that_is_none_is_refused(payload):
    with pytest.raises(BadInput):
        read_state(payload)


@pytest.mark.parametrize(
    "address", ["", "http://x", "mqtt://", "mqtt://host:x", "mqtt://host:99999"]
)
def test_an_address_of_no_broker_says_how_one_is_written(address):
    with pytest.raises(BadInput, match="mqtt://192"):
        read_address(address)


def test_an_address_of_several_brokers_names_them_all():
    address = read_address(f"mqtts://Ada:p,w@one,two:1884,[::1]:1885#{'0a' * 32}")
    assert address.places == [("one", 8883), ("two", 1884), ("::1", 1885)]
    assert (address.name, address.password, address.pin) == ("Ada", "p,w", "0a" * 32)
    assert read_address("mqtt://one").places == [("one", 1883)]
    for text in ("mqtt://one,", "mqtt://one,,two", "mqtt://one,two:port", "mqtt://,two"):
        with pytest.raises(BadInput, match="is no broker"):
            read_address(text)


def test_an_address_tells_name_password_and_tls():
    told = read_address("mqtts://ada:p%40ss@club", "ca.pem")
    assert told == ("club", 8883, True, "ada", "p@ss", "ca.pem", "", ())
    pin = "0123456789abcdef" * 4
    assert read_address(f"mqtts://club:9#{pin}").pin == pin


@pytest.mark.parametrize("end", ["#short", f"#{'g' * 64}"])
@pytest.mark.parametrize("scheme", ["mqtt", "mqtts"])
def test_what_is_no_sha_256_of_a_certificate_is_told(scheme, end):
    with pytest.raises(BadInput, match="no certificate's SHA-256"):
        read_address(f"{scheme}://club{end}")
