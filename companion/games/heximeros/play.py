"""What an action changes: moves, captures, promotions, the Token, who is still in the game."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import EVERYBODY
from companion.games.heximeros.hats import piece_named
from companion.games.heximeros.moves import moves, sides_of
from companion.games.heximeros.pieces import (
    CAPTURE,
    CARRIED,
    COLOURS,
    DRAWN,
    DREADNAUGHT,
    EMPTY,
    HATTED,
    MILITANT,
    OWNER,
    PREY,
    S_FIRST,
    SOVEREIGN,
    SUB,
    code_of,
    kind_of,
)
from companion.games.heximeros.plans import may_promote
from companion.games.heximeros.state import (
    FRESH,
    MOVED,
    NEW_TURN,
    NOWHERE,
    HexiMerosState,
    HexiMerosTally,
    HexiMerosTurn,
)
from companion.rules import Action

OUT: Final = (-50, -40, -30, -20, -10)
"""Points that the loss of a Sovereign costs, in the order of the losses (HX-6.2)."""
WIN: Final = 100
DRAW: Final = 45
EXPELLED: Final = -500
"""Points for the winner, for each in a draw, and for who is expelled (HX-6.1, HX-6.2)."""


class Deed(NamedTuple):
    """What a legal move does to the board: cell and new code, and the cells captured on."""

    changes: tuple[tuple[int, int], ...]
    taken: tuple[int, ...]


def deed(state: HexiMerosState, action: Action) -> Deed:
    """Return what a legal move of a piece does to the board."""
    b, arena = state.board, state.arena
    origin, target = g.INDEX[action.origin], g.INDEX[action.target]
    code = b[origin]
    if SUB[code] == S_FIRST:
        for way in arena.sanctuaries[OWNER[code]]:
            if way.move == action:
                return Deed(
                    ((origin, EMPTY), (way.alcazar, EMPTY), (way.beside, way.after),
                     (target, code_of(OWNER[code], SOVEREIGN))), (),
                )  # fmt: skip
    if SUB[code] == DREADNAUGHT:
        crossed = swept(origin, target)
    elif action.detail.startswith("*"):
        crossed = (g.INDEX[action.detail[1:]],)
    else:
        crossed = (target,)
    taken = tuple(cell for cell in crossed if b[cell])
    gone = ((cell, EMPTY) for cell in taken if cell != target)
    return Deed(((origin, EMPTY), *gone, (target, arrived(state, action))), taken)


def swept(origin: int, target: int) -> tuple[int, ...]:
    """Return the cells that a Dreadnaught crosses from ``origin``, ``target`` among them."""
    found = g.heading(origin, target)
    assert found is not None, "a Dreadnaught goes straight"
    step, times = found
    return g.ray(origin, step)[:times]


def arrived(state: HexiMerosState, action: Action) -> int:
    """Return what a piece has become when its move is done (HX-5.1)."""
    code, target = state.board[g.INDEX[action.origin]], g.INDEX[action.target]
    army, sub = OWNER[code], CARRIED[SUB[code]]
    if sub != MILITANT:
        return code_of(army, sub)
    if action.detail:
        return piece_named(state, action.detail)
    off = action.origin == g.NAMES[g.GROUND_ZERO]
    past = may_promote(target, state.arena.places[army]) and target != g.GROUND_ZERO
    return code_of(army, HATTED if off or past else MILITANT)


def advance(state: HexiMerosState, action: Action) -> HexiMerosState:
    """Return the state after a legal ``action``, or a claim."""
    if action.verb == "move" and action.origin in g.INDEX:
        return _moved(state, action)
    if action.verb == "place":
        return _placed(state, action)
    if action.verb in ("move", "token"):
        return _passed(state)
    if action.verb == "check":
        checks = state.tally.checks | 1 << COLOURS.index(action.detail)
        return state._replace(tally=state.tally._replace(checks=checks))
    if action.verb == "draw":
        return _finished(state, NOWHERE)
    player = COLOURS.index(action.detail) if action.detail else state.player
    return _left(state, player, action.verb)


# -- moves -----------------------------------------------------------------------------------


def _moved(state: HexiMerosState, action: Action) -> HexiMerosState:
    changes, taken = deed(state, action)
    board, tally = bytearray(state.board), state.tally
    marks = sides_of(state).marks
    for cell in taken:
        tally = _captured(tally, state.player, state.board[cell], marks)
    for cell, code in changes:
        board[cell] = code
    target = g.INDEX[action.target]
    if action.detail and not action.detail.startswith("*"):
        points = CAPTURE[kind_of(board[target])]
        tally = _promoted(tally, state.player, board[target], points)
    hatted = SUB[state.board[g.INDEX[action.origin]]] == HATTED
    hat = target if hatted and target in g.BASE_OF else NOWHERE
    return HexiMerosState(
        state.arena, bytes(board), state.army, HexiMerosTurn(MOVED, target, hat), tally
    )


def _captured(tally: HexiMerosTally, player: int, code: int, marks: bytes) -> HexiMerosTally:
    """Book a capture; a piece that a Dreadnaught swept away from its own side counts nothing
    (HX-6.3), a Sovereign takes its army out of play (HX-5.3)."""
    captures = _with(tally.captures, player, (*tally.captures[player], code))
    points = list(tally.points)
    points[player] += CAPTURE[kind_of(code)] if marks[code] == PREY else 0
    tally = tally._replace(captures=captures, points=tuple(points))
    if kind_of(code) != "S":
        return tally
    army = OWNER[code]
    loser = tally.masters[army]
    points[loser] += OUT[min(len(tally.outs), len(OUT) - 1)]
    return tally._replace(
        live=tally.live & ~(1 << army), outs=(*tally.outs, loser), points=tuple(points),
        checks=tally.checks & ~(1 << army),
    )  # fmt: skip


Lists = tuple[tuple[int, ...], ...]


def _with(lists: Lists, at: int, new: tuple[int, ...]) -> Lists:
    return (*lists[:at], new, *lists[at + 1 :])


def _promoted(tally: HexiMerosTally, player: int, code: int, points: int) -> HexiMerosTally:
    promotions = _with(tally.promotions, player, (*tally.promotions[player], code))
    total = list(tally.points)
    total[player] += points
    return tally._replace(promotions=promotions, points=tuple(total))


def _placed(state: HexiMerosState, action: Action) -> HexiMerosState:
    """Book a Hatted Militant's promotion (HX-5.2, HX-6.5)."""
    turn, tally, player = state.turn, state.tally, state.player
    code, cell = piece_named(state, action.detail), g.INDEX[action.target]
    board, army, kind = bytearray(state.board), OWNER[code], kind_of(code)
    if not turn.first:
        board[turn.hat] = EMPTY
    board[cell] = code
    if kind == "S":
        masters = list(tally.masters)
        masters[army] = player
        tally = tally._replace(live=tally.live | 1 << army, masters=tuple(masters))
    if army == state.army or kind == "S":
        tally = _promoted(tally, player, code, 2 * CAPTURE[kind])
    else:
        tally = _promoted(tally, player, code, DRAWN[kind])
        friend = tally.masters[army]
        if tally.live >> army & 1 and friend != player:
            points = list(tally.points)
            points[friend] += DRAWN[kind]
            tally = tally._replace(points=tuple(points))
    more = not turn.first and cell == turn.hat and kind != "S"
    # Who knows the first piece can say why no second one follows.
    left = turn.hat if more and may_be_two(state, army) else NOWHERE
    after = HexiMerosTurn(MOVED, turn.end, left, code if more else 0)
    return HexiMerosState(state.arena, bytes(board), state.army, after, tally)


def may_be_two(state: HexiMerosState, army: int) -> bool:
    """Tell whether a second capital may follow a first one of ``army`` (HX-5.2)."""
    return bool(state.tally.live >> army & 1) or state.arena.setup["two_capitals"] == "any"


# -- the Token, and who is still in ----------------------------------------------------------------


def next_army(live: int, army: int) -> int:
    """Return the next army in ring order that is in play, ``army`` itself if it is the last."""
    ring = ((army + n) % 6 for n in range(1, 7))
    return next((a for a in ring if live >> a & 1), army)


def _passed(state: HexiMerosState) -> HexiMerosState:
    tally = state.tally._replace(checks=state.tally.checks & ~(1 << state.army))
    state = state._replace(tally=tally)
    if state.turn.stage == FRESH and state.arena.setup["no_move"] == "out" and not moves(state):
        state = _removed(state, state.army)
    return _next(state, passed=True)


def _next(state: HexiMerosState, passed: bool) -> HexiMerosState:
    """Return the next turn, or the end of the game where one player alone is left."""
    players, live = state.tally.players(), state.tally.live
    if passed or not live >> state.army & 1:
        state = state._replace(army=next_army(live, state.army), turn=NEW_TURN)
    return state if len(players) > 1 else _finished(state, *players)


def _removed(state: HexiMerosState, army: int) -> HexiMerosState:
    """Take the Sovereign of ``army`` off the board: its pieces stay, out of play (HX-5.3)."""
    board, tally = bytearray(state.board), state.tally
    cell = next(c for c in range(g.COUNT) if OWNER[board[c]] == army and kind_of(board[c]) == "S")
    tally = tally._replace(
        live=tally.live & ~(1 << army), checks=tally.checks & ~(1 << army),
        removed=(*tally.removed, board[cell]),
    )  # fmt: skip
    board[cell] = EMPTY
    return state._replace(board=bytes(board), tally=tally)


def _left(state: HexiMerosState, player: int, word: str) -> HexiMerosState:
    """A player leaves the game with all armies that are his (HX-5.5)."""
    for army in EVERYBODY:
        if state.tally.live >> army & 1 and state.tally.masters[army] == player:
            state = _removed(state, army)
    points = list(state.tally.points)
    points[player] += EXPELLED if word == "expel" else 0
    left = (*state.tally.left, (player, word))
    state = state._replace(tally=state.tally._replace(left=left, points=tuple(points)))
    return _next(state, passed=False)


def retention(state: HexiMerosState, player: int, worth: dict[str, int]) -> int:
    """Return what the pieces of the armies that ``player`` plays count on the board (HX-6.4)."""
    tally = state.tally
    own = [a for a in EVERYBODY if tally.live >> a & 1 and tally.masters[a] == player]
    return sum(worth[kind_of(code)] for code in state.board[: g.COUNT] if OWNER[code] in own)


def _finished(state: HexiMerosState, winner: int = NOWHERE) -> HexiMerosState:
    """End the game: ``winner`` alone is left, NOWHERE for a draw (HX-5.4, HX-6.1)."""
    points = list(state.tally.points)
    for player in state.tally.players():
        won = winner == player
        points[player] += WIN if won else DRAW
        points[player] += retention(state, player, CAPTURE if won else DRAWN)
    tally = state.tally._replace(points=tuple(points), ending="HX-5.4", winner=winner)
    return state._replace(turn=NEW_TURN, tally=tally)
