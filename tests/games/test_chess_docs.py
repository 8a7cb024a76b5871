"""The page about chess tells every rule and names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

from companion.games import chess
from companion.games.chess import GAME

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "games" / "chess.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (CH-[\d.]+) \|[^|]*\| (.*) \|$", PAGE, re.MULTILINE))


def test_the_ruling_table_holds_every_rule_in_the_order_of_the_book():
    assert list(ROWS) == list(GAME.rules)


def test_the_ruling_table_names_tests_that_exist():
    tests = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_chess_*.py"))
    for rule, cell in ROWS.items():
        named = re.findall(r"`(\w+)`", cell)
        assert named, rule
        assert all(f"def {name}(" in tests for name in named), rule


def test_every_rule_has_a_title_and_a_text():
    for rule_id, rule in GAME.rules.items():
        assert rule.id == rule_id
        assert rule.title
        assert rule.text.endswith(".")
        assert rule.section


def test_every_option_is_told():
    for option in GAME.options:
        assert f"| `{option.name}` | {option.default} |" in PAGE
        assert option.rule in GAME.rules


def test_every_rule_that_the_code_quotes_is_in_the_book():
    folder = Path(chess.__file__).parent
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    quoted = set(re.findall(r"CH-\d[\d.]*\d", code))
    assert len(quoted) > 20
    assert quoted <= set(GAME.rules)


def test_the_example_on_the_page_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(example, "chess.md", "exec"), {})
    assert "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1" in capsys.readouterr().out
