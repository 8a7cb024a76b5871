"""Who may ask, and what a stranger's page can do: nothing."""

import re
from http.cookies import SimpleCookie
from pathlib import Path

import pytest

import web
from companion.runtime.rate import SENDERS, Rate
from tests.checks.plain_words import code_names

PAGES = ("/", "/view", "/allowed", "/history", "/rules", "/join", "/table")
POSTS = (
    "/api/join", "/api/name", "/api/seat", "/api/leave", "/api/hand", "/api/host", "/api/dismiss",
    "/api/language", "/api/machine", "/api/say",
    "/api/move", "/api/pause", "/api/resign", "/api/draw",
    "/api/undo", "/api/answer", "/api/correct", "/api/ruling", "/api/arrange", "/api/array",
    "/api/settings", "/api/new", "/api/resume", "/api/abort", "/api/import", "/api/delete",
    "/api/virtual/move", "/api/virtual/remove", "/api/virtual/put", "/api/virtual/turn",
    "/api/virtual/flip", "/api/virtual/lift", "/api/virtual/drop", "/api/virtual/tidy",
    "/api/virtual/press", "/api/virtual/throw", "/api/virtual/carry", "/api/virtual/tip",
    "/api/calibrate/place", "/api/calibrate/accept", "/api/calibrate/find",
    "/api/calibrate/turn", "/api/hold", "/api/cards", "/api/cards/forget",
    "/api/deck", "/api/preset", "/api/preset/forget", "/api/rematch", "/api/carry", "/api/rack",
    "/api/friends", "/api/lesson", "/api/lesson/table", "/api/point", "/api/programs",
    "/api/distant", "/api/trial/show", "/api/trial/end", "/api/v1/<path:rest>",
)  # fmt: skip
PRIVATE = (
    "/settings", "/shelf", "/shelf/men", "/games", "/games/1", "/evidence/1/after.jpg",
    "/export/1/record.txt", "/log", "/trial", "/api/trial/heard",
    "/api/settings", "/api/games", "/api/games/1", "/api/calibrate/status",
    "/api/calibrate/picture",
)  # fmt: skip
READS = (
    "/api/state", "/api/events?client=abcdefgh", "/api/judge?from=a1&to=a2", "/api/whatif",
    "/api/corrections", "/api/symbols", "/healthz", "/api/virtual/table", *PRIVATE,
)  # fmt: skip


def test_every_post_route_is_in_the_list_above(app):
    posts = {rule.rule for rule in app.url_map.iter_rules() if "POST" in rule.methods}
    assert posts == set(POSTS)


@pytest.mark.parametrize("path", [*PAGES, "/api/state", "/healthz", "/static/app.js"])
def test_a_name_that_is_not_ours_is_refused_in_a_sentence(phone, path, caplog):
    answer = phone.get(path, Host="evil.example")
    assert answer.status_code == 400
    assert answer.json["error"]["message"] == "this table is not asked for by that name"
    assert not caplog.records, "it is nobody's fault"


def test_a_rebound_name_cannot_listen(phone):
    headers = {"Host": "evil.example", "Origin": "http://evil.example"}
    assert phone.get("/api/events?client=abcdefgh", **headers).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=lambda headers: " ".join(headers.values()),
)
def test_a_page_of_another_site_cannot_post(red, headers):
    for path in POSTS:
        answer = red.post(path, headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (403, "foreign"), path


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 400),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 400),
        ({"Host": "localhost", "Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403),
    ],
    ids=["host", "rebound", "origin", "nobody", "fetched"],
)
def test_no_route_answers_another_site(red, headers, status):
    for path in (*PAGES, *READS):
        answer = red.get(path, **headers)
        assert answer.status_code == status, path
        assert b"state_id" not in answer.data, path


def test_a_link_from_elsewhere_leads_to_a_page_but_not_into_it(red):
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert red.get("/", **link).status_code == 200
    assert red.get("/api/state", **link).status_code == 403
    assert red.get("/export/1/record.txt", **link).status_code == 403


@pytest.mark.parametrize("path", PRIVATE)
def test_what_is_private_is_for_those_at_the_table(phone, path):
    answer = phone.get(path)
    assert answer.status_code == 403
    assert b"red man" not in answer.data


def test_reading_too_fast_is_stopped(phone, clock):
    codes = {phone.get("/healthz").status_code for _ in range(600)}
    assert codes == {200}
    assert phone.get("/healthz").status_code == 429
    clock.time += 11
    assert phone.get("/healthz").status_code == 200


def test_a_page_of_another_site_cannot_listen(phone):
    answer = phone.get("/api/events?client=abcdefgh", Origin="http://evil.example")
    assert answer.status_code == 403


def test_a_form_cannot_post(phone):
    for path in POSTS:
        answer = phone.client.post(path, data={"seat": "red"})
        assert (answer.status_code, answer.json["error"]["code"]) == (415, "not_json"), path


def test_a_flood_is_stopped_and_harms_nobody_else(new_phone, clock):
    flood, guest = new_phone("192.168.1.66"), new_phone("192.168.1.20")
    codes = [flood.post("/api/seat", seat="red").json["error"]["code"] for _ in range(62)]
    assert codes[59:] == ["not_joined", "too_fast", "too_fast"]
    assert guest.post("/api/seat", seat="red").json["error"]["code"] == "not_joined"
    clock.time += 11
    assert flood.post("/api/seat", seat="red").json["error"]["code"] == "not_joined"


def test_of_very_many_addresses_the_longest_silent_is_forgotten(clock):
    rate = Rate(1, 60.0, clock)
    for number in range(SENDERS + 1):
        rate.count(f"address {number}")
    assert not rate.full("address 0")
    assert rate.full("address 1")


def test_a_fault_of_ours_tells_nothing_of_our_inside(phone, eyes, monkeypatch):
    def broken():
        raise RuntimeError("secret of the house")

    monkeypatch.setattr(eyes, "status", broken)
    answer = phone.get("/api/state")
    assert (answer.status_code, answer.json["error"]["code"]) == (500, "internal_server_error")
    assert "secret" not in answer.text


def test_a_large_body_is_refused(phone):
    answer = phone.post("/api/join", code="A" * 20_000)
    assert (answer.status_code, answer.json["ok"]) == (413, False)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_carries_inline_script_or_style_or_another_host(red, path):
    html = red.get(path).text
    assert not re.search(r"<script(?![^>]*\ssrc=)", html)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", html)
    assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', html)


@pytest.mark.parametrize("path", [*PAGES, "/api/state", "/nowhere", "/static/app.js"])
def test_every_answer_says_what_a_browser_may_do_with_it(phone, path):
    answer = phone.get(path)
    answer.close()
    headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert not [name for name, _ in headers if name.startswith("Access-Control")]


@pytest.mark.parametrize("path", [*PAGES, "/api/state"])
def test_state_is_never_kept_by_a_cache(phone, path):
    assert phone.get(path).headers["Cache-Control"] == "no-store"


def test_the_names_in_a_game_are_escaped(phone):
    assert "Men &lt;of nine&gt;" in phone.get("/").text
    assert "<of nine>" not in phone.get("/").text


def test_the_key_of_a_phone_is_out_of_the_reach_of_scripts_and_other_sites(app, phone):
    code = web.invitation(app).partition("#")[2]
    cookie = SimpleCookie(phone.post("/api/join", code=code).headers["Set-Cookie"])
    morsel = cookie["companion_phone"]
    assert morsel["httponly"]
    assert morsel["samesite"] == "Strict"
    assert len(morsel.value) >= 22  # 128 bits in base 64


def test_sitting_down_changes_the_key(joined):
    before = joined.client.get_cookie("companion_phone").value
    joined.post("/api/seat", seat="red")
    after = joined.client.get_cookie("companion_phone").value
    assert after != before
    joined.client.set_cookie("companion_phone", before)
    assert not joined.state["you"]["joined"]


def test_the_journal_keeps_no_key(red, table):
    key = red.client.get_cookie("companion_phone").value
    assert all(key not in str(event.data) for event in table.events())


def test_no_answer_of_the_join_route_tells_a_code(phone):
    answer = phone.post("/api/join", code="SECRETXX")
    assert "SECRETXX" not in answer.text


def test_scripts_do_not_write_html_of_their_own():
    """Text goes in as text; only the parts that the server escaped go in as HTML."""
    folder = Path(web.__file__).parent / "static"
    uses = [
        (path.name, line.strip())
        for path in folder.glob("*.js")
        for line in path.read_text().splitlines()
        if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", line)
    ]
    assert uses == [
        ("live.js", "fresh.innerHTML = html;"),
        ("live.js", "if (fresh.innerHTML === element.innerHTML) return;"),
    ]


def test_a_route_that_falls_has_a_page_with_a_sentence_and_is_logged_once(
    phone, eyes, monkeypatch, caplog
):
    monkeypatch.setattr(eyes, "status", lambda: [][0])
    page = phone.get("/")
    assert (page.status_code, page.mimetype) == (500, "text/html")
    assert "the game stands as it was" in page.text
    assert [record.levelname for record in caplog.records].count("ERROR") == 1


@pytest.mark.parametrize("path", ["/nowhere", "/evidence/9223372036854775808/x.jpg", "/games/²"])
def test_where_nothing_is_a_page_says_so_in_the_language_of_the_phone(phone, path):
    page = phone.get(path, **{"Accept-Language": "it"})
    assert page.status_code == 404
    assert "qui non c&#39;è nulla" in page.text


@pytest.mark.parametrize(
    "body",
    [
        b'{"key": "\\ud800aaaaaaaaaaaaaaaa"}', b"[" * 5000, b'{"a": ' + b"9" * 5000 + b"}", b"\xff",
        b'{"a": 1, "a": 2}', b'{"a": NaN}', b"[]", b"null", b"",
    ],
)  # fmt: skip
def test_a_body_that_no_page_sends_is_refused_in_a_sentence(phone, body):
    answer = phone.client.post("/api/join", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert code_names(answer.json["error"]["message"]) == []


def test_a_packed_body_is_refused(phone):
    packed = {"data": b"{}", "content_type": "application/json"}
    answer = phone.client.post("/api/join", headers={"Content-Encoding": "gzip"}, **packed)
    assert answer.status_code == 415
