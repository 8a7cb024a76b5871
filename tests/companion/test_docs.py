"""What can happen is written down: every kind of event, every page of the documentation."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

from companion.journal.schema import MIGRATIONS
from companion.table.history import POSITION_KINDS

ROOT = Path(__file__).parents[2]
NOTED = re.compile(r'note\(\s*"([a-z]+)"')


def kinds_in_the_code() -> set[str]:
    sources = [*ROOT.glob("companion/**/*.py"), *ROOT.glob("web/**/*.py")]
    noted = {kind for path in sources for kind in NOTED.findall(path.read_text())}
    return {*POSITION_KINDS, "refused", "ended", "paused", "continued", *noted}


def test_every_kind_of_event_is_documented() -> None:
    guide = (ROOT / "docs" / "journal.md").read_text()
    kinds = kinds_in_the_code()
    assert {"joined", "differs", "lost"} <= kinds
    assert sorted(kind for kind in kinds if f"`{kind}`" not in guide) == []


ACTOR_AT = {"Draft": 0, "play": 1, "undo": 1, "decide": 1, "arrange": 1, "note": 2, "end": 2}
"""Where calls that write an event name who caused it."""


def actors_in_the_code() -> set[str]:
    found: set[str] = set()
    for path in (*ROOT.glob("companion/**/*.py"), *ROOT.glob("web/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            named: list[ast.expr | None] = []
            if isinstance(node, ast.Call):
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                at = ACTOR_AT.get(called, len(node.args))
                named = [*node.args[at : at + 1]]
                named += [given.value for given in node.keywords if given.arg == "actor"]
            elif isinstance(node, ast.FunctionDef):
                if node.name == "actor":
                    named = [*ast.walk(node.body[-1])]
                given = (*node.args.args, *node.args.kwonlyargs)
                defaults = (*node.args.defaults, *node.args.kw_defaults)
                pairs = zip(reversed(given), reversed(defaults), strict=False)
                named += [value for one, value in pairs if one.arg == "actor"]
            found |= {
                one.value
                for one in named
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    return found


def test_every_actor_is_documented_by_the_name_that_the_journal_gives_it() -> None:
    guide = (ROOT / "docs" / "journal.md").read_text()
    table = guide.split("| actor |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == actors_in_the_code()


def test_every_version_of_the_journal_is_documented() -> None:
    guide = (ROOT / "docs" / "journal.md").read_text()
    listed = re.findall(r"^\| (\d+) \|", guide, re.MULTILINE)
    assert listed == [str(number + 1) for number in range(len(MIGRATIONS))]


def test_the_changelog_tells_versions_with_dates_and_each_thing_once_on_one_line() -> None:
    log = (ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## (.*)$", log, re.MULTILINE)
    begun = headings[1:] if headings[0] == "Unreleased" else headings
    versions = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d{2}-\d{2})", one) for one in begun]
    assert all(versions)
    told = [(tuple(map(int, v.groups()[:3])), v[4]) for v in versions if v]
    assert told == sorted(told, reverse=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    newest = ".".join(map(str, told[0][0]))
    assert (project != newest) == (headings[0] == "Unreleased")
    lines = log.splitlines()
    entries = [line for line in lines if line.startswith("-")]
    assert len(entries) > 20
    assert len(set(entries)) == len(entries)
    assert [line for line in entries if len(line) > 125] == []
    assert [line for line in lines if line.startswith("  ")] == []


def test_every_page_of_the_documentation_is_linked_and_every_link_leads_somewhere() -> None:
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    linked = set()
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            path = (page.parent / target).resolve()
            assert path.exists(), f"{page.name} links {target}"
            linked.add(path)
    assert [page.name for page in pages[1:] if page.resolve() not in linked] == []
