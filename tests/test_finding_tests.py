"""The tests of a module are found by its name, or by a line of ``where.toml``."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "vision", "hardware", "web")
SKELETON = "companion/conformance/skeleton/"
WHERE = tomllib.loads((ROOT / "tests" / "where.toml").read_text("utf-8"))


def modules_without_a_test_of_their_name() -> list[str]:
    named = {path.stem.removeprefix("test_") for path in (ROOT / "tests").rglob("test_*.py")}
    found = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [
        str(path.relative_to(ROOT))
        for path in found
        if not path.stem.startswith("__")
        and path.stem not in named
        and not str(path.relative_to(ROOT)).startswith(SKELETON)
    ]


def line_for(module: str) -> str | None:
    return next((pattern for pattern in WHERE if fnmatchcase(module, pattern)), None)


def test_the_tests_of_every_module_are_found() -> None:
    lost = [module for module in modules_without_a_test_of_their_name() if not line_for(module)]
    assert lost == [], "name a test file test_<module>.py, or say in tests/where.toml where it is"


def test_every_line_leads_from_a_module_to_a_test() -> None:
    used = {line_for(module) for module in modules_without_a_test_of_their_name()}
    assert [pattern for pattern in WHERE if pattern not in used] == [], "nothing needs these lines"
    gone = [test for test in WHERE.values() if not list(ROOT.glob(test))]
    assert gone == [], "these tests are not there"
