"""Chromium without a window, as the tests use it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATH = os.environ.get("COMPANION_CHROMIUM") or shutil.which("chromium")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage",
    "--disable-component-update", "--disable-sync", "--no-first-run",
)  # fmt: skip


@contextmanager
def chromium() -> Iterator[Any]:
    """Give a running browser; nobody asks for one where :data:`PATH` is None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=PATH, args=list(FLAGS))
        yield browser
        browser.close()
