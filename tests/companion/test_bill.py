"""The bill of materials: as the board, its optics and its wiring have it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from companion.cli import main
from companion.games import find_game, games
from companion.sheets.bill import CABLE, CABLES, COPPER, DROP, FUSES, SPARE, as_csv, bill, feeding
from companion.sheets.contents import PrintOrder
from hardware.wiring import Part, Wiring, default_wiring


def rows_of(name: str) -> dict[str, list[str]]:
    game = find_game(name)
    read = list(csv.reader(io.StringIO(as_csv(bill(PrintOrder(game, game.setup()))))))
    assert read[0] == ["part", "quantity", "unit", "why"]
    return {row[0]: row for row in read[1:]}


@pytest.mark.parametrize("name", games())
def test_every_game_has_its_bill(name: str) -> None:
    rows, game = rows_of(name), find_game(name)
    lit = default_wiring(game.board(game.setup())).count
    assert rows["WS2812B LED"][1] == str(lit)
    assert all(float(row[1]) > 0 for row in rows.values())
    assert len({len(row) for row in rows.values()}) == 1


@pytest.mark.parametrize(
    ("name", "height"), [("invictus", 42), ("victorus", 91), ("heximeros", 124)]
)
def test_the_stand_reaches_where_the_build_guide_says(name: str, height: int) -> None:
    assert abs(int(rows_of(name)["stand or boom arm, reaching up"][1]) - height) <= 1


@pytest.mark.parametrize("milliamperes", [0, 90, 1_999, 2_001, 4_200, 6_000, 9_300])
def test_fuse_cable_and_supply_bear_what_is_drawn(milliamperes: float) -> None:
    fed = feeding(milliamperes, Wiring({}, 64))
    drawn = fed.limit / 1000
    assert min(milliamperes, 6_000) <= fed.limit <= 6_000
    assert drawn <= SPARE * fed.supply
    assert fed.fuse in FUSES
    assert 1.25 * drawn <= fed.fuse <= fed.supply
    assert dict(CABLES)[fed.square] >= fed.fuse
    assert 2 * COPPER * CABLE * drawn / fed.square <= DROP


@pytest.mark.parametrize(("count", "ends"), [(64, 1), (100, 1), (101, 2), (655, 2)])
def test_a_long_strip_is_fed_at_both_ends(count: int, ends: int) -> None:
    assert feeding(1000.0, Wiring({}, count)).ends == ends
    halves = (Part(count // 2), Part(count - count // 2))
    assert feeding(1000.0, Wiring({}, count, halves)).ends == (2 if count > 200 else 1)


def test_the_command_writes_it(tmp_path: Path) -> None:
    out = tmp_path / "parts.csv"
    pdf = str(tmp_path / "chess.pdf")
    assert main(["print", "chess", "--what", "markers", "--out", pdf, "--parts", str(out)]) == 0
    assert "WS2812B LED,64,piece" in out.read_text(encoding="utf-8")
