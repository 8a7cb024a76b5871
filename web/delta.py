"""What changed between two snapshots, so that a phone is told that and not everything again.

A delta is an object. Its members take the place of the snapshot's, but for those that are objects
in both: there the member is a delta itself. Two members have a meaning of their own: ``-`` names
what is gone, and ``~`` holds the edits of texts and of lists, by name. An edit of a list is a list
of ``[index, count, items]``: so many items from there on, counted in the old value, give way to
these. Where only items' own members changed, it is an object of their deltas by index. A text is
edited as the list of its tags and of what stands between them (:func:`pieces`). A piece that
stands in the new text already is told by its number there.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

_Splice = tuple[int, int, Sequence[str]]

GONE, EDITS = "-", "~"
KEPT = 128
"""Texts whose pieces are kept: what is new in one comparison is old in the next."""
_PIECE = re.compile(r"<[^<>]*>?|[^<>]*>|[^<>]+")


written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Writes JSON without a space or an escape that could be left out."""


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the delta that makes ``new`` of ``old``, both of JSON values; empty where they are
    the same."""
    told: dict[str, Any] = {}
    edits: dict[str, Any] = {}
    for name, value in new.items():
        if name not in old:
            told[name] = value
            continue
        was = old[name]
        if was is value or (was == value and type(was) is type(value)):
            continue
        if isinstance(was, dict) and isinstance(value, dict):
            told[name] = changes(was, value)
        elif (edit := _edit(was, value)) is not None:
            edits[name] = edit
        else:
            told[name] = value
    if gone := [name for name in old if name not in new]:
        told[GONE] = gone
    if edits:
        told[EDITS] = edits
    return told


def _edit(was: Any, value: Any) -> Any:
    """Return the edit that makes ``value`` of ``was``; None where the whole is shorter, or they
    are neither texts nor lists."""
    edit: Any
    if isinstance(was, str) and isinstance(value, str):
        parts = pieces(value)
        edit = _numbered(_splices(pieces(was), parts), parts)
    elif isinstance(was, list) and isinstance(value, list):
        names, others = ([written(item) for item in one] for one in (was, value))
        meant = dict(zip(others, value, strict=True))
        edit = [
            [at, count, [meant[item] for item in items]]
            for at, count, items in _splices(names, others)
        ]
        if len(was) == len(value) and all(isinstance(item, dict) for item in (*was, *value)):
            pairs = enumerate(zip(was, value, strict=True))
            inside = {str(at): changes(*pair) for at, pair in pairs if pair[0] != pair[1]}
            edit = min(edit, inside, key=lambda one: len(written(one)))
    else:
        return None
    size = len(written(edit))
    # A text takes at least its letters and two marks: it is seldom written to be measured.
    shorter = isinstance(value, str) and size < len(value) + 2
    return edit if shorter or size < len(written(value)) else None


@lru_cache(KEPT)
def pieces(text: str) -> tuple[str, ...]:
    """Return ``text`` cut before each ``<`` and behind each ``>``."""
    return tuple(_PIECE.findall(text))


def _numbered(splices: Sequence[_Splice], parts: Sequence[str]) -> list[Any]:
    """Return ``splices`` of a text with the numbers of those ``parts`` of the new text that stand
    before in it."""
    told = {part for _, _, items in splices for part in items}
    first: dict[str, int] = {}
    for number, part in enumerate(parts if told else ()):
        if part in told:
            first.setdefault(part, number)
    edit, grown = [], 0
    for at, count, items in splices:
        here = enumerate(items, at + grown)
        named = [n if (n := first.get(item, place)) < place else item for place, item in here]
        edit.append([at, count, named])
        grown += len(items) - count
    return edit


def _splices(was: Sequence[str], value: Sequence[str], at: int = 0) -> list[_Splice]:
    """Return what has to be put in the place of what in ``was``, which begins at ``at``, so that it
    becomes ``value``. What occurs once in both holds the others in their places: patience diff."""
    first = _alike(was, value)
    old, new, at = was[first:], value[first:], at + first
    last = _alike(old[::-1], new[::-1])
    old, new = old[: len(old) - last], new[: len(new) - last]
    if not old and not new:
        return []
    held = _held(old, new) if old and new else []
    if not held and len(old) == len(new):
        held = [(n, n) for n, item in enumerate(old) if item == new[n]]
    if not held:
        return [(at, len(old), new)]
    found, i, j = [], 0, 0
    for k, m in (*held, (len(old), len(new))):
        if k - i > 1 or m - j > 1:
            found += _splices(old[i:k], new[j:m], at + i)
        elif old[i:k] != new[j:m]:
            found.append((at + i, k - i, new[j:m]))
        i, j = k + 1, m + 1
    return found


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many items are the same in both from the beginning on."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        # Whole stretches are compared sooner than their items one by one.
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _held(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return where what occurs once in both stands in each, as far as it stands in order."""
    times, others = Counter(old), Counter(new)
    places = {item: k for k, item in enumerate(old) if times[item] == 1 == others[item]}
    pairs = [(places[item], m) for m, item in enumerate(new) if item in places]
    # The longest rising sequence: the ends of the best so far, and what comes before each.
    ends: list[int] = []
    best: list[int] = []
    before: list[int] = []
    for number, (k, _) in enumerate(pairs):
        length = bisect_left(ends, k)
        before.append(best[length - 1] if length else -1)
        ends[length : length + 1], best[length : length + 1] = [k], [number]
    number, found = best[-1] if best else -1, []
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
