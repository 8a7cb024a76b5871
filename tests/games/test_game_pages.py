"""The page about each game tells every rule and option, and names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import find_game, games
from companion.rules import OrderOption
from tests.checks.loops import some

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Page:
    """A game, its page, and the rows of the page's ruling table: rule -> its last cell."""

    def __init__(self, name: str) -> None:
        self.game = find_game(name)
        self.prefix = next(iter(self.game.rules)).partition("-")[0]
        self.text = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
        row = rf"^\| ({self.prefix}-[\d.]+) \|.*\| (.*) \|$"
        self.rows = dict(re.findall(row, self.text, re.MULTILINE))


@pytest.fixture(params=games())
def page(request: pytest.FixtureRequest) -> Page:
    return Page(request.param)


def test_the_ruling_table_holds_every_rule_in_the_order_of_the_book(page: Page) -> None:
    assert list(page.rows) == list(page.game.rules)


def test_the_ruling_table_names_tests_that_exist(page: Page) -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    for rule, cell in some(page.rows.items()):
        named = re.findall(r"`(\w+)`", cell)
        assert named, rule
        assert [name for name in named if f"def {name}(" not in tests] == [], rule


def test_every_rule_has_a_title_a_text_and_its_place_in_the_book(page: Page) -> None:
    for rule_id, rule in some(page.game.rules.items()):
        assert rule.id == rule_id
        assert rule.title
        assert rule.text.endswith(".")
        assert rule.section


def test_every_option_is_told_with_its_default(page: Page) -> None:
    for option in some(page.game.options):
        usual = (
            option.default.replace("-", ",") if isinstance(option, OrderOption) else option.default
        )
        assert f"| `{option.name}` | {usual} |" in page.text
        assert option.rule in page.game.rules


def test_every_rule_that_the_code_quotes_is_in_the_book(page: Page) -> None:
    folder = ROOT / "companion" / "games" / page.game.name
    code = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    quoted = set(re.findall(rf'"({page.prefix}-\d[\d.]*\d)"', code))
    assert quoted
    assert sorted(quoted - set(page.game.rules)) == []


def test_the_example_on_the_page_of_chess_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", Page("chess").text, re.DOTALL)
    exec(compile(example, "chess.md", "exec"), {})
    assert "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1" in capsys.readouterr().out
