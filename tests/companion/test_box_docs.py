"""What a box can have, say and be set to is written down."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from companion.sheets.contents import KINDS
from hardware.buttons import PATTERNS
from hardware.effects import SHAPES
from hardware.pins import USUAL, Pins
from hardware.settings import LightSettings
from hardware.wiring import _FIELDS, _PART_FIELDS

ROOT = Path(__file__).parents[2]


def guide(name):
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def test_every_pin_is_documented_with_its_usual_number():
    rows = dict(re.findall(r"^\| `([a-z]+)` \| ([\d, –]*) \|", guide("wiring"), re.MULTILINE))
    names = {field.name for field in fields(Pins)} - {"undo_hold", "new_hold"}
    assert set(rows) == names
    usual: dict[str, list[int]] = {name: [] for name in names}
    for name, number in USUAL.named():
        usual[name].append(number)
    assert {name: [int(n) for n in re.findall(r"\d+", row)] for name, row in rows.items()} == usual


def test_every_setting_sound_and_effect_of_the_lights_is_documented():
    text = guide("lights")
    settings = [field.name for field in fields(LightSettings)]
    assert [name for name in (*settings, *SHAPES) if f"| {name} |" not in text] == []
    assert [name for name in PATTERNS if f"`{name}`" not in text] == []


def test_every_field_of_a_wiring_file_is_documented():
    text = guide("wiring")
    assert [name for name in (*_FIELDS, *_PART_FIELDS) if name not in text] == []


def test_every_check_of_the_doctor_is_documented():
    sources = [ROOT / "companion" / name for name in ("machine/doctor.py", "machine/pi_checks.py")]
    checks = {
        check
        for path in sources
        for check in re.findall(r'Finding\(\s*"([a-z0-9]+)"', path.read_text(encoding="utf-8"))
    }
    assert {"camera", "spi", "clock"} <= checks
    assert [check for check in sorted(checks) if f"`{check}`" not in guide("pi")] == []


@pytest.mark.parametrize("kind", KINDS)
def test_everything_that_can_be_printed_is_named_in_the_help(kind):
    assert kind in (ROOT / "companion" / "commands" / "parser.py").read_text(encoding="utf-8")
