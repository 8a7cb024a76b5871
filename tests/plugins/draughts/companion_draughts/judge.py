"""The ruling on any conceivable action."""

from dataclasses import replace
from functools import partial

from companion.rules import Action, Ruling, quoted, say
from companion_draughts.moves import captures, steps
from companion_draughts.state import COLOURS, State, outcome

no = partial(Ruling, False)


def judge(state: State, action: Action) -> Ruling:
    """Rule on ``action``: allowed exactly if it is legal."""
    if end := outcome(state):
        return no(end.rule, say("The game is over."))
    board, origin, target = dict(state.men), action.origin, action.target
    known = origin in state.variant.board and target in state.variant.board
    if origin is None or target is None or not known or action.verb != "move" or action.detail:
        reason = say("{action} is nothing that a player of draughts does.", action=quoted(action))
        return no("DR-1.3", reason)
    token, flying, seat = board.get(origin, ""), state.variant.flying, COLOURS[state.seat]
    if not token.startswith(state.seat):
        reason = say("{seat} is to move and has no man on {spot}.", seat=seat, spot=origin)
        return no("DR-1.3", reason, (origin,))
    man = token.endswith("man")
    walks = "DR-2.1" if man else "DR-2.3" if flying else "DR-2.2"
    takes = "DR-3.1" if not flying else "DR-3.2" if man else "DR-3.3"
    if (move := state.moves.get(action)) and move.via:
        reason = say("It takes what stands on {spots}.", spots=move.via)
        return Ruling(True, takes, reason, (origin, *move.via, target))
    if move:
        return Ruling(True, walks, say("It may go to {spot}.", spot=target), (origin, target))
    move = Action("move", origin, target)
    wrong = _capture_refused(state, move, bool(action.via))
    return wrong or _way_refused(state, move, walks, takes)


def _capture_refused(state: State, move: Action, said: bool) -> Ruling | None:
    """Refuse a capture that is told wrongly, stops early, or takes fewer men than another."""
    ends = (move.origin, move.target)
    if ways := [str(other) for other in state.moves if replace(other, via=()) == move]:
        return no("DR-3.6", say("It is written {ways}.", ways=ways), ends)
    if said:
        return no("DR-3.6", say("No capture of these men leads there."), ends)
    every = captures(state.men, state.seat, state.variant)
    tried = [{*other.via} for other in every if replace(other, via=()) == move]
    for whole in state.moves.values():
        if whole.origin == move.origin and any(taken < {*whole.via} for taken in tried):
            reason = say("The capture goes on from {spot}.", spot=move.target)
            return no("DR-3.5", reason, (move.target, *whole.via))
    if tried:
        most = next(iter(state.moves.values()))
        few, many = len(tried[0]), len(most.via)
        reason = say("This takes {few}, where {many} can be taken.", few=few, many=many)
        return no("DR-3.7", reason, (most.origin, *most.via))
    return None


def _way_refused(state: State, move: Action, walks: str, takes: str) -> Ruling:
    """Refuse a way that the piece does not go, or not while one has to capture."""
    board, ends = dict(state.men), (move.origin, move.target)
    due = next(iter(state.moves.values()))
    if move.target in board:
        return no(walks, say("{spot} is not empty.", spot=move.target), (move.target,))
    if move in steps(state.men, state.seat, state.variant):
        return no("DR-3.4", say("{spot} can capture.", spot=due.origin), (due.origin, *due.via))
    ray = next((ray for ray in state.variant.rays[move.origin] if move.target in ray), None)
    if ray is None:
        return no(walks, say("Pieces go along the diagonals."), ends)
    met = tuple(spot for spot in ray[: ray.index(move.target)] if spot in board)
    ways, reach = state.variant.ways(move.origin, board[move.origin], bool(met))
    if ray not in ways:
        reason = say("A man goes forward only.")
    elif not met:
        reason = say("It goes one square at a time.")
    elif reach == 1:
        reason = say("A jump leads over one enemy to the square just behind.")
    else:
        reason = say("A king jumps over one enemy, to an empty square behind.")
    return no(takes if met else walks, reason, (*ends, *met))
