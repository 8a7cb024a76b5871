"""Printed sheets: rasterised, measured, and looked at by the calibration."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.cli import main
from companion.commands.printing import wording_in
from companion.games import find_game
from companion.referee.lessons import lessons_of
from companion.rules import BadInput, Stroke, name_of, other_side, picture_of, tell
from companion.sheets.contents import (
    HOLE_MM,
    PrintOrder,
    board_sheet,
    cut_out,
    led_places,
    sheets,
)
from companion.sheets.leaflet import symbols, wide
from companion.sheets.paper import MARGIN, OVERLAP, divided, fitting_scale, paper_size
from companion.sheets.pdf import RULER_MM, pdf_of
from companion.sheets.sheet import Sheet, box_of
from companion.sheets.tokens import BLEED, GAP, crop_marks, cutout, outline_of, turn_onto
from hardware.wiring import default_wiring
from tests.checks.loops import some
from vision._cv import detect_markers, marker_dictionary
from vision.board.calibration import locate_markers, marker_layout
from vision.board.printing import DICTIONARY, shade
from vision.dice.tray import Tray
from vision.frames import Frame

DOTS = 4.0
"""Pixels a millimetre in these tests, about 100 dpi."""
RIGHT = 0.005
"""How far a scale may be off."""


def order(name, paper="a4", **more):
    game = find_game(name)
    return PrintOrder(game, game.setup(), paper, **more)


def rasters(pdf, dots=DOTS):
    document = pypdfium2.PdfDocument(bytes(pdf.output()))
    pages = [page.render(scale=dots * 25.4 / 72).to_numpy()[:, :, :3] for page in document]
    document.close()
    return [np.ascontiguousarray(page) for page in pages]


def whole(name, paper="a2"):
    """Return the board's sheet, shrunk to one page, and its picture."""
    wanted = order(name, paper)
    (sheet,) = sheets(wanted, ("board",))
    scale = fitting_scale(sheet, paper)
    (page,) = rasters(pdf_of([sheet.scaled(scale)], paper))
    return wanted.board, scale, page


@pytest.mark.parametrize("name", ["victorus", "invictus", "chess"])
def test_the_calibration_finds_a_printed_board_at_the_size_it_should_have(name):
    board, scale, page = whole(name)
    located = locate_markers(page, board, ())
    assert located is not None
    assert located.how == "markers"
    assert located.camera.pixels_per_mm() == pytest.approx(DOTS * scale, rel=RIGHT)


@pytest.mark.parametrize("name", ["victorus", "invictus"])
def test_the_markers_lie_where_the_calibration_looks_for_them(name):
    board, scale, page = whole(name)
    seen = detect_markers(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY), marker_dictionary(DICTIONARY))
    layout = marker_layout(board)["markers"]
    assert seen.keys() == {0, 1, 2, 3}
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0)):
        drawn = np.linalg.norm(seen[one].mean(0) - seen[other].mean(0)) / DOTS / scale
        centres = [np.array(layout["centres_mm"][str(number)]) for number in (one, other)]
        assert drawn == pytest.approx(np.linalg.norm(centres[0] - centres[1]), rel=RIGHT)
    side = np.linalg.norm(seen[0][0] - seen[0][1]) / DOTS / scale
    assert side == pytest.approx(layout["size_mm"], rel=0.02)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_pages_glued_together_make_the_board_at_true_size(paper):
    wanted = order("victorus", paper)
    sheet = board_sheet(wanted)
    tiling = divided(sheet, paper)
    pages = rasters(pdf_of([sheet], paper))
    assert len(pages) == len(tiling.pages) > 8
    left = min(page.window[0] for page in tiling.pages)
    top = min(page.window[1] for page in tiling.pages)
    width, height = paper_size(paper)
    size = int(DOTS * (tiling.columns * max(width, height)))
    glued = np.full((size, size, 3), 255, np.uint8)
    for page, picture in zip(tiling.pages, pages, strict=True):
        room = [int(DOTS * (page.window[i + 2] - page.window[i])) for i in (0, 1)]
        edge = round(DOTS * MARGIN)
        x, y = (round(DOTS * v) for v in (page.window[0] - left, page.window[1] - top))
        part = picture[edge : edge + room[1], edge : edge + room[0]]
        glued[y : y + room[1], x : x + room[0]] = part
    board = wanted.board
    located = locate_markers(glued[: int(DOTS * 720), : int(DOTS * 720)], board, ())
    assert located is not None
    assert located.camera.pixels_per_mm() == pytest.approx(DOTS, rel=RIGHT)


def test_neighbouring_pages_overlap_by_what_is_glued_and_miss_nothing():
    sheet = board_sheet(order("victorus"))
    tiling = divided(sheet, "a4")
    by_place = {(page.row, page.column): page for page in tiling.pages}
    for (row, column), page in some(by_place.items()):
        if right := by_place.get((row, column + 1)):
            assert page.window[2] - right.window[0] == pytest.approx(OVERLAP)
        if below := by_place.get((row + 1, column)):
            assert page.window[3] - below.window[1] == pytest.approx(OVERLAP)
    for stroke in some(sheet.strokes):
        for x, y in some(stroke.points):
            assert any(
                page.window[0] <= x <= page.window[2] and page.window[1] <= y <= page.window[3]
                for page in tiling.pages
            )


def test_the_ruler_on_every_page_is_a_hundred_millimetres_long():
    for page in some(rasters(pdf_of([board_sheet(order("chess"))], "a4"))):
        margin = page[-round(DOTS * (MARGIN - 1)) : -round(DOTS * 4)].min(axis=2)
        widest = 0
        for row in margin < 128:
            ink = np.flatnonzero(row)
            if len(ink) > DOTS * RULER_MM / 2:
                widest = max(widest, int(ink[-1] - ink[0]))
        assert widest / DOTS == pytest.approx(RULER_MM, rel=RIGHT)


@pytest.mark.parametrize("name", ["chess", "invictus", "hoplomachus"])
def test_every_page_tells_what_its_ruler_is_for(name):
    """Also where the last words of the sheet are as small as these."""
    pdf = pdf_of(sheets(order(name), ("board", "markers", "leds")), "a4")
    document = pypdfium2.PdfDocument(bytes(pdf.output()))
    for page in some(document):
        text = page.get_textpage()
        (at,) = (n for n in range(text.count_chars()) if text.get_text_range(n, 10) == "100 mm: me")
        left, bottom, right, top = text.get_charbox(at)
        assert right > left
        assert top > bottom
    document.close()


@pytest.mark.parametrize(
    ("what", "scale"),
    [("markers", 0.5), ("markers", 1.0), ("markers", 2.0), ("board", 1.0), ("leds", 1.0),
     ("wiring", 1.0), ("leaflet", 1.0)],
)  # fmt: skip
@pytest.mark.parametrize(
    "name", ["chess", "invictus", "victorus", "heximeros", "hoplomachus", "victory_honor"]
)
def test_captions_meet_nowhere_and_are_on_the_sheet(name, what, scale):
    game = find_game(name)
    # Italian is the longest in most games, and its letters are among the widest.
    (sheet,) = sheets(order(name, scale=scale, wording=wording_in(game, "it")), (what,))
    pdf = pdf_of([], "a4")
    spans = []
    for words in sheet.words:
        pdf.set_font("helvetica", size=words.size * 72 / 25.4)
        (x, y), half = words.at, pdf.get_string_width(words.text) / 2
        high = 0.36 * words.size
        spans.append((x - half, y - high, x + half, y + high))
    left, top, right, bottom = np.array(sorted(spans)).T
    assert sheet.box[0] - 0.1 <= left.min() < right.max() <= sheet.box[2] + 0.1
    assert sheet.box[1] <= top.min() < bottom.max() <= sheet.box[3] + 0.1
    across = (left[:, None] < right) & (left < right[:, None])
    meets = across & (top[:, None] < bottom) & (top < bottom[:, None])
    assert meets.sum() == len(spans)  # each meets itself


@pytest.mark.parametrize(("language", "aim"), [("en", "The aim"), ("es", "El objetivo")])
@pytest.mark.parametrize("name", ["chess", "hoplomachus", "victorus", "victory_honor"])
def test_a_leaflet_tells_aim_turn_symbols_and_what_lessons_teach_on_a_page(name, language, aim):
    game, setup = find_game(name), find_game(name).setup()
    wording = wording_in(game, language)
    (sheet,) = sheets(order(name, wording=wording), ("leaflet",))
    assert divided(sheet, "a4").rows == divided(sheet, "a4").columns == 1
    said = " ".join(words.text for words in sheet.words)
    about = wording.introduction
    for text in (game.title, aim, about.aim, about.turn, about.win, about.needed):
        assert text in said
    for lesson in some(lessons_of(game)):
        assert f"{wording.rules[lesson.rule].title}. {wording.rules[lesson.rule].text}" in said
    for token in some(symbols(game, setup)):
        assert tell(name_of(game, token), wording.translate) in said


def ornament_of(name):
    """Return the strokes of the ornament: those under a board's own, those over them."""
    (plain,) = sheets(order(name, lettered=False, ornate=False), ("board",))
    (sheet,) = sheets(order(name), ("board",))
    assert sheet.box == plain.box == board_sheet(order(name)).box
    many = len(plain.strokes)
    (first,) = (
        n for n in range(len(sheet.strokes)) if sheet.strokes[n : n + many] == plain.strokes
    )
    return sheet.strokes[:first], sheet.strokes[first + many :]


@pytest.mark.parametrize("name", ["chess", "invictus", "victorus", "hoplomachus", "victory_honor"])
def test_ornament_lies_beside_everything_that_is_read_and_a_plain_board_has_none(name):
    board, (under, over) = order(name).board, ornament_of(name)
    # Beside squares there is none: the print finder would count one more row.
    assert bool(over) == (not under) == (name in ("chess", "invictus"))
    assert not any(stroke.fill for stroke in under)
    points = np.array([point for stroke in under for point in stroke.points]).reshape(-1, 2)
    size = marker_layout(board)["markers"]["size_mm"]
    centres = some(marker_layout(board)["markers"]["centres_mm"].values())
    assert all(np.abs(points - at).max(axis=1).min(initial=size) > 0.75 * size for at in centres)
    inked = np.round(points).astype(np.float32)[::20].tolist()
    for spot in some(list(board.spots.values())[::17]):
        outline = np.array(spot.outline, np.float32)
        assert not [at for at in inked if cv2.pointPolygonTest(outline, at, False) > 0]


def rosettes_of(name):
    """Return the middles and radii of the rosettes beside the spots, each rounded."""
    found = {}
    for stroke in ornament_of(name)[0]:
        if stroke.closed:
            low, high = np.min(stroke.points, axis=0), np.max(stroke.points, axis=0)
            middle = tuple(np.round((low + high) / 2).astype(int).tolist())
            found[middle] = max(found.get(middle, 0), round(float(high[0] - low[0]) / 2, 1))
    return found


@pytest.mark.parametrize("name", ["victorus", "hoplomachus"])
def test_rosettes_of_a_sheet_are_alike_and_mirrored_about_one_upright_line(name):
    rosettes = rosettes_of(name)
    assert len(rosettes) == 4
    assert len(set(rosettes.values())) == 1
    left, right = (pick(x for x, _ in rosettes) for pick in (min, max))
    assert {(left + right - x, y) for x, y in rosettes} == set(rosettes)
    if name == "victorus":  # a board that is alike above and below
        assert {(x, -y) for x, y in rosettes} == set(rosettes)


@pytest.mark.parametrize("name", ["chess", "invictus"])
def test_on_squares_ornament_is_fine_and_hardly_darker_than_they_are(name):
    board, (_, over) = order(name).board, ornament_of(name)
    for stroke in some(over):
        spot = board.at(stroke.points[0])
        assert np.abs(np.subtract(stroke.points, spot.centre)).max() < 0.475 * board.pitch
        darker = np.subtract(shade(spot.shade), shade(stroke.colour))
        assert 0 < darker.min() <= darker.max() < 35
        assert not stroke.fill
        assert stroke.width < 0.3


@pytest.mark.parametrize("name", ["chess", "invictus"])
def test_on_squares_ornament_is_nowhere_so_dense_that_it_looks_like_a_die(name):
    """Of no square of 16 mm, a die's size, do lines take up half."""
    die, steps = 16.0, 4
    middles, ink = [], []
    for stroke in some(ornament_of(name)[1]):
        points = np.array(stroke.points)
        middles.append((points[1:] + points[:-1]) / 2)
        ink.append(np.linalg.norm(np.diff(points, axis=0), axis=1) * stroke.width)
    left, _, right, _ = order(name).board.bounds
    edges = np.arange(left, right, die / steps)
    at = np.concatenate(middles)
    area, *_ = np.histogram2d(*at.T, (edges, edges), weights=np.concatenate(ink))
    assert cv2.blur(area, (steps, steps)).max() * steps**2 < die**2 / 2


@pytest.mark.parametrize("name", ["invictus", "victory_honor"])
def test_the_lines_of_ornament_show_no_corners_however_large_it_is(name):
    for stroke in some([*ornament_of(name)[0], *ornament_of(name)[1]]):
        bend = np.diff(stroke.points, n=2, axis=0)
        assert np.linalg.norm(bend, axis=1).max(initial=0.0) / 8 < 0.1  # millimetres off the curve


def test_fronts_and_backs_lie_in_register_when_the_paper_is_turned_over():
    printed = sheets(order("victorus"), ("tokens",))
    pages = rasters(pdf_of(map(silhouettes, printed), "a4"))
    assert len(pages) == len(printed) == 6
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        rows = slice(round(DOTS * (MARGIN + 1)), -round(DOTS * (MARGIN + 1)))
        here, there = ((page[rows] < 250).any(axis=2) for page in (front, back[:, ::-1]))
        both = np.logical_and(here, there).sum() / np.logical_or(here, there).sum()
        assert both > 0.97


def silhouettes(sheet):
    """Return the sheet with all its areas black: white edges are printed on white paper, too."""
    areas = [stroke._replace(fill="#000000", colour="") for stroke in sheet.strokes if stroke.fill]
    return replace(sheet, strokes=tuple(areas), cuts=())


@pytest.mark.parametrize("name", ["victorus", "heximeros", "hoplomachus", "chess"])
def test_a_cut_that_slips_outward_shows_the_colour_there_is_at_the_edge(name):
    wanted, dots = order(name), 12.0
    for token in some(sorted(set(cut_out(wanted)))[::7]):
        piece = cutout(wanted.game, wanted.setup, token)
        cut = np.array(piece.cut.points)
        box = box_of((Stroke(tuple(map(tuple, (1.2 * cut).tolist()))),))
        (page,) = rasters(pdf_of([Sheet("", box, piece.front)], "a4"), dots)
        middle = np.array(page.shape[1::-1]) / 2 - dots * np.add(box[:2], box[2:]) / 2
        on, beyond = (
            page[tuple(np.round(by * dots * cut + middle).astype(int).T[::-1])].astype(int)
            for by in (1.0, BLEED - 0.01)
        )
        alike = np.abs(on - beyond).max(axis=1) < 40
        assert alike.mean() > 0.85, token  # but where two colours of an edge meet


@pytest.mark.parametrize("name", ["victorus", "heximeros"])
def test_nothing_of_either_side_lies_beyond_the_cut_but_what_may_be_cut_off(name):
    wanted = order(name)
    for token in some(sorted(set(cut_out(wanted)))):
        game, setup = wanted.game, wanted.setup
        cut = box_of((cutout(game, setup, token).cut,))
        for side in {token, other_side(game, token)}:
            drawn = np.abs(box_of(picture_of(game, setup, side)))
            assert (drawn < np.abs(cut) + 0.1).all()


def test_a_promoted_knights_other_side_is_on_its_back():
    game = find_game("victorus")
    assert other_side(game, "red white T") == "red white T+"
    assert other_side(game, "red white T+ frozen") == "red white T"
    assert other_side(game, "red half K") == "red half K"
    assert other_side(game, "red black H") == "red black H"


def test_a_back_is_turned_until_it_lies_on_its_front():
    game = find_game("victorus")
    tilted = outline_of(picture_of(game, game.setup(), "orange white T"))
    mirrored = tuple((-x, y) for x, y in tilted)
    assert turn_onto(tilted, mirrored) in (120.0, -120.0)
    upright = outline_of(picture_of(game, game.setup(), "red white T"))
    assert turn_onto(upright, tuple((-x, y) for x, y in upright)) == 0.0


def test_the_template_has_a_hole_in_the_middle_of_every_cell():
    wanted = order("invictus")
    places = led_places(wanted.board, wanted.wired)
    centres = {spot.centre for spot in wanted.board.spots.values()}
    assert set(places.values()) == centres
    assert sorted(places) == list(range(default_wiring(wanted.board).count))


@pytest.mark.parametrize("name", ["chess", "hoplomachus"])
def test_the_template_names_each_cell_as_a_wiring_file_does_beside_its_hole(name):
    wanted = order(name)
    (sheet,) = sheets(wanted, ("leds",))
    ends = {words.text: words.at[0] + wide(words.text, words.size) / 2 for words in sheet.words}
    for cell, spot in some(wanted.board.spots.items()):
        assert -HOLE_MM < ends[cell] - spot.centre[0] < -HOLE_MM / 2


def test_all_arrows_of_a_wiring_plan_are_alike():
    (sheet,) = sheets(order("hoplomachus"), ("wiring",))
    arrows = [np.array(s.points) for s in sheet.strokes if s.fill == "#c0242b"]
    lengths = [np.linalg.norm(a[0] - a[1:].mean(axis=0)) for a in some(arrows)]
    assert np.ptp(lengths) < 1e-6


@pytest.mark.parametrize("what", ["board", "markers", "leds", "wiring"])
@pytest.mark.parametrize("name", ["victorus", "invictus", "chess"])
def test_everything_is_printed_for_every_board(name, what, tmp_path, capsys):
    out = tmp_path / "some.pdf"
    assert main(["print", name, "--what", what, "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    document = pypdfium2.PdfDocument(out)
    assert len(document) == told["pages"] >= 1
    document.close()
    assert what != "wiring" or told["pages"] == 1


def test_sheets_are_written_as_svg_at_true_size_for_laser_cutters(tmp_path, capsys):
    out = tmp_path / "holes.svg"
    assert main(["print", "invictus", "--what", "leds", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: 26 mm a cell\n"
    drawn = ElementTree.parse(out).getroot()
    (sheet,) = sheets(order("invictus"), ("leds",))
    width, height = sheet.size
    assert drawn.attrib["width"] == f"{width:.3f}mm"
    assert drawn.attrib["viewBox"].split()[2:] == [f"{width:.3f}", f"{height:.3f}"]
    _, art, cut = drawn
    assert [art.get("id"), cut.get("id")] == ["art", "cut"]
    told = [element.text for element in art if element.tag.endswith("text")]
    assert told == [words.text for words in sheet.words]
    assert len([e for e in art if e.tag.endswith("path")]) == len(sheet.strokes)
    assert len(cut) == len(sheet.cuts) == 81


def test_every_sheet_is_an_svg_of_its_own(tmp_path, capsys):
    out = tmp_path / "pieces.svg"
    assert main(["print", "victorus", "--what", "tokens", "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["files"] == [str(tmp_path / f"pieces-{number}.svg") for number in range(1, 7)]
    for file in some(told["files"]):
        title, art, cut = ElementTree.parse(file).getroot()
        assert (len(cut) > 5) == ("front" in title.text)
        assert {(c.get("fill"), c.get("stroke")) for c in cut} <= {("none", "#ff0000")}
        assert not [e for e in art if e.get("stroke") == "#ff0000"]


@pytest.mark.parametrize("name", ["victorus", "heximeros", "hoplomachus"])
def test_crop_marks_lie_in_line_with_the_cut_beside_the_ground_and_meet_no_other_piece(name):
    wanted = order(name)
    for token in some(cut_out(wanted)[::7]):
        piece = cutout(wanted.game, wanted.setup, token)
        under, cut = box_of(piece.front[:1]), box_of((piece.cut,))
        marks = [box_of((mark,)) for mark in crop_marks(piece.cut, piece.front[0])]
        assert len(marks) == 8
        for left, top, right, bottom in some(marks):
            level = top == bottom
            assert (top in cut[1::2]) if level else (left == right in cut[0::2])
            start, end = (left, right) if level else (top, bottom)
            low, high = under[0::2] if level else under[1::2]
            # Two neighbours share the gap between them.
            assert low - GAP / 2 < start < end < low or high < start < end < high + GAP / 2


def test_a_board_is_shrunk_to_one_page_or_to_a_size_of_cell(tmp_path, capsys):
    out = str(tmp_path / "some.pdf")
    for more, cell in ((["--fit", "--paper", "a2"], 23.08), (["--cell", "30"], 30.0)):
        assert main(["print", "victorus", "--what", "board", "--out", out, "--json", *more]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["cell_mm"] == cell
        assert (told["pages"] == 1) == ("--fit" in more)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--paper", "b5"], "there is no paper “b5”; choose a4"),
        (["--what", "dice"], "“dice” cannot be printed; choose from board"),
        (["--what", "tokens"], "Invictus has no tokens to print"),
        (["--cell", "3"], "--cell is a size from 10 to 120 mm"),
        (["--cell", "30", "--fit"], "give one of them"),
        (["--out", "/no/such/folder/some.pdf"], "cannot be written"),
    ],
)
def test_what_cannot_be_printed_is_said(more, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["print", "invictus", *more]) == 2
    assert says in capsys.readouterr().err
    assert list(Path().iterdir()) == []


def test_the_printed_mat_is_found_by_its_markers_and_bare():
    game = find_game("hoplomachus")
    (sheet,) = sheets(order("hoplomachus"), ("mat",))
    assert "training ground" in [words.text for words in sheet.words]
    (page,) = rasters(pdf_of([sheet.scaled(fitting_scale(sheet, "a2"))], "a2"))
    mat = game.mat(game.setup())
    tray = Tray(mat.zones, mat.size, mat.side_mm)
    tray.bare(Frame(page[:, :, ::-1], 0.0))
    assert tray.read(Frame(page[:, :, ::-1], 1.0)).dice == ()
    with pytest.raises(BadInput, match="has no mat"):
        sheets(order("chess"), ("mat",))


def test_a_printed_board_is_lettered_but_not_beside_its_markers_nor_as_dark_as_pips():
    lettered = board_sheet(order("chess"))
    assert min(min(shade(word.colour)) for word in lettered.words) > 90
    assert {word.text for word in lettered.words} == {*"abcdefgh12345678"}
    assert board_sheet(order("chess", lettered=False)).words == ()


@pytest.mark.parametrize("name", ["invictus", "victory_honor"])
def test_a_board_to_frame_has_its_art_and_its_name_but_no_letters(name):
    (sheet,) = sheets(order(name, lettered=False), ("board",))
    assert [words.text for words in sheet.words] == [find_game(name).title.upper()]
    assert len(sheet.strokes) == len(sheets(order(name), ("board",))[0].strokes)
