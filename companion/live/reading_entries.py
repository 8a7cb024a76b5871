"""Telling what was seen: the steps of a reading as entries that people and programs read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from companion.rules import Action, Effect, Game, S

if TYPE_CHECKING:
    from vision.decoding.reading import Step

Entry = dict[str, Any]


def captures(effect: Effect) -> str | list[str] | None:
    """Return captures as they are printed: null, one token, or a list in path order."""
    if len(effect.captures) > 1:
        return list(effect.captures)
    return effect.captures[0] if effect.captures else None


def tell(
    game: Game[S], past: Sequence[S], actions: Sequence[Action], steps: Sequence[Step]
) -> list[Entry]:
    """Return the moves of tokens in ``steps``, in order of play.

    ``past`` are the states up to the current one, ``actions`` what led from each to the next.
    Spoken and silent actions are left out; a token put back by its owner belongs to the capture
    before it.
    """
    states, played = list(past), list(actions)
    entries: list[Entry] = []
    for step in steps:
        if step.takeback is None:
            if not step.silent:
                add_action(game, states[-1], step, entries)
            if step.legal:
                states.append(game.apply(states[-1], step.action))
                played.append(step.action)
        elif step.takeback == 0:
            if step.silent:
                continue
            home = Action("move", step.action.target, step.action.origin)
            entries.append(taken_back(game, states[-1], home, step.p))
        else:
            for _ in range(step.takeback):
                undone = played.pop()
                states.pop()
                if undone.origin is not None and not step.silent:
                    entries.append(taken_back(game, states[-1], undone, step.p))
    return entries


def add_action(game: Game[S], state: S, step: Step, entries: list[Entry]) -> None:
    """Append one played or refused action to ``entries``, unless it moved no token."""
    action, effect = step.action, game.effect(state, step.action)
    if action.target is None:
        return
    if effect.returned is not None and entries and entries[-1]["captures"] is not None:
        entries[-1]["returned"] = list(effect.returned)
        return
    entry: Entry = {
        "seat": effect.seat,
        "piece": effect.piece,
        "from": action.origin,
        "to": action.target,
        "captures": captures(effect),
        "legal": step.legal,
        "rule": None if step.legal or step.ruling is None else step.ruling.rule,
        "p": round(step.p, 4),
    }
    extras = {"becomes": effect.becomes, "scored": effect.scored, "returned": effect.returned}
    entry.update({name: value for name, value in extras.items() if value is not None})
    entries.append(entry)


def taken_back(game: Game[S], before: S, action: Action, p: float) -> Entry:
    """Return the entry of a token that went back from ``action.target`` to ``action.origin``."""
    effect = game.effect(before, action)
    return {
        "seat": effect.seat,
        "piece": effect.piece,
        "from": action.target,
        "to": action.origin,
        "captures": None,
        "legal": True,
        "rule": None,
        "p": round(p, 4),
        "takeback": True,
    }
