"""The pages of a game with dice on a mat: hands on the simulated ones, and how faces are shown."""

from __future__ import annotations

import pytest

import web
from companion.games import find_game
from companion.rules import BadInput


class FakeDice:
    """Dice on a mat: what hands did with them."""

    def __init__(self):
        self.did = []

    def dice(self):
        return [
            {"number": 3, "token": "blue crit", "x": 1.0, "y": 2.0, "turn": 45, "zone": "active",
             "flat": True}
        ]  # fmt: skip

    def throw(self, numbers):
        self.did.append(("throw", list(numbers)))

    def carry(self, number, zone):
        if zone == "nowhere":
            raise BadInput("there is no zone nowhere on this mat")
        self.did.append(("carry", number, zone))

    def tip(self, number):
        self.did.append(("tip", number))


@pytest.fixture
def game():
    return find_game("hoplomachus")


@pytest.fixture
def dice():
    return FakeDice()


@pytest.fixture
def virtual(virtual, dice):
    for name in ("dice", "throw", "carry", "tip"):
        setattr(virtual, name, getattr(dice, name))
    return virtual


@pytest.fixture
def sit(app, new_phone):
    """A phone of the host, on the seat."""
    phone = new_phone()
    phone.post("/api/join", code=web.invitation(app).partition("#")[2])
    phone.post("/api/seat", seat="player")
    return phone


def test_the_page_draws_the_mat_and_what_lies_on_it_is_asked_for(sit):
    page = sit.get("/table").text
    assert 'data-zone="exhausted"' in page
    assert ">training ground</text>" in page
    (die,) = sit.get("/api/virtual/table").json["dice"]
    assert (die["token"], die["zone"]) == ("blue crit", "active")


def test_hands_throw_carry_and_tip_dice(sit, dice):
    sit.post("/api/virtual/throw", dice=[])
    sit.post("/api/virtual/throw", dice=[3, 4])
    sit.post("/api/virtual/carry", number=3, zone="reserve")
    assert sit.post("/api/virtual/tip", number=3).json["dice"][0]["number"] == 3
    assert dice.did == [("throw", []), ("throw", [3, 4]), ("carry", 3, "reserve"), ("tip", 3)]


@pytest.mark.parametrize(
    ("name", "body"),
    [("throw", {}), ("throw", {"dice": ["3"]}), ("tip", {}), ("carry", {"number": 3}),
     ("carry", {"number": 3, "zone": "nowhere"})],
)  # fmt: skip
def test_what_hands_cannot_do_with_dice_is_told(sit, dice, name, body):
    answer = sit.post(f"/api/virtual/{name}", body)
    assert answer.status_code == 400
    assert answer.json["error"]["message"]
    assert dice.did == []


def test_every_face_is_shown_once_after_the_bare_mat(sit, eyes, table):
    assert sit.state["mat"]
    shown = []
    eyes.teach = shown.append
    assert sit.post("/api/deck", batch=0).status_code == 409
    assert "Take everything off the mat (1 of 3)" in sit.get("/deck").text
    assert [sit.post("/api/deck", batch=n).json["next"] for n in range(3)] == [1, 2, None]
    assert (shown[0], list(shown[2].values())) == ({}, ["red crit"])
    page = sit.get("/deck?batch=1").text
    assert "yellow die: blank" in page
    assert "All dice are known" in sit.get("/deck?batch=3").text


def test_what_the_camera_says_of_zones_is_said_in_words_alone(sit, eyes):
    eyes.words = {**eyes.status(), "message": "Reserve: put there red: 1.", "differs": ["reserve"]}
    said = sit.get("/api/state?html=1").json["html"]["message"]
    assert "put there" in said
    assert "Differs at" not in said
    assert "Start from what stands" not in said
