"""What an action changes: captures, bonus moves, freezing, the end of a turn and of the game."""

from __future__ import annotations

from typing import Final

from companion.games.victorus import geometry as g
from companion.games.victorus.fate import ChangingTable, end_turn
from companion.games.victorus.lines import EDGE_LINES, SPOKE_LINES
from companion.games.victorus.moves import axis_of, second_moves
from companion.games.victorus.pieces import KING, PIECES, ROYAL, SUB, is_double
from companion.games.victorus.state import (
    BONUS,
    FRESH,
    NEW_TURN,
    NOBODY,
    PIVOT,
    SECOND,
    VictorusState,
    VictorusTurn,
)
from companion.games.victorus.winding import laps_after
from companion.rules import Action


def advance(state: VictorusState, action: Action) -> VictorusState:
    """Return the state after a legal ``action``, or a claim."""
    if action.verb == "move":
        origin, target = g.INDEX[action.origin], g.INDEX[action.target]
        if state.turn.stage == FRESH and not state.board[target] and not state.tally.waiting:
            sub = SUB[state.board[origin]]
            if sub < 8:
                return quiet(state, origin, target)
        return played(state, origin, target)
    table = ChangingTable(state)
    if action.verb == "place":
        table.put(state.asked, g.INDEX[action.target])
        return table.state(state.turn)
    if action.verb == "time":
        table.call_time()
        return table.state(state.turn)
    return end_turn(table)


def quiet(state: VictorusState, origin: int, target: int) -> VictorusState:
    """Return the state after a regular knight's slide to an empty cell: the next seat's turn."""
    board = bytearray(state.board)
    board[target] = board[origin]
    board[origin] = 0
    place, finished = state.arena.next_place(state.place, state.tally.playing)
    if finished:
        return end_turn(ChangingTable(state._replace(board=bytes(board))), captured=False)
    return VictorusState(state.arena, bytes(board), place, NEW_TURN, state.tally)


def is_slide(sub: int, place: int, origin: int, target: int) -> bool:
    """Tell whether a piece's lines lead from ``origin`` to ``target``; else it is a strategic
    step or a pivot (VIC-4.1, VIC-4.2)."""
    found = g.heading(origin, target)
    assert found is not None, "a move runs along a line"
    spoke, d, _ = found
    kind = PIECES[sub].kind
    return (d - place) % 6 in (SPOKE_LINES if spoke else EDGE_LINES)[kind]


def played(state: VictorusState, origin: int, target: int) -> VictorusState:
    """Return the state after a piece has moved, whatever its part in the turn."""
    table = ChangingTable(state)
    code, turn = state.board[origin], state.turn
    part = part_of(state, origin, target)
    travelled(table, code, origin, target)
    if target == g.CENTRE:
        table.move(origin, target)
        table.conquer(state.place)
        return table.state(turn)
    victim, zone = state.board[target], table.view.zone[target]
    table.move(origin, target)
    turn = _moved(turn, origin, target)
    if victim:
        table.capture(code, victim)
        turn = turn._replace(last=target, fallen=turn.fallen | table.fallen)
    after = _PARTS[part](state, turn, (origin, target, victim, zone))
    table.settle()
    if after.stage != SECOND and after.stage != PIVOT and not after.bonus:
        return end_turn(table, captured=after.last != NOBODY)
    return table.state(after)


def travelled(table: ChangingTable, code: int, origin: int, target: int) -> None:
    """Count the way of a King or Queen about the centre (VIC-7.2)."""
    if KING <= SUB[code] < ROYAL and target != g.CENTRE:
        path = g.track(origin, target)
        table.set_laps(code, laps_after(table.laps(code), table.place, path))


def part_of(state: VictorusState, origin: int, target: int) -> str:
    """Return what the move is in the turn: first, second, pivot or bonus."""
    turn = state.turn
    if turn.stage != SECOND or origin != turn.mover:
        return turn.stage if turn.stage in (FRESH, PIVOT) else BONUS
    # In the quick game a captor may instead take its bonus at once; the second move costs none.
    return SECOND if g.move_action(origin, target) in second_moves(state) else BONUS


def _moved(turn: VictorusTurn, origin: int, target: int) -> VictorusTurn:
    """Carry what is known of the piece on ``origin`` over to ``target``."""
    began = tuple(pair for pair in turn.began if pair[0] != origin)
    barred = frozenset((target if c == origin else c, k) for c, k in turn.barred)
    return turn._replace(began=(*began, (target, turn.start_of(origin))), barred=barred)


Move = tuple[int, int, int, int]
"""Origin, target, the captured code or 0, the target's zone before the capture."""


def _first(state: VictorusState, turn: VictorusTurn, move: Move) -> VictorusTurn:
    origin, target, victim, zone = move
    sub = SUB[state.board[origin]]
    if PIECES[sub].kind == "H":
        return turn._replace(stage=PIVOT, mover=target)
    if not is_double(sub) or not is_slide(sub, state.place, origin, target):
        return _captured(state, turn, move) if victim else turn._replace(stage=BONUS)
    if victim and _stays(state, target):
        return _captured(state, turn._replace(first=zone), move)
    turn = turn._replace(stage=SECOND, mover=target, line=axis_of(origin, target))
    if not victim:
        return turn
    return _credit(state, turn, move)._replace(
        first=zone if _foreign(state, target) else g.BATTLEFIELD
    )


def _foreign(state: VictorusState, cell: int) -> bool:
    """Tell whether ``cell`` lies in an enemy kingdom."""
    return bool(state.arena.view(state.tally.live).foreign[state.place][cell])


def _stays(state: VictorusState, cell: int) -> bool:
    """Tell whether a captor on ``cell`` has to stay there (VIC-5.2, option ``captor``)."""
    return state.arena.stays and _foreign(state, cell)


def _credit(state: VictorusState, turn: VictorusTurn, move: Move) -> VictorusTurn:
    """Add the bonus move that a capture earns, and close the kingdom it happened in."""
    _, target, _, zone = move
    bonus = turn.bonus + 1 if state.arena.quick else 1
    barred = turn.barred
    if _foreign(state, target):
        barred |= {(target, zone)}
    return turn._replace(bonus=bonus, barred=barred)


def _captured(state: VictorusState, turn: VictorusTurn, move: Move) -> VictorusTurn:
    """A capture by a piece that is done: frozen, except in the quick game (VIC-5.2, VIC-8.1)."""
    turn = _credit(state, turn._replace(stage=BONUS, mover=NOBODY), move)
    rests = not state.arena.quick or _stays(state, move[1])
    return turn._replace(frozen=turn.frozen | {move[1]}) if rests else turn


def _second(state: VictorusState, turn: VictorusTurn, move: Move) -> VictorusTurn:
    _, target, victim, _ = move
    if turn.first == NOBODY:
        done = turn._replace(stage=BONUS, mover=NOBODY)
        return _captured(state, done, move) if victim else done
    if state.arena.quick:
        return _captured(state, turn, move) if victim else turn._replace(stage=BONUS, mover=NOBODY)
    anywhere = state.arena.setup["double"] == "any" and not state.arena.stays
    if victim and (anywhere or not _foreign(state, target)):
        return _credit(state, turn._replace(stage=BONUS, mover=target), move)
    frozen = turn.frozen | {target}
    return turn._replace(stage=BONUS, mover=NOBODY, bonus=1, frozen=frozen)


def _pivot(state: VictorusState, turn: VictorusTurn, move: Move) -> VictorusTurn:
    done = turn._replace(stage=BONUS, mover=NOBODY)
    return _captured(state, done, move) if move[2] else done


def _bonus(state: VictorusState, turn: VictorusTurn, move: Move) -> VictorusTurn:
    origin, target, victim, _ = move
    turn = turn._replace(bonus=turn.bonus - 1)
    own = turn.mover == origin and not state.arena.quick
    if turn.mover not in (NOBODY, origin) and not state.arena.quick:
        turn = turn._replace(frozen=turn.frozen | {turn.mover})
    turn = turn._replace(stage=BONUS, mover=NOBODY)
    if PIECES[SUB[state.board[origin]]].kind == "H":
        return turn._replace(stage=PIVOT, mover=target)
    if own and victim and not _stays(state, target):
        return _credit(state, turn._replace(mover=target), move)
    return _captured(state, turn, move) if victim else turn


_PARTS: Final = {FRESH: _first, SECOND: _second, PIVOT: _pivot, BONUS: _bonus}
