"""What every light means: a pure function from a game's state and a moment to lit spots.

No meaning rests on colour alone: meanings that can be lit together differ in effect, or one is
at least three times as bright as the other. What **blinks** is wrong and has to go, what flashes
**double** asks for a token, a **pulse** says *look here*, a **wink** marks what must not move on,
a **beat** goes round the answers to a question, a **wave** celebrates, **steady** informs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from companion.rules import Action, Effect, Game, Text, highlights_of, mark_of, owner_of, say

EffectName = Literal["steady", "pulse", "blink", "double", "wink", "beat", "wave"]
"""How a light moves: see ``hardware.effects``."""

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

Level = Literal["full", "errors", "off"]


class Light(NamedTuple):
    """How the light under one spot shines: its ``colour`` and ``effect``; which of :data:`MEANINGS`
    it has, in which ``words``; and by how many periods its effect is ahead (``phase``)."""

    colour: Colour
    effect: EffectName = "steady"
    meaning: str = ""
    words: str = ""
    phase: float = 0.0


LightFrame = Mapping[str, Light]
"""Spot -> light; a spot that is not named is dark. Never changes once it is made."""


class Moment(NamedTuple):
    """What goes on at the table besides the game's state; all are spots.

    ``lifted``: its token is in the hand. ``differs``: the table does not fit the state.
    ``proof``: they prove the last refusal. ``last``: those of the last action, in order.
    ``missing`` and ``wrong``: before the game, what has still to be put there, and what does not
    belong there. ``back``: where a refused token came from, ``stray``: where it lies.
    ``asks``: the spots of each answer to an open question. ``won``: the seats that won where the
    players ended the game and not its rules, none for a draw; None while it goes on.
    ``meant``: those of the action that has to be made here, such as a machine's, in order.
    ``shown``: what somebody asked to be shown, or a lesson shows.
    ``level``: ``full``, ``errors`` (what has to be mended or answered alone), ``off``.
    """

    lifted: str | None = None
    differs: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    level: Level = "full"
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    stray: tuple[str, ...] = ()
    asks: tuple[tuple[str, ...], ...] = ()
    won: tuple[str, ...] | None = None
    meant: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


HELD = "held"
"""The meaning of tokens that may not move on; the game has its own words for it."""

_TABLE: tuple[tuple[str, Colour, EffectName, Text], ...] = (
    ("missing", (255, 255, 200), "double", say("a piece belongs here")),
    ("wrong", (255, 40, 0), "blink", say("not what belongs here")),
    ("differs", (255, 40, 0), "blink", say("differs from the game")),
    ("back", (255, 255, 200), "double", say("put it back here")),
    ("proof", (255, 140, 0), "pulse", say("proves the ruling")),
    ("stray", (255, 140, 0), "wink", say("may not stand here")),
    ("asking", (170, 0, 255), "beat", say("which was it?")),
    ("capture", (255, 0, 60), "pulse", say("may be captured")),
    ("destination", (0, 220, 70), "steady", say("may go here")),
    ("nowhere", (255, 140, 0), "pulse", say("may not move")),
    ("home", (40, 40, 60), "steady", say("lifted from here")),
    ("win", (255, 180, 0), "wave", say("has won")),
    (HELD, (0, 110, 160), "wink", say("may not move on")),
    ("meant", (0, 90, 255), "beat", say("a move to be made here")),
    ("shown", (0, 200, 255), "beat", say("look here")),
    ("highlight", (0, 110, 160), "pulse", say("marked")),
    ("last", (35, 35, 60), "steady", say("last move")),
    ("turn", (12, 12, 8), "steady", say("may move")),
)

MEANINGS: Mapping[str, Light] = MappingProxyType(
    {name: Light(colour, effect, name, words) for name, colour, effect, words in _TABLE}
)
"""Every meaning; where two fall on one spot the earlier one is lit."""


def lights(game: Game[Any], state: Any, moment: Moment) -> LightFrame:
    """Return what is lit in ``state`` at this ``moment``.

    One thing at a time: what has to be mended, else an open question, else where the token in
    the hand may go, else what a machine means, else what was asked for, else who has won, else the
    quiet lights. Spots that the board does not have are left out.
    """
    if moment.level == "off":
        return _frame({})
    wanted = _to_mend(moment) or _question(moment)
    if not wanted and moment.level == "full":
        if moment.lifted:
            wanted = _where_to(game, state, moment)
        else:
            wanted = (
                _pointed(moment) or _winners(game, state, moment) or _quiet(game, state, moment)
            )
    board = game.board(state.setup)
    lit: dict[str, Light] = {}
    for meaning, light in MEANINGS.items():
        for spot, phase in wanted.get(meaning, {}).items():
            if spot in board and spot not in lit:
                lit[spot] = light._replace(phase=phase) if phase else light
    if HELD in wanted:
        called = _held(game, highlights_of(game, state))
        held = [spot for spot, light in lit.items() if light.meaning == HELD]
        lit |= {spot: lit[spot]._replace(words=called[spot]) for spot in held}
    return _frame(lit)


Wanted = dict[str, dict[str, float]]
"""Meaning -> spot -> phase, in periods of the effect."""


def _together(**spots: Iterable[str]) -> Wanted:
    return {meaning: dict.fromkeys(found, 0.0) for meaning, found in spots.items() if found}


def _to_mend(moment: Moment) -> Wanted:
    return _together(
        missing=moment.missing,
        wrong=moment.wrong,
        differs=moment.differs,
        back=moment.back,
        proof=moment.proof,
        stray=moment.stray,
    )


def _question(moment: Moment) -> Wanted:
    """Return the answers' spots, one answer after the other; what all of them share tells
    nothing."""
    if not moment.asks:
        return {}
    shared = set(moment.asks[0]).intersection(*moment.asks[1:])
    lit: dict[str, float] = {}
    for number, spots in enumerate(moment.asks):
        for spot in [spot for spot in spots if spot not in shared] or spots:
            lit.setdefault(spot, -number / len(moment.asks))
    return {"asking": lit}


def _pointed(moment: Moment) -> Wanted:
    """Return the way of the action that a machine wants, else of what was asked for, one spot after
    the other."""
    meaning, spots = ("meant", moment.meant) if moment.meant else ("shown", moment.shown)
    return {meaning: {spot: -n / len(spots) for n, spot in enumerate(spots)}} if spots else {}


def _legal(game: Game[Any], state: Any, moment: Moment) -> Sequence[Action]:
    return () if moment.won is not None else game.legal(state)


def _where_to(game: Game[Any], state: Any, moment: Moment) -> Wanted:
    """Return the lights while a token is in the hand."""
    here, lifted = game.expect(state), (str(moment.lifted),)
    moves = [action for action in _legal(game, state, moment) if action.origin in lifted]
    if not moves:
        return _together(nowhere=lifted)
    plain: list[str] = []
    captures: list[str] = []
    for action in moves:
        effect = game.effect(state, action)
        if effect.captures:
            captures += _victims(action, effect, here)
        if action.target and action.target not in captures:
            plain.append(action.target)
    return _together(capture=captures, destination=plain, home=lifted)


def _victims(action: Action, effect: Effect, here: Mapping[str, str]) -> list[str]:
    """Return the target and every spot from which a captured token is taken.

    Other spots may be emptied too, where an army leaves the board with its king."""
    left = list(effect.captures)
    on_target = here.get(action.target or "")
    if on_target in left:
        left.remove(on_target)
    beside = []
    for spot, token in effect.changes.items():
        if token is None and spot not in (action.origin, action.target) and here.get(spot) in left:
            left.remove(here[spot])
            beside.append(spot)
    return ([action.target] if action.target else []) + beside


def _winners(game: Game[Any], state: Any, moment: Moment) -> Wanted:
    """Return the winners' tokens, a wave running over them; nothing for a draw."""
    outcome = game.outcome(state)
    winners = moment.won or (outcome.winners if outcome else ())
    if not winners:
        return {}
    board = game.board(state.setup)
    theirs = [
        spot
        for spot, token in game.expect(state).items()
        if (owner_of(game, token) or board[spot].owner) in winners
    ]
    theirs.sort(key=lambda spot: board[spot].centre)
    return {"win": {spot: -number / len(theirs) for number, spot in enumerate(theirs)}}


def _quiet(game: Game[Any], state: Any, moment: Moment) -> Wanted:
    """Return the lights while nobody's hand is over the board."""
    legal = _legal(game, state, moment)
    marked = highlights_of(game, state)
    held = _held(game, marked)
    return _together(
        destination=[action.target for action in legal if action.verb == "place" and action.target],
        held=held,
        highlight=[spot for spots in marked.values() for spot in spots if spot not in held],
        last=moment.last,
        turn=[action.origin for action in legal if action.origin],
    )


def _held(game: Game[Any], marked: Mapping[str, tuple[str, ...]]) -> dict[str, Text]:
    """Return where tokens stand that may not move on, and what the game calls that."""
    return {
        spot: mark.words
        for name, spots in marked.items()
        if (mark := mark_of(game, name)).holds
        for spot in spots
    }


def _frame(lit: dict[str, Light]) -> LightFrame:
    return MappingProxyType(lit)
