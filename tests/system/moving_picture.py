"""The moving picture of a turn in the README: lifted, lit, put wrong, refused, put right.

Run by hand: ``make screenshots``. A running table with its camera; every scene is what its page
shows once the camera has seen what the hand did.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

from tests.checks.chromium import chromium
from tests.system.conftest import House

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "turn.webp"
SIZE = {"width": 1120, "height": 780}
ORIGIN, WRONG, TARGET = "h2", "h3", "h4"


def scenes(house):
    """Yield pictures of the page and how long each is looked at, in milliseconds."""
    page = house.table
    page.set_viewport_size(SIZE)
    page.emulate_media(color_scheme="dark")
    page.click("#guide-skip")
    page.wait_for_function("() => document.getElementById('camera').naturalWidth > 0")
    yield page.screenshot(), 1200
    house.touch(ORIGIN)
    house.wait_for(f"state.camera.lifted === '{ORIGIN}'")
    yield page.screenshot(), 2000
    house.touch(WRONG)
    page.wait_for_selector("#part-ruling .refused")
    house.in_order()
    yield page.screenshot(), 4000
    house.move(WRONG, TARGET)
    house.wait_for("state.last.length && state.camera.still && !state.camera.differs.length")
    yield page.screenshot(), 2400


def main():
    """Play the turn and write the picture."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        house = House(Path(folder), browser).start()
        shots = list(scenes(house))
        house.close()
    first, *rest = [Image.open(io.BytesIO(shot)).convert("RGB") for shot, _ in shots]
    first.save(
        PICTURE, save_all=True, append_images=rest, duration=[time for _, time in shots], loop=0,
        quality=70, method=6,
    )  # fmt: skip
    sys.stdout.write(f"{PICTURE.name} {PICTURE.stat().st_size // 1024} KB\n")


if __name__ == "__main__":
    main()
