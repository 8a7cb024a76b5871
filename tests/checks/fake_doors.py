"""A calibrator, a table elsewhere and what is tried out, for pages that show them."""

from __future__ import annotations

from companion.rules import BadInput, say
from tests.checks.pages_alone import PHOTOGRAPH

UNSURE = "The board is not found yet. Put each point on the middle of its cell."


class FakeElsewhere:
    """Another table that plays along, with what a test says of it."""

    def __init__(self):
        self.words, self.done = "", []

    def told(self):
        guest = {"id": "b", "name": "Table b", "seats": ["blue"], "there": True, "set": False}
        owner = "Table c" if "owner" in self.words else ""
        return {
            "ready": True, "owner": owner, "seats": ["red"], "guests": [guest],
            "words": self.words,
        }  # fmt: skip

    def invite(self, seats):
        if "green" in seats:
            raise BadInput("green is no seat")
        return f"distant:{'a' * 16}.{'c' * 22}"

    def __getattr__(self, name):
        return lambda *told: self.done.append((name, *told))


class FakeCalibrator:
    """A calibrator that remembers what it was told."""

    def __init__(self):
        self.placed, self.accepted, self.fault = None, 0, None
        self.found = self.turned = 0

    def picture(self):
        return PHOTOGRAPH

    def status(self):
        if self.fault:
            raise self.fault
        return {"size": [640, 480], "points": [], "outlines": {}, "how": "guess", "sure": False,
                "ways": 1, "words": say(UNSURE), "remarks": []}  # fmt: skip

    def place(self, points):
        if "h99" in points:
            raise BadInput("'h99' is no point to place")
        self.placed = points

    def find(self):
        self.found += 1

    def turn(self):
        self.turned += 1

    def accept(self):
        self.accepted += 1


class FakeTrial:
    """What is tried out at a table with two lights and a button."""

    def __init__(self):
        self.shown = []

    def steps(self):
        return [("colour", "red"), ("cell", "h2"), ("sound", "asks"),
                ("status", "mend"), ("button", "undo"), ("sensors", "")]  # fmt: skip

    def show(self, kind, name):
        if (kind, name) not in self.steps():
            raise BadInput("no such step")
        self.shown.append(name)

    def heard(self):
        return ["turn"]

    def felt(self):
        return ["h2", "#99"]

    def end(self):
        self.shown.append("end")
