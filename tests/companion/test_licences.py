"""The page of licences is what the installed packages say of themselves."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
FAMILIES = {
    "LGPL": r"LGPL|Lesser General Public",
    "GPL": r"\bA?GPL|(?<!Lesser )General Public",
    "Apache": "Apache",
    "BSD": "BSD",
    "PSF": "PSF|Python Software Foundation",
    "ZPL": "ZPL|Zope",
    "MIT": "MIT",
    "MPL": "MPL|Mozilla",
    "Unlicense": "(?i:unlicense)",
}
PUBLISHED = ("desktop", "headless", "mdns", "pi")


def family(text: str) -> str:
    return next((name for name, words in FAMILIES.items() if re.search(words, text)), text)


def listed() -> dict[str, str]:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| ([\w.-]+) \|", page, re.MULTILINE)
    return {name: licence for name, licence in rows if name != "package"}


def needed() -> dict[str, importlib.metadata.Distribution | None]:
    """Return every package that a published extra installs, None for one that is not here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in PUBLISHED:
        wanted += project["optional-dependencies"][extra]
    found: dict[str, importlib.metadata.Distribution | None] = {}
    while wanted:
        name = re.sub(r"[-_.]+", "-", Requirement(wanted.pop()).name).lower()
        if name in found:
            continue
        try:
            found[name] = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
            continue
        wanted += list(brought(importlib.metadata.requires(name) or []))
    return found


def brought(requirements: list[str]) -> Iterator[str]:
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield text


def told(found: importlib.metadata.Distribution) -> str:
    """Return what a package says of its licence, in one of the three ways there are."""
    facts = found.metadata
    kinds = [text for text in facts.get_all("Classifier", []) if text.startswith("License")]
    return facts.get("License-Expression") or " ".join(kinds) or facts.get("License") or ""


def test_every_package_that_is_installed_with_the_companion_is_listed() -> None:
    assert sorted(set(needed()) - set(listed())) == []


def test_each_is_listed_under_the_licence_that_it_tells() -> None:
    here = {name: told(found) for name, found in needed().items() if found is not None}
    silent = {name: listed()[name] for name, text in here.items() if not text}
    assert silent == {}
    wrong = {
        name: (listed()[name], text)
        for name, text in here.items()
        if family(listed()[name]) != family(text)
    }
    assert wrong == {}


def test_nothing_is_under_the_gpl() -> None:
    assert [name for name, licence in listed().items() if family(licence) == "GPL"] == []
    assert family("GNU General Public License v3 (GPLv3)") == "GPL"
    assert family("GNU Lesser General Public License v3 (LGPLv3)") == "LGPL"
