"""What a test needs and this machine lacks."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, NoReturn

import pytest


def lacking(reason: str) -> NoReturn:
    """Skip the test, saying what to install; in CI, where nothing may be lacking, it fails."""
    if os.environ.get("CI", "") not in ("", "0", "false"):
        pytest.fail(f"in CI no test is skipped: {reason}", pytrace=False)
    pytest.skip(reason)


def needed(module: str, package: str) -> Any:
    """Return ``module``; where it is not installed it is :func:`lacking`."""
    try:
        return import_module(module)
    except ImportError:
        lacking(f"{package} is not installed: run `make test`, or `pip install {package}`")
