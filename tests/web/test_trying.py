"""The host's page on which lights, buttons and buzzer are tried out."""

from __future__ import annotations

import web


def test_the_host_alone_tries_things_out(host, phone, joined, config):
    assert host.get("/trial").status_code == 200
    for guest in (phone, joined):
        assert guest.get("/trial").status_code == 403
        assert guest.get("/api/trial/heard").status_code == 403
        assert guest.post("/api/trial/show", kind="cell", name="h2").status_code == 403
        assert guest.post("/api/trial/end").status_code == 403
    assert config.trial.shown == []


def test_every_step_asks_a_question(host):
    page = host.get("/trial").get_data(as_text=True)
    for asked in (
        "Do all lights shine red?", "Does h2 shine, and nothing else?",
        "Did you hear a short tone and a longer one?", "Hold the button that takes back",
        "Does the picture show the whole board", "Does the status LED blink quickly?",
        "Put one piece on cell after cell",
    ):  # fmt: skip
        assert asked in page
    assert 'href="/trial"' in host.get("/settings").get_data(as_text=True)


def test_a_step_is_shown_heard_and_ended(host, config):
    assert host.post("/api/trial/show", kind="cell", name="h2").json["ok"]
    assert host.get("/api/trial/heard").json["heard"] == ["turn"]
    assert host.get("/api/trial/heard").json["felt"] == ["h2", "#99"]
    assert host.post("/api/trial/show", kind="cell", name="h99").status_code == 400
    assert host.post("/api/trial/end").json["ok"]
    assert config.trial.shown == ["h2", "end"]


def test_a_table_without_anything_to_try_has_no_such_page(table):
    app = web.create_app(table, config=web.Config(trust_machine=True))
    client = app.test_client()
    assert client.get("/trial").status_code == 404
    assert 'href="/trial"' not in client.get("/settings").get_data(as_text=True)
