"""The page on which another table is invited, or its invitation is taken up."""

from __future__ import annotations

import pytest

import web
from companion.journal import Journal
from companion.table import Table


@pytest.fixture
def elsewhere(app):
    return app.extensions["context"].distant


def test_the_host_invites_another_table_by_a_link_and_a_code(host):
    page = host.get("/distant").text
    assert "Invite another table" in page
    assert "Table b" in page
    assert "Its board is not set yet." in page
    answer = host.post("/api/distant", do="invite", seat="red").json
    assert answer["link"].startswith("distant:")
    assert answer["qr"].startswith("<svg")


def test_a_seat_that_is_played_elsewhere_is_not_offered_again(host):
    form = host.get("/distant").text.partition("<select")[2].partition("</select>")[0]
    assert 'value="red"' in form
    assert 'value="blue"' not in form


def test_an_invitation_is_taken_up_and_left(host, elsewhere):
    assert host.post("/api/distant", do="join", link="distant:x").json["ok"]
    assert host.post("/api/distant", do="leave").json["ok"]
    assert host.post("/api/distant", do="dismiss", table="b").json["ok"]
    assert elsewhere.done == [("join", "distant:x"), ("leave",), ("dismiss", "b")]
    assert host.post("/api/distant", do="wave").status_code == 400


def test_what_has_to_be_known_of_the_other_table_is_on_every_phone(host, elsewhere):
    elsewhere.words = "The line to the owner is broken."
    assert host.state["distant"] == elsewhere.words
    assert elsewhere.words in host.get("/").text
    assert "Play along no more" in host.get("/distant").text


def test_a_table_without_a_club_has_no_such_page(phone_of):
    from companion.games import find_game

    with Journal() as journal:
        game = find_game("chess")
        app = web.create_app(Table.create(journal, game, game.setup()), config=web.Config())
        phone = phone_of(app)
        assert phone.get("/distant").status_code == 404
        assert "/distant" not in phone.get("/settings").text
