"""One reading of a camera, for pages that show it."""

from __future__ import annotations

from types import MappingProxyType

from companion.rules import BadInput, say
from tests.checks.pages_alone import PHOTOGRAPH


class FakeReadings:
    """One reading of the camera, with its trace."""

    head = MappingProxyType(
        {"number": 7, "at": 1_000_000.0, "times": 3, "frame": "0007.jpg", "verdict": "asked",
         "reason": say("nothing changed"), "picture": True}
    )  # fmt: skip
    spot = MappingProxyType(
        {"spot": "a1", "believed": None, "marks": ["changed"], "outline": [[1, 2], [3, 2], [3, 4]],
         "candidates": [{"token": "red <man>", "log_likelihood": -2.5, "share": 0.9}]}
    )  # fmt: skip
    weighed = MappingProxyType(
        {"actions": ["a1-b1"], "prior": -5.0, "evidence": -2.5, "circumstances": 0.0, "p": 0.97,
         "against": ["c3"], "legal": False}
    )  # fmt: skip

    def last(self):
        return [dict(self.head)]

    def one(self, number):
        if number != 7:
            raise BadInput(say("this reading is kept no longer"))
        search = {"spots": ["a1"], "result": "", "hypotheses": [dict(self.weighed)]}
        board = [[[0, 0], [9, 0], [9, 9]]]
        return {**self.head, "size": [640, 480], "board": board, "spots": [dict(self.spot)],
                "searches": [search]}  # fmt: skip

    def picture(self, number):
        self.one(number)
        return PHOTOGRAPH
