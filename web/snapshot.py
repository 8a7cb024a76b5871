"""What one phone sees now: the table's view, the camera's words, the lights, and who asks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.journal import Event
from companion.line import Line
from companion.referee import Verdict
from companion.rules import Action, BadInput, Game, Ruling, Setup
from companion.table import Table
from web.drawing import vivid
from web.seats import Door, Person
from web.virtual import Eyes, Lights

RECENT = 4
NEWS = 40
_LIT = {"last": "last move", "proof": "proves the ruling", "differs": "differs from the game"}
"""What a light says that means the same as a mark of this kind: it need not be said twice."""
_REWRITES = ("undone", "corrected")
_HAPPENED = {
    "arranged": "set up",
    "undone": "taken back",
    "corrected": "corrected",
    "ended": "the game is over",
}


def phrase(game: Game[Any], state: Any, action: Action) -> str:
    """Return ``action`` in words: ``red white T h2 → h4, takes blue black U``."""
    if action.origin is None and action.target is None:
        who = game.to_move(state)
        words = spoken(action)
        return f"{who}: {words}" if who else words
    effect = game.effect(state, action)
    route = " → ".join(
        spot for spot in (action.origin, *action.via, action.target) if spot is not None
    )
    text = f"{effect.piece or 'nothing'} {route}"
    if effect.captures:
        text += f", takes {' and '.join(effect.captures)}"
    if effect.becomes:
        text += f", becomes {effect.becomes}"
    return text


def spoken(action: Action) -> str:
    """Return a spoken action as the words on its button."""
    words = {"end": "end turn"}.get(action.verb, action.verb.replace("_", " "))
    return f"{words} {action.detail}".strip()


def ruling_json(found: Verdict) -> dict[str, Any]:
    """Return a ruling with the title and text of its rule."""
    ruling = found.ruling
    return {
        "allowed": ruling.allowed,
        "rule": ruling.rule,
        "title": found.title,
        "text": found.text,
        "reason": ruling.reason,
        "spots": list(ruling.spots),
    }


class Entries:
    """Turns events into lines of history, in the words of the state they happened in."""

    def __init__(self, table: Table[Any]) -> None:
        self._game, self._setup, self._line = table.game, table.setup, table.line
        self._last_rewrite = max(
            (event.seq for event in table.events() if event.kind in _REWRITES), default=0
        )

    def entry(self, event: Event) -> dict[str, Any]:
        """Return ``event`` as a page shows it; ``stands`` is False for what was taken back."""
        stands = event.seq in self._line.seqs
        return {
            "seq": event.seq,
            "at": event.at,
            "actor": event.actor,
            "kind": event.kind,
            "action": event.action,
            "seat": event.data.get("seat"),
            "text": self._text(event),
            "stands": stands,
            "ruling": event.ruling and self._ruling(event, event.ruling),
            "photographs": list(event.photographs),
        }

    def _ruling(self, event: Event, ruling: Ruling) -> dict[str, Any]:
        rule = self._game.rules.get(ruling.rule)
        title, text = (rule.title, rule.text) if rule else ("", "")
        return ruling_json(Verdict(str(event.action), event.data.get("seat"), ruling, title, text))

    def _text(self, event: Event) -> str:
        if event.action is None:
            count = event.data.get("count")
            words = str(event.data.get("reason") or _HAPPENED.get(event.kind, event.kind))
            return f"{words} ({count})" if count else words
        before = bisect_left(self._line.seqs, event.seq)
        if event.seq <= self._last_rewrite and event.seq not in self._line.seqs:
            # Its state was rewritten since: only the notation is sure.
            return event.action
        action = self._game.parse(self._setup, event.action)
        return phrase(self._game, self._line.past[before], action)


class Views:
    """Makes the snapshots of one table for whoever asks."""

    def __init__(
        self,
        table: Table[Any],
        door: Door,
        eyes: Eyes,
        lights: Lights,
        now: Callable[[], float],
    ) -> None:
        self.table, self.door, self._eyes, self._lights, self._now = table, door, eyes, lights, now
        self._board = table.game.board(table.setup)

    def snapshot(self, person: Person, seen: int | None = None) -> dict[str, Any]:
        """Return everything that the phone of ``person`` shows, as JSON values.

        ``seen`` is the ``state_id`` it saw last: ``news`` then lists what happened since.
        """
        table = self.table
        view = table.view()
        entries = Entries(table)
        camera = dict(self._eyes.status())
        camera["asked"] = [self._asked(actions) for actions in camera["asks"]]
        happened = [e for e in table.events() if e.kind in ("action", *_HAPPENED)][-RECENT:]
        ruled = [e for e in table.events() if e.ruling is not None][-1:]
        ruling = entries.entry(ruled[0]) if ruled else None
        lights = {
            spot: {**light, "colour": vivid(light["colour"])}
            for spot, light in self._lights().items()
        }
        return {
            "ok": True,
            **{k: view[k] for k in ("state_id", "game", "title", "to_move", "outcome")},
            "seats": [self._seat(seat, person) for seat in table.setup.seats],
            "position": view["position"],
            "physical": view["physical"],
            "scorecards": view["scorecards"],
            "lights": lights,
            "marks": self._marks(view["highlights"], camera, ruling, lights),
            "ruling": ruling,
            "recent": [entries.entry(event) for event in reversed(happened)],
            "clock": self._clock(),
            "say": self.say(person),
            "camera": camera,
            "phones": self.door.phones,
            "you": {"joined": person.joined, "seats": list(person.seats)},
            "news": [] if seen is None else self._news(entries, seen),
        }

    def say(self, person: Person) -> list[dict[str, Any]]:
        """Return the spoken actions that ``person`` may say now."""
        game, state = self.table.game, self.table.state
        found = []
        if game.to_move(state) in person.seats:
            found += [(action, False) for action in game.legal(state)]
        if person.seats:
            found += [(action, True) for action in game.claims(state)]
        return [
            {"action": game.format(action), "label": spoken(action), "claim": claim}
            for action, claim in found
            if action.origin is None and action.target is None
        ]

    def line_before(self, seq: int | None) -> Line[Any]:
        """Return the line as it stood before event ``seq``, the current one for None.

        Raises:
            BadInput: there is no such event.
        """
        if seq is None:
            return self.table.line
        if seq > self.table.state_id:
            raise BadInput(f"this game has no event {seq} yet")
        return self.table.line_at(max(seq - 1, self.table.events()[0].seq))

    def _seat(self, seat: str, person: Person) -> dict[str, Any]:
        taken = self.door.holder(seat) is not None
        return {"seat": seat, "taken": taken, "mine": seat in person.seats}

    def _asked(self, actions: Sequence[str]) -> str:
        """Return a candidate for what happened, in words."""
        game, state = self.table.game, self.table.state
        words = []
        for text in actions:
            action = game.parse(self.table.setup, text)
            words.append(phrase(game, state, action))
            if action in game.legal(state):
                state = game.advance(state, action)
        return ", then ".join(words)

    def _news(self, entries: Entries, seen: int) -> list[dict[str, Any]]:
        shown = ("action", "refused", *_HAPPENED)
        return [entries.entry(e) for e in self.table.events(seen) if e.kind in shown][-NEWS:]

    def _marks(
        self,
        highlights: Mapping[str, list[str]],
        camera: Mapping[str, Any],
        ruling: Mapping[str, Any] | None,
        lights: Mapping[str, Any],
    ) -> dict[str, dict[str, str]]:
        """Return what each spot is marked with; a later kind covers an earlier one."""
        marks: dict[str, dict[str, str]] = {}
        if self.table.actions:
            last = self.table.actions[-1]
            for spot in (last.origin, last.target):
                if spot is not None:
                    marks[spot] = {"kind": "last", "meaning": "last move"}
        for name, spots in highlights.items():
            # A light that shines there says it already, and better.
            dark = [spot for spot in spots if spot not in lights]
            marks.update({spot: {"kind": "note", "meaning": name} for spot in dark})
        if ruling and not ruling["ruling"]["allowed"]:
            for spot in ruling["ruling"]["spots"]:
                marks[spot] = {"kind": "proof", "meaning": "proves the last ruling"}
        for spot in camera["differs"]:
            marks[spot] = {"kind": "differs", "meaning": "the table differs here"}
        return {
            spot: mark
            for spot, mark in marks.items()
            if spot in self._board
            and lights.get(spot, {}).get("meaning") != _LIT.get(mark["kind"], "")
        }

    def _clock(self) -> dict[str, Any] | None:
        """Return the seconds left, as far as there are limits; None in a game without clocks."""
        clock, now = self.table.clock, self._now()
        if clock is None:
            return None
        seats = {seat: clock.seat_left(seat, now) for seat in self.table.setup.seats}
        return {
            "paused": clock.paused,
            "runs": not clock.paused and clock.seat is not None,
            "game": clock.game_left(now),
            "begin": clock.begin_left(now),
            "seats": {seat: left for seat, left in seats.items() if left is not None},
        }


def options(setup: Setup) -> str:
    """Return the options in play as one line."""
    return ", ".join(f"{name} = {value}" for name, value in setup.options.items())
