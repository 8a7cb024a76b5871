"""The recorded games of the project (tests/recordings), read as ``companion replay`` reads them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from companion.cli import main
from tests.checks.recordings import OURS, recording

pytestmark = pytest.mark.opencv

STILLS = {"victorus-1": 18, "victorus-2": 19, "invictus-1": 15, "invictus-2": 23}


def lying(position):
    """Return what lies where; a captor's being turned round is not counted."""
    return {spot: token.removesuffix(" frozen") for spot, token in (position or {}).items()}


def told(events):
    return [
        (e["seat"], e["from"], e["to"], e.get("legal", True), e.get("takeback", False))
        for e in events
    ]


OTHERS = {"cards-1": 18}
"""Recordings that are not in the project."""


@pytest.mark.parametrize(
    "name", [*STILLS, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)
def test_every_still_is_right_and_every_event_is_told_once(name, capsys):
    folder = recording(name)
    assert main(["replay", str(folder), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    truth = json.loads((folder / "truth.json").read_text())
    assert [line["frame"] for line in lines] == [entry["frame"] for entry in truth]
    read = [(line["frame"], lying(line["position"]), told(line["actions"])) for line in lines]
    true = [
        (entry["frame"], lying(entry.get("position")), told(entry["events"])) for entry in truth
    ]
    assert read == true
    assert sum(line["still"] for line in lines) == {**STILLS, **OTHERS}[name]


@pytest.mark.slow
def test_a_recording_is_read_to_the_same_text_by_every_process():
    command = [sys.executable, "-m", "companion", "replay", str(recording("victorus-2")), "--json"]

    def printed(seed):
        world = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(command, env=world, capture_output=True, check=True).stdout

    assert printed("1") == printed("2")


def test_every_recording_of_the_project_is_read_by_these_tests():
    assert {path.name for path in OURS.iterdir() if path.is_dir()} == set(STILLS)
