"""The calibration page: who may look through the camera, and what may be sent."""

from __future__ import annotations

import pytest

import web
from companion.rules import HardwareFault
from tests.checks.fake_doors import UNSURE


def test_those_at_the_table_see_the_picture_and_the_outlines(joined):
    assert b"Looks right" in joined.get("/calibrate").data
    assert joined.get("/api/calibrate/picture").mimetype == "image/jpeg"
    assert joined.get("/api/calibrate/status").json["words"] == UNSURE
    italian = joined.get("/api/calibrate/status", **{"Accept-Language": "it"}).json
    assert italian["words"].startswith("Il tabellone non ")


def test_a_stranger_does_not_look_through_the_camera(phone, calibrator):
    assert b"join" in phone.get("/calibrate").data
    assert b"overlay" not in phone.get("/calibrate").data
    for path in ("picture", "status"):
        assert phone.get(f"/api/calibrate/{path}").status_code == 403
    assert phone.post("/api/calibrate/place", points={"h2": [1, 2]}).status_code == 403
    for what in ("find", "turn", "accept"):
        assert phone.post(f"/api/calibrate/{what}").status_code == 403
    assert (calibrator.found, calibrator.turned) == (0, 0)
    assert calibrator.placed is None
    assert calibrator.accepted == 0


def test_points_are_placed_and_accepted(red, calibrator):
    answer = red.post("/api/calibrate/place", points={"h2": [12, 300.5]})
    assert answer.json["how"] == "guess"
    assert calibrator.placed == {"h2": (12.0, 300.5)}
    assert red.post("/api/calibrate/accept").json["ok"]
    assert calibrator.accepted == 1


def test_the_board_is_looked_for_and_turned(red, calibrator):
    assert red.post("/api/calibrate/find").json["how"] == "guess"
    assert red.post("/api/calibrate/turn").json["ways"] == 1
    assert (calibrator.found, calibrator.turned) == (1, 1)


@pytest.mark.parametrize(
    "points",
    [None, {}, [1, 2], {"h2": 3}, {"h2": [1]}, {"h2": [1, "2"]}, {"h2": [1, True]},
     {"h2": [1, 1e9]}, {f"h{k}": [1, 2] for k in range(99)}],
)  # fmt: skip
def test_what_are_no_points_is_refused(red, calibrator, points):
    assert red.post("/api/calibrate/place", points=points).status_code == 400
    assert calibrator.placed is None


def test_an_unknown_point_and_a_lost_camera_are_said(red, calibrator):
    answer = red.post("/api/calibrate/place", points={"h99": [1, 2]})
    assert answer.status_code == 400
    assert "h99" in answer.json["error"]["message"]
    calibrator.fault = HardwareFault("the camera has given no picture yet")
    assert red.get("/api/calibrate/status").status_code == 503


def test_the_page_is_reached_from_the_seats_and_absent_without_a_camera(joined, table, config):
    assert b"/calibrate" in joined.get("/join").data
    blind = web.create_app(table, config=config).test_client()
    assert blind.get("/calibrate", base_url="http://localhost").status_code == 404
    assert b"/calibrate" not in blind.get("/join", base_url="http://localhost").data


def test_a_camera_that_does_not_know_the_board_leads_to_the_page(joined, eyes):
    assert b'href="/calibrate"' not in joined.get("/").data
    eyes.words["message"] = "the camera does not know where the board lies: calibrate it"
    eyes.words["lost"] = True
    assert b'href="/calibrate"' in joined.get("/").data
