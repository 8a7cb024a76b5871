"""Everything that fits or measures numbers without photographs runs, on as little as it can."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("script", "least"),
    [
        ("measure_faces.py", "victorus --evenings 1"),
        ("fit_light.py", "--evenings 2"),
        ("fit_men.py", "--evenings 3"),
        ("fit_table_dice.py", "--evenings 3"),
        ("fit_cards.py", "--tables 2 --held 1"),
        ("reliability.py", "--trays 1 --throws 2 --cards 1"),
    ],
)
def test_a_script_that_fits_or_measures_runs(script, least):
    ran = subprocess.run(
        [sys.executable, f"training/{script}", *least.split()],
        cwd=TOP,
        env={**os.environ, "PYTHONPATH": str(TOP)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
