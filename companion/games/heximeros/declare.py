"""What is announced: Check, leaving the game, a draw (HX-3.4, HX-5.4, HX-5.5)."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import EVERYBODY
from companion.games.heximeros.hats import placings
from companion.games.heximeros.moves import moves
from companion.games.heximeros.pieces import COLOURS, DREADNAUGHT, OWNER, SUB, kind_of
from companion.games.heximeros.play import advance, deed, next_army
from companion.games.heximeros.state import FRESH, HexiMerosState
from companion.rules import Action, say

TOKEN = Action("token")
RESIGN, DRAW = Action("resign"), Action("draw")
WORDS = MappingProxyType({
    "token": say("pass the Token"), "check": say("declare Check upon"), "resign": say("resign"),
    "concede": say("concede for"), "expel": say("expel"), "draw": say("agree to a draw"),
})  # fmt: skip
"""What is said beside the moves, and what its buttons say."""
NAMING = dict.fromkeys(("check", "concede", "expel"), COLOURS)
"""The words with which an army is named."""


@cache
def _named(verb: str, army: int) -> Action:
    return Action(verb, detail=COLOURS[army])


def token(state: HexiMerosState) -> Action:
    """Return the passing of the Token: by word, or by hand to the next army's place (HX-3.1)."""
    names, following = state.arena.tokens, next_army(state.tally.live, state.army)
    if not state.arena.seen or following == state.army:
        return TOKEN
    return Action("move", names[state.army], names[following])


def legal(state: HexiMerosState) -> list[Action]:
    """Return every legal action of the army that has the Token; empty when the game is over."""
    if state.tally.ending:
        return []
    if state.turn.stage != FRESH:
        return [token(state), *placings(state)]
    found = moves(state)
    if state.tally.checks and bound(state):
        found = answers(state, found)
    return found or [token(state)]


def bound(state: HexiMerosState) -> bool:
    """Tell whether the army that has the Token has to answer a declared Check (HX-3.4)."""
    declared = state.tally.checks >> state.army & 1
    return bool(declared) and state.arena.setup["check"] == "binding"


def answers(state: HexiMerosState, found: list[Action]) -> list[Action]:
    """Return the moves among ``found`` after which the Sovereign stands in no Check; all of them
    where there is no such move (HX-3.4)."""
    safe = [move for move in found if not attackers(advance(state, move), state.army)]
    return safe or found


def sovereign(state: HexiMerosState, army: int) -> int:
    """Return where the Sovereign of an army in play stands."""
    return next(
        cell for cell, code in enumerate(state.board)
        if OWNER[code] == army and kind_of(code) == "S"
    )  # fmt: skip


def attackers(state: HexiMerosState, army: int) -> tuple[int, ...]:
    """Return the cells of the pieces that could capture the Sovereign of ``army`` if they had the
    move."""
    cell, tally = sovereign(state, army), state.tally
    foes = (
        a for a in EVERYBODY if tally.live >> a & 1 and tally.masters[a] != tally.masters[army]
    )  # fmt: skip
    return tuple(origin for foe in foes for origin in strikers(state, foe, cell))


def strikers(state: HexiMerosState, army: int, cell: int) -> tuple[int, ...]:
    """Return the cells of the pieces of ``army`` that could capture on ``cell``."""
    there, name = state._replace(army=army), g.NAMES[cell]
    found = (
        move for move in moves(there)
        if (move.target == name or move.detail == f"*{name}"
            or SUB[state.board[g.INDEX[move.origin]]] == DREADNAUGHT)
        and cell in deed(there, move).taken
    )  # fmt: skip
    return tuple(dict.fromkeys(g.INDEX[move.origin] for move in found))


def checking(state: HexiMerosState, army: int) -> tuple[int, ...]:
    """Return the cells that prove a Check upon ``army`` now: the pieces of whoever has the Token,
    or of anybody if it is upon himself (HX-3.4)."""
    if state.tally.masters[army] == state.player:
        return attackers(state, army)
    return strikers(state, state.army, sovereign(state, army))


def binds(state: HexiMerosState, claim: Action) -> tuple[str, ...]:
    """Return the seats whose will ``claim`` is (HX-5.4, HX-5.5)."""
    players = tuple(COLOURS[player] for player in state.tally.players())
    if claim.verb == "expel":
        return tuple(seat for seat in players if seat != claim.detail)
    own = {"resign": (COLOURS[state.player],), "concede": (str(claim.detail),), "draw": players}
    return own.get(claim.verb, ())


def resignation(state: HexiMerosState, seat: str) -> Action | None:
    """Return the claim by which ``seat`` leaves the game (HX-5.4)."""
    player = COLOURS.index(seat)
    if state.tally.ending or player not in state.tally.players():
        return None
    return RESIGN if player == state.player else _named("concede", player)


def claims(state: HexiMerosState) -> list[Action]:
    """Return what may be announced now."""
    tally = state.tally
    if tally.ending:
        return []
    found = [RESIGN, *([DRAW] if len(tally.players()) == 2 else [])]
    for player in tally.players():
        found += [_named("concede", player)] if player != state.player else []
        found.append(_named("expel", player))
    for army in EVERYBODY:
        if tally.live >> army & 1 and not tally.checks >> army & 1 and checking(state, army):
            found.append(_named("check", army))
    return found
