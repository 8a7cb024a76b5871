"""Every sheet that ``companion print`` makes of every game, measured on the pixels of its PDF."""

from __future__ import annotations

import json
import re
from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.games import find_game
from companion.rules import Stroke, called, coordinates
from companion.sheets.contents import PrintOrder, cut_out, led_places
from companion.sheets.sheet import box_of
from companion.sheets.tokens import cutout
from hardware.wiring import default_wiring
from tests.checks.loops import some
from tests.checks.measured_pages import (
    CLOSER,
    MARGIN,
    RULER,
    fitted,
    glued,
    markers_of,
    pages,
    patch,
    pieces_of,
    ring_of,
    rings,
    side_of,
)
from vision.board.calibration import marker_layout
from vision.dice.traymat import tray_markers

pytestmark = pytest.mark.thorough
GAMES = ("chess", "victorus", "invictus", "heximeros", "victory_honor", "hoplomachus")
EACH = [pytest.param(name, marks=[pytest.mark.slow] * (name != "victorus")) for name in GAMES]
PAPERS = {"a4": (210, 297), "letter": (215.9, 279.4), "a3": (297, 420), "tabloid": (279.4, 431.8),
          "a2": (420, 594), "a1": (594, 841), "a0": (841, 1189)}  # fmt: skip
RIGHT = 0.005
"""How far a length may be off."""
DOTS = 5.0
"""Pixels a millimetre."""


@pytest.fixture
def printed(tmp_path, capsys):
    """Return what prints a sheet of a game: the PDF, and how many times its own size it has."""

    def make(name, what, *more):
        out = tmp_path / f"{name}-{what}.pdf"
        assert main(["print", name, "--what", what, "--out", str(out), "--json", *more]) == 0
        told = json.loads(capsys.readouterr().out)
        return out, told["cell_mm"] / board_of(name).pitch

    return make


def board_of(name):
    game = find_game(name)
    return game.board(game.setup())


def one(path):
    (page,) = pages(path, DOTS)
    return page


def kinds_of(name):
    return (
        *("board", "markers", "leds", "wiring"),
        *(("tokens",) if name != "invictus" else ()),
        *(("mat",) if name == "hoplomachus" else ()),
    )


def layout_of(name):
    return {int(n): at for n, at in marker_layout(board_of(name))["markers"]["centres_mm"].items()}


def marked(picture, told, scale):
    """Check that the four markers lie where they are ``told`` to, and return how the sheet came to
    lie."""
    seen = markers_of(picture)
    assert seen.keys() == told.keys() == {0, 1, 2, 3}
    middles = {number: quad.mean(axis=0) for number, quad in seen.items()}
    for a, b in combinations(told, 2):
        far = np.linalg.norm(np.subtract(told[a], told[b])) * scale
        assert np.linalg.norm(middles[a] - middles[b]) / DOTS == pytest.approx(far, rel=RIGHT)
    return fitted(list(told.values()), [middles[number] for number in told], DOTS)


def check_sides(page, size):
    """Check that all markers of a page are ``size`` millimetres large."""
    for quad in some(markers_of(page.picture).values()):
        assert side_of(page, quad) == pytest.approx(size, rel=RIGHT)


def measured(picture, outlines, fit, scale):
    """Check that the places of ``outlines`` have their size and lie where they should."""
    middles = {name: np.mean(outline, axis=0) for name, outline in outlines.items()}
    found = {name: patch(picture, fit.place(outline)) for name, outline in outlines.items()}
    areas = {n: cv2.contourArea(np.array(o, np.float32)) for n, o in outlines.items()}
    whole = [n for n, (_, area) in found.items() if area > 0.75 * areas[n] * (scale * DOTS) ** 2]
    assert len(whole) > 0.9 * len(outlines)
    again = fitted([middles[n] for n in whole], [found[n][0] for n in whole], DOTS)
    assert again.scale == pytest.approx(scale, rel=RIGHT)
    return again


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_the_size_of_their_paper(paper, printed):
    path, _ = printed("victorus", "board", "--paper", paper)
    for page in some(pages(path, 0.5)):
        assert sorted(page.size) == pytest.approx(PAPERS[paper], abs=0.1)


@pytest.mark.parametrize("name", EACH)
def test_every_page_of_every_sheet_has_a_ruler_of_a_hundred_millimetres(name, printed):
    path, _ = printed(name, ",".join(kinds_of(name)))
    for page in some(pages(path, DOTS)):
        assert page.ruler() == pytest.approx(RULER, rel=RIGHT)
        assert sorted(page.size) == pytest.approx(PAPERS["a4"], abs=0.1)


@pytest.mark.parametrize("name", EACH)
def test_a_board_on_one_page_has_the_size_and_pitch_of_its_geometry(name, printed):
    path, scale = printed(name, "board", "--paper", "a0", "--fit", "--plain")
    page, board = one(path), board_of(name)
    size = marker_layout(board)["markers"]["size_mm"]
    fit = marked(page.picture, layout_of(name), scale)
    check_sides(page, size * scale)
    outlines = {spot.name: spot.outline for spot in board.spots.values()}
    again = measured(page.picture, outlines, fit, scale)
    assert again.off < RIGHT * board.pitch * scale + 0.2
    # Without what is printed of the markers, the board alone is ink.
    picture = page.drawing().copy()
    edge = (np.array(page.picture.shape) - picture.shape)[:2][::-1] / 2
    for centre in layout_of(name).values():
        half = 0.76 * size
        low, high = (fit.place([np.add(centre, by)])[0] - edge for by in (-half, half))
        (left, top), (right, bottom) = low.astype(int), np.ceil(high).astype(int) + 1
        picture[max(top, 0) : bottom, max(left, 0) : right] = 255
    rows, columns = np.nonzero((picture < 250).any(axis=2))
    left, top, right, bottom = box_of([*map(Stroke, outlines.values()), *board.marks])
    assert np.ptp(columns) / DOTS == pytest.approx((right - left) * scale, rel=RIGHT)
    assert np.ptp(rows) / DOTS == pytest.approx((bottom - top) * scale, rel=RIGHT)


@pytest.mark.parametrize("name", EACH)
def test_the_pages_of_a_board_glued_together_have_true_size(name, printed):
    path, scale = printed(name, "board")
    assert scale == 1
    marked(glued(path, DOTS), layout_of(name), 1.0)


@pytest.mark.parametrize("name", EACH)
def test_names_are_written_on_plain_ground_and_apart(name, printed):
    """Nothing is drawn under a letter: the board without them is of one colour there."""
    path, _ = printed(name, "board", "--paper", "a0", "--fit")
    page = one(path)
    plain = one(printed(name, "board", "--paper", "a0", "--fit", "--plain")[0])
    board = board_of(name)
    wanted = [text for text, _ in coordinates(board)] or list(map(called, board.spots))
    captions = [(text, box) for text, box in page.captions if text in wanted]
    assert {text for text, _ in captions} == set(wanted)
    for (_, a), (_, b) in combinations(captions, 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
    for text, box in captions:
        left, top, right, bottom = (round(DOTS * value) for value in box)
        under = plain.picture[top : bottom + 1, left : right + 1].reshape(-1, 3)
        assert np.ptp(under, axis=0).max() < 8, text


def test_names_of_places_can_be_read_at_arms_length(printed):
    """At true size capitals and letters as tall are 3.4 mm high, as in a heading of 14 points."""
    for name in ("hoplomachus", "victory_honor"):
        page = one(printed(name, "board", "--paper", "a0")[0])
        named = [(t, b) for t, b in page.captions if t in map(called, board_of(name).spots)]
        for text, box in some(named):
            tall = set("bdfhklt") & set(text) or set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") & set(text)
            assert not tall or box[3] - box[1] > 3.4


@pytest.mark.parametrize("name", EACH)
def test_the_template_has_its_holes_where_the_leds_lie(name, printed):
    path, _ = printed(name, "leds", "--paper", "a0")
    page, board = one(path), board_of(name)
    places = led_places(board, default_wiring(board))
    told, seen = np.array(list(places.values())), rings(page.picture, 3 * DOTS)
    seen = seen[seen[:, 1] > MARGIN * DOTS]
    assert len(seen) == len(places)
    shift = seen.mean(axis=0) - told.mean(axis=0) * DOTS
    paired = [seen[np.linalg.norm(seen - (at * DOTS + shift), axis=1).argmin()] for at in told]
    fit = fitted(told, paired, DOTS)
    assert fit.scale == pytest.approx(1.0, rel=RIGHT)
    assert fit.off < 0.3
    assert set(map(str, places)) <= set(page.text.split())
    assert set(board.spots) <= set(page.text.split())
    for at in fit.place(told[:3]):
        assert ring_of(page, at) == pytest.approx(6.0, rel=RIGHT)


@pytest.mark.parametrize("name", EACH)
def test_markers_to_cut_out_have_their_size_and_tell_their_place(name, printed):
    page = one(printed(name, "markers")[0])
    layout, size = layout_of(name), marker_layout(board_of(name))["markers"]["size_mm"]
    seen = markers_of(page.picture)
    assert seen.keys() == layout.keys()
    told = re.findall(r"(\d): [a-z ]+, (\d+) mm and (\d+) mm from", page.text)
    assert {int(n): (int(x), int(y)) for n, x, y in told} == {
        n: (round(abs(x)), round(abs(y))) for n, (x, y) in layout.items()
    }
    check_sides(page, size)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if "tokens" in kinds_of(name)])
def test_pieces_to_cut_out_have_the_size_of_their_pictures(name, printed):
    """Up to the cut where what reaches beyond it is as white as paper, else up to where that
    ends."""
    game, (path, _) = find_game(name), printed(name, "tokens")
    setup = game.setup()
    wanted = iter(cut_out(PrintOrder(game, setup)))
    for page in list(pages(path, CLOSER / 2))[::2]:
        for seen in pieces_of(page):
            piece = cutout(game, setup, next(wanted))
            inked = [stroke for stroke in piece.front if stroke.fill not in ("", "#ffffff")]
            left, top, right, bottom = box_of([piece.cut, *inked])
            size = right - left, bottom - top
            assert seen == pytest.approx(size, rel=RIGHT, abs=3 / page.dots)
    assert next(wanted, None) is None


def test_the_mat_has_its_size_and_its_zones(printed):
    page = one(printed("hoplomachus", "mat", "--paper", "a2")[0])
    game = find_game("hoplomachus")
    mat = game.mat(game.setup())
    layout = tray_markers(mat.size)["markers"]
    told = {int(number): at for number, at in layout["centres_mm"].items()}
    fit = marked(page.picture, told, 1.0)
    check_sides(page, layout["size_mm"])
    assert measured(page.picture, mat.zones, fit, 1.0).off < 0.5
    assert set(map(called, mat.zones)) <= {text for text, _ in page.captions}


@pytest.mark.parametrize("name", EACH)
def test_every_led_has_its_number_on_the_wiring_plan(name, printed):
    page = one(printed(name, "wiring")[0])
    numbers = {str(number) for number in range(default_wiring(board_of(name)).count)}
    assert numbers <= set(page.text.split())
