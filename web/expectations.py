"""What each seat could expect in the course of a game, as a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from web import drawing

WIDTH, HEIGHT, EDGE = 360.0, 150.0, 4.0
"""The size of the graph, and what is left free round it, in its own units."""


def graph(seats: Sequence[str], shares: Sequence[Mapping[str, float]], meaning: str) -> Markup:
    """Return a line for each of ``seats`` over the actions of a game: the higher, the greater the
    share of the result that it could expect after each, as ``shares`` tell; dotted is a fair share.
    ``meaning`` is what is told to those who do not see it."""
    most = max(row[seat] for row in shares for seat in seats)
    lines = Markup("").join(_line(seat, [row[seat] / most for row in shares]) for seat in seats)
    fair = _height(1 / len(seats) / most)
    return Markup(
        '<svg class="graph" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<path d="M{} {}H{}" fill="none" stroke="currentcolor" stroke-width=".6" '
        'stroke-dasharray="3 3"/>{}</svg>'
    ).format(WIDTH, HEIGHT, meaning, EDGE, fair, WIDTH - EDGE, lines)


def _height(value: float) -> str:
    """Return how far from above a part of the greatest share lies."""
    return f"{EDGE + (1 - value) * (HEIGHT - 2 * EDGE):.1f}"


def _line(seat: str, values: Sequence[float]) -> Markup:
    """Return one line in the colour of its seat, with a darker one beneath where it is pale."""
    step = (WIDTH - 2 * EDGE) / max(1, len(values) - 1)
    points = " ".join(f"{EDGE + step * at:.1f},{_height(value)}" for at, value in enumerate(values))
    return Markup(
        '<polyline points="{0}" fill="none" stroke="currentcolor" stroke-width="4"/>'
        '<polyline points="{0}" fill="none" stroke="{1}" stroke-width="2.4"/>'
    ).format(points, drawing.colour_named(seat) or "currentcolor")
