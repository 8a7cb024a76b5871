"""Recorded games and photographs with truth: those of the project, and others where there are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

OURS = Path(__file__).parents[1] / "recordings"
OTHERS = Path(
    os.environ.get("COMPANION_RECORDINGS", Path(__file__).parents[3] / "shared" / "photos")
)
"""Recordings that nobody may copy into the project; whoever has them names their folder."""


def recording(name: str) -> Path:
    """Return the folder of a recording, such as ``victorus-1`` or ``real/chess``.

    The test is skipped where it is none of the project's and is not on this machine.
    """
    found = next((folder for at in (OURS, OTHERS) if (folder := at / name).is_dir()), None)
    if found is None:
        pytest.skip(
            f"{name} may not be copied into the project: set COMPANION_RECORDINGS to the folder "
            "in which it lies"
        )
    return found
