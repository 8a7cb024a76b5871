"""The build guide's tables and numbers are those that the product computes."""

from __future__ import annotations

import re
from pathlib import Path

from companion.games import find_game, games
from companion.sheets.bill import FED_ONCE, MOST_AMPERES, SPARE, feeding
from companion.sheets.build_guide import filled, main, tables
from companion.sheets.camera_placement import LENSES, site
from hardware.drivers import SPI_BUFFER, spi_bytes
from hardware.strip import CHANNEL_MA
from hardware.wiring import Wiring
from tests.checks.loops import some
from vision.board.light_meter import ENOUGH
from vision.sources.cameras import CameraSettings

GUIDE = Path(__file__).parents[2] / "docs" / "build.md"
WIRING = GUIDE.with_name("wiring.md")


def titled(row):
    return row.split("|")[1].strip()


def test_the_tables_of_the_guide_are_those_that_are_computed():
    guide = GUIDE.read_text(encoding="utf-8")
    for name, table in some(tables(games()).items()):
        written = guide.split(f"<!-- {name} -->")[1].strip().splitlines()
        computed = table.splitlines()
        told = {titled(row) for row in written[2:]}
        assert {"Victorus", "Invictus", "Chess"} <= told
        assert written[:2] == computed[:2]
        # A game that came since is computed when the guide is written anew.
        assert written[2:] == [row for row in computed[2:] if titled(row) in told]


def test_the_stand_that_is_to_be_bought_reaches_where_the_cameras_stand():
    row = next(line for line in GUIDE.read_text("utf-8").splitlines() if "| boom arm" in line)
    told = [int(one) for one in re.findall(r"\d+(?= |\D)", row)[:4]]
    heights = sorted(
        round(site(game.board(game.setup()), LENSES[0], 0.0).height / 10)
        for game in map(find_game, ("invictus", "chess", "victorus", "victory_honor",
                                    "hoplomachus", "heximeros"))
    )  # fmt: skip
    assert told == [heights[0], heights[1], heights[4], heights[5]]


def test_what_the_guide_says_of_fuse_cable_and_limit_is_what_is_reckoned_with():
    text = " ".join(GUIDE.read_text("utf-8").split())
    least = feeding(0.0, Wiring({}, 64))
    assert f"with 5 V {least.supply} A, a fuse of {least.fuse:g} A and {least.square:g} mm²" in text
    assert f"Strips of more than {FED_ONCE} LEDs" in text
    assert f"{1000 * MOST_AMPERES:,.0f} at most" in text
    assert SPARE == 4 / 5
    assert f"`limit_ma`, {Wiring({}, 64).parts[0].limit_ma:,.0f} unless" in text


def test_what_the_guide_says_of_pictures_and_leds_is_what_the_companion_does():
    text = " ".join(GUIDE.read_text("utf-8").split())
    assert f"a cell is {ENOUGH:.0f} pixels wide" in text
    assert "{} × {},".format(*CameraSettings().size) in text
    assert "({} × {})".format(*LENSES[0].size) in text
    wiring = " ".join(WIRING.read_text("utf-8").split())
    an_led = len(spi_bytes(((0, 0, 0),))) - len(spi_bytes(()))
    at_once = (SPI_BUFFER - len(spi_bytes(()))) // an_led
    assert f"takes {an_led} bytes a LED" in wiring
    assert f"{SPI_BUFFER:,} bytes in one go, which is {at_once} LEDs" in wiring
    assert f"up to {3 * CHANNEL_MA:.0f} mA" in wiring


def test_the_guide_is_written_anew_between_its_marks(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.sheets.build_guide.games", lambda: ("chess",))
    text = "a\n<!-- boards -->\nold\n<!-- boards -->\nb\n"
    assert filled(text, {"boards": "new", "cameras": "x"}) == text.replace("old", "new")
    copy = tmp_path / "build.md"
    copy.write_text(GUIDE.read_text(encoding="utf-8"), encoding="utf-8")
    assert main([str(copy)]) == 0
    written = copy.read_text(encoding="utf-8")
    assert "| Chess | Pi Camera Module 3 |" in written
    assert "| Victorus | Pi Camera Module 3 |" not in written
