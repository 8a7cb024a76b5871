"""What is not written down in docs/web.md does not exist."""

import re
from pathlib import Path

import pytest

import web

ROOT = Path(web.__file__).parent.parent
DOC = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
SOURCE = "\n".join(path.read_text() for path in sorted((ROOT / "web").rglob("*.py")))
CODES = sorted(set(re.findall(r'Refusal\(\s*\d{3},\s*"([a-z_]+)"', SOURCE)))


def test_every_route_is_documented_and_no_other(app):
    routes = {
        method + " " + re.sub(r"<(?:[a-z]+:)?([a-z]+)>", r"{\1}", rule.rule)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == set(re.findall(r"^\| `((?:GET|POST) [^`]+)`", DOC, re.MULTILINE))


def test_every_event_of_the_stream_is_documented_and_no_other():
    sent = set(re.findall(r"event: ([a-z]+)\\n", SOURCE))
    assert sent == set(re.findall(r"^\| `event: ([a-z]+)`", DOC, re.MULTILINE))
    assert "snapshot" in sent


@pytest.mark.parametrize("code", [*CODES, "hardware", "bad_input"])
def test_every_error_code_is_documented(code):
    assert f"`{code}`" in DOC


def test_every_setting_is_documented():
    assert all(f"`{name}`" in DOC for name in web.Config._fields)


def test_every_field_of_a_snapshot_is_documented(phone):
    assert [name for name in phone.state if f"`{name}`" not in DOC] == []


def test_every_kind_of_mark_is_documented():
    kinds = set(re.findall(r'"kind": "([a-z]+)"', SOURCE))
    assert [kind for kind in kinds if f"`{kind}`" not in DOC] == []
