"""What can happen is written down: every kind of event, every page of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

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


def test_every_page_of_the_documentation_is_linked_and_every_link_leads_somewhere() -> None:
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    linked = set()
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            path = (page.parent / target).resolve()
            assert path.exists(), f"{page.name} links {target}"
            linked.add(path)
    assert [page.name for page in pages[1:] if page.resolve() not in linked] == []
