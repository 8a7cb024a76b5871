"""Assertions in loops: a loop that never runs asserts nothing, and is told of."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeVar

Thing = TypeVar("Thing")
Made = ast.FunctionDef | ast.AsyncFunctionDef
Loop = ast.For | ast.AsyncFor | ast.While
SAME = {"enumerate", "sorted", "reversed", "list", "tuple", "set", "zip", "product", "permutations"}
"""What goes over something at least once if what it is given can be gone over."""


def some(things: Iterable[Thing]) -> list[Thing]:
    """Return what is gone over, and fail where there is nothing: then nothing would be asserted."""
    found = list(things)
    assert found, "there is nothing to be asserted of"
    return found


def idle_tests(text: str) -> list[str]:
    """Return the names of the tests in the source ``text`` whose every assertion lies in a loop
    that might not run once: over what is not seen to hold something."""
    tree = ast.parse(text)
    known = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and _runs(node.value, set())
    }
    return [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, Made) and node.name.startswith("test") and _idle(node, known)
    ]


def _idle(test: Made, known: set[str]) -> bool:
    known = known | {
        target.id
        for node in ast.walk(test)
        if isinstance(node, ast.Assign) and _runs(node.value, known)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = list(_asserting(test, False, known))
    return bool(found) and all(found)


def _asserting(node: ast.AST, doubtful: bool, known: set[str]) -> Iterator[bool]:
    """Yield for every assertion below ``node`` whether it lies in a loop that may not run."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Assert) or _raises(child):
            yield doubtful
        over = isinstance(child, ast.While) or (
            isinstance(child, Loop) and not _runs(child.iter, known)
        )
        yield from _asserting(child, doubtful or over, known)


def _raises(node: ast.AST) -> bool:
    return isinstance(node, ast.With) and any(
        "raises" in ast.unparse(item.context_expr) for item in node.items
    )


def _runs(over: ast.AST, known: set[str]) -> bool:
    """Tell whether ``over`` is seen to hold something."""
    if isinstance(over, ast.List | ast.Tuple | ast.Set):
        return any(_runs(one.value, known) if isinstance(one, ast.Starred) else True
                   for one in over.elts)  # fmt: skip
    if isinstance(over, ast.Dict):
        return bool(over.keys)
    if isinstance(over, ast.Constant):
        return bool(over.value)
    if isinstance(over, ast.Name):
        return over.id in known
    if isinstance(over, ast.BinOp):
        return _runs(over.left, known) or _runs(over.right, known)
    if not isinstance(over, ast.Call):
        return False
    if isinstance(over.func, ast.Attribute) and over.func.attr in (
        "items",
        "values",
        "keys",
        "split",
    ):
        return _runs(over.func.value, known)
    name = getattr(over.func, "id", getattr(over.func, "attr", ""))
    if name in ("range", "some"):
        return True
    return (
        name in SAME
        and bool(over.args)
        and all(_runs(a.value if isinstance(a, ast.Starred) else a, known) for a in over.args)
    )
