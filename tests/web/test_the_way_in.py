"""Who gets in: this machine, the open house, links that end, and phones that were sent away."""

import re

import pytest

import web
from companion.rules import BadInput
from companion.table import Table
from companion.table.evening import Evening
from web.access.seats import CODE_LIFE, HOST_AWAY
from web.routes.api import HERE
from web.routes.importing import RECORDS


def code_of(app, **more):
    return web.invitation(app, **more).partition("#")[2]


def refused(answer):
    return answer.status_code, answer.json["error"]["code"]


HOSTLY = {
    "/api/new": {"game": "men"},
    "/api/delete": {"what": "all"},
    "/api/settings": {"sound": False},
    "/api/abort": {},
    "/api/array": {},
    "/api/resume": {"number": 1},
    "/api/host": {},
    "/api/dismiss": {"who": "nobody"},
}


@pytest.fixture
def here(app, new_phone, config):
    """A browser on this machine, of a house that trusts it."""
    app.extensions["context"].config = config._replace(trust_machine=True)
    return new_phone("127.0.0.1")


@pytest.fixture
def again(table, game, clock, config):
    """Start the companion again on the same journal; return the app."""

    def start():
        resumed = Table.resume(table.journal, now=clock, find=lambda name: game)
        evening = Evening(resumed, lambda name: game, clock, lambda: ["men"])
        return web.create_app(evening, config=config)

    return start


class TestThisMachine:
    def test_it_needs_no_code_and_does_what_the_host_may(self, here, virtual):
        assert here.state["you"]["joined"]
        assert here.state["you"]["role"] == "host"
        assert here.post("/api/settings", sound=False).status_code == 200
        assert here.post("/api/virtual/move", origin="a1", target="a2").status_code == 200
        assert here.post("/api/seat", seat="red").status_code == 200
        assert here.state["you"]["seats"] == ["red"]

    def test_it_has_to_be_trusted(self, new_phone):
        here = new_phone("127.0.0.1")
        assert here.state["you"]["role"] == "guest"
        assert refused(here.post("/api/delete", what="all")) == (403, "not_host")

    @pytest.mark.parametrize(
        "address", ["192.168.1.20", "127.0.0.2", "10.0.0.1", "::ffff:10.0.0.1"]
    )
    @pytest.mark.parametrize("path", HOSTLY)
    def test_who_sits_elsewhere_is_a_guest(self, here, new_phone, address, path):
        stranger = new_phone(address)
        assert stranger.state["you"]["role"] == "guest"
        assert stranger.say(path, **HOSTLY[path]).status_code == 403

    @pytest.mark.parametrize(
        "header",
        [
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Forwarded-Proto",
            "Forwarded",
            "X-Real-IP",
            "Via",
            "CF-Connecting-IP",
            "True-Client-IP",
            "Forwarded-For",
        ],
    )
    @pytest.mark.parametrize("value", ["127.0.0.1", "for=127.0.0.1", "localhost", ""])
    def test_what_a_proxy_passes_on_comes_from_elsewhere(self, here, header, value):
        answer = here.post("/api/delete", {"what": "all"}, headers={header: value})
        assert refused(answer) == (403, "not_host")

    @pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
    def test_no_header_makes_a_stranger_local(self, here, new_phone, header):
        stranger = new_phone("192.168.1.66")
        for value in ("127.0.0.1", "for=127.0.0.1;host=localhost"):
            answer = stranger.post("/api/delete", {"what": "all"}, headers={header: value})
            assert refused(answer) == (403, "not_host")

    def test_a_name_of_the_network_that_leads_here_is_not_trusted(self, here, app, config):
        app.config["TRUSTED_HOSTS"] = ["localhost", "companion.local"]
        told = here.client.get(
            "/api/state",
            base_url="http://companion.local",
            environ_base={"REMOTE_ADDR": "127.0.0.1"},
        )
        assert told.json["you"]["role"] == "guest"
        strange = here.client.get("/api/state", base_url="http://evil.example")
        assert strange.status_code == 400

    def test_a_wrong_code_keeps_nobody_out_of_his_own_machine(self, here):
        assert here.post("/api/join", code="OLDCODE1").status_code == 200

    def test_a_link_for_the_host_is_made_here(self, here, new_phone):
        link = here.post("/api/host").json["link"]
        phone = new_phone("192.168.1.40")
        assert phone.post("/api/join", code=link.partition("#")[2]).status_code == 200
        assert phone.state["you"]["host"]


class TestTheOpenHouse:
    @pytest.fixture
    def stranger(self, table, config, virtual, phone_of):
        app = web.create_app(table, config=config._replace(open_house=True), virtual=virtual)
        return phone_of(app, "192.168.1.99")

    @pytest.mark.parametrize("path", HOSTLY)
    def test_the_hosts_part_stays_closed(self, stranger, path):
        assert refused(stranger.say(path, **HOSTLY[path])) == (403, "not_host")

    def test_seats_and_pieces_need_no_code(self, stranger):
        assert stranger.post("/api/seat", seat="red").status_code == 200
        assert stranger.post("/api/virtual/move", origin="a1", target="a2").status_code == 200

    def test_coming_in_without_a_code_makes_nobody_host(self, stranger):
        assert stranger.post("/api/join", name="Me first").status_code == 200
        assert stranger.state["you"]["role"] == "observer"

    def test_nor_does_the_code_that_everybody_is_shown(self, stranger):
        page = stranger.get("/join").text
        code = re.search(r'class="spell">(\w{8})<', page)[1]
        assert stranger.post("/api/join", code=code).status_code == 200
        assert stranger.state["you"]["role"] == "observer"

    def test_a_code_that_the_host_shows_makes_a_host_when_he_is_gone(
        self, stranger, phone_of, clock
    ):
        app = stranger.client.application
        phone_of(app).post("/api/join", code=code_of(app, host=True))
        clock.time += HOST_AWAY + 1
        assert stranger.post("/api/join", code=code_of(app)).status_code == 200
        assert stranger.state["you"]["host"]


class TestLinksThatEnd:
    def test_the_hosts_link_makes_one_phone_the_hosts(self, app, host, new_phone):
        code = code_of(app, host=True)
        assert new_phone("192.168.1.50").post("/api/join", code=code).status_code == 200
        assert refused(new_phone("192.168.1.51").post("/api/join", code=code)) == (403, "bad_code")

    def test_the_hosts_link_is_over_like_the_others(self, app, host, new_phone, clock):
        code = code_of(app, host=True)
        clock.time += CODE_LIFE + 1
        assert refused(new_phone("192.168.1.50").post("/api/join", code=code)) == (403, "bad_code")

    def test_the_host_may_have_a_new_one_and_nobody_else(self, host, red, phone):
        assert host.post("/api/host").json["link"].startswith("http://192.168.1.5:8000/join#")
        assert refused(red.post("/api/host")) == (403, "not_host")


class TestSentAway:
    def test_the_code_that_was_used_opens_no_more(self, app, host, new_phone):
        code = code_of(app, uses=12)
        guest = new_phone("192.168.1.60")
        guest.post("/api/join", code=code)
        host.post("/api/dismiss", who=guest.state["you"]["person"])
        assert refused(guest.post("/api/join", code=code)) == (403, "bad_code")
        assert refused(new_phone("192.168.1.61").post("/api/join", code=code)) == (403, "bad_code")

    def test_no_code_that_was_given_out_before_opens_any_more(self, app, host, red):
        codes = [code_of(app, uses=12), code_of(app), code_of(app, host=True)]
        host.post("/api/dismiss", who=red.state["you"]["person"])
        for code in codes:
            assert refused(red.post("/api/join", code=code)) == (403, "bad_code")
        assert red.post("/api/join", code=code_of(app)).status_code == 200

    def test_the_keys_it_had_open_no_more(self, app, host, joined, new_phone):
        keys = [joined.client.get_cookie("companion_phone").value]
        joined.post("/api/seat", seat="red")
        keys.append(joined.client.get_cookie("companion_phone").value)
        host.post("/api/dismiss", who=joined.state["you"]["person"])
        for key in keys:
            phone = new_phone("192.168.1.70")
            phone.client.set_cookie("companion_phone", key)
            assert phone.state["you"]["role"] == "guest"

    @pytest.mark.parametrize(
        ("path", "what"), [("/api/dismiss", {"who": ""}), ("/api/delete", {"what": "all"})]
    )
    def test_its_stream_ends_and_those_of_others_go_on(self, app, host, joined, path, what):
        who, streams = joined.state["you"]["person"], app.extensions["context"].streams
        here = [
            streams.open("192.168.1.70", "the-page", person)
            for person in (who, host.state["you"]["person"], "", HERE)
        ]
        for listener in here:
            listener.wait(0)
        host.post(path, {name: value or who for name, value in what.items()})
        assert [listener.wait(0) for listener in here] == ["closed", *["changed"] * 3]

    def test_sending_everybody_away_voids_all_codes(self, app, host, joined):
        code = code_of(app, uses=12)
        host.post("/api/delete", what="all")
        assert refused(joined.post("/api/join", code=code)) == (403, "bad_code")


class TestAfterARestart:
    @pytest.fixture
    def later(self, again, clock, phone_of):
        def later(hours=0.0):
            clock.time += hours * 3600
            app = again()
            guest = phone_of(app, "192.168.1.80")
            assert guest.post("/api/join", code=code_of(app)).status_code == 200
            return app, guest

        return later

    @pytest.mark.parametrize("hours", [0.0, 1.0, 13.0, 24.0 * 8])
    def test_no_guest_becomes_host(self, host, later, hours):
        _, guest = later(hours)
        assert guest.state["you"]["role"] == "observer"

    def test_not_even_where_the_host_had_gone(self, host, later):
        host.post("/api/dismiss", who=host.state["you"]["person"])
        _, guest = later()
        assert guest.state["you"]["role"] == "observer"

    def test_the_hosts_own_phone_is_the_hosts(self, host, later):
        _, guest = later(13.0)
        guest.client.set_cookie("companion_phone", host.client.get_cookie("companion_phone").value)
        assert guest.state["you"]["role"] == "host"

    def test_a_host_who_was_here_and_stayed_away_makes_room(self, host, later, clock, phone_of):
        app, _ = later(13.0)
        old = phone_of(app, "192.168.1.10")
        old.client.set_cookie("companion_phone", host.client.get_cookie("companion_phone").value)
        assert old.state["you"]["host"]
        clock.time += HOST_AWAY + 1
        late = phone_of(app, "192.168.1.81")
        late.post("/api/join", code=code_of(app))
        assert late.state["you"]["host"]


class TestWatchers:
    def test_they_move_no_calibration(self, joined, calibrator):
        answer = joined.post("/api/calibrate/place", points={"h2": [1, 2]})
        assert refused(answer) == (403, "not_seated")
        assert refused(joined.post("/api/calibrate/accept")) == (403, "not_seated")
        assert (calibrator.placed, calibrator.accepted) == (None, 0)

    def test_they_bring_no_records(self, joined):
        answer = joined.post("/api/import", record="game: men\n", title="x")
        assert refused(answer) == (403, "not_seated")

    def test_so_many_records_are_kept_and_no_more(self, host, evening):
        for number in range(RECORDS):
            evening.journal.keep_record(f"game {number}", "game: men\n", 0.0)
        answer = host.post("/api/import", record="game: men\n", title="one more")
        assert refused(answer) == (409, "too_many")


class TestOwnCards:
    def test_so_many_cards_are_kept_and_no_more(self, own, monkeypatch):
        monkeypatch.setattr("companion.live.own_files.MOST", 1)
        own.enter("hoplomachus", {"name": "Foe", "kind": "sport", "hits": 2})
        with pytest.raises(BadInput, match="1 cards are entered"):
            own.enter("hoplomachus", {"name": "Friend", "kind": "sport", "hits": 2})
        own.enter("hoplomachus", {"name": "Friend", "kind": "sport", "hits": 2}, instead="Foe")

    def test_a_field_is_not_a_book(self, own):
        with pytest.raises(BadInput, match="text: 500 letters at most"):
            own.enter("hoplomachus", {"name": "Foe", "kind": "sport", "text": "x" * 501})
