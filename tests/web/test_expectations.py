"""The graph of what each seat could expect."""

from __future__ import annotations

import re

from web.expectations import EDGE, HEIGHT, WIDTH, graph


def test_each_seat_has_a_line_from_edge_to_edge_in_its_colour() -> None:
    shares = [{"red": 0.5, "blue": 0.5}, {"red": 1.0, "blue": 0.0}]
    drawn = graph(("red", "blue"), shares, "who <stood> how")
    lines = re.findall(r'points="([^"]+)"[^>]*stroke="(red|blue)"', drawn)
    middle, low = HEIGHT / 2, HEIGHT - EDGE
    assert lines == [
        (f"{EDGE},{middle} {WIDTH - EDGE},{EDGE}", "red"),
        (f"{EDGE},{middle} {WIDTH - EDGE},{low}", "blue"),
    ]
    assert "who &lt;stood&gt; how" in drawn


def test_the_greatest_share_of_many_seats_reaches_the_top() -> None:
    shares = [{seat: 0.2 if seat == "red" else 0.1 for seat in ("red", "green", "blue")}]
    assert f'points="{EDGE},{EDGE}"' in graph(("red", "green", "blue"), shares, "")
