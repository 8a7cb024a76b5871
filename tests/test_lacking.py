"""A test that lacks something is skipped with the reason; in CI it fails."""

from __future__ import annotations

import pytest

from tests.checks.lacking import lacking, needed


@pytest.mark.parametrize("value", [None, "", "0", "false"])
def test_what_a_persons_machine_lacks_skips_a_test_and_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("CI", raising=False)
    if value is not None:
        monkeypatch.setenv("CI", value)
    with pytest.raises(pytest.skip.Exception, match="pip install no-such-package"):
        needed("no_such_module", "no-such-package")


@pytest.mark.parametrize("value", ["1", "true"])
def test_in_ci_it_fails(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("CI", value)
    with pytest.raises(pytest.fail.Exception, match="no test is skipped: there is no chromium"):
        lacking("there is no chromium")


def test_what_is_there_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert needed("json", "json").dumps([1]) == "[1]"
