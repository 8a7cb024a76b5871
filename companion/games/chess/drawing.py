"""Flat pictures of the chessmen: our own plain shapes, told apart by outline alone."""

from __future__ import annotations

from companion.games.chess.geometry import MEN, TITLE
from companion.rules import Drawing, Point, Stroke, disc, unknown_token

LIGHT, DARK, RIM_LIGHT, RIM_DARK = "#f7f2e6", "#2a2622", "#4a3f35", "#d9cdb8"
LINE_MM = 1.2
FOOT = ((-11.0, 11.0), (11.0, 11.0), (13.0, 16.0), (-13.0, 16.0))


BODIES: dict[str, tuple[tuple[Point, ...], ...]] = {
    "P": (
        ((-4.0, 0.0), (4.0, 0.0), (9.0, 11.0), (-9.0, 11.0)),
        disc(6.5, (0.0, -4.0)),
    ),
    "N": (
        (
            (-9.0, 11.0), (-5.0, 1.0), (-13.0, 3.0), (-15.0, -2.0), (-6.0, -12.0),
            (-4.0, -17.0), (0.0, -12.0), (8.0, -8.0), (11.0, 0.0), (9.0, 11.0),
        ),
    ),
    "B": (
        (
            (-7.0, 11.0), (-9.0, 1.0), (-5.0, -8.0), (0.0, -14.0), (5.0, -8.0),
            (9.0, 1.0), (7.0, 11.0),
        ),
        disc(2.6, (0.0, -16.0)),
    ),
    "R": (
        (
            (-9.0, 11.0), (-8.0, -6.0), (-11.0, -6.0), (-11.0, -15.0), (-6.0, -15.0),
            (-6.0, -11.0), (-2.5, -11.0), (-2.5, -15.0), (2.5, -15.0), (2.5, -11.0),
            (6.0, -11.0), (6.0, -15.0), (11.0, -15.0), (11.0, -6.0), (8.0, -6.0), (9.0, 11.0),
        ),
    ),
    "Q": (
        (
            (-9.0, 11.0), (-15.0, -9.0), (-7.5, -1.0), (-7.0, -14.0), (-2.0, -3.0),
            (0.0, -16.0), (2.0, -3.0), (7.0, -14.0), (7.5, -1.0), (15.0, -9.0), (9.0, 11.0),
        ),
    ),
    "K": (
        (
            (-9.0, 11.0), (-14.0, -1.0), (-9.0, -7.0), (-2.0, -3.0), (-2.0, -9.0),
            (-6.0, -9.0), (-6.0, -13.0), (-2.0, -13.0), (-2.0, -17.0), (2.0, -17.0),
            (2.0, -13.0), (6.0, -13.0), (6.0, -9.0), (2.0, -9.0), (2.0, -3.0), (9.0, -7.0),
            (14.0, -1.0), (9.0, 11.0),
        ),
    ),
}  # fmt: skip
"""The outline above the foot for each kind, in millimetres, y towards White."""

MARKS: dict[str, tuple[Point, ...]] = {
    "N": disc(1.3, (-4.0, -7.0)),
    "B": ((-1.2, -4.0), (1.2, -4.0), (1.2, 5.0), (-1.2, 5.0)),
}
"""The knight's eye and the bishop's slit, in the rim's colour."""


def draw(token: str) -> Drawing:
    """Return the picture of a man, in millimetres about its middle.

    Raises:
        BadInput: ``token`` is no chessman.
    """
    if token not in MEN:
        raise unknown_token(token, TITLE)
    seat, kind = token.split()
    fill, rim = (LIGHT, RIM_LIGHT) if seat == "white" else (DARK, RIM_DARK)
    strokes = [Stroke(part, fill, rim, LINE_MM) for part in (FOOT, *BODIES[kind])]
    if kind in MARKS:
        strokes.append(Stroke(MARKS[kind], rim))
    return tuple(strokes)
