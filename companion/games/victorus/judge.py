"""The ruling on any conceivable action: who may move what now, then whether it gets there."""

from __future__ import annotations

from companion.games.victorus import geometry as g
from companion.games.victorus import ways
from companion.games.victorus.moves import (
    END,
    axis_of,
    bonus_colour,
    left_for_good,
    legal,
    nearest_free,
    returns,
    second_moves,
)  # fmt: skip
from companion.games.victorus.pieces import KING, OWNER, PIECES, QUEEN, ROYAL, SUB, TITLE
from companion.games.victorus.state import (
    BONUS,
    FRESH,
    NEW_TURN,
    NOBODY,
    PIVOT,
    SECOND,
    VictorusState,
)
from companion.games.victorus.ways import refuse, title
from companion.games.victorus.words import COLOURS, TITLES, WORDS
from companion.rules import Action, Ruling, Text, misspoken, quoted, say


def judge(state: VictorusState, action: Action) -> Ruling:
    """Rule on ``action``: allowed exactly if it is legal or may be claimed now."""
    if state.tally.ending:
        return refuse(state.tally.ending, say("The game is over."))
    if action.verb not in ("move", "place"):
        return _word(state, action)
    begun = (action.origin,) if action.verb == "move" else ()
    for spot in (*begun, *action.via, action.target):
        if spot not in g.INDEX:
            return refuse("VIC-2.7", say("{spot} is no cell of the board.", spot=quoted(spot)))
    return _place(state, action) if action.verb == "place" else _written(state, action)


def _word(state: VictorusState, action: Action) -> Ruling:
    """Rule on what is said instead of moved: the word alone, then what follows it."""
    if action.verb not in WORDS:
        return refuse("VIC-4.7", misspoken(action, WORDS, {}, TITLE))
    ruling = _end(state) if action.verb == "end" else _claim(state, action.verb)
    if ruling.allowed and action != Action(action.verb):
        return refuse(ruling.rule, misspoken(action, WORDS, {}, TITLE))
    return ruling


def _written(state: VictorusState, action: Action) -> Ruling:
    """Rule on a move as it is written: the move itself, then what is written beside it."""
    origin, target = g.INDEX[action.origin], g.INDEX[action.target]
    ruling = _move(state, origin, target)
    if ruling.allowed and action.via:
        reason = say(
            "A move goes straight from {origin} to {spot}; the two moves of a turn are told one "
            "after the other.",
            origin=action.origin, spot=action.target,
        )  # fmt: skip
        return refuse("VIC-3.2", reason, *(g.INDEX[spot] for spot in action.via))
    if ruling.allowed and action.detail:
        reason = say(
            "The {piece} does not become another piece by a move; a knight that has earned it is "
            "turned over when the turn ends.",
            piece=title(state, origin),
        )
        return refuse("VIC-6.2", reason, origin)
    return ruling


def allow(rule: str, reason: str, *cells: int) -> Ruling:
    """Return an approval with the cells it is about."""
    return Ruling(True, rule, reason, tuple(g.NAMES[cell] for cell in cells))


# -- spoken actions ------------------------------------------------------------------------


def _claim(state: VictorusState, verb: str) -> Ruling:
    if not state.arena.quick:
        return refuse("VIC-8.1", say("Only the quick game is played against the clock."))
    if verb == "time":
        if state.tally.time_up:
            return refuse("VIC-8.1", say("The game time is up already; this is the last round."))
        return allow(
            "VIC-8.1", say("The game time is up: the round is finished, then points count.")
        )
    if state.asked or state.turn.stage != FRESH:
        return refuse(
            "VIC-8.1", say("The turn has begun in time; it cannot be forfeited any more.")
        )
    return allow("VIC-8.1", say("The turn was not begun in time and is forfeited."))


def _end(state: VictorusState) -> Ruling:
    if state.asked:
        return _waits(state)
    ok, stage = END in legal(state), state.turn.stage
    if stage == FRESH:
        if ok:
            return allow("VIC-4.7", say("The turn may be passed."))
        reason = say(
            "{seat} can move, for example {action}, and has to.",
            seat=COLOURS[state.arena.colours[state.place]], action=str(legal(state)[0]),
        )  # fmt: skip
        return refuse("VIC-4.7", reason)
    mover = state.turn.mover
    due = state.arena.setup["second"] == "must" and stage == SECOND and second_moves(state)
    if stage == PIVOT or due or (stage == SECOND and not state.turn.bonus):
        return _end_between(state, mover, ok)
    if ok:
        return allow("VIC-5.2", say("The bonus move is declined."))
    reason = say(
        "The bonus move that the capture on {spot} earned has to be made, for example {action}.",
        spot=g.NAMES[state.turn.last], action=str(legal(state)[0]),
    )  # fmt: skip
    return refuse("VIC-5.2", reason, state.turn.last)


def _end_between(state: VictorusState, mover: int, ok: bool) -> Ruling:
    """Rule on ending the turn in the middle of what the piece on ``mover`` does."""
    piece = title(state, mover)
    if state.turn.stage == PIVOT:
        if ok:
            return allow("VIC-4.3", say("The {piece} may stay where it is.", piece=piece), mover)
        must = say("The {piece} has to pivot before the turn can end.", piece=piece)
        return refuse("VIC-4.3", must, mover)
    rule = "VIC-4.5" if SUB[state.board[mover]] < ROYAL else "VIC-4.4"
    if ok:
        return allow(rule, say("The {piece} may stop after its first move.", piece=piece), mover)
    return refuse(rule, say("The {piece} has to make its second move.", piece=piece), mover)


def _waits(state: VictorusState) -> Ruling:
    near = nearest_free(state.arena, state.board, state.asked)
    reason = say(
        "{seat} first puts the returned {royal} back on the board, on one of these cells: {spots}.",
        seat=COLOURS[state.arena.colours[OWNER[state.asked]]],
        royal=_royal(state.asked),
        spots=[g.NAMES[cell] for cell in near],
    )
    return refuse("VIC-7.5", reason, *near)


def _royal(code: int) -> Text:
    return TITLES[PIECES[SUB[code]].kind]


def _place(state: VictorusState, action: Action) -> Ruling:
    if not state.asked:
        return refuse("VIC-7.5", say("No King or Queen is to be put back on the board now."))
    code, cell = state.asked, g.INDEX[action.target]
    if action != Action("place", None, action.target, "KQ"[SUB[code] == QUEEN]):
        return _waits(state)
    if state.board[cell]:
        taken = say(
            "The {piece} stands on {spot} already; what is put back needs a free cell.",
            piece=title(state, cell), spot=action.target,
        )  # fmt: skip
        return refuse("VIC-7.5", taken, cell)
    near = nearest_free(state.arena, state.board, code)
    if cell not in near:
        return refuse(
            "VIC-7.5",
            say(
                "The {royal} returns to its own cell, or to the free one of its kingdom and colour "
                "that is nearest to it: now to {spots}.",
                royal=_royal(code),
                spots=[g.NAMES[cell] for cell in near],
            ),
            *near,
        )
    return allow(
        "VIC-7.5",
        say("The {royal} returns to {spot}.", royal=_royal(code), spot=g.NAMES[cell]),
        cell,
    )


# -- who may move now ----------------------------------------------------------------------


def _move(state: VictorusState, origin: int, target: int) -> Ruling:
    """Rule on a move of a piece: how it moves, the path, the target, then whether it may move now,
    then what holds beside (docs/rulings.md)."""
    if not state.board[origin]:
        return refuse(
            "VIC-4.7", say("No piece stands on {origin}.", origin=g.NAMES[origin]), origin
        )
    if origin == target:
        return refuse(
            "VIC-3.2",
            say("The {piece} has to leave its cell to move.", piece=title(state, origin)),
            origin,
        )
    now = _not_now(state, origin)
    if now is None:
        return _in_part(state, origin, target)
    return _reach(_its_turn(state, origin), origin, target) or now


def _its_turn(state: VictorusState, origin: int) -> VictorusState:
    """Return the position as if the piece on ``origin`` were to begin a turn now."""
    owner = OWNER[state.board[origin]]
    turn = state.turn._replace(stage=FRESH) if owner == state.place else NEW_TURN
    return state._replace(place=owner, turn=turn, asked=0)


def _reach(state: VictorusState, origin: int, target: int) -> Ruling | None:
    """Object to how a piece would move that may not move now: its line, the path, its own
    side's pieces, and for a knight the colour of its edge."""
    sub = SUB[state.board[origin]]
    if target == g.CENTRE:
        return ways.entering(state, origin)
    step = not ways.is_line(state, origin, target)
    if step and not ways.is_strategic(state, origin, target):
        return ways.off_line(state, origin, target)
    objection = ways.way(state, origin, target)
    if objection or sub in (KING, QUEEN):
        return objection or (ways.taking(state, origin, target) if state.board[target] else None)
    if PIECES[sub].kind == "H":
        return ways.travelling(state, origin, target)
    if step and state.board[target]:
        return ways.stepping(state, origin, target)
    rule = "VIC-4.2" if step else "VIC-3.2"
    return ways.ending(state, origin, target, ways.edge_colour(state, origin), rule)


def _not_now(state: VictorusState, origin: int) -> Ruling | None:
    """Object to a piece whose turn it is not, or that may not move at this point of it."""
    if state.asked:
        return _waits(state)
    if OWNER[state.board[origin]] == state.place:
        return _barred(state, origin)
    rule = "VIC-8.2" if state.arena.allied else "VIC-8.3"
    mover = COLOURS[state.arena.colours[state.place]]
    words = {"seat": mover, "piece": title(state, origin)}
    return refuse(rule, say("It is {seat}'s turn; this is the {piece}.", **words), origin)


def _barred(state: VictorusState, origin: int) -> Ruling | None:
    """Object to a piece that may not move at this point of the turn."""
    turn, setup = state.turn, state.arena.setup
    if turn.stage == FRESH or origin == turn.mover:
        return None
    mover = title(state, origin if turn.mover == NOBODY else turn.mover)
    if turn.stage == PIVOT:
        reason = say("The {piece} has to pivot first.", piece=mover)
        if setup["pivot"] == "may":
            reason = say("The {piece} has travelled: it pivots now, or the turn ends.", piece=mover)
        return refuse("VIC-4.3", reason, turn.mover)
    if origin in turn.frozen:
        return refuse(
            "VIC-5.2",
            say(
                "The {piece} has captured and rests until the turn ends.",
                piece=title(state, origin),
            ),
            origin,
        )
    if turn.stage == SECOND and not turn.bonus:
        return refuse(
            "VIC-4.7",
            say("One piece moves in a turn, and the {piece} has begun.", piece=mover),
            turn.mover,
        )
    if turn.stage == SECOND and setup["second"] == "must" and second_moves(state):
        return refuse(
            "VIC-4.4", say("The {piece} makes its second move first.", piece=mover), turn.mover
        )
    if turn.stage == BONUS and turn.mover != NOBODY and setup["pass_on"] == "no":
        return refuse(
            "VIC-5.4", say("The bonus move belongs to the {piece}.", piece=mover), turn.mover
        )
    return None


def _in_part(state: VictorusState, origin: int, target: int) -> Ruling:
    """Judge the move as what it would be in this turn."""
    turn = state.turn
    if turn.stage == PIVOT:
        return _pivot(state, origin, target)
    if turn.stage == SECOND and origin == turn.mover:
        ruling = _piece(state, origin, target, SECOND)
        again = state.arena.quick and turn.bonus and not ruling.allowed
        must = state.arena.setup["second"] == "must" and second_moves(state)
        return _piece(state, origin, target, BONUS) if again and not must else ruling
    return _piece(state, origin, target, FRESH if turn.stage == FRESH else BONUS)


# -- whether it gets there -----------------------------------------------------------------


def _piece(state: VictorusState, origin: int, target: int, part: str) -> Ruling:
    sub = SUB[state.board[origin]]
    if target == g.CENTRE:
        objection = ways.conquest(state, origin) or _again(state, origin, target, part)
        return objection or allow(
            "VIC-7.1",
            say("The {piece} conquers the centre.", piece=title(state, origin)),
            origin,
            target,
        )
    if PIECES[sub].kind == "H":
        return _travel(state, origin, target, part)
    if sub in (KING, QUEEN):
        return _crown(state, origin, target, part)
    if not ways.is_line(state, origin, target) and ways.is_strategic(state, origin, target):
        return _strategic(state, origin, target, part)
    if not ways.is_line(state, origin, target):
        return ways.off_line(state, origin, target)
    objection = (
        ways.way(state, origin, target)
        or ways.ending(state, origin, target, ways.edge_colour(state, origin), "VIC-3.2")
        or _again(state, origin, target, part)
    )
    rule = "VIC-4.4" if sub >= ROYAL else "VIC-4.1"
    return objection or _approved(state, origin, target, part, rule)


def _approved(state: VictorusState, origin: int, target: int, part: str, rule: str) -> Ruling:
    piece, end = title(state, origin), g.NAMES[target]
    if state.board[target]:
        return allow(
            "VIC-5.1",
            say("The {piece} captures the {other}.", piece=piece, other=title(state, target)),
            origin,
            target,
        )
    if part == BONUS:
        rule = "VIC-5.3"
    return allow(rule, say("The {piece} may go to {spot}.", piece=piece, spot=end), origin, target)


def _crown(state: VictorusState, origin: int, target: int, part: str) -> Ruling:
    if not ways.is_line(state, origin, target):
        return ways.off_line(state, origin, target)
    objection = (
        ways.way(state, origin, target)
        or ways.ending(state, origin, target, *_crown_colour(state, origin, part))
        or ways.gate(state, origin, target)
        or _again(state, origin, target, part)
    )
    return objection or _approved(state, origin, target, part, "VIC-4.5")


def _crown_colour(state: VictorusState, origin: int, part: str) -> tuple[int, str, Text]:
    """Return the colour on which a King's or Queen's move ends, the rule and why."""
    here = state.arena.shade[origin]
    if part == FRESH:
        why = say("the colour opposite to the one it begins on")
        return 1 - here, "VIC-4.5", why
    if part == SECOND:
        return here, "VIC-4.5", say("the colour that its first move ended on")
    last = g.NAMES[state.turn.last]
    why = say("the colour of {spot}, where the last capture was", spot=last)
    if bonus_colour(state) != state.arena.shade[state.turn.last]:
        why = say("the colour opposite to {spot}, where the last capture was", spot=last)
    return bonus_colour(state), "VIC-5.5", why


def _again(state: VictorusState, origin: int, target: int, part: str) -> Ruling | None:
    """Object to what a piece that has moved in this turn may not do (VIC-4.4, VIC-5.7)."""
    setup, turn, zone = state.arena.setup, state.turn, ways.view_of(state).zone
    if part == SECOND:
        if SUB[state.board[origin]] >= ROYAL:
            piece = title(state, origin)
            if target == turn.start_of(origin) and not returns(state):
                reason = say(
                    "The {piece} began its turn on {spot} and may not end there.",
                    piece=piece, spot=g.NAMES[target],
                )  # fmt: skip
                return refuse("VIC-4.4", reason, target)
            if setup["dogleg"] == "must" and axis_of(origin, target) == turn.line:
                reason = say(
                    "The {piece} came along this line; its second move has to turn off it.",
                    piece=piece,
                )
                return refuse("VIC-4.4", reason, turn.start_of(origin), target)
        if 0 <= turn.first < 6 and zone[target] != g.BATTLEFIELD:
            return refuse(
                "VIC-5.7",
                say(
                    "The {piece} captured in an enemy kingdom: it stops there or goes "
                    "on to a cell of the battlefield, and {spot} is none.",
                    piece=title(state, origin),
                    spot=g.NAMES[target],
                ),
                origin,
                target,
            )
    elif zone[target] in left_for_good(state, origin) and zone[target] != zone[origin]:
        return refuse(
            "VIC-5.7",
            say(
                "The {piece} captured in {seat}'s kingdom and may not enter it again in this turn.",
                piece=title(state, origin),
                seat=COLOURS[state.arena.colours[zone[target]]],
            ),
            target,
        )
    return None


def _strategic(state: VictorusState, origin: int, target: int, part: str) -> Ruling:
    piece = title(state, origin)
    if part == SECOND:
        return refuse(
            "VIC-4.4",
            say("The {piece} slides on; its second move is no strategic step.", piece=piece),
            origin,
            target,
        )
    if part == BONUS and state.arena.setup["bonus_strategic"] == "no":
        reason = say("The {piece} slides on its bonus move; it makes no strategic step.",
                     piece=piece)  # fmt: skip
        return refuse("VIC-5.3", reason, origin, target)
    colour = ways.edge_colour(state, origin)
    objection = (
        ways.way(state, origin, target)
        or ways.stepping(state, origin, target)
        or ways.ending(state, origin, target, colour, "VIC-4.2")
        or _again(state, origin, target, part)
    )
    return objection or _approved(state, origin, target, part, "VIC-4.2")


def _travel(state: VictorusState, origin: int, target: int, part: str) -> Ruling:
    if not ways.is_line(state, origin, target):
        return ways.off_line(state, origin, target)
    objection = ways.way(state, origin, target) or ways.travelling(state, origin, target)
    if objection:
        return objection
    if state.arena.setup["pivot"] == "must" and not _can_pivot(state, origin, target):
        return ways.no_pivot(state, origin, target)
    return _approved(state, origin, target, part, "VIC-4.3")


def _can_pivot(state: VictorusState, origin: int, via: int) -> bool:
    for cell in ways.view_of(state).lines.pivots[via]:
        if not state.board[cell] or ways.taking(state, origin, cell) is None:
            return True
    return False


def _pivot(state: VictorusState, origin: int, target: int) -> Ruling:
    if g.distance(origin, target) != 1 or target == g.CENTRE:
        reason = say(
            "The {piece} has travelled and pivots now: into a neighbouring cell, and {spot} is "
            "none.",
            piece=title(state, origin), spot=g.NAMES[target],
        )  # fmt: skip
        return refuse("VIC-4.3", reason, origin, target)
    colour = ways.edge_colour(state, origin)
    objection = ways.way(state, origin, target) or ways.ending(
        state, origin, target, colour, "VIC-4.3"
    )
    return objection or _approved(state, origin, target, FRESH, "VIC-4.3")
