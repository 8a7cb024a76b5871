"""The host's page on which a misread is looked into."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web

PATHS = ("/readings", "/readings/7", "/api/readings", "/api/readings/7", "/api/readings/7/picture")


@pytest.mark.parametrize("path", PATHS)
def test_only_the_host_sees_what_the_camera_saw(path, phone, host):
    assert phone.get(path).status_code == 403
    assert host.get(path).status_code == 200


def test_every_reading_is_listed_with_its_reason(host):
    page = host.get("/readings").get_data(as_text=True)
    assert "asked" in page
    assert "nothing changed" in page
    assert 'href="/readings/7"' in page


def test_a_trace_shows_outlines_bars_and_what_was_refused(host):
    page = host.get("/readings/7").get_data(as_text=True)
    assert '<image href="/api/readings/7/picture"' in page
    assert 'class="looked changed"' in page
    assert 'class="weight"' in page
    assert "red &lt;man&gt;" in page
    assert "refused" in page
    assert "against it: c3" in page


def test_the_reason_is_told_in_the_language_of_the_phone(host):
    page = host.get("/readings/7", **{"Accept-Language": "it"}).get_data(as_text=True)
    assert "non è cambiato nulla" in page


def test_a_reading_that_is_kept_no_longer_is_said(host):
    assert host.get("/api/readings/8").status_code == 400
    assert "kept no longer" in host.get("/api/readings/8").json["error"]["message"]


def test_its_style_changes_nothing_else_on_the_page():
    """The page has the house's style too; a class of the same name would change its header."""
    static = Path(web.__file__).parent / "static"
    own, context = ((static / name).read_text("utf-8") for name in ("readings.css", "style.css"))
    alone = set(re.findall(r"(?:^|[},])\s*\.([a-z]+)(?=[ ,{])", own))
    assert {"weight", "sign", "studied"} <= alone
    assert alone & set(re.findall(r"\.([a-z]+)", context)) == set()
