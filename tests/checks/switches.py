"""Games played one after another at one simulated table."""

import pytest

from companion.games import games
from companion.live.play_request import PlayRequest


def round_trip(names):
    """Return the names in an order in which each follows each other one exactly once."""
    left = {name: [other for other in names if other != name] for name in names}
    path, trip = [names[0]], []
    while path:
        if left[path[-1]]:
            path.append(left[path[-1]].pop())
        else:
            trip.append(path.pop())
    return trip[::-1]


def evening_with(game, folder):
    """Return what is asked for to begin an evening with ``game`` at a simulated table."""
    return PlayRequest(
        game=game, setup=game.setup(), journal=folder / "evening.sqlite3", new=False,
        camera="simulated", table_file=None, lights="simulated", wiring=None, host="127.0.0.1",
        port=0, address="127.0.0.1",
    )  # fmt: skip


NAMES = sorted(games())
TRIPS = [
    pytest.param([*NAMES, NAMES[0]], id="each once"),
    pytest.param(round_trip(NAMES), id="all thirty", marks=pytest.mark.slow),
]
"""Ways through the games of the house."""
PAGES_TRIPS = [
    pytest.param([NAMES[0], "victory_honor", "hoplomachus"], id="each kind of table"),
    *(pytest.param(*trip.values, id=trip.id, marks=pytest.mark.slow) for trip in TRIPS),
]
"""Ways for pages, which look alike with cards, with dice on a mat and on a board."""
