"""What happened, in words: actions and events as lines that people read, in any language."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol

from companion.journal import Event, Events
from companion.rules import (
    Action,
    BadInput,
    Game,
    Names,
    Rule,
    Ruling,
    Setup,
    Text,
    called,
    name_of,
    said_by,
    say,
)
from companion.table import view
from companion.table.history import DOUBT, TAKEN_BACK, History

HAPPENED = ("arranged", "undone", "corrected", "ruled", "ended", "reopened")
"""The kinds of events, besides actions, that change the game."""
WORDS = ("offered", "accepted", "declined", "resigned", "rejoined")
"""The kinds of events that are messages between the players."""
NOTICES = ("resumed", "aside", "jumped", "spoilt")
"""The kinds of events by which the companion tells the players something: nobody has played."""
SHOWN = ("action", *HAPPENED, *WORDS, *NOTICES)
"""The kinds of events that pages show, besides refused actions."""
KNOWN = 256
"""Texts of events that are kept."""


def phrase(game: Game[Any], state: Any, action: Action) -> Text:
    """Return ``action`` in words: ``red King h2 → h4, takes blue Queen``."""
    if action.origin is None and action.target is None:
        who, words = game.to_move(state), said_by(game, action) or spoken(action, game)
        if not who or len(game.seats) == 1:  # nobody asks who, where one plays alone
            return say("{words}", words=words)
        return say("{seat}: {words}", seat=named(who), words=words)
    effect = game.effect(state, action)
    text = say(
        "{piece} {route}",
        piece=name_of(game, effect.piece) if effect.piece else say("nothing"),
        route=_route(action),
    )
    if effect.captures:
        text = say(
            "{move}, takes {pieces}",
            move=text,
            pieces=_listed(tuple(name_of(game, token) for token in effect.captures)),
        )
    if effect.becomes:
        text = say("{move}, becomes {piece}", move=text, piece=name_of(game, effect.becomes))
    return text


def spoken(action: Action, game: Game[Any]) -> Text:
    """Return a spoken action as the words on its button."""
    words = game.words.get(action.verb) or say("{word}", word=action.verb.replace("_", " "))
    if not action.detail:
        return words
    return say("{words} {detail}", words=words, detail=_detail(action.detail, game))


def _detail(detail: str, game: Game[Any]) -> str:
    """Return what an action names in words: a piece, a seat, a place; as it is written else."""
    if detail not in game.seats and isinstance(game, Names):
        with suppress(BadInput, ValueError, LookupError):
            return game.spoken(detail)
    return say(detail) if detail.isalpha() else called(detail)


def named(seat: str) -> str:
    """Return the name of a seat as a sentence that can be translated; other words as they are."""
    return say(seat) if seat.isalpha() else seat


def then(texts: list[Text]) -> Text:
    """Return the texts of several actions joined to one text."""
    text = texts[0]
    for other in texts[1:]:
        text = say("{first}, then {second}", first=text, second=other)
    return text


def ruling_json(ruling: Ruling, rule: Rule | None) -> dict[str, Any]:
    """Return a ruling with the title and text of its ``rule``, and its section in the book."""
    return {
        "allowed": ruling.allowed,
        "rule": ruling.rule,
        "title": rule.title if rule else "",
        "text": rule.text if rule else "",
        "reason": ruling.reason,
        "spots": list(ruling.spots),
        "section": rule.section if rule else "",
    }


class ToldGame(Protocol):
    """A game of which people are told what happened: the one at the table, or one of the past."""

    @property
    def game_id(self) -> int:
        """The number of the game in its journal."""

    @property
    def game(self) -> Game[Any]:
        """What is played."""

    @property
    def setup(self) -> Setup:
        """Who plays it, and by which options."""

    @property
    def line(self) -> History[Any]:
        """The actions that stand."""

    def events(self) -> Events:
        """Return everything that happened."""


class Entries:
    """Turns events into lines of history, in the words of the state they happened in. ``rules``
    are the rule texts to quote, in English if none are given; ``known`` keeps texts that have
    been made, from one change to the next."""

    def __init__(
        self,
        table: ToldGame,
        rules: Mapping[str, Rule] | None = None,
        known: dict[Any, str] | None = None,
    ) -> None:
        self._known, self._game_id = known, table.game_id
        self._game, self._setup, self._line = table.game, table.setup, table.line
        self._rules = table.game.rules if rules is None else rules
        rewrite = next(table.events().newest(*TAKEN_BACK), None)
        self._last_rewrite = 0 if rewrite is None else rewrite.seq

    def entry(self, event: Event, quoted: bool = True) -> dict[str, Any]:
        """Return ``event`` as a page shows it, its rule ``quoted`` or only named; ``stands`` is
        False for what was taken back."""
        ruling = event.ruling
        return {
            "seq": event.seq,
            "at": event.at,
            "actor": event.actor,
            "kind": event.kind,
            "action": event.action,
            "seat": event.data.get("seat"),
            "text": self._text(event),
            "why": event.data.get("why"),
            "stands": self._line.holds(event.seq),
            "ruling": ruling and self._ruling(ruling, quoted),
            "photographs": list(event.photographs),
        }

    def _ruling(self, ruling: Ruling, quoted: bool) -> dict[str, Any]:
        if not quoted:
            return view.ruling_json(ruling)
        return ruling_json(ruling, self._rules.get(ruling.rule))

    def _text(self, event: Event) -> str:
        if self._known is None:
            return self._made(event)
        key = (self._game_id, event.seq, self._last_rewrite)
        if key not in self._known:
            while len(self._known) >= KNOWN:
                self._known.pop(next(iter(self._known)))
            self._known[key] = self._made(event)
        return self._known[key]

    def _made(self, event: Event) -> str:
        if event.action is None:
            return self._offered(event) if event.data.get("claim") else _told(event)
        text = self._action(event, event.action)
        if event.kind != "ruled":
            return text
        if doubt := event.data.get(DOUBT):
            return say("the table decided: {move}. {doubt}", move=text, doubt=doubt)
        return say("the table decided: {move}", move=text)

    def _offered(self, event: Event) -> str:
        """Return what is said of a claim that needs others."""
        word, seat = self._game.parse(self._setup, event.data["claim"]), named(event.data["seat"])
        what = said_by(self._game, word) or spoken(word, self._game)
        if event.kind == "offered":
            return say("{seat} proposes: {what}", seat=seat, what=what)
        if event.kind == "accepted":
            return say("{seat} agrees: {what}", seat=seat, what=what)
        if event.data.get("own"):
            return say("{seat} takes the offer back", seat=seat)
        return say("{seat} declines: {what}", seat=seat, what=what)

    def _action(self, event: Event, notation: str) -> str:
        action = self._game.parse(self._setup, notation)
        if event.seq <= self._last_rewrite and not self._line.holds(event.seq):
            # Its state was rewritten since: only the notation is sure, and what was spoken.
            return _written(self._game, action)
        return phrase(self._game, self._line.until(event.seq - 1).state, action)


def _route(action: Action) -> str:
    """Return the places of a move, one after another."""
    route = ""
    for spot in action.spots:
        route = say("{one} → {other}", one=route, other=spot) if route else called(spot)
    return route


def _written(game: Game[Any], action: Action) -> str:
    """Return ``action`` in words where nobody knows any more what stood where."""
    route = _route(action)
    if not route:
        return said_by(game, action) or spoken(action, game)
    if not action.detail:
        return route
    return say("{piece} {route}", piece=_detail(action.detail, game), route=route)


def _listed(pieces: tuple[str, ...]) -> str | Text:
    text: str | Text = pieces[0]
    for piece in pieces[1:]:
        text = say("{one} and {other}", one=text, other=piece)
    return text


def _told(event: Event) -> str:
    """Return an event without an action in words."""
    data, seat = event.data, named(event.data.get("seat") or "")
    if data.get("reason"):
        reason: str = data["reason"]
        return reason
    if data.get("undo"):
        asked = {
            "offered": say("{seat} asks to take back what was shown", seat=seat),
            "accepted": say("{seat} agrees to take it back", seat=seat),
            "declined": say("{seat} lets it stand", seat=seat),
        }
        return asked.get(event.kind, event.kind)
    words = {
        "started": say("the game began"),
        "arranged": say("set up"),
        "ended": say("the game is over"),
        "reopened": say("the game goes on"),
        "ruled": say("the table decided how it stands"),
        "offered": say("{seat} offers a draw", seat=seat),
        "accepted": say("{seat} agrees to a draw", seat=seat),
        "declined": say("{seat} takes the offer back", seat=seat)
        if data.get("own")
        else say("{seat} declines the draw", seat=seat),
        "resigned": say("{seat} gave up", seat=seat),
        "rejoined": say("{seat} plays on", seat=seat),
        "resumed": say("the game goes on where it was left"),
        "jumped": say("the clock of the machine was set forward"),
        "aside": say("the game that was being played is kept under Past games"),
        "undone": say("taken back ({count})", count=data.get("count")),
        "corrected": say("corrected ({count})", count=data.get("count")),
    }
    return words.get(event.kind, event.kind)
