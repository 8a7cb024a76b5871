"""Chromium without a window, as the tests use it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATH = (
    os.environ.get("COMPANION_CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
"""The browser: its shell without windows, for which a page is half the work, or the whole."""
NAME = "companion.local"
"""What phones call the table, so that a browser grants them nothing that only a loopback gets."""
FLAGS = (
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage",
    "--disable-component-update", "--disable-sync", "--no-first-run",
)  # fmt: skip


@contextmanager
def chromium() -> Iterator[Any]:
    """Give a running browser in a network that knows the table by its name; nobody asks for one
    where there is none."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=PATH, args=FLAGS)
        yield browser
        browser.close()
