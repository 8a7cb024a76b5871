"""What a stream tells, put together as a phone does: see web/delta.py."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from web.delta import pieces


def applied(old: Mapping[str, Any], delta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the snapshot ``old`` with what changed since."""
    fresh = {name: value for name, value in old.items() if name not in delta.get("-", [])}
    for name, value in delta.items():
        if name not in ("-", "~"):
            inside = isinstance(value, dict) and isinstance(old.get(name), dict)
            fresh[name] = applied(old[name], value) if inside else value
    for name, edit in delta.get("~", {}).items():
        fresh[name] = _edited(old[name], edit)
    return fresh


def _edited(value: Any, edit: Any) -> Any:
    if isinstance(edit, dict):
        return [
            applied(item, edit[str(at)]) if str(at) in edit else item
            for at, item in enumerate(value)
        ]
    text = isinstance(value, str)
    old, taken, fresh = pieces(value) if text else value, 0, list[Any]()
    for at, count, items in edit:
        fresh += old[taken:at]
        for item in items:
            fresh.append(fresh[item] if text and isinstance(item, int) else item)
        taken = at + count
    fresh += old[taken:]
    return "".join(fresh) if text else fresh


class Follower:
    """A phone that follows a stream: ``view`` is what it knows."""

    def __init__(self) -> None:
        self.view: dict[str, Any] = {}
        self.sizes: list[int] = []
        """Bytes of each update."""

    def hear(self, whole: bool, text: str) -> dict[str, Any]:
        """Take a message in; return what is so now."""
        if not whole:
            self.sizes.append(len(text.encode()))
        told = json.loads(text)
        self.view = told if whole else applied(self.view, told)
        return self.view
