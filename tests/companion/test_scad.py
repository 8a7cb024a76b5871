"""The frame and the stand for OpenSCAD: their numbers are those of board, LEDs and optics, and the
program uses no name that it does not know."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.games import find_game, games
from companion.sheets.camera_placement import LEAN, LENSES, site
from companion.sheets.contents import PrintOrder, board_sheet
from companion.sheets.scad import scad_of
from hardware.wiring import default_wiring
from tests.checks.loops import some

PROGRAM = files("companion.sheets").joinpath("frame.scad").read_text("utf-8")
BUILT_IN = {
    "module", "function", "difference", "intersection", "union", "hull", "translate", "rotate",
    "color", "cube", "cylinder", "echo", "for", "if", "else", "let", "each", "true", "false", "max",
    "min", "ceil", "round", "len", "d", "h", "center", "fn",
}  # fmt: skip


def parameters(order: PrintOrder) -> dict[str, Any]:
    given = scad_of(order).removesuffix(PROGRAM)
    return {name: json.loads(value) for name, value in re.findall(r"(?m)^(\w+) = (.+);$", given)}


@pytest.mark.parametrize("name", games())
@pytest.mark.slow
def test_frame_and_stand_have_the_numbers_of_the_board(name: str) -> None:
    game = find_game(name)
    order = PrintOrder(game, game.setup(), scale=0.5)
    board, told = order.board, parameters(order)
    assert told["sheet"] == pytest.approx(board_sheet(order).size, abs=0.01)
    assert told["leaning"] == LEAN
    wiring = default_wiring(board)
    assert len(told["leds"]) == wiring.count
    for number, at in some(list(enumerate(told["leds"]))[::20]):
        (spot,) = (name for name, leds in wiring.leds.items() if number in leds)
        assert at == pytest.approx([half / 2 for half in board[spot].centre], abs=0.01)
    for lens, camera in zip(LENSES, told["cameras"], strict=True):
        above, leaning = site(board, lens, 0.0), site(board, lens, LEAN)
        far = (above.height, above.beside, leaning.height, leaning.beside)
        assert camera == [lens.name, *(pytest.approx(value / 2, abs=0.1) for value in far)]


@pytest.mark.parametrize(("name", "apart"), [("chess", 50), ("victorus", 36), ("invictus", 26)])
def test_leds_are_as_far_apart_as_cells(name: str, apart: float) -> None:
    game = find_game(name)
    assert parameters(PrintOrder(game, game.setup()))["led_pitch"] == pytest.approx(apart)


def test_the_program_knows_every_name_that_it_uses() -> None:
    game = find_game("chess")
    code = re.sub(r'//.*|"[^"]*"', "", PROGRAM)
    for opening, closing in ("()", "[]", "{}"):
        assert code.count(opening) == code.count(closing)
    made = set(re.findall(r"(?m)^ *(?:module |function )?(\w+)(?= =|\()", code))
    made |= {name for inner in re.findall(r"(?:module|function) \w+\(([^)]*)", code)
             for name in inner.split(", ")}  # fmt: skip
    made |= set(re.findall(r"(?:for|let|,|echo)[ (]*(\w+) = ", code))
    used = set(re.findall(r"(?<![\w.])[a-z_]+", code))
    assert used - made - BUILT_IN == parameters(PrintOrder(game, game.setup())).keys()


def test_the_command_writes_it_beside_the_sheets(tmp_path: Path) -> None:
    out, frame = tmp_path / "x.pdf", tmp_path / "frame.scad"
    assert (
        main(["print", "chess", "--what", "markers", "--out", str(out), "--frame", str(frame)]) == 0
    )
    game = find_game("chess")
    assert frame.read_text("utf-8") == scad_of(PrintOrder(game, game.setup()))
