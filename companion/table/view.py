"""What a page shows of a table, as JSON values. Pure: nothing is read or changed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from companion.rules import (
    Action,
    Clock,
    Field,
    Game,
    Outcome,
    Ruling,
    S,
    Scorecard,
    Setup,
    breaches_of,
    claims_of,
    highlights_of,
    situation_of,
    unknown_of,
)

if TYPE_CHECKING:
    from companion.journal import Event, Events
    from companion.table.history import History

RECENT = 12
RULING = ("action", "refused")
"""The kinds of events that carry a ruling."""
_SHOWN = ("action", "refused", "undone", "corrected", "ruled", "ended", "reopened")


def view(
    game: Game[S],
    setup: Setup,
    line: History[S],
    events: Events,
    clock: Clock | None,
) -> dict[str, Any]:
    """Return a snapshot of what stands and of the last events.

    In the snapshot, ``physical`` is what really stands on the board where the last reading said
    that it differs from ``position``, else None; ``recent`` are events as :func:`event_json` with
    ``stands``; ``clock`` is None in a game without limits, else the game clock as it stood at
    ``since``;
    ``situation`` are sentences for everybody; ``breaches`` are actions that stood and that what
    was shown since proves wrong, each with the ``seq`` of its event and so of its photographs;
    ``unknown`` names for each spot with a hidden token what it may be.
    Tokens, spots and actions are in the notation of the game.
    """
    state = line.state
    outcome = game.outcome(state)
    recent = [*islice(events.newest(*_SHOWN), RECENT)][::-1]
    ruled = next(events.newest(*RULING), None)
    return {
        "state_id": events[-1].seq,
        "game": game.name,
        "title": game.title,
        "seats": list(setup.seats),
        "to_move": game.to_move(state),
        "position": dict(game.expect(state)),
        "physical": physical(events),
        "ruling": event_json(ruled) if ruled else None,
        "recent": [{**event_json(e), "stands": line.holds(e.seq)} for e in recent],
        "scorecards": [card_json(card) for card in game.scorecards(state)],
        "outcome": None if outcome is None else outcome_json(outcome),
        "clock": None if clock is None else _clock_json(clock),
        "situation": list(situation_of(game, state)),
        "breaches": [
            {
                "seq": line.seqs[breach.ply] if breach.ply < line.length else None,
                "action": game.format(breach.action),
                "ruling": ruling_json(breach.ruling),
            }
            for breach in breaches_of(game, state)
        ],
        "unknown": {spot: list(tokens) for spot, tokens in unknown_of(game, state).items()},
        "highlights": {name: list(spots) for name, spots in highlights_of(game, state).items()},
        "legal": [_action_json(game, action) for action in game.legal(state)],
        "claims": [_action_json(game, action) for action in claims_of(game, state)],
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


def physical(events: Events) -> dict[str, str] | None:
    """Return what the last reading saw if it differs from the position, else None.

    It holds until ``recovered``, or until the position itself changes.
    """
    settling = (
        "started", "arranged", "action", "undone", "corrected", "ruled", "recovered", "differs",
    )  # fmt: skip
    last = next(events.newest(*settling))
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
        "fields": list(map(field_json, card.fields)),
        "score": card.score,
        "status": card.status,
    }


def field_json(field: Field) -> dict[str, Any]:
    """Return a field of a scorecard as JSON values."""
    return {
        "label": field.label,
        "tokens": list(field.tokens),
        "value": field.value,
        "picture": field.picture,
        "goal": field.goal,
    }


def _clock_json(clock: Clock) -> dict[str, Any]:
    phases = [phase._asdict() for phase in clock.limits.phases]
    limits = clock.limits._asdict() | {"phases": phases}
    return clock._asdict() | {
        "limits": limits,
        "used": dict(clock.used),
        "ended": list(clock.ended),
    }


def _action_json(game: Game[S], action: Action) -> dict[str, Any]:
    return {
        "action": game.format(action),
        "verb": action.verb,
        "origin": action.origin,
        "target": action.target,
        "detail": action.detail,
    }
