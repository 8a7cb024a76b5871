"""One settings file: commands and pages read and change it alike, and nothing in it is guessed."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.commands.common import settle
from companion.commands.live import request_of
from companion.commands.parser import parse
from companion.games import find_game
from companion.journal import Journal
from companion.live.composition import Composition
from companion.live.equipment import PanelLamps
from companion.live.lighting import keeper, light_settings
from companion.machine.settings_file import PLAY, SETTINGS, Section, SettingsFile
from companion.rules import HardwareFault
from companion.table import Table
from companion.table.evening import Evening
from hardware.settings import LightSettings
from tests.checks.loops import some

ROOT = Path(__file__).parents[2]
CHESS = find_game("chess")

Tell = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "tabletop-companion"


@pytest.fixture
def file(folder: Path) -> SettingsFile:
    return SettingsFile(folder)


@pytest.fixture
def tell(folder: Path, capsys: pytest.CaptureFixture[str]) -> Tell:
    """Run ``companion settings`` with --json; return its status, what it told by name, and what
    it complained."""

    def tell(*words: str) -> tuple[int, Any, str]:
        try:
            status = main(["settings", *words, "--json"])
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = capsys.readouterr()
        told = {one["name"]: one for one in json.loads(out)["settings"]} if out else {}
        return status, told, err

    return tell


def write(file: SettingsFile, text: str) -> None:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_text(text)


# -- the command ---------------------------------------------------------------------


def test_without_a_file_every_setting_has_its_default(tell: Tell, file: SettingsFile) -> None:
    status, told, _ = tell()
    assert status == 0
    assert list(told) == list(SETTINGS)
    assert {one["from"] for one in told.values()} == {"default"}
    assert told["play.port"]["value"] == 8000
    assert not file.path.exists(), "to look changes nothing"


def test_what_is_set_is_told_with_where_it_comes_from_and_can_be_reset(
    tell: Tell, file: SettingsFile
) -> None:
    assert tell("play.port=80", "table.sound=no", "lights.night=22:00-07:00")[0] == 0
    _, told, _ = tell()
    assert (told["play.port"]["value"], told["play.port"]["from"]) == (80, str(file.path))
    assert told["table.sound"]["value"] is False
    assert told["lights.level"]["from"] == "default"
    _, told, _ = tell("--reset", "play.port")
    assert (told["play.port"]["value"], told["play.port"]["from"]) == (8000, "default")
    _, told, _ = tell("--reset")
    assert {one["from"] for one in told.values()} == {"default"}


def test_people_read_each_setting_with_what_it_is_about(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", "play.camera=v4l2:0"]) == 0
    told = capsys.readouterr().out
    assert 'play.camera = "v4l2:0"  (settings.toml; default "simulated")' in told
    assert str(folder / "settings.toml") in told


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["play.prot=80"], "did you mean play.port?"),
        (["port=80"], "did you mean play.port?"),
        (["nonsense"], "`companion settings` lists them"),
        (["play.port=99999"], "from 0 to 65535"),
        (["play.port=x"], "from 0 to 65535"),
        (["play.port="], "from 0 to 65535"),
        (["play.open=perhaps"], "“perhaps” is not true or false"),
        (["play.camera="], "play.camera"),
        (["play.host=a\nb"], "one line"),
        (["play.record_megabytes=0"], "from 1 up"),
        (["lights.level=loud"], "full, errors or off"),
        (["lights.brightness=101"], "0 to 100"),
        (["lights.brightness=x"], "0 to 100"),
        (["lights.night=22-7"], "22:00-07:00"),
        (["table.play=robot"], "the camera or the phone"),
        (["table.keep_days=-1"], "from 0 to 100000"),
        (["table.keep_days=" + "9" * 5000], "keep_days"),
        (["--reset", "play.port=80"], "names alone"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_setting_is_told_in_one_sentence_and_changes_nothing(
    tell: Tell, file: SettingsFile, words: list[str], named: str
) -> None:
    status, told, complaint = tell("play.host=127.0.0.1", *words)
    assert (status, told) == (2, {})
    assert named in complaint
    assert complaint.count("\n") == 1
    assert not file.path.exists()


# -- the file ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[play\nport = 80\n", "line 1"),
        ("port = 80\n", "port stands in no section"),
        ("[play]\nprot = 80\n", "did you mean play.port?"),
        ("[paly]\nport = 80\n", "did you mean play.port?"),
        ("[play]\nport = '80'\n", "play.port"),
        ("[play]\nport = true\n", "play.port"),
        ("[play]\nport = 80.0\n", "play.port"),
        ("[play]\nport = 99999\n", "from 0 to 65535"),
        ("[play]\nopen = 'yes'\n", "true or false"),
        ("[play]\ncamera = 0\n", "play.camera: “0” is not a text"),
        ("[lights]\nnight = 22\n", "lights.night: “22” is not a text"),
        ("[lights]\nlevel = 'loud'\n", "lights.level"),
        ("[table]\nsound = 1\n", "table.sound"),
        ("[table]\nkeep_days = 1.5\n", "table.keep_days"),
        ("[play]\nport = 80\nport = 81\n", "line 3"),
        ("[play]\nport = " + "9" * 5000, "no TOML"),
        ("x = " + "[" * 100_000, "no TOML"),
        ("# x\n" * 5_000_000, "cannot be read"),
        ("# x\n" * 100_000, "too long"),
        ("[play.port]\nx = 1\n", "play.port"),
        ("\ud800", "no text"),
    ],
    ids=lambda value: value[:30].encode("unicode_escape").decode(),
)
def test_a_file_that_cannot_be_is_named_with_the_place(
    tell: Tell, file: SettingsFile, text: str, named: str
) -> None:
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(text.encode("utf-8", "surrogatepass"))
    status, _, complaint = tell()
    assert status == 2
    assert named in complaint
    assert str(file.path) in complaint
    assert complaint.count("\n") == 1
    assert main(["play", "--port", "0"]) == 2, "no table begins with settings that are guessed"


def test_a_wrong_value_is_mended_by_the_command_itself(tell: Tell, file: SettingsFile) -> None:
    write(file, "[play]\nport = 99999\n[lights]\nlevel = 'loud'\n")
    assert tell("play.port=80")[0] == 2, "the other one is still wrong"
    assert tell("--reset", "lights.level")[0] == 0
    assert file.given() == {"play.port": 80}


def test_remarks_and_order_of_people_stay(tell: Tell, file: SettingsFile) -> None:
    write(
        file, "# Ann's table\n[lights]\nlevel = 'errors' # the cat\n\n[play]\nport = 80 # router\n"
    )
    tell("play.port=81", "lights.brightness=60")
    text = file.path.read_text()
    assert text.startswith("# Ann's table\n[lights]\nlevel = 'errors' # the cat\n")
    assert "port = 81 # router" in text
    assert file.given() == {"lights.level": "errors", "lights.brightness": 60, "play.port": 81}


def test_the_file_is_for_its_owner_alone_and_whole_or_not_written(
    file: SettingsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.change({"play.camera": "rtsp://ann:secret@cam/1"})
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    before = file.path.read_text()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(HardwareFault, match="No space left"):
        file.change({"play.port": 80})
    assert file.path.read_text() == before
    assert list(file.path.parent.iterdir()) == [file.path]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_root_leaves_the_file_to_whom_the_folder_belongs(file: SettingsFile) -> None:
    file.path.parent.mkdir()
    os.chown(file.path.parent, 1234, 1234)
    file.change({"play.port": 80})
    assert file.path.stat().st_uid == 1234


def test_a_link_to_the_file_stays_one(file: SettingsFile, tmp_path: Path) -> None:
    (tmp_path / "kept.toml").write_text("")
    file.path.parent.mkdir()
    file.path.symlink_to(tmp_path / "kept.toml")
    file.change({"play.port": 80})
    assert file.path.is_symlink()
    assert "80" in (tmp_path / "kept.toml").read_text()


# -- who reads it --------------------------------------------------------------------


def test_a_flag_goes_before_the_file_and_the_file_before_the_default(
    file: SettingsFile, tmp_path: Path
) -> None:
    write(file, "[play]\nport = 80\nopen = true\nwiring = 'w.toml'\n")
    play_request = request_of(parse(["play", "chess"]))
    assert (play_request.port, play_request.open_house, play_request.host) == (80, True, "0.0.0.0")
    assert play_request.wiring == Path("w.toml")
    play_request = request_of(parse(["play", "chess", "--port", "81", "--no-open", "--wiring", ""]))
    assert (play_request.port, play_request.open_house, play_request.wiring) == (81, False, None)
    elsewhere = request_of(parse(["play", "chess", "--journal", str(tmp_path / "x.sqlite3")]))
    assert elsewhere.port == 8000, "the file lies beside the games"


@pytest.mark.parametrize(
    "words", [["host-link"], ["calibrate", "v4l2:0", "chess"], ["record", "v4l2:0", "kept"]]
)
def test_other_commands_know_what_play_knows(file: SettingsFile, words: list[str]) -> None:
    write(file, "[play]\nport = 81\nrecord_megabytes = 7\n")
    arguments = parse(words)
    settle(arguments, file.path.parent)
    assert 81 in vars(arguments).values() or 7 in vars(arguments).values()


def test_every_setting_of_play_is_a_flag_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    told = capsys.readouterr().out
    for setting in PLAY:
        assert f"--{setting.option.replace('_', '-')}" in told


def test_what_pages_and_commands_set_is_the_same_at_the_next_start_and_in_another_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.live.equipping.FRAMES_PER_SECOND", 1000.0)
    words = ["--port", "0", "--host", "127.0.0.1"]
    with Composition(request_of(parse(["play", "chess", *words]))) as stage:
        lamps = PanelLamps(stage.panel)
        lamps.adjust({"brightness": 40})
        stage.evening.change({"sound": False, "keep_days": 7}, "host")
        # What a command sets meanwhile is not undone by what a page sets later.
        assert main(["settings", "lights.level=errors"]) == 0
        lamps.adjust({"night": "22:00-07:00"})
    assert SettingsFile(folder).given() == {
        "lights.brightness": 40, "lights.level": "errors", "lights.night": "22:00-07:00",
        "table.sound": False, "table.keep_days": 7,
    }  # fmt: skip
    with Composition(request_of(parse(["play", "invictus", *words]))) as stage:
        assert PanelLamps(stage.panel).settings()["brightness"] == 40
        assert stage.evening.settings.sound is False
        assert stage.evening.settings.keep_days == 7
    capsys.readouterr()
    assert main(["lights", "invictus", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["level"] == "errors"


# -- what an older companion kept ----------------------------------------------------


def test_what_a_journal_said_of_the_table_is_taken_over_once(file: SettingsFile) -> None:
    with Journal() as journal:
        table = Table.create(journal, CHESS, CHESS.setup())
        Evening(table).change({"keep_days": 0, "sound": False}, "host")
        kept = Section(file, "table")
        assert Evening(table, kept=kept).settings.keep_days == 0, "no photograph goes by an update"
        assert kept.load() == {"keep_days": 0, "sound": False}
        file.change({"table.sound": None, "table.keep_days": None})
        assert Evening(table, kept=kept).settings.sound is True, "what was reset stays reset"
        evening = Evening(table, kept=kept)
        evening.change({"speech": True}, "host")
        file.change({"table.speech": None})
        assert Evening(table, kept=kept).settings.speech is False


def test_what_was_set_by_a_command_before_the_update_keeps_nothing_else_from_being_taken_over(
    file: SettingsFile,
) -> None:
    file.change({"table.sound": False})
    with Journal() as journal:
        table = Table.create(journal, CHESS, CHESS.setup())
        Evening(table).change({"keep_days": 0, "sound": True}, "host")
        settings = Evening(table, kept=Section(file, "table")).settings
        assert (settings.keep_days, settings.sound) == (0, False)
    assert file.given() == {"table.sound": False, "table.keep_days": 0}


def test_on_a_full_disk_a_table_goes_by_what_its_journal_says(
    file: SettingsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with Journal() as journal:
        table = Table.create(journal, CHESS, CHESS.setup())
        Evening(table).change({"keep_days": 0}, "host")
        with monkeypatch.context() as disk:
            disk.setattr("os.fsync", full)
            assert Evening(table, kept=Section(file, "table")).settings.keep_days == 0
        assert Evening(table, kept=Section(file, "table")).settings.keep_days == 0
        assert file.given() == {"table.keep_days": 0}


def test_settings_that_cannot_be_kept_are_not_changed(
    file: SettingsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with Journal() as journal:
        evening = Evening(Table.create(journal, CHESS, CHESS.setup()), kept=Section(file, "table"))
        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(HardwareFault):
            evening.change({"sound": False}, "host")
        assert evening.settings.sound is True


def test_the_lights_of_an_older_companion_are_taken_over(file: SettingsFile, folder: Path) -> None:
    folder.mkdir()
    (folder / "chess.lights.json").write_text('{"brightness": 30}')
    kept = Section(file, "lights")
    settings = light_settings(kept, folder / "chess.sqlite3")
    assert settings.brightness == 30
    keeper(kept, settings)(LightSettings(brightness=50))
    assert light_settings(kept, folder / "chess.sqlite3").brightness == 50
    assert light_settings(kept, folder / "victorus.sqlite3").brightness == 50


def test_every_setting_is_documented_with_its_default() -> None:
    guide = (ROOT / "docs" / "settings.md").read_text()
    for setting in some(SETTINGS.values()):
        default = json.dumps(setting.default)
        assert f"| `{setting.name}` | `{default}` |" in guide, setting.name


def test_programs_that_change_settings_at_once_undo_nothing_of_each_other(
    file: SettingsFile,
) -> None:
    names = ("lights.brightness", "lights.night_brightness", "table.keep_days", "play.port")
    change = (
        "import sys; from pathlib import Path\n"
        "from companion.machine.settings_file import SettingsFile\n"
        "file, name = SettingsFile(Path(sys.argv[1])), sys.argv[2]\n"
        "for value in range(1, 31): file.change({name: value})"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", change, str(file.path.parent), name])
        for name in names
    ]
    assert [one.wait() for one in running] == [0] * len(names)
    assert file.given() == dict.fromkeys(names, 30)
    assert [path.name for path in file.path.parent.iterdir()] == [file.path.name]
