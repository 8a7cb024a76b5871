"""The pages as they come from the server: all there without a script."""

import re
from html import unescape

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.rules import Action, Outcome, called
from companion.table import Table
from companion.table.evening import Evening
from web.language import languages
from web.wording import NOTICES

JPEG = b"\xff\xd8\xff\xe0 a photograph"


def text(html):
    """Return what a reader sees, without tags, in one line."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def test_the_phone_page_shows_the_game_without_a_script(phone, table, lit):
    lit["b1"] = {"colour": "#00ff00", "effect": "pulse", "meaning": "may go here"}
    table.play(Action("move", "a1", "c3"), "camera")
    html = phone.get("/").text
    seen = text(html)
    assert "To move red" in seen
    assert "✗ Not allowed red man a1 → c3, takes blue man" in seen
    assert "that is no neighbouring square" in seen
    assert 'href="/rules#MEN-1"' in html
    assert "may go here b1" in seen
    assert "Not live: reload" in seen
    assert seen.index("Scorecards") > 0


def test_every_spot_has_a_name_that_says_what_stands_there(phone, table, lit):
    lit["b1"] = {"colour": "#00ff00", "effect": "steady", "meaning": "may go here"}
    table.play(Action("move", "a1", "a2"), "camera")
    names = re.findall(r'class="spot"[^>]*aria-label="([^"]+)"', phone.get("/").text)
    assert len(names) == 9
    assert {"red man, a2, last move", "empty, b1, may go here", "blue man, c3"} <= set(names)


def test_one_spot_alone_is_a_stop_of_the_tab_key(phone):
    html = phone.get("/").text
    assert len(re.findall(r'class="spot"[^>]*tabindex="0"', html)) == 1


def test_whose_turn_it_is_never_rests_on_colour_alone(red):
    assert "Your turn red" in text(red.get("/").text)
    assert "red you to move" in text(red.get("/").text)


def test_the_own_scorecard_comes_first(red):
    red.post("/api/leave", seat="red")
    red.post("/api/seat", seat="blue")
    html = red.get("/").text
    assert html.index('id="card-blue"') < html.index('id="card-red"')


def test_a_spoken_action_is_a_button_for_the_seat_to_move_alone(red, new_phone, table):
    table.play(Action("move", "a1", "a2"), "camera")
    assert "End turn" in text(red.get("/").text)
    assert "End turn" not in text(new_phone().get("/").text)


def test_the_end_of_the_game_is_said_with_its_rule(phone, table):
    table.play(Action("draw"), "red")
    seen = text(phone.get("/").text)
    assert "The game is over A draw a draw was claimed MEN-4" in seen


def test_the_camera_says_what_is_wrong_and_where(phone, eyes):
    eyes.words = {**eyes.words, "message": "Put a man on a1.", "differs": ["a1", "b2"]}
    seen = text(phone.get("/").text)
    assert "Put a man on a1." in seen
    assert "Differs at a1, b2" in seen


def test_a_piece_in_the_hand_is_no_fault(phone, eyes):
    eyes.words = {**eyes.words, "message": "a1 is empty", "differs": ["a1"], "lifted": "a1"}
    seen = text(phone.get("/").text)
    assert "a1 is empty" not in seen
    assert "In the hand: red man from a1" in seen


def test_a_hand_and_a_lifted_piece_are_told(phone, eyes):
    eyes.words = {**eyes.words, "lifted": "a1"}
    assert "In the hand: red man from a1" in text(phone.get("/").text)
    eyes.words = {**eyes.words, "lifted": None, "still": False}
    assert "A hand is over the table" in text(phone.get("/").text)


def test_the_question_can_be_asked_without_a_script(phone):
    seen = text(phone.get("/allowed?from=A1&to=c1").text)
    assert "Not allowed red man a1 → c1, takes red man" in seen
    assert "Nobody takes a man of his own." in seen
    assert 'data-mark="proof"' in phone.get("/allowed?from=a1&to=c1").text


def test_a_question_about_no_spot_gets_a_page_with_one_sentence(phone):
    answer = phone.get("/allowed?from=<b>&to=a1")
    assert answer.status_code == 400
    assert "there is no spot “<b>” on this board" in text(answer.text)
    assert "<b>&" not in answer.text


def test_the_history_keeps_the_refused_and_the_taken_back(red, table):
    table.play(Action("move", "a1", "c3"), "camera")
    table.play(Action("move", "a1", "a2"), "camera")
    table.undo(1, "red")
    seen = text(red.get("/history").text)
    assert "taken back (1)" in seen
    assert "played · taken back ✓ Allowed a1 → a2" in seen
    assert "refused ✗ Not allowed a1 → c3" in seen


def test_a_long_history_comes_in_pages(phone, table):
    for _ in range(70):
        table.play(Action("move", "a1", "c3"), "camera")
    html = phone.get("/history").text
    assert html.count('id="event-') == 60
    older = phone.get(re.search(r'href="(/history\?before=\d+)"', html)[1]).text
    assert older.count('id="event-') == 11
    assert "Older" not in older


def test_a_seat_can_undo_to_before_any_action_that_stands(red, new_phone, table):
    table.play(Action("move", "a1", "a2"), "camera")
    table.play(Action("end"), "red")
    html = red.get("/history").text
    assert re.findall(r"&#34;count&#34;: (\d)|\{\"count\": (\d)\}", html)
    assert "Undo back to before this" in html
    assert "Take back the last 2 actions?" in html
    assert "disabled>Undo" in new_phone().get("/history").text


def test_replay_photographs_are_for_those_at_the_table(phone, table):
    table.play(Action("move", "a1", "a2"), "camera", evidence={"before": JPEG})
    assert "/evidence/" not in phone.get("/history").text
    assert "Photographs are for those at the table." in text(phone.get("/history").text)


def test_replay_photographs_are_shown_and_nothing_else(joined, table):
    phone = joined
    table.play(Action("move", "a1", "a2"), "camera", evidence={"before": JPEG, "after": JPEG})
    seq = table.events()[-1].seq
    assert f'src="/evidence/{seq}/before.jpg"' in phone.get("/history").text
    answer = phone.get(f"/evidence/{seq}/after.jpg")
    assert (answer.data, answer.mimetype) == (JPEG, "image/jpeg")
    for path in (f"/evidence/{seq}/secret.jpg", "/evidence/9999/after.jpg", "/evidence/x/a.jpg"):
        assert phone.get(path).status_code == 404


def test_the_rules_can_be_read_and_linked_to(phone):
    html = phone.get("/rules").text
    assert 'id="MEN-2"' in html
    assert "Nobody takes a man of his own." in text(html)


@pytest.mark.parametrize("kind", NOTICES)
def test_what_the_companion_tells_is_no_last_move(red, table, kind):
    table.play(Action("move", "a1", "a2"), "camera")
    for _ in range(5):
        table.note(kind, {"game": 0, "reason": "so it is"}, "referee")
    state = red.state
    assert [entry["kind"] for entry in state["recent"]] == ["action"]
    page = text(red.get("/").text)
    assert "Last red man a1 → a2" in page
    (notice,) = state["notices"]
    assert notice.lower() in page.lower()
    assert f"Last {notice}" not in page
    table.play(Action("end"), "red")
    assert red.state["notices"] == []


def test_only_those_who_are_in_see_a_code(phone, app, new_phone):
    assert "<path" in phone.get("/join").text  # icons
    assert "Invite a phone" not in phone.get("/join").text
    guest = new_phone()
    code = app.extensions["context"].invitation().partition("#")[2]
    guest.post("/api/join", code=code)
    page = guest.get("/join").text
    assert "QR code to join this table" in page
    shown = re.search(r'class="spell">([A-Z0-9]{8})<', page)[1]
    assert phone.post("/api/join", code=shown).status_code == 200


def test_pages_link_to_the_simulated_table_only_where_there_is_one(phone, table, config):
    assert 'href="/table"' in phone.get("/").text
    plain = web.create_app(table, config=config).test_client()
    assert 'href="/table"' not in plain.get("/").text
    assert plain.get("/table").status_code == 404
    assert plain.get("/api/virtual/picture").status_code == 404


@pytest.mark.parametrize("path", ["/", "/history", "/table"])
def test_a_first_load_is_small(phone, path):
    html = phone.client.get(path, headers={"Accept-Encoding": "gzip"}).data
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', phone.get(path).text)
    total = len(html)
    for name in {*files, "/static/board.js", "/static/live.js"}:
        with phone.client.get(name, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.headers.get("Content-Encoding") == "gzip" or len(answer.data) < 1100
            total += len(answer.data)
    assert total < 50_000


def test_static_files_are_kept_until_they_change(phone):
    with phone.get("/static/app.js?v=1") as answer:
        assert "max-age=31536000" in answer.headers["Cache-Control"]
    with phone.get("/static/live.js") as answer:
        assert answer.headers["Cache-Control"] == "no-cache", "imported without a version"
        tag = answer.headers["ETag"]
    with phone.get("/static/live.js", **{"If-None-Match": tag}) as answer:
        assert answer.status_code == 304
    assert re.search(r'/static/style\.css\?v=[0-9a-f]{10}"', phone.get("/").text)


PLACES = (
    "/",
    "/join",
    "/allowed",
    "/history",
    "/rules",
    "/table",
    "/view",
    "/games",
    "/settings",
    "/shelf",
)


@pytest.mark.parametrize("who", ["phone", "blue", "red", "host"])
def test_nobody_is_offered_a_page_that_then_refuses_him(request, who):
    reader = request.getfixturevalue(who)
    offered = {"/"}
    for place in PLACES:
        page = reader.get(place)
        if page.status_code == 200:
            offered |= set(re.findall(r'<a [^>]*href="(/[^"#]*)', page.text))
    answers = {link: reader.get(unescape(link)).status_code for link in offered}
    assert {link: status for link, status in answers.items() if status != 200} == {}


def test_who_may_not_see_a_page_is_shown_the_way_to_a_seat(phone):
    page = phone.get("/settings")
    assert page.status_code == 403
    assert re.search(r'<main.*href="/join".*</main>', page.text, re.S)


def test_once_a_game_is_over_the_host_is_offered_another_one(host, red, table):
    another = re.compile(r'href="/shelf">Another game<')
    assert not another.search(host.get("/").text)
    table.end(Outcome((), "", "agreed"), "agreement", "red")
    assert another.search(host.get("/").text)
    assert not another.search(red.get("/").text)


def test_a_refusal_on_the_simulated_table_stands_in_the_line_beneath_the_board(red, table):
    table.play(Action("move", "a1", "c3"), "camera")
    html = red.get("/table").text
    assert html.index('id="line"') < html.index("✗") < html.index('id="sheets"')


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("language", languages())
def test_places_are_called_as_people_call_them_wherever_they_are_listed(name, language, eyes):
    game = find_game(name)
    setup = game.setup()
    codes = {spot for spot in game.board(setup).spots if called(spot) != spot}
    table = Table.create(Journal(), game, setup)
    spots = sorted(game.board(setup).spots)
    lit = {spot: {"colour": "#00ff00", "effect": "steady", "meaning": "x"} for spot in codes}
    eyes.words["differs"] = spots[:12]
    app = web.create_app(Evening(table), config=web.Config(), eyes=eyes, lights=lambda: lit)
    page = app.test_client().get("/", headers={"Accept-Language": language})
    assert page.status_code == 200
    shown = " ".join([text(page.text), *re.findall(r'aria-label="([^"]*)"', page.text)])
    for code in codes:  # A name may hold the word that is the code, such as "active dice".
        shown = shown.replace(str(called(code)), "")
    assert {
        code for code in codes if re.search(rf"(?<![\w.]){re.escape(code)}(?![\w.])", shown)
    } == set()


def test_what_all_templates_know_is_gathered_when_one_is_loaded(app):
    template = app.jinja_env.get_template("parts/turn.html")
    assert type(template.globals) is dict
    assert {*app.jinja_env.globals} <= {*template.globals}
    other = app.jinja_env.get_template("parts/moves.html", globals={"label": "its own"})
    assert other.globals["label"] == "its own"
    assert template.globals["label"] is app.jinja_env.globals["label"] != "its own"
