"""A build says whether it is compiled, and is held to it where that is asked for."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from companion.rules import HardwareFault
from companion.runtime import native

LISTED = '# hot\nmodules = ["rules/fast", "games/chess/faster"]\n'


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation with two modules that may be compiled, both pure."""
    for name in ("rules/fast", "games/chess/faster"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.py").touch()
    (tmp_path / "native.toml").write_text(LISTED)
    monkeypatch.setattr(native, "PACKAGE", tmp_path)
    return tmp_path


def compiled(module: Path) -> None:
    module.with_name(module.name + EXTENSION_SUFFIXES[0]).touch()


def test_a_build_is_pure_compiled_or_lacks_some_modules(package: Path) -> None:
    assert native.build_kind() == "pure"
    compiled(package / "rules/fast")
    assert native.build_kind() == "compiled but for games/chess/faster"
    compiled(package / "games/chess/faster")
    assert native.build_kind() == "compiled"


def test_a_fall_back_to_python_is_an_error_where_native_code_is_asked_for(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(package / "rules/fast")
    monkeypatch.delenv(native.SETTING, raising=False)
    native.demand_native()
    monkeypatch.setenv(native.SETTING, "1")
    with pytest.raises(HardwareFault, match=r"games/chess/faster of .* run as Python"):
        native.demand_native()
    compiled(package / "games/chess/faster")
    native.demand_native()


def test_code_for_another_python_does_not_count(package: Path) -> None:
    (package / "rules/fast.cpython-30-other.so").touch()
    assert native.build_kind() == "pure"


def test_every_module_that_is_listed_has_its_source() -> None:
    assert [name for name in native._listed() if not (native.PACKAGE / f"{name}.py").exists()] == []
    assert native.pure_modules() in ((), tuple(native._listed()))
