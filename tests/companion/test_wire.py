"""The walk-through and the lights' page at the command line."""

from __future__ import annotations

import io
import json

import pytest

from companion.cli import main
from companion.commands.wire import Lamp, ask_colours, walked
from companion.games import find_game
from companion.rules import HardwareFault
from hardware.finding import Walk, colour_test
from hardware.strip import SimulatedStrip, spot_colours
from hardware.wiring import default_wiring, load_wiring, read_wiring

GAME = find_game("invictus")
BOARD = GAME.board(GAME.setup())
SNAKE = "\n".join(
    ["leds_per_spot = 1", "serpentine = true", "count = 83", "order = ["]
    + [f'  "{" ".join(f"{file}{row}" for file in "abcdefghi")}",' for row in range(1, 10)]
    + ["]", ""]
).replace("a1 b1", "a1 -2 b1")


@pytest.fixture
def typed(monkeypatch):
    def give(text):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    return give


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, False), ({"NO_COLOR": "1"}, False), ({"FORCE_COLOR": "1"}, True)],
)
def test_the_walk_through_writes_colours_to_terminals_alone(
    environment, coloured, typed, tmp_path, capsys, monkeypatch
):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    typed("a1\nq\n")
    assert main(["wire", "invictus", "--out", str(tmp_path / "wiring.toml")]) == 2
    told = capsys.readouterr().err
    assert "●" in told
    assert ("\x1b" in told) == coloured


class Watcher:
    """Looks at the simulated strip and answers as a person would."""

    def __init__(self, strip, truth):
        self.strip, self.truth, self.asked = strip, truth, 0

    def show(self, pixels):
        self.strip.show(pixels)

    def __call__(self, question):
        self.asked += 1
        lit = list(spot_colours(self.strip.pixels, self.truth))
        guess = question.rpartition("[")[2].rstrip("]") if "[" in question else ""
        if not lit:
            return "-"
        return "" if lit[0] == guess else lit[0]


def test_whoever_says_what_is_lit_finds_any_wiring():
    truth = read_wiring(SNAKE, BOARD)
    watcher = Watcher(SimulatedStrip(), truth)
    walk = walked(Walk(BOARD, truth.count), watcher, watcher)
    assert walk.wiring().leds == truth.leds
    assert watcher.asked == 83


def test_the_walk_through_writes_the_file_that_play_reads(typed, tmp_path, capsys):
    usual = default_wiring(BOARD)
    out = tmp_path / "wiring.toml"
    columns = [
        f"{c}{r}" for c in "abcdefghi" for r in (range(1, 10) if c in "acegi" else range(9, 0, -1))
    ]
    # A slip, a step back, several cells at once, then the rest cell by cell.
    typed("\n".join(["z9", "b2", "b", "a1 a2 a3", *columns[3:]]) + "\n")
    assert main(["wire", "invictus", "--out", str(out), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == {"wiring": str(out), "leds": 81, "colours": "GRB"}
    assert "there is no spot “z9”" in told.err
    assert "LED 80 of 81: which cell is lit? [i9]" in told.err
    assert load_wiring(out, BOARD).leds == usual.leds


@pytest.mark.parametrize("text", ["a1\nq\n", "a1\n"])
def test_a_walk_that_is_left_writes_nothing(typed, tmp_path, capsys, text):
    typed(text)
    out = tmp_path / "wiring.toml"
    assert main(["wire", "invictus", "--out", str(out)]) == 2
    assert "no wiring was written" in capsys.readouterr().err
    assert not out.exists()


def test_more_cells_than_leds_are_not_taken(typed, tmp_path, capsys):
    typed("a1 a2 a3\na1 a2\n")
    assert main(["wire", "invictus", "--leds", "2", "--out", str(tmp_path / "w")]) == 2
    told = capsys.readouterr().err
    assert "only 2 LEDs are left" in told
    assert "has no LED in the wiring" in told


def test_a_wrong_order_of_colours_is_asked_for_until_it_makes_sense(capsys):
    strip = SimulatedStrip()
    answers = iter(["red", "rrr", "g r b"])
    lamp = Watcher(strip, default_wiring(BOARD))
    assert ask_colours(lamp, 81, lambda question: next(answers)) == "RGB"
    assert strip.pixels == colour_test(81)
    assert capsys.readouterr().err.count("one each of r, g and b") == 2
    assert ask_colours(lamp, 2, lambda question: "never asked") == "GRB"


def test_the_lights_page_tells_meanings_settings_and_current(tmp_path, capsys):
    journal = ["--journal", str(tmp_path / "x.sqlite3")]
    more = ["--level", "errors", "--brightness", "50", "--night", "22:00-07:00"]
    assert main(["lights", "victorus", *journal, *more]) == 0
    told = capsys.readouterr().out
    assert "destination  steady  may go here" in told
    assert "night = 22:00-07:00" in told
    assert "strip 1: 181 LEDs; dark 181 mA" in told
    assert main(["lights", "victorus", *journal, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["settings"]["level"] == "errors"
    assert told["strips"][0]["white"] == 181 * 61
    assert main(["lights", "victorus", *journal, "--level", "loud"]) == 2
    assert "full, errors or off" in capsys.readouterr().err


def test_a_strip_that_goes_while_somebody_thinks_is_said_at_the_next_led(monkeypatch):
    monkeypatch.setattr("companion.commands.wire.HOLD", 0.0)

    class Gone(SimulatedStrip):
        shows = 0

        def show(self, pixels):
            self.shows += 1
            if self.shows > 1:
                raise HardwareFault("the strip is gone")

    lamp = Lamp(Gone(), hold=True)
    lamp.show(((9, 9, 9),))
    lamp._thread.join(20)
    with pytest.raises(HardwareFault, match="gone"):
        lamp.show(((0, 0, 9),))
