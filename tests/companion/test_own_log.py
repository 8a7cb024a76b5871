"""What the companion keeps of its own running: bounded, its owner's alone, without secrets."""

from __future__ import annotations

import logging
import os
import time
from datetime import UTC, datetime

import pytest

from companion.rules import Uncertain
from companion.runtime.own_log import MOST_BYTES, MOST_TEXT, last_entries, logged

_log = logging.getLogger("companion.table.tests")
NAME = "chess.log"


def test_warnings_and_the_starts_of_the_companion_are_kept_the_newest_last(tmp_path):
    with logged(tmp_path, "chess"):
        _log.debug("too small")
        _log.info("the table runs")
        logging.getLogger("waitress").info("not ours")
        _log.warning("the lamp at %s is gone", "192.168.1.9")
    _log.warning("after the end")
    first, second = last_entries(tmp_path, 10)
    assert first.endswith("INFO companion.table.tests: the table runs")
    assert second.endswith("WARNING companion.table.tests: the lamp at 192.168.1.9 is gone")
    assert last_entries(tmp_path, 1) == [second]


def test_its_owner_alone_reads_it_whatever_the_mask(tmp_path):
    before = os.umask(0)
    try:
        with logged(tmp_path, "chess"):
            _log.warning("x")
    finally:
        os.umask(before)
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("told", "secret"),
    [
        ("GET http://10.0.0.1:8000/join#ABCD-EFGH fell", "ABCD-EFGH"),
        ("the camera rtsp://me:hush@10.0.0.7/stream is gone", "hush"),
        ("sent Authorization: Bearer lip_a1b2c3", "lip_a1b2c3"),
        ("sent authorization: bearer lip_a1b2c3", "lip_a1b2c3"),
    ],
)
def test_no_code_password_or_token_is_in_it(tmp_path, told, secret):
    with logged(tmp_path, "chess"):
        _log.warning("%s", told)
    assert secret.encode() not in (tmp_path / NAME).read_bytes()
    assert "…" in last_entries(tmp_path, 1)[0]


def test_a_fault_is_told_by_its_place_and_kind_and_not_by_what_it_says(tmp_path, caplog):
    card = "the ace of spades"

    def fall():
        raise KeyError(card)

    with logged(tmp_path, "chess"):
        try:
            fall()
        except KeyError:
            _log.exception("a game fell")
        _log.error("%s", Uncertain(f"nobody follows 'play {card}'"))
    fault, doubt = last_entries(tmp_path, 10)
    assert "in fall" in fault
    assert fault.endswith("\n  KeyError")
    assert "did not follow an action" in doubt
    assert card in caplog.text
    assert card not in fault + doubt


def test_an_entry_stays_one_and_changes_no_terminal(tmp_path):
    with logged(tmp_path, "chess"):
        _log.warning("one\n2030-01-01T00:00:00+00:00 ERROR forged\x1b[2J\r\u202e")
        _log.warning("x" * 2 * MOST_TEXT)
    forged, long = last_entries(tmp_path, 10)
    assert "\n  2030-01-01" in forged
    assert not set(forged) & set("\x1b\r\u202e")
    assert len(long) <= MOST_TEXT


def test_it_takes_no_more_room_than_two_files(tmp_path):
    with logged(tmp_path, "chess"):
        for number in range(3 * MOST_BYTES // 1000):
            _log.warning("%d %s", number, "x" * 1000)
    sizes = [file.stat().st_size for file in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) <= MOST_BYTES
    assert f" {number} " in last_entries(tmp_path, 1)[0]


def test_a_folder_that_takes_nothing_costs_nothing_but_the_log(tmp_path, capsys):
    (tmp_path / NAME).mkdir()
    with logged(tmp_path, "chess"):
        _log.warning("x")
    assert "Logging error" not in capsys.readouterr().err
    assert last_entries(tmp_path, 5) == []
    assert last_entries(tmp_path / "nowhere", 5) == []


def test_without_a_handler_warnings_still_reach_stderr(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    with logged(tmp_path, "chess"):
        _log.warning("the lamp is gone")
        _log.info("the table runs")
    assert capsys.readouterr().err == "the lamp is gone\n"
    assert logging.getLogger().handlers == []


def test_entries_since_a_moment(tmp_path):
    old, new = "2026-11-24T10:00:00+00:00 WARNING a: old\n  more", "2026-11-24T12:00:00+01:00"
    newer = "2026-11-24T12:30:00+00:00 WARNING a: newer"
    (tmp_path / f"{NAME}.1").write_text(f"{old}\n")
    (tmp_path / NAME).write_text(f"{new} WARNING a: new\n{newer}\n")
    noon = datetime(2026, 11, 24, 12, tzinfo=UTC).timestamp()
    assert last_entries(tmp_path, 9) == [old, f"{new} WARNING a: new", newer]
    assert last_entries(tmp_path, 9, noon) == [newer]
    assert last_entries(tmp_path, 9, time.time() + 1e9) == []


def test_two_tables_of_one_folder_have_a_log_each(tmp_path):
    """Each keeps to its own room, and together they are told in the order of time."""
    with logged(tmp_path, "chess"), logged(tmp_path, "invictus"):
        _log.warning("both hear it: one process stands for two")
    (tmp_path / "chess.log").write_text("2026-11-24T12:00:00+00:00 WARNING a: second\n")
    (tmp_path / "invictus.log").write_text(
        "2026-11-24T11:00:00+00:00 WARNING a: first\n2026-11-24T13:00:00+00:00 WARNING a: third\n"
    )
    words = [entry.rpartition(" ")[2] for entry in last_entries(tmp_path, 9)]
    assert words == ["first", "second", "third"]
    assert len(last_entries(tmp_path, 9, table="invictus")) == 2
    assert last_entries(tmp_path, 9, table="victorus") == []
