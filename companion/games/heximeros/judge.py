"""The ruling on any conceivable action: who may do what now, then whether a piece gets there."""

from __future__ import annotations

from dataclasses import replace

from companion.games.heximeros import geometry as g
from companion.games.heximeros import ways
from companion.games.heximeros.declare import (
    DRAW,
    NAMING,
    RESIGN,
    TOKEN,
    WORDS,
    answers,
    attackers,
    bound,
    checking,
    legal,
    sovereign,
    token,
)
from companion.games.heximeros.hats import free, piece_named, place_action, placings, second_cells
from companion.games.heximeros.moves import moves, moves_of
from companion.games.heximeros.pieces import (
    CAPITALS,
    COLOURS,
    HATTED,
    MILITANT,
    NAMED,
    OWNER,
    P_FIRST,
    SUB,
    TITLE,
    TITLES,
    kind_of,
)
from companion.games.heximeros.plans import may_promote
from companion.games.heximeros.play import advance, deed, next_army
from companion.games.heximeros.state import FRESH, NEW_TURN, NOWHERE, HexiMerosState
from companion.games.heximeros.ways import allow, colour, named, refuse, title
from companion.rules import Action, Ruling, misspoken, quoted, say


def judge(state: HexiMerosState, action: Action) -> Ruling:
    """Rule on ``action``: allowed exactly if it is legal or may be claimed now."""
    if state.tally.ending:
        return refuse(state.tally.ending, say("The game is over."))
    tokens = state.arena.tokens if state.arena.seen else ()
    if action.verb == "move" and action.origin in tokens:
        return _token(state, action)
    if action.verb not in ("move", "place"):
        return _word(state, action)
    begun = (action.origin,) if action.verb == "move" else ()
    for spot in (*begun, *action.via, action.target):
        if spot not in g.INDEX:
            return refuse("HX-1.5", say("{spot} is no space of the board.", spot=quoted(spot)))
    return _place(state, action) if action.verb == "place" else _move(state, action)


def _word(state: HexiMerosState, action: Action) -> Ruling:
    """Rule on what is said instead of moved: the word, with the army that it names, then what
    follows it."""
    named = action.verb in NAMING
    if action.verb not in WORDS or (named and action.detail not in COLOURS):
        rule = {"check": "HX-3.4", "concede": "HX-5.5", "expel": "HX-5.5"}
        return refuse(rule.get(action.verb, "HX-3.1"), misspoken(action, WORDS, NAMING, TITLE))
    plain = Action(action.verb, detail=action.detail if named else "")
    ruling = _token(state, plain) if plain == TOKEN else _claim(state, plain)
    if ruling.allowed and action != plain:
        return refuse(ruling.rule, misspoken(action, WORDS, NAMING, TITLE))
    return ruling


# -- the Token -------------------------------------------------------------------------------------


def _token(state: HexiMerosState, action: Action) -> Ruling:
    right = token(state)
    can = legal(state)
    if state.turn.stage == FRESH and can[0] != right:
        return refuse(
            "HX-3.2",
            say("{army} has to move before it passes the Token, for example {action}.",
                army=colour(state), action=str(can[0])),
            g.INDEX[can[0].origin], g.INDEX[can[0].target],
        )  # fmt: skip
    if action != right:
        if right == TOKEN:
            return refuse("HX-3.1", say("The Token stays with {army}; its passing is said.",
                                        army=colour(state)))  # fmt: skip
        following = NAMED[next_army(state.tally.live, state.army)]
        reason = say("The Token goes by hand from the {army} army to the {other} one.",
                     army=colour(state), other=following)  # fmt: skip
        return refuse("HX-3.1", reason)
    if state.turn.stage == FRESH:
        return allow("HX-3.2", say("{army} cannot move and passes the Token.", army=colour(state)))
    return allow("HX-3.1", say("{army} passes the Token: the move is made.", army=colour(state)),
                 state.turn.end)  # fmt: skip


# -- announcements ---------------------------------------------------------------------------------


def _claim(state: HexiMerosState, action: Action) -> Ruling:
    if action == RESIGN:
        player = NAMED[state.player]
        return allow("HX-5.5", say("{player} resigns: its Sovereign leaves the board.",
                                   player=player))  # fmt: skip
    if action == DRAW:
        return _draw(state)
    army = COLOURS.index(action.detail)
    if action.verb == "check":
        return _check(state, army)
    if army not in state.tally.players():
        return refuse("HX-5.5", say("{player} is out of the game.", player=NAMED[army]))
    if action.verb == "expel":
        return allow("HX-5.5", say("{player} is expelled.", player=NAMED[army]))
    if army == state.player:
        return refuse(
            "HX-5.5", say("{player} has the Move and resigns instead.", player=NAMED[army])
        )
    return allow("HX-5.5", say("{player} concedes: its Sovereign leaves the board.",
                               player=NAMED[army]))  # fmt: skip


def _draw(state: HexiMerosState) -> Ruling:
    if (count := len(state.tally.players())) > 2:
        reason = say("A draw is for the last two players alone; {count} are in the game.",
                     count=count)  # fmt: skip
        return refuse("HX-5.4", reason)
    return allow("HX-5.4", say("The last two players cannot capture each other's Sovereign."))


def _check(state: HexiMerosState, army: int) -> Ruling:
    name = NAMED[army]
    if not state.tally.live >> army & 1:
        return refuse("HX-3.4", say("{army} has no Sovereign in play.", army=name))
    cell = sovereign(state, army)
    if state.tally.checks >> army & 1:
        return refuse("HX-3.4", say("Check stands declared upon {army} already.", army=name), cell)
    threats = checking(state, army)
    if not threats:
        words = {"army": name, "spot": g.NAMES[cell], "other": colour(state)}
        reason = say("No {other} piece could capture the {army} Sovereign on {spot} now.", **words)
        if state.tally.masters[army] == state.player:
            reason = say("No piece could capture the {army} Sovereign on {spot} now.", **words)
        return refuse("HX-3.4", reason, cell)
    return allow("HX-3.4", say("Check is declared upon {army}.", army=name), cell, *threats)


# -- promotions of a hat ---------------------------------------------------------------------------


def _place(state: HexiMerosState, action: Action) -> Ruling:
    turn, cell = state.turn, g.INDEX[action.target]
    if turn.hat == NOWHERE and turn.first:
        return refuse(
            "HX-5.2", say("The first piece, the {piece}, is of an army without a Sovereign: no "
                          "second one follows.", piece=named(state, turn.end)), turn.end,
        )  # fmt: skip
    if turn.hat == NOWHERE:
        return refuse("HX-5.2", say("No Hatted Militant has come to a Base Line in this turn."))
    code = piece_named(state, action.detail)
    if not code or action != place_action(cell, action.detail):
        reason = say(
            "Name the piece that comes to {spot}: one of {pieces}, and of what colour if not its "
            "own, such as {example}.",
            spot=g.NAMES[cell], pieces=[quoted(kind) for kind in (*CAPITALS, "S")],
            example=quoted("blue R"),
        )  # fmt: skip
        return refuse("HX-5.2", reason, cell)
    piece = title(code)
    if action not in placings(state):
        return _no_place(state, code, cell)
    if kind_of(code) == "S":
        return allow(
            "HX-5.3", say("The {piece} is resurrected, and its army with it.", piece=piece), cell
        )
    return allow("HX-5.2", say("The Hatted Militant becomes a {piece}.", piece=piece), cell)


def _no_place(state: HexiMerosState, code: int, cell: int) -> Ruling:
    turn, army, own = state.turn, OWNER[code], OWNER[code] == state.army
    if turn.first:
        return _no_second(state, code, cell)
    if kind_of(code) == "S" and state.tally.live >> army & 1:
        return refuse("HX-5.3", say("{army} has its Sovereign.", army=NAMED[army]),
                      sovereign(state, army))  # fmt: skip
    if own:
        return refuse("HX-5.2", say("A sibling takes the Militant's place on {spot}.",
                                    spot=g.NAMES[turn.hat]), turn.hat)  # fmt: skip
    if cell in state.arena.base_lines[army]:
        return _taken(state, cell)
    reason = say(
        "A {piece} takes the Militant's place on {origin} or comes to an empty space of its own "
        "Base Line; {spot} is neither.",
        piece=title(code), origin=g.NAMES[turn.hat], spot=g.NAMES[cell],
    )  # fmt: skip
    return refuse("HX-5.2", reason, turn.hat, *free(state, state.arena.base_lines[army]))


def _no_second(state: HexiMerosState, code: int, cell: int) -> Ruling:
    army, first = OWNER[code], state.turn.first
    if kind_of(code) == "S":
        return refuse("HX-5.2", say("A second piece is never a Sovereign."), state.turn.hat)
    if army == state.army and OWNER[first] != army:
        reason = say(
            "Of a sibling and another colour's piece the sibling takes the Militant's place, and "
            "on {spot} stands the other already.",
            spot=g.NAMES[state.turn.hat],
        )
        return refuse("HX-5.2", reason, state.turn.hat)
    if not state.tally.live >> army & 1:
        return refuse("HX-5.2", say("A second piece needs its Sovereign in play; the {army} one is "
                                    "gone.", army=NAMED[army]))  # fmt: skip
    if cell in second_cells(state, army):
        return _taken(state, cell)
    reason = say(
        "A second piece comes to an empty space of this Base Line or its own; {spot} is on "
        "neither.",
        spot=g.NAMES[cell],
    )
    return refuse("HX-5.2", reason, *free(state, second_cells(state, army)))


def _taken(state: HexiMerosState, cell: int) -> Ruling:
    reason = say("The {piece} stands on {spot}.", piece=title(state.board[cell]),
                 spot=g.NAMES[cell])  # fmt: skip
    return refuse("HX-5.2", reason, cell)


# -- moves -----------------------------------------------------------------------------------------


def _move(state: HexiMerosState, action: Action) -> Ruling:
    origin, target = g.INDEX[action.origin], g.INDEX[action.target]
    code = state.board[origin]
    if not code:
        return refuse("HX-3.1", say("No piece stands on {spot}.", spot=g.NAMES[origin]), origin)
    if not state.tally.live >> OWNER[code] & 1:
        return refuse("HX-5.3", say("The {piece} is out of play: its Sovereign is gone.",
                                    piece=named(state, origin)), origin)  # fmt: skip
    # How it moves, its path and its end come before whose turn it is, and what is written beside
    # the move last (docs/rulings.md).
    its = state._replace(army=OWNER[code], turn=NEW_TURN)
    found = moves_of(its, origin)
    shot = action.detail if action.detail.startswith("*") else ""
    if Action("move", action.origin, action.target, shot) not in found:
        return _refused(its, action, origin, target)
    if ruling := _not_now(state, code, origin):
        return ruling
    if action not in found:
        return _beside(its, action, target)
    if bound(state) and (ruling := _answer(state, action)):
        return ruling
    return _allowed(state, action, origin, target)


def _not_now(state: HexiMerosState, code: int, origin: int) -> Ruling | None:
    """Object to a piece of an army without the Token, or that has moved."""
    if OWNER[code] != state.army:
        words = {"army": colour(state), "piece": named(state, origin)}
        reason = say("{army} has the Token; this is the {piece}.", **words)
        return refuse("HX-3.1", reason, origin)
    end = state.turn.end
    if state.turn.stage != FRESH and state.board[end]:
        reason = say("{army} has moved the {piece}; take that back first, or pass the Token.",
                     army=colour(state), piece=named(state, end))  # fmt: skip
        return refuse("HX-3.1", reason, end)
    if state.turn.stage != FRESH:
        reason = say("{army} has moved; take that back first, or pass the Token.",
                     army=colour(state))  # fmt: skip
        return refuse("HX-3.1", reason, end)
    return None


def _answer(state: HexiMerosState, action: Action) -> Ruling | None:
    """Object to a move that leaves a declared Check unanswered (HX-3.4)."""
    after = advance(state, action)
    threats, king = attackers(after, state.army), sovereign(after, state.army)
    if not threats or action in answers(state, moves(state)):
        return None
    return refuse(
        "HX-3.4", say("Check is declared upon {army}: after this the {piece} could capture the "
                      "Sovereign on {spot}.", army=colour(state), piece=named(after, threats[0]),
                      spot=g.NAMES[king]), king, *threats,
    )  # fmt: skip


_RULES = {"M": "HX-4.1", "Al": "HX-4.2", "P": "HX-4.2", "R": "HX-4.2", "S": "HX-4.2",
          "M+": "HX-5.1", "C": "HX-4.3", "Ar": "HX-4.4", "D": "HX-4.5", "As": "HX-4.6"}  # fmt: skip
"""The rule by which each kind moves."""


def _allowed(state: HexiMerosState, action: Action, origin: int, target: int) -> Ruling:
    code = state.board[origin]
    piece, kind = title(code), kind_of(code)
    changes, taken = deed(state, action)
    if len(changes) > 2 and not taken:
        return allow("HX-4.7", say("The {piece} flees into the Sanctuary.", piece=piece),
                     *(cell for cell, _ in changes))  # fmt: skip
    if action.detail and not action.detail.startswith("*"):
        became = TITLES[kind_of(dict(changes)[target])]
        return allow("HX-5.1", say("The {piece} is promoted to {rank}.", piece=piece, rank=became),
                     origin, target)  # fmt: skip
    if len(taken) > 1:
        return allow("HX-4.5", say("The {piece} sweeps {count} pieces away.", piece=piece,
                                   count=len(taken)), origin, *taken)  # fmt: skip
    if taken:
        victim = title(state.board[taken[0]])
        return allow("HX-3.3", say("The {piece} captures the {victim}.", piece=piece,
                                   victim=victim), origin, *taken)  # fmt: skip
    rule = "HX-4.8" if origin == g.GROUND_ZERO and ways.is_double(state, origin, target) else ""
    return allow(rule or _RULES[kind], say("The {piece} may go to {spot}.", piece=piece,
                                           spot=g.NAMES[target]), origin, target)  # fmt: skip


def _refused(state: HexiMerosState, action: Action, origin: int, target: int) -> Ruling:
    """Tell why a piece of the army that has the Token does not make this move."""
    code = state.board[origin]
    sub, kind = SUB[code], kind_of(code)
    if origin == target:
        reason = say("The {piece} has to leave its space to move.", piece=named(state, origin))
        return refuse("HX-3.2", reason, origin)
    if action.detail.startswith("*"):
        return ways.no_shot(state, action)
    if kind == "S" and (ruling := ways.no_sanctuary(state, origin, target)):
        return ruling
    if sub == P_FIRST:
        return ways.no_flower(state, origin, target)
    return ways.WHY[kind](state, origin, target)


def _beside(state: HexiMerosState, action: Action, target: int) -> Ruling:
    """Refuse what is written beside a move that is right: a promotion, spaces between."""
    if action.via and replace(action, via=()) in moves_of(state, g.INDEX[action.origin]):
        reason = say(
            "The move from {origin} to {spot} is named by these two spaces alone; what lies "
            "between makes no difference.",
            origin=action.origin, spot=action.target,
        )  # fmt: skip
        return refuse("HX-1.5", reason, g.INDEX[action.origin], target)
    return _no_promotion(state, action, target)


def _no_promotion(state: HexiMerosState, action: Action, target: int) -> Ruling:
    sub = SUB[state.board[g.INDEX[action.origin]]]
    if sub > MILITANT and sub != HATTED:
        reason = say("Militants alone are promoted; the {piece} stays what it is.",
                     piece=named(state, g.INDEX[action.origin]))  # fmt: skip
        return refuse("HX-5.1", reason, target)
    if sub == HATTED and target not in g.BASE_OF:
        reason = say("A Hatted Militant is promoted on a Base Line, and {spot} is on none.",
                     spot=action.target)  # fmt: skip
        return refuse("HX-5.2", reason, target)
    if sub == HATTED:
        return refuse(
            "HX-5.2",
            say("First the Hatted Militant moves to {spot}, then it is promoted there.",
                spot=action.target), target,
        )  # fmt: skip
    if not may_promote(target, state.arena.places[state.army]):
        reason = say("A Militant is promoted on or past its Center Line or on a Base Line; {spot} "
                     "is neither.", spot=action.target)  # fmt: skip
        return refuse("HX-5.1", reason, target)
    return refuse("HX-5.1", say("A Militant becomes R, As, Ar, P, Al, C or D, not {rank}.",
                                rank=quoted(action.detail)), target)  # fmt: skip
