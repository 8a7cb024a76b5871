"""Things that are no dice, drawn: what a camera over a table may take for one."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from dice_glossy import GLOSSY, MIDDLE, SIDE, Colour, Pixels
from numpy.typing import NDArray

Draw = Callable[[Pixels, np.random.Generator, Colour, Colour], None]


def polyhedron(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw a die of 4 to 20 sides from above: facets in different light, and a number on top."""
    corners = int(chance.choice((3, 4, 5, 6, 8, 10)))
    radius = chance.uniform(38, 52)
    turn = chance.uniform(0, 6.28)
    ring = [turn + 6.283 * k / corners for k in range(corners)]
    outer = np.array([(np.cos(a), np.sin(a)) for a in ring]) * radius + MIDDLE
    inner = outer
    if chance.random() < 0.8:
        few = 3 if corners != 4 else 4
        shift = turn + 3.14 / corners * chance.integers(0, 2)
        ways = [shift + 6.283 * k / few for k in range(few)]
        inner = np.array([(np.cos(a), np.sin(a)) for a in ways]) * radius * 0.6 + MIDDLE
    for k in range(corners):
        facet = np.array([outer[k], outer[(k + 1) % corners], (MIDDLE, MIDDLE)])
        _fill(drawn, facet, _lit(body, chance.uniform(0.55, 1.1)))
    _fill(drawn, inner, _lit(body, chance.uniform(0.9, 1.2)))
    _write(drawn, chance, str(chance.integers(1, 21)), ink, chance.uniform(0.6, 1.2))


def disc(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw a Go stone, a draughtsman, a coin or a button: round, with rings, holes or gloss."""
    radius = int(chance.uniform(36, 52))
    cv2.circle(drawn, (MIDDLE, MIDDLE), radius, (*body, 255), -1, cv2.LINE_AA)
    kind = chance.integers(5)
    if kind == 0:
        for part in (0.85, 0.6, 0.4):
            if chance.random() < 0.7:
                shade = _lit(body, chance.uniform(0.6, 1.3))
                cv2.circle(drawn, (MIDDLE, MIDDLE), int(part * radius), shade, 2, cv2.LINE_AA)
    elif kind == 1:
        cv2.circle(drawn, (MIDDLE, MIDDLE), int(0.8 * radius), _lit(body, 0.8), 3, cv2.LINE_AA)
        holes = int(chance.choice((2, 4)))
        for k in range(holes):
            way = 6.283 * k / holes
            at = (MIDDLE + np.array((np.cos(way), np.sin(way))) * radius * 0.25).astype(int)
            cv2.circle(drawn, (int(at[0]), int(at[1])), radius // 9, (*ink, 255), -1, cv2.LINE_AA)
    elif kind == 2:
        at = (int(MIDDLE - 0.3 * radius), int(MIDDLE - 0.3 * radius))
        cv2.circle(drawn, at, int(0.3 * radius), _lit(body, 1.4), -1, cv2.LINE_AA)
        drawn[..., :3] = cv2.GaussianBlur(drawn[..., :3], (0, 0), 6)
    elif kind == 3:
        _write(drawn, chance, str(chance.choice(list("125ABKQ$%&"))), ink, 1.4)


def tile(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw a key, a tile or a die with a letter, number or sign instead of pips, or nothing."""
    half = chance.uniform(34, 48)
    _square(drawn, half, chance.uniform(0, 90), _lit(body, 0.85), half * chance.uniform(0.1, 0.5))
    _square(drawn, half * chance.uniform(0.75, 0.95), 0, (*body, 255), half * 0.3)
    if chance.random() < 0.8:
        signs = list("123456ABCDEFGHKLMNPRSTXZ?!+*#@$%&<>/=")
        text = "".join(chance.choice(signs, int(chance.choice((1, 1, 2)))))
        _write(drawn, chance, text, ink, chance.uniform(0.8, 2.0))


def domino(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw a domino; its halves look like dice but for the line between them."""
    half = chance.uniform(26, 32)
    box = ((MIDDLE, MIDDLE), (2 * half, 4 * half), 0)
    _fill(drawn, cv2.boxPoints(box), (*body, 255))
    y = MIDDLE
    cv2.line(drawn, (int(MIDDLE - 0.8 * half), y), (int(MIDDLE + 0.8 * half), y), (*ink, 255),
             int(chance.integers(1, 4)), cv2.LINE_AA)  # fmt: skip
    grid = [(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0), (0, 0)]
    for end in (-1, 1):
        count = int(chance.integers(0, 7))
        sites = grid[: count - count % 2] + [(0, 0)] * (count % 2)
        for px, py in sites:
            at = (int(MIDDLE + 0.55 * half * px), int(MIDDLE + half * (end + 0.55 * py)))
            cv2.circle(drawn, at, int(0.16 * half), (*ink, 255), -1, cv2.LINE_AA)


def piece(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw a chessman from above: rings and knobs."""
    radius = chance.uniform(32, 50)
    for part in (1.0, 0.8, 0.55, 0.3):
        shade = _lit(body, chance.uniform(0.4, 1.3))
        off = chance.normal(0, 3, 2)
        at = (int(MIDDLE + off[0]), int(MIDDLE + off[1]))
        cv2.circle(drawn, at, int(part * radius), shade, -1, cv2.LINE_AA)
    if chance.random() < 0.3:
        cv2.line(drawn, (MIDDLE - 12, MIDDLE), (MIDDLE + 12, MIDDLE), (*ink, 255), 5)
        cv2.line(drawn, (MIDDLE, MIDDLE - 12), (MIDDLE, MIDDLE + 12), (*ink, 255), 5)


def dots(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw dotted cloth, or dots on nothing: the pattern of pips without a die."""
    cloth = chance.random() < 0.6
    if cloth:
        drawn[:] = (*body, 255)
    step, size = chance.uniform(12, 48), chance.uniform(0.12, 0.36)
    shift = chance.uniform(0, step, 2)
    stagger = chance.random() < 0.5
    for row in range(int(SIDE / step) + 2):
        for column in range(int(SIDE / step) + 2):
            at = np.array((column + 0.5 * (row % 2) * stagger, row)) * step - shift
            if np.hypot(*(at - MIDDLE)) > 52 and not cloth:
                continue
            cv2.circle(drawn, (int(at[0]), int(at[1])), int(size * step), (*ink, 255), -1,
                       cv2.LINE_AA)  # fmt: skip


def logo(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw print: a word, rings, bars or a star."""
    for _ in range(chance.integers(1, 4)):
        kind, shade = chance.integers(4), _lit(ink, chance.uniform(0.7, 1.3))
        if kind == 0:
            _write(drawn, chance, "".join(chance.choice(list("ADEOPQRSagos08"), 3)), ink, 1.3)
        elif kind == 1:
            cv2.circle(drawn, (MIDDLE, MIDDLE), int(chance.uniform(12, 50)), shade,
                       int(chance.choice((-1, 3, 9))), cv2.LINE_AA)  # fmt: skip
        elif kind == 2:
            _square(drawn, chance.uniform(10, 45), chance.uniform(0, 90), shade, 2)
        else:
            star = [(MIDDLE + (50, 20)[k % 2] * np.cos(0.628 * k),
                     MIDDLE + (50, 20)[k % 2] * np.sin(0.628 * k)) for k in range(10)]  # fmt: skip
            _fill(drawn, np.array(star), shade)


KINDS: tuple[Draw, ...] = (polyhedron, disc, tile, domino, piece, dots, logo, *GLOSSY)


def thing(chance: np.random.Generator, draw: Draw | None = None) -> Pixels:
    """Return a drawing (SIDE, SIDE, 4) of a thing that is no die, blue-green-red and cover."""
    drawn = np.zeros((SIDE, SIDE, 4), np.uint8)
    body, ink = chance.uniform(10, 250, (2, 3))
    if chance.random() < 0.5:
        body[:] = chance.choice((20, 45, 215, 240)) + chance.normal(0, 8)
    if chance.random() < 0.6:
        ink[:] = 15 if body.mean() > 128 else 240
    draw = draw or KINDS[chance.integers(len(KINDS))]
    drawn[..., :3] = np.clip(body, 0, 255)
    colours = [tuple(float(v) for v in np.clip(c, 0, 255)) for c in (body, ink)]
    draw(drawn, chance, *colours)  # type: ignore[arg-type]
    ys, xs = np.mgrid[:SIDE, :SIDE] / SIDE - 0.5
    way = chance.normal(0, 0.35, 2)
    light = 1 + way[0] * xs + way[1] * ys + chance.normal(0, 0.02, (SIDE, SIDE))
    drawn[..., :3] = np.clip(drawn[..., :3] * light[..., None], 0, 255)
    return drawn


def _lit(colour: Colour, light: float) -> tuple[float, ...]:
    return (*(min(255.0, light * part) for part in colour), 255)


def _fill(drawn: Pixels, corners: NDArray[np.generic], colour: tuple[float, ...]) -> None:
    cv2.fillConvexPoly(drawn, np.round(corners).astype(np.int32), colour, cv2.LINE_AA)


def _square(
    drawn: Pixels, half: float, turn: float, colour: tuple[float, ...], round_by: float
) -> None:
    corners = cv2.boxPoints(((MIDDLE, MIDDLE), (2 * (half - round_by / 2),) * 2, turn))
    whole = np.round(corners).astype(np.int32)
    cv2.fillConvexPoly(drawn, whole, colour, cv2.LINE_AA)
    cv2.polylines(drawn, [whole], True, colour, max(1, int(round_by)), cv2.LINE_AA)


def _write(drawn: Pixels, chance: np.random.Generator, text: str, ink: Colour, size: float) -> None:
    font, thick = int(chance.integers(0, 5)), int(chance.integers(2, 6))
    (width, height), _ = cv2.getTextSize(text, font, size, thick)
    at = (MIDDLE - width // 2, MIDDLE + height // 2)
    cv2.putText(drawn, text, at, font, size, (*ink, 255), thick, cv2.LINE_AA)
