"""The host's page with what the companion itself logged."""

from __future__ import annotations

import web


def test_the_host_alone_sees_it(host, phone, joined):
    assert host.get("/log").status_code == 200
    assert phone.get("/log").status_code == 403
    assert joined.get("/log").status_code == 403


def test_entries_are_shown_in_their_order_and_escaped(host):
    page = host.get("/log").get_data(as_text=True)
    assert page.index("the lamp is gone") < page.index("&lt;b&gt;fell")
    assert "<b>fell" not in page
    assert 'href="/log"' in host.get("/settings").get_data(as_text=True)


def test_guests_are_shown_no_way_to_it(joined):
    assert 'href="/log"' not in joined.get("/settings").get_data(as_text=True)


def test_a_house_without_a_log_has_no_such_page(table):
    app = web.create_app(table, config=web.Config(trust_machine=True))
    client = app.test_client()
    assert client.get("/log").status_code == 404
    assert 'href="/log"' not in client.get("/settings").get_data(as_text=True)
