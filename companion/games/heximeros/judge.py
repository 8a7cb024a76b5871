"""The ruling on any conceivable action: who may do what now, then whether a piece gets there."""

from __future__ import annotations

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
    sovereign,
    token,
)
from companion.games.heximeros.hats import free, piece_named, place_action, placings, second_cells
from companion.games.heximeros.moves import moves, moves_of
from companion.games.heximeros.pieces import (
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
from companion.games.heximeros.ways import allow, colour, refuse, title
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
    if state.turn.stage == FRESH and (can := moves(state)):
        where = dict.fromkeys(g.INDEX[move.origin] for move in can)
        return refuse(
            "HX-3.2",
            say("{army} has not moved yet and passes the Token when it has.", army=colour(state)),
            *list(where)[:3],
        )
    if action != right:
        if right == TOKEN:
            return refuse("HX-3.1", say("The Token stays with {army}; its passing is said.",
                                        army=colour(state)))  # fmt: skip
        following = NAMED[next_army(state.tally.live, state.army)]
        return refuse("HX-3.1", say("The Token goes by hand from {army} to {other}.",
                                    army=colour(state), other=following))  # fmt: skip
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
    if len(state.tally.players()) > 2:
        return refuse("HX-5.4", say("A draw is for the last two players alone."))
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
        return refuse(
            "HX-3.4", say("Nothing could capture {army}'s Sovereign now.", army=name), cell
        )
    return allow("HX-3.4", say("Check is declared upon {army}.", army=name), cell, *threats)


# -- promotions of a hat ---------------------------------------------------------------------------


def _place(state: HexiMerosState, action: Action) -> Ruling:
    turn, cell = state.turn, g.INDEX[action.target]
    if turn.hat == NOWHERE and turn.first:
        return refuse(
            "HX-5.2", say("The first piece, the {piece}, is of an army without a Sovereign: no "
                          "second one follows.", piece=title(turn.first)), turn.end,
        )  # fmt: skip
    if turn.hat == NOWHERE:
        return refuse("HX-5.2", say("No Hatted Militant has come to a Base Line in this turn."))
    code = piece_named(state, action.detail)
    if not code or action != place_action(cell, action.detail):
        return refuse(
            "HX-5.2", say("Name the piece that comes to {spot}.",
                          spot=g.NAMES[cell]), cell,
        )  # fmt: skip
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
        return refuse("HX-5.2", say("A sibling takes the Militant's place."), turn.hat)
    if state.board[cell]:
        return _taken(state, cell)
    free_ = free(state, state.arena.base_lines[army])
    return refuse(
        "HX-5.2",
        say("A {piece} takes the Militant's place or comes to an empty space of its own Base Line.",
            piece=title(code)), turn.hat, *free_,
    )  # fmt: skip


def _no_second(state: HexiMerosState, code: int, cell: int) -> Ruling:
    army, first = OWNER[code], state.turn.first
    if kind_of(code) == "S":
        return refuse("HX-5.2", say("A Sovereign is no second capital."), state.turn.hat)
    if army == state.army and OWNER[first] != army:
        return refuse(
            "HX-5.2", say("Of a sibling and another, the sibling takes the Militant's place."),
            state.turn.hat,
        )  # fmt: skip
    if not state.tally.live >> army & 1:
        return refuse("HX-5.2", say("A second piece needs {army}'s Sovereign in play.",
                                    army=NAMED[army]))  # fmt: skip
    if state.board[cell]:
        return _taken(state, cell)
    return refuse(
        "HX-5.2", say("A second capital comes to this Base Line or its own."),
        *free(state, second_cells(state, army)),
    )  # fmt: skip


def _taken(state: HexiMerosState, cell: int) -> Ruling:
    return refuse("HX-5.2", say("The {piece} stands there.", piece=title(state.board[cell])), cell)


# -- moves -----------------------------------------------------------------------------------------


def _move(state: HexiMerosState, action: Action) -> Ruling:
    origin, target = g.INDEX[action.origin], g.INDEX[action.target]
    code = state.board[origin]
    if not code:
        return refuse("HX-3.1", say("No piece stands on {spot}.", spot=g.NAMES[origin]), origin)
    if not state.tally.live >> OWNER[code] & 1:
        return refuse("HX-5.3", say("The {piece} is out of play: its Sovereign is gone.",
                                    piece=title(code)), origin)  # fmt: skip
    # How it moves, its path and its end come before whose turn it is (docs/rulings.md).
    its = state._replace(army=OWNER[code], turn=NEW_TURN)
    if action not in moves_of(its, origin):
        return _refused(its, action, origin, target)
    if ruling := _not_now(state, code, origin):
        return ruling
    if bound(state) and (ruling := _answer(state, action)):
        return ruling
    return _allowed(state, action, origin, target)


def _not_now(state: HexiMerosState, code: int, origin: int) -> Ruling | None:
    """Object to a piece of an army without the Token, or that has moved."""
    if OWNER[code] != state.army:
        words = {"army": colour(state), "piece": title(code)}
        reason = say("{army} has the Token; this is the {piece}.", **words)
        return refuse("HX-3.1", reason, origin)
    if state.turn.stage != FRESH:
        return refuse(
            "HX-3.1",
            say("{army} has moved; take that back first, or pass the Token.", army=colour(state)),
            state.turn.end,
        )  # fmt: skip
    return None


def _answer(state: HexiMerosState, action: Action) -> Ruling | None:
    """Object to a move that leaves a declared Check unanswered (HX-3.4)."""
    after = advance(state, action)
    threats = attackers(after, state.army)
    if not threats or action in answers(state, moves(state)):
        return None
    return refuse(
        "HX-3.4", say("Check is declared upon {army}, and this does not answer it.",
                      army=colour(state)), sovereign(after, state.army), *threats,
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
        return refuse("HX-3.2", say("A move leads to another space."), origin)
    if action.via:
        return refuse("HX-1.5", say("Name where the move begins and where it ends; what lies "
                                    "between makes no difference."), origin, target)  # fmt: skip
    if action.detail.startswith("*"):
        return ways.no_shot(state, action)
    plain = g.move_action(origin, target)
    if action.detail and plain in moves_of(state, origin):
        return _no_promotion(state, action, target)
    if kind == "S" and (ruling := ways.no_sanctuary(state, origin, target)):
        return ruling
    if sub == P_FIRST:
        return ways.no_flower(state, origin, target)
    return ways.WHY[kind](state, origin, target)


def _no_promotion(state: HexiMerosState, action: Action, target: int) -> Ruling:
    sub = SUB[state.board[g.INDEX[action.origin]]]
    if sub > MILITANT and sub != HATTED:
        return refuse("HX-5.1", say("Militants alone are promoted."), target)
    if sub == HATTED:
        return refuse(
            "HX-5.2",
            say("First the Hatted Militant moves to {spot}, then it is promoted there.",
                spot=action.target), target,
        )  # fmt: skip
    if not may_promote(target, state.arena.places[state.army]):
        return refuse("HX-5.1", say("A Militant is promoted on or past its Center Line."), target)
    return refuse("HX-5.1", say("A Militant becomes R, As, Ar, P, Al, C or D, not {rank}.",
                                rank=action.detail), target)  # fmt: skip
