"""What a page shows of a table, as JSON values. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from companion.rules import Action, Clock, Game, Outcome, Ruling, Scorecard, Setup
from companion.rules.game import S

if TYPE_CHECKING:
    from companion.journal import Event

RECENT = 12
_SHOWN = ("action", "refused", "undone", "corrected", "ruled", "ended", "reopened")


def view(
    game: Game[S],
    setup: Setup,
    state: S,
    events: Sequence[Event],
    standing: Sequence[int],
    clock: Clock | None,
) -> dict[str, Any]:
    """Return a snapshot of ``state`` and of the last events.

    ``standing`` holds the ``seq`` of every action that was not taken back. In the snapshot,
    ``physical`` is what really stands on the board where the last reading said that it differs
    from ``position``, else None; ``recent`` are events as :func:`event_json` with ``stands``;
    ``clock`` is None in a game without limits, else the game clock as it stood at ``since``;
    ``situation`` are sentences for everybody; ``breaches`` are actions that stood and that what
    was shown since proves wrong, each with the ``seq`` of its event and so of its photographs;
    ``unknown`` names for each spot with a hidden token what it may be.
    Tokens, spots and actions are in the notation of the game.
    """
    outcome = game.outcome(state)
    recent = [event for event in events if event.kind in _SHOWN]
    ruled = [event for event in events if event.ruling is not None]
    return {
        "state_id": events[-1].seq,
        "game": game.name,
        "title": game.title,
        "seats": list(setup.seats),
        "to_move": game.to_move(state),
        "position": dict(game.expect(state)),
        "physical": physical(events),
        "ruling": event_json(ruled[-1]) if ruled else None,
        "recent": [{**event_json(e), "stands": e.seq in standing} for e in recent[-RECENT:]],
        "scorecards": [card_json(card) for card in game.scorecards(state)],
        "outcome": None if outcome is None else outcome_json(outcome),
        "clock": None if clock is None else _clock_json(clock),
        "situation": list(game.situation(state)),
        "breaches": [
            {
                "seq": standing[breach.ply] if breach.ply < len(standing) else None,
                "action": game.format(breach.action),
                "ruling": ruling_json(breach.ruling),
            }
            for breach in game.breaches(state)
        ],
        "unknown": {spot: list(tokens) for spot, tokens in game.unknown(state).items()},
        "highlights": {name: list(spots) for name, spots in game.highlights(state).items()},
        "legal": [_action_json(game, action) for action in game.legal(state)],
        "claims": [_action_json(game, action) for action in game.claims(state)],
    }


def event_json(event: Event) -> dict[str, Any]:
    """Return an event as JSON values; ``photographs`` names the moments that were pictured."""
    return {
        "seq": event.seq,
        "at": event.at,
        "actor": event.actor,
        "kind": event.kind,
        "action": event.action,
        "ruling": None if event.ruling is None else ruling_json(event.ruling),
        "data": dict(event.data),
        "photographs": list(event.photographs),
    }


def ruling_json(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling as JSON values."""
    return {
        "allowed": ruling.allowed,
        "rule": ruling.rule,
        "reason": ruling.reason,
        "spots": list(ruling.spots),
    }


def physical(events: Sequence[Event]) -> dict[str, str] | None:
    """Return what the last reading saw if it differs from the position, else None.

    It holds until ``recovered``, or until the position itself changes.
    """
    settling = (
        "started", "arranged", "action", "undone", "corrected", "ruled", "recovered", "differs",
    )  # fmt: skip
    last = next(event for event in reversed(events) if event.kind in settling)
    seen = last.data.get("position") if last.kind == "differs" else None
    return None if seen is None else dict(seen)


def outcome_json(outcome: Outcome, by: str = "rules") -> dict[str, Any]:
    """Return an outcome as JSON values; ``by`` is ``rules`` or how the players ended the game."""
    return {
        "winners": list(outcome.winners),
        "rule": outcome.rule,
        "reason": outcome.reason,
        "by": by,
    }


def card_json(card: Scorecard) -> dict[str, Any]:
    """Return a scorecard as JSON values."""
    return {
        "seat": card.seat,
        "fields": [
            {
                "label": field.label,
                "tokens": list(field.tokens),
                "value": field.value,
                "picture": field.picture,
                "goal": field.goal,
            }
            for field in card.fields
        ],
        "score": card.score,
        "status": card.status,
    }


def _clock_json(clock: Clock) -> dict[str, Any]:
    return {**asdict(clock), "used": dict(clock.used)}


def _action_json(game: Game[S], action: Action) -> dict[str, Any]:
    return {
        "action": game.format(action),
        "verb": action.verb,
        "origin": action.origin,
        "target": action.target,
        "detail": action.detail,
    }
