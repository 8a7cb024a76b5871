"""The house keeps its shape: which way imports go, how long files and functions are."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.checks.loops import idle_tests, some

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "vision", "hardware", "web")
LONGEST_FILE, LONGEST_FUNCTION = 500, 50
SKELETON = "companion/conformance/skeleton/"
Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def called(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def defined(path: Path) -> Iterator[Defined]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, Defined):
            yield node


def public(path: Path) -> Iterator[Defined]:
    """Yield the module's public functions and classes, and their public methods."""
    for node in parsed(path).body:
        if isinstance(node, Defined) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from (
                    child
                    for child in node.body
                    if isinstance(child, Defined) and not child.name.startswith("_")
                )


def test_imports_go_one_way() -> None:
    # In a process of its own: the linter switches off the loggers of whoever calls it.
    call = "import sys; from importlinter.cli import lint_imports; "
    call += "sys.exit(lint_imports(config_filename='pyproject.toml', no_cache=True))"
    done = subprocess.run([sys.executable, "-c", call], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.thorough
def test_every_function_is_called_by_the_product() -> None:
    """Not by tests alone: what only those call is dead."""
    call = [sys.executable, "-m", "vulture"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    dead = re.compile(r"unused (?:function|method|class|property)")
    assert [line for line in done.stdout.splitlines() if dead.search(line)] == []
    assert "unused variable" in done.stdout, "it has looked"


def test_files_stay_short() -> None:
    lengths = {
        called(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources(*PACKAGES, "tests")
    }
    assert {name: n for name, n in lengths.items() if n >= LONGEST_FILE} == {}


def test_functions_stay_short() -> None:
    long = {
        f"{called(path)}: {node.name}": node.end_lineno - node.lineno + 1
        for path in sources(*PACKAGES, "tests")
        for node in defined(path)
        if not isinstance(node, ast.ClassDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 >= LONGEST_FUNCTION
    }
    assert long == {}


def test_one_class_name_means_one_thing() -> None:
    places = Counter(
        node.name
        for path in sources(*PACKAGES, "training")
        for node in defined(path)
        if isinstance(node, ast.ClassDef)
    )
    assert len(places) > 500
    assert [name for name, count in places.items() if count > 1] == []


def test_public_functions_and_classes_are_documented() -> None:
    bare = [
        f"{called(path)}: {node.name}"
        for path in sources(*PACKAGES)
        for node in public(path)
        if ast.get_docstring(node) is None and not overrides(path, node)
    ]
    assert bare == []


def test_modules_are_documented() -> None:
    bare = [called(path) for path in sources(*PACKAGES) if ast.get_docstring(parsed(path)) is None]
    assert bare == []


@cache
def contract() -> set[str]:
    """Return the methods that the kernel documents once for every game."""
    return {
        node.name
        for name in ("game", "capabilities")
        for kind in parsed(ROOT / f"companion/rules/{name}.py").body
        if isinstance(kind, ast.ClassDef)
        for node in kind.body
        if isinstance(node, ast.FunctionDef)
    }


def overrides(path: Path, node: Defined) -> bool:
    """Tell whether ``node`` is a game's own version of a method of the contract."""
    return called(path).startswith(("companion/games/", SKELETON)) and node.name in contract()


def code_of_values(path: Path) -> list[int]:
    """Return the lines of formatted texts that show a value as Python writes it."""
    tree = parsed(path)
    own = {
        node
        for made in ast.walk(tree)
        if isinstance(made, ast.FunctionDef) and made.name == "__repr__"
        for node in ast.walk(made)
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FormattedValue) and node.conversion == ord("r") and node not in own
    ]


def test_no_sentence_shows_a_value_as_python_writes_it() -> None:
    """``quoted`` repeats what somebody wrote."""
    shown = {called(path): code_of_values(path) for path in sources(*PACKAGES)}
    assert {path: lines for path, lines in shown.items() if lines} == {}


def test_the_measuring_rods_are_not_blind(tmp_path: Path) -> None:
    text = '"""Doc."""\n\n\ndef victory(honor):\n    return honor\n'
    path = tmp_path / "example.py"
    path.write_text(text)
    assert [node.name for node in public(path)] == ["victory"]


HELPERS = {path.stem for name in ("checks", "oracle", "soak", "tiny") for path in
           (ROOT / "tests" / name).glob("*.py")}  # fmt: skip


def test_tests_import_their_helpers_by_their_place() -> None:
    """As ``tests.checks.evenings``: nothing is laid into Python's path, and a helper is there once.
    Only ``foreign`` lays packages there, as pip would."""
    bare = re.compile(rf"^ *(?:from|import) (?:{'|'.join(sorted(HELPERS))})\b", re.MULTILINE)
    texts = {called(path): path.read_text(encoding="utf-8") for path in sources("tests")}
    assert {name for name, text in texts.items() if bare.search(text)} == set()
    into = {name for name, text in texts.items() if re.search(r"sys\.path\.(?:insert|app)", text)}
    assert into == {"tests/checks/foreign.py"}


@pytest.mark.parametrize("path", sources("tests"), ids=called)
def test_assertions_in_loops_are_made(path: Path) -> None:
    """A test that asserts only in loops goes over what is seen to hold something: a literal, or
    what ``some`` of tests/checks/loops.py has found to hold something."""
    assert idle_tests(path.read_text(encoding="utf-8")) == []


def test_the_finder_of_idle_tests_is_not_blind() -> None:
    body = "    for x in {}:\n        assert x\n"
    found = {
        over: idle_tests(f"FEW = (1, 2)\ndef test_it(found):\n{body.format(over)}")
        for over in ("found", "found.items()", "[]", "sorted(found)", "FEW", "enumerate(FEW)",
                     "range(3)", "some(found)", "(1,)")
    }  # fmt: skip
    idle = {"found", "found.items()", "[]", "sorted(found)"}
    assert {over for over, names in found.items() if names} == idle
    assert idle_tests(f"def test_it(found):\n    assert found\n{body.format('found')}") == []
    with pytest.raises(AssertionError, match="nothing"):
        some([])
