"""What the checks have shown of a game: bronze, silver or gold, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

LEVELS = ("bronze", "silver", "gold")
PROPERTY = "companion"
"""Under this name a report carries the verdict of a check."""
PASSED, FAILED, MISSING, EXEMPT = "passed", "failed", "missing", "exempt"


@dataclass(frozen=True)
class CheckVerdict:
    """How one check of a game ended: its ``status``, and ``why`` it did not pass."""

    game: str
    check: str
    level: str
    status: str
    why: str = ""

    @property
    def holds(self) -> bool:
        """Tell whether a level is reached with it."""
        return self.status in (PASSED, EXEMPT)


@dataclass(frozen=True)
class Result:
    """What a ``game`` has reached: its ``level``, empty for none; ``wanting`` is all that keeps it
    from gold, ``exempt`` what it is not held to."""

    game: str
    level: str
    checked: int
    wanting: tuple[CheckVerdict, ...]
    exempt: tuple[CheckVerdict, ...]

    @property
    def words(self) -> str:
        """Return the result on a line, and a line for each check that does not hold."""
        lines = [f"{self.game}: {self.level or 'no level yet'} ({self.checked} checks)"]
        lines += [f"  {v.status} for {v.level}: {v.check}: {v.why}" for v in self.wanting]
        lines += [f"  exempt from {verdict.check}: {verdict.why}" for verdict in self.exempt]
        return "\n".join(lines)

    @property
    def json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return asdict(self)


def result(game: str, verdicts: Iterable[CheckVerdict]) -> Result:
    """Return what ``game`` has reached: the highest level of which, and of all levels below, every
    check holds."""
    found = [verdict for verdict in verdicts if verdict.game == game]
    reached = ""
    for level in LEVELS:
        if not found or not all(verdict.holds for verdict in found if verdict.level == level):
            break
        reached = level
    return Result(
        game,
        reached,
        len(found),
        tuple(verdict for verdict in found if not verdict.holds),
        tuple(verdict for verdict in found if verdict.status == EXEMPT),
    )


class Verdicts:
    """Gathers the verdicts of a run and tells the results at its end."""

    def __init__(self) -> None:
        self.found: list[CheckVerdict] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take note of how a check ended."""
        told: Any = dict(report.user_properties).get(PROPERTY)
        if told is None or (report.when != "call" and not report.failed):
            return
        game, name, level, status, why = told
        if report.failed:
            status, why = FAILED, _first_line(report.longreprtext)
        elif report.skipped and status == PASSED:
            status, why = MISSING, _first_line(report.longreprtext)
        self.found.append(CheckVerdict(game, name, level, status, why))

    def results(self) -> list[Result]:
        """Return what each game has reached."""
        return [result(game, self.found) for game in dict.fromkeys(v.game for v in self.found)]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell the results."""
        for found in self.results():
            terminalreporter.section("conformance")
            terminalreporter.write_line(found.words)


def _first_line(text: str) -> str:
    """Return the line of a failure that says what is wrong."""
    lines = [line.removeprefix("E").strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in text.splitlines() if line.startswith("E  ")]
    return errors[0].removeprefix("E").strip() if errors else next(iter(lines), "it failed")
