"""Other programs: tokens by scope, every operation, and a document that says what is so."""

import json
import re
from collections import Counter
from itertools import islice, pairwise
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

import web
from companion.machine.tokens import SCOPES, Tokens
from companion.rules import Action, BadInput, HardwareFault
from tests.web.test_stream import read
from web.doors.answering import OPERATIONS
from web.doors.openapi import document
from web.ports import NoMachines

ROOT = Path(__file__).parents[2]


class Program:
    """A program with a token."""

    def __init__(self, app, token, address="192.168.1.60"):
        self.client, self.token, self.address = app.test_client(), token, address

    def ask(self, method, path, body=None, **headers):
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return self.client.open(
            f"/api/v1{path}", method=method, json=body, headers=headers,
            environ_base={"REMOTE_ADDR": self.address, "REMOTE_PORT": 40000},
        )  # fmt: skip

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def post(self, path, headers=(), **body):
        return self.ask("POST", path, body, **dict(headers))

    @property
    def state_id(self):
        return self.get("/game").json["state_id"]


class PointingMachines(NoMachines):
    """Machines that do no more than to point."""

    def point(self, spots, seconds=None):
        self.pointed = spots, seconds


@pytest.fixture
def machines():
    return PointingMachines()


@pytest.fixture
def app(evening, config, tokens, machines):
    """A house in which moves are entered: no camera looks."""
    return web.create_app(evening, config=config, tokens=tokens, machines=machines)


@pytest.fixture
def program(app, tokens):
    """Return a program with a token of a scope, for seats if they are named."""
    names = iter("abcdefghij")

    def make(scope="read", *seats):
        return Program(app, tokens.make(next(names), scope, seats, 0.0))

    return make


# -- the document --------------------------------------------------------------------------------


def test_the_document_is_valid(app):
    told = Program(app, "").get("/openapi.json")
    assert told.status_code == 200
    OpenAPIV31SpecValidator(told.json).validate()
    assert told.json["openapi"].startswith("3.1")


def test_the_guide_lists_every_operation_with_its_scope_and_no_other():
    guide = (ROOT / "docs" / "api.md").read_text()
    listed = re.findall(r"^\| `((?:GET|POST) /\S*)` \| (\w*) ?\|", guide, re.MULTILINE)
    assert Counter(listed) == Counter((f"{o.method} {o.path}", o.scope) for o in OPERATIONS)


def asked(state_id):
    """Return a request for every operation, in an order in which all of them can be done."""
    return {
        "read_document": {},
        "read_game": {},
        "read_board": {},
        "read_legal": {},
        "read_ruling": {"action": "a1-a2"},
        "read_scores": {},
        "read_events": {"after": "0"},
        "play_action": {"action": "a1-a2", "state_id": state_id},
        "read_corrections": {},
        "correct": {"actions": ["c1-c2"], "replaced": 1, "state_id": state_id},
        "read_settings": {},
        "change_settings": {"sound": True, "keep_days": 5},
        "light": {"spots": ["a1"], "seconds": 5},
        "pause": {"paused": True},
        "undo": {"actions": 1, "state_id": state_id},
        "draw": {"answer": "offer", "seat": "red", "state_id": state_id},
        "resign": {"seat": "red", "state_id": state_id},
        "begin_game": {"game": "men", "options": {}},
        "read_games": {},
        "read_picture": {"number": "1"},
        "read_play": {"number": "1"},
        "read_stream": {},
    }


def done(program, one):
    """Ask for an operation as :func:`asked` says; return the answer."""
    given = asked(program.state_id)[one.name]
    path = re.sub(r"\{(\w+)\}", lambda name: given.pop(name[1]), one.path)
    if one.method == "GET":
        query = "&".join(f"{name}={value}" for name, value in given.items())
        return program.get(f"{path}?{query}")
    return program.post(path, **given)


def test_every_operation_is_answered_as_the_document_says(program):
    """An answer has no member that the document lacks, and lacks none that it has."""
    host, told = program("host"), document()
    order = list(asked(0))
    assert sorted(order) == sorted(one.name for one in OPERATIONS)
    for one in sorted(OPERATIONS, key=lambda one: order.index(one.name)):
        answer = done(host, one)
        assert answer.status_code == 200, (one.name, answer.text)
        described = told["paths"][one.path][one.method.lower()]["responses"]["200"]["content"]
        assert [answer.mimetype] == list(described)
        if one.answers == "application/json":
            assert answer.json
        elif isinstance(one.answers, str):
            answer.close()
        else:
            whole = {**described[answer.mimetype]["schema"], "components": told["components"]}
            Draft202012Validator(whole).validate(answer.json)


def test_a_refusal_is_what_the_document_says(program):
    whole = {
        "$ref": "#/components/schemas/Problem",
        "components": document()["components"],
    }
    for answer in (
        program().post("/game/pause", paused=True),
        program("play").post("/lights", spots=7),
        program().get("/nothing"),
        program().get("/games/99/play"),
    ):
        assert answer.status_code >= 400
        Draft202012Validator(whole).validate(answer.json)


# -- who may what --------------------------------------------------------------------------------


def test_a_program_corrects_what_was_read_wrongly(program, table):
    mine = program("host")
    assert mine.get("/game/corrections").json["replaced"] == 0
    table.play(Action("move", "a1", "a2"), "camera")
    told = mine.get("/game/corrections").json
    assert (told["replaced"], told["state_id"]) == (1, table.state_id)
    assert ["a1-b1"] in [one["actions"] for one in told["readings"]]
    done = mine.post("/game/corrections", actions=["a1-b1"], replaced=1, state_id=table.state_id)
    assert done.json["allowed"]
    assert [str(action) for action in table.actions] == ["a1-b1"]
    stale = mine.post("/game/corrections", actions=["a1-a2"], replaced=1, state_id=1)
    assert (stale.status_code, stale.json["error"]["code"]) == (409, "stale_state")


def test_a_program_changes_the_settings_that_it_names_alone(program, evening):
    mine = program("host")
    before = mine.get("/settings").json
    changed = mine.post("/settings", keep_days=5, speech=True).json
    assert changed == {**before, "keep_days": 5, "speech": True}
    assert evening.settings.keep_days == 5
    assert before["lights"] is None
    for wrong in ({"play": "nobody"}, {"keep_days": "many"}, {"lights": "full"}):
        assert mine.post("/settings", **wrong).status_code == 400
    assert mine.get("/settings").json == changed


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_its_scope_says_and_no_more(program, scope):
    mine, given = program(scope), set()
    for one in OPERATIONS:
        answer = done(mine, one)
        if answer.status_code != 403 or answer.json["error"]["code"] != "not_given":
            given.add(one.scope)
        answer.close()
    assert given == {"", *SCOPES[: SCOPES.index(scope) + 1]}


def test_without_a_token_nothing_is_told(app, tokens, program):
    for token in ("", "guessed"):
        assert Program(app, token).get("/game").status_code == 401
    mine = program()
    assert mine.get("/game").status_code == 200
    assert Program(app, "guessed").get("/game").json["error"]["code"] == "bad_token"
    assert Program(app, mine.token[:-1]).get("/game").status_code == 401
    # A phone's cookie is none, nor is another scheme.
    assert mine.client.get("/api/v1/game", headers={"Authorization": mine.token}).status_code == 401


def test_a_token_plays_its_own_seat_alone(program, table):
    blue = program("play", "blue")
    refused = blue.post("/game/actions", action="a1-a2", state_id=table.state_id)
    assert (refused.status_code, refused.json["error"]["code"]) == (403, "not_your_turn")
    red = program("play", "red")
    done = red.post("/game/actions", action="a1-a2", state_id=table.state_id)
    assert done.json["allowed"] is True
    [event] = [event for event in table.events() if event.kind == "action"]
    assert event.actor == "red"


def test_what_is_sent_is_ruled_on(program, table):
    red = program("play", "red")
    answer = red.post("/game/actions", action="a1-c3", state_id=table.state_id)
    assert answer.status_code == 200
    assert answer.json["allowed"] is False
    assert answer.json["reason"]
    assert table.actions == []


def test_an_action_for_a_position_that_has_passed_is_refused(program, table):
    red, seen = program("play", "red"), table.state_id
    table.play(Action("move", "a1", "a2"), "camera")
    answer = red.post("/game/actions", action="c1-c2", state_id=seen)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "stale_state")


def test_a_key_that_is_too_long_is_refused_and_not_cut(program, table):
    red, seen = program("play", "red"), table.state_id
    for last in "ab":
        key = 64 * "x" + last
        answer = red.post("/game/actions", {"Idempotency-Key": key}, action="a1-a2", state_id=seen)
        assert answer.status_code == 400
        assert "64 letters" in answer.json["error"]["message"]
    assert not table.actions
    assert red.post("/lights", {"Idempotency-Key": 64 * "x"}, spots=["a1"]).status_code == 200


def test_whoever_shows_no_token_is_told_how(app):
    answer = app.test_client().get("/api/v1/game")
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


def test_how_a_token_is_shown_may_be_written_small(app, tokens):
    token = tokens.make("small", "read", (), 0.0)
    shown = {"Authorization": f"bearer  {token}"}
    assert app.test_client().get("/api/v1/game", headers=shown).status_code == 200


def test_whoever_sends_no_json_or_too_much_is_told_as_the_document_says(app, tokens):
    shown = {"Authorization": f"Bearer {tokens.make('curl', 'play', (), 0.0)}"}
    described = document()["paths"]["/lights"]["post"]
    client = app.test_client()
    form = client.post("/api/v1/lights", data={"spots": "a1"}, headers=shown)
    fat = client.post("/api/v1/lights", json={"spots": ["a1" * 20_000]}, headers=shown)
    assert (form.status_code, fat.status_code) == (415, 413)
    assert "Content-Type: application/json" in form.json["error"]["message"]
    assert {"413", "415"} <= described["responses"].keys()
    headers = [one["name"] for one in described["parameters"] if one["in"] == "header"]
    assert headers == ["Idempotency-Key"]
    stream = document()["paths"]["/events"]["get"]["parameters"]
    assert [one["name"] for one in stream] == ["after", "Last-Event-ID"]


def test_what_arrives_twice_is_done_once(program, table):
    red, seen = program("play", "red"), table.state_id
    both = [
        red.post("/game/actions", {"Idempotency-Key": "one"}, action="a1-a2", state_id=seen)
        for _ in range(2)
    ]
    assert [answer.json["allowed"] for answer in both] == [True, True]
    assert len(table.actions) == 1


def test_a_camera_is_not_bypassed(evening, config, eyes, tokens):
    app = web.create_app(evening, config=config, tokens=tokens, eyes=eyes)
    mine = Program(app, tokens.make("robot", "play", (), 0.0))
    answer = mine.post("/game/actions", action="a1-a2", state_id=mine.state_id)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "camera_plays")


def test_lights_are_pointed_by_name_and_a_spot_that_is_none_is_refused(program, machines):
    mine = program("play")
    assert mine.post("/lights", spots=["a1", "b2"], seconds=7).status_code == 200
    assert machines.pointed == (("a1", "b2"), 7.0)
    assert mine.post("/lights", spots="a1").json["error"]["field"] == "spots"


def test_hidden_things_are_not_told(program, table, host_of):
    """Who came in, and the digests of their keys, are no business of programs."""
    host_of()
    kinds = {event["kind"] for event in program().get("/game/events").json["events"]}
    assert "joined" in {event.kind for event in table.events()}
    assert "joined" not in kinds


@pytest.fixture
def host_of(app, phone_of):
    def make():
        phone = phone_of(app)
        code = web.invitation(app).partition("#")[2]
        assert phone.post("/api/join", code=code).status_code == 200
        return phone

    return make


# -- the stream ----------------------------------------------------------------------------------


def lines_of(program, **headers):
    return iter(program.get("/events", **headers).response)


def told(lines, count):
    return read(b"".join(islice(lines, count)).decode())


def test_the_stream_tells_whose_turn_it_is_and_every_event_once(program, table):
    lines = lines_of(program())
    [(kind, _, turn)] = told(lines, 2)
    assert (kind, turn["seat"]) == ("turn", "red")
    table.play(Action("move", "a1", "c3"), "camera")
    table.play(Action("move", "a1", "a2"), "camera")
    table.play(Action("end"), "red")
    assert [kind for kind, _, _ in told(lines, 4)] == ["refused", "action", "action", "turn"]
    assert told(lines, 1) == [("beat", None, {})]


def test_who_comes_back_is_told_what_he_missed(program, table):
    seen = table.state_id
    table.play(Action("move", "a1", "a2"), "camera")
    events = told(lines_of(program(), **{"Last-Event-ID": str(seen)}), 3)
    assert [(kind, number) for kind, number, _ in events] == [
        ("action", str(table.state_id)),
        ("turn", str(table.state_id)),
    ]


def test_another_game_is_told(program, evening):
    lines = lines_of(program())
    told(lines, 2)
    evening.begin("men", None, {})
    kinds = [(kind, data.get("game")) for kind, _, data in told(lines, 2)]
    assert kinds == [("started", None), ("turn", evening.table.game_id)]


def test_a_withdrawn_token_ends_its_stream(program, tokens, app):
    mine = program()
    lines = lines_of(mine)
    told(lines, 2)
    tokens.withdraw("a")
    assert told(lines, 5) == [("closed", None, {})]
    assert mine.get("/game").status_code == 401


def test_sending_a_phone_away_leaves_programs_be(program, host_of):
    lines, host = lines_of(program()), host_of()
    other = host_of()
    told(lines, 2)
    [who] = [p["person"] for p in host.state["people"] if not p["host"]]
    assert host.post("/api/dismiss", who=who).status_code == 200
    assert "closed" not in [kind for kind, _, _ in told(lines, 3)]
    assert other.state["you"]["joined"] is False


# -- the host's page -----------------------------------------------------------------------------


def test_the_host_makes_and_withdraws_tokens(app, host_of, tokens):
    host = host_of()
    secret = host.post("/api/programs", name="lamp", scope="play", seat="red").json["token"]
    assert tokens.find(secret).seats == ("red",)
    page = host.get("/programs").text
    assert "lamp" in page
    assert secret not in page
    assert Program(app, secret).get("/game").status_code == 200
    assert host.post("/api/programs", withdraw="lamp").status_code == 200
    assert Program(app, secret).get("/game").status_code == 401


def test_nobody_else_does(app, host_of):
    host_of()
    other = host_of()
    assert other.post("/api/programs", name="lamp", scope="host").status_code == 403
    assert other.get("/programs").status_code == 403


def test_a_house_without_tokens_has_no_api(evening, config, phone_of):
    app = web.create_app(evening, config=config)
    assert phone_of(app).get("/api/v1/openapi.json").status_code == 404


# -- the file ------------------------------------------------------------------------------------


def test_the_file_holds_no_secret_and_is_its_owners_alone(tokens):
    secret = tokens.make("lamp", "read", (), 5.0)
    assert secret not in tokens.path.read_text()
    assert tokens.path.stat().st_mode & 0o077 == 0


def test_two_programs_that_change_the_file_see_each_other(tokens, tmp_path):
    other = Tokens(tmp_path)
    secret = other.make("lamp", "read", (), 5.0)
    assert tokens.find(secret).name == "lamp"
    tokens.withdraw("lamp")
    assert other.find(secret) is None


@pytest.mark.parametrize(
    ("name", "scope"), [("", "read"), ("x" * 41, "read"), ("a\nb", "read"), ("lamp", "all")]
)
def test_a_token_that_cannot_be_is_refused(tokens, name, scope):
    with pytest.raises(BadInput):
        tokens.make(name, scope, (), 0.0)


def test_a_name_is_given_once_and_withdrawn_once(tokens):
    tokens.make("lamp", "read", (), 0.0)
    with pytest.raises(BadInput, match="already"):
        tokens.make("lamp", "read", (), 0.0)
    tokens.withdraw("lamp")
    with pytest.raises(BadInput, match="no token"):
        tokens.withdraw("lamp")


@pytest.mark.parametrize("text", ["[]", "{}", '{"tokens": [{}]}', '{"tokens": 3}', "no"])
def test_a_damaged_file_lets_nobody_in(tokens, text):
    tokens.path.write_text(text)
    with pytest.raises(BadInput):
        tokens.find("anything")


def test_a_folder_that_is_none_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises((BadInput, HardwareFault)):
        Tokens(tmp_path / "file").make("lamp", "read", (), 0.0)


def test_secrets_are_long_and_never_alike(tokens):
    secrets = sorted(tokens.make(str(number), "read", (), 0.0) for number in range(8))
    assert all(len(secret) >= 32 for secret in secrets)
    assert all(one != other for one, other in pairwise(secrets))
    assert json.loads(tokens.path.read_text())["tokens"]
