"""What a camera should see, what a hand does to it, and what cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import EVERYBODY
from companion.games.heximeros.declare import claims, legal, sovereign
from companion.games.heximeros.moves import moves_of
from companion.games.heximeros.pieces import (
    COLOURS,
    NAMED,
    OWNER,
    TOKEN_NAME,
    TOKENS,
    kind_of,
)
from companion.games.heximeros.plans import may_promote
from companion.games.heximeros.play import advance, arrived, deed
from companion.games.heximeros.state import FRESH, NOWHERE, HexiMerosState
from companion.rules import Action, Effect, Position, Problem, Text, say


def expect(state: HexiMerosState) -> Position:
    """Return what should lie on the board."""
    seen = {name: TOKENS[code] for name, code in zip(g.NAMES, state.board, strict=False) if code}
    if state.arena.seen:
        seen[state.arena.tokens[state.army]] = TOKEN_NAME
    return seen


def accepts(state: HexiMerosState, spot: str) -> tuple[str | None, ...]:
    """Return what may lie on ``spot`` with nothing amiss, the expected first: a hat is put on
    late. A promoted Militant is not read as such before it is exchanged (HX-5.1)."""
    token = expect(state).get(spot)
    if token is not None and token.endswith("+"):
        return token, token.removesuffix("+")
    return (token,)


def moves_at(state: HexiMerosState, cell: int) -> list[Action]:
    """Return the moves of the piece on ``cell``: none if it is not of the army that has the Token,
    or that army has moved."""
    own = OWNER[state.board[cell]] == state.army
    return moves_of(state, cell) if own and state.turn.stage == FRESH else []


def effect(state: HexiMerosState, action: Action) -> Effect:
    """Return what ``action`` does to the table, legal or not."""
    if action.verb == "move" and action.origin in g.INDEX and action.target in g.INDEX:
        return _carried(state, action)
    if state.tally.ending or (action not in legal(state) and action not in claims(state)):
        return _nothing(state, action)
    before, after = expect(state), expect(advance(state, action))
    changes = {
        spot: after.get(spot)
        for spot in {**before, **after} if before.get(spot) != after.get(spot)
    }  # fmt: skip
    piece = TOKEN_NAME if action.verb == "move" else None
    if action.verb == "place":
        piece = after[str(action.target)]
    return Effect(COLOURS[state.player], piece, changes=MappingProxyType(changes))


def _nothing(state: HexiMerosState, action: Action) -> Effect:
    """What is refused and moves no piece; a Token may still be carried to a wrong place."""
    if action.verb != "move":
        return Effect(COLOURS[state.player], None)
    token = expect(state).get(str(action.origin))
    if token is None:
        return Effect(None, None)
    changes = MappingProxyType({str(action.origin): None, str(action.target): token})
    return Effect(COLOURS[state.player], token, changes=changes)


def _carried(state: HexiMerosState, action: Action) -> Effect:
    """A piece goes from a space to another, and knocks off what stands there."""
    origin, target = g.INDEX[action.origin], g.INDEX[action.target]
    code, victim = state.board[origin], state.board[target]
    if not code:
        return Effect(None, None)
    seat, token = COLOURS[state.tally.masters[OWNER[code]]], TOKENS[code]
    if not state.tally.ending and action in moves_at(state, origin):
        changed, taken = deed(state, action)
        changes = {g.NAMES[cell]: TOKENS[new] or None for cell, new in changed}
        becomes = TOKENS[arrived(state, action)]
        return Effect(
            seat, token, tuple(TOKENS[state.board[cell]] for cell in taken),
            MappingProxyType(changes), becomes=becomes if becomes != token else None,
        )  # fmt: skip
    captures = (TOKENS[victim],) if victim and origin != target else ()
    left = {str(action.origin): None, str(action.target): token}
    return Effect(seat, token, captures, MappingProxyType(left))


# -- what cannot be --------------------------------------------------------------------------------


def check(state: HexiMerosState) -> tuple[Problem, ...]:
    """Return why the position cannot be: one Sovereign and thirteen Militants of a colour at most,
    and past its Center Line none without a hat but on Ground Zero (HX-2.1, HX-5.1, HX-5.3)."""
    pieces = [(cell, code) for cell, code in enumerate(state.board[: g.COUNT]) if code]
    found = []
    for army in EVERYBODY:
        kinds = {cell: kind_of(code) for cell, code in pieces if OWNER[code] == army}
        sovereigns = [g.NAMES[cell] for cell, kind in kinds.items() if kind == "S"]
        militants = [g.NAMES[cell] for cell, kind in kinds.items() if kind in ("M", "M+")]
        values = {"army": NAMED[army], "most": 13}
        if len(sovereigns) > 1:
            reason = say("{army} has more than one Sovereign.", **values)
            found.append(Problem("HX-5.3", reason, tuple(sovereigns)))
        if len(militants) > 13:
            reason = say("{army} has more than {most} Militants.", **values)
            found.append(Problem("HX-2.1", reason, tuple(militants)))
        bare = tuple(
            g.NAMES[cell] for cell, kind in kinds.items()
            if kind == "M" and cell != g.GROUND_ZERO
            and may_promote(cell, state.arena.places[army])
        )  # fmt: skip
        if bare:
            reason = say("{army} has a Militant without a hat past its Center Line.", **values)
            found.append(Problem("HX-5.1", reason, bare))
    return tuple(found)


def highlights(state: HexiMerosState) -> Mapping[str, tuple[str, ...]]:
    """Return the spots worth marking: the Sovereigns in declared Check, a Militant that may be
    promoted."""
    if state.tally.ending:
        return {}
    marks = {
        "check": tuple(
            g.NAMES[sovereign(state, army)] for army in EVERYBODY if state.tally.checks >> army & 1
        ),
        "promotion": (g.NAMES[state.turn.hat],) if state.turn.hat != NOWHERE else (),
    }  # fmt: skip
    return {name: spots for name, spots in marks.items() if spots}


def situation(state: HexiMerosState) -> tuple[Text, ...]:
    """Return what everybody should know now, beside what the scorecards tell."""
    if state.tally.ending:
        return ()
    told = _armies(state)
    player, army = NAMED[state.player], NAMED[state.army]
    if state.player != state.army:
        told.append(say("{player} plays the {army} army now.", player=player, army=army))
    if state.turn.stage != FRESH:
        told.append(say("The move is made when the Token is passed; it may be taken back."))
    if state.turn.hat != NOWHERE:
        told.append(_due(state))
    told += [
        say("Check is declared upon {army}.", army=NAMED[a])
        for a in EVERYBODY if state.tally.checks >> a & 1
    ]  # fmt: skip
    return tuple(told)


def _armies(state: HexiMerosState) -> list[Text]:
    """Return who is out, whose army is out of play, and who plays another's."""
    tally = state.tally
    players = tally.players()
    told = [say("{player} is out of the game.", player=NAMED[p]) for p in EVERYBODY
            if p not in players]  # fmt: skip
    for army in EVERYBODY:
        if not tally.live >> army & 1:
            told.append(say("The {army} army is out of play: its Sovereign is gone.",
                            army=NAMED[army]))  # fmt: skip
        elif tally.masters[army] != army:
            told.append(say("{player} plays for {army}.", player=NAMED[tally.masters[army]],
                            army=NAMED[army]))  # fmt: skip
    return told


def _due(state: HexiMerosState) -> Text:
    """Return whose promotion may be made now."""
    player, spot = NAMED[state.player], g.NAMES[state.turn.hat]
    if state.turn.first:
        return say("{player} may add a second piece to the one on {spot}.", player=player,
                   spot=spot)  # fmt: skip
    return say("{player} may promote the Hatted Militant on {spot}.", player=player, spot=spot)
