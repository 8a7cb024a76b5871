"""What a camera should see, and what a hand does to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from companion.games.victorus import geometry as g
from companion.games.victorus import moves
from companion.games.victorus.moves import bonus_movers
from companion.games.victorus.pieces import (
    FROZEN,
    KING,
    OWNER,
    PIECES_EACH,
    QUEEN,
    ROYAL,
    SUB,
    code_of,
)
from companion.games.victorus.play import advance
from companion.games.victorus.state import GATE, NOBODY, VictorusState
from companion.games.victorus.words import COLOURS, spoken
from companion.rules import Action, Effect, Position, Problem, Text, say


def expect(state: VictorusState) -> Position:
    """Return what should stand on the board; captors that are done carry the frozen mark."""
    frozen = state.turn.frozen
    return {
        g.NAMES[cell]: state.arena.token(code) + (FROZEN if cell in frozen else "")
        for cell, code in enumerate(state.board[: g.COUNT])
        if code
    }


def accepts(state: VictorusState, spot: str) -> tuple[str | None, ...]:
    """Return what may stand on ``spot``: turned or not turned back, turned over or not yet, an
    army that is out not yet taken off (VIC-9.1)."""
    cell = g.INDEX[spot]
    code = state.board[cell]
    if not code:
        left = [state.arena.token(c) for at, c in state.tally.removed if at == cell]
        return (None, *left)
    sides = [state.arena.token(code)]
    sub, place = SUB[code], OWNER[code]
    if sub >= ROYAL:
        sides.append(state.arena.token(code - ROYAL))
    elif sub < 8 and state.tally.merit[8 * place + sub] >= 2:
        sides.append(state.arena.token(code + ROYAL))
    marks = ("", FROZEN) if cell not in state.turn.frozen else (FROZEN, "")
    return tuple(side + mark for side in sides for mark in marks)


def effect(state: VictorusState, action: Action) -> Effect:
    """Return what ``action`` does to the table, legal or not."""
    if _stands(state, action):
        return _legal_effect(state, action)
    if action.verb != "move":
        return Effect(state.arena.colours[state.place], None)
    arena = state.arena
    origin, target = g.INDEX[action.origin], g.INDEX[action.target]
    code, victim = state.board[origin], state.board[target]
    if not code:
        return Effect(None, None)
    token = arena.token(code)
    captures = (arena.token(victim),) if victim and origin != target else ()
    changes = {str(action.origin): None, str(action.target): token}
    return Effect(arena.colours[OWNER[code]], token, captures, MappingProxyType(changes))


def _stands(state: VictorusState, action: Action) -> bool:
    return action in moves.legal(state)


def _legal_effect(state: VictorusState, action: Action) -> Effect:
    arena, after = state.arena, advance(state, action)
    before, then = expect(state), expect(after)
    changes = {
        spot: then.get(spot)
        for spot in {**before, **then}
        if _plain(before.get(spot)) != _plain(then.get(spot))
        or spot in (action.origin, action.target)
    }
    seat = arena.colours[state.mover if state.mover is not None else state.place]
    if action.verb != "move":
        piece = arena.token(state.asked) if action.verb == "place" else None
        return Effect(seat, piece, changes=MappingProxyType(changes))
    origin, target = g.INDEX[action.origin], g.INDEX[action.target]
    code, victim = state.board[origin], state.board[target]
    becomes = after.board[target]
    return Effect(
        seat,
        arena.token(code),
        (arena.token(victim),) if victim else (),
        MappingProxyType(changes),
        becomes=arena.token(becomes) if becomes == code + ROYAL else None,
    )


def _plain(token: str | None) -> str | None:
    return token and token.removesuffix(FROZEN)


def check(state: VictorusState) -> tuple[Problem, ...]:
    """Return why the position cannot be."""
    return (
        *_copies(state), *_places(state), *_missing(state), *_royals(state), *_away(state)
    )  # fmt: skip


def _copies(state: VictorusState) -> list[Problem]:
    """A seat has one piece of each kind and edge (VIC-1.1)."""
    seen = Counter(_unturned(code) for code in state.board[: g.COUNT] if code)
    found = []
    for code, count in seen.items():
        if count > 1:
            spots = tuple(
                g.NAMES[cell]
                for cell, c in enumerate(state.board[: g.COUNT])
                if c and _unturned(c) == code
            )
            found.append(
                Problem(
                    "VIC-1.1",
                    say("{piece} is there {count} times.", piece=_named(state, code), count=count),
                    spots,
                )
            )
    return found


def _named(state: VictorusState, code: int) -> Text:
    return spoken(state.arena.token(code))


def _taken_from(state: VictorusState, place: int) -> int:
    """Return how many pieces of the enemies of ``place`` are not on the board: it and others can
    have captured no more, but for royals that were rescued."""
    enemies = [other for other in state.arena.order if not state.arena.friends[place] >> other & 1]
    standing = sum(OWNER[code] in enemies for code in state.board[: g.COUNT] if code)
    return max(0, PIECES_EACH * len(enemies) - standing)


def _royals(state: VictorusState) -> list[Problem]:
    """A knight is royal by its captures (VIC-6.1): at least one each."""
    found = []
    for place in state.arena.order:
        cells = [
            cell for cell, code in enumerate(state.board[: g.COUNT])
            if code and OWNER[code] == place and SUB[code] >= ROYAL
            and state.tally.merit[8 * place + SUB[code] - ROYAL] < 2
        ]  # fmt: skip
        taken = _taken_from(state, place)
        if len(cells) > taken:
            seat = COLOURS[state.arena.colours[place]]
            reason = say("{seat} has a royal knight, and no enemy's piece is captured.", seat=seat)
            if taken:
                reason = say(
                    "{seat} has {count} royal knights, and no more than {taken} of the enemies' "
                    "pieces are captured.",
                    seat=seat, count=len(cells), taken=taken,
                )  # fmt: skip
            found.append(Problem("VIC-6.1", reason, tuple(g.NAMES[cell] for cell in cells)))
    return found


def _away(state: VictorusState) -> list[Problem]:
    """King and Queen leave their kingdom after three captures (VIC-4.6)."""
    found = []
    for cell, code in enumerate(state.board[: g.COUNT]):
        if not code or SUB[code] not in (KING, QUEEN) or state.tally.ending:
            continue
        place = OWNER[code]
        if state.arena.land[cell] == place or state.gate_open(place):
            continue
        taken = _taken_from(state, place)
        if taken < GATE:
            reason = say(
                "{piece} is out of its kingdom, and no more than {taken} of the enemies' pieces "
                "are captured: it takes 3.",
                piece=_named(state, code), taken=taken,
            )  # fmt: skip
            found.append(Problem("VIC-4.6", reason, (g.NAMES[cell],)))
    return found


def _unturned(code: int) -> int:
    return code - ROYAL if SUB[code] >= ROYAL else code


def _places(state: VictorusState) -> list[Problem]:
    arena, found = state.arena, []
    for cell, code in enumerate(state.board[: g.COUNT]):
        if not code:
            continue
        piece, spot = _named(state, code), g.NAMES[cell]
        if cell == g.CENTRE and not state.tally.ending:
            reason = say("Nothing stands on the centre before the game is won: {piece}.",
                         piece=piece)  # fmt: skip
            found.append(Problem("VIC-3.4", reason, (spot,)))
        elif not arena.right_colour(code, cell):
            shade = (say("white"), say("grey"))[arena.shade[cell]]
            reason = say("{piece} cannot stand on {spot}, which is {shade}.", piece=piece,
                         spot=spot, shade=shade)  # fmt: skip
            found.append(Problem("VIC-3.2", reason, (spot,)))
    return found


def _missing(state: VictorusState) -> list[Problem]:
    """A seat in play has its King or its Queen (VIC-7.4)."""
    return [
        Problem(
            "VIC-7.4",
            say("{seat} has neither King nor Queen.", seat=COLOURS[state.arena.colours[place]]),
        )
        for place in state.arena.order
        if state.tally.playing >> place & 1
        and not any(
            code_of(place, sub) in state.board or code_of(place, sub) in state.tally.waiting
            for sub in (KING, QUEEN)
        )
    ]


def highlights(state: VictorusState) -> Mapping[str, tuple[str, ...]]:
    """Return the frozen captors, the piece that may go on, those that may take the bonus."""
    if state.tally.ending:
        return {}
    turn = state.turn
    marks = {"frozen": tuple(g.NAMES[cell] for cell in sorted(turn.frozen))}
    if turn.mover != NOBODY:
        marks["mover"] = (g.NAMES[turn.mover],)
    if turn.bonus:
        marks["bonus"] = tuple(g.NAMES[cell] for cell in bonus_movers(state))
    return {name: spots for name, spots in marks.items() if spots}
