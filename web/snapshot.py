"""What one phone sees now: the table's view, the camera's words, the lights, and who asks.

What is the same for all phones of one language is computed once for each change, however many look.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, takewhile
from typing import Any, NamedTuple

from companion.rules import (
    ANNOUNCED,
    Action,
    DiceOnMat,
    OwnCards,
    binds_of,
    card_texts_of,
    claims_of,
    highlights_of,
    mark_of,
    own_fields_of,
    props_of,
    said_by,
    say,
    situation_of,
    unknown_of,
)
from companion.table import Table
from companion.table.agreement import Offer, asked, resigned, settled_between, standing
from companion.table.evening import Evening
from companion.table.rematch import offered
from companion.table.resuming import put_aside
from companion.table.turn_end import left_alone
from companion.table.view import RULING, card_json, field_json, outcome_json, physical
from web.access.seats import Door, Person, decides
from web.drawing import vivid
from web.entering import breaches, card_text, cards_of, composing, placing, saying
from web.language import in_words, rules_in, translator
from web.ports import Distant, Eyes, Lights, Machines, NoEyes, TableLights
from web.wording import HAPPENED, NOTICES, SHOWN, WORDS, Entries, phrase, spoken, then

RECENT = 4
NEWS = 40
_LIT = {"last": "last move", "proof": "proves the ruling", "differs": "differs from the game"}
"""For some kinds of marks: the meaning of the light that says the same, so that it is not told
twice."""


class Between(NamedTuple):
    """What is open between the players: a draw ``offer``, the seats ``waiting`` to answer it, and
    the seats that have ``resigned``."""

    offer: Offer | None
    waiting: tuple[str, ...]
    resigned: frozenset[str]


@dataclass
class Viewer:
    """What there is to see between two changes. ``clock`` are the seconds left, as far as there are
    limits; ``common`` holds what all phones of a language share."""

    table: Table[Any]
    state_id: int
    status: Mapping[str, Any]
    lights: Mapping[str, Any]
    lamps: Mapping[str, Any]
    machines: Mapping[str, Any]
    distant: str
    clock: Mapping[str, Any] | None
    common: dict[str, dict[str, Any]] = field(default_factory=dict, compare=False)
    guard: threading.RLock = field(default_factory=threading.RLock, compare=False)

    @cached_property
    def between(self) -> Between:
        """Return what is open between the players, read once in all events."""
        offer = standing(self.table)
        waiting = tuple(asked(self.table, offer)) if offer else ()
        return Between(offer, waiting, frozenset(resigned(self.table.events())))


class Views:
    """Makes the snapshots of the present game for whoever asks."""

    def __init__(
        self,
        evening: Evening,
        door: Door,
        eyes: Eyes,
        lights: Lights,
        lamps: TableLights,
        machines: Machines,
        distant: Distant | None = None,
    ) -> None:
        self._distant = distant
        self._evening, self.door, self._eyes = evening, door, eyes
        self._lights, self._lamps, self._machines = lights, lamps, machines
        self._guard = threading.Lock()
        self._look: Viewer | None = None
        self._edition: tuple[int, Viewer | None] = (-1, None)
        self._known: dict[Any, str] = {}
        self._seen = evening.table

    @property
    def table(self) -> Table[Any]:
        """Return the present table."""
        return self._evening.table

    def look(self, edition: int | None = None) -> Viewer:
        """Return what there is to see now, the same object until something changes. Who was told
        of an ``edition`` need not find out again what others have found of it."""
        known, found = self._edition
        # A clock runs on though nobody tells of it.
        if edition is not None and edition == known and found and found.clock is None:
            return found
        with self._guard:
            seen = self._looked()
            while seen.table is not self._seen:
                # Another game has begun: what was asked before may be of the old one.
                self._seen = self.table
                seen = self._looked()
            if self._look is None or self._look != seen:
                self._look = seen
            if edition is not None:
                self._edition = (edition, self._look)
            return self._look

    def _looked(self) -> Viewer:
        status, lights, lamps = self._eyes.status(), self._lights(), self._lamps.settings()
        table = self.table
        return Viewer(
            table, table.state_id, dict(status), dict(lights), dict(lamps),
            dict(self._machines.told()), self._distant.told()["words"] if self._distant else "",
            _clock(table),
        )  # fmt: skip

    def members(self, look: Viewer, person: Person, language: str) -> dict[str, Any]:
        """Return what all phones see that have the language and the role of ``person``, as JSON
        values: everything but whose phone it is, and the news."""
        own: dict[str, Any] = in_words(self._own(look, person), translator(language))
        return {**self._common(look, language), **_json(own)}

    def news(self, look: Viewer, language: str, seen: int) -> list[Any]:
        """Return what happened since event ``seen``, in words; rules are named, not quoted."""
        table, shown = look.table, ("refused", *SHOWN)
        missed = [*islice(table.events(seen).newest(*shown), NEWS)][::-1]
        entries = Entries(table, known=self._known)
        told = [entries.entry(event, quoted=False) for event in missed]
        news: list[Any] = in_words(told, translator(language))
        return news

    def _common(self, look: Viewer, language: str) -> dict[str, Any]:
        """Return what all phones of ``language`` see."""
        with look.guard:
            if language not in look.common:
                told = self._all(look, language)
                look.common[language] = _json(in_words(told, translator(language)))
            return look.common[language]

    def _own(self, look: Viewer, person: Person) -> dict[str, Any]:
        table = look.table
        to_move = table.to_move
        between = look.between
        answers = set(between.waiting)
        return {
            "seats": [self._seat(seat, person, between) for seat in table.setup.seats],
            "say": self.say(table, person),
            "propose": self.propose(table, person),
            "enter": self.enter(table, person),
            "place": self.place(table, person, look.status),
            "own_fields": {
                seat: fields
                for seat in person.seats
                if (fields := list(map(field_json, own_fields_of(table.game, table.state, seat))))
            },
            "you": {
                "joined": person.joined,
                "host": person.host,
                "role": person.role,
                "seats": list(person.seats),
                "acts": list(person.acts),
                "decides": decides(person, table.setup.seats),
                "moves": to_move in person.acts and self.by_phone(table, look.status),
                "asked_again": self._asked_again(person),
                "plays": to_move in person.acts and self.without_camera,
                "offers": [seat for seat in person.acts if seat in answers],
                "gave_away": _gave_away(look, person),
            },
        }

    def _asked_again(self, person: Person) -> bool:
        """Tell whether ``person`` is to answer the offer of a rematch."""
        offer = offered(self._evening)
        waits = offer is not None and offer.state == "open"
        return waits and bool(offer and set(offer.waiting).intersection(person.seats))

    @property
    def without_camera(self) -> bool:
        """Whether all moves are entered on phones: the host said so, or nobody looks."""
        return self._evening.settings.play == "phone" or isinstance(self._eyes, NoEyes)

    def by_phone(self, table: Table[Any], status: Mapping[str, Any] | None = None) -> bool:
        """Tell whether moves of ``table`` may be entered on phones now: the host said so, the game
        is paused, or the camera cannot tell what happened."""
        status = self._eyes.status() if status is None else status
        return (
            self.without_camera
            or table.paused
            or bool(status.get("lost") or status["differs"] or status["asks"])
        )

    def say(self, table: Table[Any], person: Person) -> list[dict[str, Any]]:
        """Return the spoken actions that ``person`` may say now. A draw is offered and a game
        given up elsewhere: see ``companion.table.agreement``."""
        game, state = table.game, table.state

        def alone(action: Action) -> bool:
            return _claimed(table, action) and set(person.acts).issuperset(
                binds_of(game, state, action)
            )

        claims = alone if person.seats and table.outcome is None else None
        return saying(game, state, _acts(table, person), claims)

    def propose(self, table: Table[Any], person: Person) -> list[dict[str, Any]]:
        """Return the claims that ``person`` may offer to others whom they bind as well."""
        game, state, acts = table.game, table.state, set(person.acts)
        if not person.seats or table.outcome is not None:
            return []
        claims = ((word, binds_of(game, state, word)) for word in claims_of(game, state))
        return [
            {
                "action": game.format(word),
                "label": said_by(game, word) or spoken(word, game),
                "seat": next(seat for seat in will if seat in acts),
            }
            for word, will in claims
            if acts.intersection(will) and not acts.issuperset(will) and _claimed(table, word)
        ]

    def enter(self, table: Table[Any], person: Person) -> list[dict[str, Any]]:
        """Return what ``person`` puts together on the phone now: dice, open cards."""
        claims = bool(person.seats)
        if table.outcome is not None:
            return []
        return composing(table.game, table.state, _acts(table, person), claims)

    def place(
        self, table: Table[Any], person: Person, status: Mapping[str, Any]
    ) -> dict[str, list[list[str]]]:
        """Return the tokens that the phone of ``person`` may say to lie somewhere now."""
        if not _acts(table, person) or not self.by_phone(table, status):
            return {}
        return placing(table.game, table.state)

    def settings(self) -> dict[str, Any]:
        """Return everything that the host sets, with its values."""
        return {**self._evening.settings._asdict(), **self._lamps.settings()}

    # -- inside ----------------------------------------------------------------------

    def _all(self, look: Viewer, language: str) -> dict[str, Any]:
        table = look.table
        game, state, events = table.game, table.state, table.events()
        entries = Entries(table, rules_in(game, language), self._known)
        outcome, legal = table.outcome, game.legal(state)
        camera = self._camera(look)
        happened = islice(events.newest("action", *HAPPENED, *WORDS), RECENT)
        since = takewhile(lambda event: event.kind in NOTICES, events.newest(*SHOWN))
        notices = [entries.entry(event)["text"] for event in islice(since, RECENT)]
        ruled = next(events.newest(*RULING), None)
        ruling = entries.entry(ruled) if ruled else None
        lights = {
            spot: {**light, "colour": vivid(light["colour"])} for spot, light in look.lights.items()
        }
        return {
            "ok": True,
            "state_id": look.state_id,
            "game_id": table.game_id,
            "game": game.name,
            "title": game.title,
            "to_move": table.to_move,
            "outcome": outcome and outcome_json(outcome, str(table.ended_by)),
            "position": dict(game.expect(state)),
            "physical": physical(events),
            **_told_by(table),
            "scorecards": [card_json(card) for card in game.scorecards(state)],
            "lights": lights,
            "marks": self._marks(table, highlights_of(game, state), camera, ruling, lights),
            "ruling": ruling,
            "last": list(table.actions[-1].ends) if table.actions else [],
            "recent": [entries.entry(event) for event in happened],
            "notices": [*dict.fromkeys(reversed(notices))],
            "clock": look.clock,
            "paused": table.paused,
            "ending": left_alone(table, legal) is not None,
            "aside": self._aside(table),
            "again": self._again(),
            "camera": camera,
            "phones": self.door.phones,
            "people": self._people(table),
            "draw": self._draw(look),
            "machines": {name: told for name, told in look.machines.items() if name != "offer"},
            "distant": look.distant,
            "settings": self.settings(),
            "language": language,
            "legal": {} if outcome else _reach(legal),
        }

    def _camera(self, look: Viewer) -> dict[str, Any]:
        """Return the camera's words, its questions in words as well."""
        camera = {"lost": False, "troubles": [], **look.status}
        camera["asked"] = [self._asked(look.table, actions) for actions in camera["asks"]]
        return camera

    def _aside(self, table: Table[Any]) -> dict[str, Any] | None:
        """Return the unfinished game that was put aside for this one at the start."""
        number = put_aside(table)
        if number is None:
            return None
        name = table.journal.games()[number].name
        return {"number": number, "title": self._evening.game(name).title}

    def _again(self) -> dict[str, Any] | None:
        """Return the last offer of a rematch."""
        offer = offered(self._evening)
        if offer is None:
            return None
        told = offer._asdict()
        del told["person"]
        return told

    def _people(self, table: Table[Any]) -> list[dict[str, Any]]:
        people, order = self.door.people, table.setup.seats
        return [
            {
                "person": member.person,
                "name": member.name,
                "colour": member.colour,
                "seats": [seat for seat in order if people.seats.get(seat) == member.person],
                "host": member.person == people.host,
            }
            for member in people.members.values()
        ]

    def _draw(self, look: Viewer) -> dict[str, Any] | None:
        offer = look.between.offer
        if offer is None:
            return None
        told: dict[str, Any] = {
            "seat": offer.seat,
            "accepted": list(offer.accepted),
            "waiting": list(look.between.waiting),
        }
        if offer.undo:
            told["undo"] = offer.undo
        if offer.claim:
            game = look.table.game
            word = game.parse(look.table.setup, offer.claim)
            told |= {"claim": offer.claim, "label": said_by(game, word) or spoken(word, game)}
        return told

    def _seat(self, seat: str, person: Person, between: Between) -> dict[str, Any]:
        people = self.door.people
        return {
            "seat": seat,
            "taken": self.door.holder(seat) is not None,
            "mine": seat in person.seats,
            "name": people.name_of(seat),
            "colour": people.colour_of(seat),
            "resigned": seat in between.resigned,
        }

    def _asked(self, table: Table[Any], actions: Sequence[str]) -> Any:
        """Return a candidate for what happened, in words."""
        game, state = table.game, table.state
        words = []
        for text in actions:
            action = game.parse(table.setup, text)
            words.append(phrase(game, state, action))
            if action in game.legal(state):
                state = game.advance(state, action)
        return then(words) if words else ""

    def _marks(
        self,
        table: Table[Any],
        highlights: Mapping[str, Sequence[str]],
        camera: Mapping[str, Any],
        ruling: Mapping[str, Any] | None,
        lights: Mapping[str, Any],
    ) -> dict[str, dict[str, Any]]:
        """Return what each spot is marked with; a later kind covers an earlier one."""
        board = table.game.board(table.setup)
        marks: dict[str, dict[str, Any]] = {}
        if table.actions:
            for spot in table.actions[-1].ends:
                marks[spot] = {"kind": "last", "meaning": say("last move")}
        for name, spots in highlights.items():
            # A light that shines there says it already, and better.
            dark = [spot for spot in spots if spot not in lights]
            meaning = mark_of(table.game, name).words
            marks.update({spot: {"kind": "note", "meaning": meaning} for spot in dark})
        if ruling and not ruling["ruling"]["allowed"]:
            for spot in ruling["ruling"]["spots"]:
                marks[spot] = {"kind": "proof", "meaning": say("proves the last ruling")}
        for spot in camera["differs"]:
            marks[spot] = {"kind": "differs", "meaning": say("the table differs here")}
        return {
            spot: mark
            for spot, mark in marks.items()
            if spot in board and lights.get(spot, {}).get("meaning") != _LIT.get(mark["kind"], "")
        }


def _told_by(table: Table[Any]) -> dict[str, Any]:
    """Return what the game itself tells everybody beside its board and scorecards."""
    game, state = table.game, table.state
    return {
        "situation": list(situation_of(game, state)),
        "props": [prop._asdict() for prop in props_of(game, state)],
        "card_texts": [card_text(card) for card in card_texts_of(game, state)],
        "breaches": breaches(game, table.line, table),
        "unknown": {spot: list(tokens) for spot, tokens in unknown_of(game, state).items()},
        "owns": isinstance(game, OwnCards),
        "teaches": cards_of(game, table.setup),
        "mat": isinstance(game, DiceOnMat),
    }


def _clock(table: Table[Any]) -> dict[str, Any] | None:
    """Return the seconds left, as far as there are limits; None in a game without clocks."""
    clock = table.running
    if clock is None:
        return None
    now = clock.since
    seats = {seat: clock.seat_left(seat, now) for seat in table.setup.seats}
    # Phones that are told within a tenth of a second are told the same.
    return {
        "paused": clock.paused,
        "runs": not clock.paused and clock.seat is not None,
        "game": _tenths(clock.game_left(now)),
        "begin": _tenths(clock.begin_left(now)),
        "free": _tenths(clock.free_left(now)),
        "seats": {seat: _tenths(left) for seat, left in seats.items() if left is not None},
        "moves": {seat: left for seat in seats if (left := clock.moves_left(seat)) is not None},
    }


def _tenths(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def _json(value: Any) -> Any:
    """Return ``value`` as it is read from its JSON text: only that can be compared."""
    return json.loads(json.dumps(value))


def _acts(table: Table[Any], person: Person) -> bool:
    """Tell whether ``person`` may act for the seat to move."""
    to_move = table.to_move
    return to_move is not None and to_move in person.acts


def _claimed(table: Table[Any], action: Action) -> bool:
    """Tell whether ``action`` is claimed with its own button: not by a clock, and not where
    players settle it between themselves."""
    if table.clock is not None and action.verb in ANNOUNCED:
        return False
    return not settled_between(table.game, table.state, action)


def _reach(legal: Sequence[Action]) -> dict[str, list[str]]:
    """Return where each piece may go."""
    reach: dict[str, list[str]] = {}
    for action in legal:
        if action.origin and action.target:
            targets = reach.setdefault(action.origin, [])
            if action.target not in targets:
                targets.append(action.target)
    return reach


def _gave_away(look: Viewer, person: Person) -> int:
    """Return the share of the result, in percent, that ``person`` gave away with the last action
    and may have back; 0 where nothing is offered."""
    offer = look.machines["offer"]
    return round(100 * offer["lost"]) if offer and offer["seat"] in person.seats else 0
