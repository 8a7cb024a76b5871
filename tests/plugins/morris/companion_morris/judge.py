"""The ruling on any conceivable action."""

from companion.rules import Action, Ruling, quoted, say
from companion_morris.geometry import NEXT, STOCK
from companion_morris.state import COLOURS, State, actions, flies, outcome


def judge(state: State, action: Action) -> Ruling:
    """Rule on ``action``: allowed exactly if it is legal."""
    if end := outcome(state):
        return Ruling(False, end.rule, say("The game is over."))
    origin, target = str(action.origin), str(action.target)
    every = {*NEXT, *STOCK["white"], *STOCK["black"]}
    if action != Action("move", origin, target) or not {origin, target} <= every:
        reason = say("{action} is nothing that a player of morris does.", action=quoted(action))
        return Ruling(False, "NM-1.3", reason)
    if origin not in dict(state.men):
        return Ruling(False, "NM-1.3", say("No man is on {spot}.", spot=origin), (origin,))
    return (_taking if state.takes else _moving)(state, origin, target)


def _taking(state: State, origin: str, target: str) -> Ruling:
    """Rule on an action of a seat that has closed a mill."""
    board, both = dict(state.men), (origin, target)
    if board[origin] == state.seat:
        mills = tuple(spot for spot, man in state.men if man == state.seat and state.mill(spot))
        reason = say("{seat} has closed a mill and takes a man first.", seat=COLOURS[state.seat])
        return Ruling(False, "NM-4.1", reason, mills)
    if origin not in NEXT:
        return Ruling(False, "NM-4.1", say("A man is taken from the board."), both)
    if not any(action.origin == origin for action in actions(state)):
        reason = say("The man on {spot} stands in a mill, and others do not.", spot=origin)
        return Ruling(False, "NM-4.2", reason, state.mill(origin))
    if target not in STOCK[state.seat] or target in board:
        reason = say("Who takes a man lays it on a free place of his own row.")
        return Ruling(False, "NM-4.3", reason, (target,))
    return Ruling(True, "NM-4.1", say("The man on {spot} is taken.", spot=origin), both)


def _moving(state: State, origin: str, target: str) -> Ruling:
    """Rule on placing, moving or flying."""
    board, seat, stock = dict(state.men), state.seat, STOCK[state.seat]
    placed = origin in stock
    rule = "NM-2.1" if placed else "NM-3.2" if flies(state) else "NM-3.1"
    waiting = tuple(spot for spot in stock if board.get(spot) == seat)
    if board[origin] != seat:
        reason = say("It is the turn of {seat}, who has closed no mill.", seat=COLOURS[seat])
        return Ruling(False, "NM-1.3", reason, (origin,))
    if not placed and origin not in NEXT:
        reason = say("The man on {spot} was taken and is out of the game.", spot=origin)
        return Ruling(False, "NM-4.3", reason, (origin,))
    if waiting and not placed:
        reason = say("All men are placed before one moves; {n} wait.", n=len(waiting))
        return Ruling(False, "NM-2.2", reason, waiting)
    if target not in NEXT or target in board:
        reason = say("{spot} is no empty point of the board.", spot=target)
        return Ruling(False, rule, reason, (target,))
    if rule == "NM-3.1" and target not in NEXT[origin]:
        reason = say("A man goes along a line to the next point.")
        return Ruling(False, rule, reason, (origin, target, *NEXT[origin]))
    return Ruling(True, rule, say("The man may go to {spot}.", spot=target), (origin, target))
